"""Poisson weights: the naive twin, the distribution, independence."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles.poisson import poisson_cells, poisson_weight
from textgauge.resampling import poisson_weights
from textgauge.resampling.poisson import CELLS

keys_64 = st.integers(0, 2**64 - 1)


@given(st.lists(keys_64, min_size=1, max_size=4), st.integers(1, 9), keys_64)
def test_weights_are_those_of_the_twin(keys, n_resamples, seed):
    weights = poisson_weights(np.array(keys, np.uint64), n_resamples, seed)
    twin = [[poisson_weight(key, resample, seed, CELLS) for key in keys] for resample in range(n_resamples)]
    assert weights.tolist() == twin


def test_cells_are_poisson_with_mean_and_variance_one():
    assert sum(CELLS) == 1 << 16
    assert sum(weight * cells for weight, cells in enumerate(CELLS)) == 1 << 16
    assert sum((weight - 1) ** 2 * cells for weight, cells in enumerate(CELLS)) == 1 << 16
    assert max(abs(a - b) for a, b in zip(CELLS, poisson_cells(len(CELLS)), strict=True)) < 2
