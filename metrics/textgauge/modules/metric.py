"""Metrics for `evaluate.load`."""

from __future__ import annotations

import abc
from typing import Any

import datasets
import evaluate
import numpy as np
import pyarrow as pa

from ..columns import Corpus, corpus_of
from ..elements import check_reference, check_text
from .rows import TEXT, TEXTS, TextModule


class TextMetric(TextModule, evaluate.Metric):
    """A metric of predictions against references, both of them text."""

    kind = "metric"
    rows = datasets.Features({"predictions": TEXT, "references": TEXTS})

    @abc.abstractmethod
    def _score(self, corpus: Corpus, **options: Any) -> dict[str, Any]:
        """Return the plain Python result."""

    def _compute(self, *, predictions: pa.ChunkedArray, references: pa.ChunkedArray, **options: Any) -> dict[str, Any]:
        """Score what was added."""
        return self._score(corpus_of(predictions, references), **{**self.defaults, **options})

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Score the given segments together with those added before.

        Input or options that are refused leave the segments added before as they are; a
        failure while scoring drops them, and their file.
        """
        return self._result({"predictions": predictions, "references": references}, kwargs)

    def add_batch(self, *, predictions: Any = None, references: Any = None) -> None:
        """Add segments; what is refused leaves the segments added before as they are."""
        corpus = corpus_of(predictions, references)
        self._write(pa.table({"predictions": corpus.hypotheses, "references": references_of(corpus)}))

    def add(
        self, *, prediction: Any = None, reference: Any = None, predictions: Any = None, references: Any = None
    ) -> None:
        """Add one segment; what is refused leaves the segments added before as they are.

        `evaluate.combine` passes the one segment as `predictions` and `references`.
        """
        row = {
            "predictions": check_text(prediction if predictions is None else predictions, "prediction"),
            "references": check_reference(reference if references is None else references, "reference"),
        }
        self._write_row(row)


def references_of(corpus: Corpus) -> pa.ListArray:
    """Return the references as a column of lists."""
    return pa.ListArray.from_arrays(pa.array(corpus.reference_offsets.astype(np.int32)), corpus.references)
