"""Every two systems: the p-values of `compare`, rank ranges and clusters."""

import numpy as np
import pytest
import textgauge
from textgauge import sample
from textgauge.resampling import AllPairs, PairedOptions, compare_all, holm, ranking
from textgauge.resampling.power import of_several_tests

HYPS, GROUPS = sample.columns("translations")
REFS = [texts[0] for texts in GROUPS]
SYSTEMS = [HYPS, [*REFS[:12], *HYPS[12:]], HYPS, [*HYPS[:10], *["no"] * (len(HYPS) - 10)]]


@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
@pytest.mark.parametrize("metric", ["bleu", "ter", "rouge1"])
def test_pairs_have_the_p_values_of_two_systems(metric, test):
    options = {"metric": metric, "test": test, "n_resamples": 200, "seed": 3}
    found, detectable = textgauge.compare(SYSTEMS, REFS, all_pairs=True, **options), []
    for i in range(len(SYSTEMS)):
        for j in range(i + 1, len(SYSTEMS)):
            [pair] = textgauge.compare([SYSTEMS[i], SYSTEMS[j]], REFS, **options)
            assert found.p[i][j] == found.p[j][i] == pair.p
            assert (found.scores[i], found.scores[j]) == (pair.score1, pair.score2)
            assert found.stat[j][i] == pytest.approx(pair.stat, abs=1e-12)
            assert found.confidence_intervals[i] == pair.confidence_interval1
            detectable += [pair.detectable] if pair.detectable else []
    assert found.detectable == pytest.approx(of_several_tests(6, 0.05) * max(detectable))
    upper = np.triu_indices(len(SYSTEMS), 1)
    assert np.array(found.p_holm)[upper].tolist() == holm(np.array(found.p)[upper].tolist())
    assert (found.p[0][2], found.p_holm[0][2]) == (1, 1)


def test_lowest_ranks_first_where_lower_is_better():
    found = textgauge.compare(SYSTEMS, REFS, metric="ter", all_pairs=True)
    assert found.clusters[0] == [int(np.argmin(found.scores))]
    assert found.clusters[-1] == [int(np.argmax(found.scores))]
    assert found.rank_ranges == [[2, 3], [1, 1], [2, 3], [4, 4]]


def test_clusters_end_where_all_above_beat_all_below():
    better = np.zeros((4, 4), bool)
    better[0, 2:] = better[1, 3] = better[2, 3] = True
    found = ranking(np.array([4.0, 3, 2, 1]), better)
    assert (found.order, found.ranges) == ([0, 1, 2, 3], [[1, 2], [1, 3], [2, 3], [4, 4]])
    assert found.clusters == [[0, 1, 2], [3]]
    assert ranking(np.array([1.0, 2, 3, 4]), better[::-1, ::-1]).clusters == [[3, 2, 1], [0]]


def test_without_significance_there_is_one_cluster():
    found = ranking(np.array([1.0, 3, 2]), np.zeros((3, 3), bool))
    assert (found.ranges, found.clusters) == ([[1, 3]] * 3, [[1, 2, 0]])


def test_two_systems_alike_and_no_confidence():
    named = {"a": [1.0, 2, 3], "b": [1.0, 2, 3]}
    options = PairedOptions("permutation", confidence=None)
    found = compare_all(named, None, options)
    assert found == AllPairs(
        [2.0, 2.0], None, [[0.0, 0.0]] * 2, [[1.0, 1.0]] * 2, [[1.0, 1.0]] * 2, [[1, 2]] * 2, [[0, 1]]
    )


@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
def test_p_values_are_those_of_any_unit(test):
    """Rounding is relative: neither small scores nor large ones are ties."""
    draws = np.random.default_rng(0).random((3, 50)) / 3
    draws = np.stack([*draws, draws[0][::-1]])
    first, *others = (
        compare_all(dict(enumerate_names(draws * 2.0**power)), None, PairedOptions(test, 200, 3)).p
        for power in (0, -60, 60)
    )
    assert others == [first] * 2
    assert first[0][3] == 1 > first[0][1]


def enumerate_names(rows):
    return [(str(i), row) for i, row in enumerate(rows)]


def test_few_segments_warn_once():
    named = {"a": [1.0, 2, 3], "b": [2.0, 3, 4], "c": [4.0, 5, 6]}
    with pytest.warns(UserWarning, match="only 3 segments") as caught:
        compare_all(named, None, PairedOptions())
    assert len(caught) == 1


def test_there_is_no_one_sided_p_of_all_pairs():
    with pytest.raises(ValueError, match="^p_value: .*got 'one-sided'"):
        textgauge.compare(SYSTEMS, REFS, all_pairs=True, p_value="one-sided")
    with pytest.raises(TypeError, match="^all_pairs: .*got 1"):
        textgauge.compare(SYSTEMS, REFS, all_pairs=1)


def test_resamples_are_enough_for_all_pairs_to_be_significant():
    # 45 pairs: 1000 resamples are enough; of 30 systems there are 435.
    options = PairedOptions()
    counts = [textgauge.resampling.options_for_pairs(options, n, 100).n_resamples for n in (2, 10, 12, 30)]
    assert counts == [1000, 1000, 2000, 9000]
    apart = {str(i): np.arange(20.0) % 3 + i for i in range(12)}
    assert compare_all(apart, None, options).clusters == [[i] for i in reversed(range(12))]
    with pytest.warns(UserWarning, match="no two systems can differ significantly; take 1,320 or more"):
        assert len(compare_all(apart, None, options._replace(n_resamples=1000)).clusters) == 1


def test_a_cluster_ends_only_where_every_system_above_is_better():
    better = np.zeros((3, 3), bool)
    better[1, 2] = True
    assert ranking(np.array([0.9, 0.8, 0.1]), better).clusters == [[0, 1, 2]]


def test_the_smallest_difference_is_that_of_a_test_of_both_sides_unless_one_is_asked_for():
    baseline, other = ["a b c d", "f g"] * 12, ["a b c e", "f h"] * 10 + ["a b", "f g"] * 2
    of_both, of_sacrebleu, of_one = (
        textgauge.compare([baseline, other], ["a b c e", "f g"] * 12, metric="rouge1", p_value=p_value)[0].detectable
        for p_value in ("two-sided", "sacrebleu", "one-sided")
    )
    assert of_sacrebleu == of_both > 1.1 * of_one


def test_units_without_width_get_the_interval_of_their_number():
    """Twenty units and not forty segments are drawn, where all are right."""
    first, second, unit = ["b"] * 20 + ["a"] * 20, ["a"] * 40, [i // 2 for i in range(40)]
    [found] = textgauge.compare([first, second], ["a"] * 40, metric="exact_match", unit=unit)
    assert found.confidence_interval2 == pytest.approx((0.8315665290169147, 1.0), abs=1e-12)


@pytest.mark.parametrize(("confidence", "n"), [(0.8, 4), (0.9, 9), (0.95, 19), (0.99, 99), (0.999, 999), (None, 19)])
def test_p_at_the_level_is_not_below_it(confidence, n):
    """Of systems that differ as far as they can, p is 1 / (n + 1)."""
    named = {"a": [1.0, 2.0] * 15, "b": [3.0, 4.0] * 15}
    options = PairedOptions(test="permutation", n_resamples=n, confidence=confidence)
    with pytest.warns(UserWarning, match=f"no two systems can differ significantly; take {n + 1:,} or more"):
        assert compare_all(named, None, options).clusters == [[1, 0]]
    assert compare_all(named, None, options._replace(n_resamples=n + 1)).clusters == [[1], [0]]
