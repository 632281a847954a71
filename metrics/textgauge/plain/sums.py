"""Sums of floats without rounding."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

N_DIGITS, N_BITS = 4, 32
# The exclusive upper bound of the values.
LARGEST = 2.0**63


def digit_sums(values: Any) -> list[list[int]] | int:
    """Sum numbers, column by column, in digits of 32 bits.

    Parameters
    ----------
    values : float64, shape (n_rows, n_columns)

    Returns
    -------
    int64, shape (4, n_columns), or int
        ``sum(sums[i] * 2.0**(-32 * i))`` is the sum of a column, without rounding; all digits but the
        first are below 2**32. For a value that is negative, not finite, at least 2**63, or not a multiple of
        2**-96, the result is its index in row-major order.

    Raises
    ------
    OverflowError
        If a column adds up to 2**63 or more.

    Examples
    --------
    >>> digit_sums([[2.75, 0.5], [0.25, 0.75]])
    [[3, 1], [0, 1073741824], [0, 0], [0, 0]]
    >>> digit_sums([[2.75, 0.5], [0.25, -1.0]])
    3
    """
    rows: Sequence[Sequence[float]] = values.tolist() if hasattr(values, "tolist") else values
    n_columns = values.shape[1] if hasattr(values, "shape") else len(rows[0]) if rows else 0
    # As integers in units of the last digit, which Python adds at any size.
    sums = [0] * n_columns
    for row, numbers in enumerate(rows):
        for column, number in enumerate(numbers):
            if not (isfinite(number) and 0 <= number < LARGEST):
                return row * n_columns + column
            numerator, denominator = number.as_integer_ratio()
            whole, rest = divmod(numerator << N_BITS * (N_DIGITS - 1), denominator)
            if rest:
                return row * n_columns + column
            sums[column] += whole
    if any(total >> N_BITS * (N_DIGITS - 1) >= LARGEST for total in sums):
        raise OverflowError("values: expected columns that add up to less than 2**63")
    digits = []
    for _ in range(1, N_DIGITS):
        digits.append([total % 2**N_BITS for total in sums])
        sums = [total >> N_BITS for total in sums]
    return [sums, *reversed(digits)]


def digit_means(sums: Any, n: int, factor: float = 1.0) -> list[float]:
    """Divide what digits add up to, times a factor, and round once.

    Parameters
    ----------
    sums : int64, shape (4, n_columns)
        As from `digit_sums`; digits may be negative, and need not be carried.
    n : int, from 1 to 2**62
    factor : float, from 2**-64 to 2**64 in size

    Returns
    -------
    list of float, shape (n_columns,)

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Examples
    --------
    >>> digit_means(digit_sums([[1.0, 0.0], [0.5, 0.25]]), 2, 100.0)
    [75.0, 12.5]
    """
    rows: Sequence[Sequence[int]] = sums.tolist() if hasattr(sums, "tolist") else sums
    if len(rows) != N_DIGITS:
        raise ValueError("sums: expected four digits of every column")
    if not 1 <= n <= 2**62:
        raise ValueError("n: expected 1 to 2**62")
    if not 2.0**-64 <= abs(factor) <= 2.0**64:
        raise ValueError("factor: expected 2**-64 to 2**64 in size")
    numerator, denominator = float(factor).as_integer_ratio()
    totals = [0] * len(rows[0])
    for row in rows:
        totals = [(total << N_BITS) + digit for total, digit in zip(totals, row, strict=True)]
    below = n * denominator << N_BITS * (N_DIGITS - 1)
    # Python's division of integers of any size is correctly rounded.
    return [total * numerator / below for total in totals]
