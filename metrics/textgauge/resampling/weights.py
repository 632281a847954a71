"""Random weights of segments, in blocks that stay in cache."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ..checks import fail, shown

FloatArray = npt.NDArray[np.float64]

_SEED = 12345
_BLOCK = 1 << 18


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
    """Yield how often every segment is drawn when `n_segments` are drawn with replacement.

    Parameters
    ----------
    n_segments, n_resamples : int
    seed : int or None
        See `seed_of`. The draws do not depend on how they fall into blocks.

    Yields
    ------
    float64, shape (n_in_block, n_segments)
        Each row sums to `n_segments`. All rows of a system's sums are ``weights @ columns``.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 6.2.

    Examples
    --------
    >>> [block.sum(axis=1).tolist() for block in bootstrap_weights(5, 2)]
    [[5.0, 5.0]]
    """
    rng = np.random.default_rng(seed_of(seed))
    for n_rows in _block_sizes(n_segments, n_resamples):
        drawn = rng.integers(0, n_segments, (n_rows, n_segments), dtype=np.int32)
        # Every row counts in its own range of cells, so one call counts the whole block.
        cells = drawn + np.arange(n_rows)[:, None] * n_segments
        counts = np.bincount(cells.ravel(), minlength=n_rows * n_segments)
        yield counts.reshape(n_rows, n_segments).astype(np.float64)


def swap_masks(n_segments: int, n_resamples: int, seed: int | None = None) -> Iterator[FloatArray]:
    """Yield which segments two systems exchange: 1 or 0, each with probability one half.

    Yields
    ------
    float64, shape (n_in_block, n_segments)

    References
    ----------
    Riezler and Maxwell (2005), On Some Pitfalls in Automatic Evaluation, section 4.2.

    Examples
    --------
    >>> np.unique(next(swap_masks(100, 3))).tolist()
    [0.0, 1.0]
    """
    rng = np.random.default_rng(seed_of(seed))
    for n_rows in _block_sizes(n_segments, n_resamples):
        # Whole words per row: what a row draws does not depend on the rows before it in the block.
        words = rng.integers(0, 1 << 64, (n_rows, -(-n_segments // 64)), dtype=np.uint64)
        octets = words.astype("<u8", copy=False).view(np.uint8)
        yield np.unpackbits(octets, axis=1, count=n_segments).astype(np.float64)


def _block_sizes(n_segments: int, n_resamples: int) -> Iterator[int]:
    n_rows = max(1, _BLOCK // n_segments)
    for start in range(0, n_resamples, n_rows):
        yield min(n_rows, n_resamples - start)
