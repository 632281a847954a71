"""A corpus score in bounded memory."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ..checks import fail
from ..columns import Corpus

# What `score` can report without the segments.
REPORTS = ("all_orders", "detailed", "signature")


class RunningScore:
    """The score of a corpus of any length: holds sums, no segment.

    Equal to the score of the measure that took all batches, to the last bit: NumPy sums the
    rows of an array one after the other, and so do the batches here.

    Parameters
    ----------
    measure : an empty accumulator of `measures`

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

    def __init__(self, measure: Any) -> None:
        """Start with nothing."""
        self.n_segments = 0
        self._measure = measure
        self._sums: Any = None

    def update_corpus(self, corpus: Corpus) -> None:
        """Add segments."""
        if len(corpus) == 0:
            return
        self._measure.update_corpus(corpus)
        self.n_segments += len(corpus)
        if hasattr(self._measure, "segment_scores"):
            self._average(self._measure.segment_scores())
            self._measure._batches = []
        else:
            statistics = self._measure.statistics
            # BLEU as nltk counts looks at the last segment by itself.
            self._measure._batches = [statistics[:-1].sum(axis=0, keepdims=True), statistics[-1:]]

    def _average(self, scores: Any) -> None:
        rows = scores if self._sums is None else np.concatenate((self._sums[None], scores))
        self._sums = rows.sum(axis=0)

    def score(self, **reports: Any) -> dict[str, Any]:
        """Return what the measure's `score` does; `reports` are those of `REPORTS` that it has, and the mean."""
        if self.n_segments == 0:
            fail(ValueError, "dataset", "at least one row", "none")
        if self._sums is None:
            return dict(self._measure.score(**reports))
        mean = self._sums / self.n_segments
        return dict(_as_one_segment(self._measure, mean[None]).score(**reports))


def _as_one_segment(measure: Any, scores: Any) -> Any:
    """Return a measure that averages, with the mean of all its segments as its only one."""
    one = copy.copy(measure)
    one.segment_scores = lambda: scores
    return one
