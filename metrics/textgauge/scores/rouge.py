"""Precision, recall and F from matches and totals."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def share(part: npt.ArrayLike, whole: npt.ArrayLike) -> FloatArray:
    """Divide counts; a share of nothing is 0."""
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole != 0)


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
    return share((1 + beta**2) * precision * recall, beta**2 * precision + recall)


def precision_recall_f(counts: npt.NDArray[np.int64], beta: float = 1.0) -> FloatArray:
    """Score counts of matches, hypothesis units and reference units.

    Parameters
    ----------
    counts : int64, shape (..., 3)
    beta : float
        How many times as important recall is as precision.

    Returns
    -------
    float64, shape (..., 3)
        Precision, recall, F.

    References
    ----------
    Lin (2004), ROUGE, sections 2 and 3.
    """
    precision = share(counts[..., 0], counts[..., 1])
    recall = share(counts[..., 0], counts[..., 2])
    return np.stack((precision, recall, f_measure(precision, recall, beta)), axis=-1)
