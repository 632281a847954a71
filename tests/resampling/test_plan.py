"""How many segments, or units, a comparison needs: by the formula, from the paired differences of the pilot."""

from math import ceil
from statistics import NormalDist

import numpy as np
import pytest
import textgauge
from textgauge import resampling
from textgauge.resampling.power import of_several_tests

GOLD = [f"answer {i % 7}" for i in range(53)]
FIRST = [text if i % 3 else "no" for i, text in enumerate(GOLD)]
SECOND = [text if i % 4 else "no" for i, text in enumerate(GOLD)]
GAINS = np.array([(b == gold) - (a == gold) for a, b, gold in zip(FIRST, SECOND, GOLD, strict=True)], float)
# Units of one to four segments.
DOCUMENTS = [f"d{int(i**0.9 / 1.5)}" for i in range(53)]


def by_formula(gains, difference, level, power, seed=12345):
    """Needed, the bounds of the range, and what the pilot itself finds, of the differences that are drawn."""
    z = NormalDist().inv_cdf(1 - level / 2) + NormalDist().inv_cdf(power)
    n, apart = len(gains), gains - gains.mean()

    def needed(variance):
        return np.maximum(np.ceil(z**2 * variance / difference**2), 6)

    def of_sums(sums):
        return needed((sums[..., 1] - sums[..., 0] ** 2 / n) / (n - 1))

    drawn = resampling.bootstrap_scores(np.stack((apart, apart**2), axis=1), of_sums, n_resamples=1000, seed=seed)
    low, high = resampling.percentile_interval(drawn, 0.9)
    return int(needed(gains.var(ddof=1))), round(low), round(high), z * gains.std(ddof=1) / n**0.5


@pytest.mark.parametrize(
    ("difference", "confidence", "power"), [(0.1, 0.95, 0.8), (-0.25, 0.99, 0.9), (None, 0.9, 0.5)]
)
def test_segments_are_those_of_the_formula(difference, confidence, power):
    found = textgauge.plan(
        FIRST, SECOND, GOLD, metric="exact_match", difference=difference, confidence=confidence, power=power
    )
    wanted = GAINS.mean() if difference is None else difference
    needed, low, high, detectable = by_formula(GAINS, wanted, 1 - confidence, power)
    assert (found.n_segments, found.low, found.high, found.n_units, found.n_pilot) == (needed, low, high, None, 53)
    assert found.low < found.n_segments < found.high
    assert (found.difference, found.power) == (pytest.approx(wanted), power)
    assert found.detectable == pytest.approx(detectable)


def test_plan_of_units():
    # The differences of sums: the score is the mean over segments.
    units = [*dict.fromkeys(DOCUMENTS)]
    sums = np.zeros(len(units))
    np.add.at(sums, [units.index(one) for one in DOCUMENTS], GAINS)
    sizes = np.array([DOCUMENTS.count(one) for one in units])
    n, total = len(units), GAINS.sum()
    # The pseudo-values of the jackknife.
    values = n * total / 53 - (n - 1) * (total - sums) / (53 - sizes)
    needed, low, high, detectable = by_formula(values, 0.1, 0.05, 0.8)
    found = textgauge.plan(FIRST, SECOND, GOLD, metric="exact_match", difference=0.1, unit=DOCUMENTS)
    assert (found.n_units, found.low, found.high, found.n_pilot) == (needed, low, high, n)
    assert needed * 53 % n
    assert found.n_segments == ceil(needed * 53 / n)
    assert found.detectable == pytest.approx(detectable)


def test_a_seed_draws_the_range_anew_and_nothing_else():
    one, other = (
        textgauge.plan(FIRST, SECOND, GOLD, metric="exact_match", difference=0.1, seed=seed) for seed in (1, 2)
    )
    assert (one.low, one.high) == by_formula(GAINS, 0.1, 0.05, 0.8, seed=1)[1:3]
    assert (one.low, one.high) != (other.low, other.high)
    assert one._replace(low=0, high=0) == other._replace(low=0, high=0)


def test_never_fewer_than_a_test_needs():
    found = textgauge.plan(FIRST, SECOND, GOLD, metric="exact_match", difference=0.99)
    assert (found.n_segments, found.low, found.high) == (6, 6, 6)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"difference": 0}, ValueError, "difference: .*got 0"),
        ({"difference": float("inf")}, ValueError, "difference: expected a difference of scores to find"),
        ({"difference": 5}, ValueError, "difference: .*exact_match.*got 5"),
        ({"difference": -1}, ValueError, "difference: expected a difference below 1, the width of the scale"),
        ({"difference": 1e-12}, ValueError, "difference: .*15.*got 1e-12"),
        ({"power": 1}, ValueError, "power: "),
        ({"power": 0.01}, ValueError, "power: "),
        ({"confidence": 1 - 1e-16}, ValueError, "confidence: .*12"),
        ({"n_tests": 0}, ValueError, "n_tests: .*got 0"),
        ({"confidence": None}, TypeError, "confidence: .*got None"),
        ({"unit": ["a"] * 53}, ValueError, "unit: .*got 1"),
    ],
)
def test_what_is_refused(options, error, message):
    with pytest.raises(error, match=f"^{message}"):
        textgauge.plan(FIRST, SECOND, GOLD, metric="exact_match", **options)


@pytest.mark.parametrize(("metric", "percent"), [("wer", 1), ("cer", 1), ("ter", 100), ("rougeL", 1), ("chrf", 100)])
def test_differences_are_within_the_scale(metric, percent):
    """An error rate has no largest value, but 5 for 5 percent is no difference of WER."""
    assert textgauge.plan(FIRST, SECOND, GOLD, metric=metric, difference=0.9 * percent).n_segments >= 6
    with pytest.raises(ValueError, match=rf"difference: expected a difference below {percent}, .* scale of {metric}"):
        textgauge.plan(FIRST, SECOND, GOLD, metric=metric, difference=5.0 * percent)


def test_texts_are_named_as_the_call_names_them():
    texts = ["a b", "c d"]
    for given, name in (((None, texts), "system1"), ((texts, 5), "system2"), ((texts, ["a", None]), r"system2\[1\]")):
        with pytest.raises(TypeError, match=f"^{name}: expected"):
            textgauge.plan(*given, texts)
    with pytest.raises(ValueError, match=r"^system2: expected as many segments as the first system \(2\), got 1"):
        textgauge.plan(texts, texts[:1], texts)
    with pytest.raises(TypeError, match=r"^systems\[1\]\[0\]: expected"):
        textgauge.compare([texts, [None, "b"]], texts)


def test_equal_systems_have_no_difference_of_their_own():
    with pytest.raises(ValueError, match="^difference: .*got None"):
        textgauge.plan(FIRST, FIRST, GOLD, metric="exact_match")


def test_options_of_the_metric():
    texts = ["A b", "c D", "e"] * 10, ["a b", "c d", "f"] * 10, ["A b", "c d", "e f"] * 10
    named, other = (textgauge.plan(*texts, metric=one, difference=5.0) for one in ("chrf(lowercase=True)", "chrf"))
    assert named != other


def test_several_tests_need_more_segments():
    """Of eight tests Holm's first has an eighth of the level."""
    one, eight = (textgauge.plan(FIRST, SECOND, GOLD, metric="exact_match", difference=0.1, n_tests=n) for n in (1, 8))
    alone = textgauge.plan(FIRST, SECOND, GOLD, metric="exact_match", difference=0.1, confidence=1 - 0.05 / 8)
    assert (eight.n_segments, eight.low, eight.high) == (alone.n_segments, alone.low, alone.high)
    assert eight.detectable == pytest.approx(of_several_tests(8, 0.05) * one.detectable, rel=1e-12)


def test_differences_by_score():
    """Each on its own scale; a score without one has that of the pilot."""
    arguments = (FIRST, SECOND, GOLD)
    found = textgauge.plan(*arguments, metric=["rougeL", "chrf", "exact_match"], difference={"rougeL": 0.1, "chrf": 9})
    assert found == {
        "rougeL": textgauge.plan(*arguments, metric="rougeL", difference=0.1),
        "chrf": textgauge.plan(*arguments, metric="chrf", difference=9),
        "exact_match": textgauge.plan(*arguments, metric="exact_match"),
    }
    assert textgauge.plan(*arguments, metric="chrf", difference={"chrf": 9}) == found["chrf"]
    same = textgauge.plan(*arguments, metric=["rougeL", "chrf"], difference=0.1)
    assert [one.difference for one in same.values()] == [0.1, 0.1]
    with pytest.raises(ValueError, match="^difference: .*got 'bleu'"):
        textgauge.plan(*arguments, metric=["rougeL", "chrf"], difference={"bleu": 1})
    with pytest.raises(ValueError, match="difference: expected a difference of scores to find"):
        textgauge.plan(*arguments, metric="chrf", difference={"chrf": 0})


@pytest.mark.filterwarnings("ignore:.*(has no width|too few to interpret)")
def test_what_all_systems_deserve_is_told_once():
    german = ["Die Söhne fahren über Köln.", "Die Väter hören München."]
    for call in (
        lambda: textgauge.compare([german, german[::-1]], german, metric="rougeL"),
        lambda: textgauge.plan(german, german[::-1], german, metric="rougeL", difference=0.1),
    ):
        with pytest.warns(UserWarning, match="drops letters") as told:
            call()
        assert len([one for one in told if "drops letters" in str(one.message)]) == 1


@pytest.mark.filterwarnings("ignore:.*(has no width|too few to interpret)")
def test_a_score_of_0_says_why_once():
    """As `score` does, in every test and plan of it."""
    systems, gold = [["a b x y", "c d u v"], ["a b p q", "j d r s"]], ["a b 1 2", "c d 3 4"]
    calls = [
        lambda: textgauge.compare(systems, gold, metric="bleu"),
        lambda: textgauge.compare(systems, gold, metric="bleu", all_pairs=True),
        lambda: textgauge.plan(*systems, gold, metric="bleu", difference=0.5),
    ]
    for call in calls:
        with pytest.warns(UserWarning, match="BLEU is 0") as told:
            call()
        why = [str(one.message) for one in told if "is 0" in str(one.message)]
        assert len(why) == 1
        assert why[0].startswith("BLEU is 0 because the predictions share no 3-gram with their references: pass ")
    with pytest.warns(UserWarning, match="no reference has a word, so that wer is no rate"):
        textgauge.compare(systems, ["", ""], metric="wer")
