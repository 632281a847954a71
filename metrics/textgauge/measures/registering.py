"""`textgauge.register`: a metric of your own, checked, through every face."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

import numpy as np

from ..checks import fail, shown
from ..columns import text_column, without_references
from ..options import Options, options_of
from .layout import Layout, Rows
from .measure import Measure
from .metric import About
from .registry import METRICS
from .summary import Explanation

_Kind = TypeVar("_Kind", bound=type[Measure])
# One text with two references, one with one.
_PREDICTIONS, _REFERENCES = ["a b c", "b"], [["a b", "c"], ["b"]]


def register(measure: _Kind, *, dry_run: bool = True) -> _Kind:
    """Make a metric known to every face by its name: functions, command line, data sets, rewards, pages.

    Usable as a decorator. CONTRIBUTING lists what a metric must have, with an example. A metric that you registered
    before is replaced by another one of its name.

    Parameters
    ----------
    measure : class
        A subclass of `textgauge.measures.Measure`.
    dry_run : bool
        Count and score two short texts, with the default options; False for a metric that loads a model.

    Returns
    -------
    class
        `measure`. `textgauge.measures.one_call` makes the function of it.

    Raises
    ------
    TypeError, ValueError
        For the first thing that the metric lacks; the message says what to write.
    """
    if not (inspect.isclass(measure) and issubclass(measure, Measure)):
        fail(TypeError, "measure", "a class: `class Jaccard(textgauge.measures.Measure)`", shown(measure))
    _check_name(measure)
    _check_parts(measure)
    empty = _started(measure)
    _check_scores(empty)
    if dry_run:
        _try(empty)
    METRICS[measure.name] = measure
    return measure


def _lacks(kind: type[Measure], part: str, what: str, got: Any) -> NoReturn:
    fail(TypeError, f"{kind.__name__}.{part}", what, got if isinstance(got, str) else shown(got))


def _check_name(kind: type[Measure]) -> None:
    name = getattr(kind, "name", None)
    if not (isinstance(name, str) and name.isidentifier() and name == name.lower()):
        _lacks(kind, "name", f'`name = "{kind.__name__.lower()}"`, in lower case', "none" if name is None else name)
    if not isinstance(getattr(kind, "about", None), About):
        what = '`about = About("Title", lambda key: Explanation("Title", "What does it ask?", ("How.",), "Limits."))`'
        _lacks(kind, "about", what, "none" if not hasattr(kind, "about") else kind.about)
    others = [other for other in METRICS if other != name or METRICS[other].__module__.startswith("textgauge.")]
    for new in {name, *kind.names_of_scores()}:
        for other in others:
            if new == other or METRICS[other].score_called(new):
                fail(ValueError, f"{kind.__name__}.name", "names that no other metric has", f"{new!r}, one of {other}")


def _check_parts(kind: type[Measure]) -> None:
    if not inspect.cleandoc(kind.__dict__.get("__doc__") or ""):
        _lacks(kind, "__doc__", "a docstring that says in one sentence what it measures", "none")
    for part in sorted(kind.__abstractmethods__):
        what = {
            "pairs": "`def pairs(self, corpus, notes)`, which returns `self.layout.filled(n_rows, FIELD=counts, ...)`",
            "scores": "`def scores(self, rows)`, which returns an array for every score: `{self.name: ...}`",
        }[part]
        _lacks(kind, part, what, "none")
    options = kind.options_type
    is_class = isinstance(options, type) and issubclass(options, Options)
    # Without a decorator of its own its fields would be no options.
    if not (is_class and "__dataclass_fields__" in options.__dict__):
        what = 'a frozen dataclass, a subclass of `Options`, with fields `one: type = option(default, "Sentence.")`'
        _lacks(kind, "options_type", what, options)
    names = [one.name for one in options_of(kind.reports_type)]
    for one in options_of(options):
        if one.name in names:
            fail(ValueError, f"{options.__name__}.{one.name}", "a name that no option of `score` has", one.name)
        if not one.help.endswith("."):
            fail(ValueError, f"{options.__name__}.{one.name}", "one sentence, with a full stop", shown(one.help))


def _started(kind: type[Measure]) -> Measure:
    """Return an empty accumulator with the default options."""
    measure = kind()
    layout = getattr(measure, "layout", None)
    if not isinstance(layout, Layout) or not layout.fields:
        what = '`layout = Layout([Field("matches"), ...])`, in the class or set by `setup`'
        _lacks(kind, "layout", what, "none" if layout is None else layout)
    return measure


def _check_scores(measure: Measure) -> None:
    kind, keys = type(measure), measure.score_names
    called = map(kind.score_called, measure.about.scores)
    # A score may need options that its name implies.
    wrong = [key for key, fixed in filter(None, called) if key not in (kind(**fixed) if fixed else measure).score_names]
    if wrong or measure.headline not in keys:
        what = f"keys of `score_names` ({', '.join(map(repr, keys))}) as values"
        fail(ValueError, f"{kind.__name__}.about.scores", what, ", ".join(map(repr, wrong or [measure.headline])))
    for key in (measure.name, *keys):
        found = measure.about.explain(key)
        if not (isinstance(found, Explanation) and found.question.endswith("?")):
            what = f"an Explanation for {key!r}, whose question ends with a question mark"
            _lacks(kind, "about.explain", what, found)


def _try(measure: Measure) -> None:
    """Count and score two segments."""
    kind = type(measure)
    if kind.has_references:
        corpus = kind.corpus_of(_PREDICTIONS, _REFERENCES)
    else:
        corpus = without_references(text_column(_PREDICTIONS, "predictions"))
    is_by_pair = kind.has_references and measure.references.rule != "union"
    n_rows = len(corpus.references) if is_by_pair else len(corpus)
    rows = measure.pairs(corpus, measure.notes())
    shape = (n_rows, measure.layout.n_columns)
    if not isinstance(rows, Rows) or rows.values.shape != shape:
        each = "pair of `corpus.pairs()`" if is_by_pair else "segment"
        got = f"shape {rows.values.shape}" if isinstance(rows, Rows) else rows
        _lacks(kind, "pairs", f"a row for every {each}, shape {shape} for two short texts", got)
    for some, axes in ((rows, (n_rows,)), (Rows(measure.layout, rows.values.sum(axis=0)), ())):
        found = measure.scores(some)
        for key in measure.score_names:
            value = None if not isinstance(found, Mapping) or found.get(key) is None else np.asarray(found[key])
            if value is None or value.shape != axes or value.dtype.kind != "f":
                what = f"`scores` to return floats of shape {axes} under {key!r} for rows of shape {some.values.shape}"
                _lacks(kind, "scores", what, found if value is None else f"{value.dtype}, shape {value.shape}")
