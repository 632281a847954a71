"""Sums and means of scores against fractions: rounded once, in any order."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textgauge.sums import (
    are_own_means,
    carried,
    digits_of,
    exact_means,
    exact_sums,
    from_digits,
    rounded,
    scaled_means,
)

ratios = st.builds(lambda part, whole: part / whole, st.integers(0, 10**6), st.integers(1, 10**6))
values = st.one_of(ratios, st.floats(-1e9, 1e9).filter(lambda x: x == 0 or abs(x) >= 2**-43))
tiny = st.floats(-(2.0**-43), 2.0**-43)


def exact(numbers):
    return sum(map(Fraction, numbers), Fraction())


@given(st.lists(st.tuples(values, values), min_size=1, max_size=40), st.randoms())
def test_sums_and_means_are_rounded_once_in_any_order(rows, random):
    columns = np.array(rows)
    expected = [exact(column) for column in columns.T.tolist()]
    random.shuffle(rows)
    assert exact_sums(np.array(rows)).tolist() == [float(total) for total in expected]
    assert exact_means([[*np.array(rows).T]]) == [float(total / len(rows)) for total in expected]


@given(st.lists(st.one_of(values, tiny), min_size=1, max_size=5))
def test_numbers_that_are_their_own_means_are_found(row):
    own = [value for value in row if are_own_means([value])]
    assert not own or exact_means([[np.array([value]) for value in own]]) == own
    assert are_own_means(row) == (own == row)
    assert not any(are_own_means([value]) for value in (float("nan"), float("inf"), 2.0**62, 1e-20))


def test_many_rows_are_summed_in_blocks():
    scores = np.random.default_rng(0).random((10_000, 6))
    expected = [float(exact(column) / 10_000) for column in scores.T.tolist()]
    for n_threads in (1, 4):
        assert exact_means([[*scores[:1].T], [*scores[1:].T]], n_threads=n_threads) == expected


def test_carries_go_through_all_digits():
    most = 2**32 - 1
    assert carried(np.array([0, most, most, 2**32])).tolist() == [1, 0, 0, 0]
    assert carried(np.array([5, most, 2**32 + 1, most])).tolist() == [6, 0, 1, most]
    # Of negative sums only the first digit is negative.
    assert carried(np.array([[0, 1], [0, 0], [-1, 0], [0, -1]])).tolist() == [
        [-1, 0],
        [most, most],
        [most, most],
        [0, most],
    ]


@pytest.mark.parametrize(("parts", "units"), [(0.75, 1), (0.5, 0), (0.25, 0), (1.5, 2), (2.5, 2), (2.75, 3)])
def test_tiny_numbers_round_half_even(parts, units):
    """Units of the last digit: of the nearest two multiples the nearer, of equally near ones the even."""
    unit = 2.0**-96
    for sign in (1.0, -1.0):
        assert exact_sums(np.array([sign * parts * unit])).tolist() == sign * units * unit
        assert exact_means([[np.array([sign * parts * unit, 0.0])]]) == [sign * units * unit / 2]
    assert exact_sums(np.array([0.75 * unit] * 4)).tolist() == 4 * unit


def test_whole_numbers_keep_their_type():
    assert exact_sums(np.array([[2**62, 1], [1, 1]])).tolist() == [2**62 + 1, 2]


@given(st.lists(st.lists(values, min_size=1, max_size=9), min_size=1, max_size=9))
def test_parts_add_up_to_the_whole(parts):
    partial = [carried(digits_of(part).sum(axis=1).astype(np.int64)) for part in parts]
    assert all((digits[1:] < 2**32).all() for digits in partial)
    total = from_digits(np.sum(partial, axis=0))
    assert rounded(total) == float(exact(number for part in parts for number in part))


@given(st.lists(st.one_of(tiny, values), min_size=1, max_size=20), st.randoms())
def test_digits_beyond_the_last_are_rounded_number_by_number(numbers, random):
    rounded_each = [Fraction(round(Fraction(number) * 2**96), 2**96) for number in numbers]
    digits = digits_of(numbers)
    assert [
        sum(Fraction(d) / 2 ** (32 * i) for i, d in enumerate(column)) for column in digits.T.tolist()
    ] == rounded_each
    expected = float(sum(rounded_each))
    assert float(exact_sums(np.array(numbers))) == expected
    random.shuffle(numbers)
    assert float(exact_sums(np.array(numbers))) == expected


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 2.0**62, -(2.0**62)])
def test_numbers_out_of_range_of_the_digits_are_refused(value):
    with pytest.raises(ValueError, match="^values: .*62"):
        digits_of([0.5, value])
    with pytest.raises(ValueError, match="^values: .*62"):
        exact_means([[np.array([0.5, value])], [np.array([1.0])]])


def test_sums_that_64_bits_cannot_hold_are_refused():
    for sign in (1, -1):
        with pytest.raises(OverflowError, match="^values: .*columns"):
            exact_sums(np.array([sign * 2.0**61] * 4))


def test_scaled_means_are_rounded_once():
    values = np.array([0.02834747652200631, 0.8357651039198697, 0.43276706790505337])
    sums = from_digits(digits_of(values).sum(axis=1, keepdims=True))
    assert scaled_means(sums, 3, 100.0)[0] == 43.22932161156431
