"""The accumulator: rows of the segments of a metric, their sums, what follows from both; and one call for all."""

from __future__ import annotations

import copy
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from .. import engine
from ..arrays import Counts, FloatArray, IntArray, offsets_of
from ..checks import LARGEST, fail, in_number, refuse_idle, refuse_unknown, shown
from ..input.columns import Corpus
from ..metric.layout import Rows, over_references
from ..metric.metric import Counter, Metric
from ..metric.summary import Summary, scaled
from ..options import documented, may_be_cached, options_of, read
from ..resampling import BootstrapOptions, bootstrap_interval, interval_options, percentile_interval
from ..resampling.intervals import bootstrap_scores
from ..scores.exact_sums import are_own_means, exact_means, exact_sums
from ..scores.ordered_sums import means_in_order, sums_in_order
from ..signatures import signature, with_interval
from ..text import Normalizer, Tokenizer

if TYPE_CHECKING:
    import pyarrow as pa


_Kind = TypeVar("_Kind", bound="Accumulator")
Identity = tuple[tuple[str, str], ...]


class Accumulator:
    """The rows of a metric's segments, never text.

    A class of users, such as `Bleu`, says which metric: ``class Bleu(Accumulator, metric=BleuMetric)``.

    Attributes
    ----------
    metric : Metric
        With its options.
    n_summed : int
        Of how many segments its rows are the sum; 0: it has them itself.
    """

    kind: ClassVar[type[Metric]]
    n_summed: int = 0

    def __init_subclass__(cls, metric: type[Metric] | None = None, **kwargs: Any) -> None:
        """Tell the metric its accumulator, and document the options in the docstrings of the class and of `score`."""
        super().__init_subclass__(**kwargs)
        if metric is None:
            return
        cls.kind, metric.accumulator = metric, cls
        documented(cls, cls.__doc__ or "", metric.options_type)
        cls.score = _documented_score(metric)  # type: ignore[method-assign]
        if "update" not in cls.__dict__:
            cls.update = _documented_update(metric)  # type: ignore[method-assign]

    def __init__(self, **options: Any) -> None:
        """Check and store the options."""
        self.metric = self._unfitted = self.kind(read(self.kind.options_type, options, type(self).__name__))
        self._given = options
        self._batches: list[Rows] = []
        self._identities: frozenset[Identity] = frozenset()
        self._n_references: frozenset[int] = frozenset()
        self._means: dict[str, FloatArray] | None = None

    @property
    def options(self) -> Any:
        """The checked options."""
        return self.metric.options

    # ---- segments

    def update(self: _Kind, *columns: Any, **by_name: Any) -> _Kind:
        """Add segments; after an error the accumulator is unchanged.

        The columns are those that `Metric.corpus_of` takes, by place or by name.
        """
        corpus = self.metric.corpus_of(*columns, **by_name)
        if self.metric.optional:
            self.metric.refuse_unused(corpus)
        return self.update_corpus(corpus)

    def update_corpus(self: _Kind, corpus: Corpus, *, keeps_segments: bool = True) -> _Kind:
        """Add segments of checked texts; without `keeps_segments`, keep only their sum if rows add up exactly."""
        if engine.must_warn:
            engine.warn_if_plain()
        counter = self.metric.counter.fitted(corpus)
        corpus = counter.read(corpus)
        keeps_segments = keeps_segments or self.metric.combine == "mean" or counter.layout.dtype.kind != "i"
        notes = counter.notes()
        batches: list[Rows] = []
        for rows in self.counted(corpus, notes, counter):
            batches.append(rows)
            if len(batches) > 1 and not keeps_segments:
                batches = folded(batches)
        if batches:
            if counter is not self.metric.counter:
                self.metric = self.metric.with_counter(counter)
            self._batches += batches
            self._n_references |= corpus.n_references
            if counter.identity:
                self._identities |= {(*counter.identity.items(),)}
        notes.warn()
        return self

    def add_rows(self: _Kind, rows: Rows, identity: Mapping[str, str]) -> _Kind:
        """Add the rows of segments that something else counted, such as probabilities; see `Counter.identity`."""
        if len(rows):
            self._batches.append(rows)
            self._identities |= {(*identity.items(),)}
        return self

    def counted(self, corpus: Corpus, notes: Any, counter: Counter | None = None) -> Iterator[Rows]:
        """Yield the rows of the segments of a corpus, chunk by chunk, without adding them."""
        if counter is None:
            counter = self.metric.counter.fitted(corpus)
            corpus = counter.read(corpus)
        references = self.metric.references
        for chunk in counter.chunks(corpus):
            rows = counter.rows(chunk, notes)
            is_done = references.rule == "union" or (chunk.offsets is None and not references.has_trials)
            yield rows if is_done else over_references(rows, chunk.reference_offsets, references, self._merits)

    def _merits(self, pairs: Rows) -> FloatArray:
        """Return what makes a pair the best, for the main score or for every name along the rows."""
        names = pairs.layout.along or (self.metric.headline,)
        return np.stack([self.metric.merits(pairs, name) for name in names], axis=-1)

    def without_segments(self: _Kind) -> _Kind:
        """Return an accumulator with the same options and no segments."""
        # Faster than `copy.copy`, which counts for a single pair.
        empty = type(self).__new__(type(self))
        empty.metric = empty._unfitted = self._unfitted
        empty._given, empty._batches, empty._means = self._given, [], None
        empty._identities, empty._n_references = frozenset(), frozenset()
        return empty

    @classmethod
    def of_metric(cls: type[_Kind], metric: Metric) -> _Kind:
        """Return an empty accumulator for a metric with its options."""
        return cls().of(metric)

    def of(self: _Kind, metric: Metric) -> _Kind:
        """Return an accumulator of these rows for the same metric with other options of its formula."""
        other = copy.copy(self)
        other.metric = other._unfitted = metric
        return other

    def __len__(self) -> int:
        """Return the number of segments."""
        return self.n_summed or sum(map(len, self._batches))

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        given = [f"{name}={shown(value).rpartition(' (')[0]}" for name, value in self._given.items()]
        return f"<{type(self).__name__}({', '.join(given)}): {in_number(len(self), f'{len(self)} segment[|s]')}>"

    @property
    def _some_batches(self) -> list[Rows]:
        if not self._batches:
            fail(ValueError, "predictions", "at least one segment", "none")
        return self._batches

    @property
    def statistics(self) -> Rows:
        """The additive rows of all segments, in order; the docstring of the class names their fields."""
        batches = self._some_batches
        if len(batches) == 1:
            return batches[0]
        per_segment = None
        if self.metric.references.has_trials:
            per_segment = np.concatenate([_rows_per_segment(batch) for batch in batches])
        beside: list[Any] | None = [one for batch in batches for one in batch.beside or ()]
        if any(batch.beside is None for batch in batches):
            beside = None
        values = np.concatenate([batch.values for batch in batches])
        return Rows(batches[0].layout, values, per_segment, beside=beside)

    def __add__(self: _Kind, other: _Kind) -> _Kind:
        """Return an accumulator with the segments of both, which must have the same options."""
        if type(other) is not type(self):
            fail(TypeError, "other", f"another {type(self).__name__}", shown(other))
        if self.n_summed or other.n_summed:
            fail(ValueError, "other", "accumulators with their segments", "sums of segments")
        ours, theirs = self._settings(), other._settings()
        for name in dict.fromkeys((*ours, *theirs)):
            mine, others = ours.get(name), theirs.get(name)
            if mine != others:
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
        if self.metric.mixes_counters:
            return self.metric.settings()
        return {**self.metric.settings(), **self.identity()}

    def identity(self) -> dict[str, str]:
        """Return what made the rows, beside the options: "var" for a key in which segments differ."""
        identities = [dict(one) for one in sorted(self._identities)]
        common = [key for key in (identities[0] if identities else ()) if all(key in one for one in identities)]
        values = {key: {one[key] for one in identities} for key in common}
        return {key: "var" if len(found) > 1 else found.pop() for key, found in values.items()}

    @property
    def signature(self) -> str:
        """What was computed, in one line of the form of sacreBLEU's signatures."""
        return self.signed()

    def signed(self, asked: Any = None) -> str:
        """Return the signature, also of the options of `score`."""
        n_references = self._n_references if self.metric.has_references else None
        return signature(n_references, {**self.metric.described(asked), **self.identity()})

    def to_arrow(self) -> pa.Table:
        """Return the statistics as a table, with a column per field and a row per segment.

        The schema stores the options, so that `from_arrow` refuses statistics of other options, and a checksum;
        a callable tokenizer is stored by its name only. Where the scores of several rows of a segment are
        averaged, the column ``segment`` numbers the segments. Without segments the table is empty.
        """
        from .storage import to_table

        return to_table(self)

    @classmethod
    def from_arrow(cls: type[_Kind], table: pa.Table, **options: Any) -> _Kind:
        """Return the accumulator with the segments of a table that `to_arrow` made.

        Parameters
        ----------
        table : pyarrow.Table
        **options
            The options that the statistics were counted with. They may be omitted if all of them
            are plain values, which the table stores.

        Raises
        ------
        TypeError
            If `table` is not a table, or has other columns.
        ValueError
            If it was counted by another accumulator, another version of the format or with other options, or
            if it was changed.
        """
        from .storage import from_table

        return from_table(cls, table, options)

    def provenance(self) -> dict[str, Any]:
        """Return what is stored about the segments beside their rows: numbers of references, and what made them."""
        return {"references": sorted(self._n_references), "counters": sorted(self._identities)}

    def replace_rows(self, rows: Rows, provenance: Mapping[str, Any] | None = None) -> None:
        """Replace the segments by these rows, and what is known of them by a `provenance`, which is checked."""
        if provenance is not None:
            n_references, identities = provenance["references"], provenance["counters"]
            if not all(type(n) is int and 0 <= n <= LARGEST for n in n_references):
                fail(ValueError, "references", "numbers of references", shown(n_references))
            self._n_references = frozenset(n_references)
            self._identities = frozenset(tuple((key, value) for key, value in one) for one in identities)
            if not all(isinstance(text, str) for one in self._identities for part in one for text in part):
                fail(ValueError, "counters", "keys and values of text", shown(identities))
        self._batches = [rows] if len(rows) else []

    # ---- scores

    def segment_values(self) -> dict[str, FloatArray]:
        """Return the scores of every segment before scaling, with their parts if the metric averages them.

        They are those of `Metric.sentence_form`, which every face shows: float64, shape (n_segments,) each.
        """
        return self._values_by(() if self.metric.combine == "mean" else self.metric.score_names)

    def _values_by(self, keys: tuple[str, ...]) -> dict[str, FloatArray]:
        """Return some values of the formula for every segment; without keys all."""
        metric = self.metric.sentence_form()
        parts = [_batch_values(metric, batch, keys) for batch in self._some_batches]
        return parts[0] if len(parts) == 1 else {key: np.concatenate([p[key] for p in parts]) for key in parts[0]}

    def segment_columns(self) -> dict[str, FloatArray]:
        """Return the scores of every segment by key: float64, shape (n_segments,) each."""
        values = self.segment_values()
        return {name: values[name] * self.metric.factor for name in self.metric.score_names}

    def shown_segments(self) -> dict[str, FloatArray]:
        """Return `segment_columns`, where each must have a place on a page or in a ranking: a finite number."""
        columns = self.segment_columns()
        for column in columns.values():
            wrong = np.flatnonzero(~np.isfinite(column))
            if len(wrong):
                allowed = "a text with tokens, none of probability 0, where segments are shown"
                fail(ValueError, f"predictions[{wrong[0]}]", allowed, f"{self.metric.name} {column[wrong[0]]}")
        return columns

    def total(self) -> Rows:
        """Return the sum of all rows, rounded once, and the last of them."""
        only = self._only_row()
        if only is not None:
            return only
        batches = self._some_batches
        layout = batches[-1].layout
        last = Rows(layout, batches[-1].values[-1])
        if layout.dtype.kind != "i":
            values = self.statistics.values
            if self.metric.in_order is not None:
                return Rows(layout, sums_in_order(values, self.metric.in_order), last=last)
            is_exact = self.metric.sums().kind != "rounded"
            return Rows(layout, exact_sums(values) if is_exact else values.sum(axis=0), last=last)
        sums = [np.add.reduce(batch.values, axis=0) for batch in batches]
        return Rows(layout, sums[0] if len(sums) == 1 else np.sum(sums, axis=0), last=last)

    def _only_row(self) -> Rows | None:
        """Return the row of a single segment, shape (n_columns,); None if there are more."""
        batches = self._some_batches
        if len(batches) > 1 or len(batches[0].values) > 1:
            return None
        return Rows(batches[0].layout, batches[0].values[0])

    def means(self, keys: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return the scaled means of `segment_values`, all or those of some keys: shape () each.

        They are rounded once, unless the metric adds scores `in_order`.
        """
        if self._means is not None:
            return self._means
        only, factor = self._only_row(), self.metric.factor
        if only is not None:
            values = self.metric.formula(only)
            # As the exact mean, never -0.0.
            means = {key: values[key] * factor + 0.0 for key in keys or values}
            if are_own_means(means.values()):
                return means
        # Batch by batch: the scores of all segments would take several times the memory of their counts.
        columns = []
        for batch in self._some_batches:
            values = _batch_values(self.metric, batch, ())
            keys = keys or (*values,)
            columns.append(np.array([values[key] for key in keys]).T)
        add = self.metric.in_order
        found = exact_means(columns, factor) if add is None else means_in_order(columns, add, factor)
        return dict(zip(keys, found, strict=True))

    def observed_scores(self) -> dict[str, FloatArray]:
        """Return the scaled scores of the corpus by key: shape () each."""
        metric = self.metric
        if metric.combine == "mean":
            values = self.means(metric.score_names)
            return {name: values[name] for name in metric.score_names}
        values = metric.formula(self.total())
        return {name: values[name] * metric.factor for name in metric.score_names}

    @property
    def additive(self) -> Counts:
        """The rows whose sums `corpus_scores` takes: counts, or scores and a 1; shape (n_segments, n_columns)."""
        self.check_sums()
        pools = self.metric.combine == "pool"
        return self.statistics.values if pools else self.values_and_ones(self.metric.score_names)

    def values_and_ones(self, keys: Iterable[str] = ()) -> FloatArray:
        """Return `segment_values`, all or some, and a 1 that counts the segment: shape (n_segments, n_keys + 1)."""
        values = self.segment_values()
        columns = [values[key] for key in keys or values]
        return np.column_stack((*columns, np.ones(len(columns[0]))))

    def corpus_scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """Score weighted sums of `additive`, shape (..., n_columns), by key: shape (...,) each; before scaling."""
        metric = self.metric
        if metric.combine == "mean":
            return {name: sums[..., i] / sums[..., -1] for i, name in enumerate(metric.score_names)}
        scores = metric.formula(Rows(self.metric.counter.layout, sums))
        return {name: scores[name] for name in metric.score_names}

    def interval(self, key: str, bootstrap: BootstrapOptions) -> tuple[float, float]:
        """Return the bounds of the confidence interval of the score `key` of the corpus."""
        low, high = self._bounds(key, bootstrap)
        return low * self.metric.factor, high * self.metric.factor

    def _bounds(self, key: str, bootstrap: BootstrapOptions) -> list[float]:
        """Return the bounds of an interval before scaling."""
        metric, part = self.metric, self.metric.score_of(key).exp_of
        if metric.combine == "mean":
            return bootstrap_interval(self.additive, lambda sums: self.corpus_scores(sums)[key], bootstrap).tolist()
        self.check_sums()
        layout = self.metric.counter.layout
        found = bootstrap_interval(
            metric.resampled(self.statistics), lambda sums: metric.formula(Rows(layout, sums))[part or key], bootstrap
        )
        with np.errstate(over="ignore"):
            # exp is monotone, so percentiles stay percentiles; the logarithms are always finite.
            return (np.exp(found) if part else found).tolist()

    # ---- results

    def score(self, **reports: Any) -> dict[str, Any]:
        """Return the scores of the corpus by key."""
        return self.score_with(*self.read_reports(reports))

    def score_with(self, asked: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return the scores with what checked options of `score` add to them."""
        metric, factor = self.metric, self.metric.factor
        result = metric.presented(as_plain(metric.result(self, asked)), asked)
        if asked.has_additions:
            more = self._reported(asked, bootstrap)
            result |= more if factor == 1 else scaled(more, factor, metric.about.unscaled)
        return result

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return a result as a table; its notes name the model that made the rows."""
        found, model = self.metric.summary(result), self.identity().get("model")
        if model is None:
            return found
        *notes, last = found.notes or [""]
        return found._replace(notes=[*notes, f"{last}, model {model}".removeprefix(", ")])

    def read_reports(self, reports: Mapping[str, Any]) -> tuple[Any, BootstrapOptions]:
        """Check the options of `score`; refuse those that have no effect."""
        is_cached = not reports or may_be_cached(self.kind.reports_type, reports)
        read_once: Any = _read_reports if is_cached else _read_reports.__wrapped__
        found: tuple[Any, BootstrapOptions] = read_once(type(self), **reports)
        return found

    def _reported(self, asked: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return what the options of `score` add to the scores."""
        if bootstrap.confidence is not None:
            self.metric.refuse_interval(len(self), bootstrap.confidence)
        more: dict[str, Any] = {}
        if asked.per_segment:
            segments = self.metric.presented(as_plain(self._values_by(self.metric.segment_keys)), asked)
            more |= {f"segment_{name}": column for name, column in segments.items()}
        if asked.counts:
            more["counts"] = self.metric.counts(self.total())
        if asked.signature:
            more["signature"] = with_interval(self.signed(asked), bootstrap)
        if bootstrap.confidence is not None:
            more |= self._intervals(asked, bootstrap)
        return more

    def _intervals(self, asked: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return the bounds of the intervals, under their key of the result."""
        metric = self.metric
        if metric.combine == "pool":
            return {"confidence_interval": self._bounds(metric.headline, bootstrap)}
        values = self.segment_values()
        columns = np.column_stack([*values.values()])
        means = bootstrap_scores(
            columns, lambda sums: sums / len(columns), n_resamples=bootstrap.n_resamples, seed=bootstrap.seed
        )
        return {"confidence_intervals": self.intervals_of(means, [*values], bootstrap.confidence, asked)}

    def intervals_of(self, means: FloatArray, keys: list[str], confidence: Any, asked: Any) -> dict[str, Any]:
        """Return the percentile intervals of resampled means, shape (n_resamples, n_keys), as the result has them."""
        bounds = percentile_interval(means, confidence).tolist()
        return self.metric.presented(dict(zip(keys, bounds, strict=True)), asked)

    def check_sums(self, asked: Any = None) -> None:
        """Raise where the score of a corpus, with the reports `asked`, is no function of sums over its segments."""
        refusal = self.metric.sums(asked).refusal
        if refusal is not None:
            fail(ValueError, *refusal)

    def unsummed(self, asked: Any) -> tuple[str, str, str] | None:
        """Return what of the reports `asked` is no function of the sum over all segments, as for `fail`; or None."""
        if asked.counts and self.metric.combine == "mean":
            return "counts", f"False for a data set, since {self.metric.name} averages scores", "True"
        for name in asked.needs_segments():
            default = {one.name: one.default for one in options_of(self.kind.reports_type)}[name]
            ways = {"confidence": "`spark.score` takes it, and ", "per_segment": "`scorer` adds scores to rows; "}
            own = f"{ways.get(name, '')}{type(self).__name__} has them"
            allowed = f"{default!r} for a data set or Spark, which store no segments ({own})"
            return name, allowed, shown(getattr(asked, name))
        return self.metric.sums(asked).refusal

    def refuse_unsummed(self, asked: Any) -> None:
        """Raise if the requested score is not a function of the sum over all segments."""
        refusal = self.unsummed(asked)
        if refusal is not None:
            fail(ValueError, *refusal)


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
    takes = inspect.signature(metric.corpus_of)

    def update(self: _Kind, *columns: Any, **by_name: Any) -> _Kind:
        try:
            takes.bind(*columns, **by_name)
        except TypeError as error:
            # Python's own message would name `corpus_of`.
            raise TypeError(f"update() {error}") from None
        return Accumulator.update(self, *columns, **by_name)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    update.__signature__ = takes.replace(  # type: ignore[attr-defined]
        parameters=[own, *takes.parameters.values()], return_annotation=metric.accumulator
    )
    update.__doc__ = "Add segments; after an error the accumulator is unchanged."
    return update


def folded(batches: list[Rows]) -> list[Rows]:
    """Return the sum of all segments but the last, and the last, on which nltk's BLEU depends."""
    *others, last = batches
    total = sum(
        (batch.values.sum(axis=0, keepdims=True) for batch in others), last.values[:-1].sum(axis=0, keepdims=True)
    )
    return [Rows(last.layout, total), Rows(last.layout, last.values[-1:])]


def _batch_values(metric: Metric, batch: Rows, keys: tuple[str, ...]) -> dict[str, FloatArray]:
    values = metric.formula(batch)
    if keys:
        values = {name: values[name] for name in keys}
    if batch.per_segment is None or len(batch.values) == len(batch.per_segment):
        return values
    starts = offsets_of(batch.per_segment)[:-1]
    return {key: np.add.reduceat(value, starts) / batch.per_segment for key, value in values.items()}


def as_plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays as Python numbers and lists."""
    return {
        key: value if type(value) is float or not hasattr(value, "tolist") else value.tolist()
        for key, value in values.items()
    }


def _rows_per_segment(batch: Rows) -> IntArray:
    return np.ones(len(batch), np.int64) if batch.per_segment is None else batch.per_segment


@lru_cache(maxsize=64, typed=True)
def _read_reports(kind: type[Accumulator], /, **reports: Any) -> tuple[Any, BootstrapOptions]:
    asked = read(kind.kind.reports_type, reports, f"{kind.__name__}.score")
    refuse_idle(reports, asked.idle())
    return asked, interval_options(asked.confidence, asked.n_resamples, asked.seed)


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

    def counted(self, corpus: Corpus) -> Accumulator:
        """Return an accumulator with the segments of a corpus."""
        return self.empty.without_segments().update_corpus(corpus, keeps_segments=self.reports.keeps_segments)

    def score(self, *columns: Any, **by_name: Any) -> dict[str, Any]:
        """Score columns, those that the metric takes."""
        metric = self.empty.metric
        corpus = metric.corpus_of(*columns, **by_name)
        if metric.optional:
            metric.refuse_unused(corpus)
        return self.counted(corpus).score_with(self.reports, self.bootstrap)


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
    refuse_unknown(options, [*columns, *measure.kind.option_names()], owner)
    empty = measure(**{name: value for name, value in options.items() if name not in of_score})
    return Call(empty, *empty.read_reports({name: value for name, value in options.items() if name in of_score}))


@lru_cache(maxsize=128, typed=True)
def _read_once(measure: type[Accumulator], owner: str, columns: tuple[str, ...], /, **options: Any) -> Call:
    return _read(measure, owner, columns, options)


def one_call(scored: type[Accumulator] | type[Metric], example: str = "") -> Callable[..., dict[str, Any]]:
    """Return the function that scores a corpus in one call, with all options of a measure in its docstring.

    A metric has been registered. `example` replaces the example, two equal texts, of a measure that needs options.
    """
    measure = scored.accumulator if issubclass(scored, Metric) else scored
    name = measure.__name__

    def function(predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        return call_of(measure, name, options).score(predictions, references)

    both = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("predictions", "references")]
    kind = measure.kind
    function.__name__ = function.__qualname__ = kind.name
    function.__module__ = measure.__module__
    about, metric = kind.about, measure().metric
    keys, perfect = about.returns or f"``{kind.name}``", metric.score_of(metric.headline).perfect
    returns = textwrap.wrap(f"Python numbers by key: {keys}; and the additions that the options ask for.", 90)
    text = _ONE_CALL.format(
        title=about.title, kind=measure.__name__, returns="\n    ".join(returns),
        example=example or _EXAMPLE.format(
            name=kind.name, key=metric.headline, perfect=None if perfect is None else perfect * kind.scale
        ),
    )  # fmt: skip
    documented(function, text, kind.options_type, kind.reports_type, first=both)
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
