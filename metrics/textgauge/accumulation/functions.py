"""The function of a metric, which scores a corpus in one call, and the accumulator and reports of such a call."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ..checks import fail, refuse_unknown, shown
from ..input.columns import Corpus
from ..metric.inputs import BY_PLACE, COLUMNS, refuse_unused
from ..metric.metric import Metric, option_names
from ..options import documented, kinds_of, may_be_cached, options_of
from ..resampling import BootstrapOptions
from .accumulator import Accumulator, accumulator_of, read_reports

# The kinds of options that are lists.
_LISTS = ("numbers", "names", "words")


class Call(NamedTuple):
    """What a call asks for.

    Attributes
    ----------
    empty : Accumulator
        With its options, without segments; it may be that of other calls.
    reports : Reports
        The options of `score`.
    bootstrap : BootstrapOptions
    """

    empty: Accumulator
    reports: Any
    bootstrap: BootstrapOptions

    def accumulated(self, corpus: Corpus) -> Accumulator:
        """Return an accumulator with the segments of a corpus."""
        return self.empty.without_segments().update_corpus(corpus, keeps_segments=bool(self.reports.needs_segments))

    def score(self, predictions: Any, references: Any = None, **others: Any) -> dict[str, Any]:
        """Return the result for the columns that the metric takes."""
        metric, inputs = self.empty.metric, self.empty.metric.inputs
        if references is None or others or inputs.names != BY_PLACE:
            corpus = inputs.corpus(metric.name, predictions, references, **others)
        else:
            corpus = inputs.read(predictions, references)
        if inputs.model is not None:
            refuse_unused([metric], corpus.given)
        accumulator = self.empty.without_segments()
        accumulator.update_corpus(corpus, keeps_segments=bool(self.reports.needs_segments))
        return accumulator._result(self.reports, self.bootstrap)


def call_of(
    accumulator: type[Accumulator], owner: str, options: Mapping[str, Any], columns: tuple[str, ...] = ()
) -> Call:
    """Return the `Call` of options; raise for an option that `owner`, which also takes `columns`, does not know.

    From a cache if their values cannot change: the checks take most of the time of scoring one pair.
    """
    once: Any = _read_once
    if not options:
        call: Call = once(accumulator, owner, columns)
        return call
    values = options
    if list in map(type, options.values()):
        kinds = kinds_of(accumulator.metric_type.options_type)  # type: ignore[arg-type]
        # Where an option takes no list, its error shows the one that came.
        values = {
            name: tuple(value) if type(value) is list and kinds.get(name) in _LISTS else value
            for name, value in options.items()
        }
    if may_be_cached(accumulator.metric_type.options_type, values):
        try:
            call = once(accumulator, owner, columns, **values)
        except (TypeError, ValueError):
            # Raised again, with the value as it was given.
            return _read(accumulator, owner, columns, options)
        return call
    return _read(accumulator, owner, columns, options)


def _read(accumulator: type[Accumulator], owner: str, columns: tuple[str, ...], options: Mapping[str, Any]) -> Call:
    of_score = {option.name for option in options_of(accumulator.metric_type.reports_type)}
    known = dict.fromkeys((*columns, *option_names(accumulator.metric_type), *accumulator.metric_type.inputs.names))
    refuse_unknown(options, known, owner)
    empty = accumulator(**{name: value for name, value in options.items() if name not in of_score})
    return Call(empty, *read_reports(empty, {name: value for name, value in options.items() if name in of_score}))


@lru_cache(maxsize=128, typed=True)
def _read_once(accumulator: type[Accumulator], owner: str, columns: tuple[str, ...], /, **options: Any) -> Call:
    return _read(accumulator, owner, columns, options)


def one_call(scored: type[Accumulator] | type[Metric], example: str = "") -> Callable[..., dict[str, Any]]:
    """Return the function that scores a corpus in one call, with all options of a metric in its docstring.

    It takes the columns of `Metric.inputs`. A metric has been registered. `example` replaces the example, two equal
    texts, of a metric that needs options or other columns.
    """
    accumulator = accumulator_of(scored) if issubclass(scored, Metric) else scored
    name, metric_type = accumulator.__name__, accumulator.metric_type
    inputs = metric_type.inputs
    others = tuple(column for column in inputs.names if column not in ("predictions", "references"))
    columns = inputs.names if others else ()

    def function(predictions: Any = None, references: Any = None, *more: Any, **options: Any) -> dict[str, Any]:
        if more:
            third = others[0] if others else "signature"
            fail(TypeError, metric_type.name, f"keywords from the third argument on, as in {third}=...", shown(more[0]))
        if not others:
            return call_of(accumulator, name, options).score(predictions, references)
        given = {column: options.pop(column) for column in others if column in options}
        return call_of(accumulator, name, options, columns).score(predictions, references, **given)

    function.__name__ = function.__qualname__ = metric_type.name
    function.__module__ = accumulator.__module__
    about, scores = metric_type.about, accumulator().metric.scores
    keys, perfect = about.returns or f"``{metric_type.name}``", scores.of(scores.headline).perfect
    returns = textwrap.wrap(f"Python numbers by key: {keys}; and the additions that the options ask for.", 90)
    text = _ONE_CALL.format(
        title=about.title, kind=name, returns="\n    ".join(returns),
        columns="\n".join(_documented_column(column, is_needed=column in inputs.needed) for column in inputs.names),
        lacks_references=", a segment has no reference" if inputs.has_references else "",
        example=example or _EXAMPLE.format(
            name=metric_type.name, key=scores.headline, perfect=None if perfect is None else perfect * scores.scale
        ),
    )  # fmt: skip
    first = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in inputs.parameters()]
    documented(function, text, metric_type.options_type, metric_type.reports_type, first=first)
    return function


def _documented_column(name: str, *, is_needed: bool) -> str:
    column_type, about = COLUMNS[name]
    return f"{name} : {column_type}{'' if is_needed else ', optional'}\n    {about}"


_ONE_CALL = """\
Return {title} of a corpus: `{kind}` in one call.

Parameters
----------
{columns}
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
    If there are no segments, the lengths differ{lacks_references}, or an option is out of range.

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
