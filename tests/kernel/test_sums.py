"""Sums without rounding: both kernels against fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.material import few, listed

ratios = st.builds(lambda part, whole: part / whole, st.integers(0, 10**6), st.integers(1, 10**6))
values = st.one_of(ratios, st.floats(0, 1e12).filter(lambda x: x == 0 or x >= 2**-43), st.just(2.0**-96))
tables = st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(values, min_size=n, max_size=n), min_size=1, max_size=9))
REFUSED = [-1.0, 2.0**-97, 2.0**-50 / 3, 2.0**63, float("nan"), float("inf"), -float("inf")]


@few
@given(tables, st.sampled_from(REFUSED), st.randoms())
def test_the_first_value_without_digits_is_named(kernel, rows, refused, random):
    table = np.array(rows)
    place = random.randrange(table.size)
    table.flat[place] = refused
    assert kernel.digit_sums(table) == place


@pytest.mark.parametrize(
    "column", [[2.0**62] * 3, [2.0**62] * 2, [2.0**62] * 5, [2.0**63 - 2**10, 2.0**10], [2.0**63 - 2**10, 1023.5, 0.5]]
)
def test_sums_without_digits_are_refused(kernel, column):
    with pytest.raises(OverflowError, match="less than 2"):
        kernel.digit_sums(np.array([[1.0, value] for value in column]))
    # A value without digits is named first.
    assert kernel.digit_sums(np.array([[value] for value in (*column, -1.0)])) == len(column)
    assert listed(kernel.digit_sums(np.array([[value / 4] for value in column])))[0][0] < 2**63


def test_nothing_sums_to_zero(kernel):
    assert listed(kernel.digit_sums(np.zeros((0, 2)))) == [[0, 0]] * 4
    assert listed(kernel.digit_sums(np.array([[-0.0, 0.0]]))) == [[0, 0]] * 4


@few
@given(tables, st.sampled_from([1.0, 100.0, -0.1, 2.0**-64, 1e19]))
def test_means_are_rounded_once(kernel, rows, factor):
    table = np.array(rows)
    totals = [sum(map(Fraction, column)) for column in table.T.tolist()]
    expected = [float(total * Fraction(factor) / len(rows)) for total in totals]
    digits = np.array(listed(kernel.digit_sums(table)), np.int64)
    assert kernel.digit_means(digits, len(rows), factor) == expected
    assert kernel.digit_means(-digits, len(rows), factor) == [-mean for mean in expected]


@pytest.mark.parametrize(
    ("shape", "n", "factor", "allowed"),
    [
        ((3, 2), 1, 1.0, "sums: expected four"), ((4, 1), 0, 1.0, "n: expected 1"),
        ((4, 1), 2**62 + 1, 1.0, "n: expected"), ((4, 1), 1, 0.0, "factor"), ((4, 1), 1, float("nan"), "factor"),
        ((4, 1), 1, 2.0**65, "factor"), ((4, 1), 1, 2.0**-65, "factor"),
    ],
)  # fmt: skip
def test_means_that_cannot_be_are_refused(kernel, shape, n, factor, allowed):
    with pytest.raises(ValueError, match=allowed):
        kernel.digit_means(np.ones(shape, np.int64), n, factor)
