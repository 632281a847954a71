"""What measures that average their segment scores have in common."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from ..arrays import FloatArray
from ..resampling import BootstrapOptions, mean_intervals
from ..scores.exact_sums import exact_means
from .accumulator import TextAccumulator


class AveragedScores(TextAccumulator):
    """A measure whose corpus scores are means of its segment scores."""

    _means: FloatArray | None = None

    @abc.abstractmethod
    def _scored(self, batch: Any) -> FloatArray:
        """Return all scores of every segment of a batch: shape (n_segments, n_names, ...)."""

    def segment_scores(self) -> FloatArray:
        """Return all scores of every segment: shape (n_segments, n_names, ...)."""
        return np.concatenate([self._scored(batch) for batch in self._some_batches])

    def mean_scores(self) -> FloatArray:
        """Return the mean of `segment_scores`, rounded once, in any order of the segments: shape (n_names, ...)."""
        # Batch by batch: the scores of all segments at once would take several times the room of their counts.
        return exact_means(map(self._scored, self._some_batches)) if self._means is None else self._means

    @property
    @abc.abstractmethod
    def score_names(self) -> tuple[str, ...]:
        """The keys of the corpus scores."""

    @abc.abstractmethod
    def score_columns(self) -> FloatArray:
        """Return the scores of every segment: shape (n_segments, n_names)."""

    @abc.abstractmethod
    def by_name(self, values: Any) -> dict[str, Any]:
        """Name what stands in the place of the scores."""

    def _intervals(self, bootstrap: BootstrapOptions, **form: Any) -> dict[str, Any]:
        """Return the intervals around the means, under their key; nothing without a confidence."""
        if bootstrap.confidence is None:
            return {}
        intervals = mean_intervals(self.segment_scores(), bootstrap).tolist()
        return {"confidence_intervals": self.by_name(intervals, **form)}

    @property
    def additive(self) -> FloatArray:
        """What `corpus_scores` takes sums of, the scores and a 1: shape (n_segments, n_names + 1)."""
        scores = self.score_columns()
        return np.column_stack((scores, np.ones(len(scores))))

    def observed_scores(self) -> dict[str, FloatArray]:
        """Return the scores of the corpus, as `score` has them: shape () each."""
        means = self.mean_scores()
        return dict(zip(self.score_names, means if means.ndim == 1 else means[..., -1], strict=True))

    def corpus_scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """Score weighted sums of `additive`, shape (..., n_names + 1)."""
        return {name: sums[..., i] / sums[..., -1] for i, name in enumerate(self.score_names)}
