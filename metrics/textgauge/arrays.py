"""The array types that modules exchange."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
Counts = npt.NDArray[np.number]


def offsets_of(lengths: npt.ArrayLike) -> IntArray:
    """Return offsets for rows of these lengths: int64, shape (n_rows + 1,); row i spans offsets i to i + 1."""
    lengths = np.asarray(lengths, np.int64)
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def lengths_of(offsets: IntArray) -> IntArray:
    """Return the lengths of rows from their offsets: int64, one shorter than `offsets`."""
    return offsets[1:] - offsets[:-1]


@dataclass(frozen=True)
class Ragged:
    """Rows of different lengths without one Python object per row.

    Attributes
    ----------
    values : any integer dtype, shape (n_values,)
        The values of all rows, one row after the other.
    offsets : int64, shape (n_rows + 1,)
        Row i is ``values[offsets[i]:offsets[i + 1]]``; ``offsets[0]`` is 0.

    Examples
    --------
    >>> Ragged(np.array([7, 8, 9]), offsets_of([2, 0, 1])).lengths
    array([2, 0, 1])
    """

    values: npt.NDArray[Any]
    offsets: IntArray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> IntArray:
        """int64, shape (n_rows,)."""
        return lengths_of(self.offsets)


class Numbering(dict[str, int]):
    """A number for each distinct text, in the order in which they come.

    Examples
    --------
    >>> numbering = Numbering()
    >>> numbering.of(["no", "yes", "no"]), [*numbering]
    (array([0, 1, 0]), ['no', 'yes'])
    """

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number

    def of(self, texts: Sequence[str]) -> IntArray:
        """Return the numbers of texts."""
        return np.fromiter(map(self.__getitem__, texts), np.int64, len(texts))
