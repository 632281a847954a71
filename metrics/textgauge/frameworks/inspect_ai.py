"""A scorer for tasks of inspect-ai, and metrics of a corpus over its scores."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any

from ..compat import importing
from .corpus_score import CorpusScore, Statistics

with importing("inspect_ai", "inspect-ai"):
    from inspect_ai.scorer import Score
    from inspect_ai.scorer import metric as registered_metric
    from inspect_ai.scorer import scorer as registered_scorer

_STATISTICS = "statistics"


def _statistics_of(scores: list[Any]) -> tuple[list[Statistics], list[Any]]:
    """Return the statistics of all samples that were scored, and their ids."""
    kept = [((score.score.metadata or {}).get(_STATISTICS), score.sample_id) for score in scores]
    return [statistics for statistics, _ in kept if statistics], [place for statistics, place in kept if statistics]


def _corpus(metric: str) -> Callable[[Any], float]:
    """Return the metric of `scorer`: the score of all samples, in all epochs, as one corpus."""
    score = CorpusScore(metric)

    def of_all(scores: list[Any]) -> float:
        statistics, _ = _statistics_of(scores)
        return score.of_corpus(statistics) if statistics else nan

    return of_all


def _corpus_stderr(metric: str) -> Callable[[Any], float]:
    """Return the standard error of `corpus`, from a bootstrap over samples, each with its epochs."""
    score = CorpusScore(metric)

    def of_all(scores: list[Any]) -> float:
        statistics, ids = _statistics_of(scores)
        return score.standard_error(statistics, ids) if statistics else nan

    return of_all


corpus = registered_metric("corpus", scores="unreduced")(_corpus)
corpus_stderr = registered_metric("corpus_stderr", scores="unreduced")(_corpus_stderr)


def scorer(metric: str, *, name: str | None = None) -> Any:
    """Return a scorer of completions against targets, with `corpus` and `corpus_stderr`; see `CorpusScore`.

    The value of a sample is its own score; the metadata of the score have the statistics. The log has the metric as
    it is written here, with its options, and the scorer under its `name`.
    """
    score = CorpusScore(metric, name)

    def made() -> Any:
        async def of_sample(state: Any, target: Any) -> Score:
            answer = state.output.completion
            statistics = score.statistics(answer, [*target])
            return Score(value=score.of_sample(statistics), answer=answer, metadata={_STATISTICS: statistics})

        return of_sample

    metrics = [corpus(metric), corpus_stderr(metric)]
    return registered_scorer(metrics=metrics, name=score.name)(made)()
