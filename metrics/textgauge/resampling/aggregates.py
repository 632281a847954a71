"""The aggregate of the reference `rouge` module, draw for draw."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from .draws import seed_of

N_RESAMPLES = 1000
_BLOCK = 1 << 21
_WORD = 1 << 32


def median_of_bootstrap_means(scores: FloatArray, seed: int | None) -> FloatArray:
    """Return the aggregate of the reference `rouge` module for the same seed.

    Parameters
    ----------
    scores : float64, shape (n_segments, n_types, 3)
    seed : int or None
        See `seed_of`; seeds NumPy's legacy generator, which the reference uses and which takes 32
        bits. A larger seed, which the reference refuses, is passed as an array of 32-bit words.

    Returns
    -------
    float64, shape (n_types, 3)
        The median over 1,000 resamples of the mean of each score.
    """
    generator = np.random.RandomState(_words(seed_of(seed)))
    n_segments, n_types, n_parts = scores.shape
    medians = np.zeros((n_types, n_parts))
    block = max(1, _BLOCK // n_segments)
    for kind in range(n_types):
        means = np.zeros((N_RESAMPLES, n_parts))
        for start in range(0, N_RESAMPLES, block):
            drawn = generator.randint(0, n_segments, (min(block, N_RESAMPLES - start), n_segments))
            for part in range(n_parts):
                means[start : start + block, part] = _sums_in_order(scores[:, kind, part], drawn) / n_segments
        medians[kind] = np.percentile(means, 50, axis=0)
    return medians


def _sums_in_order(scores: FloatArray, drawn: npt.NDArray[np.integer]) -> FloatArray:
    """Sum resamples sequentially, as the reference does: equal to the last bit.

    NumPy adds pairwise along a contiguous axis, so draws are columns here, and there are at least
    two.
    """
    columns = np.ascontiguousarray(np.broadcast_to(drawn, (max(2, len(drawn)), drawn.shape[1])).T)
    return np.add.reduce(scores[columns], axis=0)[: len(drawn)]


def _words(seed: int) -> int | list[int]:
    if seed < _WORD:
        return seed
    return [seed // _WORD**i % _WORD for i in range(-(-seed.bit_length() // 32))]
