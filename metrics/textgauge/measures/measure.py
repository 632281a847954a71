"""A metric as an accumulator: options, rows of counts per segment, scores of sums of rows."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .. import engine
from ..arrays import Counts, FloatArray, IntArray, offsets_of
from ..checks import fail, in_number, refuse_idle, shown
from ..columns import Corpus
from ..options import may_be_cached, options_of, read, shown_in_help
from ..resampling import BootstrapOptions, bootstrap_interval, interval_options, percentile_interval
from ..resampling.intervals import bootstrap_scores
from ..scores.exact_sums import exact_means, exact_sums
from ..signatures import resampled, signature
from ..text import Normalizer, Tokenizer
from ..text.tokenizers import text_lengths
from .layout import Rows
from .metric import Metric
from .references import best_pairs, over_references
from .summary import scaled

if TYPE_CHECKING:
    import pyarrow as pa


_Kind = TypeVar("_Kind", bound="Measure")


class Measure(Metric):
    """An accumulator of rows of numbers per segment, never text: everything that follows from a metric."""

    # Of how many segments its rows are the sum; 0: it has them itself.
    n_summed: int = 0

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Document the options in the docstrings of the class and of its `score`."""
        super().__init_subclass__(**kwargs)
        if "options_type" in cls.__dict__:
            shown_in_help(cls, cls.options_type, cls.reports_type)

    def __init__(self, **options: Any) -> None:
        """Check and store the options."""
        self.options = read(self.options_type, options, type(self).__name__)
        self._given = options
        self._batches: list[Rows] = []
        self._n_references: frozenset[int] = frozenset()
        self._means: dict[str, FloatArray] | None = None
        self.setup()

    def update(self: _Kind, predictions: Any, references: Any) -> _Kind:
        """Add segments; after an error the accumulator is unchanged."""
        return self.update_corpus(self.corpus_of(predictions, references))

    def update_corpus(self: _Kind, corpus: Corpus, *, keeps_segments: bool = True) -> _Kind:
        """Add segments of checked texts; without `keeps_segments`, keep only their sum if rows add up exactly."""
        if engine.must_warn:
            engine.warn_if_plain()
        notes = self.notes()
        self.prepare(corpus)
        keeps_segments = keeps_segments or self.average or self.layout.dtype.kind != "i"
        batches: list[Rows] = []
        for chunk in corpus.chunks(row_bytes=self.layout.n_columns * self.layout.dtype.itemsize):
            batches.append(self.rows_of(chunk, notes))
            if len(batches) > 1 and not keeps_segments:
                batches = folded(batches)
        self._batches += batches
        self._n_references |= corpus.n_references if self.has_references else frozenset()
        notes.warn()
        return self

    def rows_of(self, corpus: Corpus, notes: Any) -> Rows:
        """Return the rows of the segments of a chunk."""
        pairs = self.pairs(corpus, notes)
        if self.references.rule == "union":
            return pairs
        return over_references(pairs, corpus.reference_offsets, self.references, self._merits)

    def best_pairs(self, pairs: Corpus, offsets: IntArray, key: str) -> IntArray:
        """Return the pair that every segment is scored with under "best", for a score.

        Parameters
        ----------
        pairs : Corpus
            One segment per pair.
        offsets : int64, shape (n_segments + 1,)
            The pairs of every segment.

        Returns
        -------
        int64, shape (n_segments,)
        """
        chosen = best_pairs(self.pairs(pairs, self.notes()), offsets, self._merits)
        along = self.layout.along
        return chosen[:, along.index(key) if key in along else 0]

    def _merits(self, pairs: Rows) -> FloatArray:
        """Return what makes a pair the best: its score, or its score under every name."""
        scores = self.scores(pairs)
        names = pairs.layout.along or (self.headline,)
        merits = np.stack([scores[name] for name in names], axis=-1)
        return merits if self.about.higher_is_better else -merits

    def without_segments(self: _Kind) -> _Kind:
        """Return an accumulator with the same options and no segments."""
        # A third of the time of `copy.copy`, which counts for a single pair.
        empty = type(self).__new__(type(self))
        empty.__dict__.update(self.__dict__, _batches=[], _n_references=frozenset(), _means=None)
        return empty

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
        return batches[0] if len(batches) == 1 else self._joined(batches)

    def _joined(self, batches: list[Rows]) -> Rows:
        per_segment = None
        if self.references.has_trials:
            per_segment = np.concatenate([_rows_per_segment(batch) for batch in batches])
        return Rows(self.layout, np.concatenate([batch.values for batch in batches]), per_segment)

    def __add__(self: _Kind, other: _Kind) -> _Kind:
        """Return an accumulator with the segments of both, which must have the same options."""
        if type(other) is not type(self):
            fail(TypeError, "other", f"another {type(self).__name__}", shown(other))
        ours, theirs = self.settings(), other.settings()
        for name, value in ours.items():
            if value != theirs[name]:
                left, right = _shown_setting(value), _shown_setting(theirs[name])
                fail(ValueError, "other", f"the same {name}, {left}", f"another {right}" if left == right else right)
        merged = copy.copy(self)
        merged._batches = self._batches + other._batches
        merged._n_references = self._n_references | other._n_references
        return merged

    def __radd__(self: _Kind, other: Any) -> _Kind:
        """Support `sum`, which starts with 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores: two accumulators must agree in these to be added."""
        chosen = self.options.chosen()
        if self.tokenizer is None:
            return chosen
        # Last, since options such as stop words are part of it, and messages should name these first.
        return {**{name: value for name, value in chosen.items() if name != "tokenizer"}, "tokenizer": self.tokenizer}

    @property
    def signature(self) -> str:
        """What was computed, in one line of the form of sacreBLEU's signatures."""
        return signature(self._n_references if self.has_references else None, self.described())

    def signed(self, bootstrap: BootstrapOptions) -> str:
        """Return the signature of a result: with its resamples, if it has an interval."""
        if bootstrap.confidence is None:
            return self.signature
        return resampled(self.signature, bootstrap.n_resamples, bootstrap.seed)

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

    def stored_options(self) -> dict[str, str]:
        """Return the description of the options that a stored table has, compared when it is read."""
        return self.described()

    def origin(self) -> list[Any]:
        """Return what else is stored about the segments: their numbers of references."""
        return sorted(self._n_references)

    def take_origin(self, origin: list[Any]) -> bool:
        """Set the result of `origin`; return whether it is valid."""
        self._n_references = frozenset(origin)
        return all(type(n) is int and n > 0 for n in origin)

    def take_rows(self, rows: Rows) -> None:
        """Replace the segments by these rows."""
        self._batches = [rows]

    # ---- scores

    def segment_values(self) -> dict[str, FloatArray]:
        """Return the scores of every segment before scaling, with their parts if the metric averages them.

        They are those of `for_segments`, which every face shows: float64, shape (n_segments,) each.
        """
        metric = self.for_segments()
        parts = [self._batch_values(batch, metric) for batch in self._some_batches]
        return parts[0] if len(parts) == 1 else {key: np.concatenate([p[key] for p in parts]) for key in parts[0]}

    def _batch_values(self, batch: Rows, metric: Metric) -> dict[str, FloatArray]:
        values = metric.scores(batch)
        if not self.average:
            values = {name: values[name] for name in self.score_names}
        if batch.per_segment is None or len(batch.values) == len(batch.per_segment):
            return values
        starts = offsets_of(batch.per_segment)[:-1]
        return {key: np.add.reduceat(value, starts) / batch.per_segment for key, value in values.items()}

    def segment_columns(self) -> dict[str, FloatArray]:
        """Return the scores of every segment by key: float64, shape (n_segments,) each."""
        values = self.segment_values()
        return {name: values[name] * self.scale for name in self.score_names}

    def shown_segments(self) -> dict[str, FloatArray]:
        """Return `segment_columns`, where each of them must have a place on a page or in a ranking."""
        return self.segment_columns()

    @property
    def segments_note(self) -> str:
        """How the score of a segment differs from that of a corpus of it; empty if it does not."""
        return "" if self.for_segments() is self else self.about.segments

    def total(self) -> Rows:
        """Return the sum of all rows, rounded once, and the last of them."""
        batches = self._some_batches
        last = Rows(self.layout, batches[-1].values[-1])
        if len(batches) == 1 and len(batches[0].values) == 1:
            return Rows(self.layout, batches[0].values[0], last=last)
        if self.layout.dtype.kind != "i":
            return Rows(self.layout, exact_sums(self.statistics.values), last=last)
        sums = [np.add.reduce(batch.values, axis=0) for batch in batches]
        return Rows(self.layout, sums[0] if len(sums) == 1 else np.sum(sums, axis=0), last=last)

    def mean_values(self, keys: Sequence[str] = ()) -> dict[str, FloatArray]:
        """Return the means of `segment_values`, all or those of some keys, exact before one rounding: shape () each."""
        if self._means is not None:
            return self._means
        # Batch by batch: the scores of all segments would take several times the memory of their counts.
        columns = []
        for batch in self._some_batches:
            values = self._batch_values(batch, self)
            keys = keys or [*values]
            columns.append(np.array([values[key] for key in keys]).T)
        return dict(zip(keys, exact_means(columns), strict=True))

    def _values(self, asked: Any) -> dict[str, Any]:
        return self.mean_values() if self.average else self.corpus_scores_of(self.total(), asked)

    def observed_scores(self) -> dict[str, FloatArray]:
        """Return the scores of the corpus by key, before scaling: shape () each."""
        values = self.mean_values(self.score_names) if self.average else self.scores(self.total())
        return {name: values[name] for name in self.score_names}

    @property
    def additive(self) -> Counts:
        """The rows whose sums `corpus_scores` takes: counts, or scores and a 1; shape (n_segments, n_columns)."""
        self.check_sums()
        if not self.average:
            return self.statistics.values
        values = self.segment_values()
        columns = [values[name] for name in self.score_names]
        return np.column_stack((*columns, np.ones(len(columns[0]))))

    def corpus_scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """Score weighted sums of `additive`, shape (..., n_columns), by key: shape (...,) each; before scaling."""
        if self.average:
            return {name: sums[..., i] / sums[..., -1] for i, name in enumerate(self.score_names)}
        scores = self.scores(Rows(self.layout, sums))
        return {name: scores[name] for name in self.score_names}

    def interval(self, key: str, bootstrap: BootstrapOptions) -> tuple[float, float]:
        """Return the bounds of the confidence interval of the score `key` of the corpus."""
        low, high = bootstrap_interval(self.additive, lambda sums: self.corpus_scores(sums)[key], bootstrap).tolist()
        return low * self.scale, high * self.scale

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of tokens, or characters, of every prediction and of every counted reference."""
        texts, tokenizer = self.as_cut(corpus)
        chunks = [text_lengths(tokenizer.cut(chunk)) for chunk in texts.chunks()]
        hypotheses, references = (np.concatenate(sides) for sides in zip(*chunks, strict=True))
        return hypotheses, references

    # ---- results

    def score(self, **reports: Any) -> dict[str, Any]:
        """Return the scores of the corpus by key."""
        asked, bootstrap = self.read_reports(reports)
        result = self.presented(as_plain(self._values(asked)), asked)
        if reports:
            result |= self._reported(asked, bootstrap)
        return result if self.scale == 1 else scaled(result, self.scale, self.about.unscaled)

    def read_reports(self, reports: Mapping[str, Any]) -> tuple[Any, BootstrapOptions]:
        """Check the options of `score`; refuse those that have no effect."""
        is_cached = not reports or may_be_cached(self.reports_type, reports)
        return (_read_reports if is_cached else _read_reports.__wrapped__)(type(self), **reports)

    def _reported(self, asked: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return what the options of `score` add to the scores."""
        more: dict[str, Any] = {}
        if asked.per_segment:
            segments = self.presented(as_plain(self.segment_values()), asked)
            more |= {f"segment_{name}": column for name, column in segments.items()}
        if asked.counts:
            more["counts"] = self.counts_of(self.total())
        if asked.signature:
            more["signature"] = self.signed(bootstrap)
        if bootstrap.confidence is not None:
            more |= self._intervals(asked, bootstrap)
        return more

    def _intervals(self, asked: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return the bounds of the intervals, under their key of the result."""
        if not self.average:
            bounds = bootstrap_interval(self.additive, lambda sums: self.corpus_scores(sums)[self.headline], bootstrap)
            return {"confidence_interval": bounds.tolist()}
        values = self.segment_values()
        columns = np.column_stack([*values.values()])
        means = bootstrap_scores(
            columns, lambda sums: sums / len(columns), n_resamples=bootstrap.n_resamples, seed=bootstrap.seed
        )
        return {"confidence_intervals": self.intervals_of(means, [*values], bootstrap.confidence, asked)}

    def intervals_of(self, means: FloatArray, keys: list[str], confidence: Any, asked: Any) -> dict[str, Any]:
        """Return the percentile intervals of resampled means, shape (n_resamples, n_keys), as the result has them."""
        bounds = percentile_interval(means, confidence).tolist()
        return self.presented(dict(zip(keys, bounds, strict=True)), asked)

    @classmethod
    def idle(cls, given: Mapping[str, Any]) -> dict[str, str]:
        """Return the given options of `score` that have no effect, and what they need."""
        return cls.reports_type(**_reports_in(cls, given)).idle()

    @classmethod
    def option_names(cls) -> list[str]:
        """Return the names of its options, then of the options of its `score`."""
        return [one.name for kind in (cls.options_type, cls.reports_type) for one in options_of(kind)]

    def refuse_unsummed(self, asked: Any) -> None:
        """Raise if the requested score is not a function of the sum over all segments."""
        if asked.counts and self.average:
            fail(ValueError, "counts", f"False for a data set, since {self.name} averages scores", "True")
        for name in asked.needs_segments():
            allowed = "its default for a data set or Spark, which store no segments"
            fail(ValueError, name, allowed, f"another value; use {type(self).__name__}")
        self.check_sums(asked)


def folded(batches: list[Rows]) -> list[Rows]:
    """Return the sum of all segments but the last, and the last, on which nltk's BLEU depends."""
    *others, last = batches
    total = sum(
        (batch.values.sum(axis=0, keepdims=True) for batch in others), last.values[:-1].sum(axis=0, keepdims=True)
    )
    return [Rows(last.layout, total), Rows(last.layout, last.values[-1:])]


def as_plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays as Python numbers and lists."""
    return {key: value.tolist() for key, value in values.items()}


def _rows_per_segment(batch: Rows) -> IntArray:
    return np.ones(len(batch), np.int64) if batch.per_segment is None else batch.per_segment


def _reports_in(measure: type[Measure], given: Mapping[str, Any]) -> dict[str, Any]:
    return {one.name: given[one.name] for one in options_of(measure.reports_type) if one.name in given}


@lru_cache(maxsize=64, typed=True)
def _read_reports(measure: type[Measure], /, **reports: Any) -> tuple[Any, BootstrapOptions]:
    asked = read(measure.reports_type, reports, f"{measure.__name__}.score")
    refuse_idle(reports, asked.idle())
    return asked, interval_options(asked.confidence, asked.n_resamples, asked.seed)


def _shown_setting(value: Any) -> str:
    return repr(value.name) if isinstance(value, (Tokenizer, Normalizer)) else shown(value)
