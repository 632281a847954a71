"""Statistics as Arrow tables, which are checked when read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..arrays import IntArray, offsets_of
from ..checks import fail, shown
from ..options import options_of

if TYPE_CHECKING:
    import pyarrow as pa

    from .measure import Measure

_Kind = TypeVar("_Kind", bound="Measure")
# More than any corpus has: `exact_sums` takes no share of a larger count.
LARGEST_COUNT = 1 << 42
# No mean of lengths is smaller, and `exact_sums` takes no smaller values.
_SMALLEST = 2.0**-43
_LARGEST_SUM = 2.0**62

# Increased whenever the numbers of a row change their meaning.
FORMAT = 1
_KEY = b"textgauge"
_COLUMN = "statistics"


def to_table(measure: Measure) -> pa.Table:
    """Return the statistics of a measure as a table, with its options in the schema."""
    import pyarrow as pa

    zeros = measure.zero_row
    rows = [batch.values for batch in measure._batches]
    values = np.concatenate([zeros[:0].reshape(-1), *(part.reshape(-1) for part in rows)])
    column = pa.FixedSizeListArray.from_arrays(pa.array(values, pa.from_numpy_dtype(zeros.dtype)), zeros.size)
    if measure.has_trials:
        column = pa.LargeListArray.from_arrays(offsets_of(measure.rows_per_segment), column)
    about = {
        "format": FORMAT,
        "accumulator": type(measure).__name__,
        "options": measure.stored_options(),
        "keywords": _plain_keywords(measure),
        measure.origin_name: measure.origin(),
    }
    return pa.table({_COLUMN: column}).replace_schema_metadata({_KEY: json.dumps(about)})


def from_table(kind: type[_Kind], table: Any, options: Mapping[str, Any]) -> _Kind:
    """Return a measure with the segments of a table, and with `options` or else those of the table."""
    import pyarrow as pa

    if not isinstance(table, pa.Table):
        fail(TypeError, "table", "a pyarrow Table", shown(table))
    empty = kind(**(options or _keywords_in(table)))
    _check_origin(table, empty)
    zeros, has_trials = empty.zero_row, empty.has_trials
    listed = pa.list_(pa.from_numpy_dtype(zeros.dtype), zeros.size)
    expected = pa.schema({_COLUMN: pa.large_list(listed) if has_trials else listed})
    if not table.schema.equals(expected):
        fail(TypeError, "table", f"the schema ({_on_one_line(expected)})", f"({_on_one_line(table.schema)})")
    column = _complete(table)
    per_segment = None
    if has_trials:
        per_segment = _lengths(column)
        column = _flattened(column)
    rows = _values(_flattened(column), zeros.dtype).reshape(-1, *zeros.shape)
    empty.check_rows(rows)
    if len(rows):
        empty.take_rows(rows, per_segment)
    return empty


def _plain_keywords(measure: Measure) -> dict[str, Any] | None:
    """Return the options that differ from their defaults; None if one of them is not a plain value."""
    keywords = {}
    for one in options_of(measure.options_type):
        value = getattr(measure.options, one.name)
        if value == one.default or one.sets_others:
            continue
        value = list(value) if isinstance(value, tuple) else value
        items = value if isinstance(value, list) else [value]
        if one.kind in ("words", "folder") or not all(isinstance(item, (str, bool, int, float)) for item in items):
            return None
        keywords[one.name] = value
    return keywords


def _keywords_in(table: pa.Table) -> dict[str, Any]:
    """Return the options that the schema of a table stores; empty if it stores none."""
    try:
        keywords = json.loads((table.schema.metadata or {})[_KEY])["keywords"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return {}
    return keywords if isinstance(keywords, dict) else {}


def refuse_counts(rows: npt.NDArray[Any]) -> None:
    """Raise for values that are not counts, and for counts whose sums could overflow."""
    is_count = (rows == 0) | ((rows >= _SMALLEST) & (rows <= LARGEST_COUNT))
    refuse_values(rows, is_count, f"counts from 0 to {LARGEST_COUNT}")
    if len(rows) and rows.sum(axis=0, dtype=np.float64).max() > _LARGEST_SUM:
        fail(ValueError, "table", "counts whose sums fit into 64 bits", f"{len(rows)} rows of larger counts")


def refuse_values(rows: npt.NDArray[Any], is_right: npt.NDArray[np.bool_], allowed: str) -> None:
    """Raise for the first invalid value."""
    if not is_right.all():
        fail(ValueError, "table", allowed, shown(rows[~is_right][0].item()))


def refuse_rows(is_right: npt.NDArray[np.bool_], rows: npt.NDArray[Any], allowed: str) -> None:
    """Raise for the first row that no text can have."""
    if not is_right.all():
        row = int(np.flatnonzero(~is_right)[0])
        fail(ValueError, f"table: row {row}", allowed, shown(rows[row].tolist()))


def _on_one_line(schema: pa.Schema) -> str:
    return schema.remove_metadata().to_string().replace("\n", ", ")


def _check_origin(table: pa.Table, empty: Measure) -> None:
    """Compare the schema with the expected options, and pass its origin to `empty`."""
    accumulator, options = type(empty).__name__, empty.stored_options()
    try:
        about = json.loads((table.schema.metadata or {})[_KEY])
        made_by, given = (about["accumulator"], about["format"]), about["options"]
        is_made_here = isinstance(given, dict)
        if is_made_here and made_by == (accumulator, FORMAT):
            is_made_here = empty.take_origin(about[empty.origin_name])
    except (KeyError, TypeError, ValueError, RecursionError):
        is_made_here = False
    if not is_made_here:
        fail(ValueError, "table", "a table of to_arrow with its metadata", "none or other metadata")
    if made_by != (accumulator, FORMAT):
        fail(ValueError, "table", f"statistics of {accumulator} in format {FORMAT}", shown(made_by))
    for key in (*options, *given):
        if options.get(key) != given.get(key):
            wanted = f"statistics counted with {key}:{options.get(key, 'none')}"
            fail(ValueError, "table", wanted, f"{key}:{shown(given.get(key))}")


def _complete(table: pa.Table) -> list[pa.Array]:
    """Return the chunks of the column; raise for nulls."""
    import pyarrow as pa

    try:
        table.validate(full=True)
    except pa.ArrowException as error:
        fail(ValueError, "table", "valid Arrow data", str(error))
    chunks: list[pa.Array] = table.column(_COLUMN).chunks
    _refuse_nulls(chunks)
    return chunks


def _refuse_nulls(chunks: list[pa.Array]) -> None:
    if any(chunk.null_count for chunk in chunks):
        fail(ValueError, "table", "counts without nulls", "null")
    # pyarrow 15 does not treat fixed-size lists as nested types.
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
