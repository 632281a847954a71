"""Ragged columns: one flat array of values and the offsets that cut it into texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Ragged:
    """A column of variable-length rows without one Python object per row.

    Attributes
    ----------
    values : any integer dtype, shape (n_values,)
        The values of all rows, one row behind the other.
    offsets : int64, shape (n_rows + 1,)
        Row i is ``values[offsets[i]:offsets[i + 1]]``; ``offsets[0]`` is 0.

    Examples
    --------
    >>> Ragged.from_rows([[7, 8], [], [9]]).lengths
    array([2, 0, 1])
    """

    values: npt.NDArray[Any]
    offsets: IntArray

    @classmethod
    def from_rows(cls, rows: list[list[int]]) -> Ragged:
        """Build a ragged column of int64 from Python lists."""
        offsets = offsets_of([len(row) for row in rows])
        return cls(np.array([value for row in rows for value in row], np.int64), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> IntArray:
        """int64, shape (n_rows,)."""
        return lengths_of(self.offsets)

    @property
    def row_of(self) -> IntArray:
        """The row of every value: int64, shape (n_values,)."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def take(self, rows: IntArray) -> Ragged:
        """Return the given rows, in that order, repeats allowed."""
        lengths = self.lengths[rows]
        offsets = offsets_of(lengths)
        shift = np.repeat(self.offsets[rows] - offsets[:-1], lengths)
        return Ragged(self.values[np.arange(offsets[-1]) + shift], offsets)


def offsets_of(lengths: npt.ArrayLike) -> IntArray:
    """Turn row lengths into offsets: int64, one longer than `lengths`."""
    lengths = np.asarray(lengths, np.int64)
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def lengths_of(offsets: IntArray) -> IntArray:
    """Turn offsets into row lengths: int64, one shorter than `offsets`."""
    return offsets[1:] - offsets[:-1]
