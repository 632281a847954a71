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
