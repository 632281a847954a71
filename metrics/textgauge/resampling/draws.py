"""What resamples draw at random: sums of segments, in blocks of bounded memory, and weights of spread rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import engine, threads
from ..arrays import FloatArray
from ..checks import fail, positive_int, shown

_SEED = 12345
# Numbers in memory at a time.
_BLOCK = 1 << 21
# Above it sums of integers, and of their differences, might not be exact: they are added as floats.
_LARGEST_SUM = 1 << 62

Columns = npt.NDArray[Any]
Words = npt.NDArray[np.uint64]

# The number of the 65,536 cells with weights 0, 1, 2, ...: Poisson with mean 1, rounded such that
# mean and variance are exactly 1.
CELLS = (24109, 24109, 12056, 4018, 1005, 200, 33, 5, 1)
_WEIGHTS = np.repeat(np.arange(len(CELLS), dtype=np.uint8), CELLS)
_LANES, _LANE_BITS = 4, 16
_STEP = 0x9E3779B97F4A7C15


def seed_of(seed: object) -> int:
    """Return the seed of the random generator; None is 12345, as in sacreBLEU's tests."""
    if seed is None:
        return _SEED
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        fail(TypeError, "seed", "a whole number of at least 0, or None", shown(seed))
    if seed < 0:
        fail(ValueError, "seed", "a whole number of at least 0, or None", shown(seed))
    return int(seed)


def resampled_sums(columns: Columns, n_resamples: int, seed: int | None = None) -> Iterator[FloatArray]:
    """Yield the sums of as many segments as there are, drawn with replacement.

    Parameters
    ----------
    columns : int64 or float64, shape (n_segments, n_columns)
    n_resamples : int
    seed : int or None
        See `seed_of`; modulo 2**64. The draws of a resample depend on the seed, its number and the number of
        segments: not on the columns, the number of resamples or of threads.

    Yields
    ------
    float64, shape (n_in_block, n_columns)
        Sums of integers are exact.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 6.2.

    Examples
    --------
    >>> [block[:, 0].tolist() for block in resampled_sums(np.ones((5, 1), np.int64), 2)]
    [[5.0, 5.0]]
    """
    return _blocks(engine.kernel.resampled_sums, columns, n_resamples, seed)


def exchanged_sums(columns: Columns, n_resamples: int, seed: int | None = None) -> Iterator[FloatArray]:
    """Yield the sums of the segments that two systems exchange, each with probability one half.

    Parameters and blocks as in `resampled_sums`.

    References
    ----------
    Riezler and Maxwell (2005), On Some Pitfalls in Automatic Evaluation, section 4.2.

    Examples
    --------
    >>> [sums] = exchanged_sums(np.array([[1], [2]]), 100)
    >>> np.unique(sums).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    return _blocks(engine.kernel.exchanged_sums, columns, n_resamples, seed)


def exact_columns(columns: Columns) -> Columns:
    """Return integers whose sums are exact as int64, other numbers as float64."""
    if columns.dtype.kind in "iu" and columns.size:
        largest = max(int(columns.max()), -int(columns.min()))
        if largest * len(columns) < _LARGEST_SUM:
            return np.ascontiguousarray(columns, np.int64)
    return np.ascontiguousarray(columns, np.float64)


def _blocks(summed: Callable[..., Any], columns: Columns, n_resamples: int, seed: int | None) -> Iterator[FloatArray]:
    columns, word = exact_columns(columns), seed_of(seed) % (1 << 64)
    positive_int("n_resamples", n_resamples)
    # A draw takes about as long as a byte of text.
    n_threads = threads.threads_for(n_resamples, n_resamples * len(columns))
    n_in_block = max(1, _BLOCK // columns.shape[1])
    for first in range(0, n_resamples, n_in_block):
        sums = summed(columns, word, first, min(n_in_block, n_resamples - first), n_threads)
        yield np.asarray(sums, np.float64)


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
