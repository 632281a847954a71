"""What the page of `explain` shows: scores with intervals, comparisons, distributions, marked segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np

from ..accumulation.accumulator import Accumulator, interval_of, observed_scores, shown_segments, summary_of
from ..arrays import FloatArray, IntArray, lengths_of
from ..checks import Tally, fail, positive_int
from ..explanation.alignment import Alignment
from ..explanation.derivation import Derivation, digits_of, written
from ..explanation.explain import aligned, derived
from ..explanation.explainer import explainer_of
from ..explanation.marks import Mark, Marks, Piece
from ..input.columns import Corpus
from ..lazy import lazy
from ..metric import Explanation, Score, Summary
from ..metric.metric import segments_note
from ..resampling import BootstrapOptions, Comparison, PairedOptions, holm
from ..resampling.compare import compare_accumulators
from ..resampling.comparison import BOOTSTRAP
from ..text import TOKENIZERS
from .charts import FEWEST, Axis, GroupBars, Histogram, by_frequency, by_length

MOST_SEGMENTS = 5000


class Fact(NamedTuple):
    """A number other than the score; `share` is the share of a bar that it fills, None without a bar."""

    name: str
    value: str
    share: float | None = None


@dataclass(frozen=True)
class SystemScore:
    """One score of one system.

    Attributes
    ----------
    name : str
        The name of the system.
    corpus : Corpus
    accumulator : Accumulator
        With the segments of `corpus`.
    key : str
        The key of the score.
    bootstrap : BootstrapOptions
    numbers : sequence of int, or None
        Those of the segments in the file; None counts them from 1.
    """

    name: str
    corpus: Corpus
    accumulator: Accumulator
    key: str
    bootstrap: BootstrapOptions
    numbers: Sequence[int] | None = None

    @lazy
    def score(self) -> float:
        """The score of the corpus."""
        return float(observed_scores(self.accumulator)[self.key])

    @lazy
    def interval(self) -> list[float] | None:
        """The interval of the score; None if none is asked for."""
        is_asked = self.bootstrap.confidence is not None
        return [*interval_of(self.accumulator, self.key, self.bootstrap)] if is_asked else None

    @lazy
    def segment_scores(self) -> FloatArray:
        """The score by which segments are shown and sorted: shape (n_segments,)."""
        return shown_segments(self.accumulator)[self.key]

    @property
    def has_references(self) -> bool:
        """Whether there are references: a model may read none."""
        return self.accumulator.metric.inputs.has_references and len(self.corpus.references) > 0

    @lazy
    def lengths(self) -> tuple[IntArray, IntArray]:
        """The number of tokens, or characters, of every prediction and of every reference."""
        return explainer_of(self.accumulator.metric).sizes(self.corpus)

    @lazy
    def result(self) -> dict[str, Any]:
        """All figures of the accumulator."""
        return self.accumulator.score(
            signature=True, **self.accumulator.metric.reports_type.defaults_for.get("summary", {})
        )

    @lazy
    def summary(self) -> Summary:
        """The result as a table."""
        return summary_of(self.accumulator, self.result)

    @lazy
    def facts(self) -> list[Fact]:
        """The components of the score, the other scores, and the lengths of the texts."""
        facts = []
        for line in self.summary.lines:
            shown = [(line.label, line.values[-1])]
            if line.key == self.key:
                shown = [*zip(self.summary.heads, line.values, strict=True)][:-1]
            scale = line.full or self.accumulator.metric.scores.top
            facts += [Fact(name, written(value, scale), line.filled(value)) for name, value in shown]
        sides = zip(("prediction", "reference"), self.lengths, strict=True)
        unit = self.accumulator.metric.about.unit
        return facts + [Fact(f"{unit}s per {side}", f"{sizes.mean():.1f}") for side, sizes in sides if len(sizes)]

    @lazy
    def derivation(self) -> Derivation:
        """The calculation of the score."""
        return derived(self.accumulator, self.key, self.corpus, self.numbers)

    def aligned(self, segments: IntArray) -> list[Alignment]:
        """Return the matches of some segments."""
        return aligned(self.corpus.take(segments), explainer_of(self.accumulator.metric).marks(self.key))

    def marked(self, segments: IntArray) -> list[dict[str, Any]]:
        """Return the data of some segments for the page's script.

        Every text is a flat list: piece, mark, piece, mark, ...; a mark is 2 * level + 1 if the piece is
        underlined, or a list of that number, two places, its own and that of the token joined to it, and
        their similarity. ``edits`` are lines that show the scored reference over the text.
        """
        explainer, corpus = explainer_of(self.accumulator.metric), self.corpus.take(segments)
        marks = explainer.marks(self.key)
        references = corpus.references.tolist()
        columns = (
            self.segment_scores[segments].tolist(), self.lengths[0][segments].tolist(), corpus.hypotheses.tolist(),
            pairwise(corpus.reference_offsets.tolist()), self.aligned(segments),
            [{}] * len(corpus) if corpus.sources is None else [
                {"source": [text, 0] if text else []} for text in corpus.sources.tolist()
            ],
            (explainer.edit_lines(corpus.slice(i, i + 1), self.key) for i in range(len(corpus))),
        )  # fmt: skip
        return [
            {
                "score": score, "tokens": n_tokens, "matched": sum(map(marks.is_counted, alignment.prediction)),
                "text": _flat(marks.pieces(text, alignment.prediction)),
                "references": [*map(_flat, map(marks.pieces, references[first:end], alignment.references))],
                "best": alignment.best if alignment.is_alone else None, **source, **({"edits": edits} if edits else {}),
            }
            for score, n_tokens, text, (first, end), alignment, source, edits in zip(*columns, strict=True)
        ]  # fmt: skip


def _flat(pieces: Sequence[Piece]) -> list[Any]:
    marks = (2 * piece.level + piece.is_common for piece in pieces)
    return [
        part for piece, mark in zip(pieces, marks, strict=True)
        for part in (piece.text, mark if piece.joined is None else [mark, *piece.joined, f"{piece.weight:.2f}"])
    ]  # fmt: skip


class SystemDifference(NamedTuple):
    """The comparison of a system with the first.

    Attributes
    ----------
    result : Comparison
    verdict : str
        "better" or "worse" if it is significant, that is, p is below 1 - confidence; else empty.
    p_holm : float or None
        p after Holm's correction for all tests of a page, which the verdict is about; None for a page of one test.
    """

    result: Comparison
    verdict: str
    p_holm: float | None = None


@dataclass(frozen=True)
class Section:
    """One score of all systems.

    Attributes
    ----------
    systems : sequence of SystemScore
    test : PairedOptions
        The options of the test and of all intervals.
    brackets : str
        The options of the score, as they stand behind its name.
    """

    systems: Sequence[SystemScore]
    test: PairedOptions
    brackets: str = ""

    @property
    def accumulator(self) -> Accumulator:
        """The accumulator of the first system."""
        return self.systems[0].accumulator

    @property
    def key(self) -> str:
        """The key of the score."""
        return self.systems[0].key

    @property
    def name(self) -> str:
        """The name of the score, by which the command line knows it, or that of the metric and the key."""
        metric = self.accumulator.metric
        return (self.about_score.name or f"{metric.name}, {self.key}") + self.brackets

    @property
    def unit(self) -> str:
        """What the metric counts."""
        return self.accumulator.metric.about.unit

    @property
    def about_score(self) -> Score:
        """The direction and the bounds of the score."""
        return self.accumulator.metric.scores.of(self.key)

    @lazy
    def explanation(self) -> Explanation:
        """The score in plain words."""
        explanation = self.accumulator.metric.about.explain(self.key)
        return explanation._replace(title=f"{explanation.title} {self.brackets}") if self.brackets else explanation

    @property
    def segments_note(self) -> str:
        """How the scores of segments differ; empty if they do not."""
        return segments_note(self.accumulator.metric)

    @lazy
    def marks(self) -> Marks:
        """What of a text the score counts."""
        return explainer_of(self.accumulator.metric).marks(self.key)

    @lazy
    def axis(self) -> Axis:
        """The axis of the intervals of all systems."""
        scores = [(system.score, system.interval) for system in self.systems]
        return Axis.of(scores, 0.0, self._largest, unit=self.accumulator.metric.scores.top)

    @property
    def _largest(self) -> float:
        """The upper bound of the score, as it leaves."""
        return self.about_score.largest * self.accumulator.metric.scores.scale

    @property
    def differences(self) -> list[SystemDifference]:
        """The comparisons of the other systems with the first; empty if there is nothing to test."""
        return self._compared[0]

    @property
    def warnings(self) -> list[str]:
        """The warnings of the comparisons."""
        return self._compared[1]

    @lazy
    def _compared(self) -> tuple[list[SystemDifference], list[str]]:
        confidence = self.test.confidence
        if len(self.systems) < 2 or len(self.systems[0].corpus) < 2 or confidence is None:
            return [], []
        tally = Tally()
        with tally.collecting():
            names = [system.name for system in self.systems]
            results = compare_accumulators(
                [system.accumulator for system in self.systems], self.key, names=names, **self.test._asdict()
            )
        return [SystemDifference(result, self._verdict(result, result.p)) for result in results], tally.texts()

    def _verdict(self, result: Comparison, p: float) -> str:
        if p >= self.test.level or result.stat == 0:
            return ""
        return "better" if (result.stat > 0) == self.about_score.higher_is_better else "worse"

    def corrected(self, p_values: Sequence[float]) -> list[SystemDifference]:
        """Return the differences with corrected p-values."""
        return [
            SystemDifference(difference.result, self._verdict(difference.result, p), p)
            for difference, p in zip(self.differences, p_values, strict=True)
        ]

    @lazy
    def difference_axis(self) -> Axis:
        """The axis of the intervals of the differences, which includes 0."""
        shown = [(0.0, None), *((d.result.stat, d.result.confidence_interval) for d in self.differences)]
        return Axis.of(shown, float("-inf"), float("inf"), unit=self.accumulator.metric.scores.top)

    @lazy
    def histogram(self) -> Histogram:
        """The distribution of the scores of segments."""
        names, scores = zip(*((system.name, system.segment_scores) for system in self.systems), strict=True)
        top = self.accumulator.metric.scores.top
        return Histogram.of_scores(names, scores, self._largest / top, top)

    @lazy
    def by_length(self) -> GroupBars | None:
        """The score of segments grouped by length."""
        if not self.systems[0].has_references:
            return None
        lengths, offsets = self.systems[0].lengths[1], self.systems[0].corpus.reference_offsets
        means = np.add.reduceat(lengths, offsets[:-1]) / lengths_of(offsets)
        return by_length(means, [system.accumulator for system in self.systems], self.key)

    @lazy
    def sums(self) -> list[tuple[Derivation, ...]]:
        """The calculations of every segment, one per system."""
        return [*zip(*(system.derivation.segments or (system.derivation,) for system in self.systems), strict=True)]

    @property
    def shown_marks(self) -> list[Mark]:
        """The lines of the legend for the marks that occur in the texts of `sums`, and those of levels between."""
        texts = [pieces for of_systems in self.sums for derivation in of_systems for _, pieces in derivation.texts]
        used = {(piece.level, piece.is_common) for pieces in texts for piece in pieces if piece.level}
        levels = [level for level, is_common in used if not is_common]
        return [
            mark for mark in self.marks.legend
            if (mark.level, mark.is_common) in used
            or (levels and not mark.is_common and min(levels) < mark.level < max(levels))
        ]  # fmt: skip

    @property
    def shown_edits(self) -> set[str]:
        """The kinds of edits that occur in `sums`."""
        return {edit.kind for of_systems in self.sums for derivation in of_systems for edit in derivation.edits}

    @property
    def shown_cells(self) -> set[str]:
        """The kinds of cells of tables that occur in `sums`."""
        tables = [table for of_systems in self.sums for derivation in of_systems for table in derivation.tables]
        return {cell.kind for table in tables for row in table.rows for cell in row}


@dataclass(frozen=True)
class Report:
    """Everything on the page.

    Attributes
    ----------
    sections : sequence of Section
        One per score; segments are sorted and drawn by the first.
    most_segments : int
        At most so many segments are listed, the worst and the best by the first score.
    numbers : sequence of int, or None
        The number of every segment in its file, from 1; None if none was left out.
    labels : sequence of str, or None
        What is shown beside the number of every segment, such as its id.
    """

    sections: Sequence[Section]
    most_segments: int = MOST_SEGMENTS
    numbers: Sequence[int] | None = None
    labels: Sequence[str] | None = None

    def __post_init__(self) -> None:
        """Check that there are segments to show."""
        positive_int("most_segments", self.most_segments)
        if not self.systems or self.n_segments == 0:
            fail(ValueError, "systems", "at least one system with at least one segment", "none")

    @classmethod
    def of(
        cls, names: Sequence[str], corpora: Sequence[Corpus], scores: Sequence[tuple[Accumulator, str]],
        test: PairedOptions, most_segments: int = MOST_SEGMENTS, numbers: Sequence[int] | None = None,
        labels: Sequence[str] | None = None, brackets: Sequence[str] = (),
    ) -> Report:  # fmt: skip
        """Score the texts.

        Parameters
        ----------
        names, corpora
            Names and texts of the systems, which have the same references.
        scores : sequence of (empty accumulator, key of its score)
        test, most_segments, numbers, labels
            See `Section` and the class.
        brackets : sequence of str
            Of every score, see `Section`; by default none.
        """
        # Of one system there is nothing to test: its interval is that of a score.
        test = test if len(corpora) > 1 else test._replace(test=BOOTSTRAP)
        test = test.chosen(len(corpora[0]) if corpora else 0)
        bootstrap = test.check()

        def scored(empty: Accumulator, key: str) -> list[SystemScore]:
            accumulators = (empty.without_segments().update_corpus(corpus) for corpus in corpora)
            return [
                SystemScore(name, corpus, accumulator, key, bootstrap, numbers)
                for name, corpus, accumulator in zip(names, corpora, accumulators, strict=True)
            ]

        written = brackets or [""] * len(scores)
        sections = [Section(scored(*score), test, own) for score, own in zip(scores, written, strict=True)]
        return cls(sections, most_segments, numbers, labels)

    @property
    def systems(self) -> Sequence[SystemScore]:
        """The systems under the first score."""
        return self.sections[0].systems

    @lazy
    def differences(self) -> list[list[SystemDifference]]:
        """The differences of every section; of several tests p is corrected for all of them by Holm's method."""
        every = [section.differences for section in self.sections]
        p_values = iter(holm([difference.result.p for of_section in every for difference in of_section]))
        if self.n_tests < 2:
            return every
        return [
            section.corrected([*islice(p_values, len(of_section))])
            for section, of_section in zip(self.sections, every, strict=True)
        ]

    @property
    def n_tests(self) -> int:
        """How many systems are compared with the first, by all scores together."""
        return sum(len(section.differences) for section in self.sections)

    @property
    def title(self) -> str:
        """The names of the scores."""
        return ", ".join(dict.fromkeys(section.explanation.title for section in self.sections))

    @property
    def has_references(self) -> bool:
        """Whether there are references."""
        return self.systems[0].has_references

    @property
    def n_segments(self) -> int:
        """The number of segments."""
        return len(self.systems[0].corpus)

    @property
    def is_short(self) -> bool:
        """Whether there are so few segments that the calculation of each is shown, and no distribution."""
        return self.n_segments < FEWEST

    @lazy
    def lengths(self) -> Histogram:
        """The distribution of lengths."""
        names: list[str | None] = [system.name for system in self.systems]
        lengths = [system.lengths[0] for system in self.systems]
        if self.has_references:
            names.append(None)
            lengths.append(self.systems[0].lengths[1])
        return Histogram.of_lengths(names, lengths, self.systems[0].accumulator.metric.about.unit)

    @lazy
    def by_frequency(self) -> GroupBars | None:
        """F1 of words by their frequency in the references."""
        if not self.has_references:
            return None
        texts, tokenizers = zip(
            *(explainer_of(system.accumulator.metric).as_cut(system.corpus) for system in self.systems), strict=True
        )
        has_words = self.systems[0].accumulator.metric.about.unit != "character"
        return by_frequency(texts, tokenizers[0] if has_words else TOKENIZERS["unicode"])

    @lazy
    def listed(self) -> IntArray:
        """The listed segments, ascending."""
        if self.n_segments <= self.most_segments:
            return np.arange(self.n_segments)
        means = np.mean([system.segment_scores for system in self.systems], axis=0)
        order = np.argsort(means if self.sections[0].about_score.higher_is_better else -means, kind="stable")
        n_best = self.most_segments // 2
        return np.sort(np.concatenate((order[: self.most_segments - n_best], order[len(order) - n_best :])))

    def number(self, segment: int) -> int:
        """Return the number of a segment in its file, from 1."""
        return segment + 1 if self.numbers is None else int(self.numbers[segment])

    def label(self, segment: int) -> str:
        """Return what is shown beside the number of a segment; empty without labels."""
        return "" if self.labels is None else self.labels[segment]

    def figures(self) -> dict[str, Any]:
        """Return all figures of the first score: of every system by its name, and of its comparison."""
        figures = {own.name: own.result for own in self.systems}
        for system, difference in zip(self.systems[1:], self.differences[0], strict=False):
            corrected = {} if difference.p_holm is None else {"p_holm": difference.p_holm}
            figures[system.name]["comparison"] = {**difference.result._asdict(), **corrected}
        return figures

    def about(self) -> list[dict[str, Any]]:
        """Return the data about every score for the page's script; bars go to `full`, 0 for none."""
        return [
            {
                "title": section.explanation.title, "sign": 1 if score.higher_is_better else -1, "unit": section.unit,
                "counted": section.marks.verb, "colours": section.marks.colours,
                "full": 0 if score.perfect is None else scale, "digits": digits_of(scale),
            }
            for section, score, scale in (
                (section, section.about_score, section.accumulator.metric.scores.top) for section in self.sections
            )
        ]  # fmt: skip

    def segments(self) -> list[dict[str, Any]]:
        """Return the listed segments for the page's script: the first score, and the others under `more`."""
        columns = [
            [*zip(*(system.marked(self.listed) for system in section.systems), strict=True)]
            for section in self.sections
        ]
        return [
            {
                "n": self.number(segment),
                "systems": first,
                **({"more": others} if others else {}),
                **({"label": self.label(segment)} if self.labels is not None else {}),
            }
            for segment, first, *others in zip(self.listed.tolist(), *columns, strict=True)
        ]
