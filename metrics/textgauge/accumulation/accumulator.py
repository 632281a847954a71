"""The accumulator: texts are counted batch by batch, their rows added up and scored."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from .. import engine
from ..arrays import Counts, FloatArray, IntArray, offsets_of
from ..checks import Tally, fail, in_number, listed, refuse_without_effect, shown, warn_user, without_places
from ..input.columns import FEW, Corpus
from ..input.documents import OF_ROWS
from ..metric.inputs import refuse_unused
from ..metric.layout import Rows, over_references
from ..metric.metric import Metric, of_segments, selection_scores_of
from ..metric.scores import Scores, Summary, scaled
from ..options import documented, kinds_of, may_be_cached, options_of, read
from ..resampling import BootstrapOptions, interval_options, percentile_interval
from ..resampling.intervals import bootstrap_scores, width_of_alike, within_scale
from ..resampling.units import FEW_UNITS
from ..signatures import signature, with_interval
from ..sums import are_own_means, exact_means, exact_sums
from ..text import Normalizer, Tokenizer
from ..threads import threads_for

if TYPE_CHECKING:
    import pyarrow as pa


Identity = tuple[tuple[str, str], ...]
# The types of most values of results, which have no `tolist`.
_PLAIN = frozenset((float, int, list))
_Kind = TypeVar("_Kind", bound="Accumulator")
# The class of users that adds the rows of a metric up.
ACCUMULATORS: dict[type[Metric], type[Accumulator]] = {}


class Accumulator:
    """Counts texts batch by batch for a metric, stores the rows of the segments, never text, and scores their sum.

    The class of users, such as `Bleu`, is made from the metric by `accumulator_of`. One with methods of its own says
    which metric: ``class Perplexity(Accumulator, metric=PerplexityMetric)``.

    Attributes
    ----------
    metric : Metric
        With its options.
    n_summed : int
        Number of segments whose sum is stored; 0 if the rows of all segments are.
    """

    metric_type: ClassVar[type[Metric]]
    metric: Metric
    n_summed: int = 0
    _batches: list[Rows]
    _identities: frozenset[Identity] = frozenset()
    _n_references: frozenset[int] = frozenset()
    _means: dict[str, FloatArray] | None = None
    # The metric, the rows and the values of the formula of few segments, which a call asks for twice.
    _scored: tuple[Metric, Rows, dict[str, Any]] | None = None

    def __init_subclass__(cls, metric: type[Metric] | None = None, **kwargs: Any) -> None:
        """Document the options in the docstrings of the class and of `score`, and the columns in that of `update`."""
        super().__init_subclass__(**kwargs)
        if metric is None:
            return
        cls.metric_type = metric
        ACCUMULATORS[metric] = cls
        documented(cls, cls.__doc__ or "", metric.options_type)
        cls.score = _documented_score(metric)  # type: ignore[method-assign]
        if "update" not in cls.__dict__:
            cls.update = _documented_update(metric)  # type: ignore[method-assign]

    @without_places
    def __init__(self, *more: Any, **options: Any) -> None:
        """Check and store the options."""
        if more:
            names = [f"{option.name}=..." for option in options_of(self.metric_type.options_type)[:1]]
            allowed = f"options by name, as in {type(self).__name__}({', '.join(names)})"
            fail(TypeError, type(self).__name__, allowed, shown(more[0]))
        options_type = self.metric_type.options_type
        # A metric that loads a model is read each time: what the name of the model stands for may change.
        is_cached = may_be_cached(options_type, options) and "model" not in kinds_of(options_type).values()  # type: ignore[arg-type]
        once: Any = _read_metric if is_cached else _read_metric.__wrapped__
        self.metric = self._unfitted = once(self.metric_type, type(self).__name__, **options)
        self._given = options
        self._batches = []

    def __getstate__(self) -> dict[str, Any]:
        """Return the state with the metric as it was before it learned from the texts of a call, as every call does."""
        state = {**self.__dict__, "metric": self._unfitted}
        state.pop("_scored", None)
        return state

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle the class as that of its metric, since the class of a metric from outside has no name in a module."""
        if ACCUMULATORS.get(self.metric_type) is not type(self):
            return super().__reduce_ex__(protocol)
        return _without_state, (self.metric_type,), self.__getstate__()

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
        """Add segments of checked texts; without `keeps_segments`, store only the sum of rows that add up exactly."""
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
        """Return the metric for a corpus, and the columns that it reads; raise if rows may not be added."""
        inputs = self.metric.inputs
        if inputs.model is not None and len(corpus):
            corpus = corpus.only(inputs.used(corpus.given))
        metric, sums = self.metric.fitted(corpus), self.metric.sums
        is_new = self._identities and (*metric.identity.items(),) not in self._identities
        if is_new and sums.refusal is not None and not sums.mixes:
            fail(ValueError, *sums.refusal)
        return metric, corpus

    def _rows(self, corpus: Corpus, notes: Any, metric: Metric) -> Iterable[Rows]:
        if corpus.offsets is None and 0 < len(corpus.hypotheses) <= FEW and not metric.layout.has_trials:
            # A single chunk, whose pairs are its segments, without a generator: for every single pair.
            return (metric.rows(corpus, notes),)
        return self._rows_of_chunks(corpus, notes, metric)

    def _rows_of_chunks(self, corpus: Corpus, notes: Any, metric: Metric) -> Iterator[Rows]:
        layout = metric.layout
        if metric.inputs.at_once:
            chunks: Iterable[Corpus] = [corpus] if len(corpus) else []
        else:
            chunks = corpus.chunks(row_bytes=layout.row_bytes)
        for chunk in chunks:
            rows = metric.rows(chunk, notes)
            is_done = layout.references == "union" or (chunk.offsets is None and not layout.has_trials)
            yield rows if is_done else over_references(rows, chunk.reference_offsets, self._selection_scores)

    def _selection_scores(self, pairs: Rows) -> FloatArray:
        """Return the selection scores of pairs, for the main score or for every name along the rows."""
        names = pairs.layout.along or (self.metric.scores.headline,)
        return np.stack([selection_scores_of(self.metric, pairs, name) for name in names], axis=-1)

    def without_segments(self: _Kind) -> _Kind:
        """Return an accumulator with the same options and no segments."""
        # Faster than `copy.copy`, which counts for a single pair.
        empty = type(self).__new__(type(self))
        empty.metric = empty._unfitted = self._unfitted
        empty._given, empty._batches = self._given, []
        return empty

    def __repr__(self) -> str:
        options = [f"{name}={shown(value).rpartition(' (')[0]}" for name, value in self._given.items()]
        return f"<{type(self).__name__}({', '.join(options)}): {in_number(len(self), f'{len(self)} segment[|s]')}>"

    def __add__(self: _Kind, other: _Kind) -> _Kind:
        """Return an accumulator with the segments of both, which must have the same options."""
        if type(other) is not type(self):
            fail(TypeError, "other", f"another {type(self).__name__}", shown(other))
        if self.n_summed or other.n_summed:
            fail(ValueError, "other", "accumulators with their segments", "sums of segments")
        # What made the rows does not matter where there are none.
        are_counted = len(self) > 0 and len(other) > 0
        ours, theirs = (
            accumulator._settings() if are_counted else accumulator.metric.settings() for accumulator in (self, other)
        )
        for name in dict.fromkeys((*ours, *theirs)):
            mine, others = ours.get(name), theirs.get(name)
            if mine != others:
                if name in self._identity() and self.metric.sums.refusal is not None:
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
        """Return the settings in which accumulators must agree, with the identity of the rows unless it may differ."""
        if self.metric.sums.mixes:
            return self.metric.settings()
        return {**self.metric.settings(), **self._identity()}

    def to_arrow(self) -> pa.Table:
        """Return the statistics as a table, with a column per field and a row per segment.

        The schema stores the options, so that `from_arrow` refuses statistics of other options, and a checksum;
        a callable tokenizer is stored by its name only. Where the scores of several rows of a segment are
        averaged, the column ``segment`` numbers the segments. Without segments the table is empty.
        """
        from .storage import to_table

        rows = self.statistics if len(self) else None
        return to_table(self.metric, rows, provenance(self), type(self).__name__, self._given)

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
        empty = cls(**(options or stored.options(cls.metric_type.options_type)))
        replace_rows(empty, *stored.rows(empty.metric, options))
        return empty

    # ---- results

    def score(self, **reports: Any) -> dict[str, Any]:
        """Return the scores of the corpus by key."""
        return self._result(*read_reports(self, reports))

    def __len__(self) -> int:
        """Return the number of segments."""
        return self.n_summed or sum(map(len, self._batches))

    def __bool__(self) -> bool:
        return True

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
        if self.metric.layout.has_trials:
            per_segment = np.concatenate([_rows_per_segment(batch) for batch in batches])
        extras: list[Any] | None = [extra for batch in batches for extra in batch.extras or ()]
        if any(batch.extras is None for batch in batches):
            extras = None
        values = np.concatenate([batch.values for batch in batches])
        return Rows(batches[0].layout, values, per_segment, extras=extras)

    def _identity(self) -> dict[str, str]:
        """Return the models and data that made the rows, by key: "var" where segments differ."""
        if not self._identities:
            return {}
        identities = [dict(identity) for identity in sorted(self._identities)]
        common = [key for key in identities[0] if all(key in identity for identity in identities)]
        values = {key: {identity[key] for identity in identities} for key in common}
        return {key: "var" if len(differing) > 1 else differing.pop() for key, differing in values.items()}

    @property
    def signature(self) -> str:
        """What was computed, in one line of the form of sacreBLEU's signatures."""
        return self._signed()

    def _signed(self, reports: Any = None) -> str:
        """Return the signature, also of the options of `score`."""
        n_references = self._n_references if self.metric.inputs.has_references else None
        return signature(n_references, {**self.metric.signature_fields(reports), **self._identity()})

    # ---- scores

    def segment_values(self) -> dict[str, FloatArray]:
        """Return the scores of every segment before scaling, with their parts if the metric averages them.

        The scores are those of the metric `of_segments`, as every face shows: float64, shape (n_segments,) each.
        """
        values = self._values_by(() if self.metric.combine == "mean" else self.metric.scores.keys)
        # A formula may return columns of the rows themselves.
        return {key: value if value.flags.owndata else value.copy() for key, value in values.items()}

    def _plain_segments(self, keys: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return some values of the formula for every segment as lists of Python numbers; without keys all."""
        metric = of_segments(self.metric)
        values = self._of_only_row(metric)
        if values is not None:
            plain = as_plain({key: values[key] for key in keys} if keys else values)
            return {key: [value] for key, value in plain.items()}
        values = self._of_few_rows(metric)
        if values is None:
            return as_plain(self._values_by(keys))
        return as_plain({key: values[key] for key in keys} if keys else values)

    def _values_by(self, keys: tuple[str, ...]) -> dict[str, FloatArray]:
        """Return some values of the formula for every segment; without keys all."""
        metric = of_segments(self.metric)
        parts = [_batch_values(metric, batch, keys) for batch in self._some_batches]
        return parts[0] if len(parts) == 1 else {key: np.concatenate([p[key] for p in parts]) for key in parts[0]}

    def segment_columns(self) -> dict[str, FloatArray]:
        """Return the scores of every segment by key: float64, shape (n_segments,) each."""
        values = self.segment_values()
        return {name: values[name] * self.metric.scores.scale for name in self.metric.scores.keys}

    def total(self) -> Rows:
        """Return the row of the corpus: sums of all rows, rounded once, and what it has of the last segment."""
        batches = self._some_batches
        layout, last = batches[-1].layout, batches[-1].values[-1]
        if len(batches) == 1 and len(batches[0].values) == 1:
            return Rows(layout, last)
        if layout.dtype.kind != "i":
            values = self.statistics.values
            if self.metric.sums.add is not None:
                return layout.of_corpus(self.metric.sums.sums(values), last)
            is_exact = self.metric.sums.kind != "rounded"
            return layout.of_corpus(exact_sums(values) if is_exact else values.sum(axis=0), last)
        # Of many rows of few columns it takes a fraction of the time of `sum`, of few rows twice as much.
        sums = []
        for batch in batches:
            values = batch.values
            sums.append(np.einsum("ij->j", values) if len(values) > FEW else np.add.reduce(values))
        return layout.of_corpus(sums[0] if len(sums) == 1 else np.sum(sums, axis=0), last)

    def _of_only_row(self, metric: Metric) -> dict[str, Any] | None:
        """Return the values of the formula for the row of a single segment, found once; None if there are more."""
        batches = self._batches or self._some_batches
        if len(batches) > 1 or len(batches[0].values) > 1:
            return None
        only = batches[0]
        if self._scored is None or self._scored[0] is not metric or self._scored[1] is not only:
            self._scored = metric, only, metric.formula(Rows(only.layout, only.values[0]))
        return self._scored[2]

    def _of_few_rows(self, metric: Metric) -> dict[str, FloatArray] | None:
        """Return the values of the formula for a batch of a few segments, found once; None if there are more.

        They are not to be changed.
        """
        batches = self._batches
        if len(batches) != 1 or not 1 < len(batches[0].values) <= FEW:
            return None
        only = batches[0]
        if self._scored is None or self._scored[0] is not metric or self._scored[1] is not only:
            self._scored = metric, only, _batch_values(metric, only, ())
        return self._scored[2]

    def corpus_values(self, keys: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return the scaled scores of the corpus and their parts, by the keys of `Metric.formula`.

        Those of a metric that averages are the means of `segment_values`, all or those of some keys, rounded once
        unless the metric adds scores in an order of its own, see `Sums.add`.
        """
        scores = self.metric.scores
        if self.metric.combine == "pool":
            only = self._of_only_row(self.metric)
            values = self.metric.formula(self.total()) if only is None else {**only}
            return values if scores.scale == 1 else scaled(values, scores.scale, scores.unscaled)
        if self._means is not None:
            return self._means
        means = self._means_times(scores.scale, keys)
        counts = () if scores.scale == 1 else tuple(key for key in means if key in scores.unscaled)
        return {**means, **self._means_times(1.0, counts)} if counts else means

    def _means_times(self, factor: float, keys: tuple[str, ...]) -> dict[str, Any]:
        values = self._of_only_row(self.metric)
        if values is not None:
            # As the exact mean, never -0.0.
            means = {key: values[key] * factor + 0.0 for key in keys or values}
            if are_own_means(means.values()):
                return means
        batches, sums = self._some_batches, self.metric.sums
        first = self._of_few_rows(self.metric) or _batch_values(self.metric, batches[0], ())
        keys = keys or (*first,)

        def columns_of(batch: Rows) -> list[FloatArray]:
            values = _batch_values(self.metric, batch, keys)
            return [values[key] for key in keys]

        # Batch by batch: the scores of all segments would take several times the memory of their counts.
        parts = chain(([first[key] for key in keys],), map(columns_of, batches[1:]))
        if sums.add is None:
            of_keys = exact_means(parts, factor, threads_for(len(self), len(keys) * len(self)))
        else:
            of_keys = sums.means(np.concatenate([*map(np.transpose, parts)]), factor).tolist()
        return dict(zip(keys, of_keys, strict=True))

    def _bounds(self, keys: Sequence[str], bootstrap: BootstrapOptions) -> dict[str, list[float]]:
        """Return the bounds of the intervals of scores by key, before scaling, all from the same resamples."""
        metric = self.metric
        if metric.combine == "mean":
            columns = bootstrap.drawn(additive(self))
            scores: Callable[[FloatArray], dict[str, FloatArray]] = partial(corpus_scores, self)
        else:
            metric.sums.refuse_resamples()
            columns, scores = self._drawn_rows(bootstrap.drawn(self.statistics.values)), self._drawn_scores

        def stacked(sums: FloatArray) -> FloatArray:
            values = scores(sums)
            return np.stack([values[key] for key in keys], axis=-1)

        drawn = bootstrap_scores(columns, stacked, n_resamples=bootstrap.n_resamples, seed=bootstrap.seed)
        percentiles = percentile_interval(drawn, bootstrap.confidence or 0.0, len(columns))
        bounds = dict(zip(keys, self._ends(percentiles).tolist(), strict=True))
        return with_ends(bounds, metric.scores, len(columns), bootstrap)

    def _drawn_rows(self, rows: Counts) -> Counts:
        """Return the rows that the intervals of pooled scores resample, of the rows of segments or units."""
        return rows

    def _drawn_scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """Return the scores of resamples, by key, whose percentiles give the intervals of pooled scores."""
        return corpus_scores(self, sums)

    def _ends(self, percentiles: FloatArray) -> FloatArray:
        """Return the bounds of intervals, shape (n_keys, 2), of percentiles of `_drawn_scores`."""
        return percentiles

    # ---- results

    def _observed(self) -> dict[str, FloatArray]:
        metric = self.metric
        if metric.combine == "mean":
            values = self.corpus_values(metric.scores.keys)
            return {name: values[name] for name in metric.scores.keys}
        values = metric.formula(self.total())
        return {name: values[name] * metric.scores.scale for name in metric.scores.keys}

    def _result(self, reports: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        metric, factor = self.metric, self.metric.scores.scale
        result = metric.scores.shown(as_plain(metric.result(self, reports)), reports)
        if reports.has_additions:
            more = self._reported(reports, bootstrap)
            result |= more if factor == 1 else scaled(more, factor, metric.scores.unscaled)
        return result

    def _reported(self, reports: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return the additions of the options of `score`, by key."""
        if bootstrap.confidence is not None and len(self) < 2:
            allowed = "None for a single segment or group of texts, since an interval resamples them"
            fail(ValueError, "confidence", allowed, shown(bootstrap.confidence))
        more: dict[str, Any] = {}
        scores = self.metric.scores
        if reports.per_segment:
            keys = scores.of_segments(are_averaged=self.metric.combine == "mean")
            segments = scores.shown(self._plain_segments(keys), reports)
            more |= {f"segment_{name}": column for name, column in segments.items()}
        if reports.counts:
            more["counts"] = self.metric.layout.plain(self.total(), told=True)
        if reports.signature:
            more["signature"] = with_interval(self._signed(reports), bootstrap)
        if bootstrap.confidence is not None:
            more |= self._intervals(reports, bootstrap)
        return more

    def _intervals(self, reports: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return the bounds of the intervals as a part of the result."""
        metric = self.metric
        if metric.combine == "pool":
            bounds = self._bounds(metric.scores.keys, bootstrap)
            return by_headline(metric.scores, bounds)
        columns = bootstrap.drawn(values_and_ones(self))
        means = bootstrap_scores(
            columns,
            lambda sums: sums[..., :-1] / sums[..., -1:],
            n_resamples=bootstrap.n_resamples,
            seed=bootstrap.seed,
        )
        keys = [*self.segment_values()]
        return {"confidence_intervals": intervals_of(self, means, keys, len(columns), bootstrap, reports)}


# ---- for the rooms: what users of an accumulator do not need


def add_rows(accumulator: _Kind, rows: Rows, identity: Mapping[str, str]) -> _Kind:
    """Add the rows of segments that were counted elsewhere, such as probabilities; see `Metric.identity`."""
    if len(rows):
        accumulator._batches.append(rows)
        accumulator._identities |= {(*identity.items(),)}
    return accumulator


def in_documents(accumulator: _Kind) -> _Kind:
    """Return an empty accumulator that takes segments with their documents, see `InDocuments`.

    It is `accumulator` if the metric reads no segments before one.
    """
    option = accumulator.metric.inputs.context
    return type(accumulator)(**{**accumulator._given, option: OF_ROWS}) if option else accumulator


def rows_of(accumulator: Accumulator, corpus: Corpus, notes: Any) -> Iterator[Rows]:
    """Yield the rows of the segments of a corpus, chunk by chunk, without adding them."""
    metric, corpus = accumulator._fitted(corpus)
    return iter(accumulator._rows(corpus, notes, metric))


def with_metric(accumulator: _Kind, metric: Metric) -> _Kind:
    """Return an accumulator of these rows for the same metric with other options of its formula."""
    other = copy.copy(accumulator)
    other.metric = other._unfitted = metric
    return other


def provenance(accumulator: Accumulator) -> dict[str, Any]:
    """Return what is stored beside the rows: the numbers of references, and the identities of the rows."""
    return {"references": sorted(accumulator._n_references), "counters": sorted(accumulator._identities)}


def replace_rows(accumulator: Accumulator, rows: Rows | None, provenance: Mapping[str, Any] | None = None) -> None:
    """Replace the rows of all segments, and their provenance by a checked one, if given."""
    if provenance is not None:
        accumulator._n_references = frozenset(provenance["references"])
        accumulator._identities = frozenset(
            tuple((key, value) for key, value in identity) for identity in provenance["counters"]
        )
    accumulator._batches = [rows] if rows is not None and len(rows) else []


def observed_scores(accumulator: Accumulator) -> dict[str, FloatArray]:
    """Return the scaled scores of the corpus by key: shape () each."""
    return accumulator._observed()


def additive(accumulator: Accumulator) -> Counts:
    """Return the rows whose sums `corpus_scores` takes: counts, or scores and a 1; shape (n_segments, n_columns)."""
    accumulator.metric.sums.refuse_resamples()
    pools = accumulator.metric.combine == "pool"
    return accumulator.statistics.values if pools else values_and_ones(accumulator, accumulator.metric.scores.keys)


def values_and_ones(accumulator: Accumulator, keys: Iterable[str] = ()) -> FloatArray:
    """Return `segment_values`, all or some, and a 1 that counts the segment: shape (n_segments, n_keys + 1)."""
    values = accumulator.segment_values()
    columns = [values[key] for key in keys or values]
    return np.column_stack((*columns, np.ones(len(columns[0]))))


def corpus_scores(accumulator: Accumulator, sums: FloatArray) -> dict[str, FloatArray]:
    """Score weighted sums of `additive`, shape (..., n_columns), by key: shape (...,) each; before scaling."""
    metric = accumulator.metric
    if metric.combine == "mean":
        return {name: sums[..., i] / sums[..., -1] for i, name in enumerate(metric.scores.keys)}
    scores = metric.formula(Rows(accumulator.metric.layout, sums))
    return {name: scores[name] for name in metric.scores.keys}


def intervals_of(
    accumulator: Accumulator, means: FloatArray, keys: list[str], n: int, bootstrap: BootstrapOptions, reports: Any
) -> dict[str, Any]:
    """Return percentile intervals of means, shape (n_resamples, n_keys), in the form of the result.

    `n` is the number of segments or units that were drawn.
    """
    percentiles = percentile_interval(means, bootstrap.confidence or 0.0, n)
    every = zip(keys, percentiles.tolist(), strict=True)
    # Counts have none.
    bounds = {key: bound for key, bound in every if key not in accumulator.metric.scores.unscaled}
    return accumulator.metric.scores.shown(with_ends(bounds, accumulator.metric.scores, n, bootstrap), reports)


def shown_segments(accumulator: Accumulator) -> dict[str, FloatArray]:
    """Return `segment_columns`, where each must have a place on a page or in a ranking: a finite number."""
    columns = accumulator.segment_columns()
    for column in columns.values():
        wrong = np.flatnonzero(~np.isfinite(column))
        if len(wrong):
            allowed = "a text with tokens, none of probability 0, where segments are shown"
            fail(ValueError, f"predictions[{wrong[0]}]", allowed, f"{accumulator.metric.name} {column[wrong[0]]}")
    return columns


def read_reports(accumulator: Accumulator, reports: Mapping[str, Any]) -> tuple[Any, BootstrapOptions]:
    """Return the checked options of `score`; raise for an option without effect."""
    is_cached = not reports or may_be_cached(accumulator.metric_type.reports_type, reports)
    read_once: Any = _read_reports if is_cached else _read_reports.__wrapped__
    checked: tuple[Any, BootstrapOptions] = read_once(type(accumulator), **reports)
    return checked


def scored(accumulator: Accumulator, reports: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
    """Return the scores, and the additions of checked options of `score`."""
    return accumulator._result(reports, bootstrap)


def summary_of(accumulator: Accumulator, result: Mapping[str, Any]) -> Summary:
    """Return a result as a table; the lines below the table name the model that made the rows."""
    summary, model = accumulator.metric.summary(result), accumulator._identity().get("model")
    if model is None:
        return summary
    *lines, last = summary.below or [""]
    return summary._replace(below=[*lines, f"{last}, model {model}".removeprefix(", ")])


def warn_of_scores(accumulators: Iterable[Accumulator]) -> None:
    """Raise the warnings that the pooled scores of several corpora deserve, each once."""
    tally = Tally()
    with tally.collecting():
        for accumulator in accumulators:
            metric = accumulator.metric
            if metric.combine == "pool":
                metric.warn_of(accumulator, metric.formula(accumulator.total()))
    tally.warn()


def interval_of(accumulator: Accumulator, key: str, bootstrap: BootstrapOptions) -> tuple[float, float]:
    """Return the bounds of the confidence interval of the score `key` of the corpus."""
    low, high = accumulator._bounds((key,), bootstrap)[key]
    return low * accumulator.metric.scores.scale, high * accumulator.metric.scores.scale


def _without_state(metric: type[Metric]) -> Accumulator:
    accumulator = accumulator_of(metric)
    return accumulator.__new__(accumulator)


def accumulator_of(metric: type[Metric], base: type[Accumulator] = Accumulator) -> type[Accumulator]:
    """Return the accumulator class of a metric, which is made once.

    Its name is that of the metric without ``Metric``; its docstring is that of the metric, with the options.
    """
    if metric not in ACCUMULATORS:
        about, heading, example = inspect.cleandoc(metric.__doc__ or "").partition("Examples\n--------\n")
        is_lower = any(not score.higher_is_better for score in metric.scores if score.key == metric.scores.headline)
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

    def score(self: Accumulator, *texts: Any, **reports: Any) -> dict[str, Any]:
        if texts:
            call = f"{type(self).__name__}(...).update({', '.join(metric.inputs.needed)}).score()"
            fail(TypeError, metric.inputs.needed[0], f"the texts in `update`, as in {call}", shown(texts[0]))
        return self._result(*read_reports(self, reports))

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    documented(score, _SCORE, metric.reports_type, first=[own])
    return score


def _documented_update(metric: type[Metric]) -> Callable[..., Any]:
    """Return the method `update` with the columns of a metric in its signature."""
    takes = inspect.Signature(metric.inputs.parameters())
    names = {*takes.parameters}
    by_place = [name for name, one in takes.parameters.items() if one.kind is one.POSITIONAL_OR_KEYWORD]

    def update(self: _Kind, *columns: Any, **by_name: Any) -> _Kind:
        # `bind_partial` takes a third of the time of a call for one pair: it only finds what is wrong.
        if len(columns) > len(by_place) or not by_name.keys() <= names - {*by_place[: len(columns)]}:
            try:
                takes.bind_partial(*columns, **by_name)
            except TypeError as error:
                raise TypeError(f"update() {error}") from None
        return Accumulator.update(self, **dict(zip(by_place, columns, strict=False)), **by_name)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    update.__signature__ = takes.replace(  # type: ignore[attr-defined]
        parameters=[own, *takes.parameters.values()], return_annotation=accumulator_of(metric)
    )
    update.__doc__ = "Add segments; after an error the accumulator is unchanged."
    return update


@lru_cache(maxsize=64, typed=True)
def _read_metric(metric_type: type[Metric], owner: str, /, **options: Any) -> Metric:
    return metric_type(read(metric_type.options_type, options, owner))


@lru_cache(maxsize=64, typed=True)
def _read_reports(accumulator: type[Accumulator], /, **reports: Any) -> tuple[Any, BootstrapOptions]:
    checked = read(accumulator.metric_type.reports_type, reports, f"{accumulator.__name__}.score")
    refuse_without_effect(reports, checked.without_effect())
    return checked, interval_options(checked.confidence, checked.n_resamples, checked.seed, checked.unit)


def _shown_setting(value: Any) -> str:
    return repr(value.name) if isinstance(value, (Tokenizer, Normalizer)) else shown(value)


def folded(batches: list[Rows]) -> list[Rows]:
    """Return the row of the corpus, as a batch of its own."""
    last = batches[-1]
    total = np.sum([batch.values.sum(axis=0, keepdims=True) for batch in batches], axis=0)
    return [last.layout.of_corpus(total, last.values[-1:])]


def _batch_values(metric: Metric, batch: Rows, keys: tuple[str, ...]) -> dict[str, FloatArray]:
    values = metric.formula(batch)
    if keys:
        values = {name: values[name] for name in keys}
    if batch.per_segment is None or len(batch.values) == len(batch.per_segment):
        return values
    starts = offsets_of(batch.per_segment)[:-1]
    return {key: np.add.reduceat(value, starts) / batch.per_segment for key, value in values.items()}


def by_headline(scores: Scores, bounds: dict[str, Any]) -> dict[str, Any]:
    """Return the intervals of pooled scores as parts of the result: one of the main score, and all by key."""
    return {"confidence_interval": bounds[scores.headline], "confidence_intervals": bounds}


def with_ends(
    bounds: Mapping[str, list[float]], scores: Scores, n: int, bootstrap: BootstrapOptions
) -> dict[str, list[float]]:
    """Return intervals, before scaling, where those without width are honest: `n` segments or units were drawn.

    A share of right answers that is 0 or 1 gets the interval of `width_of_alike`; of others a warning says that they
    show nothing.
    """
    widened, alike = dict(bounds), []
    for score in scores:
        low, high = widened.get(score.key, (0.0, 1.0))
        if n < FEW_UNITS and score.key in widened:
            low, high = widened[score.key] = within_scale(low, high, score.least, score.largest)
        if low != high:
            continue
        if score.is_binary and low in (0.0, score.largest):
            width = score.largest * width_of_alike(n, bootstrap.confidence or 0.0)
            widened[score.key] = [0.0, width] if low == 0 else [score.largest - width, score.largest]
        else:
            alike.append(score.key)
    if alike:
        warn_user(
            f"the {in_number(len(alike), 'interval[|s]')} of {listed(alike)} {in_number(len(alike), '[has|have]')} no "
            "width, since all draws score alike: that shows nothing about other texts."
        )
    return widened


def as_plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays as Python numbers and lists."""
    if _PLAIN.issuperset(map(type, values.values())):
        return dict(values)
    return {
        key: value if type(value) in _PLAIN or not hasattr(value, "tolist") else value.tolist()
        for key, value in values.items()
    }


def _rows_per_segment(batch: Rows) -> IntArray:
    return np.ones(len(batch), np.int64) if batch.per_segment is None else batch.per_segment
