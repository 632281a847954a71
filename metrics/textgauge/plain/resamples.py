"""Sums of rows that are drawn at random: the bootstrap, and exchanges between two systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add, mul
from typing import Any

from .integers import check_size

MOST_ROWS, _WORD_BITS = 512, 64
_WORD = 1 << _WORD_BITS


def mixed(word: int) -> int:
    """Mix the bits of a word, bijectively."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % _WORD
    return word ^ word >> 31


def words(seed: int, number: int) -> Iterator[int]:
    """Yield the random words of one resample.

    References
    ----------
    Steele, Lea and Flood (2014), Fast Splittable Pseudorandom Number Generators, figure 17.
    """
    state = mixed(number ^ mixed(seed))
    while True:
        state = (state + 0x9E3779B97F4A7C15) % _WORD
        yield mixed(state)


def resampled_sums(rows: Any, seed: int, first: int, n_resamples: int, n_threads: int = 1) -> list[list[Any]]:  # noqa: ARG001
    """Sum as many rows as there are, drawn with replacement.

    Parameters
    ----------
    rows : int64 or float64, shape (n_rows, n_columns)
        Integers that overflow in the sums wrap around in the compiled kernel.
    seed, first : int, below 2**64
        A resample depends on the seed, its number, which is `first` for the first one, and the number of rows.
    n_resamples, n_threads : int

    Returns
    -------
    shape (n_resamples, n_columns)
        The rows are added in their order, each times the number of its draws, then those that are drawn again.

    Examples
    --------
    >>> [sums] = resampled_sums([[1, 10], [1, 20], [1, 30]], 0, 0, 1)
    >>> sums[0], 30 <= sums[1] <= 90
    (3, True)
    """
    columns = list(zip(*_listed(rows), strict=True))
    check_size(n_resamples, len(columns))
    found = []
    for number in range(first, first + n_resamples):
        times, again = _draws(len(columns[0]), words(seed, number))
        sums = _weighted(times, columns)
        found.append(
            [reduce(add, [column[row] for row in again], sum_) for column, sum_ in zip(columns, sums, strict=True)]
        )
    return found


def exchanged_sums(rows: Any, seed: int, first: int, n_resamples: int, n_threads: int = 1) -> list[list[Any]]:  # noqa: ARG001
    """Sum rows that are in or out with probability one half: a bit of a word for each, the lowest first.

    Parameters and result are those of `resampled_sums`.

    Examples
    --------
    >>> {sums for [sums] in exchanged_sums([[1], [2]], 0, 0, 50)} == {0, 1, 2, 3}
    True
    """
    columns = list(zip(*_listed(rows), strict=True))
    check_size(n_resamples, len(columns))
    found = []
    for number in range(first, first + n_resamples):
        drawn, times = words(seed, number), []
        for _ in range(0, len(columns[0]), _WORD_BITS):
            word = next(drawn)
            times += [word >> bit & 1 for bit in range(_WORD_BITS)]
        found.append(_weighted(times[: len(columns[0])], columns))
    return found


def _draws(n_rows: int, drawn: Iterator[int]) -> tuple[list[int], list[int]]:
    """Return how often each row is drawn, and the rows that are drawn again.

    Blocks are a power of two of equally many places, at most `MOST_ROWS`, so that coins split the draws among them.
    Fewer places than blocks, the last ones, have no row: who draws one draws again among all rows.
    """
    n_blocks, size = 1, n_rows
    while size > MOST_ROWS:
        n_blocks *= 2
        size = -(-n_rows // n_blocks)
    draws = [n_rows] + [0] * (n_blocks - 1)
    half = n_blocks // 2
    while half:
        for block in range(0, n_blocks, 2 * half):
            heads = _heads(draws[block], drawn)
            draws[block], draws[block + half] = heads, draws[block] - heads
        half //= 2
    times = [0] * (n_blocks * size)
    for block, n_draws in enumerate(draws):
        # A word has two draws, the high half first.
        for i in range(0, n_draws, 2):
            word = next(drawn)
            times[block * size + _below(word, size)] += 1
            if i + 1 < n_draws:
                times[block * size + _below(word << 32, size)] += 1
    again = [_below(next(drawn), n_rows) for _ in range(sum(times[n_rows:]))]
    return times[:n_rows], again


def _heads(n: int, drawn: Iterator[int]) -> int:
    """Throw n coins, each a bit of a word, the highest ones of the last word; count the heads."""
    found = 0
    for left in range(n, 0, -_WORD_BITS):
        found += bin(next(drawn) >> max(_WORD_BITS - left, 0)).count("1")
    return found


def _below(word: int, n: int) -> int:
    """Return a number below n from the high half of a word."""
    return (word % _WORD >> 32) * n >> 32


def _weighted(times: Sequence[int], columns: Sequence[Sequence[Any]]) -> list[Any]:
    """Sum each column from its first row to its last: not by `sum`, which compensates the rounding of floats."""
    return [reduce(add, map(mul, times, column), type(column[0])()) for column in columns]


def _listed(rows: Any) -> list[list[Any]]:
    listed: list[list[Any]] = rows.tolist() if hasattr(rows, "tolist") else rows
    return listed
