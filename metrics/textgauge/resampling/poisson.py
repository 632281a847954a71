"""Bootstrap weights of rows spread over machines, as a function of each row's key."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from .draws import seed_of

Words = npt.NDArray[np.uint64]

# The number of the 65,536 cells with weights 0, 1, 2, ...: Poisson with mean 1, rounded such that
# mean and variance are exactly 1.
CELLS = (24109, 24109, 12056, 4018, 1005, 200, 33, 5, 1)
_WEIGHTS = np.repeat(np.arange(len(CELLS), dtype=np.uint8), CELLS)
_LANES, _LANE_BITS = 4, 16
_STEP = 0x9E3779B97F4A7C15


def poisson_weights(keys: Words, n_resamples: int, seed: int | None = None) -> FloatArray:
    """Return the number of draws of every row in resamples whose expected size is that of the data.

    A weight depends only on the key of its row, the index of the resample and the seed, not on
    other rows, nor on the machine or batch of its row. Rows with the same key are drawn together,
    as a cluster.

    Parameters
    ----------
    keys : uint64, shape (n_rows,)
    n_resamples : int
    seed : int or None
        See `seed_of`.

    Returns
    -------
    float64, shape (n_resamples, n_rows)
        Integers, Poisson distributed with mean 1, with probabilities in multiples of 2**-16.

    References
    ----------
    Hanley and MacGibbon (2006), Creating non-parametric bootstrap samples using Poisson
    frequencies. Chamandy et al. (2012), Estimating Uncertainty for Massive Data Streams. Steele,
    Lea and Flood (2014), Fast Splittable Pseudorandom Number Generators, for the mixing of bits.

    Examples
    --------
    >>> one, two = np.array([7, 8], np.uint64), np.array([8, 9], np.uint64)
    >>> bool((poisson_weights(one, 5)[:, 1] == poisson_weights(two, 5)[:, 0]).all())
    True
    """
    start = _mixed(keys ^ _mixed(np.array([seed_of(seed) % (1 << 64)], np.uint64)))
    n_words = -(-n_resamples // _LANES)
    steps = np.arange(1, n_words + 1, dtype=np.uint64) * np.uint64(_STEP)
    words = _mixed(start + steps[:, None])
    weights = np.empty((n_words, _LANES, len(keys)))
    for lane in range(_LANES):
        cells = (words >> np.uint64(_LANE_BITS * lane)).astype(np.uint16)
        weights[:, lane] = _WEIGHTS[cells]
    return weights.reshape(-1, len(keys))[:n_resamples]


def _mixed(words: Words) -> Words:
    """Mix the bits of each word, bijectively."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
