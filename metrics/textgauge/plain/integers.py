"""Sequences of integers as lists; offsets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from math import prod
from typing import Any

MOST_NUMBERS = 2**60

# Any sequence of integers; NumPy's arrays are not a `Sequence`, and this package does not import NumPy.
Integers = Any


def integers(values: Integers) -> list[int]:
    """Return a list of Python integers; a list is returned as it is."""
    if isinstance(values, list):
        return values
    return values.tolist() if hasattr(values, "tolist") else list(values)


def offsets_of(lengths: Iterable[int]) -> list[int]:
    """Return the offsets of concatenated pieces of these lengths.

    Examples
    --------
    >>> offsets_of([2, 0, 3])
    [0, 2, 2, 5]
    """
    return list(accumulate(chain((0,), lengths)))


def check_offsets(name: str, offsets: Sequence[int], n_items: int) -> None:
    """Raise ValueError for offsets that do not ascend from 0 to `n_items`."""
    if not offsets or offsets[0] != 0 or offsets[-1] != n_items or not ascend(offsets):
        raise ValueError(f"{name}: expected ascending numbers from 0 to {n_items}")


def ascend(offsets: Sequence[int]) -> bool:
    """Return whether no number is smaller than the one before."""
    return all(start <= stop for start, stop in zip(offsets, offsets[1:], strict=False))


def check_size(*sizes: int) -> None:
    """Raise ValueError for the sizes of an array of more numbers than a computer can have."""
    if prod(size for size in sizes if size) >= MOST_NUMBERS:
        raise ValueError("expected results of fewer than 2**60 numbers")
