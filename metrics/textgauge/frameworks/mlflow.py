"""Metrics for ``mlflow.models.evaluate``."""

from __future__ import annotations

from typing import Any

from ..accumulation.named_score import AnyMetric
from ..compat import importing
from ..input.elements import check_reference, check_text
from .corpus_score import CorpusScore, as_text

with importing("mlflow", "mlflow"):
    from mlflow.metrics import MetricValue, make_metric


def metric(metric: AnyMetric, *, name: str | None = None) -> Any:
    """Return an ``EvaluationMetric``: the score of every row, and under the name alone that of the corpus.

    The targets are texts, or lists of texts; numbers count as their text; see `CorpusScore`.
    """
    score = CorpusScore(metric, name)

    def eval_fn(predictions: Any, targets: Any, metrics: Any) -> MetricValue:  # noqa: ARG001
        rows = enumerate(zip(map(as_text, predictions), map(as_text, targets), strict=True))
        samples = [
            score.statistics(
                check_text(prediction, f"predictions[{place}]"), check_reference(target, f"targets[{place}]")
            )
            for place, (prediction, target) in rows
        ]
        return MetricValue(
            [score.of_sample(sample) for sample in samples], aggregate_results={score.name: score.of_corpus(samples)}
        )

    return make_metric(eval_fn=eval_fn, greater_is_better=score.higher_is_better, name=score.name)
