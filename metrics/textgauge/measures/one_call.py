"""A measure in one call: what is scored, and every option of the measure and of its report."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar, cast

from ..checks import refuse_unknown
from .accumulator import Accumulator, TextAccumulator

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Kind = TypeVar("_Kind", bound=Accumulator)
READ_FILES = ("stopwords", "exceptions")


def with_options_of(*sources: Callable[..., Any]) -> Callable[[_Function], _Function]:
    """Show the keywords of `sources` as those that a function takes as ``**options``."""

    def shown(function: _Function) -> _Function:
        own = inspect.signature(function)
        found = {name: p for name, p in own.parameters.items() if p.kind is not p.VAR_KEYWORD}
        for source in sources:
            for name, p in inspect.signature(source).parameters.items():
                if name != "self":
                    found.setdefault(name, p.replace(kind=p.KEYWORD_ONLY))
        cast(Any, function).__signature__ = own.replace(parameters=list(found.values()))
        return function

    return shown


def option_names(accumulator: type[Accumulator]) -> list[str]:
    """Return every option of an accumulator, then those of its `score`."""
    return [*keywords(accumulator.__init__), *keywords(cast(Any, accumulator).score)]


def started(accumulator: type[_Kind], options: Mapping[str, Any], owner: str) -> tuple[_Kind, dict[str, Any]]:
    """Make an empty accumulator, and take what `score` reports out of the options; refuse what neither knows.

    Options that were seen before are not checked again: that is most of the time of one pair.
    """
    if not options:
        return _empty(accumulator).without_segments(), {}
    known, reported = keywords(accumulator.__init__), keywords(cast(Any, accumulator).score)
    if not options.keys() <= {*known, *reported}:
        refuse_unknown(options, {**known, **reported}, owner)
    reports = {name: options[name] for name in reported if name in options}
    counted = {name: value for name, value in options.items() if name in known}
    # A file may have another content the next time.
    values = {name: tuple(value) if type(value) is list else value for name, value in counted.items()}
    reads_file = any(isinstance(values.get(name), (str, os.PathLike)) for name in READ_FILES)
    if all(map(_is_fixed, values.values())) and not reads_file:
        with suppress(TypeError, ValueError):
            return _empty(accumulator, **values).without_segments(), reports
    return accumulator(**counted), reports


def _is_fixed(value: Any) -> bool:
    """Say whether a value can never change, and equals none that means another thing."""
    if type(value) in (tuple, frozenset):
        return all(type(item) in (str, int, float) for item in value)
    return value is None or type(value) in (str, bool, int, float)


@lru_cache(maxsize=64, typed=True)
def _empty(accumulator: type[_Kind], **options: Any) -> _Kind:
    return accumulator(**options)


def scored(
    accumulator: type[TextAccumulator], predictions: Any, references: Any, options: dict[str, Any]
) -> dict[str, Any]:
    """Return the score of a corpus."""
    empty, reports = started(accumulator, options, accumulator.__name__)
    result: dict[str, Any] = cast(Any, empty.update(predictions, references)).score(**reports)
    return result


def keywords(function: Callable[..., Any]) -> Mapping[str, Any]:
    """Return the keyword-only parameters of a function with their defaults."""
    found: Mapping[str, Any] = cast(Any, function).__kwdefaults__ or {}
    return found
