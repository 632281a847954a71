"""CSV and TSV with a header."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from itertools import islice

from ..checks import fail
from ..input.columns import known_texts
from . import rows
from .lines import FileError, Limits, check_utf8, line_blocks, shown_name
from .rows import Blocks, NamedColumn, Reading, Records, TextLists, as_json, check_fields, without_bad

# The largest that every platform accepts; Python's own limit is 128 KiB.
_LONGEST_VALUE = (1 << 31) - 1


def delimited_blocks(path: str, fields: Sequence[NamedColumn], reading: Reading, *, delimiter: str) -> Blocks:
    """Yield blocks of CSV or TSV with a header; a quoted value may hold newlines, blank lines are skipped."""
    import csv

    name = shown_name(path)
    csv.field_size_limit(_LONGEST_VALUE)
    reader = csv.reader(_decoded_lines(path, name, reading), delimiter=delimiter, strict=True)
    numbered = ((reader.line_num, row) for row in reader if row)
    try:
        _, header = next(numbered, (0, None))
        if header is None:
            return
        if len(header) == 1 and len(fields) > 1:
            fail(FileError, name, f"columns with {delimiter!r} between them", f"one column, {header[0]!r}")
        check_fields(name, fields, header)
        places = [header.index(field.name) for field in fields]

        def columns_of(records: Records) -> list[TextLists]:
            for number, row in zip(records.numbers, records.values, strict=True):
                if len(row) != len(header):
                    allowed = f"as many values as the header has ({len(header)})"
                    fail(FileError, f"{name}, line {number}", allowed, f"{len(row)}: {as_json(row)}")
            every = ([row[place] for row in records.values] for place in places)
            return [
                TextLists.of(known_texts([*map(json.dumps, values)] if field.is_json else values))
                for field, values in zip(fields, every, strict=True)
            ]

        while block := [*islice(numbered, rows.BLOCK_ROWS)]:
            yield without_bad(Records(name, "line", *zip(*block, strict=True)), columns_of, len(fields), reading.bad)
    except csv.Error as error:
        raise FileError(f"{name}, line {reader.line_num}: {error}") from error


def names_in_header(path: str, delimiter: str, limits: Limits) -> list[str]:
    """Return the names of the columns of CSV or TSV."""
    import csv

    lines = _decoded_lines(path, shown_name(path), Reading(limits=limits))
    return next((row for row in csv.reader(lines, delimiter=delimiter) if row), [])


def _decoded_lines(path: str, name: str, reading: Reading) -> Iterator[str]:
    for number, data in line_blocks(path, reading.limits, reading.progress):
        check_utf8(data, name, number)
        yield from io.StringIO(data.decode(), newline="")
