"""Checks of one element of a column; errors name its position."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

import numpy as np

from ..checks import fail, shown

TEXT = "a str"
# As nltk and its tutorials have texts.
TOKENS = "a str (join tokens with spaces, and give `tokenizer='whitespace'` where there is such an option)"
# As of passages, or of the responses to one prompt.
SEVERAL = "a str (join several texts to one, such as by line breaks)"
TEXTS = "a list or column of str"
REFERENCE = "a str or a non-empty list of str"
REFERENCES = "a column with a str or a list of str for every segment"


def is_group(value: Any) -> bool:
    """Return whether a value is an ordered collection of texts."""
    is_other = isinstance(value, (str, bytes, bytearray, Mapping, set, frozenset)) or is_arrow_scalar(value)
    has_one_axis = hasattr(value, "__len__") and getattr(value, "ndim", 1) == 1
    return isinstance(value, Iterable) and has_one_axis and not is_other


def kept(values: Any) -> Any:
    """Return what an iterator yields, which can be read only once, as a list; return other values unchanged."""
    return list(values) if isinstance(values, Iterator) else values


def is_arrow_scalar(value: Any) -> bool:
    """Return whether a value is a scalar of Arrow; lists are scalars, too."""
    # Not imported here, since Arrow takes 0.1 s to import: until it is imported, no scalar of it exists.
    arrow = sys.modules.get("pyarrow")
    return arrow is not None and isinstance(value, arrow.Scalar)


def check_text(value: Any, where: str, allowed: str = TEXT) -> str:
    """Return `value` if it is text that UTF-8 can encode; a scalar of Arrow as Python's."""
    if not isinstance(value, str) and is_arrow_scalar(value):
        value = checked_plain(value, where)
    if not isinstance(value, str):
        is_tokens = is_group(value) and len(value) > 0 and all(isinstance(token, str) for token in value)
        has_spaces = is_tokens and any(" " in token for token in value)
        fail(TypeError, where, SEVERAL if has_spaces else TOKENS if is_tokens else allowed, shown(value))
    try:
        value.encode()
    except UnicodeEncodeError as error:
        got = f"a lone surrogate at character {error.start}: {shown(value[error.start])}"
        fail(ValueError, where, "text that UTF-8 can encode", got)
    return value


def check_reference(value: Any, where: str) -> list[str]:
    """Return the references of one segment as a list if all of them are text."""
    if not is_group(value):
        return [check_text(value, where, REFERENCE)]
    if len(value) == 0:
        fail(
            ValueError,
            where,
            f"at least one {'text' if where.startswith('predictions') else 'reference'}",
            "an empty list",
        )
    return [check_text(text, f"{where}[{index}]") for index, text in enumerate(value)]


def refuse_first_wrong(values: Iterable[Any], argument: str, *, nested: bool) -> NoReturn:
    """Raise for the first element of a wrong type, with its position."""
    first_form = ""
    for position, value in enumerate(values):
        where = f"{argument}[{position}]"
        plain = checked_plain(value, where)
        if nested:
            check_reference(plain, where)
        else:
            check_text(plain, where)
        form = "a list of str" if is_group(plain) else "a str"
        first_form = first_form or form
        if form != first_form:
            fail(TypeError, where, f"{first_form} as in the segments before", shown(plain))
    fail(TypeError, argument, REFERENCES if nested else TEXTS, shown(values))


def checked_plain(value: Any, where: str) -> Any:
    """Return a value as `plain_of` does; raise ValueError for what Arrow cannot read."""
    try:
        return plain_of(value)
    except UnicodeDecodeError as error:
        fail(ValueError, where, "valid UTF-8", f"byte {error.start}: {shown(error.object[error.start : error.end])}")
    except (IndexError, ValueError) as error:
        # An index of a dictionary that it does not have.
        fail(ValueError, where, "a value that Arrow can read", str(error))


def plain_of(value: Any) -> Any:
    """Return a scalar or an array of Arrow, or a row of NumPy, as Python's; return other values unchanged."""
    if isinstance(value, np.ndarray):
        return value.tolist() if value.ndim == 1 else value
    return value.as_py() if is_arrow_scalar(value) else getattr(value, "to_pylist", lambda: value)()
