"""Precision, recall and F of ROUGE and of token F1 from matches and totals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Counts, FloatArray
from .ratios import f_measure, ratio, weighted_f


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
    matches: Counts,
    hypothesis: Counts,
    reference: Counts,
    beta: float = 1.0,
    *,
    alpha: float | None = None,
    weights: Sequence[float] = (),
    rounded: bool = False,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Compute precision, recall and F from matches, hypothesis units and reference units.

    Parameters
    ----------
    matches, hypothesis, reference : int64 or float64, shape (..., n_types)
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
    precision, recall, F : float64, same shape

    References
    ----------
    Lin (2004), ROUGE, sections 2 to 5.
    """
    precision, recall = ratio(matches, hypothesis), ratio(matches, reference)
    if any(weight != 1 for weight in weights):
        # A share that is exactly 1 may exceed 1 in its last bit.
        precision, recall = (_unweighted(shares, weights) for shares in (precision, recall))
    if rounded:
        precision, recall = five_decimals(precision), five_decimals(recall)
    f = f_measure(precision, recall, beta) if alpha is None else weighted_f(precision, recall, alpha)
    return precision, recall, five_decimals(f) if rounded else f


def _unweighted(shares: FloatArray, weights: Sequence[float]) -> FloatArray:
    for column, weight in enumerate(weights):
        if weight != 1:
            shares[..., column] = np.minimum(shares[..., column] ** (1 / weight), 1.0)
    return shares
