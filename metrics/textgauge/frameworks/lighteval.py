"""Metrics for tasks of lighteval."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..accumulation.named_score import AnyMetric
from ..compat import importing
from .corpus_score import CorpusScore, Statistics

with importing("lighteval", "lighteval"):
    from lighteval.metrics.metrics_corpus import CorpusLevelComputation
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import CorpusLevelMetric, SampleLevelMetric
    from lighteval.tasks.requests import SamplingMethod


class _OfSample(SampleLevelComputation):
    def __init__(self, score: CorpusScore) -> None:
        self.score = score

    def statistics(self, doc: Any, model_response: Any) -> list[Statistics]:
        """Return the statistics of every generation for a sample."""
        return [self.score.statistics(text, doc.get_golds()) for text in model_response.final_text]


class _Counts(_OfSample):
    def compute(self, doc: Any, model_response: Any, **_: Any) -> list[Statistics]:
        return self.statistics(doc, model_response)


class _Mean(_OfSample):
    def compute(self, doc: Any, model_response: Any, **_: Any) -> float:
        return float(np.mean([self.score.of_sample(statistics) for statistics in self.statistics(doc, model_response)]))


class _OfCorpus(CorpusLevelComputation):
    def __init__(self, score: CorpusScore) -> None:
        self.score = score

    def compute_corpus(self, items: list[list[Statistics]]) -> float:
        return self.score.of_corpus(statistics for item in items for statistics in item)


def corpus_metric(metric: AnyMetric, *, name: str | None = None) -> CorpusLevelMetric:
    """Return a metric that scores all samples as one corpus; see `CorpusScore`.

    Several generations for a sample count as so many samples.
    """
    score = CorpusScore(metric, name)
    return CorpusLevelMetric(
        score.name, score.higher_is_better, SamplingMethod.GENERATIVE, _Counts(score), _OfCorpus(score)
    )


def sample_metric(metric: AnyMetric, *, name: str | None = None) -> SampleLevelMetric:
    """Return a metric whose score is the mean over the scores of samples, each the mean over its generations.

    Its name is that of the score and "_mean", unless `name` is given: of two metrics of one name lighteval shows one.
    """
    score = CorpusScore(metric, name)
    shown = score.name if name else f"{score.name}_mean"
    return SampleLevelMetric(shown, score.higher_is_better, SamplingMethod.GENERATIVE, _Mean(score), np.mean)
