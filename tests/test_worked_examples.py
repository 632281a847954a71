"""BLEU and ROUGE of worked examples, by the definition: our own, and textbooks' where their folder is there."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
import textgauge

TOKENS = {
    "white space": {"tokenizer": "whitespace"},
    "white space, lower case": {"tokenizer": "whitespace", "lowercase": True},
    "words, lower case, no punctuation": {"tokenizer": "rouge"},
}
KEYS = ("bleu", "brevity_penalty", "reference_length")


OWN = Path(__file__).parent / "data/worked_examples.json"


def check_bleu(examples):
    seen = []
    for example in examples:
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
    return seen


def test_bleu_of_our_own_examples():
    assert check_bleu(json.loads(OWN.read_text())["examples"]) == ["zero-order", "clipping", "brevity", "closest"]


def test_bleu_of_textbooks(shared):
    seen = check_bleu(json.loads((shared / "oracles/worked_examples.json").read_text())["examples"])
    assert {"bleu2-sitting", "clipping", "papineni-candidate-1", "one-word"} <= {*seen}


def test_rouge_of_our_own_examples():
    seen = []
    for example in json.loads(OWN.read_text())["examples"]:
        expected = example["by_definition"]
        if "f1" in expected:
            kind = next((kind for kind in ("rouge1", "rouge2", "rougeS") if kind in example["id"]), "rougeL")
            found = textgauge.rouge(
                [example["prediction"]], [example["references"]], rouge_types=[kind], detailed=True,
                **TOKENS[example["tokens"]],
            )[kind]  # fmt: skip
            assert list(found.values()) == pytest.approx([*expected.values()], abs=1e-15), example["id"]
            seen.append(kind)
    assert seen == ["rouge1", "rouge2", "rougeL", "rougeS"]
