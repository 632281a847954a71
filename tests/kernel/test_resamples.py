"""Sums of drawn rows: the compiled kernel against its twin, to the last bit."""

import numpy as np
from hypothesis import strategies as st
from textgauge.plain import resamples

# Around the widths of words, of blocks and of lanes; the largest of integers of 16, 32 and 64 bits.
N_ROWS = [1, 2, 63, 64, 65, 130, 511, 512, 513, 1025, 1500]
N_COLUMNS = [1, 2, 7, 8, 9, 17]
LARGEST = [1, 30, 2**15 - 1, 2**15, 2**31, 2**52]
words = st.integers(0, 2**64 - 1)


def table(n_rows, n_columns, largest, is_whole, seed):
    rows = np.random.default_rng(seed).integers(-largest, largest, (n_rows, n_columns), endpoint=True)
    return rows if is_whole else rows / 3


tables = st.builds(
    table, st.sampled_from(N_ROWS), st.sampled_from(N_COLUMNS), st.sampled_from(LARGEST), st.booleans(),
    st.integers(0, 9),
)  # fmt: skip


def test_words_are_those_of_splitmix64():
    # Of the seed 0, as in the reference implementation of xoshiro's authors.
    steps = [resamples.mixed(0x9E3779B97F4A7C15 * i % 2**64) for i in (1, 2, 3)]
    assert steps == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
