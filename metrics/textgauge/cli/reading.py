"""One input file as columns of texts, whatever its format."""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, NoReturn

import numpy as np

from .. import engine
from ..arrays import IntArray, lengths_of, offsets_of
from ..checks import SHOWN, fail, shown
from ..columns import known_texts
from ..plain import Texts
from .files import is_packed, read_utf8, shown_name
from .interrupts import quiet_imports
from .messages import InputError

FORMATS = ("text", "jsonl", "csv", "tsv", "parquet")
_FORMAT_OF_SUFFIX = {".ndjson": "jsonl", ".json": "jsonl", ".pq": "parquet"} | {f".{name}": name for name in FORMATS}
_DELIMITERS = {"csv": ",", "tsv": "\t"}
# The largest that every platform accepts; Python's own limit is 128 KiB.
_LONGEST_VALUE = (1 << 31) - 1
# Rows that are Python objects at a time.
BLOCK_ROWS = 1 << 14
# The beginning of a file that shows whether it is JSON Lines.
_HEAD = 1 << 16
_ROW = "a JSON object on every line"
_JSON_SPACE = " \t\n\r"


def format_of(path: str) -> str:
    """Return the format for a file name: plain text unless its suffix is that of another format.

    Examples
    --------
    >>> format_of("scored.jsonl.gz"), format_of("newstest.de")
    ('jsonl', 'text')
    """
    suffix = os.path.splitext(path[: -len(".gz")] if is_packed(path) else path)[1]
    return _FORMAT_OF_SUFFIX.get(suffix.lower(), "text")


class Column(NamedTuple):
    """Rows of a file: row i has ``texts[offsets[i]:offsets[i + 1]]``, one text unless the field holds lists."""

    texts: Texts
    offsets: IntArray

    @classmethod
    def of(cls, texts: Texts) -> Column:
        """Return a column with one text in every row."""
        return cls(texts, np.arange(len(texts) + 1, dtype=np.int64))

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.offsets) - 1


class Field(NamedTuple):
    """A column to read: its name, the flag that sets the name, whether it may hold lists of texts, or is a key.

    A key may be any value of JSON, and becomes text.
    """

    name: str
    flag: str = ""
    may_hold_lists: bool = False
    is_key: bool = False


class Rows(NamedTuple):
    """Values of a file, and where each of them is: "line 3", "row 3" or "object 3"."""

    name: str
    item: str
    numbers: Sequence[int]
    values: Any

    def place(self, row: int, field: Field | None = None) -> str:
        """Name a value in messages."""
        return f"{self.name}, {self.item} {self.numbers[row]}" + (f", field {field.name!r}" if field else "")


def read_columns(path: str, kind: str, fields: Sequence[Field]) -> list[Column]:
    """Read a file.

    Parameters
    ----------
    path : str
        "-" is standard input.
    kind : one of `FORMATS`
    fields : sequence of Field
        The columns to read; plain text has one, without a name.
    """
    if kind == "text":
        return [Column.of(read_lines(path))]
    if kind == "parquet":
        # Imported here: Arrow takes 0.1 s to import.
        with quiet_imports():
            from .parquet import parquet_columns

        return parquet_columns(path, fields)
    found = _json_columns(path, fields) if kind == "jsonl" else _delimited_columns(path, _DELIMITERS[kind], fields)
    blocks = list(found)
    return [joined([block[i] for block in blocks]) for i in range(len(fields))]


def read_lines(path: str) -> Texts:
    r"""Read plain text, one segment per line: lines end at \n or \r\n and nowhere else."""
    data = read_utf8(path)
    if data and not data.endswith(b"\n"):
        data += b"\n"
    data = data.replace(b"\r\n", b"\n")
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return texts_at(offsets_of(np.diff(ends, prepend=-1) - 1), data.replace(b"\n", b""))


def texts_at(offsets: IntArray, data: bytes) -> Texts:
    """View bytes of checked UTF-8 as a column, without a copy."""
    return engine.kernel.arrow_texts(offsets, np.frombuffer(data, np.uint8), data)


def joined(columns: Sequence[Column]) -> Column:
    """Concatenate the rows of columns."""
    if len(columns) < 2:
        return columns[0] if columns else Column.of(known_texts([]))
    n_texts = [lengths_of(column.offsets) for column in columns]
    return Column(joined_texts([column.texts for column in columns]), offsets_of(np.concatenate(n_texts)))


def joined_texts(parts: Sequence[Texts]) -> Texts:
    """Concatenate texts."""
    joins = [part.join() for part in parts]
    lengths = [lengths_of(np.asarray(offsets, np.int64)) for offsets, _ in joins]
    return texts_at(offsets_of(np.concatenate(lengths)), b"".join(bytes(data) for _, data in joins))


def _delimited_columns(path: str, delimiter: str, fields: Sequence[Field]) -> Iterator[list[Column]]:
    """Yield blocks of CSV or TSV with a header; a quoted value may hold newlines, blank lines are skipped."""
    import csv

    name = shown_name(path)
    csv.field_size_limit(_LONGEST_VALUE)
    lines = io.TextIOWrapper(io.BytesIO(read_utf8(path)), "utf-8", newline="")
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    rows = filter(None, reader)
    try:
        header = next(rows, None)
        if header is None:
            return
        if len(header) == 1 and len(fields) > 1:
            fail(InputError, name, f"columns with {delimiter!r} between them", f"one column, {header[0]!r}")
        check_fields(name, fields, header)
        places = [header.index(field.name) for field in fields]
        while block := list(islice(_of_width(len(header), rows, reader, name), BLOCK_ROWS)):
            yield [Column.of(known_texts([row[place] for row in block])) for place in places]
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: {error}") from error


def _of_width(n: int, rows: Iterator[list[str]], reader: Any, name: str) -> Iterator[list[str]]:
    for row in rows:
        if len(row) != n:
            allowed = f"as many values as the header has ({n})"
            fail(InputError, f"{name}, line {reader.line_num}", allowed, f"{len(row)}: {as_json(row)}")
        yield row


def read_json(path: str) -> Iterator[Rows]:
    """Yield blocks of the objects of JSON Lines, blank lines skipped.

    Or all objects of one JSON array, or the one object that a file holds over several lines.
    """
    name, data, decoder = shown_name(path), read_utf8(path), Decoder()
    line, newline, _ = data[:_HEAD].lstrip().partition(b"\n")
    if line.startswith(b"[") or (newline and line.strip() == b"{"):
        whole = decoder.value(data.decode(), name, "a JSON array or object")
        values = whole if isinstance(whole, list) else [whole]
        if decoder.twice:
            number = next(i for i, value in enumerate(values, 1) if _has(value, decoder.twice[0][0]))
            decoder.refuse_twice(f"{name}, object {number}")
        yield _checked_objects(Rows(name, "object", range(1, len(values) + 1), values), "a JSON object")
        return
    lines = ((number, line) for number, line in enumerate(io.BytesIO(data), 1) if line.strip())
    while block := list(islice(lines, BLOCK_ROWS)):
        values = []
        for number, row in block:
            place = f"{name}, line {number}"
            values.append(decoder.value(row.decode(), place, _ROW))
            if decoder.twice:
                decoder.refuse_twice(place)
        yield _checked_objects(Rows(name, "line", [number for number, _ in block], values), _ROW)


def _checked_objects(rows: Rows, allowed: str) -> Rows:
    for row, value in enumerate(rows.values):
        if not isinstance(value, dict):
            fail(InputError, rows.place(row), allowed, as_json(value))
    return rows


def _json_columns(path: str, fields: Sequence[Field]) -> Iterator[list[Column]]:
    for rows in read_json(path):
        for row, value in enumerate(rows.values):
            check_fields(rows.place(row), fields, list(value))
        yield [_json_column(rows, field) for field in fields]


def _json_column(rows: Rows, field: Field) -> Column:
    values = [row[field.name] for row in rows.values]
    if field.is_key:
        values = [value if isinstance(value, str) else json.dumps(value) for value in values]
    found: Any = 0
    if not field.may_hold_lists or all(isinstance(value, str) for value in values):
        found = engine.kernel.texts(values)
    elif all(isinstance(value, (str, list)) for value in values):
        found = engine.kernel.nested_texts([value if isinstance(value, list) else [value] for value in values])
    if isinstance(found, int):
        refuse_wrong(rows._replace(values=values), field)
    return Column(found[0], np.asarray(found[1], np.int64)) if isinstance(found, tuple) else Column.of(found)


class Decoder:
    """A decoder of JSON that sees when an object has a field twice, of which Python's own keeps the last.

    Attributes
    ----------
    twice : list of (dict, name of its field, how often it has it)
    """

    def __init__(self) -> None:
        """Start with no such object."""
        self.twice: list[tuple[dict[str, Any], str, int]] = []
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            [(field, count)] = Counter(name for name, _ in pairs).most_common(1)
            self.twice.append((made, field, count))
        return made

    def value(self, text: str, place: str, allowed: str) -> Any:
        """Return the value of JSON, or raise InputError."""
        text = text.rstrip(_JSON_SPACE)
        try:
            # A call that skips no white space: `decode` would take a quarter longer.
            value, end = self._decoder.raw_decode(text, len(text) - len(text.lstrip(_JSON_SPACE)))
            if end < len(text):
                raise json.JSONDecodeError("Extra data", text, end)
            return value
        except json.JSONDecodeError as error:
            line = f"line {error.lineno}, " if "\n" in text else ""
            fail(InputError, place, allowed, f"broken JSON at {line}column {error.colno}: {error.msg}")
        except (ValueError, RecursionError) as error:
            fail(InputError, place, allowed, f"JSON that Python cannot read: {error}")

    def refuse_twice(self, place: str) -> NoReturn:
        """Raise for the first object with a field twice, which is at the place."""
        _, field, count = self.twice[0]
        fail(InputError, place, f"one field {field!r}", f"{count} of that name")


def _has(value: Any, part: Any) -> bool:
    """Return whether a value of JSON is a part, or has it inside."""
    parts = [value]
    while parts:
        value = parts.pop()
        if value is part:
            return True
        parts += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return False


def as_json(value: Any) -> str:
    """Return a value for a message: as JSON if possible, in bounded length."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = shown(value).rpartition(" (")[0]
    return text if len(text) <= 2 * SHOWN else text[: 2 * SHOWN] + "..."


def check_fields(place: str, wanted: Sequence[Field], existing: Sequence[str]) -> None:
    """Refuse a file or row that lacks a field or has it twice."""
    for field in wanted:
        if field.name not in existing:
            hint = f"; choose one with {field.flag}" if field.flag and existing else ""
            # Names of columns come from the file: they are bounded and, by repr, printable.
            has = f"only {', '.join(map(repr, existing))}" if existing else "and no other"
            raise InputError(f"{place}: there is no field {field.name!r}, {has[:400]}{hint}")
        if existing.count(field.name) > 1:
            fail(InputError, place, f"one field {field.name!r}", f"{existing.count(field.name)} of that name")


def refuse_wrong(rows: Rows, field: Field) -> NoReturn:
    """Raise for the first value that is not text, or not a list of texts where the field allows one."""
    allowed = "a text or a non-empty list of texts" if field.may_hold_lists else "a text"
    for row, value in enumerate(rows.values):
        texts = value if field.may_hold_lists and isinstance(value, list) else [value]
        if not texts or not all(map(_is_text, texts)):
            fail(InputError, rows.place(row, field), allowed, as_json(value))
    fail(InputError, rows.place(0, field), allowed, "another type")


def _is_text(value: Any) -> bool:
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False
