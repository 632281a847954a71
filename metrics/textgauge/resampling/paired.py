"""Two paired significance tests of the difference between two systems."""

from __future__ import annotations

from typing import Any

from .comparison import BOOTSTRAP, PERMUTATION, Comparison, PairedOptions, compare_named
from .intervals import ScoreFunction


def paired_bootstrap(
    scores1: Any,
    scores2: Any,
    *,
    score: ScoreFunction | None = None,
    n_resamples: int = 1000,
    seed: int | None = None,
    confidence: float | None = 0.95,
    p_value: str = "two-sided",
) -> Comparison:
    """Test a difference by resampling the segments, the same ones for both systems.

    With d the observed difference and d* that of a resample, p is
    (1 + count) / (1 + n_resamples), where count is the number of resamples with

    - "two-sided": abs(d* - d) >= abs(d), for "the systems differ";
    - "one-sided": d* - d >= d, for "the second system is better";
    - "sacrebleu": abs(d*) - mean of abs(d*) >= abs(d), as in sacreBLEU's ``--paired-bs``
      and Moses. A small p is half the two-sided p, so that a true null hypothesis is
      rejected about twice as often as p says.

    A tie counts, so two identical systems have p = 1 (sacreBLEU: 1 / (1 + n_resamples)).

    The variance of very few segments may be too small to resample: if two segments gain equally,
    so does every resample, and p is 1 / (1 + n_resamples). A warning says so if fewer than 6
    segments differ, or p is far below 2 / 2**n, the smallest p of a permutation of n segments.

    Parameters
    ----------
    scores1, scores2 : shape (n_segments,) or (n_segments, n_columns)
        One score per segment from any tool, or additive columns for `score`. The first is the
        baseline.
    score : callable or None
        Maps sums of the columns, shape (..., n_columns), to corpus scores, shape (...);
        None is the mean over segments, for one score per segment.
    n_resamples, seed, confidence
        See `BootstrapOptions`.
    p_value : "two-sided", "one-sided" or "sacrebleu"

    Raises
    ------
    TypeError, ValueError
        For unequal lengths, fewer than 2 segments, or a score that is not a finite number.

    References
    ----------
    Koehn (2004), Statistical Significance Tests for Machine Translation Evaluation, section
    3.3; Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 16.4.

    Examples
    --------
    >>> humans = paired_bootstrap([70, 80, 65, 90, 75, 60] * 2, [75, 85, 72, 95, 74, 68] * 2)
    >>> round(humans.stat, 2), humans.p < 0.05
    (4.83, True)
    """
    options = PairedOptions(BOOTSTRAP, n_resamples, seed, confidence, p_value)
    return compare_named({"scores1": scores1, "scores2": scores2}, score, options)[0]


def paired_permutation(
    scores1: Any,
    scores2: Any,
    *,
    score: ScoreFunction | None = None,
    n_resamples: int = 10_000,
    seed: int | None = None,
    confidence: float | None = 0.95,
    p_value: str = "two-sided",
) -> Comparison:
    """Test a difference by exchanging the outputs of the two systems, segment by segment.

    Under the null hypothesis the two outputs of a segment are exchangeable. Every resample
    exchanges each pair with probability one half; with d the observed difference and d* that
    after the exchanges, p is (1 + count) / (1 + n_resamples), where count is the number of
    resamples with

    - "two-sided": abs(d*) >= abs(d), for "the systems differ";
    - "one-sided": d* >= d, for "the second system is better".

    A tie counts, and the observed order is one of the possible ones (the 1 that is added),
    so a true null hypothesis is rejected at most as often as p says, and two identical
    systems have p = 1. With n segments that differ, p cannot be below 2 / 2**n; for n below 6,
    where that is above 0.05, a warning says so. sacreBLEU's ``--paired-ar`` is two-sided and does not count ties, which
    matters only if systems differ in very few segments.

    Parameters
    ----------
    scores1, scores2, score
        See `paired_bootstrap`.
    n_resamples : int
        Number of random exchanges, and of bootstrap resamples for the intervals and wins.
    seed, confidence
        See `BootstrapOptions`; if `confidence` is None, there are no intervals and no wins.
    p_value : "two-sided" or "one-sided"

    Raises
    ------
    TypeError, ValueError
        As `paired_bootstrap`.

    References
    ----------
    Riezler and Maxwell (2005), On Some Pitfalls in Automatic Evaluation and Significance
    Testing for MT, section 4.2; Phipson and Smyth (2010), Permutation P-values Should Never
    Be Zero, section 4.

    Examples
    --------
    >>> paired_permutation([1, 2, 3], [1, 2, 3]).p
    1.0
    """
    options = PairedOptions(PERMUTATION, n_resamples, seed, confidence, p_value)
    return compare_named({"scores1": scores1, "scores2": scores2}, score, options)[0]
