"""What of a text COMET marks: error spans, of models that find any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..accumulation.accumulator import accumulator_of
from ..input.columns import Corpus
from ..measures.comet import CometCounter, CometMetric
from ..metric.layout import Rows
from ..metric.metric import with_counter
from ..metric.notes import Notes
from ..models.spans import COSTS
from .alignment import Alignment, Match
from .derivation import Derivation, Step
from .explainer import Explainer
from .marks import Mark, Marks

# A token in an error span is marked by its severity.
_LEVELS = tuple((float(cost), level) for level, cost in enumerate(COSTS.values(), 1))
_BRACKETS = ("{}", "[]", "<>")
_LEGEND = tuple(
    Mark(level, False, f"{severity} error", brackets)
    for level, (severity, brackets) in enumerate(zip(COSTS, _BRACKETS, strict=True), 1)
)


class CometExplainer(Explainer):
    """Explains the scores of `CometMetric`."""

    metric: CometMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark the error spans of models that find any."""
        if not self.metric.counter.model().marks_errors:
            return Marks(self._align, _LEVELS, _LEVELS[0][0], (), "")
        return Marks(self._align, _LEVELS, _LEVELS[0][0], _LEGEND, "are in an error span", are_errors=True)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:  # noqa: ARG002
        """Say what the model makes of a segment: a network has no steps that could be shown."""
        title, score = self.metric.about.explain(key).title, float(self.metric.formula(rows)[key])
        columns = {} if segment is None else {"source": segment.sources, "reference": segment.references}
        sides = ["prediction", *(name for name, texts in columns.items() if texts is not None and len(texts))]
        read = " and ".join(", ".join(sides).rsplit(", ", 1))
        model = self.metric.counter.model().name
        return Derivation(
            title,
            (
                Step("vectors", (f"of {read}",), meaning=f"what the encoder of {model} makes of them"),
                Step(title, value=score, meaning="what its last layers estimate from these vectors"),
            ),
        )

    def _align(self, corpus: Corpus) -> list[Alignment]:
        spans: Sequence[Any] = [[]] * len(corpus)
        if self.metric.counter.model().marks_errors:
            marking = with_counter(self.metric, CometCounter(replace(self.metric.options, spans=True)))
            [rows] = accumulator_of(type(marking))().with_metric(marking).rows_of(corpus, Notes())
            spans = rows.beside or spans
        return [
            Alignment(
                [
                    Match(one["start"], one["end"], COSTS.get(one["severity"], 1), False, False)
                    for one in found if one["start"] < one["end"]
                ],
                [[] for _ in range(n_references)], 0, is_alone=False,
            )
            for found, n_references in zip(spans, np.diff(corpus.reference_offsets), strict=True)
        ]  # fmt: skip
