"""What explains the scores of a metric: an object beside it, found by the name of the metric."""

from __future__ import annotations

from importlib import import_module

from ..accumulation.layout import Rows
from ..accumulation.metric import Metric
from ..columns import Corpus
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


# By the name of a metric; each module is imported on first use.
_HOMES = {
    "bleu": "bleu.BleuExplainer", "sacrebleu": "bleu.BleuExplainer", "rouge": "rouge.RougeExplainer",
    "chrf": "chrf.ChrfExplainer", "ter": "ter.TerExplainer", "token_f1": "token_f1.TokenF1Explainer",
    "squad": "token_f1.TokenF1Explainer", "squad_v2": "squad_v2.SquadV2Explainer",
    "perplexity": "perplexity.PerplexityExplainer", "bertscore": "bertscore.BertScoreExplainer",
    "comet": "comet.CometExplainer",
}  # fmt: skip


def explainer_of(metric: Metric) -> Explainer:
    """Return what explains a metric: that of its name, or `explained_by` of a metric from outside."""
    kind = metric.explained_by
    if kind is None and metric.name in _HOMES:
        module, _, name = _HOMES[metric.name].partition(".")
        kind = getattr(import_module(f".{module}", __package__), name)
    return (kind or Explainer)(metric)
