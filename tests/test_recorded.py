"""Equal to recorded figures of the reference modules in tests/data, and to textbook examples."""

import json

import pytest
import textgauge
from conftest import ROOT

DATA = ROOT / "tests" / "data"
PARTS = ("precision", "recall", "fmeasure")
pytestmark = pytest.mark.filterwarnings("ignore:.*have no token")


def recorded(name):
    return json.loads((DATA / name).read_text(encoding="utf-8"))


TEXTS = recorded("texts.json")
BLEU, ROUGE = recorded("bleu.json"), recorded("rouge.json")


def sides(segments, references):
    rows = range(len(TEXTS["predictions"])) if segments is None else segments
    groups = [TEXTS["references"][i] for i in rows]
    return [TEXTS["predictions"][i] for i in rows], groups if references == "all" else [group[0] for group in groups]


def close(value):
    return pytest.approx(value, abs=1e-12, rel=0)


@pytest.mark.parametrize("case", BLEU, ids=range(len(BLEU)))
def test_bleu(case):
    options = {option: case[option] for option in ("tokenizer", "max_order", "smooth")}
    result = textgauge.bleu(*sides(case["segments"], case["references"]), **options)
    if "raises" in case:
        assert (case["raises"], result["bleu"]) == ("ZeroDivisionError", 0.0)
    else:
        assert result == {key: close(value) for key, value in case["result"].items()}


def tokenizer_of(case):
    if case["tokenizer"] == "default":
        return None
    # A name would be refused with the stemmer: the reference module was given a function.
    return str.split if case["use_stemmer"] else case["tokenizer"]


@pytest.mark.filterwarnings("ignore:use_stemmer=True has no effect")
@pytest.mark.parametrize("case", ROUGE["per_segment"], ids=range(8))
def test_rouge_of_segments(case):
    result = textgauge.rouge(
        *sides(ROUGE["segments"], case["references"]),
        rouge_types=list(case["result"]),
        use_stemmer=case["use_stemmer"],
        tokenizer=tokenizer_of(case),
        use_aggregator=False,
    )
    assert result == {key: close(value) for key, value in case["result"].items()}


def test_precision_and_recall_of_segments():
    expected = {
        kind: {part: close([row[i] for row in rows]) for i, part in enumerate(PARTS)}
        for kind, rows in ROUGE["first_reference"].items()
    }
    hyps, refs = sides(ROUGE["segments"], "first")
    result = textgauge.rouge(hyps, refs, rouge_types=list(expected), use_aggregator=False, detailed=True)
    assert result == expected


@pytest.mark.filterwarnings("ignore:use_stemmer=True has no effect")
@pytest.mark.parametrize("case", ROUGE["aggregated"], ids=range(8))
def test_bootstrap_median_at_the_recorded_seed(case):
    metric = textgauge.load("rouge", seed=case["seed"], aggregator="bootstrap")
    hyps, refs = sides(None, case["references"])
    options = {"use_stemmer": case["use_stemmer"], "tokenizer": tokenizer_of(case)}
    assert metric.compute(predictions=hyps, references=refs, **options) == {
        k: close(v) for k, v in case["result"].items()
    }


def words(text):
    return "".join(character for character in text.lower() if character.isalnum() or character.isspace()).split()


TOKENS = {
    "white space": "whitespace",
    "white space, lower case": lambda text: text.lower().split(),
    "words, lower case, no punctuation": words,
}


def check_rouge(example, tokenizer, kind, expected):
    options = {"tokenizer": tokenizer, "rouge_types": [kind], "detailed": True}
    result = textgauge.rouge([example["prediction"]], [example["references"]], **options)[kind]
    assert result == close({part: expected["f1" if part == "fmeasure" else part] for part in PARTS})


def test_textbook_examples_of_rouge_give_what_the_definition_gives(shared):
    examples = json.loads((shared / "oracles/worked_examples.json").read_text(encoding="utf-8"))["examples"]
    checked = 0
    for example in examples:
        name, expected = example["id"], example["by_definition"]
        if "f1" in expected:
            expected = {next((kind for kind in ("rouge1", "rouge2", "rougeS") if kind in name), "rougeL"): expected}
        elif not name.startswith("lin"):
            continue
        for kind, figures in expected.items():
            check_rouge(example, TOKENS[example["tokens"]], kind, figures)
            checked += 1
    assert checked >= 15
