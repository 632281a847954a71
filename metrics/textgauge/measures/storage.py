"""Statistics as Arrow tables: to a file, another process or another machine, and back with a check."""

from __future__ import annotations

import abc
import json
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..arrays import IntArray, offsets_of
from ..checks import fail, shown

# Goes up whenever the numbers of a row change their meaning.
FORMAT = 1
_KEY = b"textgauge"
_COLUMN = "statistics"
# More than any corpus has; counts beyond it could not be added up.
LARGEST_COUNT = 1 << 53
# A mean of lengths is no less; `exact_sums` takes nothing smaller.
_SMALLEST = 2.0**-43
_LARGEST_SUM = 2.0**62
_Kind = TypeVar("_Kind", bound="Storable")


class Storable(abc.ABC):
    """An accumulator that becomes an Arrow table, one row per segment, and comes back from one."""

    _batches: list[Any]
    _n_references: frozenset[int]
    # What the schema calls that which every segment came with.
    _origin_name = "references"

    @property
    @abc.abstractmethod
    def _zero_row(self) -> npt.NDArray[Any]:
        """A row of statistics, for its shape and dtype."""

    @property
    @abc.abstractmethod
    def _described(self) -> dict[str, str]:
        """Every option that moves a count, in words."""

    @property
    def _rows(self) -> list[npt.NDArray[Any]]:
        """The rows of every batch."""
        return self._batches

    @property
    def _rows_per_segment(self) -> IntArray | None:
        """How many rows belong to each segment, None where it is always one."""
        return None

    def _take_rows(self, rows: npt.NDArray[Any], _: IntArray | None) -> None:
        """Become the accumulator of these rows."""
        self._batches = [rows]

    @property
    def _origin(self) -> list[Any]:
        """What the segments came with: the numbers of their references."""
        return sorted(self._n_references)

    def _took_origin(self, origin: list[Any]) -> bool:
        """Take that, or say that it is nothing of the kind."""
        self._n_references = frozenset(origin)
        return all(type(n) is int and n > 0 for n in origin)

    def _check_rows(self, rows: npt.NDArray[Any]) -> None:
        """Raise for a value that no row of statistics has."""
        is_count = (rows == 0) | ((rows >= _SMALLEST) & (rows <= LARGEST_COUNT))
        refuse_values(rows, is_count, f"counts from 0 to {LARGEST_COUNT}")
        if len(rows) and rows.sum(axis=0, dtype=np.float64).max() > _LARGEST_SUM:
            fail(ValueError, "table", "counts whose sums 64 bits can hold", f"{len(rows)} rows of larger ones")

    def to_arrow(self) -> pa.Table:
        """Return the statistics as a table with one column, `statistics`, and one row per segment.

        The schema carries the options, so that `from_arrow` takes no other statistics for
        these; a callable tokenizer is known by its name only. No segments give no rows.
        """
        zeros, per_segment = self._zero_row, self._rows_per_segment
        values = np.concatenate([zeros[:0].reshape(-1), *(rows.reshape(-1) for rows in self._rows)])
        column = pa.FixedSizeListArray.from_arrays(pa.array(values, pa.from_numpy_dtype(zeros.dtype)), zeros.size)
        if per_segment is not None:
            column = pa.LargeListArray.from_arrays(offsets_of(per_segment), column)
        about = {
            "format": FORMAT,
            "accumulator": type(self).__name__,
            "options": self._described,
            self._origin_name: self._origin,
        }
        return pa.table({_COLUMN: column}).replace_schema_metadata({_KEY: json.dumps(about)})

    @classmethod
    def from_arrow(cls: type[_Kind], table: pa.Table, **options: Any) -> _Kind:
        """Return the accumulator with these options and the segments of a table that `to_arrow` made.

        Raises
        ------
        TypeError
            If it is no table, or one of other columns.
        ValueError
            If it was counted by another accumulator or with other options, or holds what is no count.
        """
        empty = cls(**options)
        if not isinstance(table, pa.Table):
            fail(TypeError, "table", "a pyarrow Table", shown(table))
        _check_origin(table, empty)
        zeros, per_segment = empty._zero_row, empty._rows_per_segment
        kind = pa.list_(pa.from_numpy_dtype(zeros.dtype), zeros.size)
        expected = pa.schema({_COLUMN: kind if per_segment is None else pa.large_list(kind)})
        if not table.schema.equals(expected):
            fail(TypeError, "table", f"the schema ({_on_one_line(expected)})", f"({_on_one_line(table.schema)})")
        column = _complete(table)
        if per_segment is not None:
            per_segment = _lengths(column)
            column = _flattened(column)
        rows = _values(_flattened(column), zeros.dtype).reshape(-1, *zeros.shape)
        empty._check_rows(rows)
        if len(rows):
            empty._take_rows(rows, per_segment)
        return empty


def refuse_values(rows: npt.NDArray[Any], is_right: npt.NDArray[np.bool_], allowed: str) -> None:
    """Raise for the first of the values that is not right."""
    if not is_right.all():
        fail(ValueError, "table", allowed, shown(rows[~is_right][0].item()))


def refuse_rows(is_right: npt.NDArray[np.bool_], rows: npt.NDArray[Any], allowed: str) -> None:
    """Raise for the first row that no text could give."""
    if not is_right.all():
        row = int(np.flatnonzero(~is_right)[0])
        fail(ValueError, f"table: row {row}", allowed, shown(rows[row].tolist()))


def _on_one_line(schema: pa.Schema) -> str:
    return schema.remove_metadata().to_string().replace("\n", ", ")


def _check_origin(table: pa.Table, empty: Storable) -> None:
    """Compare what the schema says with what is wanted, and hand over what the segments came with."""
    accumulator, options = type(empty).__name__, empty._described
    try:
        about = json.loads((table.schema.metadata or {})[_KEY])
        made_by, given = (about["accumulator"], about["format"]), about["options"]
        is_made_here = isinstance(given, dict)
        if is_made_here and made_by == (accumulator, FORMAT):
            is_made_here = empty._took_origin(about[empty._origin_name])
    except (KeyError, TypeError, ValueError, RecursionError):
        is_made_here = False
    if not is_made_here:
        fail(ValueError, "table", "one that to_arrow made, with its metadata", "none or other metadata")
    if made_by != (accumulator, FORMAT):
        fail(ValueError, "table", f"statistics of {accumulator} in format {FORMAT}", shown(made_by))
    for key in (*options, *given):
        if options.get(key) != given.get(key):
            wanted = f"statistics counted with {key}:{options.get(key, 'none')}"
            fail(ValueError, "table", wanted, f"{key}:{shown(given.get(key))}")


def _complete(table: pa.Table) -> list[pa.Array]:
    """Return the chunks of the column, with a value everywhere."""
    try:
        table.validate(full=True)
    except pa.ArrowException as error:
        fail(ValueError, "table", "valid Arrow data", str(error))
    chunks: list[pa.Array] = table.column(_COLUMN).chunks
    _refuse_nulls(chunks)
    return chunks


def _refuse_nulls(chunks: list[pa.Array]) -> None:
    if any(chunk.null_count for chunk in chunks):
        fail(ValueError, "table", "a count everywhere", "null")
    # pyarrow 15 does not count lists of a fixed size among nested types.
    if chunks and hasattr(chunks[0], "flatten"):
        _refuse_nulls(_flattened(chunks))


def _flattened(chunks: list[pa.Array]) -> list[pa.Array]:
    return [chunk.flatten() for chunk in chunks]


def _lengths(chunks: list[pa.Array]) -> IntArray:
    lengths = [np.asarray(chunk.value_lengths(), np.int64) for chunk in chunks]
    per_segment = np.concatenate([np.zeros(0, np.int64), *lengths])
    if not per_segment.all():
        fail(ValueError, "table", "a row of counts for every segment", "none")
    return per_segment


def _values(chunks: list[pa.Array], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    return np.concatenate([np.zeros(0, dtype), *map(np.asarray, chunks)])
