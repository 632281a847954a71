"""The base class of explainers; the file of each metric has a subclass for the scores of the metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..arrays import IntArray
from ..input.columns import Corpus
from ..metric.layout import Rows
from ..metric.metric import Metric
from ..text import TOKENIZERS, Tokenizer
from ..text.tokenizers import text_lengths
from .derivation import Derivation, from_fields
from .marks import Marks

# The class that explains each metric.
EXPLAINERS: dict[type[Metric], type[Explainer]] = {}


class Explainer:
    """Explains the scores of a metric: by default nothing is marked, and the fields of a row are the steps.

    A subclass names its metric, and explains the metrics made from that one, too:
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
        """Make the class the explainer of a metric."""
        super().__init_subclass__(**kwargs)
        if metric is not None:
            EXPLAINERS[metric] = cls

    def __init__(self, metric: Metric) -> None:
        """Take the metric."""
        self.metric = metric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Return the marks of the parts of a text that the score `key` counts, for `matches` and pages."""
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

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts that are cut to be counted, such as normalized ones, and their tokenizer."""
        return corpus, self.metric.tokenizer or TOKENIZERS["whitespace"]

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of tokens, or characters, of every prediction and of every counted reference."""
        texts, tokenizer = self.as_cut(corpus)
        chunks = [text_lengths(tokenizer.cut(chunk)) for chunk in texts.chunks()]
        hypotheses, references = (np.concatenate(sides) for sides in zip(*chunks, strict=True))
        return hypotheses, references


def explainer_of(metric: Metric) -> Explainer:
    """Return the explainer of a metric."""
    return explainer_class(type(metric))(metric)


def explainer_class(metric_type: type[Metric]) -> type[Explainer]:
    """Return the explainer class of a metric, or of the nearest base class that has one; else the plain one."""
    for one in metric_type.__mro__:
        if found := EXPLAINERS.get(one):
            return found
    return Explainer
