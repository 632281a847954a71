"""Probabilities of n-grams from their counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from .sums import ratio


def additive_probability(counts: npt.ArrayLike, context_counts: npt.ArrayLike, k: float, n_types: int) -> FloatArray:
    """Return (count + k) / (count of the context + k n_types).

    k = 0 is the maximum-likelihood estimate (0 after an unseen context), k = 1 Laplace's,
    any other k Lidstone's.

    Parameters
    ----------
    counts, context_counts : shape (n_tokens,)
    k : float
    n_types : int
        Number of distinct words that can follow, including the unknown word.

    References
    ----------
    Chen and Goodman (1998), An empirical study of smoothing techniques for language
    modeling, section 2.1.

    Examples
    --------
    >>> additive_probability([2, 0], [3, 3], 1.0, 5).tolist()
    [0.375, 0.125]
    """
    return ratio(np.asarray(counts) + k, np.asarray(context_counts) + k * n_types)


def kneser_ney_step(
    counts: npt.ArrayLike,
    context_counts: npt.ArrayLike,
    n_followers: npt.ArrayLike,
    lower: npt.ArrayLike,
    discount: float,
) -> FloatArray:
    """Return (max(count - discount, 0) + discount n_followers lower) / count of the context.

    One order of interpolated Kneser-Ney: `counts` are occurrences at the highest order, and
    numbers of distinct preceding words below it. After an unseen context the result is
    `lower`.

    Parameters
    ----------
    counts, context_counts : shape (n_tokens,)
    n_followers : shape (n_tokens,)
        Number of distinct words after the context.
    lower : float64, shape (n_tokens,)
        The probability given the context shortened by one word.
    discount : float
        In [0, 1].

    References
    ----------
    Chen and Goodman (1998), section 2.7.

    Examples
    --------
    >>> kneser_ney_step([3], [4], [2], [0.1], 0.5).tolist()
    [0.65]
    """
    counts, context_counts = np.asarray(counts, np.float64), np.asarray(context_counts, np.float64)
    mass = np.maximum(counts - discount, 0.0) + discount * np.asarray(n_followers) * np.asarray(lower)
    return np.divide(mass, context_counts, out=np.array(lower, np.float64), where=context_counts > 0)
