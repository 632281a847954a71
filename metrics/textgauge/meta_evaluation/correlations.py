"""Correlations of scores and of their resamples; one that is not defined is nan."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .. import engine, threads
from ..arrays import FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]
# Means in another order of sums differ in their last bits: such differences are ties.
_ROUNDING = 1e-13


def pearson(first: FloatArray, second: FloatArray, known: BoolArray | None = None) -> FloatArray:
    """Return Pearson's correlation along the last axis; nan if a side is constant.

    Parameters
    ----------
    first, second : float64, shape (..., n)
    known : bool, same shape, optional
        Which pairs count; None is all.

    Returns
    -------
    float64, shape (...,)

    Examples
    --------
    >>> pearson(np.array([[1.0, 2, 3], [1, 1, 1]]), np.array([1.0, 2, 4])).round(4).tolist()
    [0.982, nan]
    """
    first, second = np.broadcast_arrays(first, second)
    counts = np.ones(first.shape, bool) if known is None else known
    n = counts.sum(axis=-1)
    varies = np.ones(first.shape[:-1], bool)
    apart = []
    for side in (of_order_one(first, -1), of_order_one(second, -1)):
        spread = side.max(axis=-1, where=counts, initial=-np.inf) - side.min(axis=-1, where=counts, initial=np.inf)
        varies &= spread > _ROUNDING * np.abs(side).max(axis=-1, where=counts, initial=0.0)
        mean = side.sum(axis=-1, where=counts) / np.maximum(n, 1)
        apart.append(np.where(counts, side - mean[..., None], 0.0))
    lengths = np.sqrt((apart[0] ** 2).sum(axis=-1)) * np.sqrt((apart[1] ** 2).sum(axis=-1))
    return _correlation((apart[0] * apart[1]).sum(axis=-1), np.where(varies, lengths, 0.0))


def of_order_one(values: FloatArray, axis: int | None = None) -> FloatArray:
    """Divide by a power of two: no digit changes, and neither squares nor floats of 32 bits vanish or overflow."""
    sizes = np.where(np.isnan(values), 0.0, np.abs(values))
    return np.asarray(np.ldexp(values, -np.frexp(sizes.max(axis=axis, initial=0.0, keepdims=True))[1]))


def ranks(values: FloatArray) -> FloatArray:
    """Return ranks along the last axis from 1, equal values the mean of theirs: shape (..., n).

    Examples
    --------
    >>> ranks(np.array([30.0, 10, 30, 20])).tolist()
    [3.5, 1.0, 3.5, 2.0]
    """
    signs = signs_of_differences(values[..., None, :], values[..., None])
    return ((signs < 0).sum(axis=-1) + (signs <= 0).sum(axis=-1) + 1) / 2


def signs_of_differences(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the signs of differences of means, 0 where these are rounding."""
    tolerance = _ROUNDING * np.maximum(np.abs(first), np.abs(second))
    difference = first - second
    return np.where(np.abs(difference) <= tolerance, 0.0, np.sign(difference))


def resampled_pearson(first: FloatArray, second: FloatArray, known: BoolArray, weights: FloatArray) -> FloatArray:
    """Return Pearson's correlation of weighted segments.

    Parameters
    ----------
    first, second : float64, shape (n_systems, n_segments)
    known : bool, same shape
    weights : float64, shape (n_resamples, n_segments)
        How often each segment counts.

    Returns
    -------
    float64, shape (n_resamples, n_systems + 1)
        That of each system, then that of all scores together.
    """
    # Around their means, so that squares do not cancel.
    sides = of_order_one(first), of_order_one(second)
    x, y = (np.where(known, side - side.mean(where=known), 0.0) for side in sides)
    sums = np.stack([weights @ part.T for part in (known.astype(np.float64), x, y, x * x, y * y, x * y)])
    n, x1, y1, xx, yy, xy = np.concatenate([sums, sums.sum(axis=-1, keepdims=True)], axis=-1)
    n = np.maximum(n, 1.0)
    # What is left of a constant after rounding is none.
    spread = [np.where(of - s * s / n > 1e-12 * of, of - s * s / n, 0.0) for of, s in ((xx, x1), (yy, y1))]
    return _correlation(xy - x1 * y1 / n, np.sqrt(spread[0]) * np.sqrt(spread[1]))


def resampled_kendall(first: FloatArray, second: FloatArray, segment_of: IntArray, weights: IntArray) -> FloatArray:
    """Return Kendall's tau-b of weighted observations.

    Parameters
    ----------
    first, second : float64, shape (n,)
    segment_of : int64, shape (n,)
    weights : int64, shape (n_resamples, n_segments)

    Returns
    -------
    float64, shape (n_resamples,)
        nan where a side is constant.

    References
    ----------
    Kendall (1945), The Treatment of Ties in Ranking Problems.

    Examples
    --------
    >>> one = np.array([1.0, 2, 3, 4])
    >>> resampled_kendall(one, np.array([1.0, 3, 2, 4]), np.arange(4), np.ones((1, 4), np.int64)).round(4).tolist()
    [0.6667]
    """
    if not len(first):
        return np.full(len(weights), np.nan)
    first_ranks, second_ranks = (
        np.unique(side, return_inverse=True)[1].reshape(-1).astype(np.int64) for side in (first, second)
    )
    # A rank costs about as much as sixteen bytes of text.
    n_threads = threads.threads_for(len(weights), 16 * len(weights) * len(first))
    counts = np.ascontiguousarray(weights, np.int64)
    sums = np.asarray(engine.kernel.kendall_sums(first_ranks, second_ranks, segment_of, counts, n_threads), np.float64)
    # As scipy's `kendalltau`, whose roots are two.
    return _correlation(_ratio(sums[:, 0], np.sqrt(sums[:, 1])), np.sqrt(sums[:, 2]))


def pairs_by_segment(first: FloatArray, second: FloatArray, known: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return Pearson's correlation and Kendall's tau-b over the systems of every segment: shape (n_segments,) each."""
    i, j = np.triu_indices(len(first), 1)
    both = known[i] & known[j]
    signs = [np.where(both, np.sign(side[i] - side[j]), 0.0) for side in (first, second)]
    untied = [np.sqrt(np.abs(of_side).sum(axis=0)) for of_side in signs]
    tau = _correlation(_ratio((signs[0] * signs[1]).sum(axis=0), untied[0]), untied[1])
    return pearson(first.T, second.T, known.T), tau


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    """Divide; by zero it is nan."""
    return np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below > 0)


def _correlation(above: FloatArray, below: FloatArray) -> FloatArray:
    """Divide; rounding takes no correlation beyond 1."""
    return np.clip(_ratio(above, below), -1.0, 1.0)
