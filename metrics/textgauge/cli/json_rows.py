"""JSON Lines, JSON arrays and single objects as columns of texts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NoReturn

import numpy as np

from .. import engine
from ..checks import fail
from .blocks import BadRows, Block, Column, Field, Rows, as_json, check_fields, in_blocks, refuse_wrong, without_bad
from .files import Progress, check_utf8, line_blocks, shown_name
from .messages import InputError

# The beginning of a file that shows whether it is JSON Lines.
_HEAD = 1 << 16
_ROW = "a JSON object on every line"
_JSON_SPACE = " \t\n\r"


def read_json(path: str) -> Iterator[Rows]:
    """Yield blocks of the objects of JSON Lines, or of a JSON array, or the one object of a file."""
    yield from map(decoded, _undecoded(path, None))


def _undecoded(path: str, progress: Progress | None) -> Iterator[Rows]:
    """Yield blocks of JSON Lines as undecoded lines, blank lines skipped.

    Or as values all objects of one JSON array, or the one object that a file holds over several lines.
    """
    name, blocks = shown_name(path), line_blocks(path, progress)
    for number, data in blocks:
        line, newline, _ = data[:_HEAD].lstrip().partition(b"\n")
        if number == 1 and (line.startswith(b"[") or (newline and line.strip() == b"{")):
            yield _objects(name, b"".join((data, *(more for _, more in blocks))))
            return
        for block in in_blocks((at, line) for at, line in enumerate(_decoded(data), number) if line.strip()):
            yield Rows(name, "line", *zip(*block, strict=True))


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
    """Return the objects of a block of `_undecoded`."""
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


def json_blocks(path: str, fields: Sequence[Field], bad: BadRows, progress: Progress | None) -> Iterator[Block]:
    """Yield blocks of the columns of a file."""
    names = {field.name for field in fields}

    def columns_of(rows: Rows) -> list[Column]:
        rows = decoded(rows)
        for row, value in enumerate(rows.values):
            if not names <= value.keys():
                check_fields(rows.place(row), fields, list(value))
        return [_json_column(rows, field) for field in fields]

    for i, rows in enumerate(_undecoded(path, progress)):
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
    if field.is_key:
        values = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
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
