"""Functions for a task of lm-evaluation-harness."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from .corpus_score import CorpusScore, Statistics

_Aggregation: TypeAlias = Callable[[Sequence[Statistics]], float]


def corpus_metric(
    metric: str, *, references: str | None = "references", source: str | None = None, **options: Any
) -> tuple[Callable[[Mapping[str, Any], Sequence[str]], dict[str, Statistics]], _Aggregation, _Aggregation]:
    """Return ``process_results`` of a task, and the aggregations of its metrics NAME and NAME_stderr.

    The harness has a standard error for its own metrics only, and shows beside the metric NAME what a metric
    NAME_stderr returns.

    Parameters
    ----------
    metric : str
        NAME; see `CorpusScore`.
    references : str or None
        The field of a document with its reference or references; None for a metric without.
    source : str, optional
        The field of what the answer is made from, for metrics that read sources.
    **options
        Options of the metric.

    Examples
    --------
    >>> process_results, corpus, stderr = corpus_metric("rougeL", references="summary")
    >>> items = process_results({"summary": "a cat"}, ["a dog"])
    >>> [*items], corpus([items["rougeL"]])
    (['rougeL', 'rougeL_stderr'], 0.5)
    """
    score = CorpusScore(metric, **options)

    def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Statistics]:
        extras = [None if field is None else doc[field] for field in (references, source)]
        statistics = score.statistics(results[0], *extras)
        # In this order: the harness looks for the standard error behind the metric.
        return {score.name: statistics, f"{score.name}_stderr": statistics}

    return process_results, score.of_corpus, score.standard_error
