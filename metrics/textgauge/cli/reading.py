"""Input files as blocks of columns of texts, whatever their format."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from ..arrays import offsets_of
from ..checks import fail
from ..columns import known_texts, nested_column, text_column
from ..lazy import lazy
from ..plain import Texts
from .blocks import (
    BadRows,
    Block,
    Column,
    Field,
    Rows,
    as_json,
    check_fields,
    in_blocks,
    joined,
    refuse_wrong,
    texts_at,
    without_bad,
)
from .files import Progress, check_utf8, line_blocks, shards_of, shown_name, suffix_of
from .messages import InputError, listed
from .process import quiet_imports

FORMATS = ("text", "jsonl", "csv", "tsv", "parquet")
_FORMAT_OF_SUFFIX = {".ndjson": "jsonl", ".json": "jsonl", ".pq": "parquet"} | {f".{name}": name for name in FORMATS}
# Those of files that count in a folder.
_SUFFIXES: dict[str | None, list[str]] = {None: sorted(_FORMAT_OF_SUFFIX.keys() - {".text"})}
_SUFFIXES |= {kind: sorted(suffix for suffix, own in _FORMAT_OF_SUFFIX.items() if own == kind) for kind in FORMATS}
# The largest that every platform accepts; Python's own limit is 128 KiB.
_LONGEST_VALUE = (1 << 31) - 1
# The beginning of a file that shows whether it is JSON Lines.
_HEAD = 1 << 16
_ROW = "a JSON object on every line"


def format_of(path: str) -> str:
    """Return the format for a file name: plain text unless its suffix is that of another format.

    Examples
    --------
    >>> format_of("scored.jsonl.gz"), format_of("newstest.de")
    ('jsonl', 'text')
    """
    return _FORMAT_OF_SUFFIX.get(suffix_of(path), "text")


@dataclass(frozen=True)
class Source:
    """A file, or the files that a folder or a pattern of names stands for, and what to read from it.

    Attributes
    ----------
    path : str
        "-" is standard input.
    fields : sequence of Field
        The columns; plain text has one, whatever its name.
    kind : one of `FORMATS`, or None for the format of the suffix
    """

    path: str
    fields: Sequence[Field]
    kind: str | None = None

    @lazy
    def shards(self) -> list[str]:
        """The files."""
        return shards_of(self.path, in_folders=_SUFFIXES[self.kind])

    @lazy
    def format(self) -> str:
        """Their format."""
        formats = {self.kind or format_of(shard): shown_name(shard) for shard in self.shards}
        if len(formats) > 1:
            fail(InputError, shown_name(self.path), "files of one format", listed([*formats.values()]))
        return next(iter(formats))

    def names(self) -> list[str]:
        """Return the names of the columns of the first file: those of its first row."""
        name, path = shown_name(self.path), self.shards[0]
        if self.format == "text":
            fail(InputError, name, f"{listed(FORMATS[1:], 'or')}, which have columns", "plain text")
        if self.format == "parquet":
            with quiet_imports():
                from .parquet import names_in

            return names_in(path)
        if self.format == "jsonl":
            return [key for rows in islice(read_json(path), 1) for key in rows.values[0]]
        import csv

        delimiter = "," if self.format == "csv" else "\t"
        return next((row for row in csv.reader(_decoded_lines(path, name, None), delimiter=delimiter) if row), [])

    def blocks(self, bad: BadRows, progress: Progress | None = None) -> Iterator[Block]:
        """Yield consecutive rows; `bad` gets those that have no texts in these columns."""
        blocks_of = _READERS[self.format]
        for shard in self.shards:
            yield from blocks_of(shard, self.fields, bad, progress)

    def columns(self) -> list[Column]:
        """Read all rows at once."""
        bad = BadRows(can_be_skipped=False)
        blocks = list(self.blocks(bad))
        bad.check()
        if not any(block.n_rows for block in blocks):
            raise InputError(f"{shown_name(self.path)}: the file is empty")
        return [joined([block.columns[i] for block in blocks]) for i in range(len(self.fields))]


def _text_blocks(path: str, _: Sequence[Field], bad: BadRows, progress: Progress | None) -> Iterator[Block]:
    r"""Yield plain text, one segment per line: lines end at \n or \r\n and nowhere else."""
    name = shown_name(path)

    def columns_of(rows: Rows) -> list[Column]:
        data = b"\n".join(rows.values)
        check_utf8(data, name, rows.numbers[0])
        return [Column.of(_lines_in(data))]

    for number, data in line_blocks(path, progress):
        try:
            check_utf8(data, name, number)
        except InputError:
            lines = data.removesuffix(b"\n").split(b"\n")
            yield without_bad(Rows(name, "line", range(number, number + len(lines)), lines), columns_of, 1, bad)
        else:
            yield Block([Column.of(_lines_in(data))])


def _lines_in(data: bytes) -> Texts:
    """Return the lines of checked UTF-8."""
    data = (data.removesuffix(b"\n") + b"\n").replace(b"\r\n", b"\n")
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return texts_at(offsets_of(np.diff(ends, prepend=-1) - 1), data.replace(b"\n", b""))


def _delimited_blocks(
    path: str, fields: Sequence[Field], bad: BadRows, progress: Progress | None, *, delimiter: str
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
            for number, row in zip(rows.numbers, rows.values, strict=True):
                if len(row) != len(header):
                    allowed = f"as many values as the header has ({len(header)})"
                    fail(InputError, f"{name}, line {number}", allowed, f"{len(row)}: {as_json(row)}")
            every = ([row[place] for row in rows.values] for place in places)
            return [
                Column.of(known_texts([*map(json.dumps, values)] if field.is_json else values))
                for field, values in zip(fields, every, strict=True)
            ]

        for block in in_blocks(numbered):
            yield without_bad(Rows(name, "line", *zip(*block, strict=True)), columns_of, len(fields), bad)
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: {error}") from error


def _decoded_lines(path: str, name: str, progress: Progress | None) -> Iterator[str]:
    for number, data in line_blocks(path, progress):
        check_utf8(data, name, number)
        yield from io.StringIO(data.decode(), newline="")


def read_json(path: str) -> Iterator[Rows]:
    """Yield blocks of the objects of JSON Lines, or of a JSON array, or the one object of a file."""
    yield from map(_objects, _undecoded(path, None))


def _json_blocks(path: str, fields: Sequence[Field], bad: BadRows, progress: Progress | None) -> Iterator[Block]:
    of_texts = not any(field.is_json or field.is_key for field in fields)

    def columns_of(rows: Rows) -> list[Column]:
        rows = _objects(rows, of_texts=of_texts)
        try:
            every = [[row[field.name] for row in rows.values] for field in fields]
        except KeyError:
            for row, value in enumerate(rows.values):
                check_fields(rows.place(row), fields, list(value))
            raise
        return [_json_column(rows._replace(values=values), field) for field, values in zip(fields, every, strict=True)]

    for i, rows in enumerate(_undecoded(path, progress)):
        if i == 0 and not bad.is_skipped:
            _check_names(rows.slice(0, 1), fields)
        yield without_bad(rows, columns_of, len(fields), bad)


def _check_names(first: Rows, fields: Sequence[Field]) -> None:
    """Refuse a field that the first object lacks: a wrong name, not a bad row."""
    try:
        values = _objects(first).values
    except InputError:
        return
    # An array may have none.
    for value in values:
        check_fields(first.place(0), fields, list(value))


def _undecoded(path: str, progress: Progress | None) -> Iterator[Rows]:
    """Yield blocks of JSON Lines as bytes, blank lines skipped.

    Or as values all objects of one JSON array, or the one object that a file holds over several lines.
    """
    name, blocks = shown_name(path), line_blocks(path, progress)
    for number, data in blocks:
        line, newline, _ = data[:_HEAD].lstrip().partition(b"\n")
        if number == 1 and (line.startswith(b"[") or (newline and line.strip() == b"{")):
            values = _array(name, b"".join((data, *(more for _, more in blocks))))
            yield Rows(name, "object", range(1, len(values) + 1), values)
            return
        lines = data.removesuffix(b"\n").split(b"\n")
        numbers: Sequence[int] = range(number, number + len(lines))
        if not all(map(bytes.strip, lines)):
            numbers = [at for at, line in zip(numbers, lines, strict=True) if line.strip()]
            lines = [lines[at - number] for at in numbers]
        yield from Rows(name, "line", numbers, lines).in_blocks()


def _objects(rows: Rows, *, of_texts: bool = False) -> Rows:
    """Return the objects of a block of `_undecoded`; `of_texts` if nothing but their texts will be read."""
    values, allowed = rows.values, "a JSON object"
    if rows.item == "line":
        # A row that is refused comes alone in the end: then Python's decoder says what is wrong.
        values, allowed = _quick_values(rows) if of_texts and len(values) > 1 else _values(rows), _ROW
    for row, value in enumerate(values if {*map(type, values)} - {dict} else ()):
        if not isinstance(value, dict):
            fail(InputError, rows.place(row), allowed, as_json(value))
    return rows._replace(values=values)


def _values(rows: Rows) -> list[Any]:
    return [_value(line, rows.name, at) for at, line in zip(rows.numbers, rows.values, strict=True)]


def _quick_values(rows: Rows) -> list[Any]:
    """Return what `_values` does, with a decoder three times as fast where all rows are such as it reads alike."""
    # Imported here: other formats do without.
    import orjson

    with suppress(ValueError):
        values = [*map(orjson.loads, rows.values)]
        n_names = _n_written_names(b"\n".join(rows.values))
        if {*map(type, values)} == {dict} and (
            n_names == sum(map(len, values)) or n_names == sum(map(_n_names, values))
        ):
            return values
    return _values(rows)


def _n_written_names(data: bytes) -> int:
    """Return how often lines of valid JSON have a name with a colon, or more; -1 if that takes a closer look.

    As many as the objects have are all different. A name ends in a quote before a colon, but so do beginnings of
    texts (":-)"); an escaped quote ends nothing.
    """
    text = np.frombuffer(data, np.uint8)
    colons = np.flatnonzero(text == ord(":"))
    before = text[colons - 1]
    if ((before == ord(" ")) | (before == ord("\t")) | (before == ord("\r"))).any() and _SPACED.search(data):
        return -1
    quotes = colons[before == ord('"')] - 1
    is_escaped = text[quotes - 1] == ord("\\")
    if (text[quotes[is_escaped] - 2] == ord("\\")).any():
        return -1
    return len(quotes) - int(is_escaped.sum())


def _n_names(value: Any) -> int:
    """Count the names in a value of JSON."""
    if isinstance(value, dict):
        return len(value) + sum(map(_n_names, value.values()))
    return sum(map(_n_names, value)) if isinstance(value, list) else 0


class _TwiceError(Exception):
    """A field that an object has twice, and how often: Python's decoder keeps the last."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _TwiceError(*Counter(name for name, _ in pairs).most_common(1)[0])
    return made


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
# `decode` without its two frames in Python, a third of the time of a row.
_scan: Any = _DECODER.scan_once  # type: ignore[attr-defined]
_SPACES = re.compile(r"[ \t\n\r]*")
_SPACED = re.compile(rb'"[ \t\r]+:')


def _value(line: bytes, name: str, number: int) -> Any:
    """Return the value of a line of JSON."""
    try:
        text = line.decode()
        value, end = _scan(text, 0)
        if end == len(text):
            return value
    except (StopIteration, ValueError, RecursionError, _TwiceError):
        check_utf8(line, name, number)
    return _decoded(text, f"{name}, line {number}", _ROW)


def _array(name: str, data: bytes) -> list[Any]:
    """Return the values of a JSON array, or the one object there is."""
    check_utf8(data, name, 1)
    whole = _decoded(data.decode(), name, "a JSON array or object")
    return whole if isinstance(whole, list) else [whole]


def _decoded(text: str, place: str, allowed: str) -> Any:
    """Return the value of JSON, or raise InputError."""
    try:
        return _DECODER.decode(text.rstrip(" \t\n\r"))
    except _TwiceError as error:
        field, count = error.args
        place += "" if allowed == _ROW else f", object {_number_of_twice(text)}"
        fail(InputError, place, f"one field {field!r}", f"{count} of that name")
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        fail(InputError, place, allowed, f"broken JSON at {line}column {error.colno}: {error.msg}")
    except (ValueError, RecursionError) as error:
        fail(InputError, place, allowed, f"JSON that Python cannot read: {error}")


def _number_of_twice(text: str) -> int:
    """Return which value of a JSON array has a field twice; 1 for the one object that there is."""
    at, number = text.index("[") + 1 if text.lstrip().startswith("[") else 0, 1
    with suppress(_TwiceError):
        while True:
            # A pattern of optional spaces always matches.
            _, at = _DECODER.raw_decode(text, _SPACES.match(text, at).end())  # type: ignore[union-attr]
            at, number = text.index(",", at) + 1, number + 1
    return number


def _json_column(rows: Rows, field: Field) -> Column:
    values = rows.values
    if field.is_json:
        values = [*map(json.dumps, values)]
    elif field.is_key:
        values = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
    try:
        if field.may_hold_lists and list in {*map(type, values)}:
            lists = [value if isinstance(value, list) else [value] for value in values]
            return Column(*nested_column(lists, field.name))
        return Column.of(text_column(values, field.name))
    except (TypeError, ValueError):
        refuse_wrong(rows._replace(values=values), field)


def _parquet_blocks(path: str, fields: Sequence[Field], bad: BadRows, progress: Progress | None) -> Iterator[Block]:
    # Imported here: Arrow takes 0.1 s to import.
    with quiet_imports():
        from .parquet import parquet_blocks

    return parquet_blocks(path, fields, bad, progress)


_READERS: Mapping[str, Callable[[str, Sequence[Field], BadRows, Progress | None], Iterator[Block]]] = {
    "text": _text_blocks, "jsonl": _json_blocks, "parquet": _parquet_blocks,
    "csv": partial(_delimited_blocks, delimiter=","), "tsv": partial(_delimited_blocks, delimiter="\t"),
}  # fmt: skip
