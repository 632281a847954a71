"""Statistics as Arrow tables: to a file, another process or another machine, and back with a check."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..checks import fail, shown

# Goes up whenever the numbers of a row change their meaning.
FORMAT = 1
_KEY = b"textgauge"
_COLUMN = "statistics"
# More than any corpus has; counts beyond it could not be added up.
_LARGEST_COUNT = 1 << 53
_Kind = TypeVar("_Kind", bound="Storable")


class Storable:
    """An accumulator that becomes an Arrow table, one row per segment, and comes back from one.

    A subclass gives a row of zeros and, in words, every option that moves a count.
    """

    _batches: list[npt.NDArray[Any]]
    _n_references: frozenset[int]

    @property
    def _zero_row(self) -> npt.NDArray[Any]:
        raise NotImplementedError

    @property
    def _described(self) -> dict[str, str]:
        raise NotImplementedError

    def to_arrow(self) -> pa.Table:
        """Return the statistics as a table with one column, `statistics`, and one row per segment.

        The schema carries the options, so that `from_arrow` takes no other statistics for
        these; a callable tokenizer is known by its name only. No segments give no rows.
        """
        zeros = self._zero_row
        values = np.concatenate([zeros[:0].reshape(-1), *(batch.reshape(-1) for batch in self._batches)])
        column = pa.FixedSizeListArray.from_arrays(pa.array(values, pa.from_numpy_dtype(zeros.dtype)), zeros.size)
        about = {
            "format": FORMAT,
            "accumulator": type(self).__name__,
            "options": self._described,
            "references": sorted(self._n_references),
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
        empty._n_references = frozenset(_references(table, cls.__name__, empty._described))
        zeros = empty._zero_row
        expected = pa.schema({_COLUMN: pa.list_(pa.from_numpy_dtype(zeros.dtype), zeros.size)})
        if not table.schema.equals(expected):
            fail(TypeError, "table", f"the schema ({_on_one_line(expected)})", f"({_on_one_line(table.schema)})")
        rows = _rows(table).reshape(-1, *zeros.shape)
        empty._batches = [rows] if len(rows) else []
        return empty


def _on_one_line(schema: pa.Schema) -> str:
    return schema.remove_metadata().to_string().replace("\n", ", ")


def _references(table: pa.Table, accumulator: str, options: dict[str, str]) -> list[int]:
    """Compare what the schema says with what is wanted, and return the numbers of references."""
    try:
        about = json.loads((table.schema.metadata or {})[_KEY])
        counts, given = about["references"], about["options"]
        is_made_here = isinstance(given, dict) and all(type(n) is int and n > 0 for n in counts)
        made_by = (about["accumulator"], about["format"])
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
    return list(counts)


def _rows(table: pa.Table) -> npt.NDArray[Any]:
    """Return all values of the table, each of them a count."""
    try:
        table.validate(full=True)
    except pa.ArrowException as error:
        fail(ValueError, "table", "valid Arrow data", str(error))
    chunks = [chunk.flatten() for chunk in table.column(_COLUMN).chunks]
    if table.column(_COLUMN).null_count or any(chunk.null_count for chunk in chunks):
        fail(ValueError, "table", "a count everywhere", "null")
    values = np.concatenate([np.asarray(chunk) for chunk in chunks] or [np.zeros(0, np.int64)])
    is_count = (values >= 0) & (values <= _LARGEST_COUNT)
    if not is_count.all():
        fail(ValueError, "table", f"counts from 0 to {_LARGEST_COUNT}", shown(values[~is_count][0].item()))
    return values
