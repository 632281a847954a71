"""The columns that a file must have, and the texts that must stand in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import pyarrow as pa

from ..checks import fail, shown
from .files import InputError

TEXT = pa.large_string()
TEXTS = pa.large_list(TEXT)


def check_fields(place: str, wanted: Sequence[str], existing: Sequence[str]) -> None:
    """Refuse a file or row that lacks a field, or has it twice."""
    for field in wanted:
        if field not in existing:
            has = ", ".join(map(repr, existing)) or "no fields"
            fail(InputError, place, f"the field {field!r}", f"{has}")
        if list(existing).count(field) > 1:
            fail(InputError, place, f"one field {field!r}", f"{list(existing).count(field)} of that name")


def is_complete(column: pa.Array) -> bool:
    """Say whether no text is null and no list of texts empty."""
    if column.null_count or not pa.types.is_large_list(column.type):
        return not column.null_count
    lengths = column.value_lengths().to_numpy()
    return not column.flatten().null_count and bool(lengths.all())


def blame(values: Iterable[Any], place_of: Callable[[int], str], *, lists: bool) -> NoReturn:
    """Name the place of the first value that is not text; with `lists`, that is no list of texts either."""
    allowed = "a text or a non-empty list of texts" if lists else "a text"
    for position, value in enumerate(values):
        texts = value if lists and isinstance(value, list) else [value]
        if not texts or not all(map(_is_text, texts)):
            fail(InputError, place_of(position), allowed, shown(value))
    fail(InputError, place_of(0), allowed, "another type")


def _is_text(value: Any) -> bool:
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False
