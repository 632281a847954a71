"""Measures by their name, or by that of one of their scores."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ..arrays import FloatArray
from ..checks import fail, refuse_unknown, shown
from ..columns import Corpus
from ..scores.rouge_types import is_rouge_type
from .bleu import Bleu
from .rouge import Rouge
from .token_f1 import TokenF1


class Measure(Protocol):
    """What every accumulator has and resampling needs."""

    @property
    def additive(self) -> FloatArray:
        """One row per segment, additive: shape (n_segments, n_columns)."""

    def update_corpus(self, corpus: Corpus) -> Any:
        """Add segments."""

    def observed_scores(self) -> dict[str, FloatArray]:
        """Return the scores of the corpus by key, as `score` has them."""

    def corpus_scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """Score weighted sums of `additive`, shape (..., n_columns), by key."""


@dataclass(frozen=True)
class NamedScore:
    """One score of one measure.

    Attributes
    ----------
    accumulator : callable
        Makes an empty measure from its options.
    key : str
        Which of the measure's `corpus_scores` is meant.
    fixed : mapping
        The options that the name decides.
    """

    accumulator: Callable[..., Measure]
    key: str
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def start(self, options: Mapping[str, Any] | None = None) -> Measure:
        """Make an empty measure with `options`, each of them checked."""
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            fail(TypeError, "metric_options", "a dict of options of the metric", shown(options))
        return _started(self.accumulator, self.fixed, options, self.key, "metric_options[{!r}]")


def _started(
    accumulator: Callable[..., Measure], fixed: Mapping[str, Any], options: Mapping[str, Any], owner: str, spelled: str
) -> Measure:
    names = [name for name in inspect.signature(accumulator).parameters if name not in fixed]
    refuse_unknown(options, names, owner, spelled)
    return accumulator(**fixed, **options)


_SCORES = {
    "bleu": NamedScore(Bleu, "bleu"),
    "token_f1": NamedScore(TokenF1, "f1"),
    "exact_match": NamedScore(TokenF1, "exact_match"),
}


def score_named(metric: Any) -> NamedScore:
    """Return the score that `metric` names: "bleu", "token_f1", "exact_match", or any type of ROUGE.

    Examples
    --------
    >>> score_named("rougeL").key
    'rougeL'
    """
    allowed = f"one of {', '.join(map(repr, _SCORES))}, 'rouge1', 'rouge2', ..., 'rougeL', 'rougeLsum'"
    if not isinstance(metric, str):
        fail(TypeError, "metric", allowed, shown(metric))
    if is_rouge_type(metric):
        return NamedScore(Rouge, metric, {"rouge_types": [metric]})
    if metric not in _SCORES:
        fail(ValueError, "metric", allowed, shown(metric))
    return _SCORES[metric]


MEASURES: dict[str, Callable[..., Measure]] = {"bleu": Bleu, "rouge": Rouge, "token_f1": TokenF1}


def start_measure(metric: Any, options: Mapping[str, Any]) -> Any:
    """Make an empty accumulator with all the scores of a measure, or with one type of ROUGE.

    Parameters
    ----------
    metric : str
        A name in `MEASURES`, or a type of ROUGE such as "rougeL".
    options : mapping
        Those of the accumulator, each of them checked.

    Examples
    --------
    >>> start_measure("rougeL", {}).update(["a b"], ["a c"]).score()
    {'rougeL': 0.5}
    """
    allowed = f"one of {', '.join(map(repr, MEASURES))}, 'rouge1', 'rouge2', ..., 'rougeL', 'rougeLsum'"
    if not isinstance(metric, str):
        fail(TypeError, "metric", allowed, shown(metric))
    if metric not in MEASURES and not is_rouge_type(metric):
        fail(ValueError, "metric", allowed, shown(metric))
    fixed = {} if metric in MEASURES else {"rouge_types": [metric]}
    return _started(MEASURES.get(metric, Rouge), fixed, options, metric, "{}")


def scores_of_segments(measure: Measure) -> dict[str, FloatArray]:
    """Score every segment by itself: float64, shape (n_segments,) by key."""
    # BLEU refuses `additive` where its corpus score looks at the last segment; single segments are no corpus.
    rows = measure.statistics.astype(np.float64) if isinstance(measure, Bleu) else measure.additive
    return measure.corpus_scores(rows)
