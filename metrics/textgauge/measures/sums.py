"""A corpus of which only sums are left: exact, in any order and in any number of parts, in bounded memory."""

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
    """Return what the scores of a corpus are made of, and a 1 for each segment.

    Returns
    -------
    float64, shape (n_segments, n_columns + 1)
        Counts where the metric pools them; for one that averages, the scores of the segments.

    Raises
    ------
    ValueError
        For options that need more than sums.
    """
    if not measure.is_exact:
        fail(ValueError, "metric", "one whose rows add up in any order", measure.name)
    columns = measure.additive if measure.is_pooled else measure.segment_scores()
    return np.column_stack((columns.reshape(len(columns), -1), np.ones(len(columns))))


def summed(measure: Measure, sums: npt.NDArray[np.object_], n_references: frozenset[int]) -> Measure:
    """Return a copy of an empty measure whose `score` is that of the summed segments.

    Equal to the score of a measure that took all the segments, to the last bit.

    Parameters
    ----------
    measure : Measure
    sums : whole numbers as `from_digits` gives them, shape (n_columns + 1,)
        Of `summands`.
    n_references : frozenset of int
        What `reference_counts` gave for the batches, united.
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
    """Return the percentile intervals that `score` has, from resampled sums of `summands`.

    Parameters
    ----------
    sums : float64, shape (n_resamples, n_columns + 1)
        A resample without any segment has no score and is left out.
    """
    sums = sums[sums[:, -1] > 0]
    if len(sums) == 0:
        fail(ValueError, "n_resamples", "enough for one that draws any of so few segments", "none that does")
    if not measure.is_pooled:
        means = sums[:, :-1] / sums[:, -1:]
        means = means.reshape(-1, *_axes(measure, means.shape[1]))
        asked = measure.reports_type(**({"detailed": True} if detailed else {}))
        return {"confidence_intervals": measure.by_name(percentile_interval(means, confidence).tolist(), asked)}
    scores = measure.corpus_scores(sums[:, :-1])[measure.headline or measure.name]
    return {"confidence_interval": percentile_interval(scores, confidence).tolist()}


def _axes(measure: Measure, n_columns: int) -> tuple[int, ...]:
    """Return the shape of the scores of a segment: one figure for every name, or several."""
    n_names = len(measure.score_names)
    return (n_names,) if n_columns == n_names else (n_names, n_columns // n_names)


class RunningScore:
    """The score of a corpus of any length: holds sums, no segment.

    Equal to the score of the measure that took all batches, to the last bit if the metric is exact.

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
        """Return what the measure's `score` does; `reports` are those that need no segments."""
        if self.n_segments == 0:
            fail(ValueError, "dataset", "at least one row", "none")
        if self._digits is None:
            return self._measure.score(**reports)
        measure = summed(self._measure, from_digits(self._digits), self._measure._n_references)
        return measure.score(**reports)
