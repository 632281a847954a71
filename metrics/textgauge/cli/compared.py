"""Scores of several systems and where they differ, before anyone writes them down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..arrays import FloatArray, IntArray
from ..measures.comparison import compare_measures
from ..measures.named import Measure
from ..resampling import Comparison, PairedOptions, holm


@dataclass(frozen=True)
class Groups:
    """What the systems are compared on one by one.

    Attributes
    ----------
    unit : "segment" or "document"
    labels : sequence of str or int
        The name of every document, or the number of every segment from 1.
    group_of : int64, shape (n_segments,)
    """

    unit: str
    labels: Sequence[str | int]
    group_of: IntArray

    @classmethod
    def segments(cls, n_segments: int) -> Groups:
        """Make every segment a group."""
        return cls("segment", range(1, n_segments + 1), np.arange(n_segments))

    @classmethod
    def documents(cls, names: Sequence[pa.Array]) -> Groups:
        """Group segments by the name of their document, in the order of appearance."""
        encoded = pa.concat_arrays(names).dictionary_encode()
        return cls("document", encoded.dictionary.to_pylist(), np.asarray(encoded.indices, np.int64))

    def scores(self, measure: Measure, key: str) -> FloatArray:
        """Score every group by itself: shape (n_groups,)."""
        rows = measure.additive
        sums = np.zeros((len(self.labels), rows.shape[1]))
        np.add.at(sums, self.group_of, rows)
        return measure.corpus_scores(sums)[key]


@dataclass(frozen=True)
class Compared:
    """One score of all systems, the baseline first.

    Attributes
    ----------
    name : str
        As `score_named` takes it.
    comparisons : one for every system but the baseline
    corrected : their p-values after Holm's correction, or None
    groups : Groups
    group_scores : float64, shape (n_systems, n_groups)
    """

    name: str
    comparisons: Sequence[Comparison]
    corrected: Sequence[float] | None
    groups: Groups
    group_scores: FloatArray

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield what is known of every system, the baseline first."""
        first = self.comparisons[0]
        yield {"score": first.score1, "confidence_interval": first.confidence_interval1}
        for i, comparison in enumerate(self.comparisons):
            row = {
                "score": comparison.score2,
                "confidence_interval": comparison.confidence_interval2,
                "stat": comparison.stat,
                "stat_confidence_interval": comparison.confidence_interval,
                "p": comparison.p,
            }
            if self.corrected is not None:
                row["p_holm"] = self.corrected[i]
            yield {**row, "wins": comparison.wins}

    def extremes(self, system: int, n_shown: int) -> dict[str, list[Difference]]:
        """Return the groups on which a system loses and gains most against the baseline."""
        gains = self.group_scores[system] - self.group_scores[0]
        order = np.argsort(gains, kind="stable")
        worst = [i for i in order[:n_shown] if gains[i] < 0]
        best = [i for i in order[::-1][:n_shown] if gains[i] > 0]
        return {"worst": list(self._differences(system, worst)), "best": list(self._differences(system, best))}

    def _differences(self, system: int, chosen: Sequence[int]) -> Iterator[Difference]:
        for i in chosen:
            first, second = self.group_scores[[0, system], i].tolist()
            yield Difference(self.groups.labels[i], first, second)


@dataclass(frozen=True)
class Difference:
    """A segment or document, and what baseline and system score on it."""

    label: str | int
    score1: float
    score2: float

    @property
    def stat(self) -> float:
        """How much better the system is."""
        return self.score2 - self.score1


def compared(
    name: str, key: str, measures: Sequence[Measure], groups: Groups, options: PairedOptions, *, correct: bool
) -> Compared:
    """Compare systems by one score."""
    given: dict[str, Any] = options._asdict()
    comparisons = compare_measures(measures, key, **given)
    corrected = holm([comparison.p for comparison in comparisons]) if correct else None
    scores = np.stack([groups.scores(measure, key) for measure in measures])
    return Compared(name, comparisons, corrected, groups, scores)
