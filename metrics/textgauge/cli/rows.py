"""The scores of segments as rows of a file, by the suffix of its name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .files import write_whole, writing
from .messages import listed, refuse
from .table import rounded

# Suffixes of files of rows, and what commands write otherwise.
ROWS = (".json", ".jsonl", ".csv", ".parquet")
# Suffixes of rows that are not written.
_OTHERS = (".tsv", ".ndjson", ".pq", ".xlsx", ".gz")
_PAGES = (".html", ".htm")
# What commands write, other than rows.
_WRITTEN = {"explain": "a page", "compare": "a table", "diversity": "a table", "mbr": "lines of text"}


def check_suffix(command: str, options: Mapping[str, Any]) -> None:
    """Refuse a name of the output whose suffix is that of something else."""
    output, suffix = options.get("output"), suffix_of(options)
    if output is None:
        return
    what = "a table" if options.get("paper") else _WRITTEN.get(command, "")
    what = "lines of numbers" if options.get("brief") else "JSON" if options.get("as_json") else what
    of_json = (".json", ".jsonl") if command == "mbr" else (".json",)
    if (suffix in ROWS and what and not (suffix in of_json and what == "JSON")) or (
        suffix in _PAGES and command != "explain"
    ):
        takes = "a page of textgauge explain" if suffix in _PAGES else "rows per segment of textgauge score"
        takes = "JSON, with --json" if suffix in of_json and what != "a page" else takes
        refuse(f"--output: {what or 'a table'} cannot be written to {output}: {suffix} is for {takes}")
    if suffix in _OTHERS:
        rows = listed(ROWS, "or")
        refuse(f"--output: {what or 'a table'} cannot be written to {output}: rows per segment are {rows}")


def suffix_of(options: Mapping[str, Any]) -> str:
    """Return the suffix of the output in lower case."""
    return Path(options.get("output") or "").suffix.lower()


def write_rows(output: str, columns: Mapping[str, Sequence[Any]], width: int | None) -> None:
    """Write columns of equal length as rows, in the form of the suffix; `width` rounds scores."""
    columns = {name: rounded(list(values), width) for name, values in columns.items()}
    with writing("--output", output):
        write_whole(output, _FORMS[Path(output).suffix.lower()](columns))


def _objects(columns: Mapping[str, Sequence[Any]]) -> list[str]:
    rows = zip(*columns.values(), strict=True)
    return [json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False, allow_nan=False) for row in rows]


def _csv(columns: Mapping[str, Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


def _parquet(columns: Mapping[str, Sequence[Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet

    buffer = io.BytesIO()
    pa.parquet.write_table(pa.table(dict(columns)), buffer)
    return buffer.getvalue()


_FORMS: Mapping[str, Any] = {
    ".json": lambda columns: "[\n" + ",\n".join(_objects(columns)) + "\n]\n",
    ".jsonl": lambda columns: "".join(f"{row}\n" for row in _objects(columns)),
    ".csv": _csv,
    ".parquet": _parquet,
}
