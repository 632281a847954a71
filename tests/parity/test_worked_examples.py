"""Worked examples by the definitions: ours, those of the teaching texts if their folder exists, and the cards'."""

import json
import re
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
PARTS = {"precision": "precision", "recall": "recall", "f1": "fmeasure"}


OWN = Path(__file__).parents[1] / "data/worked_examples.json"


@pytest.fixture(scope="module")
def examples(shared):
    listed = json.loads((shared / "oracles/worked_examples.json").read_text())["examples"]
    return {example["id"]: example for example in listed}


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


def rouge_figures(example):
    """Yield the types of an example with their figures."""
    figures = example["by_definition"]
    named = re.match(r"rouge([12LS])|lcs|google-rouge([12])|lin|order", example["id"])
    if named and ("matches" in figures or "f1" in figures):
        yield f"rouge{named[1] or named[2] or 'L'}", figures
    yield from ((name, figures[name]) for name in figures if name.startswith("rouge"))


def check_rouge(examples):
    seen = []
    for example in examples:
        for name, figures in rouge_figures(example):
            scored = textgauge.rouge(
                [example["prediction"]], [example["references"]], rouge_types=[name], detailed=True,
                **TOKENS[example["tokens"]],
            )[name]  # fmt: skip
            for ours, theirs in PARTS.items():
                assert scored[theirs] == pytest.approx(figures[ours], abs=1e-12), (example["id"], name)
            seen.append(example["id"])
    return seen


def test_our_own_examples():
    own = json.loads(OWN.read_text())["examples"]
    assert check_bleu(own) == ["zero-order", "clipping", "brevity", "closest"]
    assert check_rouge(own) == ["rouge1-night", "rouge2-night", "order-matters", "rougeS-one-word"]


def test_examples_of_textbooks(examples):
    assert {"bleu2-sitting", "clipping", "papineni-candidate-1", "one-word"} <= {*check_bleu(examples.values())}
    assert {
        "google-rouge1", "google-rouge2", "lcs-fox", "rougeL-earnings", "rougeS-earnings", "lin-2004-S3",
        "rouge1-rug", "rouge1-sitting", "rouge2-cat",
    } <= {*check_rouge(examples.values())}  # fmt: skip


def test_clipping_needs_the_case_folded(examples):
    """The strings as they are printed differ in case; naive precision counts every word that any reference has."""
    prediction, references = (examples["clipping"][key] for key in ("prediction", "references"))
    words = prediction.lower().split()
    assert sum(word in " ".join(references).lower().split() for word in words) == len(words) == 7
    first = [
        textgauge.bleu([prediction], [references], max_order=1, lowercase=lowercase)["precisions"][0]
        for lowercase in (True, False)
    ]
    assert first == [2 / 7, 1 / 7]


def test_the_tokenizer_moves_the_score(examples):
    prediction, references = (examples["papineni-candidate-1"][key] for key in ("prediction", "references"))
    split, default = (
        textgauge.bleu([prediction], [references], **options)["bleu"]
        for options in (TOKENS["white space, lower case"], {})
    )
    assert (round(split, 3), round(default, 3)) == (0.497, 0.540)


def test_the_passive_sentence_loses_its_order(examples):
    example = examples["rougeL-earnings"]
    scores = textgauge.rouge([example["prediction"]], [example["references"]], rouge_types=["rouge1", "rougeL"])
    assert {name: round(score, 3) for name, score in scores.items()} == {"rouge1": 0.769, "rougeL": 0.308}
