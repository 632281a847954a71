"""Comparison of every two of several systems, on the same segments."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..checks import MAX_RESAMPLES, fail, shown, warn_user
from .clusters import Ranking, ranking
from .comparison import (
    BOOTSTRAP,
    PairedOptions,
    bootstrapped,
    differing,
    observed_and_score,
    stacked_systems,
    warn_of_few,
)
from .draws import Columns, exchanged_sums
from .intervals import BootstrapOptions, ScoreFunction, percentile_interval
from .p_values import ONE_SIDED, bootstrap_p_values, holm, permutation_p_values


class AllPairs(NamedTuple):
    """The comparison of every two systems.

    Attributes
    ----------
    scores : list of float
        The corpus score of every system.
    confidence_intervals : list of lists of 2 floats, or None
        Bootstrap percentile intervals of the scores; None if `confidence` is None.
    stat : list of lists of float
        Entry i, j is the score of system i minus that of system j.
    p, p_holm : list of lists of float
        The p-value of each pair, as in `paired_bootstrap` and `paired_permutation`, and after Holm's correction for
        all pairs; 1 on the diagonal.
    rank_ranges : list of lists of 2 int
        By system, from rank 1, the best: behind all systems that are significantly better, before all that are
        significantly worse. Significant is a `p_holm` below 1 - `confidence`, or 0.05 if that is None.
    clusters : list of lists of int
        The best first: every system is significantly better than all systems of later clusters.
    """

    scores: list[float]
    confidence_intervals: list[list[float]] | None
    stat: list[list[float]]
    p: list[list[float]]
    p_holm: list[list[float]]
    rank_ranges: list[list[int]]
    clusters: list[list[int]]


def compare_all(
    systems: dict[str, Any], score: ScoreFunction | None, options: PairedOptions, observed: FloatArray | None = None
) -> AllPairs:
    """Compare every two systems; parameters as in `compare_named`.

    Examples
    --------
    >>> systems = {"a": [1, 2] * 6, "b": [2, 3] * 6, "c": [0, 0] * 6}
    >>> compare_all(systems, None, PairedOptions()).clusters
    [[1], [0], [2]]
    """
    options = options_for_pairs(options, len(systems))
    bootstrap = options.check()
    if options.p_value == ONE_SIDED:
        fail(ValueError, "p_value", "a two-sided one for all pairs, which have no baseline", shown(options.p_value))
    columns = stacked_systems(systems, one_score=score is None)
    observed, score = observed_and_score(columns, score, observed)
    first, second = np.triu_indices(len(observed), 1)
    drawn = np.empty((0, len(observed)))
    if options.test == BOOTSTRAP or options.confidence is not None:
        drawn = bootstrapped(columns, score, bootstrap)
    p = _p_values(columns, score, observed, drawn, options)
    differ = np.concatenate([differing(columns[:, i:]) for i in range(len(observed) - 1)])
    warn_of_few(differ, p, is_bootstrap=options.test == BOOTSTRAP)
    corrected = _square(np.array(holm(p.tolist())), first, second)
    level = _level(options)
    if (most := len(p) / (1 + bootstrap.n_resamples)) >= level:
        warn_user(
            f"n_resamples: of {bootstrap.n_resamples:,} the smallest p is {most:.2g} after Holm's correction for "
            f"{len(p):,} pairs, so that no two systems can differ significantly; "
            f"take {int(len(p) / level) + 1:,} or more"
        )
    ranked = ranked_by(observed, corrected, level)
    bounds = None if options.confidence is None else percentile_interval(drawn, options.confidence).tolist()
    return AllPairs(
        observed.tolist(), bounds, (observed[:, None] - observed).tolist(), _square(p, first, second).tolist(),
        corrected.tolist(), ranked.ranges, ranked.clusters,
    )  # fmt: skip


def options_for_pairs(options: PairedOptions, n_systems: int) -> PairedOptions:
    """Return options with a number of resamples, by default enough for a significant p of all pairs."""
    if options.n_resamples is not None:
        return options
    fewest = n_systems * (n_systems - 1) / 2 / _level(options)
    thousands = min(1000 * (int(fewest / 1000) + 1), MAX_RESAMPLES)
    return options._replace(n_resamples=max(options.check().n_resamples, thousands))


def _level(options: PairedOptions) -> float:
    return 1 - (0.95 if options.confidence is None else options.confidence)


def _p_values(
    columns: Columns, score: ScoreFunction, observed: FloatArray, drawn: FloatArray, options: PairedOptions
) -> FloatArray:
    """Return the p-values of all pairs; `drawn` are bootstrap scores, shape (n_resamples, n_systems)."""
    scale = float(max(np.abs(observed).max(), np.abs(drawn).max(initial=0.0)))
    exchanged = [] if options.test == BOOTSTRAP else _exchanged(columns, options.check())
    found = []
    # One system at a time: all differences would take the memory of all pairs.
    for i in range(len(observed) - 1):
        differences = observed[i] - observed[i + 1 :]
        if options.test == BOOTSTRAP:
            gains = drawn[:, [i]] - drawn[:, i + 1 :]
            found.append(bootstrap_p_values(gains, differences, options.p_value, scale))
        else:
            gains = _exchanged_differences(columns.sum(axis=0), exchanged, i, score)
            found.append(permutation_p_values(gains, differences, options.p_value, scale))
    return np.concatenate(found)


def ranked_by(scores: FloatArray, p: FloatArray, level: float) -> Ranking:
    """Rank systems whose pairs have these p-values: shape (n, n)."""
    return ranking(scores, (p < level) & (scores[:, None] > scores))


def _square(values: FloatArray, first: Any, second: Any) -> FloatArray:
    n = first[-1] + 2
    square = np.ones((n, n))
    square[first, second] = square[second, first] = values
    return square


def _exchanged(columns: Columns, options: BootstrapOptions) -> list[FloatArray]:
    """Return the sums of the segments that every resample exchanges, the same for all systems, in blocks."""
    n_segments, *shape = columns.shape
    flat = columns.reshape(n_segments, -1)
    return [sums.reshape(-1, *shape) for sums in exchanged_sums(flat, options.n_resamples, options.seed)]


def _exchanged_differences(totals: Columns, exchanged: list[FloatArray], i: int, score: ScoreFunction) -> FloatArray:
    """Return the differences of system i to the later ones after the exchanges: shape (n_resamples, n_later)."""
    found = []
    for sums in exchanged:
        moved = sums[:, i + 1 :] - sums[:, [i]]
        # The other system loses what this one gains by the exchange.
        found.append(score(totals[i] + moved) - score(totals[i + 1 :] - moved))
    return np.concatenate(found)
