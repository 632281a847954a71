"""The one error sentence: which argument, at which position, what was allowed, what came; the one way to warn."""

from __future__ import annotations

import reprlib
import sys
import warnings
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NoReturn

SHOWN = 60
# Of each part of a message; the longest list of names that we offer is shorter.
LONGEST_PART = 600
# Beyond it 64-bit sums overflow; no text has so many tokens.
LARGEST = 10**12
# A row of BLEU's statistics has two numbers per order: 16 KB a segment, whatever the text.
MAX_ORDER = 1000
# The scores of all resamples are held at once; more digits of a p-value say nothing.
MAX_RESAMPLES = 1_000_000
_PACKAGE = __name__.partition(".")[0]
_BOUNDED = reprlib.Repr()
_BOUNDED.maxstring = _BOUNDED.maxother = SHOWN
_BOUNDED.maxlevel = 3


def shown(value: object) -> str:
    """Describe a value in bounded length, with its type."""
    try:
        text = _BOUNDED.repr(value[:SHOWN] if isinstance(value, bytes) else value)
    except Exception:
        # A class may fail to describe itself, and Python refuses integers of more than 4,300 digits.
        text = object.__repr__(value)
    if len(text) > 2 * SHOWN:
        text = text[: 2 * SHOWN] + "..."
    return f"{text} ({type(value).__name__})"


def fail(error: type[Exception], argument: str, allowed: str, got: str) -> NoReturn:
    """Raise `error` with the sentence that every message of the project has, bounded in length."""
    argument, allowed, got = map(_bounded, (argument, allowed, got))
    raise error(f"{argument}: expected {allowed}, got {got}")


def _bounded(part: str) -> str:
    return part if len(part) <= LONGEST_PART else part[:LONGEST_PART] + "..."


def one_of(argument: str, value: Any, allowed: Iterable[str]) -> str:
    """Return `value` if it is one of the `allowed` names."""
    names = tuple(allowed)
    if not isinstance(value, str):
        fail(TypeError, argument, f"one of {', '.join(map(repr, names))}", shown(value))
    if value not in names:
        fail(ValueError, argument, f"one of {', '.join(map(repr, names))}", shown(value))
    return value


def say(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line that called into the package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)


def refuse_unknown(names: Iterable[str], known: Collection[str], owner: str, spelled: str = "{}") -> None:
    """Raise for the first name that is no option of its owner, with the nearest ones, or all."""
    for name in names:
        if name not in known:
            # Imported here, since it takes longer than all of this file.
            from difflib import get_close_matches

            near = get_close_matches(name, known)
            listed = f"nearest: {', '.join(near)}" if near else ", ".join(known)
            fail(TypeError, spelled.format(name), f"an option of {owner} ({listed})", "an unknown keyword")


def refuse_idle(given: Mapping[str, Any], idle: Mapping[str, str]) -> None:
    """Raise for the first option that was given, is not None, and would change nothing: `idle` says what is needed."""
    for name, needed in idle.items():
        if given.get(name) is not None:
            fail(ValueError, name, f"None {needed}", shown(given[name]))


def flag(argument: str, value: Any) -> bool:
    """Return `value` if it is a bool."""
    if not isinstance(value, bool):
        fail(TypeError, argument, "True or False", shown(value))
    return value


def positive_int(argument: str, value: Any, at_most: int = LARGEST) -> int:
    """Return `value` if it is a whole number from 1 to `at_most`."""
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        fail(TypeError, argument, "a whole number of at least 1", shown(value))
    if value < 1:
        fail(ValueError, argument, "a whole number of at least 1", shown(value))
    if value > at_most:
        fail(ValueError, argument, f"a whole number of at most {at_most:,}", shown(value))
    return int(value)


def non_negative_float(argument: str, value: Any) -> float:
    """Return `value` as a float if it is a finite number of at least 0."""
    if isinstance(value, bool) or not hasattr(type(value), "__float__"):
        fail(TypeError, argument, "a number of at least 0", shown(value))
    number = float(value)
    if not 0 <= number < float("inf"):
        fail(ValueError, argument, "a finite number of at least 0", shown(value))
    return number
