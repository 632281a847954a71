"""What a row of counts holds: named fields, additive over segments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import Counts, FloatArray, IntArray


class Field(NamedTuple):
    """One field of a row.

    Attributes
    ----------
    name : str
    size : int
        How many numbers it has; 0 for one number without an axis.
    is_whole : bool
        Whether its numbers are counts: integers of at least 0.
    is_finite : bool
        Whether its numbers are finite.
    over : "chosen", "mean" or "max"
        Its value for a segment with several references: that of the reference that the rule of the
        metric chooses, or the mean or the largest over all of them.
    """

    name: str
    size: int = 0
    is_whole: bool = True
    is_finite: bool = True
    over: Literal["chosen", "mean", "max"] = "chosen"


class Layout:
    """The fields of a row, one after the other.

    Attributes
    ----------
    fields : tuple of Field
    along : tuple of str
        The names along the axis of every field, where rows hold the counts of several scores; the
        best reference is then chosen for each of them.
    dtype : int64, or float64 if a field has numbers that are no integers
    n_columns : int

    Examples
    --------
    >>> layout = Layout([Field("matches", 2), Field("length")])
    >>> rows = layout.filled(3, matches=[[1, 0], [2, 1], [0, 0]], length=[4, 5, 6])
    >>> rows["matches"].sum(axis=0), rows.total()["length"].item()
    (array([3, 1]), 15)
    """

    def __init__(self, fields: Sequence[Field], along: Sequence[str] = ()) -> None:
        """Find the place of every field."""
        self.fields, self.along = tuple(fields), tuple(along)
        is_whole = all(field.is_whole for field in fields)
        self.dtype: np.dtype[Any] = np.dtype(np.int64 if is_whole else np.float64)
        self.places: dict[str, int | slice] = {}
        self.n_columns = sum(max(field.size, 1) for field in fields)
        start = 0
        for i, field in enumerate(fields):
            # With names, all fields of the first name come first, as the kernel counts.
            adjacent = slice(start, start + field.size) if field.size else start
            self.places[field.name] = slice(i, None, len(fields)) if along else adjacent
            start += max(field.size, 1)
        # Integers that are stored as float64, beside fields that are not whole.
        self.cast = frozenset() if is_whole else frozenset(field.name for field in fields if field.is_whole)

    def filled(self, n_rows: int, **columns: Any) -> Rows:
        """Return rows with these values: shape (n_rows,) or (n_rows, size) for every field."""
        values = np.empty((n_rows, self.n_columns), self.dtype)
        for name, column in columns.items():
            values[:, self.places[name]] = column
        return Rows(self, values)

    def plain(self, row: Rows) -> dict[str, Any]:
        """Return one row as Python numbers: by field, or by the names of `along` and then by field."""
        by_field = {field.name: row[field.name].tolist() for field in self.fields}
        if not self.along:
            return by_field
        return {one: {name: column[i] for name, column in by_field.items()} for i, one in enumerate(self.along)}


class Rows:
    """Counts in the fields of a layout, with any leading axes.

    ``rows["matches"]`` has shape (..., size), or (...,) for a field of size 0. Additive: the rows of two
    corpora are the rows of their union, and `total` is their sum.

    Attributes
    ----------
    layout : Layout
    values : shape (..., layout.n_columns)
        All fields side by side.
    per_segment : int64, shape (n_segments,), or None
        Number of rows of each segment, whose scores are averaged; None if each has one.
    last : Rows or None
        Of a sum over a corpus, the row of its last segment, on which nltk's BLEU depends.
    merits : float64, shape (n_pairs,) or (n_pairs, n_names), or None
        Of the rows of pairs, what makes one the best of its segment; None: its score.
    """

    __slots__ = ("last", "layout", "merits", "per_segment", "values")

    def __init__(
        self, layout: Layout, values: Counts, per_segment: IntArray | None = None, last: Rows | None = None,
        merits: FloatArray | None = None,
    ) -> None:  # fmt: skip
        """Store them."""
        self.layout, self.values, self.per_segment, self.last = layout, values, per_segment, last
        self.merits = merits

    def __getitem__(self, field: str) -> npt.NDArray[Any]:
        """Return a field."""
        part = self.values[..., self.layout.places[field]]
        return part.astype(np.int64) if field in self.layout.cast else part

    def __len__(self) -> int:
        """Return the number of segments."""
        return len(self.values if self.per_segment is None else self.per_segment)

    def total(self) -> Rows:
        """Return the sum of the rows, with the last of them."""
        return Rows(self.layout, self.values.sum(axis=0), last=Rows(self.layout, self.values[-1]))
