"""One input file as columns of texts, whatever its format."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple, NoReturn

import numpy as np

from .. import engine
from ..arrays import IntArray, lengths_of, offsets_of
from ..checks import SHOWN, fail, shown
from ..columns import known_texts
from ..plain import Texts
from .files import Progress, check_utf8, line_blocks, shown_name, suffix_of
from .interrupts import quiet_imports
from .messages import InputError, listed

FORMATS = ("text", "jsonl", "csv", "tsv", "parquet")
_FORMAT_OF_SUFFIX = {".ndjson": "jsonl", ".json": "jsonl", ".pq": "parquet"} | {f".{name}": name for name in FORMATS}
# Those of files that a folder may hold.
SUFFIXES = tuple(sorted(_FORMAT_OF_SUFFIX.keys() - {".text"}))
_DELIMITERS = {"csv": ",", "tsv": "\t"}
# The largest that every platform accepts; Python's own limit is 128 KiB.
_LONGEST_VALUE = (1 << 31) - 1
# Rows at a time.
BLOCK_ROWS = 1 << 14
# The beginning of a file that shows whether it is JSON Lines.
_HEAD = 1 << 16
_ROW = "a JSON object on every line"
# Bad rows whose places are named.
N_SHOWN = 5
_N_PARTS = 64
_JSON_SPACE = " \t\n\r"


def format_of(path: str) -> str:
    """Return the format for a file name: plain text unless its suffix is that of another format.

    Examples
    --------
    >>> format_of("scored.jsonl.gz"), format_of("newstest.de")
    ('jsonl', 'text')
    """
    return _FORMAT_OF_SUFFIX.get(suffix_of(path), "text")


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

    def slice(self, start: int, stop: int) -> Column:
        """Return consecutive rows, without a copy."""
        first, last = self.offsets[[start, stop]].tolist()
        return Column(self.texts.slice(first, last), self.offsets[start : stop + 1] - first)


class Field(NamedTuple):
    """A column to read: its name, the flag that sets the name, and whether it may hold lists of texts."""

    name: str
    flag: str = ""
    may_hold_lists: bool = False


class Rows(NamedTuple):
    """Values of a file, and where each of them is: "line 3", "row 3" or "object 3"."""

    name: str
    item: str
    numbers: Sequence[int]
    values: Any

    def slice(self, start: int, stop: int) -> Rows:
        """Return consecutive rows."""
        return self._replace(numbers=self.numbers[start:stop], values=self.values[start:stop])

    def numbered(self) -> Iterator[tuple[int, Any]]:
        """Yield the number and the value of every row."""
        return zip(self.numbers, self.values, strict=True)

    def place(self, row: int, field: Field | None = None) -> str:
        """Name a value in messages."""
        return f"{self.name}, {self.item} {self.numbers[row]}" + (f", field {field.name!r}" if field else "")


class Block(NamedTuple):
    """Consecutive rows of a file: a column for every field, and which rows are bad: they have empty texts."""

    columns: Sequence[Column]
    bad: Sequence[int] = ()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.columns[0].n_rows

    def slice(self, start: int, stop: int) -> Block:
        """Return consecutive rows, without a copy."""
        bad = [row - start for row in self.bad if start <= row < stop]
        return Block([column.slice(start, stop) for column in self.columns], bad)


class BadRows:
    """The rows of all files that cannot be scored.

    Attributes
    ----------
    is_skipped : bool
        Whether the others are scored nevertheless.
    n_rows : int
    n_skipped : int
        How many segments were left out since a row of theirs is bad.
    """

    def __init__(self, *, is_skipped: bool = False) -> None:
        """Start without any."""
        self.is_skipped, self.n_rows, self.n_skipped = is_skipped, 0, 0
        self._first: InputError | None = None
        self._places: list[tuple[str, str]] = []

    def add(self, error: InputError, rows: Rows) -> None:
        """Add a row, the only one of `rows`."""
        self.n_rows += 1
        self._first = self._first or error
        if self.n_rows <= N_SHOWN:
            self._places.append((rows.name, f"{rows.item} {rows.numbers[0]}"))

    def check(self) -> None:
        """Raise if there are any and they are not skipped: the error of the first, and where others are."""
        if self._first is None or self.is_skipped:
            return
        if self.n_rows == 1:
            raise self._first
        raise InputError(
            f"{self._first.message} ({self.n_rows:,} bad rows, {self._which()}; --skip-bad scores the others)"
        )

    def notice(self) -> str:
        """Return what was skipped, in a sentence; empty: nothing."""
        if not self.n_skipped:
            return ""
        one = self.n_skipped == 1
        return f"{self.n_skipped:,} segment{' was' if one else 's were'} left out: bad rows, {self._which()}"

    def _which(self) -> str:
        names = {name for name, _ in self._places}
        places = listed([f"{name}, {item}" if len(names) > 1 else item for name, item in self._places])
        return places if self.n_rows <= N_SHOWN else f"the first {N_SHOWN} are {places}"


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
        return _json_blocks(path, fields, bad, progress)
    return _delimited_blocks(path, _DELIMITERS[kind], fields, bad, progress)


def without_bad(rows: Rows, columns_of: Callable[[Rows], Sequence[Column]], n_columns: int, bad: BadRows) -> Block:
    """Return the columns of some rows; those that `columns_of` refuses are bad, and found among ever fewer."""
    try:
        return Block(columns_of(rows))
    except InputError as error:
        n = len(rows.numbers)
        if n == 1:
            bad.add(error, rows)
            return Block([Column.of(known_texts([""]))] * n_columns, [0])
    step = max(1, n // _N_PARTS)
    parts = [without_bad(rows.slice(at, min(at + step, n)), columns_of, n_columns, bad) for at in range(0, n, step)]
    columns = [joined(of_parts) for of_parts in zip(*(part.columns for part in parts), strict=True)]
    return Block(columns, [i * step + row for i, part in enumerate(parts) for row in part.bad])


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
        for start in range(0, block.n_rows, BLOCK_ROWS):
            yield block.slice(start, min(start + BLOCK_ROWS, block.n_rows))


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

        while block := list(islice(numbered, BLOCK_ROWS)):
            yield without_bad(Rows(name, "line", *zip(*block, strict=True)), columns_of, len(fields), bad)
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: {error}") from error


def _decoded_lines(path: str, name: str, progress: Progress | None) -> Iterator[str]:
    for number, data in line_blocks(path, progress):
        check_utf8(data, name, number)
        yield from io.StringIO(data.decode(), newline="")


def read_json(path: str, progress: Progress | None = None) -> Iterator[Rows]:
    """Yield blocks of JSON Lines as undecoded lines, blank lines skipped.

    Or as values all objects of one JSON array, or the one object that a file holds over several lines.
    """
    name, blocks = shown_name(path), line_blocks(path, progress)
    for number, data in blocks:
        line, newline, _ = data[:_HEAD].lstrip().partition(b"\n")
        if number == 1 and (line.startswith(b"[") or (newline and line.strip() == b"{")):
            yield _objects(name, b"".join((data, *(more for _, more in blocks))))
            return
        lines = [(at, line) for at, line in enumerate(_decoded(data), number) if line.strip()]
        for start in range(0, len(lines), BLOCK_ROWS):
            yield Rows(name, "line", *zip(*lines[start : start + BLOCK_ROWS], strict=True))


def _decoded(data: bytes) -> Sequence[Any]:
    """Return lines as text, or as bytes where they are not UTF-8."""
    try:
        return data.decode().split("\n")
    except UnicodeDecodeError:
        lines: list[Any] = data.split(b"\n")
        for i, line in enumerate(lines):
            with suppress(UnicodeDecodeError):
                lines[i] = line.decode()
        return lines


def _objects(name: str, data: bytes) -> Rows:
    """Return the objects of a JSON array, or the one object there is."""
    check_utf8(data, name, 1)
    decoder = Decoder()
    whole = decoder.value(data.decode(), name, "a JSON array or object", may_be_twice=True)
    values = whole if isinstance(whole, list) else [whole]
    if decoder.twice:
        number = next(i for i, value in enumerate(values, 1) if _has(value, decoder.twice[0][0]))
        decoder.refuse_twice(f"{name}, object {number}")
    return Rows(name, "object", range(1, len(values) + 1), values)


def decoded(rows: Rows) -> Rows:
    """Return the objects of a block of `read_json`."""
    values, allowed = rows.values, "a JSON object"
    if rows.item == "line":
        allowed, decoder, values = _ROW, Decoder(), []
        for at, line in rows.numbered():
            if isinstance(line, bytes):
                check_utf8(line, rows.name, at)
            value, is_plain = decoder.plain_value(line)
            values.append(value if is_plain else decoder.value(line, f"{rows.name}, line {at}", _ROW))
    for row, value in enumerate(values):
        if not isinstance(value, dict):
            fail(InputError, rows.place(row), allowed, as_json(value))
    return rows._replace(values=values)


def _json_blocks(path: str, fields: Sequence[Field], bad: BadRows, progress: Progress | None) -> Iterator[Block]:
    names = {field.name for field in fields}

    def columns_of(rows: Rows) -> list[Column]:
        rows = decoded(rows)
        for row, value in enumerate(rows.values):
            if not names <= value.keys():
                check_fields(rows.place(row), fields, list(value))
        return [_json_column(rows, field) for field in fields]

    for i, rows in enumerate(read_json(path, progress)):
        if i == 0 and not bad.is_skipped:
            _check_names(rows.slice(0, 1), fields)
        yield without_bad(rows, columns_of, len(fields), bad)


def _check_names(first: Rows, fields: Sequence[Field]) -> None:
    """Refuse a field that the first object lacks: a wrong name, not a bad row."""
    try:
        [value] = decoded(first).values
    except InputError:
        return
    check_fields(first.place(0), fields, list(value))


def _json_column(rows: Rows, field: Field) -> Column:
    values = [row[field.name] for row in rows.values]
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
        # `raw_decode` without its frame in Python, a fifth of the time of a row.
        self._scan: Any = self._decoder.scan_once  # type: ignore[attr-defined]

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            [(field, count)] = Counter(name for name, _ in pairs).most_common(1)
            self.twice.append((made, field, count))
        return made

    def plain_value(self, text: str) -> tuple[Any, bool]:
        """Return the value of JSON that is right and has no space around it, and whether it is that."""
        try:
            value, end = self._scan(text, 0)
        except (StopIteration, ValueError, RecursionError):
            return None, False
        return value, end == len(text) and not self.twice

    def value(self, text: str, place: str, allowed: str, *, may_be_twice: bool = False) -> Any:
        """Return the value of JSON, or raise InputError."""
        text = text.rstrip(_JSON_SPACE)
        try:
            # A call that skips no white space: `decode` would take a quarter longer.
            value, end = self._decoder.raw_decode(text, len(text) - len(text.lstrip(_JSON_SPACE)))
            if end < len(text):
                raise json.JSONDecodeError("Extra data", text, end)
        except json.JSONDecodeError as error:
            line = f"line {error.lineno}, " if "\n" in text else ""
            fail(InputError, place, allowed, f"broken JSON at {line}column {error.colno}: {error.msg}")
        except (ValueError, RecursionError) as error:
            fail(InputError, place, allowed, f"JSON that Python cannot read: {error}")
        if self.twice and not may_be_twice:
            self.refuse_twice(place)
        return value

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
