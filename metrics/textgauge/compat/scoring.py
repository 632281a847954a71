"""`rouge_score.scoring`: scores, and the confidence intervals of their means."""

from __future__ import annotations

import abc
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..checks import fail, shown


class Score(NamedTuple):
    """Precision, recall and F."""

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """The bounds of a confidence interval, and its middle."""

    low: Any
    mid: Any
    high: Any


class BaseScorer(abc.ABC):
    """A scorer of a prediction against a target."""

    @abc.abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return the scores by type."""


class BootstrapAggregator:
    """Collects scores and resamples them for the confidence interval of their mean.

    It draws from NumPy's global random state, as rouge_score does: the same `np.random.seed` yields the same
    intervals.

    Parameters
    ----------
    confidence_interval : float
        From 0 to 1.
    n_samples : int
        Number of resamples.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Examples
    --------
    >>> aggregator = BootstrapAggregator()
    >>> aggregator.add_scores({"rouge1": Score(0.5, 1.0, 0.75)})
    >>> round(float(aggregator.aggregate()["rouge1"].mid.fmeasure), 2)
    0.75
    """

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000) -> None:
        if confidence_interval < 0 or confidence_interval > 1:
            fail(ValueError, "confidence_interval", "a number from 0 to 1", shown(confidence_interval))
        if n_samples <= 0:
            fail(ValueError, "n_samples", "a number of at least 1", shown(n_samples))
        self._n_samples = n_samples
        self._confidence_interval = confidence_interval
        self._scores: dict[str, list[Any]] = defaultdict(list)

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Add the scores of one pair: named tuples by type."""
        for score_type, score in scores.items():
            self._scores[score_type].append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """Return the interval of every type, as scores of the type that was added."""
        result = {}
        for score_type, scores in self._scores.items():
            bounds = self._percentiles(np.vstack(tuple(scores)))
            result[score_type] = AggregateScore(*(type(scores[0])(*bound) for bound in bounds))
        return result

    def _percentiles(self, matrix: FloatArray) -> FloatArray:
        """Return low, middle and high of the means of resamples: shape (3, n_measures)."""
        n_scores = len(matrix)
        means = np.empty((self._n_samples, matrix.shape[1]))
        for mean in means:
            # As `np.random.choice` draws.
            rows = np.random.randint(0, n_scores, size=n_scores)  # noqa: NPY002
            mean[:] = matrix[rows].mean(axis=0)
        outside = (1 - self._confidence_interval) / 2
        return np.asarray(np.percentile(means, 100 * np.array([outside, 0.5, 1 - outside]), axis=0))


def fmeasure(precision: float, recall: float) -> float:
    """Return the harmonic mean of both, 0 where both are 0.

    Examples
    --------
    >>> fmeasure(0.5, 1.0)
    0.6666666666666666
    """
    if precision + recall > 0:
        return 2 * precision * recall / (precision + recall)
    return 0.0
