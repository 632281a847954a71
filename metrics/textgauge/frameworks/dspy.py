"""Metrics for ``dspy.Evaluate`` and the optimizers of DSPy."""

from __future__ import annotations

from typing import Any

from ..checks import fail, shown
from ..rewards import Reward
from .corpus_score import CorpusScore, as_text


class Metric:
    """A metric of DSPy: from 0 to 1 and higher is better, as optimizers need it, whatever its own scale.

    Parameters
    ----------
    metric : str
        See `CorpusScore`.
    prediction, reference : str
        The fields of a prediction and of an example; a reference is a text, or several. Numbers count as their text; a
        prediction of None has the lowest reward.

    Examples
    --------
    >>> from types import SimpleNamespace as Fields
    >>> Metric("ter")(Fields(answer="a cat"), Fields(answer="a dog"))
    0.5
    """

    def __init__(self, metric: str, *, prediction: str = "answer", reference: str = "answer") -> None:
        """Check the name and the options."""
        self._score, self._reward = CorpusScore(metric), Reward(metric)
        self._prediction, self._reference = prediction, reference

    def __call__(self, example: Any, prediction: Any, trace: Any = None, *_: Any) -> float:  # noqa: ARG002
        """Return the reward of one prediction; see `textgauge.rewards.Reward`."""
        reference = as_text(_field(example, self._reference, "reference"))
        [reward] = self._reward(completions=[self._completion(prediction)], answer=[reference])
        return float(reward or 0)

    def corpus(self, evaluated: Any) -> float:
        """Return the score of the corpus, on the scale of the metric.

        Parameters
        ----------
        evaluated : dspy.EvaluationResult
            What ``dspy.Evaluate`` returned; where the program failed, the prediction is an empty text.
        """
        return self._score.of_corpus(
            self._score.statistics(self._completion(prediction) or "", self._references(example, place))
            for place, (example, prediction, _) in enumerate(evaluated.results)
        )

    def _completion(self, prediction: Any) -> str | None:
        # Where the program failed, DSPy has a prediction without fields.
        if hasattr(prediction, "__len__") and not len(prediction):
            return None
        text = as_text(_field(prediction, self._prediction, "prediction"))
        return text if isinstance(text, str) else None

    def _references(self, example: Any, place: int) -> Any:
        reference = as_text(_field(example, self._reference, "reference"))
        if reference is None:
            fail(ValueError, f"results[{place}].{self._reference}", "a reference", "None")
        return reference


def _field(fields: Any, name: str, argument: str) -> Any:
    value = getattr(fields, name, fields)
    if value is fields:
        fail(ValueError, argument, "the name of a field", shown(name))
    return value
