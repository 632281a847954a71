"""Ratios of counts in arrays: what becomes of a total of 0 is decided here, and in the formulas of the kernel."""

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
