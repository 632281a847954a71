"""Explains the scores of one metric; each metric has a subclass in its own file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..arrays import IntArray
from ..input.columns import Corpus
from ..metric.layout import Rows
from ..metric.metric import Metric
from ..text.tokenizers import text_lengths
from .derivation import Derivation, from_fields
from .marks import Marks


class Explainer:
    """Explains the scores of a metric: by default nothing is marked, and the fields of a row are the steps.

    A subclass names the metric, which has it in `Metric.explained_by`, as have the metrics made from that one:
    ``class ChrfExplainer(Explainer, metric=ChrfMetric)``.

    Attributes
    ----------
    metric : Metric
        With its options.
    has_confusions : bool
        Whether it counts edits that can be listed.
    """

    has_confusions: ClassVar[bool] = False

    def __init_subclass__(cls, metric: type[Metric] | None = None, **kwargs: Any) -> None:
        """Tell the metric what explains it."""
        super().__init_subclass__(**kwargs)
        if metric is not None:
            metric.explained_by = cls

    def __init__(self, metric: Metric) -> None:
        """Take the metric."""
        self.metric = metric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Return what of a text the score `key` counts, for `matches` and pages."""
        return Marks.none()

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:  # noqa: ARG002
        """Return the steps from a summed row, without leading axes, to the score `key` times the scale.

        `segment` has the texts of the row, for examples; None if it is the sum over several.
        """
        return from_fields(self.metric, key, rows)

    def confusions(self, corpus: Corpus) -> Mapping[str, Counter[str]]:  # noqa: ARG002
        """Return how often each edit occurs, by kind; nothing for a metric without `has_confusions`."""
        return {}

    def edit_lines(self, segment: Corpus, key: str) -> list[str]:  # noqa: ARG002
        """Return the scored reference of a segment over its prediction, and the edits below, as lines of text.

        Nothing for a metric that does not align tokens in order.
        """
        return []

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of tokens, or characters, of every prediction and of every counted reference."""
        texts, tokenizer = self.metric.as_cut(corpus)
        chunks = [text_lengths(tokenizer.cut(chunk)) for chunk in texts.chunks()]
        hypotheses, references = (np.concatenate(sides) for sides in zip(*chunks, strict=True))
        return hypotheses, references


def explainer_of(metric: Metric) -> Explainer:
    """Return what explains a metric."""
    return explainer_class(type(metric))(metric)


def explainer_class(metric: type[Metric]) -> type[Explainer]:
    """Return the class of what explains a metric, or the plain one."""
    return metric.explained_by or Explainer
