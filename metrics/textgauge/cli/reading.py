"""Input files, whatever their format, as blocks of texts in columns; and the rows that are bad."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from typing import Any, NamedTuple, NoReturn, TypeVar

import numpy as np

from .. import engine
from ..arrays import IntArray, lengths_of, offsets_of
from ..checks import SHOWN, fail, in_number, shown
from ..input.columns import known_texts, nested_column, text_column
from ..plain import Texts
from .files import Progress, check_utf8, line_blocks, shown_name
from .messages import InputError, listed

# Rows at a time.
BLOCK_ROWS = 1 << 14
# Bad rows whose places are named.
N_SHOWN = 5
_N_PARTS = 64
# The largest that every platform accepts; Python's own limit is 128 KiB.
_LONGEST_VALUE = (1 << 31) - 1
# The beginning of a file that shows whether it is JSON Lines.
_HEAD = 1 << 16
_ROW = "a JSON object on every line"

_Item = TypeVar("_Item")


class TextLists(NamedTuple):
    """Rows of a file: row i has ``texts[offsets[i]:offsets[i + 1]]``, one text unless the field holds lists."""

    texts: Texts
    offsets: IntArray

    @classmethod
    def of(cls, texts: Texts) -> TextLists:
        """Return a column with one text in every row."""
        return cls(texts, np.arange(len(texts) + 1, dtype=np.int64))

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.offsets) - 1

    def lists(self) -> list[list[str]]:
        """Return the texts of every row."""
        texts, ends = self.texts.tolist(), self.offsets.tolist()
        return [texts[start:stop] for start, stop in pairwise(ends)]

    def slice(self, start: int, stop: int) -> TextLists:
        """Return consecutive rows, without a copy."""
        first, last = self.offsets[[start, stop]].tolist()
        return TextLists(self.texts.slice(first, last), self.offsets[start : stop + 1] - first)


class NamedColumn(NamedTuple):
    """A column to read: its name, the flag that sets the name, and what its values may be beside texts.

    They may be lists of texts; keys, which are any value of JSON as text; or any values, which are read as JSON.
    """

    name: str
    flag: str = ""
    may_hold_lists: bool = False
    is_key: bool = False
    is_json: bool = False


class Records(NamedTuple):
    """Values of a file, and where each of them is: "line 3", "row 3" or "object 3"."""

    name: str
    item: str
    numbers: Sequence[int]
    values: Any

    def slice(self, start: int, stop: int) -> Records:
        """Return consecutive rows."""
        return self._replace(numbers=self.numbers[start:stop], values=self.values[start:stop])

    def in_blocks(self) -> Iterator[Records]:
        """Yield consecutive rows, at most `BLOCK_ROWS` at a time."""
        for start in range(0, len(self.numbers), BLOCK_ROWS):
            yield self.slice(start, start + BLOCK_ROWS)

    def place(self, row: int, field: NamedColumn | None = None) -> str:
        """Name a value in messages."""
        return f"{self.name}, {self.item} {self.numbers[row]}" + (f", field {field.name!r}" if field else "")


class TextBlock(NamedTuple):
    """Consecutive rows of a file: a column for every field, and which rows are bad: they have empty texts."""

    columns: Sequence[TextLists]
    bad: Sequence[int] = ()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.columns[0].n_rows

    def slice(self, start: int, stop: int) -> TextBlock:
        """Return consecutive rows, without a copy."""
        if (start, stop) == (0, self.n_rows):
            return self
        bad = [row - start for row in self.bad if start <= row < stop]
        return TextBlock([column.slice(start, stop) for column in self.columns], bad)


# Those of one file, in order.
Blocks = Iterator[TextBlock]


def in_blocks(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    """Yield the items in lists of at most `BLOCK_ROWS`."""
    left = iter(items)
    while block := list(islice(left, BLOCK_ROWS)):
        yield block


class BadRows:
    """The rows of all files that cannot be scored.

    Attributes
    ----------
    is_skipped : bool
        Whether the others are scored nevertheless.
    can_be_skipped : bool
        Whether the command has --skip-bad.
    n_rows : int
    skipped : list of int
        The segments that were left out since a row of theirs is bad, ascending, from 0.
    """

    def __init__(self, *, is_skipped: bool = False, can_be_skipped: bool = True) -> None:
        """Start without any."""
        self.is_skipped, self.can_be_skipped, self.n_rows = is_skipped, can_be_skipped, 0
        self.skipped: list[int] = []
        self._first: InputError | None = None
        self._places: list[tuple[str, str]] = []

    def add(self, error: InputError, rows: Records) -> None:
        """Add a row, the only one of `rows`."""
        self.n_rows += 1
        self._first = self._first or error
        if self.n_rows <= N_SHOWN:
            self._places.append((rows.name, f"{rows.item} {rows.numbers[0]}"))

    @property
    def n_skipped(self) -> int:
        """How many segments were left out."""
        return len(self.skipped)

    def numbers(self, n: int) -> Sequence[int]:
        """Return the numbers that the `n` segments that are left have among all, from 1."""
        every = range(1, n + self.n_skipped + 1)
        return np.delete(np.array(every), self.skipped).tolist() if self.skipped else every

    def check(self) -> None:
        """Raise if there are any and they are not skipped: the error of the first, and where others are."""
        if self._first is None or self.is_skipped:
            return
        if self.n_rows == 1:
            raise self._first
        way_out = "; --skip-bad scores the others" if self.can_be_skipped else ""
        raise InputError(f"{self._first.message} ({self.n_rows:,} bad rows, {self._which()}{way_out})")

    def notice(self) -> str:
        """Return what was skipped, in a sentence; empty: nothing."""
        if not self.n_skipped:
            return ""
        left_out = in_number(self.n_skipped, f"{self.n_skipped:,} [segment was|segments were] left out")
        return f"{left_out}: {in_number(self.n_rows, 'bad [row|rows]')}, {self._which()}"

    def _which(self) -> str:
        is_one_file = len({name for name, _ in self._places}) == 1
        places = listed([item if is_one_file else f"{name}, {item}" for name, item in self._places])
        return places if self.n_rows <= N_SHOWN else f"the first {N_SHOWN} are {places}"


def without_bad(
    rows: Records, columns_of: Callable[[Records], Sequence[TextLists]], n_columns: int, bad: BadRows
) -> TextBlock:
    """Return the columns of some rows; those that `columns_of` refuses are bad, and found among ever fewer."""
    try:
        return TextBlock(columns_of(rows))
    except InputError as error:
        n = len(rows.numbers)
        if n == 1:
            bad.add(error, rows)
            return TextBlock([TextLists.of(known_texts([""]))] * n_columns, [0])
    step = max(1, n // _N_PARTS)
    parts = [without_bad(rows.slice(at, min(at + step, n)), columns_of, n_columns, bad) for at in range(0, n, step)]
    columns = [joined(of_parts) for of_parts in zip(*(part.columns for part in parts), strict=True)]
    return TextBlock(columns, [i * step + row for i, part in enumerate(parts) for row in part.bad])


def texts_at(offsets: IntArray, data: bytes) -> Texts:
    """View bytes of checked UTF-8 as a column, without a copy."""
    return engine.kernel.arrow_texts(offsets, np.frombuffer(data, np.uint8), data)


def joined(columns: Sequence[TextLists]) -> TextLists:
    """Concatenate the rows of columns."""
    if len(columns) < 2:
        return columns[0] if columns else TextLists.of(known_texts([]))
    n_texts = [lengths_of(column.offsets) for column in columns]
    return TextLists(joined_texts([column.texts for column in columns]), offsets_of(np.concatenate(n_texts)))


def joined_texts(parts: Sequence[Texts]) -> Texts:
    """Concatenate texts."""
    joins = [part.join() for part in parts]
    lengths = [lengths_of(np.asarray(offsets, np.int64)) for offsets, _ in joins]
    return texts_at(offsets_of(np.concatenate(lengths)), b"".join(bytes(data) for _, data in joins))


def check_fields(place: str, wanted: Sequence[NamedColumn], existing: Sequence[str]) -> None:
    """Refuse a file or row that lacks a field or has it twice."""
    for field in wanted:
        if field.name not in existing:
            hint = f"; choose one with {field.flag}" if field.flag and existing else ""
            # Names of columns come from the file: they are bounded and, by repr, printable.
            has = f"only {', '.join(map(repr, existing))}" if existing else "and no other"
            raise InputError(f"{place}: there is no field {field.name!r}, {has[:400]}{hint}")
        if existing.count(field.name) > 1:
            fail(InputError, place, f"one field {field.name!r}", f"{existing.count(field.name)} of that name")


def refuse_wrong(rows: Records, field: NamedColumn) -> NoReturn:
    """Raise for the first value that is not text, or not a list of texts where the field allows one."""
    allowed = "a text or a non-empty list of texts" if field.may_hold_lists else "a text"
    for row, value in enumerate(rows.values):
        texts = value if field.may_hold_lists and isinstance(value, list) else [value]
        if not texts or isinstance(engine.kernel.texts(texts), int):
            is_tokens = (
                not field.may_hold_lists and isinstance(value, list) and all(isinstance(one, str) for one in value)
            )
            hint = " (join tokens with spaces, and give --tokenizer whitespace)" if is_tokens else ""
            fail(InputError, rows.place(row, field), allowed + hint, as_json(value))
    fail(InputError, rows.place(0, field), allowed, "another type")


def as_json(value: Any) -> str:
    """Return a value for a message: as JSON if possible, in bounded length."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = shown(value).rpartition(" (")[0]
    return text if len(text) <= 2 * SHOWN else text[: 2 * SHOWN] + "..."


def text_blocks(path: str, _: Sequence[NamedColumn], bad: BadRows, progress: Progress | None) -> Blocks:
    r"""Yield plain text, one segment per line: lines end at \n or \r\n and nowhere else."""
    name = shown_name(path)

    def columns_of(rows: Records) -> list[TextLists]:
        data = b"\n".join(rows.values)
        check_utf8(data, name, rows.numbers[0])
        return [TextLists.of(_lines_in(data))]

    for number, data in line_blocks(path, progress):
        try:
            check_utf8(data, name, number)
        except InputError:
            lines = data.removesuffix(b"\n").split(b"\n")
            yield without_bad(Records(name, "line", range(number, number + len(lines)), lines), columns_of, 1, bad)
        else:
            yield TextBlock([TextLists.of(_lines_in(data))])


def _lines_in(data: bytes) -> Texts:
    """Return the lines of checked UTF-8."""
    data = (data.removesuffix(b"\n") + b"\n").replace(b"\r\n", b"\n")
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return texts_at(offsets_of(np.diff(ends, prepend=-1) - 1), data.replace(b"\n", b""))


def delimited_blocks(
    path: str, fields: Sequence[NamedColumn], bad: BadRows, progress: Progress | None, *, delimiter: str
) -> Blocks:
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

        def columns_of(rows: Records) -> list[TextLists]:
            for number, row in zip(rows.numbers, rows.values, strict=True):
                if len(row) != len(header):
                    allowed = f"as many values as the header has ({len(header)})"
                    fail(InputError, f"{name}, line {number}", allowed, f"{len(row)}: {as_json(row)}")
            every = ([row[place] for row in rows.values] for place in places)
            return [
                TextLists.of(known_texts([*map(json.dumps, values)] if field.is_json else values))
                for field, values in zip(fields, every, strict=True)
            ]

        for block in in_blocks(numbered):
            yield without_bad(Records(name, "line", *zip(*block, strict=True)), columns_of, len(fields), bad)
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: {error}") from error


def names_in_header(path: str, delimiter: str) -> list[str]:
    """Return the names of the columns of CSV or TSV."""
    import csv

    lines = _decoded_lines(path, shown_name(path), None)
    return next((row for row in csv.reader(lines, delimiter=delimiter) if row), [])


def _decoded_lines(path: str, name: str, progress: Progress | None) -> Iterator[str]:
    for number, data in line_blocks(path, progress):
        check_utf8(data, name, number)
        yield from io.StringIO(data.decode(), newline="")


def read_json(path: str) -> Iterator[Records]:
    """Yield blocks of the objects of JSON Lines, or of a JSON array, or the one object of a file."""
    yield from map(_objects, _undecoded(path, None))


def names_in_json(path: str) -> list[str]:
    """Return the names of the fields of the first object."""
    return [name for rows in islice(read_json(path), 1) for name in rows.values[0]]


def json_blocks(path: str, fields: Sequence[NamedColumn], bad: BadRows, progress: Progress | None) -> Blocks:
    """Yield blocks of columns of JSON Lines, or of a JSON array, or of the one object of a file."""
    of_texts = not any(field.is_json or field.is_key for field in fields)

    def columns_of(rows: Records) -> list[TextLists]:
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


def _check_names(first: Records, fields: Sequence[NamedColumn]) -> None:
    """Refuse a field that the first object lacks: a wrong name, not a bad row."""
    try:
        values = _objects(first).values
    except InputError:
        return
    # An array may have none.
    for value in values:
        check_fields(first.place(0), fields, list(value))


def _undecoded(path: str, progress: Progress | None) -> Iterator[Records]:
    """Yield blocks of JSON Lines as bytes, blank lines skipped.

    Or as values all objects of one JSON array, or the one object that a file holds over several lines.
    """
    name, blocks = shown_name(path), line_blocks(path, progress)
    for number, data in blocks:
        line, newline, _ = data[:_HEAD].lstrip().partition(b"\n")
        if number == 1 and (line.startswith(b"[") or (newline and line.strip() == b"{")):
            values = _array(name, b"".join((data, *(more for _, more in blocks))))
            yield Records(name, "object", range(1, len(values) + 1), values)
            return
        lines = data.removesuffix(b"\n").split(b"\n")
        numbers: Sequence[int] = range(number, number + len(lines))
        if not all(map(bytes.strip, lines)):
            numbers = [at for at, line in zip(numbers, lines, strict=True) if line.strip()]
            lines = [lines[at - number] for at in numbers]
        yield from Records(name, "line", numbers, lines).in_blocks()


def _objects(rows: Records, *, of_texts: bool = False) -> Records:
    """Return the objects of a block of `_undecoded`; `of_texts` if nothing but their texts will be read."""
    values, allowed = rows.values, "a JSON object"
    if rows.item == "line":
        # A row that is refused comes alone in the end: then Python's decoder says what is wrong.
        values, allowed = _quick_values(rows) if of_texts and len(values) > 1 else _values(rows), _ROW
    for row, value in enumerate(values if {*map(type, values)} - {dict} else ()):
        if not isinstance(value, dict):
            fail(InputError, rows.place(row), allowed, as_json(value))
    return rows._replace(values=values)


def _values(rows: Records) -> list[Any]:
    return [_value(line, rows.name, at) for at, line in zip(rows.numbers, rows.values, strict=True)]


def _quick_values(rows: Records) -> list[Any]:
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


def _json_column(rows: Records, field: NamedColumn) -> TextLists:
    values = rows.values
    if field.is_json:
        values = [*map(json.dumps, values)]
    elif field.is_key:
        values = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
    try:
        if field.may_hold_lists and list in {*map(type, values)}:
            lists = [value if isinstance(value, list) else [value] for value in values]
            return TextLists(*nested_column(lists, field.name))
        return TextLists.of(text_column(values, field.name))
    except (TypeError, ValueError):
        refuse_wrong(rows._replace(values=values), field)
