"""The content of the page of `explain`: scores with intervals, comparisons, distributions, marked segments."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray, lengths_of
from ..checks import fail, positive_int
from ..columns import Corpus
from ..lazy import lazy
from ..measures.alignment import Alignment
from ..measures.comparison import compare_measures
from ..measures.marks import Marking, Piece
from ..measures.matches import aligned
from ..measures.measure import Measure
from ..measures.registry import NamedScore
from ..measures.summary import Summary, Words
from ..resampling import BootstrapOptions, Comparison
from .breakdowns import by_frequency, by_length, words_of
from .charts import Axis, Bars, Histogram, interval_axis

MOST_SEGMENTS = 5000


class Fact(NamedTuple):
    """A number other than the score; `share` is its value from 0 to 1 if it can be drawn as a bar."""

    name: str
    value: str
    share: float | None = None


def facts_of(summary: Summary, key: str) -> list[Fact]:
    """Return the facts of a summary other than the score `key`."""
    facts = []
    for line in summary.lines:
        named = list(zip(summary.columns, line.values, strict=True))
        if line.key == key:
            facts += [Fact(name, f"{value:.4f}", line.share(value)) for name, value in named[:-1]]
        else:
            facts.append(Fact(line.label, f"{line.values[-1]:.4f}", line.share(line.values[-1])))
    return facts


@dataclass(frozen=True)
class System:
    """The texts of one system and their scores.

    Attributes
    ----------
    name : str
    corpus : Corpus
    named : NamedScore
    options : mapping
        Options of the measure.
    measure : Measure
        With the segments of `corpus`.
    interval : (float, float) or None
        The interval of the score; None for a single segment.
    """

    name: str
    corpus: Corpus
    named: NamedScore
    options: Mapping[str, Any]
    measure: Measure
    interval: tuple[float, float] | None

    @classmethod
    def of(
        cls, name: str, corpus: Corpus, named: NamedScore, options: Mapping[str, Any], bootstrap: BootstrapOptions
    ) -> System:
        """Score the texts."""
        measure = named.start(options).update_corpus(corpus)
        interval = None
        if len(corpus) > 1 and bootstrap.confidence is not None:
            interval = measure.interval(named.key, bootstrap)
        return cls(name, corpus, named, options, measure, interval)

    @lazy
    def score(self) -> float:
        """The score of the corpus."""
        return float(self.measure.observed_scores()[self.named.key])

    @lazy
    def segment_scores(self) -> FloatArray:
        """The score by which segments are shown and sorted: shape (n_segments,)."""
        return self.measure.displayed_segments()[self.named.key]

    @lazy
    def lengths(self) -> tuple[IntArray, IntArray]:
        """The number of tokens, or characters, of every prediction and of every reference."""
        return self.measure.sizes(self.corpus)

    @lazy
    def _summary(self) -> Summary:
        return self.measure.summary(self.measure.score(**self.measure.page_reports))

    @lazy
    def facts(self) -> list[Fact]:
        """The components of the score, and the lengths of the texts."""
        unit = self.measure.unit
        sizes = [
            Fact(f"{unit}s per {side}", f"{lengths.mean():.1f}")
            for side, lengths in zip(("prediction", "reference"), self.lengths, strict=True)
            if len(lengths)
        ]
        return facts_of(self._summary, self.named.key) + sizes

    @property
    def notes(self) -> Sequence[str]:
        """Notes on the score."""
        return self._summary.notes

    def aligned(self, segments: IntArray) -> list[Alignment]:
        """Return the matches of some segments."""
        return aligned(self.corpus.take(segments), self.measure.without_segments(), self.named.key)


class Difference(NamedTuple):
    """The comparison of a system with the first.

    Attributes
    ----------
    result : Comparison
    is_significant : bool
        Whether p is below 1 - confidence.
    verdict : str
        "better" or "worse" if it is significant, else empty.
    """

    result: Comparison
    is_significant: bool
    verdict: str


@dataclass(frozen=True)
class ScoreSection:
    """One score of all systems: a section of the page.

    Attributes
    ----------
    key : str
        The key of the score.
    systems : sequence of System
    bootstrap : BootstrapOptions
        The options of the intervals.
    """

    key: str
    systems: Sequence[System]
    bootstrap: BootstrapOptions

    @property
    def measure(self) -> Measure:
        """The measure of the first system."""
        return self.systems[0].measure

    @lazy
    def words(self) -> Words:
        """The explanation of the score."""
        return self.measure.words(self.key)

    @lazy
    def marking(self) -> Marking:
        """The marking of matches."""
        return self.measure.marking(self.key)

    @lazy
    def axis(self) -> Axis:
        """The intervals of all systems on one axis."""
        return interval_axis([(system.score, system.interval) for system in self.systems], 0.0, self.measure.largest)

    @property
    def differences(self) -> list[Difference]:
        """The comparisons of the other systems with the first; empty if there is nothing to test."""
        return self._compared[0]

    @property
    def warnings(self) -> list[str]:
        """The warnings of the comparisons."""
        return self._compared[1]

    @lazy
    def _compared(self) -> tuple[list[Difference], list[str]]:
        confidence = self.bootstrap.confidence
        if len(self.systems) < 2 or len(self.systems[0].corpus) < 2 or confidence is None:
            return [], []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            results = compare_measures(
                [system.measure for system in self.systems], self.key, confidence=confidence,
                n_resamples=self.bootstrap.n_resamples, seed=self.bootstrap.seed,
            )  # fmt: skip
        differences = []
        for result in results:
            is_significant = result.p < 1 - confidence and result.stat != 0
            is_better = (result.stat > 0) == self.measure.higher_is_better
            differences.append(Difference(result, is_significant, _VERDICTS[is_better] if is_significant else ""))
        return differences, list(dict.fromkeys(str(warning.message) for warning in caught))

    @lazy
    def difference_axis(self) -> Axis:
        """The intervals of the differences on one axis that includes 0."""
        shown = [(d.result.stat, d.result.confidence_interval) for d in self.differences]
        return interval_axis(shown, float("-inf"), float("inf"), shows_zero=True)

    @lazy
    def histogram(self) -> Histogram:
        """The distribution of the scores of segments."""
        scores = [system.segment_scores for system in self.systems]
        return Histogram.of_scores([system.name for system in self.systems], scores, "score", self.measure.largest)

    @lazy
    def by_length(self) -> Bars | None:
        """The score of segments grouped by length."""
        lengths, offsets = self.systems[0].lengths[1], self.systems[0].corpus.reference_offsets
        if not self.measure.is_paired:
            return None
        means = np.add.reduceat(lengths, offsets[:-1]) / lengths_of(offsets)
        groups = by_length(means, [system.measure for system in self.systems], self.key)
        return Bars.of(groups) if len(groups) > 1 else None


_VERDICTS = {True: "better", False: "worse"}


@dataclass(frozen=True)
class Content:
    """Everything on the page.

    Attributes
    ----------
    key : str
        The key of the first score.
    systems : sequence of System
        The systems under that score.
    bootstrap : BootstrapOptions
        The options of the intervals.
    most_segments : int
        At most so many segments are listed, the worst and the best by the first score.
    others : sequence of ScoreSection
        The same systems under other scores.
    """

    key: str
    systems: Sequence[System]
    bootstrap: BootstrapOptions
    most_segments: int = MOST_SEGMENTS
    others: Sequence[ScoreSection] = ()

    def __post_init__(self) -> None:
        """Check that there are segments to show."""
        positive_int("most_segments", self.most_segments)
        if not self.systems or self.n_segments == 0:
            fail(ValueError, "systems", "at least one system with at least one segment", "none")

    @classmethod
    def of(
        cls, names: Sequence[str], corpora: Sequence[Corpus], scores: Sequence[tuple[NamedScore, Mapping[str, Any]]],
        bootstrap: BootstrapOptions, most_segments: int = MOST_SEGMENTS,
    ) -> Content:  # fmt: skip
        """Return the content for several systems and scores.

        Parameters
        ----------
        names, corpora
            Names and texts of the systems, which have the same references.
        scores : sequence of (NamedScore, options of its measure)
        bootstrap, most_segments
            See the class.
        """
        first, *others = [
            ScoreSection(
                named.key,
                [System.of(*one, named, options, bootstrap) for one in zip(names, corpora, strict=True)],
                bootstrap,
            )
            for named, options in scores
        ]
        return cls(first.key, first.systems, bootstrap, most_segments, others)

    @lazy
    def scores(self) -> list[ScoreSection]:
        """All scores."""
        return [ScoreSection(self.key, self.systems, self.bootstrap), *self.others]

    @property
    def title(self) -> str:
        """The names of the scores."""
        return ", ".join(dict.fromkeys(scored.words.title for scored in self.scores))

    @property
    def is_paired(self) -> bool:
        """Whether there are references."""
        return self.systems[0].measure.is_paired

    @property
    def n_segments(self) -> int:
        """The number of segments."""
        return len(self.systems[0].corpus)

    @lazy
    def lengths(self) -> Histogram:
        """The distribution of lengths."""
        names: list[str | None] = [system.name for system in self.systems]
        sides = [system.lengths[0] for system in self.systems]
        if self.is_paired:
            names.append(None)
            sides.append(self.systems[0].lengths[1])
        return Histogram.of_lengths(names, sides, f"{self.systems[0].measure.unit}s")

    @lazy
    def by_frequency(self) -> Bars | None:
        """F1 of words by their frequency in the references."""
        if not self.is_paired:
            return None
        cut = [words_of(system.measure, system.corpus) for system in self.systems]
        groups = by_frequency([texts for texts, _ in cut], cut[0][1])
        return Bars.of(groups) if len(groups) > 1 else None

    @lazy
    def listed(self) -> IntArray:
        """The listed segments, ascending."""
        if self.n_segments <= self.most_segments:
            return np.arange(self.n_segments)
        means = np.mean([system.segment_scores for system in self.systems], axis=0)
        order = np.argsort(means if self.systems[0].measure.higher_is_better else -means, kind="stable")
        n_best = self.most_segments // 2
        return np.sort(np.concatenate((order[: self.most_segments - n_best], order[len(order) - n_best :])))

    def about(self) -> list[dict[str, Any]]:
        """Return the data about every score for the page's script."""
        return [
            {
                "title": scored.words.title, "sign": 1 if scored.measure.higher_is_better else -1,
                "unit": scored.measure.unit, "counted": scored.measure.counted_as,
                "drawn": scored.measure.perfect is not None,
            }
            for scored in self.scores
        ]  # fmt: skip

    def segments(self) -> list[dict[str, Any]]:
        """Return the listed segments for the page's script: the first score, and the others under `more`.

        Every text is a flat list: piece, mark, piece, mark, ...; a mark is 2 * level + 1 if
        the piece is underlined.
        """
        first, *others = (self._shown(scored) for scored in self.scores)
        rows = []
        for row, segment in enumerate(self.listed.tolist()):
            more = {"more": [shown[row] for shown in others]} if others else {}
            rows.append({"n": segment + 1, "systems": first[row], **more})
        return rows

    def _shown(self, scored: ScoreSection) -> list[list[dict[str, Any]]]:
        """Return the data of every listed segment of every system for a score."""
        corpus = self.systems[0].corpus.take(self.listed)
        texts, offsets = corpus.references.tolist(), corpus.reference_offsets.tolist()
        columns = []
        for system in scored.systems:
            hypotheses = system.corpus.hypotheses.take(self.listed).tolist()
            columns.append(
                [
                    {
                        "score": float(system.segment_scores[segment]),
                        "tokens": int(system.lengths[0][segment]),
                        **_marked(scored.marking, hypotheses[row], texts[offsets[row] : offsets[row + 1]], alignment),
                    }
                    for row, (segment, alignment) in enumerate(
                        zip(self.listed.tolist(), system.aligned(self.listed), strict=True)
                    )
                ]
            )
        return [list(row) for row in zip(*columns, strict=True)]


def _marked(marking: Marking, hypothesis: str, references: Sequence[str], alignment: Alignment) -> dict[str, Any]:
    return {
        "matched": sum(map(marking.is_counted, alignment.prediction)),
        "text": _flat(marking.pieces(hypothesis, alignment.prediction)),
        "references": [
            _flat(marking.pieces(text, matches)) for text, matches in zip(references, alignment.references, strict=True)
        ],
        "best": alignment.best if alignment.is_alone else None,
    }


def _flat(pieces: Sequence[Piece]) -> list[Any]:
    return [part for piece in pieces for part in (piece.text, 2 * piece.level + piece.is_common)]
