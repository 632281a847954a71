"""Sums of scores without rounding: equal in any order and for any number of parts.

A number is written in digits of 32 bits: the integer part, then `DIGITS` - 1 fractional
digits. Digits are integers, which float64 and int64 add without error; only the result is
rounded, once.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import engine
from ..arrays import FloatArray, IntArray
from ..checks import fail, shown

DIGITS, _BITS = 4, 32
_BASE = 1 << _BITS
_SCALE = _BASE ** (DIGITS - 1)
_ALLOWED = "finite numbers, 0 or at least 2**-43"


def digits_of(values: npt.ArrayLike) -> FloatArray:
    """Return the digits of numbers: ``values == sum(digits[i] * 2.0**(-32 * i))``, without rounding.

    Parameters
    ----------
    values : finite, 0 or at least 2**-43

    Returns
    -------
    float64, shape (DIGITS, *values.shape)
        Integers, all but the first below 2**32.

    Raises
    ------
    ValueError
        If a value is too small for the digits, or not finite.

    Examples
    --------
    >>> digits_of(2.75).tolist()
    [2.0, 3221225472.0, 0.0, 0.0]
    """
    rest = np.array(values, np.float64)
    digits = np.empty((DIGITS, *rest.shape))
    with np.errstate(invalid="ignore"):
        for i in range(DIGITS):
            rest -= np.floor(rest, out=digits[i, ...])
            rest *= _BASE
    refused = (rest != 0) | (digits[0] < 0)
    if refused.any():
        fail(ValueError, "values", _ALLOWED, shown(np.asarray(values)[refused].flat[0]))
    return digits


def carried(digits: IntArray) -> IntArray:
    """Carry sums of digits, so that all but the first are below 2**32 again: shape (DIGITS, ...)."""
    digits = digits.copy()
    for i in range(DIGITS - 1, 0, -1):
        digits[i - 1] += digits[i] >> _BITS
        digits[i] &= _BASE - 1
    return digits


def from_digits(digits: Any) -> npt.NDArray[np.object_]:
    """Return sums of digits, shape (DIGITS, *axes), as Python integers in units of 2**-96: shape axes."""
    total: Any = 0
    for digit in digits:
        total = total * _BASE + np.asarray(digit).astype(np.int64).astype(object)
    return np.asarray(total, object)


def rounded(sums: npt.NDArray[np.object_], divisor: Any = 1) -> FloatArray:
    """Divide results of `from_digits`, and round once: float64, same shape."""
    # Python's division of integers of any size is correctly rounded.
    return np.asarray(sums / (divisor * _SCALE), np.float64)


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


def exact_means(parts: Iterable[FloatArray]) -> FloatArray:
    """Return the means over the first axis of all parts, exact before one rounding.

    Parameters
    ----------
    parts : shape (n_segments_of_it, *axes) each
        As for `digits_of`.

    Examples
    --------
    >>> exact_means([np.array([[1.0, 0.0]]), np.array([[0.5, 0.5]])]).tolist()
    [0.75, 0.25]
    """
    parts = iter(parts)
    beginning = list(islice(parts, 2))
    if len(beginning) == 1 and len(beginning[0]) == 1:
        return beginning[0][0]
    total: Any = 0
    n_segments = 0
    for values in chain(beginning, parts):
        total = carried(total + _digit_sums(values))
        n_segments += len(values)
    return rounded(from_digits(total), n_segments)


def _digit_sums(values: npt.NDArray[np.number]) -> IntArray:
    """Return the sums of digits: shape (DIGITS, *axes)."""
    n_segments, *axes = values.shape
    columns = np.ascontiguousarray(values, np.float64).reshape(n_segments, -1)
    sums = engine.kernel.digit_sums(columns)
    if isinstance(sums, int):
        fail(ValueError, "values", _ALLOWED, shown(columns.flat[sums]))
    return np.asarray(sums, np.int64).reshape(DIGITS, *axes)
