"""Accuracy of pairs of systems, whether people and metric prefer the same one, and as surely."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from .correlations import signs_of_differences
from .ties import blocks

# The draws of the WMT metrics task's toolkit, which are fixed and of 32 bits.
N_PERMUTATIONS, _SEED = 1000, 4

_Short = npt.NDArray[np.float32]


def pairwise_accuracy(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Return the share of pairs of systems that both sides order alike, along the last axis: nan for one system.

    References
    ----------
    Kocmi et al. (2021), To Ship or Not to Ship, section 4.1.

    Examples
    --------
    >>> pairwise_accuracy(np.array([3.0, 2, 1]), np.array([9.0, 7, 8])).round(4).tolist()
    0.6667
    """
    i, j = np.triu_indices(human.shape[-1], 1)
    if not len(i):
        return np.full(human.shape[:-1], np.nan)
    signs = [signs_of_differences(side[..., i], side[..., j]) for side in (human, metric)]
    return np.mean(signs[0] == signs[1], axis=-1)


def signs_of(n_segments: int) -> _Short:
    """Return random signs of segments, those of the toolkit: float32, shape (n_permutations, n_segments)."""
    drawn = np.random.default_rng(_SEED).random((N_PERMUTATIONS, n_segments), dtype=np.float32)
    return np.rint(drawn) * 2 - 1


def p_values(scores: npt.NDArray[np.floating], signs: _Short) -> FloatArray:
    """Return how often a pair of systems differs at least as much by chance, one-sided.

    Chance exchanges the two outputs of a segment, all pairs on the same segments.

    Parameters
    ----------
    scores : shape (n, n_systems, n_segments)
    signs : float32, shape (n_permutations, n_segments)

    Returns
    -------
    float64, shape (n, n_pairs)
    """
    n, n_systems, n_segments = scores.shape
    i, j = np.triu_indices(n_systems, 1)
    found = np.empty((n, len(i)))
    for block in blocks(n, (len(signs) + n_segments) * n_systems):
        part = scores[block].astype(np.float32)
        # Shape (n_systems, n_in_block, n_permutations): rows of a pair are contiguous.
        null = (part.transpose(1, 0, 2).reshape(-1, n_segments) @ signs.T).reshape(n_systems, -1, len(signs))
        totals = part.sum(axis=-1)
        for pair, (a, b) in enumerate(zip(i, j, strict=True)):
            reached = null[a] - null[b] >= (totals[:, a] - totals[:, b])[:, None]
            found[block, pair] = np.count_nonzero(reached, axis=1) / len(signs)
    return found


def soft_accuracy(of_human: FloatArray, of_metric: FloatArray) -> FloatArray:
    """Return soft pairwise accuracy from the p-values of people and of a metric: nan for one system.

    It is 1 less the mean difference of the two p-values of a pair. Parameters have the shape (..., n_pairs).

    References
    ----------
    Thompson, Mathur, Deutsch and Khayrallah (2024), Improving Statistical Significance in Human Evaluation of
    Automatic Metrics via Soft Pairwise Accuracy, section 3.

    Examples
    --------
    >>> soft_accuracy(np.array([0.0, 0.5]), np.array([0.1, 0.5])).round(4).tolist()
    0.95
    """
    if not of_human.shape[-1]:
        return np.full(of_human.shape[:-1], np.nan)
    return np.asarray(1 - np.abs(of_human - of_metric).mean(axis=-1))
