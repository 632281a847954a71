"""Scores that are missing are refused, or left out and counted."""

from math import nan

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from textgauge.resampling import paired_bootstrap, paired_permutation
from textgauge.resampling.units import units_of

FIRST = [0.5, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1]
SECOND = [1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1]
LACKING = [0.5, None, 0, 1, nan, 1, 1, "", 1, 0, 1, 1]
LEFT = [i for i, item in enumerate(LACKING) if i not in (1, 4, 7)]
pytestmark = pytest.mark.filterwarnings("ignore:two systems differ in only")


@pytest.mark.parametrize("test", [paired_bootstrap, paired_permutation])
@pytest.mark.parametrize("unit", [None, [*"aabbccddeeff"]])
@pytest.mark.filterwarnings("ignore:.*(units .* are drawn|p of the bootstrap is too small)")
def test_segments_without_a_score_are_left_out(test, unit):
    lacking = [*SECOND[:2], None, *SECOND[3:]]
    known = [i for i in LEFT if i != 2]
    with pytest.warns(
        UserWarning, match="4 of 12 segments are left out: scores1 has none for 3 .*2 has none for 1 seg"
    ):
        found = test(LACKING, lacking, n_resamples=100, unit=unit, skip_bad=True)
    labels = unit and [unit[i] for i in known]
    expected = test([FIRST[i] for i in known], [SECOND[i] for i in known], n_resamples=100, unit=labels)
    assert found == expected
    assert test(FIRST, SECOND, n_resamples=100, skip_bad=True) == test(FIRST, SECOND, n_resamples=100)
    with pytest.warns(UserWarning, match="left out"), pytest.warns(UserWarning, match=r"only 6 units \(doc\) are"):
        test(LACKING, SECOND, n_resamples=100, unit=units_of([*"aabbccddeeff"], "doc"), skip_bad=True)
    with pytest.raises(TypeError, match=r"^scores1\[1\]: .*skip_bad.*got None"):
        test([*LACKING[:4], *LACKING[5:7]], SECOND[:6])


@pytest.mark.parametrize("form", [pa.array, np.array, lambda items: np.ma.masked_invalid(np.array(items, float))])
def test_columns_of_any_form_may_miss_scores(form):
    given = [nan if item in (None, "") else item for item in LACKING]
    with pytest.warns(UserWarning, match="3 of 12 segments are left out"):
        found = paired_bootstrap(form(given), SECOND, n_resamples=50, skip_bad=True)
    expected = paired_bootstrap([FIRST[i] for i in LEFT], [SECOND[i] for i in LEFT], n_resamples=50)
    assert found == expected


@pytest.mark.filterwarnings("ignore:.* segments are left out")
def test_what_is_no_score_is_refused_all_the_same():
    with pytest.raises(TypeError, match=r"^scores1: .*got \['x', 0, 1, 1, 1"):
        paired_bootstrap(["x", *LACKING[1:]], SECOND, skip_bad=True)
    with pytest.raises(ValueError, match="as many segments"):
        paired_bootstrap(FIRST, SECOND[1:], skip_bad=True)
    with pytest.raises(ValueError, match="at least 2 segments"), pytest.warns(UserWarning, match="left out"):
        paired_bootstrap([1, None, nan], [1, 2, 3], skip_bad=True)
    with pytest.raises(ValueError, match="^skip_bad: .*`score`.*got True"):
        paired_bootstrap([[1]], [[2]], score=lambda sums: sums[..., 0], skip_bad=True)


def test_samples_without_a_verdict_are_left_out():
    given = {"a": [True, None, False], "b": [1, 0, nan, 1]}
    with pytest.warns(UserWarning, match="2 of 7 samples are left out, without a score"):
        found = textgauge.pass_at_k(given, k=[1, 2], skip_bad=True)
    assert found == textgauge.pass_at_k({"a": [1, 0], "b": [1, 0, 1]}, k=[1, 2])
    with pytest.warns(UserWarning, match="left out"):
        by_label = textgauge.pass_at_k(
            [item for of_one in given.values() for item in of_one], [*"aaabbbb"], k=[1, 2], skip_bad=True
        )
    assert by_label == found
    with pytest.raises(TypeError, match=r"scores\['a'\]\[1\]"):
        textgauge.pass_at_k(given)
    with pytest.raises(ValueError, match=r"scores\['b'\]\[3\].* 0\.5"), pytest.warns(UserWarning, match="left out"):
        textgauge.pass_at_k({**given, "b": [1, 0, nan, 0.5]}, skip_bad=True)
    with pytest.raises(ValueError, match=r"^scores\[2\]: .* 2"), pytest.warns(UserWarning, match="left out"):
        textgauge.pass_at_k([None, 1, 2], [*"aab"], skip_bad=True)
    with pytest.raises(ValueError, match="got none of 'a'"), pytest.warns(UserWarning, match="left out"):
        textgauge.pass_at_k({"a": [None], "b": [1]}, skip_bad=True)
