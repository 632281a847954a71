"""Precision, recall and F from matches and totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray

# The smallest float64.
_SMALLEST = 5e-324


def share(part: npt.ArrayLike, whole: npt.ArrayLike) -> FloatArray:
    """Divide counts; the share of a total of 0 is 0."""
    # A number divided by infinity is 0.
    return np.asarray(part / np.where(np.equal(whole, 0), np.inf, whole), np.float64)


def part_of(part: npt.NDArray[np.number], whole: npt.NDArray[np.number]) -> FloatArray:
    """Divide, where the part is 0 if the whole is: then the share is 0."""
    return np.asarray(part / np.maximum(whole, _SMALLEST))


def f_measure(precision: FloatArray, recall: FloatArray, beta: float = 1.0) -> FloatArray:
    """Return (1 + beta^2) P R / (R + beta^2 P), 0 where both are 0.

    References
    ----------
    Lin (2004), ROUGE, equation 4.

    Examples
    --------
    >>> float(f_measure(np.array(0.5), np.array(1.0)))
    0.6666666666666666
    """
    return part_of((1 + beta**2) * precision * recall, beta**2 * precision + recall)


def weighted_f(precision: FloatArray, recall: FloatArray, alpha: float) -> FloatArray:
    """Return P R / ((1 - alpha) P + alpha R), 0 where that is 0 / 0.

    Equal to `f_measure` with beta^2 = (1 - alpha) / alpha: P for alpha 1, R for alpha 0.

    References
    ----------
    ROUGE-1.5.5.pl, option -p.

    Examples
    --------
    >>> float(weighted_f(np.array(0.5), np.array(1.0), 0.5))
    0.6666666666666666
    """
    return part_of(precision * recall, (1 - alpha) * precision + alpha * recall)


def five_decimals(values: FloatArray) -> FloatArray:
    """Round as C's printf with "%.5f" does: by the exact value of the double.

    Examples
    --------
    >>> five_decimals(np.array([1 / 3, 1 / 320]))
    array([0.33333, 0.00313])
    """
    values = np.asarray(values, np.float64)
    scaled = values * 1e5
    rounded = np.rint(scaled) / 1e5
    # Scaling can move a value onto the midpoint between two decimals, or off it.
    for at in zip(*np.nonzero(np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6), strict=True):
        rounded[at] = float(f"{values[at]:.5f}")
    return rounded


def precision_recall_f(
    counts: npt.NDArray[np.number],
    beta: float = 1.0,
    *,
    alpha: float | None = None,
    weights: Sequence[float] = (),
    rounded: bool = False,
) -> FloatArray:
    """Compute precision, recall and F from matches, hypothesis units and reference units.

    Parameters
    ----------
    counts : int64 or float64, shape (..., n_types, 3)
    beta : float
        Recall is beta times as important as precision.
    alpha : float, optional
        The weight of ROUGE-1.5.5 instead of `beta`; see `weighted_f`.
    weights : n_types floats, optional
        The weights of ROUGE-W, whose counts are sums of k^weight: its shares are raised to 1 / weight.
    rounded : bool
        Round precision and recall to five decimals, compute F from these and round F, as
        ROUGE-1.5.5 does.

    Returns
    -------
    float64, same shape
        Precision, recall, F.

    References
    ----------
    Lin (2004), ROUGE, sections 2 to 5.
    """
    scores = np.empty(counts.shape)
    shares = part_of(counts[..., :1], counts[..., 1:])
    for column, weight in enumerate(weights):
        if weight != 1:
            # A share that is exactly 1 may exceed 1 in its last bit.
            shares[..., column, :] = np.minimum(shares[..., column, :] ** (1 / weight), 1.0)
    scores[..., :2] = shares = five_decimals(shares) if rounded else shares
    precision, recall = shares[..., 0], shares[..., 1]
    f = f_measure(precision, recall, beta) if alpha is None else weighted_f(precision, recall, alpha)
    scores[..., 2] = five_decimals(f) if rounded else f
    return scores


def best_rows(rows: npt.NDArray[Any], merits: FloatArray, offsets: IntArray) -> npt.NDArray[Any]:
    """Return, per group and type, the row with the highest merit, the first of equals.

    Parameters
    ----------
    rows : shape (n_rows, n_types, ...)
    merits : float64, shape (n_rows, n_types)
    offsets : int64, shape (n_groups + 1,)
        Group i is ``rows[offsets[i]:offsets[i + 1]]``, never empty.

    Returns
    -------
    shape (n_groups, n_types, ...)

    Examples
    --------
    >>> best_rows(np.array([[[5]], [[6]], [[7]]]), np.array([[0.5], [1.0], [0.0]]), np.array([0, 2, 3])).tolist()
    [[[6]], [[7]]]
    """
    best = np.repeat(np.maximum.reduceat(merits, offsets[:-1]), np.diff(offsets), axis=0)
    index = np.where(merits == best, np.arange(len(merits))[:, None], len(merits))
    chosen = np.minimum.reduceat(index, offsets[:-1])
    return np.take_along_axis(rows, chosen[..., None], axis=0)
