"""Poisson weights: the naive twin, the distribution, independence."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles.poisson import poisson_cells, poisson_weight
from textgauge.resampling import exchanged_sums, poisson_weights, resampled_sums
from textgauge.resampling.draws import CELLS

keys_64 = st.integers(0, 2**64 - 1)
KEYS = np.arange(2000, dtype=np.uint64)


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


def test_rows_and_resamples_are_independent():
    weights = poisson_weights(KEYS, 1000)
    share = np.bincount(weights.astype(int).ravel(), minlength=len(CELLS)) / weights.size
    assert np.abs(share - np.array(CELLS) / 65536).max() < 1e-3
    for table in (weights[:200], weights.T[:200]):
        correlations = np.corrcoef(table)[np.triu_indices(200, 1)]
        # By chance the mean square is 1 / n.
        assert 0.95 < np.mean(correlations**2) * table.shape[1] < 1.05


def test_a_seed_draws_anew():
    other = np.corrcoef(poisson_weights(KEYS, 100).ravel(), poisson_weights(KEYS, 100, seed=1).ravel())[0, 1]
    assert abs(other) < 0.02


def test_every_bit_of_a_seed_of_64_draws_anew():
    rows = np.eye(9, dtype=int)
    for draw in (resampled_sums, exchanged_sums, lambda rows, n, seed: [poisson_weights(KEYS[:9], n, seed)]):
        tables = [[*draw(rows, 20, seed)][0].tobytes() for seed in (0, *(1 << bit for bit in range(64)), 1 << 64)]
        assert (len({*tables}), tables[-1]) == (65, tables[0])
