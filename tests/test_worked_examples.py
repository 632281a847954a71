"""BLEU of textbook examples, by the definition, where the folder with them is beside the project."""

import json
from fractions import Fraction

import pytest
import textgauge

TOKENS = {
    "white space": {"tokenizer": "whitespace"},
    "white space, lower case": {"tokenizer": "whitespace", "lowercase": True},
    "words, lower case, no punctuation": {"tokenizer": "rouge"},
}
KEYS = ("bleu", "brevity_penalty", "reference_length")


def test_bleu(shared):
    seen = []
    for example in json.loads((shared / "oracles/worked_examples.json").read_text())["examples"]:
        figures = example["by_definition"]
        precisions = figures.get("precisions") or [
            figures[k] for k in figures if k in ("modified_precision", "precision_1")
        ]
        if not precisions:
            continue
        parts = [tuple(map(int, p.split("/"))) for p in precisions]
        scored = textgauge.bleu(
            [example["prediction"]], [example["references"]], reference_length="closest", max_order=len(parts),
            **TOKENS[example["tokens"]],
        )  # fmt: skip
        expected = [float(Fraction(m, t)) if t else 0.0 for m, t in parts]
        assert scored["precisions"] == pytest.approx(expected, abs=1e-15), example["id"]
        known = {key: figures[key] for key in KEYS if key in figures}
        assert {key: scored[key] for key in known} == pytest.approx(known, abs=1e-12), example["id"]
        seen.append(example["id"])
    assert {"bleu2-sitting", "clipping", "papineni-candidate-1", "one-word"} <= {*seen}
