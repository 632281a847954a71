"""Scores by the name that `--metric` gives them, and the flags that move them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from ..measures.named import Measure, NamedScore, score_named
from .refusals import refusals
from .registry import METRICS, Metric

# What moves a score is said by the options of `score`; the type of ROUGE is said by --metric.
MOVING = {flag for metric in METRICS.values() if metric.is_paired for flag in metric.keyword_of} - {"rouge_type"}


def named(name: str) -> NamedScore:
    """Return the score that --metric names."""
    try:
        return score_named(name)
    except ValueError as error:
        raise click.UsageError(f"--{error}") from error


def owner(score: NamedScore) -> Metric:
    """Return the metric that the score belongs to."""
    accumulator: Any = score.accumulator
    [metric] = [metric for metric in METRICS.values() if metric.accumulator is accumulator]
    return metric


def keywords(score: NamedScore, flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the measure that `flags` stand for."""
    return owner(score).keywords(flags)


def start(score: NamedScore, flags: Mapping[str, Any]) -> Measure:
    """Make an empty measure, its options checked."""
    with refusals(owner(score).name):
        return score.start(keywords(score, flags))
