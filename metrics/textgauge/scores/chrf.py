"""chrF from its counts."""

from __future__ import annotations

import numpy as np

from ..arrays import Counts, FloatArray
from .rouge import share

# sacreBLEU's replacement of 0 / 0.
_EPSILON = 1e-16


def chrf_score(counts: Counts, beta: float, *, eps_smoothing: bool = False) -> FloatArray:
    """Compute chrF, from 0 to 1: F of the mean precision and the mean recall over all orders.

    Parameters
    ----------
    counts : shape (..., 3 * n_orders)
        Hypothesis n-grams, reference n-grams and matches of every order. Additive.
    beta : float
        Recall is beta times as important as precision.
    eps_smoothing : bool
        Average F over all orders, instead of precision and recall over the orders that both sides have.

    Returns
    -------
    float64, shape (...,)

    References
    ----------
    Popović (2015), chrF: character n-gram F-score for automatic MT evaluation, section 2;
    sacreBLEU, `chrf.py`.
    """
    by_order = counts.reshape(*counts.shape[:-1], counts.shape[-1] // 3, 3)
    hypothesis, reference, matches = by_order[..., 0], by_order[..., 1], by_order[..., 2]
    factor = beta**2
    precision, recall = share(matches, hypothesis), share(matches, reference)
    if eps_smoothing:
        precision = np.where(hypothesis > 0, precision, _EPSILON)
        recall = np.where(reference > 0, recall, _EPSILON)
        below = factor * precision + recall
        f = np.where(below > 0, share((1 + factor) * precision * recall, below), _EPSILON)
        return np.asarray(f.sum(axis=-1) / f.shape[-1])
    has_both = (hypothesis > 0) & (reference > 0)
    n_orders = has_both.sum(axis=-1)
    mean_precision = share((precision * has_both).sum(axis=-1), n_orders)
    mean_recall = share((recall * has_both).sum(axis=-1), n_orders)
    return share((1 + factor) * mean_precision * mean_recall, factor * mean_precision + mean_recall)
