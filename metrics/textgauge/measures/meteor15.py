"""METEOR 1.5: the official program's figures, without Java."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..checks import fail, shown
from ..explanation.derivation import Derivation, Step, figure
from ..input.columns import Corpus, known_texts
from ..metric import About, Explanation, Field, Layout, Metric, Notes, Rows, Score, Scores
from ..options import Options, option
from ..text.meteor import EnglishData, meteor_of
from ..text.tokenizers import tokenizer_of
from .meteor import KINDS, Link, MeteorExplainer, WordNumbers, notes_on_words, numbers_of_pairs

MATCHERS = ("exact", "stem", "synonym", "paraphrase")
# Of two texts. A word that is 2,000 times in both has 4 million, which take some seconds and 300 MB.
MOST_MATCHES = 1 << 22


class TaskParameters(NamedTuple):
    """The parameters of METEOR for a task: alpha, beta, gamma, delta, and the weight of every matcher."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


TASKS = {
    "rank": TaskParameters(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
    "adq": TaskParameters(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8)),
    "hter": TaskParameters(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8)),
    "util": TaskParameters(0.65, 0.1, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8)),
    "li": TaskParameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5)),
    "tune": TaskParameters(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5)),
}


@dataclass(frozen=True)
class Meteor15Options(Options):
    """English. The figures are those of the official program with the option `-norm`, from 0 to 1.

    Counts are pooled over the segments. Of several references, the one with the best score counts.

    References: Denkowski and Lavie (2014), Meteor Universal: Language Specific Translation Evaluation for Any Target
    Language; Denkowski and Lavie (2011), Meteor 1.3: Automatic Metric for Reliable Optimization and Evaluation of
    Machine Translation Systems.
    """

    task: Literal["rank", "adq", "hter", "util", "li", "tune"] = option(
        "rank", "What the weights were fitted to: rankings, adequacy, HTER, and others.", on_page=True
    )
    tokenizer: str | Callable[[str], list[str]] | None = option(
        None, 'Whose tokens, one space between two, are read as the text; pycocoevalcap passes those of "coco".',
        kind="tokenizer", none_means="the text itself",
    )  # fmt: skip
    normalize: bool = option(True, "Set punctuation apart, drop hyphens and lower-case first (-norm).", on_page=True)
    lowercase: bool = option(False, "Lower-case without `normalize` (-lower).")
    no_punct: bool = option(False, "Drop punctuation first (-noPunct).")
    matchers: str = option(
        "exact stem synonym paraphrase", "What may match words: one or more of the default, with spaces between (-m).",
        kind="text",
    )  # fmt: skip
    characters: bool = option(False, "Count characters of words for precision and recall, not words (-ch).")
    beam_size: int = option(40, "How many alignments are followed at once (-x).", at_least=1, at_most=1000)
    paraphrases: str | None = option(
        None, "The table of paraphrases, a file; False goes without it, and the signature says so.", kind="folder",
        none_means="that of the installed pycocoevalcap",
    )  # fmt: skip
    jar: str | None = option(
        None, "The file meteor-1.5.jar, from which function words and synonyms are read; it is never started.",
        kind="folder", none_means="that of the installed pycocoevalcap",
    )  # fmt: skip

    def check(self) -> None:
        """Read the matchers; refuse what is no path."""
        names = self.matchers.split() if isinstance(self.matchers, str) else [None]
        if not names or len({*names}) < len(names) or not {*names} <= {*MATCHERS}:
            fail(
                ValueError,
                "matchers",
                f"one or more of {' '.join(MATCHERS)}, with spaces between",
                shown(self.matchers),
            )
        self._set("matchers", " ".join(name for name in MATCHERS if name in names))
        for name in ("paraphrases", "jar"):
            value = getattr(self, name)
            if name == "paraphrases" and (value is False or (isinstance(value, str) and value == "False")):
                self._set(name, False)
            elif value is not None and not isinstance(value, (str, os.PathLike)):
                fail(
                    TypeError, name, "the path of a file" + (" or False" if name == "paraphrases" else ""), shown(value)
                )
            elif value is not None:
                self._set(name, os.fspath(value))


def _check_sizes(stems: Any, offsets: Any, hypotheses: Any, references: Any) -> None:
    """Refuse pairs of texts that repeat the same words so often that their matches would fill the memory."""
    lengths = np.diff(offsets)
    for pair in np.flatnonzero(lengths[hypotheses] * lengths[references] > MOST_MATCHES).tolist():
        counts = [
            np.bincount(stems[offsets[text] : offsets[text + 1]], minlength=int(stems.max()) + 1)
            for text in (hypotheses[pair], references[pair])
        ]
        if (n_matches := int(counts[0] @ counts[1])) > MOST_MATCHES:
            fail(ValueError, f"pair {pair}", f"at most {MOST_MATCHES:,} pairs of words with one stem", f"{n_matches:,}")


class Meteor15Metric(Metric):
    """METEOR 1.5: an alignment by form, stem, synonym and paraphrase, and how often it breaks apart.

    `statistics` has the fields ``lengths`` and ``functions`` (words and function words of prediction and reference),
    for every matcher the matched content words of both, then the matched function words of both, ``chunks``, and
    ``matched``, the matched words of both; int64. It needs METEOR's data, which is read and never downloaded.

    Examples
    --------
    >>> scored = Meteor15().update(["the cats sat"], ["the cat sat down"]).score()  # doctest: +SKIP
    >>> round(scored["meteor15"], 3)  # doctest: +SKIP
    0.315
    """

    name = "meteor15"
    options_type = Meteor15Options
    about = About(
        "METEOR 1.5", lambda _: _EXPLANATION, unit="word",
        returns="``meteor15``, and the ``precision``, ``recall`` and ``penalty`` of the sums",
    )  # fmt: skip
    scores = Scores(Score("meteor15", in_papers="METEOR"), unscaled=("precision", "recall", "penalty"))

    layout = Layout([
        Field("lengths", 2), Field("functions", 2), Field("exact", 4), Field("stem", 4), Field("synonym", 4),
        Field("paraphrase", 4), Field("chunks"), Field("matched", 2),
    ])  # fmt: skip
    options: Meteor15Options

    def prepare(self) -> None:
        """Take the options; files are read when texts are counted."""
        self._first = None if self.options.tokenizer is None else tokenizer_of(self.options.tokenizer)
        without: Any = self.options.paraphrases
        self.has_table = without is not False and "paraphrase" in self.options.matchers

    @property
    def words(self) -> EnglishData:
        """METEOR's data."""
        return meteor_of(self.options.jar, self.options.paraphrases if self.has_table else False)

    def check_ready(self) -> None:
        """Raise where METEOR's files are missing."""
        _ = self.words

    def notes(self) -> Notes:
        """Return what looks for unfit scripts, and for letters that two sides write otherwise."""
        return Notes(unusual=lambda: notes_on_words("METEOR 1.5", lambda text: self.cut([text])[0], self._first))

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Align the pairs of a chunk."""
        notes.examine(corpus)
        texts = [*corpus.hypotheses.tolist(), *corpus.references.tolist()]
        kernel: Any = engine.kernel
        counts = kernel.meteor15_rows(*self.arguments(texts, *numbers_of_pairs(corpus)), n_threads=corpus.n_threads)
        return Rows(self.layout, np.asarray(counts, np.int64).reshape(-1, 23))

    def cut(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of texts."""
        return self._cut(texts, self.words)

    def _cut(self, texts: Sequence[str], words: EnglishData) -> list[list[str]]:
        o = self.options
        if self._first is not None:
            texts = self._first.spaced(known_texts([*texts])).tolist()
        return [
            words.words(text, normalize=o.normalize, lowercase=o.lowercase, punctuation=not o.no_punct)
            for text in texts
        ]

    def arguments(self, texts: Sequence[str], hypotheses: Any, references: Any) -> tuple[Any, ...]:
        """Return the arguments of the kernel for texts and pairs of them."""
        words = self.words
        vocabulary = WordNumbers()
        ids, offsets = vocabulary.ids_of(self._cut(texts, words))
        known = [words.known(word) for word in vocabulary.numbers]
        stems: dict[str, int] = {}
        starts = np.cumsum([0, *(len(one.synsets) for one in known)])
        # Characters are those of Java: two for one outside of the basic plane.
        chars = self.options.characters
        lengths = [len(word.encode("utf-16-le")) // 2 if chars else 1 for word in vocabulary.numbers]
        arrays = (
            np.array([stems.setdefault(one.stem, len(stems)) for one in known], np.uint32), starts.astype(np.int64),
            np.array([synset for one in known for synset in one.synsets], np.uint32),
            np.array([one.is_function for one in known], np.uint8), np.array(lengths, np.uint32),
            np.array([one.in_table for one in known], np.uint32),
        )  # fmt: skip
        asked = sum(1 << at for at, name in enumerate(MATCHERS) if name in self.options.matchers.split())
        pairs = (hypotheses.astype(np.int64), references.astype(np.int64))
        _check_sizes(arrays[0][ids], offsets, *pairs)
        return ids, offsets, *pairs, arrays, words.table, asked, self.options.beam_size

    def settings(self) -> dict[str, Any]:
        """Return the options; of the table of paraphrases its checksum: rows of another table are not added."""
        o = self.options
        shown_of = {"task": o.task, "norm": o.normalize, "lowercase": o.lowercase or o.normalize,
                    "punct": not o.no_punct,
                    "matchers": o.matchers.replace(" ", "+"), "beam": o.beam_size,
                    "paraphrases": self.words.identity.get("table", False)}  # fmt: skip
        tokenizer = {} if o.tokenizer is None else {"tokenizer": tokenizer_of(o.tokenizer)}
        return shown_of | ({"unit": "character"} if o.characters else {}) | tokenizer

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the score of counts or of their sums: Denkowski and Lavie (2014), section 3."""
        task = TASKS[self.options.task]
        precision, recall = (_ratio(*self.weighted(rows, side)) for side in (0, 1))
        mean = _ratio(precision * recall, task.alpha * precision + (1 - task.alpha) * recall)
        average = (rows["matched"][..., 0] + rows["matched"][..., 1]) / 2
        penalty = task.gamma * np.power(_ratio(rows["chunks"], average), task.beta)
        return {"meteor15": mean * (1 - penalty), "precision": precision, "recall": recall, "penalty": penalty}

    def weighted(self, rows: Rows, side: int) -> tuple[Any, Any]:
        """Return the weights of matched words and of all words, of predictions for `side` 0, of references for 1."""
        task = TASKS[self.options.task]
        delta, functions = task.delta, rows["functions"][..., side]
        matched = [
            weight * (delta * rows[name][..., side] + (1 - delta) * rows[name][..., 2 + side])
            for weight, name in zip(task.weights, MATCHERS, strict=True)
        ]
        return sum(matched), delta * (rows["lengths"][..., side] - functions) + (1 - delta) * functions


def _ratio(above: Any, below: Any) -> Any:
    below = np.asarray(below, np.float64)
    return np.divide(above, below, out=np.zeros(np.broadcast(above, below).shape), where=below != 0)


_EXPLANATION: Explanation = Explanation(
    "METEOR 1.5",
    "How many words match by form, stem, synonym or paraphrase, and in how few pieces?",
    (
        "Words of the two texts are joined: equal words, words of one stem, synonyms, and runs of words that a table "
        "has as paraphrases. Of all ways to join them, the one with the most matches, then the fewest pieces, counts.",
        "Precision and recall are the weighted shares of matched words; function words weigh less than others. Their "
        "mean weighs recall more.",
        "A run of matches in the same order is a chunk: the more chunks for so many matches, the larger the penalty. "
        "Counts are summed over all segments first.",
    ),
    "Only scores with the same task compare. Without the table of paraphrases scores are lower.",
)
# A score needs METEOR's data.
Meteor15 = accumulator_of(Meteor15Metric)
meteor15 = one_call(
    Meteor15,
    """\
>>> meteor15(["the cat"], ["a cat"], task="x")
Traceback (most recent call last):
    ...
ValueError: task: expected one of 'rank', 'adq', 'hter', 'util', 'li', 'tune', got 'x' (str)""",
)


class Meteor15Explainer(MeteorExplainer, metric=Meteor15Metric):
    """Explains the scores of `Meteor15Metric`."""

    metric: Meteor15Metric  # type: ignore[assignment]
    matchers = KINDS

    def cut(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of texts."""
        return self.metric.cut(texts)

    def links(self, prediction: str, reference: str) -> list[Link]:
        """Return what is joined in a pair, by place in the reference."""
        call: Any = engine.kernel.meteor15_matches
        found = call(*self.metric.arguments([prediction, reference], np.array([0]), np.array([1])))
        return [tuple(link) for link in np.asarray(found).reshape(-1, 5).tolist()]

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show what is joined, the chunks, precision, recall, their mean, the penalty; of sums the counts."""
        task = TASKS[self.metric.options.task]
        title, scores = self.metric.about.title, self.metric.formula(rows)
        p, r, penalty = (float(scores[name]) for name in ("precision", "recall", "penalty"))
        score = float(scores[key]) * self.metric.scores.scale
        matched, chunks = rows["matched"].tolist(), int(rows["chunks"])
        steps = [] if segment is None else self.joined(key, segment)
        if segment is None:
            steps = [Step("matched", (f"{figure(matched[0])} and {figure(matched[1])}",), meaning="words of both"),
                     Step("chunks", (figure(chunks),), meaning="runs of matches in the same order")]  # fmt: skip
        weights = ", ".join(f"{name} {weight:g}" for name, weight in zip(KINDS, task.weights, strict=True))
        weighed = (self.metric.weighted(rows, side) for side in (0, 1))
        shares = [f"{matched:g} / {whole:g}" if whole else "no words" for matched, whole in weighed]
        precision = Step(
            "precision",
            formula=shares[0],
            value=p,
            meaning=f"{weights}; each times {task.delta:g}, function words times {1 - task.delta:.4g}",
        )
        recall = Step("recall", formula=shares[1], value=r, meaning="the same of the reference")
        power = f"{task.gamma:g} × ({chunks} / {sum(matched) / 2:g})^{task.beta:g}"
        lost = Step("penalty", formula=power, value=penalty, meaning="0 where both texts match as one chunk")
        return Derivation(title, (*steps, *self.combined(precision, recall, task.alpha, lost, score)))
