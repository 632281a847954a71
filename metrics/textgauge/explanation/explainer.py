"""What explains the scores of a metric: an object, in a module with the name of that of the metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import ClassVar

import numpy as np

from ..arrays import IntArray
from ..input.columns import Corpus
from ..metric.layout import Rows
from ..metric.metric import Metric
from ..text.tokenizers import text_lengths
from .derivation import Derivation, from_fields
from .marks import Marks

_MEASURES = f"{__package__.rpartition('.')[0]}.measures."


class Explainer:
    """Explains the scores of a metric: by default nothing is marked, and the fields of a row are the steps.

    Attributes
    ----------
    metric : Metric
        With its options.
    has_confusions : bool
        Whether it counts edits that can be listed.
    """

    has_confusions: ClassVar[bool] = False

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
        texts, tokenizer = self.metric.counter.as_cut(corpus)
        chunks = [text_lengths(tokenizer.cut(chunk)) for chunk in texts.chunks()]
        hypotheses, references = (np.concatenate(sides) for sides in zip(*chunks, strict=True))
        return hypotheses, references


def explainer_of(metric: Metric) -> Explainer:
    """Return what explains a metric.

    That is the class in the file of its name here, or of that of a metric which it is made from; of a metric from
    outside its own `explained_by`, if it has one; else the plain one.
    """
    return explainer_class(type(metric))(metric)


def explainer_class(metric: type[Metric]) -> type[Explainer]:
    """Return the class of what explains a metric; see `explainer_of`."""
    return getattr(metric, "explained_by", None) or _kind_of(metric)


@cache
def _kind_of(metric: type[Metric]) -> type[Explainer]:
    for one in metric.__mro__:
        own = one.__dict__.get("name")
        if isinstance(own, str) and one.__module__.startswith(_MEASURES) and find_spec(f"{__package__}.{own}"):
            # Imported on first use.
            found = import_module(f"{__package__}.{own}")
            kinds = (kind for kind in vars(found).values() if isinstance(kind, type) and issubclass(kind, Explainer))
            explains = next((kind for kind in kinds if kind.__module__ == found.__name__), None)
            if explains is not None:
                return explains
    return Explainer
