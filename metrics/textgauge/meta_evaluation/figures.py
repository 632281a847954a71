"""All figures of agreement of a metric with people, and their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray
from ..lazy import lazy
from ..resampling import percentile_interval
from ..resampling.intervals import ScoreFunction
from ..resampling.units import Units
from .accuracy import (
    SystemPairs,
    blocks,
    calibrated,
    class_agreement,
    p_values,
    pairwise_accuracy,
    resampled_accuracy,
    signs_of,
    soft_accuracy,
)
from .correlations import (
    BoolArray,
    of_order_one,
    pairs_by_segment,
    pearson,
    ranks,
    resampled_kendall,
    resampled_pearson,
)

SYSTEM_LEVEL = ("system_pearson", "system_spearman", "pairwise_accuracy", "soft_pairwise_accuracy")
FIGURES = (
    *SYSTEM_LEVEL, "segment_pearson", "segment_kendall", "pearson_by_segment", "kendall_by_segment",
    "pearson_by_system", "kendall_by_system", "acc_eq",
)  # fmt: skip


# Those of judges that answer by classes, and only theirs.
OF_CLASSES = ("accuracy", "base_rate", "kappa")
# From 0 to 1; the others from -1.
_SHARES = {"pairwise_accuracy", "soft_pairwise_accuracy", "acc_eq", "accuracy", "base_rate"}


class Pooled(NamedTuple):
    """Counts of a metric whose score of a system is not the mean of its segments.

    Attributes
    ----------
    additive : shape (n_segments, n_systems, n_columns)
        Additive.
    score : callable
        Maps sums over segments, shape (..., n_columns), to scores, shape (...): higher is better.
    """

    additive: npt.NDArray[np.number]
    score: ScoreFunction


class MetricScores(NamedTuple):
    """The scores of a metric, of which higher ones are better.

    Attributes
    ----------
    segments : float64, shape (n_systems, n_segments)
        A number wherever people judged; nan elsewhere, if there is none.
    pooled : Pooled, optional
        What gives the scores of systems; None: they are the means of the segments.
    """

    segments: FloatArray
    pooled: Pooled | None = None

    def without(self, is_left_out: npt.NDArray[np.bool_]) -> MetricScores:
        """Return the scores without those of some outputs; the parameter has shape (n_systems, n_segments)."""
        pooled = self.pooled
        if pooled is not None:
            pooled = pooled._replace(additive=np.where(is_left_out.T[..., None], 0, pooled.additive))
        return MetricScores(np.where(is_left_out, np.nan, self.segments), pooled)

    def of_systems(self, weights: FloatArray) -> FloatArray:
        """Return the scores of systems of weighted segments: shape (n_resamples, n_systems)."""
        if self.pooled is None:
            return weighted_means(self.segments, weights)
        additive = self.pooled.additive
        n_systems, n_columns = additive.shape[1:]
        flat = additive.reshape(len(additive), -1).astype(np.float64)
        return self.pooled.score((weights @ flat).reshape(-1, n_systems, n_columns))


def weighted_means(scores: FloatArray, weights: FloatArray) -> FloatArray:
    """Return means over segments, leaving out nan: shape (n_resamples, n_systems), nan where nothing is left."""
    known = ~np.isnan(scores)
    counts = weights @ known.T.astype(np.float64)
    sums = weights @ np.where(known, scores, 0.0).T
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


@dataclass(frozen=True)
class Human:
    """People's scores, and the values that figures of all metrics share.

    Attributes
    ----------
    scores : float64, shape (n_systems, n_segments)
        Higher is better; nan where there is none. Every system has some.
    draws : int64, shape (n_resamples, n_segments)
        How often each segment counts in each resample; without rows there are no intervals.
    unit_of : int64, shape (n_segments,), or None
        The unit of every segment, such as its document, which tests exchange as a whole; None: each is one.
    """

    scores: FloatArray
    draws: IntArray
    unit_of: IntArray | None = None

    @lazy
    def known(self) -> BoolArray:
        """Where people judged."""
        return ~np.isnan(self.scores)

    @lazy
    def weights(self) -> FloatArray:
        """All segments once, then the resamples: float64, shape (1 + n_resamples, n_segments)."""
        return np.concatenate([np.ones((1, self.draws.shape[1])), self.draws])

    @lazy
    def of_systems(self) -> FloatArray:
        """Means by system, shape (1 + n_resamples, n_systems)."""
        return weighted_means(self.scores, self.weights)

    @lazy
    def pairs(self) -> SystemPairs:
        """Every two systems by segment."""
        return SystemPairs.of(self.scores)

    @lazy
    def judged(self) -> IntArray:
        """The segments that people judged for every system."""
        return np.flatnonzero(self.known.all(axis=0))

    @lazy
    def signs(self) -> npt.NDArray[np.float32]:
        """The exchanges of soft pairwise accuracy."""
        if self.unit_of is None:
            return signs_of(len(self.judged))
        units, unit_of = np.unique(self.unit_of[self.judged], return_inverse=True)
        return signs_of(len(units))[:, unit_of]

    @lazy
    def p_values(self) -> FloatArray:
        """One-sided p of pairs of systems: shape (1 + n_resamples, n_pairs)."""
        return self.p_values_of(self.scores)

    def p_values_of(self, scores: FloatArray) -> FloatArray:
        """Return `p_values` of other scores of the same segments."""
        scores, weights = (
            of_order_one(scores[:, self.judged]).astype(np.float32),
            self.weights[:, self.judged].astype(np.float32),
        )
        parts = [
            p_values(scores * weights[block, None], self.signs) for block in blocks(len(weights), max(1, scores.size))
        ]
        return np.concatenate(parts)


class Figures(NamedTuple):
    """The figures of a metric.

    Attributes
    ----------
    values : dict from str to float
        By the names in `FIGURES`, and in `OF_CLASSES` of judges that answer by classes; nan where one is not defined.
    intervals : dict from str to list of 2 floats, or None
        None where most resamples have no figure.
    threshold : float
        That of `acc_eq`, in the units of the metric.
    tied : float
        The share of the pairs that are ties below the threshold.
    """

    values: dict[str, float]
    intervals: dict[str, list[float] | None]
    threshold: float
    tied: float

    @classmethod
    def of(cls, human: Human, metric: MetricScores, confidence: float | None, unit: Units | None = None) -> Figures:
        """Compute all figures of a metric."""
        drawn = {**_system_level(human, metric), **_segment_level(human, metric.segments)}
        best = calibrated(human.pairs, metric.segments)
        # The order of sums differs between one and many resamples.
        drawn["acc_eq"] = np.r_[best.accuracy, resampled_accuracy(human.pairs, metric.segments, human.weights[1:])]
        of_classes = class_agreement(human.scores, metric.segments, human.known, human.weights)
        drawn = {name: drawn[name] for name in FIGURES} | of_classes
        values = {name: float(of_all[0]) for name, of_all in drawn.items()}
        n_drawn = human.scores.shape[1] if unit is None else len(unit)
        intervals = {
            name: _interval(of_all[1:], confidence, n_drawn, 0.0 if name in _SHARES else -1.0)
            for name, of_all in drawn.items()
        }
        return cls(values, intervals, best.threshold, best.tied)


def _interval(drawn: FloatArray, confidence: float | None, n_drawn: int, least: float) -> list[float] | None:
    finite = drawn[~np.isnan(drawn)]
    if confidence is None or 2 * len(finite) <= len(drawn):
        return None
    # A corrected interval may reach beyond the scale.
    corrected: list[float] = np.clip(percentile_interval(finite, confidence, n_drawn), least, 1.0).tolist()
    return corrected


def _system_level(human: Human, metric: MetricScores) -> dict[str, FloatArray]:
    """Return figures of all segments and of resamples: shape (1 + n_resamples,) each."""
    people, theirs = human.of_systems, metric.of_systems(human.weights)
    # A resample may leave a system without a judgement, or without a score.
    is_whole = np.isfinite(people).all(axis=1) & np.isfinite(theirs).all(axis=1)
    soft = np.full(len(people), np.nan)
    if len(human.judged):
        soft = soft_accuracy(human.p_values, human.p_values_of(metric.segments))
    figures = {
        "system_pearson": pearson(people, theirs),
        "system_spearman": pearson(ranks(people), ranks(theirs)),
        "pairwise_accuracy": pairwise_accuracy(people, theirs),
    }
    return {name: np.where(is_whole, drawn, np.nan) for name, drawn in figures.items()} | {
        "soft_pairwise_accuracy": soft
    }


def _segment_level(human: Human, scores: FloatArray) -> dict[str, FloatArray]:
    """Return figures of all segments and of resamples: shape (1 + n_resamples,) each."""
    known, people, weights = human.known, human.scores, human.weights
    system, segment = np.nonzero(known)
    counts = np.concatenate([np.ones((1, known.shape[1]), np.int64), human.draws])
    *of_segments, tau = (*pairs_by_segment(people, scores, known),)
    by_system = [
        resampled_kendall(people[i, known[i]], scores[i, known[i]], segment[system == i], counts)
        for i in range(len(people))
    ]
    drawn = resampled_pearson(people, scores, known, weights)
    # Of all segments by the definition, in its own order of sums.
    drawn[0] = np.r_[pearson(people, scores, known), pearson(people[known], scores[known])]
    return {
        "segment_pearson": drawn[:, -1],
        "segment_kendall": resampled_kendall(people[known], scores[known], segment, counts),
        "pearson_by_segment": _mean_over(of_segments[0], weights),
        "kendall_by_segment": _mean_over(tau, weights),
        "pearson_by_system": _mean_of(drawn[:, :-1]),
        "kendall_by_system": _mean_of(np.stack(by_system, axis=1)),
    }


def _mean_over(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return weighted means over segments, leaving out nan: shape (n_resamples,)."""
    return weighted_means(values[None], weights)[:, 0]


def _mean_of(values: FloatArray) -> FloatArray:
    """Return means along the last axis, leaving out nan."""
    known = ~np.isnan(values)
    n = known.sum(axis=-1)
    return np.divide(values.sum(axis=-1, where=known), n, out=np.full(n.shape, np.nan), where=n > 0)
