"""The error spans of models that tag tokens, and the score that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

# Of the Multidimensional Quality Metrics: the cost of a span, and the largest of a text.
COSTS = {"minor": 1, "major": 5, "critical": 10}
_MOST = 25


class Span(TypedDict):
    """An error in a prediction.

    `text` is that of its tokens, `start` and `end` are characters of the prediction, `confidence` is the mean
    probability of the tags.
    """

    text: str
    start: int
    end: int
    severity: str
    confidence: float


def spans_of(
    tokenizer: Any, ids: Sequence[int], places: Sequence[tuple[int, int]], probabilities: Any, labels: Sequence[str]
) -> list[Span]:
    """Return the error spans of a prediction.

    The first token of a span says how severe it is. A span that is open at the end is lost, as in COMET.

    Parameters
    ----------
    tokenizer
    ids : sequence of int
        Of the joined text, which begins with the prediction.
    places : sequence of (int, int)
        The characters of every token of the prediction.
    probabilities : torch.Tensor, shape (n_tokens, n_labels + 1)
        Of no error, then of every label.
    labels : sequence of str
        Severities.
    """
    best = probabilities[: len(places)].max(1)
    spans: list[Span] = []
    tokens: list[int] = []
    first = 0
    for at, (token, label) in enumerate(zip(ids, best.indices.tolist(), strict=False)):
        if label and not tokens:
            first = at
        if label:
            tokens.append(token)
        elif tokens:
            spans.append(
                {
                    "text": tokenizer.decode(tokens), "start": places[first][0], "end": places[at - 1][1],
                    "severity": labels[int(best.indices[first]) - 1], "confidence": best.values[first:at].mean().item(),
                }
            )  # fmt: skip
            tokens = []
    return spans


def mqm_score(spans: Sequence[Span]) -> float:
    """Return 1 less the cost of error spans, from 0 to 1.

    Examples
    --------
    >>> mqm_score([]), mqm_score([{"text": "a", "start": 0, "end": 1, "severity": "major", "confidence": 1.0}])
    (1.0, 0.8)
    """
    return (_MOST - min(_MOST, sum(COSTS.get(span["severity"], 0) for span in spans))) / _MOST
