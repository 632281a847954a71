"""Metrics for ``mlflow.models.evaluate``."""

from __future__ import annotations

from typing import Any

from ..compat import importing
from .corpus_score import CorpusScore

with importing("mlflow", "mlflow"):
    from mlflow.metrics import MetricValue, make_metric


def metric(name: str, **options: Any) -> Any:
    """Return an ``EvaluationMetric``: the score of every row, and under the name alone that of the corpus.

    The targets are texts, or lists of texts; see `CorpusScore`.
    """
    score = CorpusScore(name, **options)

    def eval_fn(predictions: Any, targets: Any, metrics: Any) -> MetricValue:  # noqa: ARG001
        samples = [score.statistics(*pair) for pair in zip(predictions, targets, strict=True)]
        return MetricValue(
            [score.of_sample(sample) for sample in samples], aggregate_results={score.name: score.of_corpus(samples)}
        )

    return make_metric(eval_fn=eval_fn, greater_is_better=score.higher_is_better, name=score.name)
