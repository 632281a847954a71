"""Scores from sums over a corpus: exact in any order and for any number of parts, in constant memory."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from ..checks import fail, shown
from ..input.columns import Corpus
from ..metric.layout import Refusal, Rows
from ..metric.metric import Metric
from ..metric.scores import scaled
from ..options import options_of
from ..resampling import BootstrapOptions, percentile_interval
from ..sums import carried, digits_of, from_digits, rounded, scaled_means
from .accumulator import (
    Accumulator,
    Identity,
    additive,
    by_headline,
    corpus_scores,
    folded,
    intervals_of,
    replace_rows,
    values_and_ones,
    with_ends,
)


def summands(accumulator: Accumulator) -> FloatArray:
    """Return the additive rows of a corpus, each with a 1 that counts its segment.

    Returns
    -------
    float64, shape (n_segments, n_columns + 1)
        Counts of a metric that pools them; scores of the segments for a metric that averages.

    Raises
    ------
    ValueError
        For options whose score is not a function of sums.
    """
    metric = accumulator.metric
    if metric.sums.kind == "rounded":
        fail(ValueError, "metric", "a metric whose sums are exact in any order", metric.name)
    if metric.combine == "mean":
        return values_and_ones(accumulator)
    counts = additive(accumulator)
    return np.column_stack((counts, np.ones(len(counts))))


def n_summands(accumulator: Accumulator) -> int:
    """Return the number of columns of `summands`."""
    metric = accumulator.metric
    return 1 + (len(keys_of(accumulator)) if metric.combine == "mean" else metric.layout.n_columns)


def summed(
    accumulator: Accumulator, sums: npt.NDArray[np.object_], n_references: frozenset[int],
    made_by: frozenset[Identity] = frozenset(),
) -> Accumulator:  # fmt: skip
    """Return a copy of an empty accumulator, with the sums of segments.

    Its score equals the score of an accumulator with all the segments, to the last bit unless that has an order
    of its own, see `Sums.add`.

    Parameters
    ----------
    accumulator : Accumulator
    sums : integers as from `from_digits`, shape (n_columns + 1,)
        Sums of `summands`.
    n_references : frozenset of int
        The union of `Corpus.n_references` over the batches.
    made_by : frozenset of Identity
        The identities of the rows, if another accumulator counted them; see `Metric.identity`.
    """
    metric, n_segments = accumulator.metric, int(rounded(sums[-1:])[0])
    if metric.combine == "mean":
        scores = metric.scores
        by_key = {
            key: scaled_means(sums[i : i + 1], n_segments, 1.0 if key in scores.unscaled else scores.scale)[0]
            for i, key in enumerate(keys_of(accumulator))
        }
        return _of_sums(accumulator, n_segments, n_references, made_by, means=by_key)
    total = Rows(metric.layout, rounded(sums[:-1]).astype(metric.layout.dtype)[None])
    return _of_sums(accumulator, n_segments, n_references, made_by, total=total)


def _of_sums(
    accumulator: Accumulator, n_segments: int, n_references: Iterable[int], made_by: Iterable[Identity], *,
    total: Rows | None = None, means: dict[str, FloatArray] | None = None,
) -> Accumulator:  # fmt: skip
    """Return a copy whose results are those of `n_segments` segments, of which only sums are known.

    Parameters
    ----------
    n_segments : int
    n_references, made_by
        Numbers of references, and what made the rows, if not the accumulator itself; see `provenance`.
    total : Rows, shape (1, n_columns), or None
        The sum of the rows, of a metric that pools them.
    means : mapping from str to float64, or None
        The scaled means of the scores of segments, of a metric that averages them.
    """
    other = copy.copy(accumulator)
    other._n_references, other._identities = frozenset(n_references), accumulator._identities.union(made_by)
    other.n_summed, other._means = n_segments, means
    replace_rows(other, total)
    return other


def keys_of(accumulator: Accumulator) -> list[str]:
    """Return the keys of the scores that a metric averages, in the order of their columns."""
    layout = accumulator.metric.layout
    return [*accumulator.metric.formula(Rows(layout, np.zeros(layout.n_columns, layout.dtype)))]


def intervals(
    accumulator: Accumulator, sums: FloatArray, n: int, bootstrap: BootstrapOptions, reports: Any = None
) -> dict[str, Any]:
    """Return the percentile intervals of `score`, from resampled sums of `summands`.

    Parameters
    ----------
    sums : float64, shape (n_resamples, n_columns + 1)
        A resample without segments has no score and is skipped.
    n : int
        Number of segments, or units, that are drawn.
    bootstrap : BootstrapOptions
    reports : Reports, optional
        The options of `score`.
    """
    reports = accumulator.metric.reports_type() if reports is None else reports
    sums = sums[sums[:, -1] > 0]
    if len(sums) == 0:
        fail(ValueError, "n_resamples", "resamples with at least one segment", "only empty ones")
    if accumulator.metric.combine == "mean":
        means = sums[:, :-1] / sums[:, -1:]
        bounds_by_key = {
            "confidence_intervals": intervals_of(accumulator, means, keys_of(accumulator), n, bootstrap, reports)
        }
    else:
        scores = corpus_scores(accumulator, sums[:, :-1])
        confidence = bootstrap.confidence or 0.0
        bounds = {key: percentile_interval(values, confidence, n).tolist() for key, values in scores.items()}
        bounds_by_key = by_headline(
            accumulator.metric.scores, with_ends(bounds, accumulator.metric.scores, n, bootstrap)
        )
    return scaled(bounds_by_key, accumulator.metric.scores.scale, accumulator.metric.scores.unscaled)


def unsummed(accumulator: Accumulator, reports: Any) -> Refusal | None:
    """Return why one of the `reports` is no function of the sum over all segments, for `fail`; None if all are."""
    if reports.counts and accumulator.metric.combine == "mean":
        return "counts", f"False for a data set, since {accumulator.metric.name} averages scores", "True"
    for name in reports.needs_segments:
        default = {option.name: option.default for option in options_of(accumulator.metric.reports_type)}[name]
        ways = {"confidence": "`spark.score` takes it, and ", "per_segment": "`scorer` adds scores to rows; "}
        own = f"{ways.get(name, '')}{type(accumulator).__name__} has them"
        allowed = f"{default!r} for a data set or Spark, which store no segments ({own})"
        return name, allowed, shown(getattr(reports, name))
    return accumulator.metric.sums.refused(reports)


def is_function_of_sums(accumulator: Accumulator, reports: Any) -> bool:
    """Return whether the score with these `reports` is that of exact sums over all segments."""
    metric = accumulator.metric
    return unsummed(accumulator, reports) is None and metric.sums.kind == "exact" and metric.sums.add is None


class RunningScore:
    """The score of a corpus of any length: stores sums, not segments.

    It equals the score of an accumulator with all batches, to the last bit if the metric is exact and has no
    order of its own, see `Sums.add`.

    Parameters
    ----------
    accumulator : Accumulator, empty
    keeps_latest : bool, default False
        Whether `latest` has the segments of the last update.

    Examples
    --------
    >>> from textgauge import Rouge
    >>> from textgauge.input.columns import corpus_of
    >>> running = RunningScore(Rouge(rouge_types=["rouge1"]))
    >>> for text in ("a cat", "a dog", "the dog"):
    ...     running.update_corpus(corpus_of([text], ["the dog"]))
    >>> running.n_segments, running.score()
    (3, {'rouge1': 0.5})
    """

    def __init__(self, accumulator: Accumulator, *, keeps_latest: bool = False) -> None:
        """Start with nothing."""
        self.n_segments = 0
        self.latest: Accumulator | None = None
        self._keeps_latest = keeps_latest
        self._accumulator = accumulator
        self._digits: Any = None

    def update_corpus(self, corpus: Corpus) -> None:
        """Add segments."""
        n_segments = len(corpus)
        if n_segments == 0:
            return
        n_batches = len(self._accumulator._batches)
        self._accumulator.update_corpus(corpus)
        if self._keeps_latest:
            self.latest = latest = copy.copy(self._accumulator)
            latest.n_summed, latest._batches = 0, latest._batches[n_batches:]
        self.n_segments += n_segments
        metric = self._accumulator.metric
        if metric.combine == "pool" and (metric.layout.dtype.kind == "i" or metric.sums.kind == "rounded"):
            folds = self._accumulator
            folds.n_summed, folds._batches = self.n_segments, folded(folds._batches)
        else:
            digits = digits_of(summands(self._accumulator)).sum(axis=1).astype(np.int64)
            self._digits = carried(digits if self._digits is None else self._digits + digits)
            replace_rows(self._accumulator, None)

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self._accumulator.metric

    def score(self, **reports: Any) -> dict[str, Any]:
        """Return the result of the accumulator's `score`; `reports` are options that need no segments."""
        return self.of_sums().score(**reports)

    def of_sums(self) -> Accumulator:
        """Return an accumulator of the sums."""
        if self.n_segments == 0:
            fail(ValueError, "dataset", "at least one row", "none")
        if self._digits is None:
            return self._accumulator
        return summed(self._accumulator, from_digits(self._digits), self._accumulator._n_references)
