"""chrF from its counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from .ratios import f_measure, ratio

# sacreBLEU's replacement of 0 / 0.
_EPSILON = 1e-16


def chrf_score(
    matches: npt.NDArray[np.number],
    hypothesis: npt.NDArray[np.number],
    reference: npt.NDArray[np.number],
    beta: float,
    *,
    eps_smoothing: bool = False,
) -> FloatArray:
    """Compute chrF, from 0 to 1: F of the mean precision and the mean recall over all orders.

    Parameters
    ----------
    matches, hypothesis, reference : shape (..., n_orders)
        Common n-grams, and those of either side, of every order.
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
    precision, recall = ratio(matches, hypothesis), ratio(matches, reference)
    if eps_smoothing:
        # As in sacreBLEU, where hypotheses have no n-grams of an order that the reference lacks.
        precision = np.where((hypothesis > 0) & (reference > 0), precision, _EPSILON)
        recall = np.where(reference > 0, recall, _EPSILON)
        f = np.where(beta**2 * precision + recall > 0, f_measure(precision, recall, beta), _EPSILON)
        return np.asarray(f.sum(axis=-1) / f.shape[-1])
    # Orders that one side lacks have no matches, so that both sums are without them.
    n_orders = np.einsum("...i,...i->...", 1.0 * (hypothesis > 0), 1.0 * (reference > 0))
    return f_measure(ratio(precision.sum(axis=-1), n_orders), ratio(recall.sum(axis=-1), n_orders), beta)
