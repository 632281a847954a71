"""Bootstrap scores, percentile intervals, and the interval of observations that are all alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from math import cos, pi, sin, sqrt, tan
from typing import Any

import numpy as np

from ..arrays import FloatArray
from ..checks import MAX_RESAMPLES, as_share, fail, positive_int, shown
from .draws import Columns, exact_columns, resampled_sums, seed_of
from .units import FEW_UNITS, Units, units_of

N_RESAMPLES = 1000
# Beyond so many degrees of freedom a series is exact, and the sum of their number is slow.
_MANY = 1000

ScoreFunction = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class BootstrapOptions:
    """Options of a bootstrap interval.

    Attributes
    ----------
    confidence : float or None
        Confidence level, between 0 and 1; None for no interval.
    n_resamples : int
        Number of resamples, at most a million.
    seed : int or None
        Seed of the random generator; None is 12345, as in sacreBLEU.
    unit : labels of segments, or None
        Segments with equal labels are drawn together, see `units_of`; None draws segments. Intervals of fewer than 100
        segments, or units, are wider by `small_sample_factor`.
    """

    confidence: float | None = None
    n_resamples: int = N_RESAMPLES
    seed: int | None = None
    unit: Units | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Check every option."""
        if self.unit is not None:
            object.__setattr__(self, "unit", units_of(self.unit))
        positive_int("n_resamples", self.n_resamples, MAX_RESAMPLES)
        object.__setattr__(self, "seed", seed_of(self.seed))
        value = self.confidence
        if value is None:
            return
        if isinstance(value, bool) or not isinstance(value, (int, float, np.floating)):
            fail(TypeError, "confidence", "a number between 0 and 1, or None", shown(value))
        if not 0 < value < 1:
            fail(ValueError, "confidence", "a number between 0 and 1, or None", shown(value) + as_share(value))

    def drawn(self, rows: Columns) -> Columns:
        """Return the rows that a resample draws, shape (n, ...): those of segments, or their sums by unit."""
        if self.unit is None:
            return rows
        self.unit.check(len(rows))
        return self.unit.summed(exact_columns(rows))


def interval_options(
    confidence: float | None, n_resamples: int | None, seed: int | None, unit: Any = None
) -> BootstrapOptions:
    """Return the options of an interval, with defaults for None."""
    return BootstrapOptions(confidence, N_RESAMPLES if n_resamples is None else n_resamples, seed, unit)


def check_several(n_segments: int) -> None:
    """Raise for fewer than 2 segments, whose resamples are all equal."""
    if n_segments < 2:
        fail(ValueError, "segments", "at least 2 segments to resample", str(n_segments))


def bootstrap_scores(
    columns: Columns, score: ScoreFunction, *, n_resamples: int, seed: int | None = None
) -> FloatArray:
    """Return the scores of bootstrap resamples of the segments.

    Parameters
    ----------
    columns : int64 or float64, shape (n_segments, n_columns)
        Statistics that are additive over segments.
    score : callable
        Maps sums of the columns, shape (..., n_columns), to scores, shape (..., *axes).
    n_resamples, seed
        See `BootstrapOptions`.

    Returns
    -------
    float64, shape (n_resamples, *axes)

    Examples
    --------
    >>> means = bootstrap_scores(np.array([[0.0], [1.0]]), lambda sums: sums[..., 0] / 2, n_resamples=1000)
    >>> sorted(set(means.tolist()))
    [0.0, 0.5, 1.0]
    """
    check_several(len(columns))
    return np.concatenate([score(sums) for sums in resampled_sums(columns, n_resamples, seed)])


def percentile_interval(scores: FloatArray, confidence: float, n_drawn: int | None = None) -> FloatArray:
    """Return the percentile interval of `scores`, with (1 - `confidence`) / 2 of them outside on either side.

    Parameters
    ----------
    scores : float64, shape (n_resamples, *axes)
    confidence : float
    n_drawn : int, optional
        How many segments, or units, were drawn. If these are few, the bounds move away from the median by
        `small_sample_factor`.

    Returns
    -------
    float64, shape (*axes, 2)

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 13.3.

    Examples
    --------
    >>> percentile_interval(np.arange(101.0), 0.5).tolist()
    [25.0, 75.0]
    """
    tail = (1 - confidence) / 2
    bounds = np.moveaxis(np.quantile(scores, (tail, 1 - tail), axis=0), 0, -1)
    if n_drawn is None or n_drawn >= FEW_UNITS:
        return bounds
    middle = np.median(scores, axis=0)[..., None]
    with np.errstate(invalid="ignore"):
        wider = middle + small_sample_factor(n_drawn, confidence) * (bounds - middle)
    # Differences to an infinite median are not defined.
    return np.where(np.isfinite(middle) & (bounds[..., :1] != bounds[..., 1:]), wider, bounds)


@lru_cache
def small_sample_factor(n: int, confidence: float) -> float:
    """Return how many times the percentile interval of a bootstrap of n segments, or units, is too narrow.

    Resamples of n vary as much as the n do around their own mean, which is (n - 1) / n of the variance, and their
    quantiles are those of the normal distribution, where a variance that is estimated from n has Student's.

    References
    ----------
    Hesterberg (2015), What Teachers Should Know About the Bootstrap, section 4.4.2.

    Examples
    --------
    >>> [round(small_sample_factor(n, 0.95), 3) for n in (2, 5, 20, 60, 100)]
    [9.168, 1.584, 1.096, 1.03, 1.017]
    """
    # Imported here: it takes 3 ms, and few calls need it.
    from statistics import NormalDist

    tail = (1 - confidence) / 2
    return t_quantile(1 - tail, n - 1) / NormalDist().inv_cdf(1 - tail) * sqrt(n / (n - 1))


def t_quantile(p: float, df: int) -> float:
    """Return the quantile of Student's t distribution with `df` degrees of freedom, for p of at least 1/2.

    References
    ----------
    Abramowitz and Stegun (1964), Handbook of Mathematical Functions, 26.7.3 to 26.7.5.

    Examples
    --------
    >>> [round(t_quantile(0.975, df), 3) for df in (1, 2, 9, 30, 2000)]
    [12.706, 4.303, 2.262, 2.042, 1.961]
    """
    from statistics import NormalDist

    if df > _MANY:
        z = NormalDist().inv_cdf(p)
        terms = (
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
            (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
        )
        return z + sum(term / df**i for i, term in enumerate(terms, 1))
    low, high = 0.0, pi / 2
    # Bisection of the angle, until its bounds are neighbours.
    while low < (angle := (low + high) / 2) < high:
        low, high = (angle, high) if _within_angle(angle, df) < 2 * p - 1 else (low, angle)
    return sqrt(df) * tan(low)


def _within_angle(angle: float, df: int) -> float:
    """Return the probability of abs(t) below sqrt(df) * tan(angle)."""
    cosine, is_odd = cos(angle), df % 2
    term, total = (cosine if is_odd else 1.0), 0.0
    for j in range(1, df // 2 + 1):
        total += term
        term *= cosine**2 * (2 * j / (2 * j + 1) if is_odd else (2 * j - 1) / (2 * j))
    return 2 / pi * (angle + sin(angle) * total) if is_odd else sin(angle) * total


def bootstrap_interval(columns: Columns, score: ScoreFunction, options: BootstrapOptions) -> FloatArray:
    """Return the percentile interval of a corpus score; parameters as in `bootstrap_scores`.

    Returns
    -------
    float64, shape (*axes, 2)
    """
    if options.confidence is None:
        fail(ValueError, "confidence", "a number between 0 and 1 for an interval", "None")
    drawn = options.drawn(columns)
    scores = bootstrap_scores(drawn, score, n_resamples=options.n_resamples, seed=options.seed)
    return percentile_interval(scores, options.confidence, len(drawn))


def level_of(confidence: float | None) -> float:
    """Return the level below which p is significant, as it is written: 0.05 for a confidence of 0.95, or of None.

    Examples
    --------
    >>> level_of(0.95), 1 - 0.95
    (0.05, 0.050000000000000044)
    """
    level = 1 - (0.95 if confidence is None else confidence)
    return round(level, 15) or level


def width_of_alike(n: int, confidence: float) -> float:
    """Return how far the interval of a share of 0, or of 1, reaches inwards.

    All resamples of observations that are alike are equal: a percentile interval has no width. The interval of Clopper
    and Pearson of a share of 0 in n trials goes from 0 to 1 - a^(1/n), with a = (1 - `confidence`) / 2; its coverage
    is never below the level, where Wilson's is at such ends.

    Parameters
    ----------
    n : int
        Number of observations: segments, or units.
    confidence : float

    References
    ----------
    Clopper and Pearson (1934), The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial.

    Examples
    --------
    >>> round(width_of_alike(100, 0.95), 4)
    0.0362
    """
    return float(-np.expm1(np.log((1 - confidence) / 2) / n))


def within_scale(low: float, high: float, least: float, largest: float) -> list[float]:
    """Return an interval, wider than the draws, without what reaches beyond the scale.

    One that would vanish is of scores beyond their scale, of which a metric may say nothing, and stays.

    Examples
    --------
    >>> within_scale(-0.2, 0.5, 0.0, 1.0), within_scale(-3.0, 0.0, 0.0, 0.0)
    ([0.0, 0.5], [-3.0, 0.0])
    """
    bounds = [max(low, least), min(high, largest)]
    return bounds if bounds[0] < bounds[1] else [low, high]
