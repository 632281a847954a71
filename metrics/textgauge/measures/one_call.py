"""A measure in one call: what is scored, and every option of the measure and of its report."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from ..checks import refuse_unknown
from .accumulator import Accumulator, TextAccumulator

_Function = TypeVar("_Function", bound=Callable[..., Any])


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


def reports_in(accumulator: type[Accumulator], options: dict[str, Any], owner: str) -> dict[str, Any]:
    """Take what `score` reports out of the options of an accumulator; refuse what neither knows."""
    known, reported = keywords(accumulator.__init__), keywords(cast(Any, accumulator).score)
    refuse_unknown(options, {**known, **reported}, owner)
    return {name: options.pop(name) for name in reported if name in options}


def scored(
    accumulator: type[TextAccumulator], predictions: Any, references: Any, options: dict[str, Any]
) -> dict[str, Any]:
    """Return the score of a corpus."""
    reports = reports_in(accumulator, options, accumulator.__name__)
    counted: Any = accumulator(**options).update(predictions, references)
    result: dict[str, Any] = counted.score(**reports)
    return result


def keywords(function: Callable[..., Any]) -> Mapping[str, Any]:
    """Return the keyword-only parameters of a function with their defaults."""
    found: Mapping[str, Any] = cast(Any, function).__kwdefaults__ or {}
    return found
