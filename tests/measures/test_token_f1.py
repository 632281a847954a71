"""Token F1: equal to the recorded figures and to SQuAD's loop, and the laws that it keeps."""

import json
from pathlib import Path

import numpy as np
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from oracles import token_f1 as twin
from strategies import text
from textgauge.text import TOKENIZERS

pytestmark = pytest.mark.filterwarnings("ignore:.*have no token", "ignore:.*differ in")
DATA = json.loads((Path(__file__).parents[1] / "data/token_f1.json").read_text(encoding="utf-8"))
CASES = DATA["cases"]
KEYS = ("precision", "recall", "f1", "exact_match")
# Few words, so that they meet.
short = st.lists(st.sampled_from(["the", "The", "cat", "cats", "a", "a.", "É", "’s", "北京", " "]), max_size=8).map(
    " ".join
)
answers = st.one_of(short, text)
corpora = st.lists(st.tuples(answers, st.lists(answers, min_size=1, max_size=4)), min_size=1, max_size=6)
options = st.fixed_dictionaries(
    {
        "counting": st.sampled_from(["multiset", "set"]),
        "normalizer": st.sampled_from(["squad", "lower", "none", "mlqa:es", "mlqa:zh", str.strip]),
        "tokenizer": st.sampled_from(["whitespace", "character", "unicode", str.split]),
    }
)
NORMALIZE = {
    "squad": twin.squad,
    "lower": str.lower,
    "none": str,
    "mlqa:es": lambda text: twin.mlqa(text, "es"),
    "mlqa:zh": lambda text: twin.mlqa(text, "zh"),
    str.strip: str.strip,
}


def approx(expected):
    return pytest.approx(expected, abs=1e-12, rel=0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["prediction"] or "empty")
def test_recorded_cases(case):
    squad = textgauge.token_f1([case["prediction"]], [case["references"]])
    assert {key: squad[key] * 100 for key in case["squad"]} == approx(case["squad"])
    as_sets = textgauge.token_f1([case["prediction"]], case["references"][:1], counting="set", normalizer="lower")
    assert {key: as_sets[key] for key in case["set_first_reference"]} == approx(case["set_first_reference"])


def test_recorded_corpus():
    result = textgauge.token_f1([case["prediction"] for case in CASES], [case["references"] for case in CASES])
    assert {key: result[key] * 100 for key in DATA["all_cases_squad"]} == approx(DATA["all_cases_squad"])


@given(corpora, options)
def test_every_option_by_its_definition(corpus, options):
    normalize = NORMALIZE[options["normalizer"]]
    cut = TOKENIZERS.get(options["tokenizer"], str.split)
    sides = set if options["counting"] == "set" else list
    result = textgauge.token_f1([p for p, _ in corpus], [r for _, r in corpus], per_segment=True, **options)
    for i, (prediction, references) in enumerate(corpus):
        scores = [
            twin.precision_recall_f1(sides(cut(normalize(prediction))), sides(cut(normalize(reference))))
            for reference in references
        ]
        best = max(scores, key=lambda score: score[2])
        exact = any(normalize(prediction) == normalize(reference) for reference in references)
        assert tuple(result[f"segment_{key}"][i] for key in KEYS) == (*best, exact)
    for key in KEYS:
        assert result[key] == approx(np.mean(result[f"segment_{key}"]))
        assert type(result[key]) is float


@given(corpora, options)
def test_another_reference_never_lowers_f1_or_exact_match(corpus, options):
    predictions = [p for p, _ in corpus]
    fewer = textgauge.token_f1(predictions, [r[:1] for _, r in corpus], **options)
    more = textgauge.token_f1(predictions, [r for _, r in corpus], **options)
    assert more["f1"] >= fewer["f1"]
    assert more["exact_match"] >= fewer["exact_match"]


def test_identity_scores_1():
    texts = ["the cat", "a b c", "北京", "É"]
    assert textgauge.token_f1(texts, texts) == dict.fromkeys(KEYS, 1.0)


def test_the_best_f1_and_the_exact_match_may_be_of_different_references():
    # "the" and "a" are nothing, so equal, but share no token.
    result = textgauge.token_f1(["the"], [["cat", "a"]])
    assert result == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "exact_match": 1.0}


def test_texts_without_tokens_are_counted_in_one_warning():
    with pytest.warns(UserWarning, match=r"^3 texts are not empty but have no token under the normalizer 'squad'"):
        textgauge.token_f1(["the", "", "cat"], ["a", " ", "..."])


def test_the_signature_says_what_was_computed():
    result = textgauge.token_f1(["a b", "c"], [["b"], ["c", "d"]], normalizer="mlqa:en", counting="set", signature=True)
    version = f"version:textgauge-{textgauge.__version__}"
    assert result["signature"] == f"nrefs:var|count:set|norm:mlqa:en|tok:whitespace|{version}"
