"""`textgauge.register`: a metric of your own, checked, through every face."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar, get_args

import numpy as np

from ..checks import fail, shown
from ..input.columns import text_column, without_references
from ..locations import MODULES
from ..metric.layout import Layout, Rows
from ..metric.metric import About, Combination, Counter, Metric, Score
from ..metric.summary import Explanation
from ..options import Options, options_of
from .accumulator import Accumulator
from .registry import METRICS

_Kind = TypeVar("_Kind", bound=type[Metric])
# What is added to the docstring of a metric: that of its accumulator.
_PARAMETERS = """

Parameters
----------
{options}

Notes
-----
{notes}
"""
# Columns of tables, keys of results, and commands.
_TAKEN = frozenset({
    "prediction", "predictions", "reference", "references", "source", "sources", "segment", "system", "document", "id",
    "skipped", "gen_len", "score", "compare", "explain", "pairwise", "mbr", "agree", "tokenize",
    "rouge155", "demo", "help",
})  # fmt: skip
# One text with two references, one with one.
_PREDICTIONS, _REFERENCES = ["a b c", "b"], [["a b", "c"], ["b"]]


def register(metric: _Kind, *, dry_run: bool = True) -> _Kind:
    """Make a metric known to every face by its name: functions, command line, data sets, rewards, pages.

    Usable as a decorator. CONTRIBUTING lists what a metric must have, with an example. A metric that you registered
    before is replaced by another one of its name.

    Parameters
    ----------
    metric : class
        A subclass of `textgauge.measures.Metric`.
    dry_run : bool
        Count and score two short texts, with the default options; False for a metric that loads a model.

    Returns
    -------
    class
        `metric`. `textgauge.measures.one_call` makes the function of it.

    Raises
    ------
    TypeError, ValueError
        For the first thing that the metric lacks; the message says what to write.
    """
    if not (inspect.isclass(metric) and issubclass(metric, Metric)):
        fail(TypeError, "metric", "a class: `class Jaccard(textgauge.measures.Metric)`", shown(metric))
    _check_name(metric)
    _check_parts(metric)
    usual = _usual(metric)
    _check_scores(usual)
    if dry_run:
        _try(usual)
    if "accumulator" not in metric.__dict__:
        text = inspect.cleandoc(metric.__doc__ or "") + _PARAMETERS
        type(metric.__name__, (Accumulator,), {"__doc__": text, "__module__": metric.__module__}, metric=metric)
    METRICS[metric.name] = metric
    return metric


def _lacks(kind: type[Metric], part: str, what: str, got: Any) -> NoReturn:
    fail(TypeError, f"{kind.__name__}.{part}", what, got if isinstance(got, str) else shown(got))


def _check_name(kind: type[Metric]) -> None:
    name = getattr(kind, "name", None)
    if not (isinstance(name, str) and name.isidentifier() and name == name.lower()):
        _lacks(kind, "name", f'`name = "{kind.__name__.lower()}"`, in lower case', "none" if name is None else name)
    if not isinstance(getattr(kind, "about", None), About):
        what = '`about = About("Title", lambda key: Explanation("Title", "What does it ask?", ("How.",), "Limits."))`'
        _lacks(kind, "about", what, "none" if not hasattr(kind, "about") else kind.about)
    # Modules of ours, and keys of results that are no scores.
    if name not in METRICS and (name in MODULES or name in [one.name for one in options_of(kind.reports_type)]):
        fail(ValueError, f"{kind.__name__}.name", "a name that textgauge does not use", shown(name))
    for new in (name, *kind.names_of_scores()):
        if new in _TAKEN or new.startswith("segment_"):
            fail(ValueError, f"{kind.__name__}.name", "a name of no column and no command", shown(new))
    others = [other for other in METRICS if other != name or METRICS[other].__module__.startswith("textgauge.")]
    for new in {name, *kind.names_of_scores()}:
        for other in others:
            if new == other or METRICS[other].score_by_name(new):
                fail(ValueError, f"{kind.__name__}.name", "names that no other metric has", f"{new!r}, one of {other}")


def _check_parts(kind: type[Metric]) -> None:
    if not inspect.cleandoc(kind.__dict__.get("__doc__") or ""):
        _lacks(kind, "__doc__", "a docstring that says in one sentence what it measures", "none")
    for part in sorted(kind.__abstractmethods__):
        what = {
            "counted_by": "`def counted_by(self)`, which returns a Counter, such as `PairCounter(layout, function)`",
            "formula": "`def formula(self, rows)`, which returns an array for every score: `{self.name: ...}`",
        }[part]
        _lacks(kind, part, what, "none")
    if kind.combine not in get_args(Combination):
        _lacks(kind, "combine", f"one of {', '.join(map(repr, get_args(Combination)))}", kind.combine)
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


def _usual(kind: type[Metric]) -> Metric:
    """Return the metric with the default options."""
    metric = kind.usual()
    if not isinstance(metric.counter, Counter):
        _lacks(kind, "counted_by", "a Counter, such as `PairCounter(layout, function)`", metric.counter)
    layout = getattr(metric.counter, "layout", None)
    if not isinstance(layout, Layout) or not layout.fields:
        what = 'a Counter with `layout = Layout([Field("matches"), ...])`'
        _lacks(kind, "counted_by", what, "none" if layout is None else layout)
    return metric


def _check_scores(usual: Metric) -> None:
    kind, keys = type(usual), usual.score_names
    if len({*keys}) < len(keys) or not all(isinstance(score, Score) for score in usual.scores):
        _lacks(kind, "scores", "a tuple of `Score`, with different keys", usual.scores)
    called = map(kind.score_by_name, usual.about.names)
    # A score may need options that its name implies.
    wrong = [key for key, fixed in filter(None, called) if key not in _with(usual, fixed).score_names]
    if wrong or usual.headline not in keys:
        what = f"keys of `scores` ({', '.join(map(repr, keys))}) as values"
        fail(ValueError, f"{kind.__name__}.about.names", what, ", ".join(map(repr, wrong or [usual.headline])))
    for key in (usual.name, *keys):
        found = usual.about.explain(key)
        if not (isinstance(found, Explanation) and found.question.endswith("?")):
            what = f"an Explanation for {key!r}, whose question ends with a question mark"
            _lacks(kind, "about.explain", what, found)


def _with(usual: Metric, options: Mapping[str, Any]) -> Metric:
    return type(usual)(usual.options_type(**options)) if options else usual


def _try(usual: Metric) -> None:
    """Count and score two segments."""
    kind, counter = type(usual), usual.counter
    if kind.has_references:
        corpus = kind.corpus_of(_PREDICTIONS, _REFERENCES)
    else:
        corpus = without_references(text_column(_PREDICTIONS, "predictions"))
    is_by_pair = kind.has_references and usual.references.rule != "union"
    n_rows = len(corpus.references) if is_by_pair else len(corpus)
    rows = counter.rows(corpus, counter.notes())
    shape = (n_rows, counter.layout.n_columns)
    if not isinstance(rows, Rows) or rows.values.shape != shape:
        each = "pair of `corpus.pairs()`" if is_by_pair else "segment"
        got = f"shape {rows.values.shape}" if isinstance(rows, Rows) else rows
        _lacks(kind, "counter.rows", f"a row for every {each}, shape {shape} for two short texts", got)
    for some, axes in ((rows, (n_rows,)), (Rows(counter.layout, rows.values.sum(axis=0)), ())):
        found = usual.formula(some)
        for key in usual.score_names:
            value = None if not isinstance(found, Mapping) or found.get(key) is None else np.asarray(found[key])
            if value is None or value.shape != axes or value.dtype.kind != "f":
                what = f"`formula` to return floats of shape {axes} under {key!r} for rows of shape {some.values.shape}"
                _lacks(kind, "formula", what, found if value is None else f"{value.dtype}, shape {value.shape}")
            if np.isnan(value).any():
                what = f"`formula` to return numbers under {key!r}; `np.maximum(n, 1)` keeps it from dividing by 0"
                _lacks(kind, "formula", what, "NaN")
