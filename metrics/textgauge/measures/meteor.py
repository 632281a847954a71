"""METEOR as nltk and the Hub's module count it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..arrays import IntArray
from ..explanation.alignment import Alignment, Match, MatchedSides, aligned_with_best, best_pairs_of, pairs_of
from ..explanation.derivation import Derivation, Step, figure
from ..explanation.explainer import Explainer
from ..explanation.marks import Mark, Marks
from ..input.columns import Corpus, known_texts
from ..metric import (
    About,
    CountedNote,
    Explanation,
    Field,
    Layout,
    Metric,
    Misfit,
    NotEnglish,
    Notes,
    Rows,
    TwoForms,
    scores_of,
)
from ..metric.notes import PUT_SPACES, Note
from ..options import Options, option
from ..plain import Texts
from ..plain.meteor import NO_WORD
from ..plain.treebank import lower_words
from ..text import NOWHERE, TOKENIZERS, Tokenizer
from ..text.punkt import punkt_of
from ..text.wordnet import WordNetData, wordnet_of

_UNSPLIT = (
    "[text has|texts have] a full stop with a capital letter behind it: nltk splits sentences first, by data that was "
    "not found, so this full stop stays with its word here, and the score can differ from nltk's. Its data is read "
    "where it is: pip install nltk && python -m nltk.downloader punkt_tab."
)


@dataclass(frozen=True)
class MeteorOptions(Options):
    """The figures are those of nltk 3.9 with WordNet 3.0, from 0 to 1: 0.2 to 0.3 above METEOR 1.5 (`meteor15`).

    Of several references, the one with the best score counts.

    References: Banerjee and Lavie (2005), METEOR: An Automatic Metric for MT Evaluation; Lavie and Agarwal (2007),
    METEOR: An Automatic Metric for MT Evaluation with High Levels of Correlation with Human Judgments.
    """

    alpha: float = option(
        0.9, "The weight of recall in the mean of precision and recall.", at_least=0, at_most=1, on_page=True
    )
    beta: float = option(3.0, "The power of the penalty for chunks.", at_least=0, at_most=100, on_page=True)
    gamma: float = option(0.5, "The largest penalty for chunks.", at_least=0, at_most=1, on_page=True)
    wordnet: str | None = option(
        None, "The folder of WordNet 3.0, or of what has its files, for synonyms.", kind="folder",
        none_means="that in nltk's data, else Debian's wordnet-base",
    )  # fmt: skip


class Unsplit(CountedNote):
    """Counts texts that nltk would split into sentences."""

    about = "sentences"

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        """Examine one chunk."""
        self.tell(sum(map(engine.kernel.unsplit_texts, (corpus.hypotheses, corpus.references))), _UNSPLIT)


def notes_on_words(title: str, cut: Callable[[str], Sequence[str]], first: Tokenizer | None = None) -> tuple[Note, ...]:
    """Return what the two METEORs look for, whose words are cut by rules of their own, perhaps behind a tokenizer.

    Data of theirs is English.
    """
    unsplit = f"{title} does not split text without spaces, so its long words rarely match: {PUT_SPACES}"
    fit = Misfit(first or TOKENIZERS["whitespace"], unsplit=unsplit)
    return fit, NotEnglish(title), TwoForms(first, compared=cut)


class WordNumbers:
    """Numbers the words of a call, in the order in which they first occur."""

    def __init__(self) -> None:
        """Begin without words."""
        self.numbers: defaultdict[str, int] = defaultdict(count().__next__)

    def ids_of(self, texts: Iterable[Sequence[str]]) -> tuple[Any, Any]:
        """Return the words of all texts by number, and the offsets of the texts."""
        ids: list[int] = []
        offsets = [0]
        for words in texts:
            ids += map(self.numbers.__getitem__, words)
            offsets.append(len(ids))
        return np.array(ids, np.uint32), np.array(offsets, np.int64)


def numbers_of_pairs(corpus: Corpus) -> tuple[Any, Any]:
    """Return for every pair the number of its prediction, and of its reference behind all predictions."""
    n_segments, n_references = len(corpus), len(corpus.references)
    counts = np.diff(corpus.reference_offsets)
    return np.repeat(np.arange(n_segments), counts), n_segments + np.arange(n_references)


def words_in(offsets: Any) -> Any:
    """Return what notes ask of the words of texts."""
    return SimpleNamespace(offsets=offsets, n_empty=int(np.count_nonzero(np.diff(offsets) == 0)), are_single=False)


class MeteorMetric(Metric):
    """METEOR of 2007 as nltk counts it: words that match by form, stem or synonym, and how often they break apart.

    `statistics` has the fields ``matches``, ``chunks``, ``prediction`` and ``reference``, the last two in words; int64.
    It needs WordNet 3.0, which is read and never downloaded.

    Examples
    --------
    >>> Meteor().update(["the cat sat"], ["the cat sits"]).score()["meteor"]  # doctest: +SKIP
    0.9814814814814815
    """

    name = "meteor"
    options_type = MeteorOptions
    about = About("METEOR (nltk)", lambda _: _EXPLANATION, unit="word")
    combine = "mean"

    layout = Layout([Field(name) for name in ("matches", "chunks", "prediction", "reference")])
    options: MeteorOptions

    @property
    def identity(self) -> Mapping[str, str]:  # type: ignore[override]
        """The checksum of the data by which sentences are split."""
        punkt = punkt_of()
        return {"sentences": punkt.identity if punkt else "no"}

    @property
    def wordnet(self) -> WordNetData:
        """The WordNet whose synonyms match."""
        return wordnet_of(self.options.wordnet)

    def check_ready(self) -> None:
        """Raise where WordNet is missing."""
        _ = self.wordnet

    def notes(self) -> Notes:
        """Return what looks for unsplit sentences, unfit scripts, and letters that two sides write otherwise."""
        return Notes(*([] if punkt_of() else [Unsplit()]), unusual=lambda: notes_on_words("METEOR", self.cut))

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Align the pairs of a chunk."""
        call = self.arguments(corpus.hypotheses + corpus.references, *numbers_of_pairs(corpus))
        notes.examine(corpus, words_in(call[1]))
        kernel: Any = engine.kernel
        counts = kernel.meteor_rows(*call, n_threads=corpus.n_threads)
        return Rows(self.layout, np.asarray(counts, np.int64).reshape(-1, 4))

    def cut(self, text: str) -> list[str]:
        """Return the words of a text."""
        punkt = punkt_of()
        return [word for sentence in (punkt.sentences(text) if punkt else [text]) for word in lower_words(sentence)]

    def arguments(self, texts: Texts, hypotheses: Any, references: Any) -> tuple[Any, ...]:
        """Return the arguments of the kernel for texts and pairs of them."""
        punkt, ends = punkt_of(), None
        if punkt:
            split = [punkt.sentences(text) for text in texts.tolist()]
            ends = np.cumsum([0, *map(len, split)])
            texts = known_texts([sentence for sentences in split for sentence in sentences])
        _, ids, offsets, stems, *related = self.wordnet.words(texts, lower_words)
        offsets = np.asarray(offsets, np.int64)
        known = self.known(np.asarray(stems, np.uint32), *related)
        return (
            np.asarray(ids, np.uint32), offsets if ends is None else offsets[ends], hypotheses.astype(np.int64),
            references.astype(np.int64), known,
        )  # fmt: skip

    def known(self, stems: Any, offsets: Any, related: Any) -> tuple[Any, ...]:
        """Return what the kernel must know of all words: of stems the synonyms among the words."""
        n_words = len(stems)
        return (
            stems, np.asarray(offsets, np.int64), np.asarray(related, np.uint32),
            np.zeros(n_words, np.uint8), np.ones(n_words, np.uint32), np.full(n_words, NO_WORD, np.uint32),
        )  # fmt: skip

    def settings(self) -> dict[str, Any]:
        """Return the weights, and the checksum of WordNet: another one gives other rows."""
        weights = {name: getattr(self.options, name) for name in ("alpha", "beta", "gamma")}
        return weights | {"nltk": "3.9.2", "wordnet": self.wordnet.identity}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the score: nltk's operations in nltk's order, so that it has nltk's bits."""
        o = self.options
        scores = engine.kernel.meteor_scores(rows.values, o.alpha, o.beta, o.gamma, rows.n_threads)
        return {self.name: scores_of(scores, rows)[0]}


_EXPLANATION: Explanation = Explanation(
    "METEOR (nltk)",
    "How many words match by form, stem or synonym, and in how few pieces?",
    (
        "Each word of the prediction takes an equal word of the reference, from the back; then words of the same stem "
        "match, then synonyms by WordNet.",
        "Precision and recall are the shares of matched words; in their mean recall weighs 9 times as much.",
        "A run of matches in the same order is a chunk. The more chunks for so many matches, the larger the penalty, "
        "up to half of the score. The score of a corpus is the mean over its segments.",
    ),
    "This is not the METEOR of papers on translation: METEOR 1.5 (`meteor15`) is 0.2 to 0.3 lower on the same texts. "
    "Two equal texts do not quite reach 1.",
)
# Equal texts need WordNet, and do not reach 1.
Meteor = accumulator_of(MeteorMetric)
meteor = one_call(
    Meteor,
    """\
>>> meteor(["the cat"], ["a cat"], alpha=2)
Traceback (most recent call last):
    ...
ValueError: alpha: expected a number from 0 to 1, got 2 (int)""",
)


KINDS = ("exact", "stem", "synonym", "paraphrase")
_MEANINGS = ("equal words", "words of one stem", "synonyms", "runs of words that the table has as paraphrases")
_BRACKETS = ("[]", "{}", "<>", "()")
# Place and length in the reference, in the prediction, and which of `KINDS`.
Link = tuple[int, int, int, int, int]


class MeteorExplainer(Explainer, metric=MeteorMetric):
    """Explains the scores of `MeteorMetric`."""

    metric: MeteorMetric
    matchers: tuple[str, ...] = KINDS[:3]

    def cut(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of texts."""
        return [self.metric.cut(text) for text in texts]

    def links(self, prediction: str, reference: str) -> list[Link]:
        """Return what is joined in a pair, by place in the reference."""
        call: Any = engine.kernel.meteor_matches
        texts = known_texts([prediction, reference])
        found = call(*self.metric.arguments(texts, np.array([0]), np.array([1])))
        return sorted(tuple(link) for link in np.asarray(found).reshape(-1, 5).tolist())

    def marks(self, key: str) -> Marks:
        """Mark words by what joins them, in runs where they are one chunk."""

        def align(corpus: Corpus) -> list[Alignment]:
            sides: MatchedSides = ([], [])
            for prediction, reference in corpus_pairs(corpus):
                links = self.links(prediction, reference)
                for side, text, at in ((0, prediction, 2), (1, reference, 0)):
                    sides[side].append(self._matches(text, links, at))
            return aligned_with_best(corpus, self.metric, key, sides)

        legend = [
            Mark(4 - matcher, False, _MEANINGS[matcher], _BRACKETS[matcher]) for matcher in range(len(self.matchers))
        ]
        return Marks(align, tuple((float(level), level) for level in range(1, 5)), 1, tuple(legend))

    def _matches(self, text: str, links: Sequence[Link], at: int) -> list[Match]:
        """Return the joined words of one side, where they stand in its text."""
        [words] = self.cut([text])
        places = _places(text, words)
        chunk_of, kind_of = {}, {}
        for number, chunk in enumerate(chunks_of(links)):
            for link in chunk:
                for word in range(link[at], link[at] + link[at + 1]):
                    chunk_of[word], kind_of[word] = number, link[4]
        return [
            Match(*places[word], 4 - kind_of[word], chunk_of.get(word + 1) == chunk_of[word], False)
            for word in sorted(kind_of)
            if places[word] != NOWHERE
        ]

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of words of every prediction and of every reference."""
        sides = (self.cut(texts.tolist()) for texts in (corpus.hypotheses, corpus.references))
        hypotheses, references = (np.array([*map(len, side)], np.int64) for side in sides)
        return hypotheses, references

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show what is joined, the chunks, precision, recall, their mean, the penalty."""
        title = self.metric.about.title
        if segment is None:
            return super().derivation(key, rows, segment)
        steps = self.joined(key, segment)
        o = self.metric.options
        m, chunks, n_own, n = (int(rows[name]) for name in ("matches", "chunks", "prediction", "reference"))
        score = float(self.metric.formula(rows)[key]) * self.metric.scores.scale
        if not m:
            return Derivation(title, (*steps, Step(title, formula="no word matches", value=score)))
        precision = Step(
            "precision", formula=f"{m} / {n_own}", value=m / n_own, meaning="matches per word of the prediction"
        )
        recall = Step("recall", formula=f"{m} / {n}", value=m / n, meaning="matches per word of the reference")
        penalty = Step("penalty", formula=f"{o.gamma:g} × ({chunks} / {m})^{o.beta:g}",
                       value=o.gamma * (chunks / m) ** o.beta,
                       meaning="the more chunks for so many matches, the larger")  # fmt: skip
        return Derivation(title, (*steps, *self.combined(precision, recall, o.alpha, penalty, score)))

    def combined(self, precision: Step, recall: Step, alpha: float, penalty: Step, score: float) -> list[Step]:
        """Return the last steps: precision and recall, their weighted mean, the penalty for chunks, the score."""
        p, r, lost = precision.value or 0.0, recall.value or 0.0, penalty.value or 0.0
        mean = p * r / (alpha * p + (1 - alpha) * r) if p and r else 0.0
        return [
            precision,
            recall,
            Step("mean", formula=f"P R / ({alpha:g} P + {1 - alpha:.4g} R)", value=mean),
            penalty,
            Step(self.metric.about.title, formula=f"{mean:.4f} × (1 - {lost:.4f})", value=score),
        ]

    def joined(self, key: str, segment: Corpus) -> list[Step]:
        """Return the matches of every matcher, and the chunks as boxes."""
        [best] = best_pairs_of(self.metric, segment, key).tolist()
        prediction, reference = corpus_pairs(segment)[best]
        own, other = self.cut([prediction, reference])
        links = self.links(prediction, reference)
        steps = []
        for matcher, name in enumerate(self.matchers):
            found = [link for link in links if link[4] == matcher]
            written = tuple(_written(link, own, other) for link in found)
            if found or not matcher:
                steps.append(Step(name, (figure(len(found)),), examples=written, meaning=_MEANINGS[matcher]))
        boxes = tuple(f"[{' '.join(_run(own, link, 2) for link in chunk)}]" for chunk in chunks_of(links))
        steps.append(Step("chunks", (figure(len(boxes)),), examples=boxes, meaning="runs of matches in the same order"))
        return steps


def corpus_pairs(corpus: Corpus) -> list[tuple[str, str]]:
    """Return every prediction with each of its references."""
    return pairs_of(corpus).pairs()


def chunks_of(links: Sequence[Link]) -> list[list[Link]]:
    """Cut links into runs that are adjacent in both texts."""
    chunks: list[list[Link]] = []
    end = (-1, -1)
    for link in links:
        if (link[0], link[2]) != end:
            chunks.append([])
        chunks[-1].append(link)
        end = (link[0] + link[1], link[2] + link[3])
    return chunks


def _run(words: Sequence[str], link: Link, at: int) -> str:
    return " ".join(words[link[at] : link[at] + link[at + 1]])


def _written(link: Link, own: Sequence[str], other: Sequence[str]) -> str:
    left, right = _run(own, link, 2), _run(other, link, 0)
    return left if left == right else f"{left} → {right}"


def _places(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return where words stand in their text; `NOWHERE` for those that were rewritten."""
    lower = text.lower()
    lower = lower if len(lower) == len(text) else text
    at, places = 0, []
    for word in words:
        start = lower.find(word, at)
        if start < 0 and word in ("``", "''"):
            word, start = '"', lower.find('"', at)
        places.append(NOWHERE if start < 0 else (start, start + len(word)))
        at = at if start < 0 else start + len(word)
    return places
