"""Comparisons for `evaluate.load`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import datasets
import evaluate
import pyarrow as pa

from ..arrow import text_array
from ..columns import Corpus, corpus_of, text_column
from ..elements import check_reference, check_text
from ..measures.comparison import check_comparison, compare_corpora, same_references
from .metric import references_of
from .rows import TEXT, TEXTS, TextModule


class TextComparison(TextModule, evaluate.Comparison):
    """A comparison of two columns of predictions against the same references, all of them text.

    Attributes
    ----------
    test : str
        The paired test, see `compare_systems`.
    """

    kind = "comparison"
    rows = datasets.Features({"predictions1": TEXT, "predictions2": TEXT, "references": TEXTS})
    test: str

    def _score(
        self,
        *corpora: Corpus,
        metric: str = "bleu",
        metric_options: Mapping[str, Any] | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        confidence: float | None = 0.95,
        p_value: str = "two-sided",
    ) -> dict[str, Any]:
        """Return the fields of `Comparison`."""
        [result] = compare_corpora(
            corpora, metric=metric, metric_options=metric_options, test=self.test, n_resamples=n_resamples, seed=seed,
            confidence=confidence, p_value=p_value,
        )  # fmt: skip
        return result._asdict()

    def _check(self, **options: Any) -> None:
        """Raise for options that could not work."""
        check_comparison(test=self.test, **options)

    def _compute(
        self, *, predictions1: pa.ChunkedArray, predictions2: pa.ChunkedArray, references: pa.ChunkedArray,
        **options: Any,
    ) -> dict[str, Any]:  # fmt: skip
        """Compare what was added."""
        corpora = self._inputs(predictions1=predictions1, predictions2=predictions2, references=references)
        return self._score(*corpora, **{**self.defaults, **options})

    def _inputs(
        self, *, predictions1: Any = None, predictions2: Any = None, references: Any = None
    ) -> tuple[Corpus, Corpus]:
        """Check the columns, and return what `_score` takes."""
        first = corpus_of(text_column(predictions1, "predictions1"), references)
        return first, same_references(first, predictions2, "predictions2")

    def compute(
        self, *, predictions1: Any = None, predictions2: Any = None, references: Any = None, **kwargs: Any
    ) -> dict[str, Any] | None:
        """Compare two systems on the given segments together with those added before.

        Input or options that are refused leave the segments added before as they are; a
        failure while scoring drops them, and their file.
        """
        columns = {"predictions1": predictions1, "predictions2": predictions2, "references": references}
        return self._result(columns, kwargs)

    def add_batch(self, *, predictions1: Any = None, predictions2: Any = None, references: Any = None) -> None:
        """Add segments; what is refused leaves the segments added before as they are."""
        first, second = self._inputs(predictions1=predictions1, predictions2=predictions2, references=references)
        self._write(
            pa.table(
                {
                    "predictions1": text_array(first.hypotheses),
                    "predictions2": text_array(second.hypotheses),
                    "references": references_of(first),
                }
            )
        )

    def add(
        self,
        *,
        prediction1: Any = None,
        prediction2: Any = None,
        reference: Any = None,
        predictions1: Any = None,
        predictions2: Any = None,
        references: Any = None,
    ) -> None:
        """Add one segment; what is refused leaves the segments added before as they are.

        `evaluate.combine` passes the one segment as `predictions1`, `predictions2` and `references`.
        """
        row = {
            "predictions1": check_text(prediction1 if predictions1 is None else predictions1, "prediction1"),
            "predictions2": check_text(prediction2 if predictions2 is None else predictions2, "prediction2"),
            "references": check_reference(reference if references is None else references, "reference"),
        }
        self._write_row(row)
