"""chrF from its counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from .ratios import f_measure, ratio

# sacreBLEU's replacement of 0 / 0.
_EPSILON = 1e-16


class ChrfScore(NamedTuple):
    """chrF, shape (...,), and what it is made of.

    Attributes
    ----------
    score : float64, shape (...,)
    precision, recall : float64, shape (..., n_orders)
    has_both : bool, shape (..., n_orders)
        Whether both sides have n-grams of an order; with `eps_smoothing` all orders count.
    mean_precision, mean_recall : float64, shape (...,), or None with `eps_smoothing`
    f : float64, shape (..., n_orders), or None without `eps_smoothing`
    """

    score: FloatArray
    precision: FloatArray
    recall: FloatArray
    has_both: npt.NDArray[np.bool_]
    mean_precision: FloatArray | None = None
    mean_recall: FloatArray | None = None
    f: FloatArray | None = None


def chrf_score(
    matches: npt.NDArray[np.number],
    hypothesis: npt.NDArray[np.number],
    reference: npt.NDArray[np.number],
    beta: float,
    *,
    eps_smoothing: bool = False,
) -> ChrfScore:
    """Compute chrF, from 0 to 1: F of the mean precision and the mean recall over all orders.

    Parameters
    ----------
    matches, hypothesis, reference : shape (..., n_orders)
        Common n-grams, and those of either side, of every order.
    beta : float
        Recall is beta times as important as precision.
    eps_smoothing : bool
        Average F over all orders, instead of precision and recall over the orders that both sides have.

    References
    ----------
    Popović (2015), chrF: character n-gram F-score for automatic MT evaluation, section 2;
    sacreBLEU, `chrf.py`.
    """
    precision, recall = ratio(matches, hypothesis), ratio(matches, reference)
    has_both = (hypothesis > 0) & (reference > 0)
    if eps_smoothing:
        # As in sacreBLEU, where hypotheses have no n-grams of an order that the reference lacks.
        precision = np.where((hypothesis > 0) & (reference > 0), precision, _EPSILON)
        recall = np.where(reference > 0, recall, _EPSILON)
        f = np.where(beta**2 * precision + recall > 0, f_measure(precision, recall, beta), _EPSILON)
        return ChrfScore(np.asarray(f.sum(axis=-1) / f.shape[-1]), precision, recall, has_both, f=f)
    # Orders that one side lacks have no matches, so that both sums are without them.
    n_orders = np.einsum("...i,...i->...", 1.0 * (hypothesis > 0), 1.0 * (reference > 0))
    mean_precision, mean_recall = ratio(precision.sum(axis=-1), n_orders), ratio(recall.sum(axis=-1), n_orders)
    score = f_measure(mean_precision, mean_recall, beta)
    return ChrfScore(score, precision, recall, has_both, mean_precision, mean_recall)
