"""The number of segments that a difference needs, from the paired differences of a pilot or of a comparison."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import FloatArray
from .draws import Columns
from .intervals import ScoreFunction

# The share of comparisons that find a difference, where nothing else is said.
POWER = 0.8
# More segments than any corpus has.
MOST_NEEDED = 10**15
# Scores of leaving one out that are in memory at a time.
_BLOCK = 1 << 18
# Pseudo-values that are alike differ by the rounding of sums over all segments.
_ROUNDING = 1e-9


def influences(columns: Columns, score: ScoreFunction) -> FloatArray:
    """Return the jackknife's pseudo-values, whose mean varies as the score of a corpus does.

    Those of n segments are n times the score, less n - 1 times the score without the segment. Of a mean over segments
    they are the scores of the segments.

    Parameters
    ----------
    columns : shape (n, n_systems, n_columns)
        Additive rows of segments, or of units.
    score : callable
        Maps sums, shape (..., n_columns), to scores, shape (...).

    Returns
    -------
    float64, shape (n, n_systems)
        nan where a score is not defined.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 11.

    Examples
    --------
    >>> rows = np.array([[[1.0, 1]], [[0.0, 1]], [[0.5, 1]]])
    >>> influences(rows, lambda sums: sums[..., 0] / sums[..., 1]).round(12).tolist()
    [[1.0], [0.0], [0.5]]
    """
    n, n_systems, _ = columns.shape
    totals = columns.sum(axis=0)
    influences = np.empty((n, n_systems))
    with np.errstate(all="ignore"):
        whole = score(totals.astype(np.float64))
        for start in range(0, n, step := max(1, _BLOCK // n_systems)):
            part = columns[start : start + step]
            influences[start : start + step] = n * whole - (n - 1) * score((totals - part).astype(np.float64))
    return influences


def z_of(level: float, power: float, *, is_one_sided: bool = False) -> float:
    """Return how many standard errors a difference must have to be found in so many cases.

    Examples
    --------
    >>> round(z_of(0.05, 0.8), 4)
    2.8016
    """
    from statistics import NormalDist

    normal = NormalDist()
    return normal.inv_cdf(1 - level / (1 if is_one_sided else 2)) + normal.inv_cdf(power)


def of_several_tests(n_tests: int, level: float, *, is_one_sided: bool = False) -> float:
    """Return how many times the smallest difference of one test that of one of `n_tests` is, after Holm's correction.

    The first difference that Holm's method finds has a p-value below level / n_tests.

    Examples
    --------
    >>> round(of_several_tests(8, 0.05), 3)
    1.276
    """
    one, several = (z_of(level / n, POWER, is_one_sided=is_one_sided) for n in (1, n_tests))
    return several / one


def smallest_difference(values: FloatArray, level: float, power: float, *, is_one_sided: bool = False) -> float | None:
    """Return the smallest true difference that a test of so many segments finds with probability `power`.

    Parameters
    ----------
    values : float64, shape (n,)
        The paired differences of segments, or units.
    level : float
        Below which p is significant.

    Returns
    -------
    float or None
        None where the differences are all alike, or not finite: they do not tell how much others vary.

    Examples
    --------
    >>> round(smallest_difference(np.tile([-1.0, 1.0], 50), 0.05, 0.8), 3)
    0.282
    """
    if len(values) < 2 or not np.isfinite(values).all():
        return None
    spread = values.std(ddof=1)
    if spread <= _ROUNDING * np.abs(values).max():
        return None
    error = spread / np.sqrt(len(values))
    return float(z_of(level, power, is_one_sided=is_one_sided) * error)


def within_reach(difference: float | None, widest: float) -> float | None:
    """Return the smallest difference that is found, inf where even the widest of the scale is not.

    Examples
    --------
    >>> within_reach(1.4, 1.0), within_reach(0.3, 1.0), within_reach(None, 1.0)
    (inf, 0.3, None)
    """
    return float("inf") if difference is not None and difference > widest else difference


def number_needed(spread: Any, difference: float, level: float, power: float, fewest: int) -> Any:
    """Return how many segments, or units, find a difference with probability `power`: int64, the shape of `spread`.

    Parameters
    ----------
    spread : float or array
        The standard deviation of the paired differences.
    difference : float, not 0
    fewest : int
        The result is never below it, nor above `MOST_NEEDED`.

    References
    ----------
    Card et al. (2020), With Little Power Comes Great Responsibility.

    Examples
    --------
    >>> int(number_needed(10.0, 1.0, 0.05, 0.8, 6))
    785
    """
    with np.errstate(over="ignore"):
        needed = np.ceil((z_of(level, power) * np.asarray(spread, np.float64) / difference) ** 2)
    return np.clip(needed, fewest, MOST_NEEDED).astype(np.int64)
