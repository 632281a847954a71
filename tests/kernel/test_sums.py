"""Sums without rounding: both kernels against fractions; sums of drawn rows, to the last bit."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import covering
from textgauge.plain import resamples

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


FACTORS = [1.0, 100.0, -0.1, 2.0**-64, 1e19]


def columns_of(rows):
    """Return the columns of a table as they come: views of it, with other numbers between theirs."""
    return [*np.array(rows, float).T]


def rounded(value):
    """Return a number as a multiple of 2**-96, exactly."""
    return Fraction(round(Fraction(value) * 2**96), 2**96)


@few
@given(tables, tables, st.sampled_from(FACTORS), st.sampled_from([1, 3]), st.sampled_from([1.0, 2.0**-90 / 3, -1.0]))
def test_means_are_rounded_once(kernel, rows, others, factor, n_threads, by):
    others = [row[:1] * len(rows[0]) for row in others]
    parts = [[[by * value for value in row] for row in part] for part in (rows, others)]
    both = [sum(map(rounded, column)) for column in zip(*parts[0], *parts[1], strict=True)]
    expected = [float(total * Fraction(factor) / (len(rows) + len(others))) for total in both]
    assert kernel.exact_means(iter(map(columns_of, parts)), factor, n_threads) == expected


@pytest.mark.parametrize(
    ("refused", "n_threads"), covering([2.0**62, -(2.0**62), float("nan"), float("inf"), -float("inf")], [1, 3])
)
def test_the_first_number_without_a_mean_is_returned(kernel, refused, n_threads):
    table = np.tile([0.5, -0.25], (9000, 1))
    assert kernel.exact_means([[*table.T]], 1.0, n_threads) == [0.5, -0.25]
    # Of two the one of the earlier column.
    table[8999, 0], table[3, 1] = refused, 2.0**70
    assert np.array_equal(kernel.exact_means([[*table.T]], 1.0, n_threads), refused, equal_nan=True)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("n_threads", [1, 3])
def test_means_of_too_large_sums_are_refused(kernel, sign, n_threads):
    largest = np.array([2.0**62 - 2**10] * 3) * sign
    assert kernel.exact_means([[largest[:2]]], 1.0, n_threads) == [largest[0]]
    with pytest.raises(OverflowError, match="less than 2"):
        kernel.exact_means([[largest]], 1.0, n_threads)
    # 2**63 is too large, and so is what adds up to it; what is less by one unit is not.
    eighths = np.array([2.0**60] * 8) * sign
    with pytest.raises(OverflowError, match="less than 2"):
        kernel.exact_means([[eighths]], 1.0, n_threads)
    eighths[3] -= sign * 2.0**8
    assert kernel.exact_means([[eighths]], 8.0, n_threads) == [float(sign * (2**63 - 2**8))]


ONES = np.ones(2)


@pytest.mark.parametrize(
    ("parts", "factor", "allowed"),
    [
        ([], 1.0, "at least one"), ([[]], 1.0, "at least one"), ([[ONES[:0]]], 1.0, "at least one"),
        ([[ONES], [ONES, ONES]], 1.0, "as many columns"), ([[ONES, ONES[:1]]], 1.0, "of one length"),
        ([[ONES]], 0.0, "factor"), ([[ONES]], float("nan"), "factor"), ([[ONES]], 2.0**65, "factor"),
        ([[ONES]], 2.0**-65, "factor"),
    ],
)  # fmt: skip
def test_means_that_cannot_be_are_refused(kernel, parts, factor, allowed):
    with pytest.raises(ValueError, match=allowed):
        kernel.exact_means(parts, factor)


# Around the widths of words, of blocks and of lanes; the largest of integers of 16, 32 and 64 bits.
N_ROWS = [1, 2, 63, 64, 65, 130, 511, 512, 513, 1025, 1500]
N_COLUMNS = [1, 2, 7, 8, 9, 17]
LARGEST = [1, 30, 2**15 - 1, 2**15, 2**31, 2**52]
words = st.integers(0, 2**64 - 1)


def table(n_rows, n_columns, largest, is_whole, seed):
    rows = np.random.default_rng(seed).integers(-largest, largest, (n_rows, n_columns), endpoint=True)
    return rows if is_whole else rows / 3


resampled_tables = st.builds(
    table, st.sampled_from(N_ROWS), st.sampled_from(N_COLUMNS), st.sampled_from(LARGEST), st.booleans(),
    st.integers(0, 9),
)  # fmt: skip


def test_words_are_those_of_splitmix64():
    # Of the seed 0, as in the reference implementation of xoshiro's authors.
    steps = [resamples.mixed(0x9E3779B97F4A7C15 * i % 2**64) for i in (1, 2, 3)]
    assert steps == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
