"""Metrics for `evaluate.load`."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate
import numpy as np
import pyarrow as pa

from ..arrow import text_array
from ..checks import fail, shown
from ..columns import Corpus, text_column
from ..elements import check_reference, check_text
from ..measures.one_call import option_names, started
from ..plain import Texts
from .rows import TEXT, TEXTS, TextModule, keyword_names


class TextMetric(TextModule, evaluate.Metric):
    """A metric of predictions against references, both of them text.

    Attributes
    ----------
    measure : class
        The accumulator whose options, and those of its `score`, are the options of the module.
    """

    kind = "metric"
    rows = datasets.Features({"predictions": TEXT, "references": TEXTS})
    measure: Any

    @classmethod
    def _option_names(cls) -> list[str]:
        return option_names(cls.measure)

    def _check(self, **options: Any) -> None:
        """Raise for options that could not work."""
        _, reports = started(self.measure, options, f"this {self.kind}")
        self.measure.check_reports(**reports)

    def _idle(self, **options: Any) -> dict[str, str]:
        """Say which options change nothing beside the others, and what they need."""
        return dict(self.measure.idle(**options))

    def _score(self, corpus: Any, **options: Any) -> dict[str, Any]:
        """Return the plain Python result."""
        empty, reports = started(self.measure, options, f"this {self.kind}")
        return dict(empty.update_corpus(corpus).score(**reports))

    def _corpus(self, predictions: Any, references: Any) -> Any:
        """Check the segments."""
        return self.measure.corpus_of(predictions, references)

    def _inputs(self, *, predictions: Any = None, references: Any = None) -> tuple[Any, ...]:
        """Check the columns, and return what `_score` takes."""
        return (self._corpus(predictions, references),)

    def _row(self, prediction: Any, reference: Any) -> dict[str, Any]:
        """Check one segment."""
        return {
            "predictions": check_text(prediction, "prediction"),
            "references": check_reference(reference, "reference"),
        }

    def _table(self, corpus: Any) -> pa.Table:
        """Return the rows of checked segments."""
        return pa.table({"predictions": text_array(corpus.hypotheses), "references": references_of(corpus)})

    def _compute(self, *, predictions: pa.ChunkedArray, references: Any = None, **options: Any) -> dict[str, Any]:
        """Score what was added."""
        return self._score(self._corpus(predictions, references), **self._merged(options))

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Score the given segments together with those added before.

        Input or options that are refused leave the segments added before as they are; a
        failure while scoring drops them, and their file.
        """
        return self._result({"predictions": predictions, "references": references}, kwargs)

    def add_batch(self, *, predictions: Any = None, references: Any = None) -> None:
        """Add segments; what is refused leaves the segments added before as they are."""
        self._write(self._table(self._corpus(predictions, references)))

    def add(
        self, *, prediction: Any = None, reference: Any = None, predictions: Any = None, references: Any = None
    ) -> None:
        """Add one segment; what is refused leaves the segments added before as they are.

        `evaluate.combine` passes the one segment as `predictions` and `references`.
        """
        row = self._row(
            prediction if predictions is None else predictions, reference if references is None else references
        )
        self._write_row(row)


class UnpairedTextMetric(TextMetric):
    """A metric of predictions alone: `_score` gets the column of their texts."""

    rows = datasets.Features({"predictions": TEXT})

    @classmethod
    def _option_names(cls) -> list[str]:
        return keyword_names(cls._score)

    def _corpus(self, predictions: Any, references: Any) -> Texts:
        """Check the segments."""
        _refuse_references("references", references)
        return text_column(predictions, "predictions")

    def _row(self, prediction: Any, reference: Any) -> dict[str, Any]:
        """Check one segment."""
        _refuse_references("reference", reference)
        return {"predictions": check_text(prediction, "prediction")}

    def _table(self, corpus: Any) -> pa.Table:
        """Return the rows of checked segments."""
        return pa.table({"predictions": text_array(corpus)})


def _refuse_references(argument: str, value: Any) -> None:
    if value is not None:
        fail(TypeError, argument, "None, as this metric looks at predictions alone", shown(value))


def references_of(corpus: Corpus) -> pa.ListArray:
    """Return the references as a column of lists."""
    return pa.ListArray.from_arrays(pa.array(corpus.reference_offsets.astype(np.int32)), text_array(corpus.references))
