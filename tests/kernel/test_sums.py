"""Sums without rounding: both kernels against fractions."""

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
