"""CSV and TSV with a header."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from ..checks import CountWarning, fail, warn_user
from ..input.columns import known_texts
from . import rows
from .lines import FileError, Limits, check_utf8, line_blocks, shown_name
from .rows import Blocks, NamedColumn, Reading, Records, TextLists, as_json, fields_in, without_bad

# The largest that every platform accepts; Python's own limit is 128 KiB.
_LONGEST_VALUE = (1 << 31) - 1
# How quotation marks are read: as in CSV, around a value that may have delimiters and ends of lines, doubled in it; or
# as text.
QUOTINGS = ("csv", "none")
DELIMITERS: Mapping[str, str] = {"csv": ",", "tsv": "\t"}
_USUAL_QUOTING = {"csv": "csv", "tsv": "none"}
_QUOTING_OF_CSV = "--quoting csv, for quotation marks around values as pandas and Excel write them"
_NO_QUOTING = "--quoting none, for quotation marks that are text"
# What Excel writes in the place of commas where numbers have decimal commas.
_SEMICOLON = ";"


def delimited_blocks(
    path: str, fields: Sequence[NamedColumn], reading: Reading, *, format_name: str, quoting: str | None
) -> Blocks:
    """Yield blocks of CSV or TSV with a header.

    Without quoting every line is a row. With quoting a value in quotation marks may hold newlines. Blank lines are
    skipped, unless there is a single column without quoting: there they are empty texts. A CSV whose header has
    semicolons in the place of commas has them in every row.
    """
    name, is_quoted, delimiter = shown_name(path), _is_quoted(format_name, quoting), DELIMITERS[format_name]
    table = (_quoted_rows if is_quoted else _plain_rows)(path, name, reading, delimiter)
    _, header = next(table, (0, None))
    if header is None:
        return
    looks_quoted = not is_quoted and any(map(_is_in_marks, header))
    if len(header) == 1 and len(fields) > 1 and not fields[1].is_optional:
        fail(FileError, name, f"columns with {delimiter!r} between them", f"one column, {header[0]!r}")
    try:
        fields = fields_in(name, fields, header)
    except FileError as error:
        raise FileError(f"{error}, or {_QUOTING_OF_CSV}") if looks_quoted else error from None
    places = [header.index(field.name) for field in fields]
    marks = _Marks()

    def columns_of(records: Records) -> list[TextLists]:
        for number, row in zip(records.numbers, records.values, strict=True):
            if len(row) != len(header):
                allowed = f"as many values as the header has ({len(header)})"
                has_marks = any('"' in value or "\n" in value for value in row)
                hint = f" ({_NO_QUOTING if is_quoted else _QUOTING_OF_CSV})" if has_marks else ""
                fail(FileError, f"{name}, line {number}", allowed + hint, f"{len(row)}: {as_json(row)}")
        every = ([row[place] for row in records.values] for place in places)
        return [
            TextLists.of(known_texts([*map(json.dumps, values)] if field.is_json else values))
            for field, values in zip(fields, every, strict=True)
        ]

    while block := [*islice(table, rows.BLOCK_ROWS)]:
        own = reading.own(Records(name, "line", *zip(*block, strict=True)))
        if not is_quoted:
            marks.count(row[place] for row in own.values for place in places if place < len(row))
        yield without_bad(own, columns_of, len(fields), reading.bad)
    marks.warn(name)


def names_in_header(path: str, format_name: str, quoting: str | None, limits: Limits) -> list[str]:
    """Return the names of the columns of CSV or TSV."""
    read = _quoted_rows if _is_quoted(format_name, quoting) else _plain_rows
    _, header = next(read(path, shown_name(path), Reading(limits=limits), DELIMITERS[format_name]), (0, []))
    return header


def _is_quoted(format_name: str, quoting: str | None) -> bool:
    return (quoting or _USUAL_QUOTING[format_name]) == "csv"


def _delimiter_in(header: str, usual: str) -> str:
    r"""Return what is between the columns of a header: the usual delimiter, or a semicolon in the place of commas.

    Examples
    --------
    >>> _delimiter_in("id;prediction", ","), _delimiter_in("id,a;b", ","), _delimiter_in('"a, b";c', ",")
    (';', ',', ';')
    >>> _delimiter_in("id\tprediction;1", "\t")
    '\t'

    A name may go on in the next line.

    >>> _delimiter_in('"one; or', ",")
    ','
    """
    outside = re.sub(r'"[^"]*("|$)', "", header)
    return _SEMICOLON if usual == "," and _SEMICOLON in outside and "," not in outside else usual


def _quoted_rows(path: str, name: str, reading: Reading, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of CSV, each with the number of its last line."""
    import csv

    csv.field_size_limit(_LONGEST_VALUE)
    lines = (line for _, text in _decoded(path, name, reading) for line in io.StringIO(text, newline=""))
    head = next(lines, "")
    reader = csv.reader(chain([head], lines), delimiter=_delimiter_in(head, delimiter), strict=True)
    first = 1
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
            first = reader.line_num + 1
    except csv.Error as error:
        last = reader.line_num
        place = f"line {first}" if last <= first else f"lines {first} to {last}"
        allowed = f"quotation marks around a whole value, and doubled in it; or {_NO_QUOTING}"
        fail(FileError, f"{name}, {place}", allowed, str(error))


def _plain_rows(path: str, name: str, reading: Reading, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    r"""Yield the lines of a table as they are, each with its number; lines end at \n or \r\n and nowhere else."""
    n_columns = 0
    for number, text in _decoded(path, name, reading):
        if number == 1:
            delimiter = _delimiter_in(text.partition("\n")[0], delimiter)
        for at, line in enumerate(text.removesuffix("\n").split("\n"), number):
            row = line.removesuffix("\r").split(delimiter)
            if row != [""] or n_columns == 1:
                n_columns = n_columns or len(row)
                yield at, row


def _decoded(path: str, name: str, reading: Reading) -> Iterator[tuple[int, str]]:
    for number, data in line_blocks(path, reading.limits, reading.progress):
        check_utf8(data, name, number)
        yield number, data.decode()


def _is_in_marks(value: str) -> bool:
    """Return whether a value looks as writers of CSV quote it: marks at both ends, all within doubled."""
    return len(value) > 1 and value[0] == value[-1] == '"' and '"' not in value[1:-1].replace('""', "")


class _Marks:
    """Quotation marks in values that are read as they are."""

    def __init__(self) -> None:
        """Start without any."""
        self.n_quoted, self.n_other = 0, 0

    def count(self, values: Iterable[str]) -> None:
        """Count values with marks: those that look quoted, and others, which no writer of CSV leaves."""
        for value in (value for value in values if '"' in value):
            if _is_in_marks(value):
                self.n_quoted += 1
            else:
                self.n_other += 1

    def warn(self, name: str) -> None:
        """Warn if all values with marks look quoted."""
        if self.n_quoted and not self.n_other:
            about = (
                f"[value|values] of {name} [begins and ends|begin and end] with a quotation mark, which was read as "
                "text: if pandas or Excel wrote it, give --quoting csv"
            )
            warn_user(CountWarning(self.n_quoted, about))
