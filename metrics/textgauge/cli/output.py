"""What commands print or write: text, a page of JSON, the scores of segments as rows of a file."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from .. import __version__
from .files import write_whole, writing
from .messages import listed, refuse
from .table import has_colour, rounded

# Suffixes of files of rows, of rows that are not written, and of pages.
ROWS = (".json", ".jsonl", ".csv", ".parquet")
_OTHERS, _PAGES = (".tsv", ".ndjson", ".pq", ".xlsx", ".gz"), (".html", ".htm")
# What commands write other than rows, in a form that is asked for or by themselves.
_FORMS = {"brief": "lines of numbers", "as_json": "JSON", "paper": "a table"}
_WRITTEN = {"explain": "a page", "mbr": "lines of text", **dict.fromkeys(("compare", "agree", "diversity"), "a table")}
# The characters of tables outside ASCII.
_DRAWN = str.maketrans("━─", "--", "╸")


def show(text: str, output: str | None) -> None:
    """Print to standard output, with colours if they are shown, or write a file."""
    if output is not None:
        with writing("--output", output):
            write_whole(output, click.unstyle(text) + "\n")
        return
    try:
        "━─╸".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (LookupError, UnicodeEncodeError):
        text = text.translate(_DRAWN)
    click.echo(text if has_colour() else click.unstyle(text), color=True)


def page_of(page: Mapping[str, Any], width: int | None, *, ensure_ascii: bool = True) -> str:
    """Return a page of JSON, its numbers rounded."""
    whole = rounded({"version": __version__, **page}, width)
    return json.dumps(whole, indent=2, allow_nan=False, ensure_ascii=ensure_ascii)


def checked_suffix(path: str, allowed: Collection[str], flag: str) -> str:
    """Return the suffix of a file to write; refuse another than those that are allowed."""
    suffix = Path(path).suffix.lower()
    if suffix not in allowed:
        refuse(f"{flag} needs a name that ends in {listed(allowed, 'or')}, not {path!r}")
    return suffix


def check_suffix(command: str, options: Mapping[str, Any]) -> None:
    """Refuse a name of the output whose suffix is that of something else."""
    suffix = Path(options["output"] or "").suffix.lower()
    what = next((form for name, form in _FORMS.items() if options.get(name)), _WRITTEN.get(command, ""))
    of_json = suffix in ((".json", ".jsonl") if command == "mbr" else (".json",))
    if suffix in _PAGES and command != "explain":
        why = f"{suffix} is for a page of textgauge explain"
    elif suffix in _OTHERS:
        why = f"rows per segment are {listed(ROWS, 'or')}"
    elif suffix in ROWS and what and not (of_json and what == "JSON"):
        is_json = of_json and what != "a page"
        why = f"{suffix} is for {'JSON, with --json' if is_json else 'rows per segment of textgauge score'}"
    elif command == "explain" and suffix not in ("", *_PAGES):
        why = f"a page is {_PAGES[0]}"
    else:
        return
    refuse(f"--output: {what or 'a table'} cannot be written to {options['output']}: {why}")


def write_rows(
    output: str, columns: Mapping[str, Sequence[Any]], width: int | None, exact: Collection[str] = ()
) -> None:
    """Write columns of equal length as rows, in the form of the suffix, one of `ROWS`; `width` rounds all but `exact`.

    Where a form has no place for lists and objects, they are written as JSON.
    """
    columns = {name: rounded(list(values), None if name in exact else width) for name, values in columns.items()}
    rows = zip(*columns.values(), strict=True)
    suffix = Path(output).suffix.lower()
    if suffix == ".parquet":
        written: str | bytes = parquet_of(columns)
    elif suffix == ".csv":
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([columns, *(map(_cell, row) for row in rows)])
        written = text.getvalue()
    else:
        objects = (dict(zip(columns, row, strict=True)) for row in rows)
        lines = [json.dumps(one, ensure_ascii=False, allow_nan=False) for one in objects]
        written = "[\n" + ",\n".join(lines) + "\n]\n" if suffix == ".json" else "".join(f"{line}\n" for line in lines)
    with writing("--output", output):
        write_whole(output, written)


def parquet_of(columns: Mapping[str, Any]) -> bytes:
    """Return columns as a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet

    arrays = {}
    for name, values in columns.items():
        try:
            arrays[name] = pa.array(values)
        except pa.ArrowException:
            # Values of several types.
            arrays[name] = pa.array([None if value is None else json.dumps(value) for value in values])
    buffer = io.BytesIO()
    pa.parquet.write_table(pa.table(arrays), buffer)
    return buffer.getvalue()


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list, bool)) else value
