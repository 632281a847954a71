"""Sums of numbers: exact, or in the order of a tool; and ratios."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from . import engine
from .arrays import FloatArray, IntArray
from .checks import fail, shown

DIGITS, _BITS = 4, 32
_BASE = 1 << _BITS
_SCALE = _BASE ** (DIGITS - 1)
_LAST = 2.0 ** (_BITS * (DIGITS - 1))
# Larger numbers are multiples of 2**-96, since float64 has 53 bits.
_SMALL = 2.0**-43
# The largest integer part whose sums over a corpus stay within 64 bits.
_LARGEST = 2.0**62


def digits_of(values: npt.ArrayLike) -> FloatArray:
    """Return the digits of numbers: ``values == sum(digits[i] * 2.0**(-32 * i))``, without rounding.

    Parameters
    ----------
    values : finite

    Returns
    -------
    float64, shape (DIGITS, *values.shape)
        Integers below 2**32 but for the first; those of a negative number are at most 0.

    Raises
    ------
    ValueError
        If a value is not finite, or 2**62 or more.

    Examples
    --------
    >>> digits_of(2.75).tolist(), digits_of(-0.5).tolist()[:2]
    ([2.0, 3221225472.0, 0.0, 0.0], [-0.0, -2147483648.0])
    """
    rounded_values = _multiples(np.asarray(values, np.float64))
    rest = np.abs(rounded_values)
    digits = np.empty((DIGITS, *rest.shape))
    for i in range(DIGITS):
        rest -= np.floor(rest, out=digits[i, ...])
        rest *= _BASE
    return np.copysign(digits, rounded_values)


def _multiples(values: FloatArray) -> FloatArray:
    """Return finite values as multiples of the last digit."""
    refused = ~(np.abs(values) < _LARGEST)
    if refused.any():
        _refuse(values[refused].flat[0])
    return np.where(np.abs(values) < _SMALL, np.rint(values * _LAST) / _LAST, values)


def _refuse(value: float) -> NoReturn:
    fail(ValueError, "values", "finite numbers below 2**62", shown(float(value)))


def carried(digits: IntArray) -> IntArray:
    """Carry sums of digits, so that all but the first are below 2**32 again: shape (DIGITS, ...)."""
    digits = digits.copy()
    for i in range(DIGITS - 1, 0, -1):
        digits[i - 1] += digits[i] >> _BITS
        digits[i] &= _BASE - 1
    return digits


def from_digits(digits: Any) -> npt.NDArray[np.object_]:
    """Return sums of digits, shape (DIGITS, *axes), as Python integers in units of 2**-96: shape axes."""
    digits = np.asarray(digits).astype(np.int64)
    first, *rest = digits.reshape(len(digits), -1).tolist()
    totals = first
    for digit in rest:
        totals = [(total << _BITS) + part for total, part in zip(totals, digit, strict=True)]
    sums = np.empty(len(totals), object)
    sums[:] = totals
    return sums.reshape(digits.shape[1:])


def rounded(sums: npt.NDArray[np.object_], divisor: Any = 1) -> FloatArray:
    """Divide results of `from_digits`, and round once: float64, same shape."""
    below = int(divisor) * _SCALE
    # Python's division of integers of any size is correctly rounded.
    return np.array([total / below for total in sums.reshape(-1).tolist()], np.float64).reshape(sums.shape)


def exact_sums(values: npt.NDArray[np.number]) -> npt.NDArray[np.number]:
    """Sum over the first axis: integers exactly, floats with one rounding.

    Parameters
    ----------
    values : shape (n_segments, *axes)
        As for `digits_of`.

    Examples
    --------
    >>> exact_sums(np.array([0.1] * 10)), float(np.cumsum([0.1] * 10)[-1])
    (array(1.), 0.9999999999999999)
    """
    return values.sum(axis=0) if values.dtype.kind == "i" else rounded(from_digits(_digit_sums(values)))


def are_own_means(values: Iterable[Any]) -> bool:
    """Return whether the exact mean of a single number is that number, for all numbers: finite multiples of 2**-96.

    Examples
    --------
    >>> are_own_means([0.0, -0.3, 1]), are_own_means([1e-20])
    (True, False)
    """
    # Without a generator: for every single pair.
    for value in values:  # noqa: SIM110
        if not (_SMALL <= value < _LARGEST or value == 0 or _SMALL <= -value < _LARGEST):
            return False
    return True


def exact_means(parts: Iterable[Sequence[FloatArray]], factor: float = 1.0, n_threads: int = 1) -> list[float]:
    """Return the mean of every column over all parts, times a factor, exact before one rounding.

    Parameters
    ----------
    parts : iterable of sequences of float64 arrays
        The columns of every part, shape (n_segments_of_it,) each, of numbers as for `digits_of`. An iterator need not
        hold all parts at once.
    factor : float
    n_threads : int

    Examples
    --------
    >>> exact_means([[np.array([1.0]), np.array([0.0])], [np.array([0.5]), np.array([0.5])]])
    [0.75, 0.25]
    """
    means = engine.kernel.exact_means(parts, factor, n_threads)
    return means if isinstance(means, list) else _refuse(means)


def scaled_means(sums: npt.NDArray[np.object_], n_segments: int, factor: float) -> FloatArray:
    """Return the means of results of `from_digits`, times a factor, rounded once: float64, same shape."""
    numerator, denominator = factor.as_integer_ratio()
    return rounded(sums * numerator, n_segments * denominator)


def _digit_sums(values: npt.NDArray[np.number]) -> IntArray:
    """Return the sums of digits: shape (DIGITS, *axes)."""
    n_segments, *axes = values.shape
    columns = np.ascontiguousarray(values, np.float64).reshape(n_segments, -1)
    sums: Any = engine.kernel.digit_sums(columns)
    if isinstance(sums, int):
        # The kernel adds numbers of at least 0 that have no digits beyond the last.
        columns = _multiples(columns)
        sums = _of_positive(np.maximum(columns, 0)) - _of_positive(np.maximum(-columns, 0))
    return np.asarray(sums, np.int64).reshape(DIGITS, *axes)


def _of_positive(columns: FloatArray) -> IntArray:
    return np.asarray(engine.kernel.digit_sums(columns), np.int64)


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


def ratio(part: npt.ArrayLike, whole: npt.ArrayLike) -> FloatArray:
    """Divide counts: float64, 0 where the whole is 0.

    Examples
    --------
    >>> ratio(np.array([1, 3, 0]), np.array([2, 0, 0])).tolist()
    [0.5, 0.0, 0.0]
    """
    # A number divided by infinity is 0.
    return np.divide(part, np.where(whole, whole, np.inf))
