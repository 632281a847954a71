"""Scores from sums over a corpus: exact in any order and for any number of parts, in constant memory."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from ..checks import fail
from ..columns import Corpus
from ..resampling import percentile_interval
from ..scores.exact_sums import carried, digits_of, from_digits, rounded
from .contract import Rows
from .measure import Measure, summed_rows


def summands(measure: Measure) -> FloatArray:
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
    if not measure.is_exact:
        fail(ValueError, "metric", "a metric whose sums are exact in any order", measure.name)
    columns = measure.additive if measure.is_pooled else measure.segment_scores()
    return np.column_stack((columns.reshape(len(columns), -1), np.ones(len(columns))))


def summed(measure: Measure, sums: npt.NDArray[np.object_], n_references: frozenset[int]) -> Measure:
    """Return a copy of an empty measure whose `score` is that of summed segments.

    It equals the score of a measure with all the segments, to the last bit.

    Parameters
    ----------
    measure : Measure
    sums : integers as from `from_digits`, shape (n_columns + 1,)
        Sums of `summands`.
    n_references : frozenset of int
        The union of `reference_counts` over the batches.
    """
    one = copy.copy(measure)
    one._n_references, one.is_sum = n_references, True
    if not one.is_pooled:
        means = rounded(sums[:-1], int(rounded(sums[-1:])[0]))
        one._means = means.reshape(_axes(one, means.size))
        return one
    zeros = one.zero_row
    one._batches = [Rows(rounded(sums[:-1]).astype(zeros.dtype).reshape(1, *zeros.shape))]
    return one


def intervals(measure: Measure, sums: FloatArray, confidence: float, *, detailed: bool = False) -> dict[str, Any]:
    """Return the percentile intervals of `score`, from resampled sums of `summands`.

    Parameters
    ----------
    sums : float64, shape (n_resamples, n_columns + 1)
        A resample without segments has no score and is skipped.
    """
    sums = sums[sums[:, -1] > 0]
    if len(sums) == 0:
        fail(ValueError, "n_resamples", "resamples with at least one segment", "only empty ones")
    if not measure.is_pooled:
        means = sums[:, :-1] / sums[:, -1:]
        means = means.reshape(-1, *_axes(measure, means.shape[1]))
        asked = measure.reports_type(**({"detailed": True} if detailed else {}))
        return {"confidence_intervals": measure.by_name(percentile_interval(means, confidence).tolist(), asked)}
    scores = measure.corpus_scores(sums[:, :-1])[measure.headline or measure.name]
    return {"confidence_interval": percentile_interval(scores, confidence).tolist()}


def _axes(measure: Measure, n_columns: int) -> tuple[int, ...]:
    """Return the shape of the scores of a segment: one value per name, or several."""
    n_names = len(measure.score_names)
    return (n_names,) if n_columns == n_names else (n_names, n_columns // n_names)


class RunningScore:
    """The score of a corpus of any length: stores sums, not segments.

    It equals the score of a measure with all batches, to the last bit if the metric is exact.

    Parameters
    ----------
    measure : Measure, empty

    Examples
    --------
    >>> from textgauge import Rouge
    >>> from textgauge.columns import corpus_of
    >>> running = RunningScore(Rouge(rouge_types=["rouge1"]))
    >>> for text in ("a cat", "a dog", "the dog"):
    ...     running.update_corpus(corpus_of([text], ["the dog"]))
    >>> running.n_segments, running.score()
    (3, {'rouge1': 0.5})
    """

    def __init__(self, measure: Measure) -> None:
        """Start with nothing."""
        self.n_segments = 0
        self._measure = measure
        self._digits: Any = None

    def update_corpus(self, corpus: Corpus) -> None:
        """Add segments."""
        if len(corpus) == 0:
            return
        self._measure.update_corpus(corpus)
        self.n_segments += len(corpus)
        if self._measure.is_pooled and (self._measure.zero_row.dtype.kind == "i" or not self._measure.is_exact):
            self._measure.is_sum = True
            self._measure._batches = summed_rows(self._measure._batches)
        else:
            digits = digits_of(summands(self._measure)).sum(axis=1).astype(np.int64)
            self._digits = carried(digits if self._digits is None else self._digits + digits)
            self._measure._batches = []

    def score(self, **reports: Any) -> dict[str, Any]:
        """Return the result of the measure's `score`; `reports` are options that need no segments."""
        if self.n_segments == 0:
            fail(ValueError, "dataset", "at least one row", "none")
        if self._digits is None:
            return self._measure.score(**reports)
        measure = summed(self._measure, from_digits(self._digits), self._measure._n_references)
        return measure.score(**reports)
