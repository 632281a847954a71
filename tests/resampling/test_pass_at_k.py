"""pass@k and pass^k: the Hub's figures to the last bit, and their definitions."""

import gzip
import json
from itertools import combinations
from math import fsum

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from textgauge import pass_at_k


def test_figures_are_those_of_the_hub(shared):
    rows = json.loads(gzip.decompress((shared / "oracles/answers/pass_at_k.json.gz").read_bytes()))
    assert len(rows) >= 60
    for row in rows:
        samples = {i: [1] * c + [0] * (n - c) for i, (n, c) in enumerate(zip(row["n"], row["c"], strict=True))}
        expected = {key: value for key, value in row.items() if key.startswith("pass@")}
        found = pass_at_k(samples, k=[int(key.removeprefix("pass@")) for key in expected])
        assert {key: found[key] for key in expected} == expected


def test_fixed_figures_of_the_hub():
    """Of `estimate_pass_at_k` of code_eval, for counts of right samples."""
    for n, c, figures in (
        ([64], [18], {1: 0.2812500000000001, 2: 0.4866071428571428, 10: 0.9730886386352089}),
        ([4, 4, 8], [2, 0, 7], {1: 0.4583333333333333, 4: 0.6666666666666666}),
    ):
        samples = {i: [True] * b + [False] * (a - b) for i, (a, b) in enumerate(zip(n, c, strict=True))}
        found = pass_at_k(samples, k=[*figures])
        assert {k: found[f"pass@{k}"] for k in figures} == figures


@given(st.lists(st.lists(st.booleans(), min_size=2, max_size=5), min_size=1, max_size=4), st.integers(1, 2))
def test_share_of_choices(samples, k):
    problems = [i for i, of_one in enumerate(samples) for _ in of_one]
    found = pass_at_k([right for of_one in samples for right in of_one], problems, k)
    for key, is_solved in ((f"pass@{k}", any), (f"pass^{k}", all)):
        shares = [np.mean([is_solved(chosen) for chosen in combinations(of_one, k)]) for of_one in samples]
        assert found[key] == pytest.approx(np.mean(shares), abs=1e-12)
    assert found["avg@n"] == pytest.approx(fsum(np.mean(one) for one in samples) / len(samples), abs=1e-12)


@pytest.mark.parametrize("column", [list, np.array, pa.array])
def test_columns_of_any_kind(column):
    scores, problems = [1, 0, 1, 1], ["b", "a", "a", "b"]
    expected = {"pass@1": 0.75, "pass@2": 1.0, "pass^1": 0.75, "pass^2": 0.5, "avg@n": 0.75}
    assert pass_at_k(column(scores), column(problems), [1, 2]) == expected
    assert pass_at_k({"b": [1, 1], "a": [0, 1]}, k=[1, 2]) == expected


def test_a_threshold_says_what_is_right():
    found = pass_at_k([0.2, 0.9, 0.5, 0.4], ["a", "a", "b", "b"], threshold=0.5)
    assert found == {"pass@1": 0.5, "pass^1": 0.5, "avg@n": 0.5}
    with pytest.raises(ValueError, match=r"^scores\[1\]: .*`threshold`.*got 0.9"):
        pass_at_k([1, 0.9], ["a", "a"])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([1, 1, 0], ["a", "a", "b"], 2), ValueError, "^problems: .*got 1 of 'b'"),
        (({"a": [1], "b": []},), ValueError, "^problems: .*got none of 'b'"),
        (([1, 0, 1], ["a"] * 3, [1, 4]), ValueError, "^problems: .*got 3 of"),
        (([1, 0], ["a"]), ValueError, r"^problems: .*\(2\).*got 1"),
        (([1, 1], ["a", None]), TypeError, r"^problems\[1\]: .*got None"),
        (([1, 0],), TypeError, "^problems: .*got None"),
        (([1, 0], {"a", "b"}), TypeError, r"^problems: .*got \{'a', 'b'\}"),
        (({"a": [1]}, ["a"]), TypeError, "`problems` cannot be given, since `scores` has the problems"),
        (([1], ["a"], 0), ValueError, "^k: .*got 0"),
        (([1], ["a"], [1, 1]), ValueError, r"^k: .*got \[1, 1\]"),
        (([1, 1], ["a", "a"], 1.5), TypeError, "^k: .*got 1.5"),
        (([], []), ValueError, "^scores: .*got none"),
        (([float("nan")], ["a"]), ValueError, r"^scores\[0\]: .*got nan"),
        (([1, None], ["a", "a"]), TypeError, r"^scores\[1\]: .*got None"),
        (("101", ["a"] * 3), TypeError, "scores: expected a number for every sample, got "),
        ((5, ["a"] * 3), TypeError, "scores: expected a number for every sample, got "),
        # Sets have no order.
        (({0, 1}, ["a", "a"]), TypeError, r"^scores: .*got \{0, 1\}"),
    ],
)
def test_what_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        pass_at_k(*arguments)


def test_intervals_draw_problems_not_samples():
    """60 problems of 16 samples that are alike: an interval over samples is three times too narrow."""
    random = np.random.default_rng(1)
    right = random.random((60, 16)) < random.beta(0.3, 0.5, 60)[:, None]
    problems = np.repeat(np.arange(60), 16)
    found = pass_at_k(right.ravel(), problems, [1, 4], confidence=0.95)
    low, high = found["confidence_intervals"]["pass@1"]
    rates = right.mean(axis=1)
    assert (high - low) / 2 == pytest.approx(1.96 * rates.std() / 60**0.5, rel=0.1)
    alone = textgauge.resampling.paired_bootstrap(np.zeros(960), right.ravel() * 1.0).confidence_interval
    assert 2.5 < (high - low) / (alone[1] - alone[0]) < 3.5
    assert found["confidence_intervals"].keys() == found.keys() - {"confidence_intervals"}


def test_all_solved_or_none_has_an_interval():
    ends = pass_at_k({i: [0, 0] for i in range(20)}, k=1, confidence=0.95)["confidence_intervals"]
    assert ends["pass@1"] == pytest.approx([0, 1 - 0.025 ** (1 / 20)])
    ends = pass_at_k({i: [1, 1] for i in range(20)}, k=2, confidence=0.95)["confidence_intervals"]
    assert ends["pass^2"] == pytest.approx([0.025 ** (1 / 20), 1])


@pytest.mark.parametrize("threshold", [float("nan"), float("inf"), -float("inf")])
def test_a_threshold_is_finite(threshold):
    with pytest.raises(ValueError, match=f"^threshold: .*got {threshold}"):
        textgauge.pass_at_k([1, 0], ["a", "a"], threshold=threshold)


def test_units_have_an_order():
    with pytest.raises(TypeError, match=r"^unit: .*got \{'x', 'y'\}"):
        textgauge.exact_match(["a", "b"], ["a", "c"], confidence=0.9, unit={"x", "y"})


def test_units_of_another_number_are_refused_by_their_name():
    with pytest.raises(ValueError, match="^unit: .*got 1 .given"):
        textgauge.pass_at_k([1, 0], ["a", "a"], confidence=0.9)


@pytest.mark.filterwarnings("ignore:only .* units")
def test_the_interval_of_a_mean_is_on_the_scale_of_its_scores():
    for scores in ([5, 1, 2, 3], [-5, -1, -2, -3], [0.5, 0.1, 0.2, 0.3], [5, -1, 2, -3]):
        found = pass_at_k(scores, ["a", "a", "b", "b"], threshold=1, confidence=0.9)
        low, high = found["confidence_intervals"]["avg@n"]
        assert min(*scores, 0) <= low < found["avg@n"] < high <= max(*scores, 1)
    # Of few problems it is wider than what they scored.
    narrow = pass_at_k([0.3, 0.3, 0.4, 0.4], ["a", "a", "b", "b"], threshold=1, confidence=0.9)
    low, high = narrow["confidence_intervals"]["avg@n"]
    assert 0 < low < 0.3 < 0.4 < high < 1
