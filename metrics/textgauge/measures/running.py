"""A corpus score in bounded memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..checks import fail
from ..columns import Corpus
from ..scores.exact_sums import carried, digits_of, from_digits
from .averages import AveragedScores
from .sums import summands, summed


class RunningScore:
    """The score of a corpus of any length: holds sums, no segment.

    Equal to the score of the measure that took all batches, to the last bit.

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
        self._measure: Any = measure
        self._digits: Any = None

    def update_corpus(self, corpus: Corpus) -> None:
        """Add segments."""
        if len(corpus) == 0:
            return
        self._measure.update_corpus(corpus)
        self.n_segments += len(corpus)
        if self._is_counted:
            statistics = self._measure.statistics
            # BLEU as nltk counts looks at the last segment by itself.
            self._measure._batches = [statistics[:-1].sum(axis=0, keepdims=True), statistics[-1:]]
        else:
            digits = digits_of(summands(self._measure)).sum(axis=1).astype(np.int64)
            self._digits = carried(digits if self._digits is None else self._digits + digits)
            self._measure._batches = []

    @property
    def _is_counted(self) -> bool:
        """Whether the corpus score is made of sums of whole numbers."""
        is_averaged = isinstance(self._measure, AveragedScores)
        return not is_averaged and self._measure.statistics.dtype.kind == "i"

    def score(self, **reports: Any) -> dict[str, Any]:
        """Return what the measure's `score` does; `reports` are those of `REPORTS` that it has, and the mean."""
        if self.n_segments == 0:
            fail(ValueError, "dataset", "at least one row", "none")
        if self._digits is None:
            return dict(self._measure.score(**reports))
        measure = summed(self._measure, from_digits(self._digits), self._measure._n_references)
        return dict(measure.score(**reports))
