"""A measure in one call, with all its options."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from ..checks import refuse_unknown
from ..options import documented, may_be_cached, options_of
from .measure import Measure

_Kind = TypeVar("_Kind", bound=Measure)


def measure_and_reports(measure: type[_Kind], options: Mapping[str, Any], owner: str) -> tuple[_Kind, dict[str, Any]]:
    """Return an empty measure with its options, and the options of its `score`; refuse unknown ones.

    Checked options are cached: the checks take most of the time of scoring one pair.
    """
    values = {name: tuple(value) if type(value) is list else value for name, value in options.items()}
    if not options or may_be_cached(measure.options_type, values):
        try:
            empty, reports = _read_once(measure, owner, **values)
            return empty.without_segments(), dict(reports)
        except (TypeError, ValueError):
            # Raised again, with the value as it was given.
            pass
    return _read(measure, owner, options)


def _read(measure: type[_Kind], owner: str, options: Mapping[str, Any]) -> tuple[_Kind, dict[str, Any]]:
    of_score = {one.name for one in options_of(measure.reports_type)}
    refuse_unknown(options, measure.option_names(), owner)
    counted = {name: value for name, value in options.items() if name not in of_score}
    return measure(**counted), {name: value for name, value in options.items() if name in of_score}


@lru_cache(maxsize=64, typed=True)
def _read_once(measure: type[_Kind], owner: str, /, **options: Any) -> tuple[_Kind, dict[str, Any]]:
    return _read(measure, owner, options)


def one_call(measure: type[Measure], example: str = "") -> Callable[..., dict[str, Any]]:
    """Return the function that scores a corpus in one call, with all options of a measure in its docstring.

    `example` replaces the example, two equal texts, of a measure that needs options.
    """

    def function(predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        empty, reports = measure_and_reports(measure, options, measure.__name__)
        keeps = bool(reports) and bool(empty.read_reports(reports)[0].needs_segments())
        corpus = empty.corpus_of(predictions, references)
        return empty.update_corpus(corpus, keeps_segments=keeps).score(**reports)

    both = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("predictions", "references")]
    function.__name__ = function.__qualname__ = measure.name
    function.__module__ = measure.__module__
    about, key = measure.about, measure().headline
    keys = about.returns or f"``{measure.name}``"
    perfect = None if about.perfect is None else about.perfect * measure.scale
    returns = textwrap.wrap(f"Python numbers by key: {keys}; and the additions that the options ask for.", 90)
    text = _ONE_CALL.format(
        title=about.title, kind=measure.__name__, returns="\n    ".join(returns),
        example=example or _EXAMPLE.format(name=measure.name, key=key, perfect=perfect),
    )  # fmt: skip
    documented(function, text, measure.options_type, measure.reports_type, first=both)
    return function


_ONE_CALL = """\
Return {title} of a corpus: `{kind}` in one call.

Parameters
----------
predictions : iterable of str
    A list, tuple, generator, NumPy or Arrow array, pandas Series or datasets column.
references : iterable of str, or of sequences of str
    One text, or a non-empty sequence of texts, for every prediction.
{{options}}

Returns
-------
dict
    {returns}

Raises
------
TypeError
    If an element is not text, or an option is unknown or of a wrong type; the message names it.
ValueError
    If there are no segments, the lengths differ, a segment has no reference, or an option is out of range.

Notes
-----
{{notes}}

Examples
--------
{example}
"""
_EXAMPLE = """\
>>> {name}(["the cat sat on the mat"], ["the cat sat on the mat"])["{key}"]
{perfect}"""
