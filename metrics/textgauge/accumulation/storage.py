"""Statistics as Arrow tables, a column per field; tables are checked when they are read."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..checks import LARGEST, fail, listed, printable, shown
from ..metric.layout import Rows
from ..metric.metric import Metric
from ..options import Options, options_of
from ..text.sacrebleu_tokenizers import DOWNLOADED

if TYPE_CHECKING:
    import pyarrow as pa

# Increased whenever the numbers of a row, or the checksum, change their meaning.
FORMAT = 4
# The fields of signatures that tell the versions of other packages: shown, not compared.
_VERSIONS = ("hf",)
_KEY = b"textgauge"
# The kinds of options that a table stores, and what their values are made of.
_STORABLE = ("flag", "choice", "whole", "number", "numbers", "names", "tokenizer", "normalizer")
_PLAIN = (str, bool, int, float)
# The name of a field of a signature.
_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")
_METADATA = "a table of to_arrow with its metadata"
# The column that numbers the segments where one may have several rows.
_SEGMENT = "segment"


def to_table(
    metric: Metric, rows: Rows | None, origin: Mapping[str, Any], owner: str, given: Mapping[str, Any]
) -> pa.Table:  # fmt: skip
    """Return rows of a metric, None without segments, as those of the class `owner`, made with `given` options.

    The schema stores the options, and the `Accumulator.provenance` of the rows.
    """
    import pyarrow as pa

    layout = metric.layout
    rows = Rows(layout, np.zeros((0, layout.n_columns), layout.dtype)) if rows is None else rows
    columns = {}
    for field in layout.fields:
        values = np.ascontiguousarray(rows[field.name])
        column = pa.array(values.reshape(-1))
        columns[field.name] = pa.FixedSizeListArray.from_arrays(column, field.size) if field.size else column
    if metric.layout.has_trials:
        per_segment = np.zeros(0, np.int64) if rows.per_segment is None else rows.per_segment
        columns[_SEGMENT] = pa.array(np.repeat(np.arange(len(per_segment)), per_segment))
    unstored = _unstored(metric.options, given)
    about: dict[str, Any] = {
        "format": FORMAT,
        "accumulator": owner,
        "options": _shown_options(metric),
        "keywords": None if unstored else _plain(metric.options, given),
        "unstored": unstored,
        "origin": origin,
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


class Stored:
    """A table of `to_table`, opened: what it says of its rows is checked before anything is made of it.

    Parameters
    ----------
    table : pyarrow.Table
    owner : str
        The class of the accumulator that it should be of.
    """

    def __init__(self, table: Any, owner: str) -> None:
        import pyarrow as pa

        if not isinstance(table, pa.Table):
            fail(TypeError, "table", "a pyarrow Table", shown(table))
        self._table, self._about = table, _about(table)
        about = self._about
        if about.get("accumulator") != owner or about.get("format") != FORMAT:
            made_by = f"{about.get('accumulator')} in format {about.get('format')}"
            again = ": count the texts again" if about.get("accumulator") == owner else ""
            fail(ValueError, "table", f"statistics of {owner} in format {FORMAT}", printable(made_by) + again)

    def options(self, options_type: type[Options]) -> dict[str, Any]:
        """Return the options that the table stores; refuse what `to_table` never writes, and what would be loaded."""
        stored, storable = self._about.get("keywords") or {}, _storable(options_type)
        for name, value in stored.items():
            if name not in [option.name for option in options_of(options_type)]:
                fail(ValueError, "table", _METADATA, "none or other metadata")
            if name not in storable:
                allowed = "no option in the table that names a model, a file or its loading: give it beside the table"
                fail(ValueError, "table", allowed, shown(name))
            items = value if isinstance(value, list) else [value]
            if not all(isinstance(item, _PLAIN) for item in items):
                fail(ValueError, "table", _METADATA, "none or other metadata")
        if stored.get("tokenizer") in DOWNLOADED:
            allowed = "the options beside a table whose tokenizer sacreBLEU downloads"
            fail(ValueError, "table", allowed, f"tokenizer {stored['tokenizer']!r} in the table alone")
        return dict(stored)

    def rows(self, metric: Metric, given: Collection[str] = ()) -> tuple[Rows, dict[str, Any]]:
        """Return the rows of the table for a metric, and their origin: which models and data made them.

        Checksum, values and options are checked.

        `given` are the options that were given beside the table.
        """
        _check_options(self._about, metric, given)
        rows = _rows_in(self._table, metric)
        if self._about.get("checksum") != checksum(rows, self._about):
            fail(ValueError, "table", "the rows that to_arrow stored", "other rows or metadata, with another checksum")
        _check_values(rows)
        origin: Any = self._about.get("origin")
        if not _is_origin(origin, metric.signature_fields()):
            fail(ValueError, "table", _METADATA, "none or other metadata")
        return rows, dict(origin)


def _storable(options_type: type[Options]) -> set[str]:
    """Return the options that a table may store: none that names a model, a file, or how either is loaded."""
    options = options_of(options_type)
    has_model = any(option.kind == "model" for option in options)
    return {
        option.name for option in options if option.kind in _STORABLE and not (has_model and option.kind == "tokenizer")
    }


def _is_origin(origin: Any, fields: Collection[str]) -> bool:
    """Return whether a value is an `Accumulator.provenance` whose texts may stand in a signature with these fields."""
    if not isinstance(origin, dict) or origin.keys() != {"references", "counters"}:
        return False
    numbers, counters = origin.values() if [*origin] == ["references", "counters"] else [*origin.values()][::-1]
    if not isinstance(numbers, list) or not all(type(n) is int and 0 <= n <= LARGEST for n in numbers):
        return False
    if not isinstance(counters, list) or not all(isinstance(identity, list) for identity in counters):
        return False
    pairs = [pair for identity in counters for pair in identity]
    if not all(isinstance(pair, list) and [*map(type, pair)] == [str, str] for pair in pairs):
        return False
    taken = {"nrefs", "version", *fields} - {"model"}
    return all(
        _NAME.fullmatch(name) and name not in taken and "|" not in value and printable(value) == value
        for name, value in pairs
    )


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
        fail(ValueError, "table", _METADATA, "none or other metadata")
    return about


def _check_options(about: Mapping[str, Any], metric: Metric, given: Collection[str]) -> None:
    """Raise if the stored options differ from those of the metric, or if options that no table stores are missing."""
    options, stored = _shown_options(metric), about.get("options")
    if not isinstance(stored, dict):
        fail(ValueError, "table", _METADATA, "none or other metadata")
    for key in (*options, *stored):
        if options.get(key) != stored.get(key):
            known, unstored = [option.name for option in options_of(type(metric.options))], about.get("unstored")
            missing = [name for name in known if isinstance(unstored, list) and name in unstored and name not in given]
            if missing:
                spelled = listed([f"`{name}=`" for name in missing])
                fail(ValueError, "table", f"{spelled} beside it, as it was counted with, which no table stores", "none")
            wanted = f"statistics counted with {key}:{options.get(key, 'none')}"
            fail(ValueError, "table", wanted, f"{key}:{shown(stored.get(key))}")


def _shown_options(metric: Metric) -> dict[str, str]:
    """Return the options as a signature has them, but for the versions of other packages."""
    return {name: value for name, value in metric.signature_fields().items() if name not in _VERSIONS}


def _rows_in(table: pa.Table, metric: Metric) -> Rows:
    """Return the rows of a table; refuse other columns and nulls."""
    import pyarrow as pa

    layout, has_trials = metric.layout, metric.layout.has_trials
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
    """Raise for negative counts, counts whose sums could overflow, and numbers that are not finite."""
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


def _plain(options: Options, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given, not what a preset set: BLEU of segments depends on what was chosen."""
    values = {
        option.name: getattr(options, option.name)
        for option in options_of(type(options))
        if given.get(option.name) is not None
    }
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _unstored(options: Options, given: Mapping[str, Any]) -> list[str]:
    """Return the names of given options that no table may store."""
    storable, unstored = _storable(type(options)), []
    for name, value in _plain(options, given).items():
        items = value if isinstance(value, list) else [value]
        unstored += [name] if name not in storable or not all(isinstance(item, _PLAIN) for item in items) else []
    return unstored


def _on_one_line(schema: pa.Schema) -> str:
    return schema.remove_metadata().to_string().replace("\n", ", ")
