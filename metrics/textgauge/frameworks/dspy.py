"""Metrics for ``dspy.Evaluate`` and the optimizers of DSPy."""

from __future__ import annotations

from typing import Any

from ..rewards import Reward
from .corpus_score import CorpusScore


class Metric:
    """A metric of DSPy: from 0 to 1 and higher is better, as optimizers need it, whatever its own scale.

    Parameters
    ----------
    metric : str
        See `CorpusScore`.
    prediction, reference : str
        The fields of a prediction and of an example; a reference is a text, or several.
    **options
        Options of the metric.

    Examples
    --------
    >>> from types import SimpleNamespace as Fields
    >>> Metric("ter")(Fields(answer="a cat"), Fields(answer="a dog"))
    0.5
    """

    def __init__(self, metric: str, *, prediction: str = "answer", reference: str = "answer", **options: Any) -> None:
        """Check the name and the options."""
        self._score, self._reward = CorpusScore(metric, **options), Reward(metric, **options)
        self._prediction, self._reference = prediction, reference

    def __call__(self, example: Any, prediction: Any, trace: Any = None, *_: Any) -> float:  # noqa: ARG002
        """Return the reward of one prediction; see `textgauge.rewards.Reward`."""
        completions = [getattr(prediction, self._prediction)]
        [reward] = self._reward(completions=completions, answer=[getattr(example, self._reference)])
        return float(reward or 0)

    def corpus(self, evaluated: Any) -> float:
        """Return the score of the corpus, on the scale of the metric.

        Parameters
        ----------
        evaluated : dspy.EvaluationResult
            What ``dspy.Evaluate`` returned; where the program failed, the prediction is an empty text.
        """
        return self._score.of_corpus(
            self._score.statistics(
                getattr(prediction, self._prediction) if len(prediction) else "", getattr(example, self._reference)
            )
            for example, prediction, _ in evaluated.results
        )
