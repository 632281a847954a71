"""SARI of rewritten texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..arrays import FloatArray
from ..checks import fail, shown
from ..explanation.alignment import Alignment, Match, placed_texts
from ..explanation.derivation import Derivation, Step, figure
from ..explanation.explainer import Explainer
from ..explanation.marks import Marks
from ..input.columns import Corpus, known_texts
from ..metric import (
    About,
    Explanation,
    Field,
    Inputs,
    Layout,
    Metric,
    Notes,
    Rows,
    Score,
    Scores,
    Sums,
    scores_of,
)
from ..options import Options, Reports, option
from ..plain import Texts
from ..plain.sari import HUB, TENSOR2TENSOR, XU
from ..plain.scores import f_measure, ratio
from ..sums import one_by_one
from ..text import NOWHERE, TOKENIZERS, Tokenizer, prepared, tokenizer_of

PARTS = ("keep", "delete", "add")
Counting = Literal["hub", "easse", "easse-paper", "easse-legacy", "xu", "tensor2tensor"]


def _single_spaces(text: str) -> list[str]:
    return text.split(" ")


class _Rules(NamedTuple):
    """What a tool does to a text unless it is told otherwise, and the code of its shares, None for summed counts."""

    shares: int | None
    tokenizer: str | Tokenizer = "13a"
    lowercase: bool = True
    is_of_paper: bool = False
    leaves_sources: bool = False


_RULES = {
    "hub": _Rules(HUB),
    "easse": _Rules(None),
    "easse-paper": _Rules(None, is_of_paper=True),
    "easse-legacy": _Rules(None, lowercase=False, leaves_sources=True),
    "xu": _Rules(XU, Tokenizer("single-spaces", function=_single_spaces)),
    "tensor2tensor": _Rules(TENSOR2TENSOR, "whitespace", lowercase=False),
}


@dataclass(frozen=True)
class SariOptions(Options):
    """The mean of three scores, from 0 to 100: of what is kept, deleted and added, in n-grams of 1 to 4 words.

    Each is F of precision and recall, that of deletion under "hub", "xu" and "tensor2tensor" precision alone. All
    references count together.

    The tools of this name differ by 7 to 24 points. "hub" is the Hub's `sari`, the mean over segments of Xu's with
    0/0 = 1; "easse" is what papers since 2019 mean, counts summed over the corpus; "easse-paper" takes F of mean
    precision and recall, as the paper writes it, "easse-legacy" the source as it is. "xu" is the script of the
    authors, "tensor2tensor" counts every n-gram of a text once.

    References: Xu et al. (2016), Optimizing Statistical Machine Translation for Text Simplification; Alva-Manchego et
    al. (2019), EASSE.
    """

    counting: Counting = option("hub", "Whose SARI.", on_page=True)
    deletion: Literal["f1", "precision"] | None = option(
        None, "How EASSE judges deletion.", none_means="f1 with EASSE; the others take precision"
    )
    tokenizer: str | Callable[[str], list[str]] | None = option(
        None, "How words are cut.", kind="tokenizer", none_means="13a, or spaces, as `counting` has it", on_page=True
    )
    lowercase: bool | None = option(None, "Lower-case all text first.", none_means="as `counting` has it")

    def check(self) -> None:
        """Refuse F of deletion where there is none, and another rule for a legacy."""
        if self.rules.shares is None:
            self._set("deletion", self.deletion or "f1")
        elif self.deletion == "f1":
            fail(ValueError, "deletion", f"'precision' or None with `counting={self.counting!r}`", "'f1'")
        else:
            self._set("deletion", "precision")
        if self.rules.leaves_sources and callable(self.tokenizer):
            fail(ValueError, "tokenizer", f"a name with `counting={self.counting!r}`", shown(self.tokenizer))

    @property
    def rules(self) -> _Rules:
        """What the tool of `counting` does."""
        return _RULES[self.counting]


@dataclass(frozen=True)
class SariReports(Reports):
    """`detailed` adds ``keep``, ``delete`` and ``add``, from 0 to 100."""

    detailed: bool = option(False, "Add the three parts of the score.")


class _ScaledMeans(Sums):
    """The Hub's module adds one by one, and scales the rounded mean."""

    def means(self, values: FloatArray, scale: float) -> FloatArray:
        return scale * (self.sums(values) / len(values))


class SariMetric(Metric):
    """SARI (Xu et al. 2016).

    `statistics` has the fields ``keep``, ``delete`` and ``add``, shares of the orders 1 to 4: float64. With EASSE's
    countings, these are the n-grams that the prediction keeps, deletes and adds, beside ``keep_right``,
    ``keep_wanted`` and so on: int64.

    Examples
    --------
    >>> sources, predictions = ["About 95 species are currently accepted."], ["About 95 you now get in."]
    >>> references = [["About 95 species are currently known.", "About 95 species are now accepted."]]
    >>> result = Sari(counting="easse").update(predictions, references, sources=sources).score(detailed=True)
    >>> {key: round(value, 2) for key, value in result.items()}
    {'sari': 31.73, 'keep': 26.67, 'delete': 60.18, 'add': 8.33}
    """

    name = "sari"
    options_type, reports_type = SariOptions, SariReports
    inputs = Inputs(("predictions", "references", "sources"))
    about = About("SARI", lambda _: _EXPLANATION, returns="``sari``")
    scores = Scores(Score("sari"), scale=100.0, details=PARTS)

    tokenizer: Tokenizer
    options: SariOptions

    def prepare(self) -> None:
        """Choose the tokenizer, the layout and how segments are combined: shares of segments, or summed counts."""
        is_pooled = self.options.rules.shares is None
        self.combine = "pool" if is_pooled else "mean"
        self.sums = Sums() if is_pooled else _ScaledMeans(add=one_by_one)
        rules = self.options.rules
        self.tokenizer = prepared(
            tokenizer_of(rules.tokenizer if self.options.tokenizer is None else self.options.tokenizer),
            lowercase=rules.lowercase if self.options.lowercase is None else self.options.lowercase, strip=False,
        )  # fmt: skip
        if rules.shares is None:
            names = [f"{part}{which}" for part in PARTS for which in ("_right", "", "_wanted")]
            self.layout = Layout([Field(name, 4) for name in names], references="union")
        else:
            self.layout = Layout([Field(part, 4, is_whole=False) for part in PARTS], references="union")

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the segments of a chunk."""
        texts, tokenizer = self.cut_as(corpus)
        tokens = tokenizer.cut(texts, sources=True)
        notes.examine(corpus, tokens)
        kernel, n_threads = engine.kernel, corpus.n_threads
        rows: Any = (
            kernel.sari_counts(tokens, n_threads=n_threads)
            if self.options.rules.shares is None
            else kernel.sari_shares(tokens, self.options.rules.shares, n_threads=n_threads)
        )
        return self.layout.counted(rows)

    def cut_as(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts and what cuts them: EASSE's legacy cuts a source at white space alone."""
        if not self.options.rules.leaves_sources:
            return corpus, self.tokenizer

        def joined(texts: Texts) -> Texts:
            return known_texts([" ".join(self.tokenizer(text)) for text in texts.tolist()])

        cut = replace(corpus, hypotheses=joined(corpus.hypotheses), references=joined(corpus.references))
        return cut, TOKENIZERS["whitespace"]

    def settings(self) -> dict[str, Any]:
        """Return every option, those that follow from `counting` as they are then."""
        return {**super().settings(), "lowercase": self.tokenizer.lowercase}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return SARI and its parts, from 0 to 1."""
        options = self.options
        is_f1, is_of_paper = options.deletion == "f1", options.rules.is_of_paper
        scores = engine.kernel.sari_scores(rows.values, is_f1, is_of_paper, rows.n_threads)
        return dict(zip(("sari", *PARTS), scores_of(scores, rows), strict=True))


_EXPLANATION: Explanation = Explanation(
    "SARI",
    "How well does a rewritten text keep, delete and add words of its source?",
    (
        "Runs of one to four words are kept if source and prediction have them, deleted if the source alone has them, "
        "added if the prediction alone has them.",
        "Each is right as far as references did the same; precision is the share of what the prediction does that is "
        "right, recall the share of what should be done.",
        "SARI is the mean of the three: F of keeping, F of adding, and F or precision of deleting.",
    ),
    "The tools of this name differ by up to 24 points: scores of two of them cannot be compared. A copy of the "
    "source can score high.",
)
_EXAMPLE = """>>> sari(["the cat sat"], ["a cat sat"], sources=["the big cat sat"], counting="easse")
{'sari': 45.55555555555556}"""
Sari = accumulator_of(SariMetric)
sari = one_call(Sari, _EXAMPLE)


_MEANINGS = {
    "keep": "words of the source that the prediction has, too; right if a reference has them",
    "delete": "words of the source that the prediction lacks; right if a reference lacks them",
    "add": "words of the prediction that the source lacks; right if a reference has them",
}


class SariExplainer(Explainer, metric=SariMetric):
    """Explains the scores of `SariMetric`."""

    metric: SariMetric

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts and what cuts them, see `SariMetric.cut_as`."""
        return self.metric.cut_as(corpus)

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark words that were kept or added rightly."""
        return Marks.of_common("kept, as in a reference", "added, as in a reference", self._align, other_counts=True)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the words of a segment by what became of them, the three parts, and their mean."""
        scores, scale = self.metric.formula(rows), self.metric.scores.scale
        words = {} if segment is None else self._words(segment)
        steps = []
        for part, (right, wrong) in words.items():
            cells = (f"{len(right)} of {len(right) + len(wrong)} right",)
            steps.append(Step(f"to {part}", cells, examples=(*right,), unmatched=(*wrong,), meaning=_MEANINGS[part]))
        values = [float(scores[part]) * scale for part in PARTS]
        steps += [self._part(part, value, rows) for part, value in zip(PARTS, values, strict=True)]
        formula = f"({' + '.join(map(figure, values))}) / 3"
        title = self.metric.about.title
        return Derivation(title, (*steps, Step(title, formula=formula, value=float(scores[key]) * scale)))

    def _part(self, part: str, value: float, rows: Rows) -> Step:
        """Show a part as the mean of its shares, one for each length of n-grams."""
        options, scale = self.metric.options, self.metric.scores.scale
        is_f = part != "delete" or options.deletion == "f1"
        of_order = "F of precision and recall" if is_f else "the precision"
        if options.rules.shares is not None:
            shares = rows[part].tolist()
            of_order += ", or 1 without any, as in the Hub's" * (options.counting == "hub")
        else:
            right, own, wanted = (rows[f"{part}{which}"].tolist() for which in ("_right", "", "_wanted"))
            sides = [[*map(ratio, right, side)] for side in (own, wanted)]
            if options.rules.is_of_paper and is_f:
                means = [figure(sum(side) / len(side)) for side in sides]
                formula = f"{figure(scale)} × F of {means[0]} and {means[1]}"
                return Step(
                    part, (), formula, value, meaning="mean precision and mean recall of n-grams of 1 to 4 words"
                )
            shares = [*map(f_measure, *sides)] if is_f else sides[0]
        formula = f"{figure(scale)} × ({' + '.join(map(figure, shares))}) / {len(shares)}"
        return Step(part, (), formula, value, meaning=f"for n-grams of 1, 2, 3 and 4 words: {of_order}")

    def _words(self, segment: Corpus) -> dict[str, tuple[list[str], list[str]]]:
        """Return the different words of each part that are right, and those that are wrong."""
        cut = self.metric.tokenizer
        source = self._source(segment, 0)
        prediction, *references = [*map(cut, (*segment.hypotheses.tolist(), *segment.references.tolist()))]
        anywhere = {word for reference in references for word in reference}
        everywhere = anywhere.intersection(*references)
        right = {
            "keep": [(word, word in anywhere) for word in source if word in prediction],
            "delete": [(word, word not in everywhere) for word in source if word not in prediction],
            "add": [(word, word in anywhere) for word in prediction if word not in source],
        }
        return {
            part: ([word for word, is_right in words.items() if is_right],
                   [word for word, is_right in words.items() if not is_right])
            for part, words in ((part, dict(pairs)) for part, pairs in right.items())
        }  # fmt: skip

    def _source(self, corpus: Corpus, segment: int) -> list[str]:
        """Return the words of a source."""
        texts, tokenizer = self.as_cut(corpus)
        return [] if texts.sources is None else tokenizer(texts.sources[segment])

    def _align(self, corpus: Corpus) -> list[Alignment]:
        """Match with all references together."""
        tokenizer, alignments = self.metric.tokenizer, []
        for segment, texts in enumerate(placed_texts(corpus, tokenizer.cut(corpus), tokenizer)):
            source = {*self._source(corpus, segment)}
            prediction, references = {*texts[0].tokens}, {token for text in texts[1:] for token in text.tokens}
            sides = [
                [
                    Match(*place, 1, False, token in source)
                    for place, token in zip(text.places, text.tokens, strict=True)
                    if place != NOWHERE and token in (prediction if i else references)
                ]
                for i, text in enumerate(texts)
            ]
            alignments.append(Alignment(sides[0], sides[1:], 0, is_alone=False))
        return alignments
