import time
import warnings

import numpy as np
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from oracles import resampling as naive
from textgauge import engine, resampling, set_num_threads
from textgauge.resampling import draws

pytestmark = pytest.mark.filterwarnings("ignore:two systems differ in only")

TESTS = [resampling.paired_bootstrap, resampling.paired_permutation]
whole = st.integers(-3, 3)


def mean_of_first(sums):
    return sums[..., 0] / sums[..., 1]


compiled_only = pytest.mark.skipif(
    engine.kernel is engine.plain, reason="plain Python draws the same (tests/kernel), in minutes"
)


def weights(draw, n_segments, n_resamples, seed=None):
    """How often each segment is drawn, or whether it is exchanged: the sums of the rows of a unit matrix."""
    return np.concatenate(list(draw(np.eye(n_segments, dtype=int), n_resamples, seed)))


@given(st.lists(st.lists(whole, min_size=2, max_size=2), min_size=1, max_size=6), st.integers(1, 7), st.integers(0, 99))
def test_weighted_sums_are_sums_of_drawn_rows(rows, n_resamples, seed):
    drawn = weights(resampling.resampled_sums, len(rows), n_resamples, seed).astype(int)
    (block,) = resampling.resampled_sums(np.array(rows), n_resamples, seed)
    assert block.tolist() == naive.sums_of_draws(rows, [np.repeat(range(len(rows)), row).tolist() for row in drawn])


@pytest.mark.parametrize("draw", [resampling.resampled_sums, resampling.exchanged_sums])
@pytest.mark.parametrize("kind", [int, float])
def test_blocks_threads_and_other_columns_have_no_effect(draw, kind, monkeypatch):
    columns = np.random.default_rng(1).integers(0, 50, (3000, 11)).astype(kind) / kind(1 if kind is int else 3)
    [expected] = draw(columns, 100, 3)
    monkeypatch.setattr(draws, "_BLOCK", 7 * 11)
    blocks = list(draw(columns, 100, 3))
    assert [len(block) for block in blocks] == [7] * 14 + [2]
    assert (np.concatenate(blocks) == expected).all()
    monkeypatch.undo()
    try:
        for n_threads in (1, 3):
            set_num_threads(n_threads)
            [found] = draw(columns, 100, 3)
            assert (found == expected).all()
    finally:
        set_num_threads(None)
    assert (np.concatenate([*draw(columns[:, 4:6], 60, 3)]) == expected[:60, 4:6]).all()


def test_sums_too_large_for_integers_are_those_of_floats():
    columns = np.array([[2**60], [2**61], [1]])
    assert [block.tolist() for block in resampling.resampled_sums(columns, 5)] == [
        block.tolist() for block in resampling.resampled_sums(columns.astype(float), 5)
    ]
    small = np.array([[2**53 + 1], [0]])
    drawn = weights(resampling.resampled_sums, 2, 20)[:, :1]
    assert (next(resampling.resampled_sums(small, 20)) == drawn.astype(int) * (2**53 + 1)).all()


@compiled_only
@pytest.mark.parametrize("n_segments", [5, 513, pytest.param(1600, marks=pytest.mark.slow)])
def test_every_segment_is_drawn_as_often_as_any_other(n_segments):
    drawn = weights(resampling.resampled_sums, n_segments, 4000)
    assert (drawn.sum(axis=1) == n_segments).all()
    # Multinomial: 6 standard errors of means, of variances and of the covariances of pairs, near and far.
    share = 1 / n_segments
    assert np.abs(drawn.mean(axis=0) - 1).max() < 6 * ((1 - share) / 4000) ** 0.5
    assert drawn.var() == pytest.approx(1 - share, rel=0.02)
    for distance in (1, n_segments // 2, n_segments - 1):
        products = (drawn[:, distance:] - 1) * (drawn[:, : n_segments - distance] - 1)
        assert products.mean() == pytest.approx(-share, abs=6 * (1 / products.size) ** 0.5)


@pytest.mark.slow
@compiled_only
def test_interval_takes_less_than_a_second():
    columns = np.random.default_rng(0).integers(0, 30, (200_000, 10))
    start = time.process_time()
    assert len(np.concatenate(list(resampling.resampled_sums(columns, 1000)))) == 1000
    # Of one processor: 0.75 s where this was written; drawing by NumPy took 4.7 s.
    assert time.process_time() - start < 3


@given(st.lists(st.integers(0, 20).map(lambda n: n / 20), max_size=8))
def test_holm_step_by_step(p_values):
    assert resampling.holm(p_values) == pytest.approx(naive.holm(p_values), abs=1e-15)


def test_holm_refuses_what_is_no_probability():
    for value, error, got in [
        ("0.1", TypeError, "'0.1' (str)"), (True, TypeError, "True (bool)"), (None, TypeError, "None (NoneType)"),
        (1.1, ValueError, "1.1 (float)"), (-0.1, ValueError, "-0.1 (float)"), (float("nan"), ValueError, "nan (float)"),
    ]:  # fmt: skip
        with pytest.raises(error) as caught:
            resampling.holm([0.5, value])
        assert str(caught.value) == f"p_values[1]: expected a number from 0 to 1, got {got}"
    assert resampling.holm([0, 1, np.float64(0.5)]) == [0, 1, 1]


@pytest.mark.parametrize("test", TESTS)
def test_plain_numbers_and_the_same_again(test):
    first, second = [1, 2, 4, 7, 3, 5], [2, 2, 3, 9, 6, 5]
    result = test(first, second)
    for value in result:
        assert isinstance(value, float) or all(type(part) is float for part in value)
    assert test(np.array(first), tuple(second)) == result
    assert test(first, second, seed=12345) == result
    assert test(first, second, seed=1).p != result.p


def test_without_confidence_no_intervals():
    found = resampling.paired_permutation([1, 2], [3, 5], confidence=None)
    assert found[4:8] == (None, None, None, None)
    # 2.8016 standard errors of the differences 2 and 3, each of which is 0.5.
    assert found.detectable == pytest.approx(1.4008, abs=1e-4)
    result = resampling.paired_bootstrap([1, 2], [3, 4], confidence=None)
    assert result.confidence_interval is None
    assert result.wins == [0.0, 1.0]


def test_detectable_of_alike_differences():
    ten = [0.1 * i for i in range(10)]
    for other in (ten, [value + 0.3 for value in ten]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert resampling.paired_bootstrap(ten, other).detectable is None
            assert resampling.paired_bootstrap(ten, [*other[1:], 7.0]).detectable > 0


@pytest.mark.filterwarnings("ignore:two systems differ")
@pytest.mark.parametrize(("p_value", "confidence", "errors"), [
    ("two-sided", 0.95, 2.8016), ("one-sided", 0.95, 2.4865), ("two-sided", 0.9, 2.4865), ("one-sided", 0.99, 3.1680),
])  # fmt: skip
@pytest.mark.parametrize("test", TESTS)
def test_what_a_comparison_detects_depends_on_what_p_asks(test, p_value, confidence, errors):
    # The differences are 1 and 3: their standard deviation is the root of 2, their standard error 1.
    found = test([1, 2], [2, 5], p_value=p_value, confidence=confidence)
    assert found.detectable == pytest.approx(errors, abs=1e-4)


def test_systems_share_resamples():
    systems = np.random.default_rng(3).random((4, 30))
    columns = [np.column_stack((row, np.ones(30))) for row in systems]
    for name, test in zip(("bootstrap", "permutation"), TESTS, strict=True):
        together = resampling.compare_systems(systems, test=name, n_resamples=200)
        for result, system, column in zip(together, systems[1:], columns[1:], strict=True):
            alone = test(systems[0], system, n_resamples=200)
            by_columns = test(columns[0], column, score=mean_of_first, n_resamples=200)
            assert result.p == alone.p == by_columns.p
            for one, other, third in zip(result, alone, by_columns, strict=True):
                assert one == pytest.approx(other, abs=1e-14)
                assert one == pytest.approx(third, abs=1e-14)


def test_systems_with_other_columns_are_refused():
    with pytest.raises(ValueError, match=r"^scores2: .*\(2\).*got 3"):
        resampling.paired_bootstrap(np.ones((4, 2)), np.ones((4, 3)), score=mean_of_first)
    with pytest.raises(ValueError, match=r"^scores1: .*got an array of shape \(5, 0\)"):
        resampling.paired_bootstrap(np.ones((5, 0)), np.ones((5, 0)), score=lambda sums: sums.sum(axis=-1))
    with pytest.raises(TypeError, match="^n_resamples: .*got '10'"):
        list(resampling.resampled_sums(np.ones((5, 1)), "10"))
    with pytest.raises(ValueError, match=r"^scores1: .*got an array of shape \(4,\)"):
        resampling.paired_bootstrap(np.ones(4), np.ones(4), score=mean_of_first)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"scores2": [1, 2]}, ValueError, r"^scores2: .*\(3\).*got 2"),
        ({"scores1": [1], "scores2": [1]}, ValueError, "^segments: "),
        ({"scores1": [], "scores2": []}, ValueError, "^segments: "),
        ({"scores1": [1, float("nan"), 2]}, ValueError, r"^scores1\[1\]: .*got nan"),
        ({"scores2": [1, None, 2]}, TypeError, r"^scores2\[1\]: .*got None"),
        ({"scores2": ["a", "b", "c"]}, TypeError, "scores2: expected one finite number per segment"),
        ({"scores2": [[1], [2, 3], [4]]}, TypeError, "scores2: expected one finite number per segment"),
        ({"scores1": 5}, ValueError, r"^scores1: .*got an array of shape \(\)"),
        ({"n_resamples": 0}, ValueError, "^n_resamples: "),
        ({"n_resamples": 2.5}, TypeError, "^n_resamples: "),
        ({"seed": -1}, ValueError, "^seed: "),
        ({"seed": "x"}, TypeError, "^seed: "),
        ({"confidence": 1}, ValueError, "^confidence: "),
        ({"confidence": 95}, ValueError, r"^confidence: .*got 95 \(int\); 95 percent is 0\.95$"),
        ({"confidence": "95%"}, TypeError, "^confidence: "),
        ({"p_value": "three-sided"}, ValueError, "^p_value: .*got 'three-sided'"),
    ],
)
def test_bad_input(test, arguments, error, message):
    with pytest.raises(error, match=message):
        test(**{"scores1": [1, 2, 3], "scores2": [2, 2, 2], **arguments})


def test_sacrebleu_p_is_for_the_bootstrap_only():
    with pytest.raises(ValueError, match="p_value"):
        resampling.paired_permutation([1, 2], [3, 4], p_value="sacrebleu")
    with pytest.raises(ValueError, match="^systems: .*got 1 in all"):
        resampling.compare_systems([[1, 2]])
    with pytest.raises(ValueError, match="^test: .*got 't'"):
        resampling.compare_systems([[1, 2], [1, 2]], test="t")


def test_interval_of_one_to_a_hundred_and_one():
    assert resampling.percentile_interval(np.arange(101.0), 0.5).tolist() == [25, 75]
    two = np.stack((np.arange(101.0), -np.arange(101.0)), axis=1)
    assert resampling.percentile_interval(two, 0.5).tolist() == [[25, 75], [-75, -25]]


FEW = r"two systems differ in only {0} segments, too few to interpret p \({1}\): chance alone lets {0} segments favour"


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_p_of_few_segments_comes_with_one_warning(test, n):
    with pytest.warns(UserWarning, match=FEW.format(n, "scores1 and scores2")) as told:
        result = test([1.0] * n, [2.0] * n, n_resamples=200)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert f"with probability {2 / 2**n:.2g};" in str(told[0].message)
    if test is resampling.paired_permutation:
        assert result.p > 0.7 * 2 / 2**n


def test_segments_that_do_not_differ_do_not_count():
    first, second = [0.5] * 100, [0.5] * 97 + [0.6] * 3
    with pytest.warns(UserWarning, match=FEW.format(3, r"systems\[0\] and systems\[2\]")):
        resampling.compare_systems([first, first, second], n_resamples=50)


def test_warning_names_pair_and_metric():
    systems = [["a b"] * 9, ["a b"] * 5 + ["a c"] * 4, ["a b"] * 7 + ["a d"] * 2]
    for options, more in (({}, "; 1 more pair"), ({"all_pairs": True}, "; 2 more pairs")):
        with pytest.warns(UserWarning, match="two systems differ in only") as told:
            textgauge.compare(systems, systems[0], metric="rouge1", **options)
        assert len(told) == 1
        assert f"only 2 segments, too few to interpret p (systems[0] and systems[2] by rouge1{more})" in str(
            told[0].message
        )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("test", TESTS)
def test_enough_different_segments_or_none_raise_no_warning(test):
    assert test([1.0] * 12, [2.0] * 12, n_resamples=2000).p < 0.05
    assert test([1.0, 2.0], [1.0, 2.0]).p == 1.0
    mixed = test([1.0] * 6, [2.0, 2.0, 2.0, 2.0, 0.5, 0.5], n_resamples=2000)
    assert 0.016 < mixed.p < 0.4


def test_bootstrap_p_too_small_warns():
    six = [1.0] * 6, [2.0] * 6
    with pytest.warns(UserWarning, match=FEW.format(6, "scores1 and scores2") + ".* with probability 0.031;"):
        assert resampling.paired_bootstrap(*six).p < 0.002
    assert resampling.paired_permutation(*six).p > 0.02


@compiled_only
def test_exchanges_are_fair_and_independent():
    masks = weights(resampling.exchanged_sums, 65, 20_000)
    # 6 standard errors: 65 segments, and their pairs of neighbours, all within.
    assert np.abs(masks.mean(axis=0) - 0.5).max() < 6 * 0.5 / 20_000**0.5
    assert np.abs((masks[:, 1:] == masks[:, :-1]).mean(axis=0) - 0.5).max() < 6 * 0.5 / 20_000**0.5


@pytest.mark.slow
@compiled_only
def test_resamples_are_independent():
    for draw in (resampling.resampled_sums, resampling.exchanged_sums):
        table = weights(draw, 2000, 200)
        correlations = np.corrcoef(table)[np.triu_indices(200, 1)]
        # By chance the mean square is 1 / n.
        assert 0.95 < np.mean(correlations**2) * 2000 < 1.05
        other = np.corrcoef(table.ravel(), weights(draw, 2000, 200, seed=1).ravel())[0, 1]
        assert abs(other) < 6 / table.size**0.5


@given(st.lists(st.tuples(whole, whole), min_size=2, max_size=8))
def test_permutation_estimates_the_share_of_all_exchanges(pairs):
    scores1, scores2 = zip(*pairs, strict=True)
    result = resampling.paired_permutation(scores1, scores2, n_resamples=4000)
    exact = naive.exact_permutation(scores1, scores2)
    # 5 standard errors, and the 1 that is added.
    assert result.p == pytest.approx(exact, abs=5 * (exact * (1 - exact) / 4000) ** 0.5 + 1 / 4000)


@pytest.mark.parametrize("place", [0, 1])
def test_infinite_system_is_refused(place):
    """Perplexity is infinite where a model finds a text impossible."""
    systems = [["the cat"] * 6, ["the cat"] * 6]
    systems[place] = ["a dog"] * 6
    with pytest.raises(ValueError, match=rf"^systems\[{place}\]: .*corpus_perplexity.*got inf$"):
        textgauge.compare(systems, metric="perplexity(ngram_train=['the cat'], ngram_smoothing='mle')")


def test_systems_have_names_and_several_metrics_one_correction():
    base, new, other = ["a b c d", "f g"] * 12, ["a b c e", "f h"] * 12, ["a b x e", "f h"] * 12
    systems = {"base": base, "new": new, "<b>": other}
    found = textgauge.compare(systems, new, metric=["rouge1", "chrf(word_order=2)"], n_resamples=200)
    assert [*found] == ["rouge1", "chrf(word_order=2)"]
    alone = [textgauge.compare([*systems.values()], new, metric=metric, n_resamples=200) for metric in found]
    assert [*found.values()] == alone
    every = [tested.p for comparisons in alone for tested in comparisons]
    assert [p for comparisons in found.values() for p in comparisons.p_holm] == resampling.holm(every)
    assert alone[0].p_holm == resampling.holm(every[:2])
    assert (found["rouge1"].names, alone[0].names) == (["base", "new", "<b>"], [f"systems[{i}]" for i in range(3)])
    page = found["rouge1"]._repr_html_()
    assert "&lt;b&gt;" in page
    assert "p (Holm)" in page
    [single] = textgauge.compare([base, new], new, metric="rouge1", n_resamples=200)
    assert textgauge.compare({"a": base, "b": new}, new, metric="rouge1", n_resamples=200).p_holm is None
    assert single == found["rouge1"][0]
    ranks = textgauge.compare(systems, new, metric=["rouge1", "bleu"], all_pairs=True)
    assert ranks["rouge1"].clusters[0][0] == 1


def test_what_is_explained_has_a_short_repr():
    found = textgauge.explain(["a b c"] * 300, ["a b d"] * 300, metric="rouge1")
    assert len(repr(found)) < 100
    assert len(str(found)) > 1000
