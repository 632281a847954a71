"""Statistics as Arrow tables, a column per field, which are checked when read."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..checks import LARGEST, fail, printable, shown
from ..metric.layout import Rows
from ..options import options_of
from ..text.sacrebleu_tokenizers import DOWNLOADED

if TYPE_CHECKING:
    import pyarrow as pa

    from .accumulator import Accumulator

_Kind = TypeVar("_Kind", bound="Accumulator")

# Increased whenever the numbers of a row, or the checksum, change their meaning.
FORMAT = 4
# The fields of signatures that tell the versions of other packages: shown, not compared.
_VERSIONS = ("hf",)
_KEY = b"textgauge"
# The column that numbers the segments where one may have several rows.
_SEGMENT = "segment"


def to_table(accumulator: Accumulator) -> pa.Table:
    """Return the statistics of an accumulator as a table, with its options in the schema."""
    import pyarrow as pa

    layout = accumulator.metric.counter.layout
    rows = accumulator.statistics if len(accumulator) else Rows(layout, np.zeros((0, layout.n_columns), layout.dtype))
    columns = {}
    for field in layout.fields:
        values = np.ascontiguousarray(rows[field.name])
        column = pa.array(values.reshape(-1))
        columns[field.name] = pa.FixedSizeListArray.from_arrays(column, field.size) if field.size else column
    if accumulator.metric.references.has_trials:
        per_segment = np.zeros(0, np.int64) if rows.per_segment is None else rows.per_segment
        columns[_SEGMENT] = pa.array(np.repeat(np.arange(len(per_segment)), per_segment))
    about: dict[str, Any] = {
        "format": FORMAT,
        "accumulator": type(accumulator).__name__,
        "options": _shown_options(accumulator),
        "keywords": _plain_keywords(accumulator),
        "origin": accumulator.provenance(),
    }
    about["checksum"] = checksum(rows, about)
    return pa.table(columns).replace_schema_metadata({_KEY: json.dumps(about)})


def checksum(rows: Rows, about: Mapping[str, Any]) -> int:
    """Return the CRC-32 of what a table says of its rows, then of their numbers, field by field."""
    told = {name: value for name, value in about.items() if name != "checksum"}
    total = zlib.crc32(json.dumps(told, sort_keys=True).encode())
    for field in rows.layout.fields:
        total = zlib.crc32(np.ascontiguousarray(rows[field.name]).tobytes(), total)
    return total if rows.per_segment is None else zlib.crc32(rows.per_segment.tobytes(), total)


def from_table(kind: type[_Kind], table: Any, options: Mapping[str, Any]) -> _Kind:
    """Return an accumulator with the segments of a table, and with `options` or else those of the table."""
    import pyarrow as pa

    if not isinstance(table, pa.Table):
        fail(TypeError, "table", "a pyarrow Table", shown(table))
    about = _about(table)
    if about.get("accumulator") != kind.__name__ or about.get("format") != FORMAT:
        made_by = f"{about.get('accumulator')} in format {about.get('format')}"
        again = ": count the texts again" if about.get("accumulator") == kind.__name__ else ""
        fail(ValueError, "table", f"statistics of {kind.__name__} in format {FORMAT}", printable(made_by) + again)
    empty = kind(**(options or _stored_options(kind, about)))
    _check_options(about, empty)
    rows = _rows_in(table, empty)
    if about.get("checksum") != checksum(rows, about):
        fail(ValueError, "table", "the rows that to_arrow stored", "other rows or metadata, with another checksum")
    _check_values(rows)
    try:
        empty.replace_rows(rows, {**about["origin"]})
    except (KeyError, TypeError, ValueError):
        fail(ValueError, "table", "a table of to_arrow with its metadata", "none or other metadata")
    return empty


def _about(table: pa.Table) -> dict[str, Any]:
    """Return what `to_table` wrote into the schema."""
    try:
        about = json.loads((table.schema.metadata or {})[_KEY])
    except (KeyError, ValueError, RecursionError):
        about = None
    # Keywords are null where one of them is not a plain value.
    if (
        not isinstance(about, dict)
        or "accumulator" not in about
        or not isinstance(about.get("keywords"), (dict, type(None)))
    ):
        fail(ValueError, "table", "a table of to_arrow with its metadata", "none or other metadata")
    return about


def _stored_options(kind: type[Accumulator], about: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a table stores; refuse other keywords, and what would be downloaded."""
    stored = about.get("keywords") or {}
    if not stored.keys() <= {one.name for one in options_of(kind.kind.options_type)}:
        fail(ValueError, "table", "a table of to_arrow with its metadata", "none or other metadata")
    if stored.get("tokenizer") in DOWNLOADED:
        allowed = "the options beside a table whose tokenizer sacreBLEU downloads"
        fail(ValueError, "table", allowed, f"tokenizer {stored['tokenizer']!r} in the table alone")
    return dict(stored)


def _check_options(about: Mapping[str, Any], empty: Accumulator) -> None:
    """Compare the stored options with the expected ones."""
    options, given = _shown_options(empty), about.get("options")
    if not isinstance(given, dict):
        fail(ValueError, "table", "a table of to_arrow with its metadata", "none or other metadata")
    for key in (*options, *given):
        if options.get(key) != given.get(key):
            wanted = f"statistics counted with {key}:{options.get(key, 'none')}"
            fail(ValueError, "table", wanted, f"{key}:{shown(given.get(key))}")


def _shown_options(accumulator: Accumulator) -> dict[str, str]:
    """Return the options as a signature has them, but for the versions of other packages."""
    return {name: value for name, value in accumulator.metric.described().items() if name not in _VERSIONS}


def _rows_in(table: pa.Table, empty: Accumulator) -> Rows:
    """Return the rows of a table; refuse other columns and nulls."""
    import pyarrow as pa

    layout, has_trials = empty.metric.counter.layout, empty.metric.references.has_trials
    schema = []
    for field in layout.fields:
        number = pa.int64() if field.is_whole else pa.float64()
        schema.append((field.name, pa.list_(number, field.size) if field.size else number))
    expected = pa.schema(schema + ([(_SEGMENT, pa.int64())] if has_trials else []))
    if not table.schema.equals(expected):
        fail(TypeError, "table", f"the schema ({_on_one_line(expected)})", f"({_on_one_line(table.schema)})")
    try:
        table.validate(full=True)
    except pa.ArrowException as error:
        fail(ValueError, "table", "valid Arrow data", str(error))
    columns = {name: _numbers(table.column(name)) for name in table.column_names}
    for field in layout.fields:
        columns[field.name] = columns[field.name].reshape(len(table), *([field.size] if field.size else []))
    per_segment = None
    if has_trials:
        _, per_segment = np.unique(columns.pop(_SEGMENT), return_counts=True)
    rows = layout.filled(len(table), **columns)
    return Rows(layout, rows.values, None if per_segment is None else per_segment.astype(np.int64))


def _numbers(column: pa.ChunkedArray) -> npt.NDArray[Any]:
    arrays = []
    for chunk in column.chunks:
        flat = chunk.flatten() if hasattr(chunk, "flatten") and str(chunk.type).startswith("fixed_size") else chunk
        if chunk.null_count or flat.null_count:
            fail(ValueError, "table", "counts without nulls", "null")
        arrays.append(np.asarray(flat))
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int64)


def _check_values(rows: Rows) -> None:
    """Refuse negative counts, those whose sums could overflow, and numbers that are not finite."""
    for field in rows.layout.fields:
        values = rows[field.name]
        if field.is_whole:
            wrong, allowed = values < 0, f"{field.name} of at least 0"
            if not wrong.any():
                wrong, allowed = values > LARGEST, f"{field.name} of at most {LARGEST:,}"
        else:
            wrong, allowed = ~np.isfinite(values) & field.is_finite, f"finite {field.name}"
        if wrong.any():
            fail(ValueError, "table", allowed, shown(values[wrong][0].item()))


def _plain_keywords(accumulator: Accumulator) -> dict[str, Any] | None:
    """Return the options that were given; None if one of them is not a plain value."""
    keywords = {}
    for one in options_of(accumulator.metric.options_type):
        value = getattr(accumulator.options, one.name)
        # Not what a preset set: BLEU of segments depends on what was chosen.
        if accumulator._given.get(one.name) is None:
            continue
        value = list(value) if isinstance(value, tuple) else value
        items = value if isinstance(value, list) else [value]
        if one.kind in ("words", "folder") or not all(isinstance(item, (str, bool, int, float)) for item in items):
            return None
        keywords[one.name] = value
    return keywords


def _on_one_line(schema: pa.Schema) -> str:
    return schema.remove_metadata().to_string().replace("\n", ", ")
