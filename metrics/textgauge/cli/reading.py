"""One input file as blocks of columns of texts, whatever its format."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

import numpy as np

from ..arrays import offsets_of
from ..checks import fail
from ..columns import known_texts
from ..plain import Texts
from .blocks import BadRows, Block, Column, Field, Rows, as_json, check_fields, in_blocks, joined, texts_at, without_bad
from .files import Progress, check_utf8, line_blocks, shown_name, suffix_of
from .interrupts import quiet_imports
from .json_rows import json_blocks
from .messages import InputError

FORMATS = ("text", "jsonl", "csv", "tsv", "parquet")
_FORMAT_OF_SUFFIX = {".ndjson": "jsonl", ".json": "jsonl", ".pq": "parquet"} | {f".{name}": name for name in FORMATS}
# Those of files that a folder may hold.
SUFFIXES = tuple(sorted(_FORMAT_OF_SUFFIX.keys() - {".text"}))
_DELIMITERS = {"csv": ",", "tsv": "\t"}
# The largest that every platform accepts; Python's own limit is 128 KiB.
_LONGEST_VALUE = (1 << 31) - 1


def format_of(path: str) -> str:
    """Return the format for a file name: plain text unless its suffix is that of another format.

    Examples
    --------
    >>> format_of("scored.jsonl.gz"), format_of("newstest.de")
    ('jsonl', 'text')
    """
    return _FORMAT_OF_SUFFIX.get(suffix_of(path), "text")


def read_blocks(
    path: str, kind: str, fields: Sequence[Field], bad: BadRows, progress: Progress | None = None
) -> Iterator[Block]:
    """Read a file.

    Parameters
    ----------
    path : str
        "-" is standard input.
    kind : one of `FORMATS`
    fields : sequence of Field
        The columns to read; plain text has one, without a name.
    bad : BadRows
        Gets the rows that have no texts in these columns.
    progress : Progress, optional
    """
    if kind == "parquet":
        # Imported here: Arrow takes 0.1 s to import.
        with quiet_imports():
            from .parquet import parquet_blocks

        return parquet_blocks(path, fields, bad, progress)
    if kind == "text":
        return _text_blocks(path, bad, progress)
    if kind == "jsonl":
        return json_blocks(path, fields, bad, progress)
    return _delimited_blocks(path, _DELIMITERS[kind], fields, bad, progress)


def read_columns(path: str, kind: str, fields: Sequence[Field]) -> list[Column]:
    """Read a whole file at once; arguments as for `read_blocks`."""
    bad = BadRows(can_be_skipped=False)
    blocks = list(read_blocks(path, kind, fields, bad))
    bad.check()
    return [joined([block.columns[i] for block in blocks]) for i in range(len(fields))]


def _text_blocks(path: str, bad: BadRows, progress: Progress | None) -> Iterator[Block]:
    name = shown_name(path)
    for number, data in line_blocks(path, progress):
        try:
            check_utf8(data, name, number)
        except InputError:
            lines = data.removesuffix(b"\n").split(b"\n")
            rows = Rows(name, "line", range(number, number + len(lines)), lines)
            block = without_bad(rows, _lines_of, 1, bad)
        else:
            block = Block([Column.of(_texts_in(data))])
        yield from block.parts()


def _lines_of(rows: Rows) -> list[Column]:
    data = b"".join(line + b"\n" for line in rows.values)
    check_utf8(data, rows.name, rows.numbers[0])
    return [Column.of(_texts_in(data))]


def read_lines(path: str) -> Iterator[Texts]:
    r"""Yield plain text, one segment per line, in blocks: lines end at \n or \r\n and nowhere else."""
    for number, data in line_blocks(path):
        check_utf8(data, shown_name(path), number)
        yield _texts_in(data)


def _texts_in(data: bytes) -> Texts:
    """Return the lines of checked UTF-8."""
    if not data.endswith(b"\n"):
        data += b"\n"
    data = data.replace(b"\r\n", b"\n")
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return texts_at(offsets_of(np.diff(ends, prepend=-1) - 1), data.replace(b"\n", b""))


def _delimited_blocks(
    path: str, delimiter: str, fields: Sequence[Field], bad: BadRows, progress: Progress | None
) -> Iterator[Block]:
    """Yield blocks of CSV or TSV with a header; a quoted value may hold newlines, blank lines are skipped."""
    import csv

    name = shown_name(path)
    csv.field_size_limit(_LONGEST_VALUE)
    reader = csv.reader(_decoded_lines(path, name, progress), delimiter=delimiter, strict=True)
    numbered = ((reader.line_num, row) for row in reader if row)
    try:
        _, header = next(numbered, (0, None))
        if header is None:
            return
        if len(header) == 1 and len(fields) > 1:
            fail(InputError, name, f"columns with {delimiter!r} between them", f"one column, {header[0]!r}")
        check_fields(name, fields, header)
        places = [header.index(field.name) for field in fields]

        def columns_of(rows: Rows) -> list[Column]:
            for number, row in rows.numbered():
                if len(row) != len(header):
                    allowed = f"as many values as the header has ({len(header)})"
                    fail(InputError, f"{name}, line {number}", allowed, f"{len(row)}: {as_json(row)}")
            return [Column.of(known_texts([row[place] for row in rows.values])) for place in places]

        for block in in_blocks(numbered):
            yield without_bad(Rows(name, "line", *zip(*block, strict=True)), columns_of, len(fields), bad)
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: {error}") from error


def _decoded_lines(path: str, name: str, progress: Progress | None) -> Iterator[str]:
    for number, data in line_blocks(path, progress):
        check_utf8(data, name, number)
        yield from io.StringIO(data.decode(), newline="")
