"""Token F1: equal to the recorded figures and to SQuAD's loop, and the laws that it keeps."""

import json
import random
from pathlib import Path

import pytest
import textgauge
from oracles.token_f1 import squad_scores
from quick import covering

pytestmark = pytest.mark.filterwarnings("ignore:.*not empty but", "ignore:.*differ in")
DATA = json.loads((Path(__file__).parents[1] / "data/token_f1.json").read_text(encoding="utf-8"))
CASES = DATA["cases"]


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


def answers(n, seed):
    draw = random.Random(seed)
    words = ["a", "cat", "sat", "on", "mat", "in", "1889", "Zürich", "Paris!"]
    given = [" ".join(draw.choices(words, k=draw.randint(1, 7))) for _ in range(3 * n)]
    return given[:n], [[given[n + i], *given[2 * n + i : 2 * n + i + draw.randint(0, 2)]] for i in range(n)]


@pytest.mark.parametrize(("n", "seed"), covering([1, 2, 3, 7, 20, 129, 700], range(25)))
def test_squad_is_exact_in_batches(n, seed):
    texts, references = answers(n, seed)
    expected = squad_scores(texts, references)
    assert textgauge.squad(texts, references) == expected
    cut = random.Random(seed).randint(0, n)
    first, second = (textgauge.Squad().update(texts[part], references[part]) for part in (slice(cut), slice(cut, n)))
    assert (first + second).score() == first.update(texts[cut:], references[cut:]).score() == expected
    if n > 1:
        [compared] = textgauge.compare([texts, texts[::-1]], references, metric="squad", n_resamples=20)
        assert compared.score1 == expected["f1"]


def test_squad_has_the_recorded_figures_of_the_module():
    result = textgauge.squad([case["prediction"] for case in CASES], [case["references"] for case in CASES])
    assert result == DATA["all_cases_squad"]
    for case in CASES:
        assert textgauge.squad([case["prediction"]], [case["references"]]) == case["squad"]


def test_f1_and_exact_match_choose_apart():
    # "the" and "a" are nothing, so equal, but share no token.
    result = textgauge.token_f1(["the"], [["cat", "a"]])
    assert result == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "exact_match": 1.0}


@pytest.mark.parametrize(
    "options",
    [
        *({"tokenizer": name} for name in ("13a", "rouge", "unicode", "character")),
        {"tokenizer": lambda text: text.split()},
    ],
)
def test_exact_match_is_of_texts(options):
    """Of the normalized ones, whatever a tokenizer makes of them."""
    answers, references = ["a  b", "a b", "A b", "a b"], ["a b", "a b", "a b", ["a  b", "a b"]]
    references = [one if isinstance(one, list) else [one] for one in references]
    for normalizer, equal in (
        ("none", [0, 1, 0, 1]),
        ("lower", [0, 1, 1, 1]),
        (lambda text: " ".join(text.split()), [1, 1, 0, 1]),
    ):
        found = textgauge.token_f1(answers, references, normalizer=normalizer, per_segment=True, **options)
        assert found["segment_exact_match"] == equal


def test_the_signature_says_what_was_computed():
    result = textgauge.token_f1(["a b", "c"], [["b"], ["c", "d"]], normalizer="mlqa:en", counting="set", signature=True)
    version = f"version:textgauge-{textgauge.__version__}"
    assert result["signature"] == f"nrefs:var|count:set|norm:mlqa:en|tok:whitespace|{version}"


def test_empty_reference_is_not_contained():
    answers, references = ["a cat", "the", "", "a cat"], ["the", "an", "", "cat"]
    found = textgauge.token_f1(answers, references, contains=True, per_segment=True)
    assert found["segment_contains"] == [0, 1, 1, 1]


def test_the_best_threshold_takes_a_text_of_which_nothing_is_left_for_an_answer():
    found = textgauge.squad_v2(["the", "x"], [[""], ["x"]])
    assert (found["exact"], found["best_exact"], found["best_f1"]) == (100, 50, 50)
