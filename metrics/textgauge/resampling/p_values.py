"""From resampled differences to p-values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import FloatArray
from ..checks import fail, shown

P_VALUES = ("two-sided", "one-sided", "sacrebleu")
_, ONE_SIDED, SACREBLEU = P_VALUES
# Sums in another order differ in their last bits: such differences are ties.
ROUNDING = 1e-12


def bootstrap_p_values(drawn: FloatArray, observed: FloatArray, p_value: str, scale: float) -> FloatArray:
    """Return the p-values of `paired_bootstrap`.

    Parameters
    ----------
    drawn : float64, shape (n_resamples, n_differences)
        Differences of bootstrap resamples, distributed around the observed ones.
    observed : float64, shape (n_differences,)
    p_value : "two-sided", "one-sided" or "sacrebleu"
    scale : float
        The magnitude of the scores, for the tolerance of ties.

    Examples
    --------
    >>> drawn = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> bootstrap_p_values(drawn, np.array([1.5]), "two-sided", 1.0).tolist()
    [0.6]
    """
    if p_value == SACREBLEU:
        distance = np.abs(drawn)
        return _share_reaching(distance - distance.mean(axis=0), np.abs(observed), scale)
    return permutation_p_values(drawn - observed, observed, p_value, scale)


def permutation_p_values(drawn: FloatArray, observed: FloatArray, p_value: str, scale: float) -> FloatArray:
    """Return the p-values of `paired_permutation`; parameters as in `bootstrap_p_values`.

    Here `drawn` are differences under the null hypothesis, distributed around 0.
    """
    if p_value == ONE_SIDED:
        return _share_reaching(drawn, observed, scale)
    return _share_reaching(np.abs(drawn), np.abs(observed), scale)


def _share_reaching(drawn: FloatArray, observed: FloatArray, scale: float) -> FloatArray:
    count = np.count_nonzero(drawn >= observed - ROUNDING * scale, axis=0)
    return (1.0 + count) / (1 + len(drawn))


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct the p-values of several tests for multiple comparisons.

    The i-th smallest of n is multiplied by n - i + 1; none becomes smaller than the one
    before it, nor larger than 1. Rejecting the hypotheses with corrected p below alpha
    keeps the family-wise error rate at most alpha.

    Parameters
    ----------
    p_values : sequence of float in [0, 1]

    Returns
    -------
    list of float
        In the order of `p_values`.

    References
    ----------
    Holm (1979), A Simple Sequentially Rejective Multiple Test Procedure, section 3.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    for i, value in enumerate(p_values):
        if isinstance(value, bool) or not isinstance(value, (int, float, np.floating)):
            fail(TypeError, f"p_values[{i}]", "a number from 0 to 1", shown(value))
        if not 0 <= value <= 1:
            fail(ValueError, f"p_values[{i}]", "a number from 0 to 1", shown(value))
    values = np.asarray(p_values, np.float64)
    order = np.argsort(values, kind="stable")
    corrected = np.empty(len(values))
    corrected[order] = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    return np.minimum(corrected, 1.0).tolist()
