"""Scores from sums over a corpus: exact in any order and for any number of parts, in constant memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from ..checks import fail
from ..input.columns import Corpus
from ..metric.layout import Rows
from ..metric.metric import Metric
from ..metric.scores import scaled
from ..resampling import BootstrapOptions, percentile_interval
from ..sums import carried, digits_of, from_digits, rounded, scaled_means
from .accumulator import Accumulator, Identity, by_headline, with_ends


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
        return accumulator.values_and_ones()
    counts = accumulator.additive
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
        return accumulator.of_sums(n_segments, n_references, made_by, means=by_key)
    total = Rows(metric.layout, rounded(sums[:-1]).astype(metric.layout.dtype)[None])
    return accumulator.of_sums(n_segments, n_references, made_by, total=total)


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
            "confidence_intervals": accumulator.intervals_of(means, keys_of(accumulator), n, bootstrap, reports)
        }
    else:
        scores = accumulator.corpus_scores(sums[:, :-1])
        confidence, unit = bootstrap.confidence or 0.0, bootstrap.unit
        bounds = {key: percentile_interval(values, confidence, unit).tolist() for key, values in scores.items()}
        bounds_by_key = by_headline(
            accumulator.metric.scores, with_ends(bounds, accumulator.metric.scores, n, bootstrap)
        )
    return scaled(bounds_by_key, accumulator.metric.scores.scale, accumulator.metric.scores.unscaled)


def is_function_of_sums(accumulator: Accumulator, reports: Any) -> bool:
    """Return whether the score with these `reports` is that of exact sums over all segments."""
    metric = accumulator.metric
    return accumulator.unsummed(reports) is None and metric.sums.kind == "exact" and metric.sums.add is None


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
        if len(corpus) == 0:
            return
        n_batches = self._accumulator.n_batches
        self._accumulator.update_corpus(corpus)
        if self._keeps_latest:
            self.latest = self._accumulator.after(n_batches)
        self.n_segments += len(corpus)
        is_whole = self.metric.layout.dtype.kind == "i"
        if self.metric.combine == "pool" and (is_whole or self.metric.sums.kind == "rounded"):
            self._accumulator.fold(self.n_segments)
        else:
            digits = digits_of(summands(self._accumulator)).sum(axis=1).astype(np.int64)
            self._digits = carried(digits if self._digits is None else self._digits + digits)
            self._accumulator.replace_rows(None)

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
        known = self._accumulator.provenance()
        return summed(self._accumulator, from_digits(self._digits), frozenset(known["references"]))
