"""`textgauge.register`: a metric of your own, checked, through every face."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, NoReturn, TypeVar, get_args

import numpy as np

from .. import __all__
from ..arrays import FloatArray
from ..checks import LARGEST, fail, shown
from ..input.columns import Corpus
from ..locations import MODULES
from ..metric import Layout, Metric, Rows
from ..metric.inputs import Inputs
from ..metric.metric import Combination, with_defaults
from ..metric.scores import About, Scores
from ..options import options_of
from .accumulator import Accumulator, accumulator_of, as_plain
from .registry import METRICS

_Kind = TypeVar("_Kind", bound=type[Metric])
# Columns of tables, and keys of results.
_TAKEN = frozenset({
    "prediction", "predictions", "reference", "references", "source", "sources", "segment", "system", "document", "id",
    "skipped", "gen_len", "score", "perplexities", "mean_perplexity", "bits_per_token", "bits_per_byte",
    "bits_per_word", "error_spans",
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
    if not (isinstance(metric, type) and issubclass(metric, Metric)):
        fail(TypeError, "metric", "a class: `class Jaccard(textgauge.measures.Metric)`", shown(metric))
    _check_name(metric)
    _check_parts(metric)
    of_defaults = with_defaults(metric)
    _check_scores(of_defaults)
    if dry_run:
        _try(of_defaults)
    accumulator_of(metric, _Checked)
    METRICS[metric.name] = metric
    return metric


class _Checked(Accumulator):
    """Adds up the rows of a metric from outside, whose numbers are checked: larger ones could overflow in a sum."""

    def _rows(self, corpus: Corpus, notes: Any, metric: Metric) -> Iterator[Rows]:
        for rows in super()._rows(corpus, notes, metric):
            for field in rows.layout.fields:
                values = rows[field.name]
                if field.is_whole and not ((values >= 0) & (values <= LARGEST)).all():
                    wrong = values[~((values >= 0) & (values <= LARGEST))][0].item()
                    allowed = f"integers from 0 to {LARGEST:,}, unless `Field(..., is_whole=False)`"
                    fail(ValueError, f"{self.metric.name}: {field.name}", allowed, shown(wrong))
            yield rows

    def _plain_segments(self, keys: tuple[str, ...] = ()) -> dict[str, Any]:
        return as_plain(self._values_by(keys))

    def _values_by(self, keys: tuple[str, ...]) -> dict[str, FloatArray]:
        values = super()._values_by(keys)
        for key, column in values.items():
            if np.shape(column) != (len(self),):
                what = f"`formula` to return a number for each of {len(self)} segments under {key!r}"
                _lacks(type(self.metric), "formula", what, f"shape {np.shape(column)}")
        return values


def _lacks(metric_type: type[Metric], part: str, what: str, got: Any) -> NoReturn:
    fail(TypeError, f"{metric_type.__name__}.{part}", what, got if isinstance(got, str) else shown(got))


def _check_name(metric_type: type[Metric]) -> None:
    name, lower = getattr(metric_type, "name", None), metric_type.__name__.lower()
    if not (isinstance(name, str) and name.isidentifier() and name == name.lower()):
        _lacks(metric_type, "name", f'`name = "{lower}"`, in lower case', "none" if name is None else name)
    for part, part_type, what in (
        ("scores", Scores, "`Scores` of `Score`"), ("inputs", Inputs, "`Inputs`, the columns of text that it reads"),
    ):  # fmt: skip
        if not isinstance(getattr(metric_type, part), part_type):
            _lacks(metric_type, part, what, getattr(metric_type, part))
    # Modules of ours, and keys of results that are no scores.
    reports = [option.name for option in options_of(metric_type.reports_type)]
    if name not in METRICS and name in (*MODULES, *__all__, *reports):
        fail(ValueError, f"{metric_type.__name__}.name", "a name that textgauge does not use", shown(name))
    for new in (name, *metric_type.scores.names):
        if new in _TAKEN or new.startswith("segment_"):
            fail(ValueError, f"{metric_type.__name__}.name", "a name of no column", shown(new))
    others = [other for other in METRICS if other != name or METRICS[other].__module__.startswith("textgauge.")]
    is_new = metric_type not in METRICS.values()
    for new in {name, *metric_type.scores.names}:
        for other in others:
            if new == other or METRICS[other].scores.named(new) or (is_new and new in _keys_of(METRICS[other])):
                argument = f"{metric_type.__name__}.name"
                fail(ValueError, argument, "names that no other metric has", f"{new!r}, one of {other}")


def _keys_of(metric_type: type[Metric]) -> tuple[str, ...]:
    """Return the keys of a result."""
    metric = with_defaults(metric_type)
    layout = metric.layout
    with np.errstate(all="ignore"):
        return *metric.scores.keys, *metric.formula(Rows(layout, np.zeros((1, layout.n_columns), layout.dtype)))


def _check_parts(metric_type: type[Metric]) -> None:
    if not inspect.cleandoc(metric_type.__dict__.get("__doc__") or ""):
        _lacks(metric_type, "__doc__", "a docstring that says in one sentence what it measures", "none")
    if metric_type.combine not in get_args(Combination):
        _lacks(metric_type, "combine", f"one of {', '.join(map(repr, get_args(Combination)))}", metric_type.combine)
    if metric_type.rows is Metric.rows and metric_type.count_pair is Metric.count_pair:
        what = "`count_pair(self, prediction, reference)`, the numbers of a row, or `rows(self, corpus, notes)`"
        _lacks(metric_type, "count_pair", what, "none")
    options = metric_type.options_type
    # Without a decorator of its own its fields would be no options.
    if "__dataclass_fields__" not in vars(options):
        what = 'a frozen dataclass, a subclass of `Options`, with fields `one: type = option(default, "Sentence.")`'
        _lacks(metric_type, "options_type", what, options)
    names = [option.name for option in options_of(metric_type.reports_type)]
    for option in options_of(options):
        if option.name in names:
            fail(ValueError, f"{options.__name__}.{option.name}", "a name that no option of `score` has", option.name)
        if not option.help.endswith("."):
            fail(ValueError, f"{options.__name__}.{option.name}", "one sentence, with a full stop", shown(option.help))


def _check_scores(metric: Metric) -> None:
    if not isinstance(getattr(metric, "layout", None), Layout):
        what = '`layout = Layout([Field("common")])`, the fields of a row'
        _lacks(type(metric), "layout", what, getattr(metric, "layout", "none"))
    if not isinstance(getattr(metric, "about", None), About):
        what = f'`about = About("{type(metric).__name__}", explain)`, what readers are told'
        _lacks(type(metric), "about", what, getattr(metric, "about", "none"))
    keys = metric.scores.keys
    if len({*keys}) < len(keys):
        _lacks(type(metric), "scores", "`Scores` of `Score`, with different keys", metric.scores)
    for key in (metric.name, *keys):
        explanation = metric.about.explain(key)
        if not explanation.question.endswith("?"):
            what = f"an Explanation for {key!r}, whose question ends with a question mark"
            _lacks(type(metric), "about.explain", what, explanation)


def _try(metric: Metric) -> None:
    """Count and score two segments."""
    metric_type = type(metric)
    if metric_type.inputs.has_references:
        sources = {"sources": _PREDICTIONS} if "sources" in metric_type.inputs.needed else {}
        corpus = metric_type.inputs.read(_PREDICTIONS, _REFERENCES, **sources)
    else:
        corpus = metric_type.inputs.read(_PREDICTIONS)
    is_by_pair = metric_type.inputs.has_references and metric.layout.references != "union"
    n_rows = len(corpus.references) if is_by_pair else len(corpus)
    rows = metric.rows(corpus, metric.notes())
    shape = (n_rows, metric.layout.n_columns)
    if not isinstance(rows, Rows) or rows.values.shape != shape:
        each = "pair of `corpus.pairs()`" if is_by_pair else "segment"
        got = f"shape {rows.values.shape}" if isinstance(rows, Rows) else rows
        _lacks(metric_type, "rows", f"a row for every {each}, shape {shape} for two short texts", got)
    for some, axes in ((rows, (n_rows,)), (Rows(metric.layout, rows.values.sum(axis=0)), ())):
        scores = metric.formula(some)
        for key in metric.scores.keys:
            value = None if scores.get(key) is None else np.asarray(scores[key])
            if value is None or value.shape != axes or value.dtype.kind != "f":
                what = f"`formula` to return floats of shape {axes} under {key!r} for rows of shape {some.values.shape}"
                _lacks(metric_type, "formula", what, scores if value is None else f"{value.dtype}, shape {value.shape}")
            if np.isnan(value).any():
                what = f"`formula` to return numbers under {key!r}; `np.maximum(n, 1)` keeps it from dividing by 0"
                _lacks(metric_type, "formula", what, "NaN")
