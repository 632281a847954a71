"""The accumulator: it counts texts batch by batch, adds rows up, and scores them; and one call for all."""

from __future__ import annotations

import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from .. import engine
from ..arrays import FloatArray
from ..checks import fail, in_number, refuse_idle, refuse_unknown, shown
from ..input.columns import Corpus
from ..metric.inputs import BY_PLACE, COLUMNS, refuse_unused
from ..metric.layout import Rows, over_references
from ..metric.metric import Metric, merits_of, option_names
from ..options import documented, may_be_cached, options_of, read
from ..resampling import BootstrapOptions, interval_options
from ..text import Normalizer, Tokenizer
from .scored import Scored, folded

if TYPE_CHECKING:
    import pyarrow as pa


_Kind = TypeVar("_Kind", bound="Accumulator")
# The class of users that adds the rows of a metric up.
ACCUMULATORS: dict[type[Metric], type[Accumulator]] = {}


class Accumulator(Scored):
    """The rows of a metric's segments, never text.

    The class of users, such as `Bleu`, is made from the metric by `accumulator_of`. One with methods of its own says
    which metric: ``class Perplexity(Accumulator, metric=PerplexityMetric)``.
    """

    kind: ClassVar[type[Metric]]

    def __init_subclass__(cls, metric: type[Metric] | None = None, **kwargs: Any) -> None:
        """Document the options in the docstrings of the class and of `score`, and the columns in that of `update`."""
        super().__init_subclass__(**kwargs)
        if metric is None:
            return
        cls.kind = metric
        ACCUMULATORS[metric] = cls
        documented(cls, cls.__doc__ or "", metric.options_type)
        cls.score = _documented_score(metric)  # type: ignore[method-assign]
        if "update" not in cls.__dict__:
            cls.update = _documented_update(metric)  # type: ignore[method-assign]

    def __init__(self, **options: Any) -> None:
        """Check and store the options."""
        self.metric = self._unfitted = self.kind(read(self.kind.options_type, options, type(self).__name__))
        self._given = options
        self._batches = []

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what the metric learned from the texts of a call: each call learns its own."""
        return {**self.__dict__, "metric": self._unfitted}

    @property
    def options(self) -> Any:
        """The checked options."""
        return self.metric.options

    # ---- segments

    def update(self: _Kind, *columns: Any, **by_name: Any) -> _Kind:
        """Add segments; after an error the accumulator is unchanged.

        The columns are those of `Metric.inputs`, by place or by name.
        """
        metric = self.metric
        corpus = metric.inputs.corpus(metric.name, *columns, **by_name)
        if metric.inputs.model is not None:
            refuse_unused([metric], corpus.given)
        return self.update_corpus(corpus)

    def update_corpus(self: _Kind, corpus: Corpus, *, keeps_segments: bool = True) -> _Kind:
        """Add segments of checked texts; without `keeps_segments`, keep only their sum if rows add up exactly."""
        if engine.must_warn:
            engine.warn_if_plain()
        metric = self.metric
        if self._identities or metric.inputs.model is not None:
            metric, corpus = self._fitted(corpus)
        else:
            metric = metric.fitted(corpus)
        keeps_segments = keeps_segments or metric.combine == "mean" or metric.layout.dtype.kind != "i"
        notes = metric.notes()
        batches: list[Rows] = []
        for rows in self._rows(corpus, notes, metric):
            batches.append(rows)
            if len(batches) > 1 and not keeps_segments:
                batches = folded(batches)
        if batches:
            self.metric = metric
            self._batches += batches
            self._n_references |= corpus.n_references
            if identity := metric.identity:
                self._identities |= {(*identity.items(),)}
        notes.warn()
        return self

    def _fitted(self, corpus: Corpus) -> tuple[Metric, Corpus]:
        """Return the metric for a corpus, and the columns that it reads; refuse rows that may not be added."""
        inputs = self.metric.inputs
        if inputs.model is not None and len(corpus):
            corpus = corpus.only(inputs.used(corpus.given))
        metric, sums = self.metric.fitted(corpus), self.metric.sums
        is_new = self._identities and (*metric.identity.items(),) not in self._identities
        if is_new and sums.refusal is not None and not sums.mixes:
            fail(ValueError, *sums.refusal)
        return metric, corpus

    def add_rows(self: _Kind, rows: Rows, identity: Mapping[str, str]) -> _Kind:
        """Add the rows of segments that something else counted, such as probabilities; see `Metric.identity`."""
        if len(rows):
            self._batches.append(rows)
            self._identities |= {(*identity.items(),)}
        return self

    def rows_of(self, corpus: Corpus, notes: Any) -> Iterator[Rows]:
        """Yield the rows of the segments of a corpus, chunk by chunk, without adding them."""
        metric, corpus = self._fitted(corpus)
        return self._rows(corpus, notes, metric)

    def _rows(self, corpus: Corpus, notes: Any, metric: Metric) -> Iterator[Rows]:
        references = metric.references
        for chunk in metric.chunks(corpus):
            rows = metric.rows(chunk, notes)
            is_done = references.rule == "union" or (chunk.offsets is None and not references.has_trials)
            yield rows if is_done else over_references(rows, chunk.reference_offsets, references, self._merits)

    def _merits(self, pairs: Rows) -> FloatArray:
        """Return what makes a pair the best, for the main score or for every name along the rows."""
        names = pairs.layout.along or (self.metric.scores.headline,)
        return np.stack([merits_of(self.metric, pairs, name) for name in names], axis=-1)

    def without_segments(self: _Kind) -> _Kind:
        """Return an accumulator with the same options and no segments."""
        # Faster than `copy.copy`, which counts for a single pair.
        empty = type(self).__new__(type(self))
        empty.metric = empty._unfitted = self._unfitted
        empty._given, empty._batches = self._given, []
        return empty

    def with_metric(self: _Kind, metric: Metric) -> _Kind:
        """Return an accumulator of these rows for the same metric with other options of its formula."""
        other = copy.copy(self)
        other.metric = other._unfitted = metric
        return other

    def __repr__(self) -> str:
        given = [f"{name}={shown(value).rpartition(' (')[0]}" for name, value in self._given.items()]
        return f"<{type(self).__name__}({', '.join(given)}): {in_number(len(self), f'{len(self)} segment[|s]')}>"

    def __add__(self: _Kind, other: _Kind) -> _Kind:
        """Return an accumulator with the segments of both, which must have the same options."""
        if type(other) is not type(self):
            fail(TypeError, "other", f"another {type(self).__name__}", shown(other))
        if self.n_summed or other.n_summed:
            fail(ValueError, "other", "accumulators with their segments", "sums of segments")
        # What made the rows does not matter where there are none.
        are_counted = len(self) > 0 and len(other) > 0
        ours, theirs = (one._settings() if are_counted else one.metric.settings() for one in (self, other))
        for name in dict.fromkeys((*ours, *theirs)):
            mine, others = ours.get(name), theirs.get(name)
            if mine != others:
                if name in self.identity() and self.metric.sums.refusal is not None:
                    fail(ValueError, *self.metric.sums.refusal)
                left, right = _shown_setting(mine), _shown_setting(others)
                fail(ValueError, "other", f"the same {name}, {left}", f"another {right}" if left == right else right)
        merged = copy.copy(self)
        merged._batches = self._batches + other._batches
        merged._identities = self._identities | other._identities
        merged._n_references = self._n_references | other._n_references
        return merged

    def __radd__(self: _Kind, other: Any) -> _Kind:
        """Support `sum`, which starts with 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    def _settings(self) -> dict[str, Any]:
        """Return the settings of the metric and what made the rows, unless other rows may be added to these."""
        if self.metric.sums.mixes:
            return self.metric.settings()
        return {**self.metric.settings(), **self.identity()}

    def to_arrow(self) -> pa.Table:
        """Return the statistics as a table, with a column per field and a row per segment.

        The schema stores the options, so that `from_arrow` refuses statistics of other options, and a checksum;
        a callable tokenizer is stored by its name only. Where the scores of several rows of a segment are
        averaged, the column ``segment`` numbers the segments. Without segments the table is empty.
        """
        from .storage import to_table

        return to_table(self, type(self).__name__, self._given)

    @classmethod
    def from_arrow(cls: type[_Kind], table: pa.Table, **options: Any) -> _Kind:
        """Return the accumulator with the segments of a table that `to_arrow` made.

        Parameters
        ----------
        table : pyarrow.Table
        **options
            The options that the statistics were counted with. They may be omitted if all of them
            are plain values, which the table stores; what names a model, a file or its loading is never taken from it.

        Raises
        ------
        TypeError
            If `table` is not a table, or has other columns.
        ValueError
            If it was counted by another accumulator, another version of the format or with other options, or
            if it was changed.
        """
        from .storage import Stored

        stored = Stored(table, cls.__name__)
        empty = cls(**(options or stored.options(cls.kind.options_type)))
        empty.replace_rows(*stored.rows(empty, options))
        return empty

    def replace_rows(self, rows: Rows, provenance: Mapping[str, Any] | None = None) -> None:
        """Replace the segments by these rows, and what is known of them by a checked `provenance`."""
        if provenance is not None:
            self._n_references = frozenset(provenance["references"])
            self._identities = frozenset(tuple((key, value) for key, value in one) for one in provenance["counters"])
        self._batches = [rows] if len(rows) else []

    # ---- results

    def score(self, **reports: Any) -> dict[str, Any]:
        """Return the scores of the corpus by key."""
        return self.score_with(*self.read_reports(reports))

    def read_reports(self, reports: Mapping[str, Any]) -> tuple[Any, BootstrapOptions]:
        """Check the options of `score`; refuse those that have no effect."""
        is_cached = not reports or may_be_cached(self.kind.reports_type, reports)
        read_once: Any = _read_reports if is_cached else _read_reports.__wrapped__
        found: tuple[Any, BootstrapOptions] = read_once(type(self), **reports)
        return found


def accumulator_of(metric: type[Metric], base: type[Accumulator] = Accumulator) -> type[Accumulator]:
    """Return the class of users that adds the rows of a metric up; it is made once, from the metric.

    Its name is that of the metric without ``Metric``; its docstring is that of the metric, with the options.
    """
    if metric not in ACCUMULATORS:
        about, heading, example = inspect.cleandoc(metric.__doc__ or "").partition("Examples\n--------\n")
        is_lower = any(not one.higher_is_better for one in metric.scores if one.key == metric.scores.headline)
        first = metric.about.title + _BATCHES + " Lower is better." * is_lower
        parts = [first, about.strip("\n"), _OPTIONS, heading + example]
        members = {"__doc__": "\n\n".join(filter(None, parts)), "__module__": metric.__module__}
        type(metric.__name__.removesuffix("Metric"), (base,), members, metric=metric)
    return ACCUMULATORS[metric]


_BATCHES = ", batch by batch: an accumulator that stores numbers of every segment, never text."
_OPTIONS = """\
Parameters
----------
{options}

Notes
-----
{notes}"""


_SCORE = """\
Return the scores of the corpus by key.

Parameters
----------
{options}

Notes
-----
{notes}
"""


def _documented_score(metric: type[Metric]) -> Callable[..., dict[str, Any]]:
    """Return the method `score` with the options of a metric in its docstring and signature."""

    def score(self: Accumulator, **reports: Any) -> dict[str, Any]:
        return Accumulator.score(self, **reports)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    documented(score, _SCORE, metric.reports_type, first=[own])
    return score


def _documented_update(metric: type[Metric]) -> Callable[..., Any]:
    """Return the method `update` with the columns of a metric in its signature."""
    takes = inspect.Signature(metric.inputs.parameters())

    def update(self: _Kind, *columns: Any, **by_name: Any) -> _Kind:
        try:
            given = takes.bind_partial(*columns, **by_name).arguments
        except TypeError as error:
            raise TypeError(f"update() {error}") from None
        return Accumulator.update(self, **given)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    update.__signature__ = takes.replace(  # type: ignore[attr-defined]
        parameters=[own, *takes.parameters.values()], return_annotation=accumulator_of(metric)
    )
    update.__doc__ = "Add segments; after an error the accumulator is unchanged."
    return update


@lru_cache(maxsize=64, typed=True)
def _read_reports(kind: type[Accumulator], /, **reports: Any) -> tuple[Any, BootstrapOptions]:
    asked = read(kind.kind.reports_type, reports, f"{kind.__name__}.score")
    refuse_idle(reports, asked.idle())
    return asked, interval_options(asked.confidence, asked.n_resamples, asked.seed, asked.unit)


def _shown_setting(value: Any) -> str:
    return repr(value.name) if isinstance(value, (Tokenizer, Normalizer)) else shown(value)


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
        return self.empty.without_segments().update_corpus(corpus, keeps_segments=self.reports.keeps_segments)

    def score(self, predictions: Any, references: Any = None, **others: Any) -> dict[str, Any]:
        """Score columns, those that the metric takes."""
        metric, inputs = self.empty.metric, self.empty.metric.inputs
        if references is None or others or inputs.names != BY_PLACE:
            corpus = inputs.corpus(metric.name, predictions, references, **others)
        else:
            corpus = inputs.read(predictions, references)
        if inputs.model is not None:
            refuse_unused([metric], corpus.given)
        return self.accumulated(corpus).score_with(self.reports, self.bootstrap)


def call_of(measure: type[Accumulator], owner: str, options: Mapping[str, Any], columns: tuple[str, ...] = ()) -> Call:
    """Return what the options of a call ask for; refuse unknown ones, as those of `owner`, which also has `columns`.

    From a cache if their values cannot change: the checks take most of the time of scoring one pair.
    """
    once: Any = _read_once
    if not options:
        found: Call = once(measure, owner, columns)
        return found
    values = {name: tuple(value) if type(value) is list else value for name, value in options.items()}
    if may_be_cached(measure.kind.options_type, values):
        try:
            found = once(measure, owner, columns, **values)
        except (TypeError, ValueError):
            # Raised again, with the value as it was given.
            return _read(measure, owner, columns, options)
        return found
    return _read(measure, owner, columns, options)


def _read(measure: type[Accumulator], owner: str, columns: tuple[str, ...], options: Mapping[str, Any]) -> Call:
    of_score = {one.name for one in options_of(measure.kind.reports_type)}
    known = [*columns, *option_names(measure.kind), *measure.kind.inputs.names]
    refuse_unknown(options, known, owner)
    empty = measure(**{name: value for name, value in options.items() if name not in of_score})
    return Call(empty, *empty.read_reports({name: value for name, value in options.items() if name in of_score}))


@lru_cache(maxsize=128, typed=True)
def _read_once(measure: type[Accumulator], owner: str, columns: tuple[str, ...], /, **options: Any) -> Call:
    return _read(measure, owner, columns, options)


def one_call(scored: type[Accumulator] | type[Metric], example: str = "") -> Callable[..., dict[str, Any]]:
    """Return the function that scores a corpus in one call, with all options of a measure in its docstring.

    It takes the columns of `Metric.inputs`. A metric has been registered. `example` replaces the example, two equal
    texts, of a measure that needs options or other columns.
    """
    measure = accumulator_of(scored) if issubclass(scored, Metric) else scored
    name, kind = measure.__name__, measure.kind
    others = tuple(column for column in kind.inputs.names if column not in ("predictions", "references"))
    columns = kind.inputs.names if others else ()

    def function(predictions: Any = None, references: Any = None, *more: Any, **options: Any) -> dict[str, Any]:
        if more:
            third = others[0] if others else "signature"
            fail(TypeError, kind.name, f"keywords from the third argument on, as in {third}=...", shown(more[0]))
        if not others:
            return call_of(measure, name, options).score(predictions, references)
        given = {column: options.pop(column) for column in others if column in options}
        return call_of(measure, name, options, columns).score(predictions, references, **given)

    function.__name__ = function.__qualname__ = kind.name
    function.__module__ = measure.__module__
    about, scores = kind.about, measure().metric.scores
    keys, perfect = about.returns or f"``{kind.name}``", scores.of(scores.headline).perfect
    returns = textwrap.wrap(f"Python numbers by key: {keys}; and the additions that the options ask for.", 90)
    text = _ONE_CALL.format(
        title=about.title, kind=name, returns="\n    ".join(returns),
        columns="\n".join(_documented_column(one, is_needed=one in kind.inputs.needed) for one in kind.inputs.names),
        lacks_references=", a segment has no reference" if kind.inputs.has_references else "",
        example=example or _EXAMPLE.format(
            name=kind.name, key=scores.headline, perfect=None if perfect is None else perfect * scores.scale
        ),
    )  # fmt: skip
    first = [one.replace(annotation=inspect.Parameter.empty) for one in kind.inputs.parameters()]
    documented(function, text, kind.options_type, kind.reports_type, first=first)
    return function


def _documented_column(name: str, *, is_needed: bool) -> str:
    kind, about = COLUMNS[name]
    return f"{name} : {kind}{'' if is_needed else ', optional'}\n    {about}"


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
