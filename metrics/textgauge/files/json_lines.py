"""JSON Lines, a JSON array, or one JSON object."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any, TypeAlias

from ..checks import fail
from ..input.columns import nested_column, text_column
from .lines import FileError, Limits, check_utf8, line_blocks, shown_name
from .rows import Blocks, NamedColumn, Reading, Records, TextLists, as_json, fields_in, refuse_wrong, without_bad

# The beginning of a file that shows whether it is JSON Lines.
_HEAD = 1 << 16
_ROW = "a JSON object on every line"
# The steps from an object to a value in it: names, and numbers of elements of lists.
Path: TypeAlias = tuple[str | int, ...]
# The types of values whose digits the fast decoder keeps.
_SAFE = {str, int, type(None)}
# How deep texts are looked for that a message names, and how many.
_DEEPEST, _MOST_DEEP = 8, 20
# Greater floats do not tell all integers apart.
_MOST_WHOLE = 2.0**53


def read_json(path: str, limits: Limits) -> Iterator[Records]:
    """Yield blocks of the objects of JSON Lines, or of a JSON array, or the one object of a file."""
    yield from map(_objects, _undecoded(path, Reading(limits=limits)))


def names_in_json(path: str, limits: Limits) -> list[str]:
    """Return the names of the fields of the first object; rows before it may be bad."""
    for rows in islice(_undecoded(path, Reading(limits=limits)), 1):
        for row in range(len(rows.numbers)):
            with suppress(FileError):
                return _names(_objects(rows.slice(row, row + 1)).values[0])
        _objects(rows.slice(0, 1))
    return []


def _names(value: dict[str, Any]) -> list[str]:
    """Return the names of the fields of an object, and of those in them, as "translation.de"."""
    return [
        *value,
        *(f"{name}.{inner}" for name, element in value.items() if isinstance(element, dict) for inner in element),
    ]


def _path(name: str, value: dict[str, Any]) -> Path:
    """Return the steps to a field: its own name, or the names and numbers of elements that its name joins by points."""
    if name in value:
        return (name,)
    steps: list[str | int] = []
    inner: Any = value
    for part in name.split("."):
        steps.append(int(part) if isinstance(inner, list) and part.isdecimal() and part.isascii() else part)
        try:
            inner = inner[steps[-1]]
        except (KeyError, IndexError, TypeError):
            inner = None
    return tuple(steps)


def _existing(value: dict[str, Any], wanted: Sequence[NamedColumn]) -> list[str]:
    """Return the names of the fields of an object, and of the `wanted` ones that lie deeper in it.

    If one of them is missing, also those of other texts that lie deeper, which may be meant.
    """
    names = _names(value)
    for field in wanted:
        if field.name not in names:
            with suppress(KeyError, IndexError, TypeError):
                _at([value], _path(field.name, value))
                names.append(field.name)
    if any(field.name not in names and not field.is_optional for field in wanted):
        names += [name for name in islice(_deep_texts(value), _MOST_DEEP) if name not in names]
    return names


def _deep_texts(value: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the names of the texts in objects and in the first elements of lists, as "outputs.0.text"."""
    if isinstance(value, str):
        yield ".".join(path)
    elif len(path) < _DEEPEST and isinstance(value, dict):
        for name, inner in value.items():
            yield from _deep_texts(inner, (*path, name))
    elif len(path) < _DEEPEST and isinstance(value, list) and value:
        yield from _deep_texts(value[0], (*path, "0"))


def _at(values: Sequence[Any], path: Path) -> list[Any]:
    """Return one field of objects."""
    for name in path:
        values = [value[name] for value in values]
    return [*values]


def _steps(names: Iterable[str]) -> tuple[str, ...]:
    """Return all names that may have to be read for fields that lie deeper."""
    return tuple(dict.fromkeys(step for name in names for step in (name, *name.split("."))))


def json_blocks(path: str, fields: Sequence[NamedColumn], reading: Reading) -> Blocks:
    """Yield blocks of columns of JSON Lines, or of a JSON array, or of the one object of a file."""
    bad, names = reading.bad, tuple(field.name for field in fields)
    # A row that lacks what is only kept is as good as others, but a name that no row has is a wrong one.
    absent = [field.name for field in fields if field.may_be_absent and bad.is_skipped]
    keys = () if any(field.is_json for field in fields) else tuple(field.name for field in fields if field.is_key)
    is_quick = not any(field.is_json for field in fields)
    seen: set[str] = set()
    paths: list[Path] = [(name,) for name in names]
    read = _steps(names)
    known = fields

    def columns_of(rows: Records) -> list[TextLists]:
        rows = _objects(rows, is_quick=is_quick, names=read, keys=keys)
        for name in absent:
            seen.update(name for row in rows.values if name in row)
            rows = rows._replace(values=[{name: None, **row} for row in rows.values])
        try:
            every = [_at(rows.values, path) for path in paths]
        except (KeyError, IndexError, TypeError):
            for row, value in enumerate(rows.values):
                fields_in(rows.place(row), known, _existing(value, known))
            raise
        return [_json_column(rows._replace(values=values), field) for field, values in zip(fields, every, strict=True)]

    for i, rows in enumerate(_undecoded(path, reading, read)):
        if i == 0:
            fields, paths = _present(rows, fields, must_be=not bad.is_skipped)
            # The fast decoder is for keys at the top.
            keys = tuple(str(path[0]) for path in paths if path[0] in keys)
            read = tuple(dict.fromkeys(step for path in paths for step in path if isinstance(step, str)))
            is_quick = is_quick and not any(field.is_key and field.name not in keys for field in fields)
            fields = [field._replace(is_optional=False) for field in fields]
            # A name that the first row has is no wrong one.
            known = fields if bad.is_skipped else [field._replace(flag="") for field in fields]
        yield without_bad(reading.own(rows), columns_of, len(fields), bad)
    for name in absent:
        if name not in seen:
            raise FileError(f"{shown_name(path)}: no row has a field {name!r}")


def _present(
    rows: Records, fields: Sequence[NamedColumn], *, must_be: bool
) -> tuple[Sequence[NamedColumn], list[Path]]:
    """Return the fields that the first object has, and how they are reached.

    If they `must_be` there, what it lacks is a wrong name.
    """
    for row in range(len(rows.numbers)):
        first = rows.slice(row, row + 1)
        try:
            # An array may have none.
            [value] = _objects(first, names=_steps(field.name for field in fields)).values
        except FileError:
            if must_be:
                raise
            continue
        existing = _existing(value, fields)
        if must_be:
            columns = fields_in(first.place(0), fields, existing)
        else:
            columns = [field for field in fields if not field.is_optional or field.name in existing]
        return columns, [_path(field.name, value) for field in columns]
    return fields, [(field.name,) for field in fields]


def _undecoded(path: str, reading: Reading, names: tuple[str, ...] = ()) -> Iterator[Records]:
    """Yield blocks of JSON Lines as bytes, blank lines skipped.

    Or as values all objects of one JSON array, or the one object that a file holds over several lines.
    """
    name, blocks = shown_name(path), line_blocks(path, reading.limits, reading.progress)
    for number, data in blocks:
        line, newline, _ = data[:_HEAD].lstrip().partition(b"\n")
        if number == 1 and (line.startswith(b"[") or (newline and line.strip() == b"{")):
            values = _array(name, b"".join((data, *(more for _, more in blocks))), names)
            yield Records(name, "object", range(1, len(values) + 1), values)
            return
        lines = data.removesuffix(b"\n").split(b"\n")
        numbers: Sequence[int] = range(number, number + len(lines))
        if not all(map(bytes.strip, lines)):
            numbers = [at for at, line in zip(numbers, lines, strict=True) if line.strip()]
            lines = [lines[at - number] for at in numbers]
        yield from Records(name, "line", numbers, lines).in_blocks()


def _objects(
    rows: Records, *, is_quick: bool = False, names: tuple[str, ...] = (), keys: tuple[str, ...] = ()
) -> Records:
    """Return the objects of a block of `_undecoded`, of which `names` are read, or all.

    It `is_quick` if these are texts, but for `keys`. A field that an object has twice is refused if it is read.
    """
    values, allowed = rows.values, "a JSON object"
    if rows.item == "line":
        # A row that is refused comes alone in the end: then Python's decoder says what is wrong.
        values, allowed = _quick_values(rows, names, keys) if is_quick and len(values) > 1 else None, _ROW
        if values is None:
            values = [_value(line, rows.name, at, names) for at, line in zip(rows.numbers, rows.values, strict=True)]
    for row, value in enumerate(values if {*map(type, values)} - {dict} else ()):
        if not isinstance(value, dict):
            fail(FileError, rows.place(row), allowed, as_json(value))
    return rows._replace(values=values)


def _quick_values(rows: Records, names: tuple[str, ...], keys: tuple[str, ...]) -> list[Any] | None:
    """Return values by a decoder three times as fast, which keeps the last of two fields of one name.

    None if an object may have one of the names twice, or is none: Python's decoder finds out. So if one of the keys is
    neither text nor a small number: the digits of others may get lost.
    """
    # Imported here: other formats do without.
    import orjson

    with suppress(ValueError):
        values = [*map(orjson.loads, rows.values)]
        data = b"\n".join(rows.values)
        if all(_is_once(name, data, len(values)) for name in {*names}) and not _ESCAPED.search(data):
            if {*map(type, values)} != {dict}:
                return None
            return values if all({type(value.get(key)) for value in values} <= _SAFE for key in keys) else None
    return None


def _is_once(name: str, data: bytes, n_rows: int) -> bool:
    """Return whether lines of JSON have a name as often as there are lines, inside other objects too."""
    written = re.escape(json.dumps(name, ensure_ascii=False).encode())
    return name.isascii() and len(re.findall(written + rb"[ \t\r]*:", data)) == n_rows


class _TwiceError(Exception):
    """A field that an object has twice, and how often: Python's decoder keeps the last."""


@cache
def _decoder(names: tuple[str, ...]) -> json.JSONDecoder:
    """Return a decoder that refuses an object that has one of the names twice, or any if there are none."""

    def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            twice = Counter(name for name, _ in pairs if not names or name in names).most_common(1)
            if twice and twice[0][1] > 1:
                raise _TwiceError(*twice[0])
        return value

    return json.JSONDecoder(object_pairs_hook=made)


_SPACES = re.compile(r"[ \t\n\r]*")
# An escaped character of ASCII that needs no escape, which a name may have.
_ESCAPED = re.compile(rb"\\u00[2-7]")


def _value(line: bytes, name: str, number: int, names: tuple[str, ...]) -> Any:
    """Return the value of a line of JSON."""
    try:
        text = line.decode()
        # `decode` without its two frames in Python, a third of the time of a row.
        value, end = _decoder(names).scan_once(text, 0)  # type: ignore[attr-defined]
        if end == len(text):
            return value
    except (StopIteration, ValueError, RecursionError, _TwiceError):
        check_utf8(line, name, number)
    return _decoded(text, f"{name}, line {number}", _ROW, names)


def _array(name: str, data: bytes, names: tuple[str, ...]) -> list[Any]:
    """Return the values of a JSON array, or the one object there is."""
    check_utf8(data, name, 1)
    whole = _decoded(data.decode(), name, "a JSON array or object", names)
    return whole if isinstance(whole, list) else [whole]


def _decoded(text: str, place: str, allowed: str, names: tuple[str, ...] = ()) -> Any:
    """Return the value of JSON, or raise FileError."""
    try:
        return _decoder(names).decode(text.rstrip(" \t\n\r"))
    except _TwiceError as error:
        field, count = error.args
        place += "" if allowed == _ROW else f", object {_number_of_twice(text, names)}"
        fail(FileError, place, f"one field {field!r}", f"{count} of that name")
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        fail(FileError, place, allowed, f"broken JSON at {line}column {error.colno}: {error.msg}")
    except (ValueError, RecursionError) as error:
        fail(FileError, place, allowed, f"JSON that Python cannot read: {error}")


def _number_of_twice(text: str, names: tuple[str, ...]) -> int:
    """Return which value of a JSON array has a field twice; 1 for the one object that there is."""
    at, number = text.index("[") + 1 if text.lstrip().startswith("[") else 0, 1
    with suppress(_TwiceError):
        while True:
            # A pattern of optional spaces always matches.
            _, at = _decoder(names).raw_decode(text, _SPACES.match(text, at).end())  # type: ignore[union-attr]
            at, number = text.index(",", at) + 1, number + 1
    return number


def _key(value: Any) -> str:
    """Return an id as text: whole numbers as integers, since a column that lacks some is of floats in data frames."""
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < _MOST_WHOLE
    return json.dumps(int(value) if is_whole else value)


def _json_column(rows: Records, field: NamedColumn) -> TextLists:
    values = rows.values
    if field.is_json:
        values = [*map(json.dumps, values)]
    elif field.is_key:
        values = [value if value is None or isinstance(value, str) else _key(value) for value in values]
    try:
        if field.may_hold_lists and list in {*map(type, values)}:
            lists = [value if isinstance(value, list) else [value] for value in values]
            return TextLists(*nested_column(lists, field.name))
        if not field.may_hold_lists and list in {*map(type, values)}:
            # A list of one text is that text, as lm-evaluation-harness writes responses.
            values = [value[0] if isinstance(value, list) and len(value) == 1 else value for value in values]
        return TextLists.of(text_column(values, field.name))
    except (TypeError, ValueError):
        refuse_wrong(rows._replace(values=values), field)
