"""Ratios of counts, and F: what becomes of a total of 0 is decided here, for all metrics of overlap."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray


def ratio(part: npt.ArrayLike, whole: npt.ArrayLike) -> FloatArray:
    """Divide counts: float64, 0 where the whole is 0.

    Examples
    --------
    >>> ratio(np.array([1, 3, 0]), np.array([2, 0, 0])).tolist()
    [0.5, 0.0, 0.0]
    """
    # A number divided by infinity is 0.
    return np.divide(part, np.where(whole, whole, np.inf))


def f_measure(precision: FloatArray, recall: FloatArray, beta: float = 1.0) -> FloatArray:
    """Return (1 + beta^2) P R / (R + beta^2 P), 0 where both are 0.

    References
    ----------
    Lin (2004), ROUGE, equation 4; Popović (2015), chrF, equation 1.

    Examples
    --------
    >>> float(f_measure(np.array(0.5), np.array(1.0)))
    0.6666666666666666
    """
    return ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall)


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
    return ratio(precision * recall, (1 - alpha) * precision + alpha * recall)
