"""Random weights of segments, in blocks of bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray
from ..checks import fail, positive_int, shown

_SEED = 12345
# Weights in memory at a time: few enough to stay in cache; more for short rows, so that matrix
# products are large enough for BLAS to use threads.
_IN_CACHE, _SHORT_ROWS, _SHORT = 1 << 18, 1 << 21, 1 << 13


def seed_of(seed: object) -> int:
    """Return the seed of the random generator; None is 12345, as in sacreBLEU's tests."""
    if seed is None:
        return _SEED
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        fail(TypeError, "seed", "a whole number of at least 0, or None", shown(seed))
    if seed < 0:
        fail(ValueError, "seed", "a whole number of at least 0, or None", shown(seed))
    return int(seed)


def bootstrap_weights(n_segments: int, n_resamples: int, seed: int | None = None) -> Iterator[FloatArray]:
    """Yield the number of draws of every segment when `n_segments` are drawn with replacement.

    Parameters
    ----------
    n_segments, n_resamples : int
    seed : int or None
        See `seed_of`. The draws do not depend on the division into blocks.

    Yields
    ------
    float64, shape (n_in_block, n_segments)
        Each row sums to `n_segments`; the sums of all resamples are ``weights @ columns``.
        The next block overwrites it.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 6.2.

    Examples
    --------
    >>> [block.sum(axis=1).tolist() for block in bootstrap_weights(5, 2)]
    [[5.0, 5.0]]
    """
    rng = np.random.default_rng(seed_of(seed))

    def counts(n_rows: int) -> IntArray:
        drawn = rng.integers(0, n_segments, (n_rows, n_segments), dtype=np.int32)
        # Every row has its own range of cells, so one call counts all rows.
        cells = drawn + np.arange(n_rows)[:, None] * n_segments
        return np.bincount(cells.ravel(), minlength=n_rows * n_segments).reshape(n_rows, n_segments)

    yield from _blocks(n_segments, n_resamples, counts)


def swap_masks(n_segments: int, n_resamples: int, seed: int | None = None) -> Iterator[FloatArray]:
    """Yield the segments that two systems exchange: 1 or 0, each with probability one half.

    Parameters and blocks as in `bootstrap_weights`.

    References
    ----------
    Riezler and Maxwell (2005), On Some Pitfalls in Automatic Evaluation, section 4.2.

    Examples
    --------
    >>> np.unique(next(swap_masks(100, 3))).tolist()
    [0.0, 1.0]
    """
    rng = np.random.default_rng(seed_of(seed))

    def masks(n_rows: int) -> npt.NDArray[np.uint8]:
        # Whole words per row, so that the draws of a row do not depend on the number of rows.
        words = rng.integers(0, 1 << 64, (n_rows, -(-n_segments // 64)), dtype=np.uint64)
        return np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, count=n_segments)

    yield from _blocks(n_segments, n_resamples, masks)


def _blocks(n_segments: int, n_resamples: int, draw: Callable[[int], npt.NDArray[np.integer]]) -> Iterator[FloatArray]:
    """Draw in small pieces, and yield blocks."""
    n_weights = _SHORT_ROWS if positive_int("n_segments", n_segments) <= _SHORT else _IN_CACHE
    n_rows, n_drawn = max(1, n_weights // n_segments), max(1, _IN_CACHE // 2 // n_segments)
    buffer = np.empty((min(n_rows, positive_int("n_resamples", n_resamples)), n_segments))
    for start in range(0, n_resamples, n_rows):
        block = buffer[: n_resamples - start]
        for first in range(0, len(block), n_drawn):
            rows = block[first : first + n_drawn]
            rows[...] = draw(len(rows))
        yield block
