"""One input file as batches of text columns, whatever its format."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn, Protocol

import numpy as np

from .. import engine
from ..arrays import IntArray, lengths_of, offsets_of
from ..checks import SHOWN, fail, shown
from ..plain import Texts
from .files import TextFile, line_blocks
from .interrupts import quiet_imports
from .messages import InputError, spelled

FORMATS = ("text", "jsonl", "csv", "tsv", "parquet")
_FORMAT_OF_SUFFIX = {".ndjson": "jsonl", ".json": "jsonl", ".pq": "parquet"} | {f".{name}": name for name in FORMATS}
_ROW = "a JSON object on every line"


def format_of(path: str) -> str:
    """Return the format for a file name: plain text unless its suffix is that of another format.

    Examples
    --------
    >>> format_of("scored.jsonl.gz"), format_of("newstest.de")
    ('jsonl', 'text')
    """
    suffix = os.path.splitext(path.removesuffix(".gz"))[1]
    return _FORMAT_OF_SUFFIX.get(suffix.lower(), "text")


@dataclass(frozen=True)
class Column:
    """Rows of a file: a text each, or a list of texts each.

    Attributes
    ----------
    texts : Texts
    offsets : int64, shape (n_rows + 1,), or None
        Row i has ``texts[offsets[i]:offsets[i + 1]]``; None where every row is one text.
    """

    texts: Texts
    offsets: IntArray | None = None

    def __len__(self) -> int:
        return len(self.texts) if self.offsets is None else len(self.offsets) - 1

    def slice(self, start: int, stop: int) -> Column:
        """Return consecutive rows."""
        if self.offsets is None:
            return Column(self.texts.slice(start, stop))
        first, last = self.offsets[[start, stop]].tolist()
        return Column(self.texts.slice(first, last), self.offsets[start : stop + 1] - first)

    @property
    def lengths(self) -> IntArray:
        """How many texts each row has: int64."""
        return np.ones(len(self), np.int64) if self.offsets is None else lengths_of(self.offsets)

    def to_pylist(self) -> list[str]:
        """Return the texts."""
        return self.texts.tolist()


class Field(NamedTuple):
    """A column to read: its name, the flag that sets the name, and whether it may hold lists of texts."""

    name: str
    flag: str = ""
    may_hold_lists: bool = False


class Source(Protocol):
    """A file that is read as columns, batch by batch."""

    name: str
    unit: str

    def batches(self) -> Iterator[list[Column]]:
        """Yield one column per field, equally long."""

    def done(self) -> float | None:
        """Return the share read so far, None if unknown."""

    def close(self) -> None:
        """Close the file."""


def source_of(path: str, kind: str, fields: Sequence[Field]) -> Source:
    """Open a file.

    Parameters
    ----------
    path : str
        "-" is standard input.
    kind : one of `FORMATS`
    fields : sequence of Field
        The columns to read; plain text has one, without a name.
    """
    if kind == "text":
        return PlainText(path)
    if kind == "jsonl":
        return JsonLines(path, fields)
    # Imported here: Arrow takes 0.1 s to import.
    with quiet_imports():
        from .arrow_files import DELIMITERS, Delimited, Parquet

    return Parquet(path, fields) if kind == "parquet" else Delimited(path, fields, DELIMITERS[kind])


class PlainText:
    r"""One segment per line: lines end at \n or \r\n and nowhere else."""

    unit = "lines"

    def __init__(self, path: str) -> None:
        """Open the file."""
        self.file = TextFile(path)
        self.name, self.done, self.close = self.file.name, self.file.done, self.file.close

    def batches(self) -> Iterator[list[Column]]:
        """Yield the lines."""
        for block in line_blocks(self.file):
            lines = (block + b"\n").replace(b"\r\n", b"\n")
            ends = np.flatnonzero(np.frombuffer(lines, np.uint8) == ord("\n"))
            data = lines.replace(b"\n", b"")
            yield [Column(texts_at(offsets_of(np.diff(ends, prepend=-1) - 1), data))]


def texts_at(offsets: IntArray, data: bytes) -> Texts:
    """View bytes of checked UTF-8 as a column, without a copy."""
    return engine.kernel.arrow_texts(offsets, np.frombuffer(data, np.uint8), data)


class JsonLines:
    """One JSON object per line, blank lines skipped; or one JSON array of objects, or one object over several lines."""

    unit, item = "rows", "line"

    def __init__(self, path: str, fields: Sequence[Field]) -> None:
        """Open the file."""
        self.file = TextFile(path)
        self.fields = fields
        self.name, self.done, self.close = self.file.name, self.file.done, self.file.close

    def batches(self) -> Iterator[list[Column]]:
        """Yield the fields of the objects."""
        for numbers, rows in self.rows():
            yield [self._column([row[field.name] for row in rows], numbers, field) for field in self.fields]

    def rows(self) -> Iterator[tuple[list[int], list[dict[str, Any]]]]:
        """Yield the numbers of the lines and the objects, block by block; of one JSON value, all at once."""
        line, newline, _ = self.file.entry.lstrip().partition(b"\n")
        if line.startswith(b"[") or (newline and line.strip() == b"{"):
            self.item = "object"
            whole = parsed(b"\n".join(line_blocks(self.file)).decode(), self.name, "a JSON array or object")
            values = whole if isinstance(whole, list) else [whole]
            yield [*range(1, len(values) + 1)], [self._checked(value, i) for i, value in enumerate(values, 1)]
            return
        first = 1
        for block in line_blocks(self.file):
            lines = block.decode().split("\n")
            numbers = [number for number, line in enumerate(lines, first) if line.strip()]
            yield numbers, [self._row(lines[number - first], number) for number in numbers]
            first += len(lines)

    def _row(self, line: str, number: int) -> dict[str, Any]:
        return self._checked(parsed(line, f"{self.name}, line {number}", _ROW), number)

    def _checked(self, row: Any, number: int) -> dict[str, Any]:
        place = f"{self.name}, {self.item} {number}"
        if not isinstance(row, dict):
            fail(InputError, place, _ROW if self.item == "line" else "a JSON object", as_json(row))
        check_fields(place, self.fields, list(row))
        return row

    def _column(self, values: list[Any], numbers: list[int], field: Field) -> Column:
        found: Any = 0
        if not field.may_hold_lists or all(isinstance(value, str) for value in values):
            found = engine.kernel.texts(values)
        elif all(isinstance(value, (str, list)) for value in values):
            found = engine.kernel.nested_texts([value if isinstance(value, list) else [value] for value in values])
        if isinstance(found, int):
            blame(values, lambda row: f"{self.name}, {self.item} {numbers[row]}, field {field.name!r}", field)
        return Column(found[0], np.asarray(found[1], np.int64)) if isinstance(found, tuple) else Column(found)


def parsed(text: str, place: str, allowed: str) -> Any:
    """Return the value of JSON, or raise InputError."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        fail(InputError, place, allowed, f"broken JSON at {line}column {error.colno}: {error.msg}")
    except (ValueError, RecursionError) as error:
        fail(InputError, place, allowed, f"JSON that Python cannot read: {error}")


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
            hint = f"; choose one with {spelled(field.flag)}" if field.flag and existing else ""
            # Names of columns come from the file: they are bounded and, by repr, printable.
            has = f"only {', '.join(map(repr, existing))}" if existing else "and no other"
            raise InputError(f"{place}: there is no field {field.name!r}, {has[:400]}{hint}")
        if list(existing).count(field.name) > 1:
            fail(InputError, place, f"one field {field.name!r}", f"{list(existing).count(field.name)} of that name")


def blame(values: Iterable[Any], place_of: Callable[[int], str], field: Field) -> NoReturn:
    """Raise for the first value that is not text, or not a list of texts where the field allows one."""
    allowed = "a text or a non-empty list of texts" if field.may_hold_lists else "a text"
    for position, value in enumerate(values):
        texts = value if field.may_hold_lists and isinstance(value, list) else [value]
        if not texts or not all(map(_is_text, texts)):
            fail(InputError, place_of(position), allowed, as_json(value))
    fail(InputError, place_of(0), allowed, "another type")


def _is_text(value: Any) -> bool:
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False
