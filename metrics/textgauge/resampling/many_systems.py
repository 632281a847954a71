"""Paired significance tests of every two of many systems: Holm's correction, ranks and clusters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from ..checks import MAX_RESAMPLES, fail, quantity, shown, warn_user
from ..notebook import Table, decimals_of, displayed, interval_text
from .comparison import (
    BOOTSTRAP,
    ONE_SIDED,
    PairedOptions,
    bootstrap_p_values,
    bootstrapped,
    detectable_differences,
    differing,
    drawn_systems,
    permutation_p_values,
    warn_of_bootstrap,
    warn_of_few,
)
from .draws import Columns, exchanged_sums
from .intervals import BootstrapOptions, ScoreFunction, percentile_interval
from .power import influences, of_several_tests


@displayed
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
    detectable : float or None
        The smallest true difference that so many segments, or units, detect 80% of the time after Holm's correction,
        of the pair for which it is largest; inf and None as in `Comparison`.
    """

    scores: list[float]
    confidence_intervals: list[list[float]] | None
    stat: list[list[float]]
    p: list[list[float]]
    p_holm: list[list[float]]
    rank_ranges: list[list[int]]
    clusters: list[list[int]]
    detectable: float | None = None

    def _table(self) -> Table:
        """Return a row per system, the best first."""
        n, rows = decimals_of(self.scores), []
        for cluster, systems in enumerate(self.clusters, 1):
            for i in systems:
                low, high = self.rank_ranges[i]
                bounds = None if self.confidence_intervals is None else self.confidence_intervals[i]
                interval = interval_text(bounds, n)
                rank = str(low) if low == high else f"{low}-{high}"
                rows.append([f"systems[{i}]", f"{self.scores[i]:.{n}f}", interval, rank, str(cluster)])
        return Table("system", ["score", "interval", "rank", "cluster"], rows)


def compare_all(
    systems: dict[str, Any], score: ScoreFunction | None, options: PairedOptions, observed: FloatArray | None = None,
    names: Sequence[str] = (), by: str = "",
) -> AllPairs:  # fmt: skip
    """Compare every two systems; parameters as in `compare_named`.

    Examples
    --------
    >>> systems = {"a": [1, 2] * 6, "b": [2, 3] * 6, "c": [0, 0] * 6}
    >>> compare_all(systems, None, PairedOptions()).clusters
    [[1], [0], [2]]
    """
    if options.p_value == ONE_SIDED:
        fail(ValueError, "p_value", "a two-sided one for all pairs, which have no baseline", shown(options.p_value))
    columns, score, observed = drawn_systems(systems, score, observed, options.check())
    options = options_for_pairs(options, len(systems), len(columns))
    bootstrap = options.check()
    first, second = np.triu_indices(len(observed), 1)
    warn_of_bootstrap(options)
    drawn = np.empty((0, len(observed)))
    if options.test == BOOTSTRAP or options.confidence is not None:
        drawn = bootstrapped(columns, score, bootstrap)
    p = _p_values_of_pairs(columns, score, observed, drawn, options)
    differ = np.concatenate([differing(columns[:, i:]) for i in range(len(observed) - 1)])
    pairs = [*combinations(names or systems, 2)]
    warn_of_few(differ, p, pairs, by, options)
    corrected = _square(np.array(holm(p.tolist())), first, second)
    level = options.level
    if (most := len(p) / (1 + bootstrap.n_resamples)) >= level:
        warn_user(
            f"n_resamples: of {bootstrap.n_resamples:,} the smallest p is {min(most, 1.0):.2g} after Holm's correction "
            f"for {quantity(len(p), 'pair')}, so that no two systems can differ significantly; "
            f"take {int(len(p) / level):,} or more"
        )
    ranked = ranked_by(observed, corrected, level)
    values = influences(columns, score)
    factor = of_several_tests(len(p), options.level)
    smallest = [
        factor * difference
        for i in range(len(observed) - 1)
        for difference in detectable_differences(values[:, i:], options)
        if difference
    ]
    bounds = None
    if options.confidence is not None:
        bounds = percentile_interval(drawn, options.confidence, len(columns)).tolist()
    return AllPairs(
        observed.tolist(), bounds, (observed[:, None] - observed).tolist(), _square(p, first, second).tolist(),
        corrected.tolist(), ranked.ranges, ranked.clusters, max(smallest, default=None),
    )  # fmt: skip


def options_for_pairs(options: PairedOptions, n_systems: int, n_segments: int) -> PairedOptions:
    """Return `chosen` options, by default with enough resamples for a significant p of all pairs."""
    chosen = options.chosen(n_segments)
    if options.n_resamples is not None:
        return chosen
    fewest = n_systems * (n_systems - 1) / 2 / options.level
    thousands = min(1000 * ceil(fewest / 1000), MAX_RESAMPLES)
    return chosen._replace(n_resamples=max(chosen.check().n_resamples, thousands))


def _p_values_of_pairs(
    columns: Columns, score: ScoreFunction, observed: FloatArray, drawn: FloatArray, options: PairedOptions
) -> FloatArray:
    """Return the p-values of all pairs; `drawn` are bootstrap scores, shape (n_resamples, n_systems)."""
    scale = float(max(np.abs(observed).max(), np.abs(drawn).max(initial=0.0)))
    exchanged = [] if options.test == BOOTSTRAP else _exchanged_blocks(columns, options.check())
    p_values = []
    # One system at a time: all differences would take the memory of all pairs.
    for i in range(len(observed) - 1):
        differences = observed[i] - observed[i + 1 :]
        if options.test == BOOTSTRAP:
            gains = drawn[:, [i]] - drawn[:, i + 1 :]
            p_values.append(bootstrap_p_values(gains, differences, options.p_value, scale))
        else:
            gains = _differences_to_later(columns.sum(axis=0), exchanged, i, score)
            p_values.append(permutation_p_values(gains, differences, options.p_value, scale))
    return np.concatenate(p_values)


def ranked_by(scores: FloatArray, p: FloatArray, level: float) -> Ranking:
    """Rank systems whose pairs have these p-values: shape (n, n)."""
    return ranking(scores, (p < level) & (scores[:, None] > scores))


def _square(values: FloatArray, first: Any, second: Any) -> FloatArray:
    n = first[-1] + 2
    square = np.ones((n, n))
    square[first, second] = square[second, first] = values
    return square


def _exchanged_blocks(columns: Columns, options: BootstrapOptions) -> list[FloatArray]:
    """Return the sums of the segments that every resample exchanges, the same for all systems, in blocks."""
    n_segments, *shape = columns.shape
    flat = columns.reshape(n_segments, -1)
    return [sums.reshape(-1, *shape) for sums in exchanged_sums(flat, options.n_resamples, options.seed)]


def _differences_to_later(totals: Columns, exchanged: list[FloatArray], i: int, score: ScoreFunction) -> FloatArray:
    """Return the differences of system i to the later ones after the exchanges: shape (n_resamples, n_later)."""
    differences = []
    for sums in exchanged:
        moved = sums[:, i + 1 :] - sums[:, [i]]
        # The other system loses what this one gains by the exchange.
        differences.append(score(totals[i] + moved) - score(totals[i + 1 :] - moved))
    return np.concatenate(differences)


class Ranking(NamedTuple):
    """Systems as WMT prints them.

    Attributes
    ----------
    order : list of int
        All systems, the best first.
    ranges : list of lists of 2 int
        By system: the rank 1 is the best.
    clusters : list of lists of int
        The best first; in each the best system first.
    """

    order: list[int]
    ranges: list[list[int]]
    clusters: list[list[int]]


def ranking(scores: FloatArray, is_better: npt.NDArray[np.bool_]) -> Ranking:
    """Rank systems.

    The range of a system begins behind all that are significantly better, and ends before all that are
    significantly worse. A new cluster begins where each of the systems above is significantly better than each of
    those below.

    Parameters
    ----------
    scores : float64, shape (n,)
        Higher is better.
    is_better : bool, shape (n, n)
        Whether the system of the row is significantly better than that of the column.

    References
    ----------
    Bojar et al. (2016), Findings of the 2016 Conference on Machine Translation, section 3.4.

    Examples
    --------
    >>> better = np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], bool)
    >>> ranking(np.array([0.9, 0.8, 0.1]), better)
    Ranking(order=[0, 1, 2], ranges=[[1, 2], [1, 2], [3, 3]], clusters=[[0, 1], [2]])
    """
    n = len(scores)
    order = np.argsort(-scores, kind="stable")
    ranges = np.stack([1 + is_better.sum(axis=0), n - is_better.sum(axis=1)], axis=1)
    sorted_better = is_better[np.ix_(order, order)]
    cuts = [k for k in range(1, n) if sorted_better[:k, k:].all()]
    return Ranking(order.tolist(), ranges.tolist(), [part.tolist() for part in np.split(order, cuts)])


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
