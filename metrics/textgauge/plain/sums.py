"""Sums of floats without rounding."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

N_DIGITS, N_BITS = 4, 32
_UNITS = 1 << N_BITS * (N_DIGITS - 1)
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


def exact_means(
    parts: Iterable[Sequence[Any]], factor: float = 1.0, n_threads: int = 1
) -> list[float] | float:  # fmt: skip
    """Return the means of columns over all parts, times a factor, rounded once.

    Numbers below 2**-43 are rounded to a multiple of 2**-96 first, each by itself.

    Parameters
    ----------
    parts : iterable of sequences of float64 arrays
        As many columns in each part; shape (n_rows,), the same for all columns of a part.
    factor : float, from 2**-64 to 2**64 in size
    n_threads : int

    Returns
    -------
    list of float, shape (n_columns,), or float
        A number that is not finite, or 2**62 or more in size, is the result instead: the first one, column by column.

    Raises
    ------
    ValueError
        If an argument is out of its range, there are no numbers, or columns have several lengths.
    OverflowError
        If the numbers of a column of one sign add up to 2**63 or more in size.

    Examples
    --------
    >>> exact_means([[[1.0, 0.5], [0.0, 0.25]]], 100.0)
    [75.0, 12.5]
    """
    if not 2.0**-64 <= abs(factor) <= 2.0**64:
        raise ValueError("factor: expected 2**-64 to 2**64 in size")
    # As integers in units of the last digit: those of each sign.
    sums: list[list[int]] | None = None
    n = 0
    for part in parts:
        columns = [column.tolist() if hasattr(column, "tolist") else list(column) for column in part]
        sums = [[0, 0] for _ in columns] if sums is None else sums
        if len(columns) != len(sums):
            raise ValueError("parts: expected as many columns in each")
        if len({*map(len, columns)}) > 1:
            raise ValueError("parts: expected columns of one length")
        for column, total in zip(columns, sums, strict=True):
            for number in column:
                if not abs(number) < 2.0**62:
                    return float(number)
                total[number < 0] += round(abs(Fraction(number)) * _UNITS)
        n += len(columns[0]) if columns else 0
    if sums is None or n == 0:
        raise ValueError("parts: expected at least one number")
    if any(size >= LARGEST * _UNITS for total in sums for size in total):
        raise OverflowError("values: expected columns that add up to less than 2**63")
    numerator, denominator = float(factor).as_integer_ratio()
    # Python's division of integers of any size is correctly rounded.
    return [(more - less) * numerator / (n * denominator * _UNITS) for more, less in sums]
