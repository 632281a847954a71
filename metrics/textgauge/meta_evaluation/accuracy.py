"""Accuracy of pairs: of outputs, where a metric's small differences count as ties, and of systems, hard and soft."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .. import engine, threads
from ..arrays import FloatArray, IntArray
from .correlations import signs_of_differences

# Numbers in memory at a time.
_BLOCK = 1 << 21
# The draws of the WMT metrics task's toolkit, which are fixed and of 32 bits.
N_PERMUTATIONS, _SEED = 1000, 4

# Scores of more values are no classes.
_MOST_CLASSES = 10

_Short = npt.NDArray[np.float32]


class SystemPairs(NamedTuple):
    """Every two systems on every segment that people judged for both.

    Attributes
    ----------
    first, second : int64, shape (n_pairs,)
        The systems.
    segment : int64, shape (n_pairs,)
    human : int8, shape (n_pairs,)
        The sign of the difference of people's scores.
    weight : float64, shape (n_pairs,)
        1 by the number of pairs of the segment.
    n_segments : int
        Of all, with pairs or without.
    """

    first: IntArray
    second: IntArray
    segment: IntArray
    human: npt.NDArray[np.int8]
    weight: FloatArray
    n_segments: int

    @classmethod
    def of(cls, human: FloatArray) -> SystemPairs:
        """Return the pairs of people's scores, shape (n_systems, n_segments), nan where there is none."""
        i, j = np.triu_indices(len(human), 1)
        differences = human[i] - human[j]
        pair, segment = np.nonzero(~np.isnan(differences))
        n_of = np.bincount(segment, minlength=human.shape[1])
        signs = np.sign(differences[pair, segment]).astype(np.int8)
        return cls(i[pair], j[pair], segment, signs, 1 / n_of[segment], human.shape[1])

    def differences(self, scores: FloatArray) -> FloatArray:
        """Return the difference of every pair: shape (n_pairs,)."""
        return scores[self.first, self.segment] - scores[self.second, self.segment]

    @property
    def judged(self) -> FloatArray:
        """1 for a segment with pairs, else 0: float64, shape (n_segments,)."""
        return (np.bincount(self.segment, minlength=self.n_segments) > 0).astype(np.float64)


class Gains(NamedTuple):
    """The changes of accuracy with a rising threshold, for pairs in ascending order of the metric's differences.

    Attributes
    ----------
    as_is : float64, shape (n_segments,)
        The accuracy of every segment where only equal scores are ties.
    gain : float64, shape (n,)
        What a tie adds to it, of pairs where it adds or takes something.
    segment : int64, shape (n,)
    last : int64, shape (n_thresholds,)
        The last of the pairs that differ as much: a threshold takes all of them.
    gap : float64, shape (n_thresholds,)
        The thresholds.
    """

    as_is: FloatArray
    gain: FloatArray
    segment: IntArray
    last: IntArray
    gap: FloatArray

    @classmethod
    def of(cls, pairs: SystemPairs, differences: FloatArray) -> Gains:
        """Sort the pairs by the metric's differences."""
        gap, tied = np.abs(differences), pairs.human == 0
        is_right = np.where(gap == 0, tied, np.sign(differences) == pairs.human)
        as_is = np.bincount(pairs.segment, pairs.weight * is_right, minlength=pairs.n_segments)
        changed = np.flatnonzero(tied != is_right)
        order = changed[np.argsort(gap[changed], kind="stable")]
        gaps = gap[order]
        last = np.flatnonzero(np.r_[gaps[1:] != gaps[:-1], True]) if len(order) else order
        gain = np.where(tied[order], pairs.weight[order], -pairs.weight[order])
        return cls(np.asarray(as_is, np.float64), gain, pairs.segment[order], last, gaps[last])


class Calibrated(NamedTuple):
    """Accuracy of pairs with the threshold that makes it largest, and the share of pairs that are ties below it."""

    accuracy: float
    threshold: float
    tied: float


def calibrated(pairs: SystemPairs, scores: FloatArray) -> Calibrated:
    """Return the accuracy of pairs with the best threshold for ties; nan if there are no pairs.

    A pair is right if people and metric prefer the same system, or if both call it a tie: the metric, if its scores
    differ by no more than the threshold. Segments weigh the same, whatever their number of pairs.

    Parameters
    ----------
    pairs : SystemPairs
    scores : float64, shape (n_systems, n_segments)

    References
    ----------
    Deutsch, Foster and Freitag (2023), Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie
    Calibration, sections 4 and 5.

    Examples
    --------
    >>> people, metric = np.array([[1.0, 1], [1, 0], [0, 0]]), np.array([[0.9, 0.9], [0.8, 0.1], [0.1, 0.2]])
    >>> calibrated(SystemPairs.of(people), metric).threshold.__round__(4)
    0.1
    """
    if not len(pairs.segment):
        return Calibrated(np.nan, np.nan, np.nan)
    differences = pairs.differences(scores)
    gains = Gains.of(pairs, differences)
    sums = np.r_[0.0, np.cumsum(gains.gain)[gains.last]]
    best = int(np.argmax(sums))
    threshold = float(np.r_[0.0, gains.gap][best])
    n_judged = pairs.judged.sum()
    accuracy = (gains.as_is.sum() + sums[best]) / n_judged
    tied = (pairs.weight * (np.abs(differences) <= threshold)).sum() / n_judged
    return Calibrated(float(accuracy), threshold, float(tied))


def resampled_accuracy(pairs: SystemPairs, scores: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the accuracy of weighted segments, each with its own best threshold: shape (n_resamples,).

    `weights` has the shape (n_resamples, n_segments).
    """
    if not len(pairs.segment):
        return np.full(len(weights), np.nan)
    gains = Gains.of(pairs, pairs.differences(scores))
    # A gain costs about as much as a byte of text.
    n_threads = threads.threads_for(len(weights), len(weights) * len(gains.gain))
    most = engine.kernel.most_gained(gains.gain, gains.segment, np.r_[0, gains.last + 1], weights, n_threads)
    n_right = weights @ gains.as_is + np.asarray(most, np.float64)
    n_judged = weights @ pairs.judged
    return np.divide(n_right, n_judged, out=np.full(len(n_right), np.nan), where=n_judged > 0)


def pairwise_accuracy(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Return the share of pairs of systems that both sides order alike, along the last axis: nan for one system.

    References
    ----------
    Kocmi et al. (2021), To Ship or Not to Ship, section 4.1.

    Examples
    --------
    >>> pairwise_accuracy(np.array([3.0, 2, 1]), np.array([9.0, 7, 8])).round(4).tolist()
    0.6667
    """
    i, j = np.triu_indices(human.shape[-1], 1)
    if not len(i):
        return np.full(human.shape[:-1], np.nan)
    signs = [signs_of_differences(side[..., i], side[..., j]) for side in (human, metric)]
    return np.mean(signs[0] == signs[1], axis=-1)


def class_agreement(
    human: FloatArray, metric: FloatArray, known: npt.NDArray[np.bool_], weights: FloatArray
) -> dict[str, FloatArray]:
    """Return the agreement of a judge of classes with people, and what the most frequent class alone would reach.

    Parameters
    ----------
    human, metric : float64, shape (n_systems, n_segments)
    known : bool, same shape
        Which outputs people judged.
    weights : float64, shape (n_resamples, n_segments)
        How often each segment counts.

    Returns
    -------
    dict from str to float64, shape (n_resamples,)
        "accuracy", the share of outputs with people's class; "base_rate", the share of people's most frequent class;
        "kappa", Cohen's, nan where both sides have one class. Empty where scores are no classes: at most 10 whole
        numbers, those of one side among those of the other.

    References
    ----------
    Cohen (1960), A Coefficient of Agreement for Nominal Scales.

    Examples
    --------
    >>> people, judge = np.array([[1.0, 1, 1, 0]]), np.array([[1.0, 1, 0, 0]])
    >>> found = class_agreement(people, judge, np.ones((1, 4), bool), np.ones((1, 4)))
    >>> {name: values.tolist() for name, values in found.items()}
    {'accuracy': [0.75], 'base_rate': [0.75], 'kappa': [0.5]}
    """
    sides = [np.unique(side[known]) for side in (human, metric)]
    classes = np.union1d(*sides)
    are_shared = len(classes) in map(len, sides)
    if len(classes) > _MOST_CLASSES or not are_shared or (classes != np.rint(classes)).any():
        return {}
    _, segment = np.nonzero(known)
    places = [np.searchsorted(classes, side[known]) for side in (human, metric)]
    n = len(classes)
    counts = np.zeros((known.shape[1], n * n))
    np.add.at(counts, (segment, places[0] * n + places[1]), 1.0)
    table = (weights @ counts).reshape(-1, n, n)
    total = table.sum(axis=(1, 2))
    shares = np.divide(table, total[:, None, None], out=np.full(table.shape, np.nan), where=total[:, None, None] > 0)
    right = np.trace(shares, axis1=1, axis2=2)
    by_chance = (shares.sum(axis=2) * shares.sum(axis=1)).sum(axis=1)
    kappa = np.divide(right - by_chance, 1 - by_chance, out=np.full(right.shape, np.nan), where=by_chance < 1)
    return {"accuracy": right, "base_rate": shares.sum(axis=2).max(axis=1), "kappa": kappa}


def signs_of(n_segments: int) -> _Short:
    """Return random signs of segments, those of the toolkit: float32, shape (n_permutations, n_segments)."""
    drawn = np.random.default_rng(_SEED).random((N_PERMUTATIONS, n_segments), dtype=np.float32)
    return np.rint(drawn) * 2 - 1


def p_values(scores: npt.NDArray[np.floating], signs: _Short) -> FloatArray:
    """Return how often a pair of systems differs at least as much by chance, one-sided.

    Chance exchanges the two outputs of a segment, all pairs on the same segments.

    Parameters
    ----------
    scores : shape (n, n_systems, n_segments)
    signs : float32, shape (n_permutations, n_segments)

    Returns
    -------
    float64, shape (n, n_pairs)
    """
    n, n_systems, n_segments = scores.shape
    i, j = np.triu_indices(n_systems, 1)
    p = np.empty((n, len(i)))
    for block in blocks(n, (len(signs) + n_segments) * n_systems):
        part = scores[block].astype(np.float32)
        # Shape (n_systems, n_in_block, n_permutations): rows of a pair are contiguous.
        null = (part.transpose(1, 0, 2).reshape(-1, n_segments) @ signs.T).reshape(n_systems, -1, len(signs))
        totals = part.sum(axis=-1)
        for pair, (a, b) in enumerate(zip(i, j, strict=True)):
            reached = null[a] - null[b] >= (totals[:, a] - totals[:, b])[:, None]
            p[block, pair] = np.count_nonzero(reached, axis=1) / len(signs)
    return p


def soft_accuracy(of_human: FloatArray, of_metric: FloatArray) -> FloatArray:
    """Return soft pairwise accuracy from the p-values of people and of a metric: nan for one system.

    It is 1 less the mean difference of the two p-values of a pair. Parameters have the shape (..., n_pairs).

    References
    ----------
    Thompson, Mathur, Deutsch and Khayrallah (2024), Improving Statistical Significance in Human Evaluation of
    Automatic Metrics via Soft Pairwise Accuracy, section 3.

    Examples
    --------
    >>> soft_accuracy(np.array([0.0, 0.5]), np.array([0.1, 0.5])).round(4).tolist()
    0.95
    """
    if not of_human.shape[-1]:
        return np.full(of_human.shape[:-1], np.nan)
    return np.asarray(1 - np.abs(of_human - of_metric).mean(axis=-1))


def blocks(n: int, n_numbers: int) -> Iterator[slice]:
    """Yield slices of `n` rows of so many numbers, few enough for memory."""
    step = max(1, _BLOCK // max(1, n_numbers))
    for start in range(0, n, step):
        yield slice(start, start + step)
