"""One score of a metric as a reward per segment."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import replace_rows, rows_of
from ..accumulation.named_score import NamedScore
from ..all_pairs.matrix import Matrix, filled
from ..all_pairs.pairwise import single_score
from ..arrays import FloatArray
from ..checks import fail, non_negative_float, shown
from ..input.columns import Corpus
from ..metric.notes import Notes
from ..plain import Texts

_QUIET = Notes()


def shares(weights: Any, n_metrics: int) -> tuple[float, ...]:
    """Return the weights of metrics divided by their sum."""
    if weights is None:
        return (1 / n_metrics,) * n_metrics
    of_each = "for the metric" if n_metrics == 1 else f"for each of the {n_metrics} metrics"
    allowed = f"a number of at least 0 {of_each}, one above 0 (options of a metric stand behind its name)"
    if not isinstance(weights, Sequence) or isinstance(weights, (str, bytes)) or len(weights) != n_metrics:
        fail(TypeError, "weights", allowed, shown(weights))
    numbers = [non_negative_float(f"weights[{place}]", weight) for place, weight in enumerate(weights)]
    if not any(numbers):
        fail(ValueError, "weights", allowed, shown(weights))
    return tuple(number / sum(numbers) for number in numbers)


class RewardScore:
    """A score of a metric for single segments, whose options are resolved once.

    Attributes
    ----------
    lowest : float
        The reward of a completion that cannot be scored: 0, or with `is_own_scale` what stands for it.
    """

    def __init__(self, score: NamedScore, *, is_own_scale: bool) -> None:
        """Resolve the options, with those that a reward sets unless they are given."""
        own = score.metric.options_type.defaults_for.get("reward", {}) if score.is_metric else {}
        self.accumulator, self.key = single_score(NamedScore(score.name, {**own, **score.given}) if own else score)
        self.accumulator.metric.sums.refuse_parts()
        about, scale = self.accumulator.metric.scores.of(self.key), self.accumulator.metric.scores.scale
        perfect = about.perfect
        if perfect is None and about.higher_is_better:
            # Without an end of its own, a scale is taken for one from 0 to 1.
            perfect = about.largest if about.largest < inf else 1.0
        if perfect is None:
            fail(
                ValueError,
                "metric",
                "a metric with a perfect score, or whose higher scores are better",
                shown(str(score)),
            )
        self._is_own_scale, self._is_new = is_own_scale, True
        # A share of what is perfect, from 0 to 1, or else 1 minus the distance from it, at most 1.
        self._is_share = about.higher_is_better and perfect > 0
        self._perfect, span = perfect * scale, about.largest - perfect
        self._span = (span if 0 < span < inf else 1.0) * (-scale if about.higher_is_better else scale)
        self.lowest = self._perfect + self._span if is_own_scale and not self._is_share else 0.0

    def rewards(self, corpus: Corpus) -> FloatArray:
        """Return the reward of every segment: float64, shape (n_segments,)."""
        notes, accumulator, parts = self._notes(), self.accumulator.without_segments(), []
        for rows in rows_of(accumulator, corpus, notes):
            replace_rows(accumulator, rows)
            parts.append(accumulator.segment_values()[self.key] * accumulator.metric.scores.scale)
        notes.warn()
        return self._reward(parts[0] if len(parts) == 1 else np.concatenate(parts))

    def rewards_of_pairs(self, texts: Texts, sources: Texts | None = None) -> FloatArray:
        """Return the reward of every text, of its source, with every text as the reference.

        Returns
        -------
        float64, shape (n_texts, n_texts)
        """
        notes = self._notes()
        matrix = Matrix(self.accumulator.metric, self.key, texts, None, notes, sources=sources)
        values = filled(matrix, np.empty((len(texts), len(texts))))
        notes.warn()
        return self._reward(values)

    def _notes(self) -> Notes:
        # Advice for the user, such as another tokenizer for a script, is given once; an untrained model may write
        # what would raise it at every step.
        is_new, self._is_new = self._is_new, False
        if engine.must_warn:
            engine.warn_if_plain()
        return self.accumulator.metric.notes() if is_new else _QUIET

    def _reward(self, values: FloatArray) -> FloatArray:
        if self._is_own_scale:
            # Nothing a model writes is worth less than no text.
            if self._is_share:
                return values
            return np.minimum(values, self.lowest) if self._span > 0 else np.maximum(values, self.lowest)
        if self._is_share:
            return np.minimum(np.maximum(values / self._perfect, 0.0), 1.0)
        return 1.0 - np.minimum((values - self._perfect) / self._span, 1.0)
