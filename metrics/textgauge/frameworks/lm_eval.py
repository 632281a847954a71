"""Functions for a task of lm-evaluation-harness."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ..accumulation.named_score import AnyMetric
from .corpus_score import CorpusScore, Statistics

# The statistics of every response to a document.
_Item: TypeAlias = list[Statistics]
_Aggregation: TypeAlias = Callable[[Sequence[_Item]], float]


def corpus_metric(
    metric: AnyMetric, *, references: str | None = "references", source: str | None = None, name: str | None = None
) -> tuple[Callable[[Mapping[str, Any], Sequence[str | Sequence[str]]], dict[str, _Item]], _Aggregation, _Aggregation]:
    """Return ``process_results`` of a task, and the aggregations of its metrics NAME and NAME_stderr.

    NAME is that of the `CorpusScore`: the score with its options as words, such as "chrf_word_order_2", or `name`.

    The harness has a standard error for its own metrics only, and shows beside the metric NAME what a metric
    NAME_stderr returns. Several responses to a document, which the filter ``take_first_k`` leaves, count as so many
    samples; the standard error draws them together.

    Parameters
    ----------
    metric : str or object
        See `CorpusScore`.
    references : str or None
        The field of a document with its reference or references; None for a metric without.
    source : str, optional
        The field of what the answer is made from, for metrics that read sources.
    name : str, optional
        NAME in the results.

    Examples
    --------
    >>> process_results, corpus, stderr = corpus_metric("rougeL", references="summary")
    >>> items = process_results({"summary": "a cat"}, ["a dog"])
    >>> [*items], corpus([items["rougeL"]])
    (['rougeL', 'rougeL_stderr'], 0.5)
    """
    score = CorpusScore(metric, name)

    def process_results(doc: Mapping[str, Any], results: Sequence[str | Sequence[str]]) -> dict[str, _Item]:
        extras = [None if field is None else doc[field] for field in (references, source)]
        # The filter take_first_k leaves several responses.
        responses = [results[0]] if isinstance(results[0], str) else results[0]
        statistics = [score.statistics(response, *extras) for response in responses]
        # In this order: the harness looks for the standard error behind the metric.
        return {score.name: statistics, f"{score.name}_stderr": statistics}

    def corpus(items: Sequence[_Item]) -> float:
        return score.of_corpus(statistics for item in items for statistics in item)

    def standard_error(items: Sequence[_Item]) -> float:
        documents = [place for place, item in enumerate(items) for _ in item]
        return score.standard_error([statistics for item in items for statistics in item], documents)

    return process_results, corpus, standard_error
