"""A scorer for tasks of inspect-ai, and metrics of a corpus over its scores."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any

from ..accumulation.named_score import NamedScore
from ..accumulation.registry import METRICS
from ..compat import importing
from .corpus_score import CorpusScore, Statistics

with importing("inspect_ai", "inspect-ai"):
    from inspect_ai.scorer import Score
    from inspect_ai.scorer import metric as registered_metric
    from inspect_ai.scorer import scorer as registered_scorer

_STATISTICS, _METRIC = "statistics", "metric"


def _statistics_of(scores: list[Any]) -> tuple[list[Statistics], list[Any]]:
    """Return the statistics of all samples that were scored, and their ids."""
    kept = [((score.score.metadata or {}).get(_STATISTICS), score.sample_id) for score in scores]
    return [statistics for statistics, _ in kept if statistics], [place for statistics, place in kept if statistics]


def _score_of(metric: str | None, scores: list[Any]) -> CorpusScore:
    """Return the score of a metric, or of that which the scores of samples name."""
    names = (score.score.metadata[_METRIC] for score in scores if (score.score.metadata or {}).get(_STATISTICS))
    return CorpusScore(next(names) if metric is None else metric)


def _corpus(metric: str | None = None) -> Callable[[Any], float]:
    """Return the metric of `scorer`: the score of all samples, in all epochs, as one corpus."""

    def of_all(scores: list[Any]) -> float:
        statistics, _ = _statistics_of(scores)
        return _score_of(metric, scores).of_corpus(statistics) if statistics else nan

    return of_all


def _corpus_stderr(metric: str | None = None) -> Callable[[Any], float]:
    """Return the standard error of `corpus`, from a bootstrap over samples, each with its epochs."""

    def of_all(scores: list[Any]) -> float:
        statistics, ids = _statistics_of(scores)
        return _score_of(metric, scores).standard_error(statistics, ids) if statistics else nan

    return of_all


corpus = registered_metric("corpus", scores="unreduced")(_corpus)
corpus_stderr = registered_metric("corpus_stderr", scores="unreduced")(_corpus_stderr)


def scorer(metric: str, *, name: str | None = None) -> Any:
    """Return a scorer of completions against targets, with `corpus` and `corpus_stderr`; see `CorpusScore`.

    The value of a sample is its own score; the metadata of the score have the statistics. The log has the metric as
    it is written here, with its options, and the scorer under its `name`.
    """
    score = CorpusScore(metric, name)
    metrics = [corpus(metric), corpus_stderr(metric)]
    return registered_scorer(metrics=metrics, name=score.name)(lambda: _of_samples(score))()


def _of_samples(score: CorpusScore) -> Any:
    async def of_sample(state: Any, target: Any) -> Score:
        answer = state.output.completion
        statistics = score.statistics(answer, [*target])
        metadata = {_STATISTICS: statistics, _METRIC: str(score.metric)}
        return Score(value=score.of_sample(statistics), answer=answer, metadata=metadata)

    return of_sample


def _register(name: str) -> None:
    """Let the command `inspect score` find a score as textgauge/NAME, with its options behind -S."""

    def made(**options: Any) -> Any:
        return _of_samples(CorpusScore(NamedScore(name, options, paired=True)))

    registered_scorer(metrics=[corpus(), corpus_stderr()], name=name)(made)


for _metric in METRICS.values():
    for _name in _metric.scores.names if _metric.inputs.has_references else ():
        if _name.isidentifier():
            _register(_name)
