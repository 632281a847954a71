"""Intervals where all segments are alike, and what p and interval say together."""

import warnings
from math import comb

import numpy as np
import pytest
import textgauge
from textgauge.resampling import paired_bootstrap
from textgauge.resampling.intervals import width_of_alike

RIGHT, WRONG = ["yes"] * 30, ["no"] * 30
WIDTH = 1 - 0.025 ** (1 / 30)


@pytest.mark.parametrize("n", [2, 10, 300])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_end_is_that_of_clopper_and_pearson(n, confidence):
    """A share so large has none of n right with the probability of the tail."""
    width = width_of_alike(n, confidence)
    assert comb(n, 0) * (1 - width) ** n == pytest.approx((1 - confidence) / 2, rel=1e-9)


def test_it_covers_what_wilsons_does_not():
    """A share just above the end has no right answer less often than the tail says; Wilson's has it more often."""
    n, z = 30, 1.959964
    wilson = z * z / (n + z * z)
    assert (1 - width_of_alike(n, 0.95)) ** n == pytest.approx(0.025)
    assert (1 - wilson) ** n > 0.025


@pytest.mark.parametrize(
    ("metric", "key", "top"),
    [("exact_match", "exact_match", 1), ("squad", "exact_match", 100), ("token_f1", "exact_match", 1)],
)
@pytest.mark.filterwarnings("ignore:the interval")
def test_shares_of_0_and_1_have_an_interval(metric, key, top):
    for texts, low, high in ((RIGHT, 1 - WIDTH, 1), (WRONG, 0, WIDTH)):
        bounds = getattr(textgauge, metric)(texts, RIGHT, confidence=0.95)["confidence_intervals"][key]
        assert bounds == pytest.approx([top * low, top * high], rel=1e-12)
    mixed = getattr(textgauge, metric)([*RIGHT[:15], *WRONG[:15]], RIGHT, confidence=0.95)["confidence_intervals"][key]
    assert 0.2 * top < mixed[0] < mixed[1] < 0.8 * top


def test_questions_of_squad_2_have_it_too():
    rows = [{"id": str(i), "prediction_text": "yes"} for i in range(30)]
    gold = [{"id": str(i), "answers": {"text": ["yes"], "answer_start": [0]}} for i in range(30)]
    with pytest.warns(UserWarning, match="the interval of f1 has no width"):
        bounds = textgauge.squad_v2(rows, gold, confidence=0.95)["confidence_intervals"]["exact"]
    assert bounds == pytest.approx([100 * (1 - WIDTH), 100], rel=1e-12)


@pytest.mark.filterwarnings("ignore:only 10 units")
def test_units_count_not_their_segments():
    found = textgauge.exact_match(RIGHT, RIGHT, confidence=0.95, unit=[i // 3 for i in range(30)])
    assert found["confidence_intervals"]["exact_match"] == pytest.approx([0.025 ** (1 / 10), 1])


def test_other_scores_without_width_are_warned_of():
    with pytest.warns(
        UserWarning, match="the interval of chrf has no width, since all draws score alike: that shows nothing"
    ):
        assert textgauge.chrf(RIGHT, RIGHT, confidence=0.95)["confidence_interval"] == [100, 100]
    with pytest.warns(UserWarning, match="the intervals of rouge1 and rougeL have no width") as caught:
        textgauge.rouge(RIGHT, RIGHT, rouge_types=["rouge1", "rougeL"], confidence=0.95)
    assert sum("no width" in str(one.message) for one in caught) == 1


def test_comparisons_have_the_same_ends():
    [found] = textgauge.compare([WRONG, RIGHT], RIGHT, metric="exact_match")
    assert found.confidence_interval1 == pytest.approx([0, WIDTH])
    assert found.confidence_interval2 == pytest.approx([1 - WIDTH, 1])
    assert found.confidence_interval == pytest.approx([1 - WIDTH, 1])
    [turned] = textgauge.compare([RIGHT, WRONG], RIGHT, metric="exact_match")
    assert turned.confidence_interval == pytest.approx([-1, WIDTH - 1])
    [same] = textgauge.compare([WRONG, WRONG], RIGHT, metric="exact_match")
    assert same.confidence_interval == pytest.approx([-WIDTH, WIDTH])
    ranked = textgauge.compare([WRONG, RIGHT], RIGHT, metric="exact_match", all_pairs=True)
    assert ranked.confidence_intervals[1] == pytest.approx([1 - WIDTH, 1])
    [no_interval] = textgauge.compare(
        [WRONG, RIGHT], RIGHT, metric="exact_match", confidence=None, test="permutation", n_resamples=99
    )
    assert no_interval.confidence_interval is None


def test_systems_that_differ_alike_everywhere_are_warned_of():
    with pytest.warns(UserWarning, match="the interval of a difference by rouge1 has no width, since"):
        textgauge.compare([["a b"] * 30, ["a c"] * 30], ["a c"] * 30, metric="rouge1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        [found] = textgauge.compare([["a b", "a c"] * 15] * 2, ["a c"] * 30, metric="rouge1")
    assert found.confidence_interval == [0, 0]


def contradictory():
    """Differences of which few are large: p of the shifted resamples, and percentiles, disagree."""
    for seed in range(200):
        random = np.random.default_rng(seed)
        gains = np.where(random.random(40) < 0.15, random.exponential(10, 40), random.normal(-0.3, 0.2, 40))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = paired_bootstrap(np.zeros(40), gains)
        low, high = found.confidence_interval
        if (found.p < 0.05) == (low <= 0 <= high):
            return gains, found
    raise AssertionError


def test_a_contradiction_of_p_and_interval_is_named():
    gains, found = contradictory()
    low, high = found.confidence_interval
    says = (
        "below 0.05, and the interval of the difference holds 0"
        if low <= 0 <= high
        else ("not below 0.05, and the interval of the difference does not hold 0")
    )
    with pytest.warns(UserWarning, match="p and interval contradict each other") as caught:
        paired_bootstrap(np.zeros(40), gains)
    assert says in str(caught[0].message)
    assert f"p is {found.p:.4g}" in str(caught[0].message)
    assert "undecided, and compare on more segments" in str(caught[0].message)
    with pytest.warns(UserWarning, match="p is 0.09524, not below .* undecided, and draw more resamples"):
        paired_bootstrap(np.zeros(400), np.random.default_rng(0).normal(0.15, 1, 400), n_resamples=20, seed=7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # These ask something else, or there is no interval.
        paired_bootstrap(np.zeros(40), gains, p_value="one-sided")
        paired_bootstrap(np.zeros(40), gains, confidence=None)
        paired_bootstrap(np.zeros(40), np.random.default_rng(1).normal(2, 1, 40))
