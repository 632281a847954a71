"""Sums of the segments of a corpus as other tools add them: in order, every sum rounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..arrays import Counts, FloatArray


def one_by_one(values: FloatArray) -> float:
    """Add numbers as a loop does.

    Examples
    --------
    >>> one_by_one(np.array([0.1] * 10))
    0.9999999999999999
    """
    # NumPy's `sum` adds in pairs; running sums are rounded one after the other.
    return float(np.cumsum(values)[-1])


def in_pairs(values: FloatArray) -> float:
    """Add numbers as NumPy's `sum` and `mean` do."""
    return float(np.sum(np.ascontiguousarray(values)))


def by_sum(values: FloatArray) -> float:
    """Add numbers as Python's `sum` does, which is more exact from 3.12 on."""
    return float(sum(values.tolist()))


def sums_in_order(values: Counts, add: Callable[[FloatArray], float]) -> FloatArray:
    """Return the sums over the first axis, column by column: float64, shape (n_columns,)."""
    return np.array([add(column) for column in values.T])


def means_in_order(
    parts: Sequence[FloatArray], add: Callable[[FloatArray], float], factor: float, *, scales_mean: bool = False
) -> FloatArray:
    """Return the factor times the sum over the first axis of all parts, divided by their length: shape (n_columns,).

    With `scales_mean` the factor multiplies the rounded quotient.
    """
    values = np.concatenate(parts)
    sums = sums_in_order(values, add)
    return factor * (sums / len(values)) if scales_mean else factor * sums / len(values)
