"""Error spans from the probabilities of tags, without a model."""

from types import SimpleNamespace

import numpy as np
from textgauge.models.spans import mqm_score, spans_of

LABELS = ("minor", "major", "critical")


class Probabilities(np.ndarray):
    """As a tensor, which returns the largest of each row and their places."""

    def max(self, axis):
        table = np.asarray(self)
        return SimpleNamespace(values=table.max(axis), indices=table.argmax(axis))


def spans(tags, places):
    """Those of tokens with the tag of each, which has a probability of .7 and less with each further token."""
    table = np.full((len(tags), 4), 0.05)
    for row, tag in enumerate(tags):
        table[row, tag] = 0.7 - row / 100
    tokenizer = SimpleNamespace(decode=lambda ids: " ".join(map(str, ids)))
    return spans_of(tokenizer, range(10, 10 + len(tags) + 3), places, table.view(Probabilities), LABELS)


def test_spans_of_tokens():
    places = [(0, 0), (0, 3), (4, 7), (8, 9), (9, 12), (13, 15), (0, 0)]
    # The first token says how severe it is; what is open at the end is lost.
    found = spans([0, 2, 1, 0, 3, 0, 1], places)
    assert [{**one, "confidence": round(one["confidence"], 12)} for one in found] == [
        {"text": "11 12", "start": 0, "end": 7, "severity": "major", "confidence": 0.685},
        {"text": "14", "start": 9, "end": 12, "severity": "critical", "confidence": 0.66},
    ]
    assert spans([0, 0, 0], places) == []
    assert spans([1, 0], places)[0]["text"] == "10"
    # Tokens behind the prediction have no tags that count.
    assert spans([0, 1, 1, 0], places[:3]) == []


def test_cost_of_spans():
    of = lambda *names: mqm_score([{"severity": name} for name in names])  # noqa: E731
    assert of() == 1.0
    assert of("minor") == 24 / 25
    assert of("major", "minor") == 19 / 25
    assert of("critical", "critical", "major") == of(*["critical"] * 9) == 0.0
    assert of("no such") == 1.0
