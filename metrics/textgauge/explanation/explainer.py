"""What explains the scores of a metric: an object, in a module with the name of that of the metric."""

from __future__ import annotations

from importlib import import_module

from ..accumulation.registry import METRICS
from ..input.columns import Corpus
from ..metric.layout import Rows
from ..metric.metric import Metric
from .derivation import Derivation, from_fields
from .marks import Marks


class Explainer:
    """Explains the scores of a metric: by default nothing is marked, and the fields of a row are the steps.

    Attributes
    ----------
    metric : Metric
        With its options.
    """

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


def explainer_of(metric: Metric) -> Explainer:
    """Return what explains a metric: the class in the module of its name here, or its own `explained_by`."""
    kind, module = metric.explained_by, METRICS.module_of(metric.name)
    if kind is None and module:
        # Imported on first use.
        found = import_module(f".{module}", __package__)
        own = (one for one in vars(found).values() if isinstance(one, type) and one.__module__ == found.__name__)
        kind = next(one for one in own if issubclass(one, Explainer))
    return (kind or Explainer)(metric)
