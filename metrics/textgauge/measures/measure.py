"""A metric as an accumulator: options, rows of counts per segment, scores of sums of rows."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from .. import engine
from ..arrays import Counts, FloatArray, IntArray, offsets_of
from ..checks import fail, refuse_idle, shown
from ..columns import Corpus
from ..options import options_of, read, shown_in_help
from ..resampling import BootstrapOptions, bootstrap_interval, interval_options, mean_intervals
from ..scores.exact_sums import exact_means, exact_sums
from ..signatures import reference_counts, signature
from ..text import Normalizer, Tokenizer
from ..text.tokenizers import text_lengths
from .contract import Contract, Rows

if TYPE_CHECKING:
    import pyarrow as pa


_Kind = TypeVar("_Kind", bound="Measure")


class Measure(Contract):
    """An accumulator of rows of numbers per segment, never text: everything that follows from a contract."""

    # Whether its one row is the sum over segments.
    is_sum: bool = False

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
        self._means: FloatArray | None = None
        self._prepare()

    def _prepare(self) -> None:  # noqa: B027
        """Make the tokenizers for the options."""

    def update(self: _Kind, predictions: Any, references: Any) -> _Kind:
        """Add segments; after an error the accumulator is unchanged."""
        return self.update_corpus(self.corpus_of(predictions, references))

    def update_corpus(self: _Kind, corpus: Corpus, *, keeps_segments: bool = True) -> _Kind:
        """Add segments of checked texts; without `keeps_segments`, keep only their sum if rows add up exactly."""
        engine.warn_if_plain()
        notes, zeros = self.notes(), self.zero_row
        has_sums = self.is_pooled and zeros.dtype.kind == "i" and not keeps_segments
        batches: list[Rows] = []
        for chunk in corpus.chunks(row_bytes=zeros.nbytes):
            batches.append(self.count(chunk, notes))
            if has_sums and len(batches) > 1:
                batches = summed_rows(batches)
        self._batches += batches
        self._n_references |= reference_counts(corpus.reference_offsets)
        notes.warn()
        return self

    def without_segments(self: _Kind) -> _Kind:
        """Return an accumulator with the same options and no segments."""
        # `copy.copy` takes 2.8 us, this 0.8 us, of 11 us for a pair.
        empty = type(self).__new__(type(self))
        empty.__dict__.update(self.__dict__, _batches=[], _n_references=frozenset(), _means=None)
        return empty

    def __len__(self) -> int:
        """Return the number of segments."""
        return sum(map(len, self._batches))

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        given = [f"{name}={shown(value).rpartition(' (')[0]}" for name, value in self._given.items()]
        return f"<{type(self).__name__}({', '.join(given)}): {len(self)} segment{'s' * (len(self) != 1)}>"

    @property
    def _some_batches(self) -> list[Rows]:
        if not self._batches:
            fail(ValueError, "predictions", "at least one segment", "none")
        return self._batches

    @property
    def statistics(self) -> Any:
        """The additive rows of all segments, in order; the docstring of the class describes a row."""
        batches = self._some_batches
        return batches[0].values if len(batches) == 1 else np.concatenate([batch.values for batch in batches])

    @property
    def rows_per_segment(self) -> IntArray:
        """The number of rows of `statistics` of each segment: int64, shape (n_segments,)."""
        counts = [np.ones(len(b), np.int64) if b.per_segment is None else b.per_segment for b in self._batches]
        return np.concatenate([np.zeros(0, np.int64), *counts])

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

    @property
    def signature(self) -> str:
        """What was computed, in one line of the form of sacreBLEU's signatures."""
        return signature(self._n_references if self.is_paired else None, self.described())

    def to_arrow(self) -> pa.Table:
        """Return the statistics as a table with one column, `statistics`, and one row per segment.

        The schema stores the options, so that `from_arrow` refuses statistics of other options;
        a callable tokenizer is stored by its name only. Without segments the table is empty.
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
            If it was counted by another accumulator or with other options, or has impossible counts.
        """
        from .storage import from_table

        return from_table(cls, table, options)

    # The name of `origin` in the schema of a stored table.
    origin_name: ClassVar[str] = "references"

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

    @property
    def has_trials(self) -> bool:
        """Whether a segment may have several rows, whose scores are averaged."""
        return False

    def take_rows(self, rows: Counts, per_segment: IntArray | None = None) -> None:
        """Replace the segments by these rows."""
        self._batches = [Rows(rows, per_segment)]

    # ---- scores

    def _batch_scores(self, batch: Rows) -> FloatArray:
        """Score every segment of a batch: shape (n_segments, n_names, ...)."""
        scores = self.scores(batch.values)
        if batch.per_segment is None or len(scores) == len(batch.per_segment):
            return scores
        n_rows = batch.per_segment.reshape(-1, *[1] * (scores.ndim - 1))
        return np.asarray(np.add.reduceat(scores, offsets_of(batch.per_segment)[:-1]) / n_rows)

    def segment_scores(self) -> FloatArray:
        """Return all scores of every segment: shape (n_segments, n_names) or (n_segments, n_names, n_parts).

        The parts are precision, recall and F.
        """
        return np.concatenate([self._batch_scores(batch) for batch in self._some_batches])

    def segment_columns(self) -> dict[str, FloatArray]:
        """Return the scores of every segment by key: float64, shape (n_segments,) each."""
        return self._columns(self.segment_scores())

    def displayed_segments(self) -> dict[str, FloatArray]:
        """Return the scores by which pages show and sort segments; see `displayed_as`."""
        return self.segment_columns()

    @property
    def displayed_as(self) -> str:
        """How `displayed_segments` differs from `segment_columns`, as a sentence; empty if it does not."""
        return ""

    def _columns(self, scores: FloatArray) -> dict[str, FloatArray]:
        last = scores[..., -1] if self._parts > 1 else scores
        return {name: last[..., i] for i, name in enumerate(self.score_names)}

    def total(self) -> Counts:
        """Return the sum of all rows, rounded once: shape `axes`."""
        batches = self._some_batches
        if self.zero_row.dtype.kind == "i":
            return np.sum([exact_sums(batch.values) for batch in batches], axis=0)
        return exact_sums(self.statistics)

    def mean_scores(self) -> FloatArray:
        """Return the mean of `segment_scores`, exact before one rounding: shape (n_names, ...)."""
        # Batch by batch: the scores of all segments would take several times the memory of their counts.
        return exact_means(map(self._batch_scores, self._some_batches)) if self._means is None else self._means

    def observed_scores(self) -> dict[str, FloatArray]:
        """Return the scores of the corpus by key, as in `score`: shape () each."""
        return self._columns(self.scores(self.total()) if self.is_pooled else self.mean_scores())

    @property
    def additive(self) -> FloatArray:
        """The rows whose sums `corpus_scores` takes: counts, or scores and a 1; shape (n_segments, n_columns)."""
        self.check_summable()
        if self.is_pooled:
            rows = self.statistics.astype(np.float64)
            return np.asarray(rows.reshape(len(rows), -1))
        columns = [*self.segment_columns().values()]
        return np.column_stack((*columns, np.ones(len(columns[0]))))

    def corpus_scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """Score weighted sums of `additive`, shape (..., n_columns), by key: shape (...,) each."""
        if self.is_pooled:
            return self._columns(self.scores(sums.reshape(*sums.shape[:-1], *self.zero_row.shape)))
        return {name: sums[..., i] / sums[..., -1] for i, name in enumerate(self.score_names)}

    def interval(self, key: str, bootstrap: BootstrapOptions) -> tuple[float, float]:
        """Return the bounds of the confidence interval of the score `key` of the corpus."""
        low, high = bootstrap_interval(self.additive, lambda sums: self.corpus_scores(sums)[key], bootstrap)
        return float(low), float(high)

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of tokens, or characters, of every prediction and of every counted reference."""
        texts, tokenizer = self.as_cut(corpus)
        chunks = [text_lengths(tokenizer.cut(chunk)) for chunk in texts.chunks()]
        hypotheses, references = (np.concatenate(sides) for sides in zip(*chunks, strict=True))
        return hypotheses, references

    # ---- results

    def score(self, **reports: Any) -> dict[str, Any]:
        """Return the scores of the corpus by key."""
        asked, bootstrap = self._asked(reports)
        result = self._result(asked)
        return result if not reports else result | self._reported(asked, bootstrap)

    def _asked(self, reports: Mapping[str, Any]) -> tuple[Any, BootstrapOptions]:
        """Check the options of `score`; refuse those that have no effect."""
        if not reports:
            return _no_reports(self.reports_type)  # type: ignore[arg-type]
        asked = read(self.reports_type, reports, f"{type(self).__name__}.score")
        refuse_idle(reports, asked.idle())
        return asked, interval_options(asked.confidence, asked.n_resamples, asked.seed)

    def _result(self, asked: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return the scores of the corpus as Python numbers."""
        return {name: value.item() for name, value in self.observed_scores().items()}

    def _reported(self, asked: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return what the options of `score` add to the scores."""
        more: dict[str, Any] = {}
        if asked.per_segment:
            more |= {f"segment_{name}": column for name, column in self._segments_by_name(asked).items()}
        if asked.counts:
            more["counts"] = self.counts()
        if asked.signature:
            more["signature"] = self.signature
        if bootstrap.confidence is not None:
            more |= self._intervals(asked, bootstrap)
        return more

    def _segments_by_name(self, asked: Any) -> dict[str, Any]:
        return self.by_name(np.moveaxis(self.segment_scores(), 0, -1).tolist(), asked)

    def by_name(self, values: Any, asked: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return values in the order of the scores, by the names of the scores."""
        return dict(zip(self.score_names, values, strict=True))

    def _intervals(self, asked: Any, bootstrap: BootstrapOptions) -> dict[str, Any]:
        """Return the bounds of the intervals, under their key of the result."""
        if not self.is_pooled:
            intervals = mean_intervals(self.segment_scores(), bootstrap)
            return {"confidence_intervals": self.by_name(intervals.tolist(), asked)}
        return {"confidence_interval": [*self.interval(self.headline or self.name, bootstrap)]}

    @classmethod
    def idle(cls, given: Mapping[str, Any]) -> dict[str, str]:
        """Return the given options of `score` that have no effect, and what they need."""
        return cls.reports_type(**_reports_in(cls, given)).idle()

    @classmethod
    def option_names(cls) -> list[str]:
        """Return the names of its options, then of the options of its `score`."""
        return [one.name for kind in (cls.options_type, cls.reports_type) for one in options_of(kind)]


def summed_rows(batches: list[Rows]) -> list[Rows]:
    """Return the sum of all segments but the last, and the last, on which nltk's BLEU depends."""
    *others, last = batches
    total = sum(
        (batch.values.sum(axis=0, keepdims=True) for batch in others), last.values[:-1].sum(axis=0, keepdims=True)
    )
    return [Rows(total), Rows(last.values[-1:])]


def _reports_in(measure: type[Measure], given: Mapping[str, Any]) -> dict[str, Any]:
    return {one.name: given[one.name] for one in options_of(measure.reports_type) if one.name in given}


@lru_cache(maxsize=16)
def _no_reports(kind: type) -> tuple[Any, BootstrapOptions]:
    return kind(), BootstrapOptions()


def with_tokenizer(settings: dict[str, Any], tokenizer: Tokenizer) -> dict[str, Any]:
    """Replace the name of a tokenizer by the tokenizer, last: messages name the options it depends on first."""
    return {**{name: value for name, value in settings.items() if name != "tokenizer"}, "tokenizer": tokenizer}


def _shown_setting(value: Any) -> str:
    if isinstance(value, (Tokenizer, Normalizer)):
        return f"{value.name!r}"
    return shown(value)
