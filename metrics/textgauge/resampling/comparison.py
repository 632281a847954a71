"""Comparison of several systems with the first, on the same segments."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray
from ..checks import fail, in_number, one_of, shown, warn_user
from .draws import Columns, exact_columns, exchanged_sums
from .intervals import BootstrapOptions, ScoreFunction, bootstrap_scores, check_several, percentile_interval
from .p_values import P_VALUES, ROUNDING, SACREBLEU, bootstrap_p_values, permutation_p_values

BOOTSTRAP, PERMUTATION = TESTS = ("bootstrap", "permutation")
# The fewest segments that all favour one system with probability below 0.05: 2 / 2**6 is 0.03.
FEWEST = 6
N_RESAMPLES = {BOOTSTRAP: 1000, PERMUTATION: 10_000}


class Comparison(NamedTuple):
    """The comparison of a system with a baseline.

    Attributes
    ----------
    stat : float
        Score of the system minus score of the baseline.
    p : float
        The p-value, in (0, 1]; defined in `paired_bootstrap` and `paired_permutation`.
    score1, score2 : float
        Corpus scores of the baseline and of the system.
    confidence_interval, confidence_interval1, confidence_interval2 : list of 2 floats, or None
        Bootstrap percentile intervals of `stat`, `score1` and `score2`; None if `confidence`
        is None.
    wins : list of 2 floats, or None
        The shares of the bootstrap resamples in which the baseline, and the system, has the
        better score (Koehn 2004); the rest are ties. None for a permutation test if
        `confidence` is None.
    """

    stat: float
    p: float
    score1: float
    score2: float
    confidence_interval: list[float] | None
    confidence_interval1: list[float] | None
    confidence_interval2: list[float] | None
    wins: list[float] | None


class PairedOptions(NamedTuple):
    """Options of the tests: see `paired_bootstrap` and `paired_permutation`."""

    test: str = BOOTSTRAP
    n_resamples: int | None = None
    seed: int | None = None
    confidence: float | None = 0.95
    p_value: str = "two-sided"

    def check(self) -> BootstrapOptions:
        """Check every option; return the options of the bootstrap."""
        n_resamples = N_RESAMPLES[one_of("test", self.test, TESTS)] if self.n_resamples is None else self.n_resamples
        one_of("p_value", self.p_value, (name for name in P_VALUES if self.test == BOOTSTRAP or name != SACREBLEU))
        return BootstrapOptions(self.confidence, n_resamples, self.seed)

    @property
    def p_kind(self) -> str:
        """What p is, in words."""
        return "sacreBLEU's" if self.p_value == SACREBLEU else self.p_value


def compare_systems(
    systems: Sequence[Any],
    *,
    score: ScoreFunction | None = None,
    observed: FloatArray | None = None,
    test: str = BOOTSTRAP,
    n_resamples: int | None = None,
    seed: int | None = None,
    confidence: float | None = 0.95,
    p_value: str = "two-sided",
) -> list[Comparison]:
    """Compare every system with the first, all on the same resamples.

    Parameters
    ----------
    systems : at least 2 arrays, each shape (n_segments,) or (n_segments, n_columns)
    score, seed, confidence, p_value
        See `paired_bootstrap`.
    observed : shape (n_systems,), optional
        The exact scores of the systems; None computes them from the sums.
    test : "bootstrap" or "permutation"
        See `paired_bootstrap` and `paired_permutation`.
    n_resamples : int or None
        None is 1,000 for the bootstrap, 10,000 for the permutation.

    Returns
    -------
    list of Comparison
        One for every system but the first.

    Warns
    -----
    UserWarning
        Once, if a system differs from the first in n < 6 segments: then the probability 2 / 2**n that
        all of them favour one system by chance is above 0.05. For the bootstrap also if p is less than
        half of that probability.

    Examples
    --------
    >>> systems = [[1, 2] * 6, [2, 3] * 6, [0, 0] * 6]
    >>> [round(other.stat, 1) for other in compare_systems(systems)]
    [1.0, -1.5]
    """
    if len(systems) < 2:
        fail(ValueError, "systems", "a baseline and at least one other system", f"{len(systems)} in all")
    named = {f"systems[{i}]": system for i, system in enumerate(systems)}
    return compare_named(named, score, PairedOptions(test, n_resamples, seed, confidence, p_value), observed)


def compare_named(
    systems: dict[str, Any], score: ScoreFunction | None, options: PairedOptions, observed: FloatArray | None = None
) -> list[Comparison]:
    """Compare every system with the first; the names are for messages."""
    bootstrap = options.check()
    columns = stacked_systems(systems, one_score=score is None)
    observed, score = observed_and_score(columns, score, observed)
    differences = observed[1:] - observed[0]
    drawn = np.empty((0, len(observed)))
    if options.test == BOOTSTRAP or options.confidence is not None:
        drawn = bootstrapped(columns, score, bootstrap)
    scale = float(max(np.abs(observed).max(), np.abs(drawn).max(initial=0.0)))
    if options.test == BOOTSTRAP:
        p = bootstrap_p_values(drawn[:, 1:] - drawn[:, :1], differences, options.p_value, scale)
    else:
        exchanged = _exchanged_differences(columns, score, bootstrap)
        p = permutation_p_values(exchanged, differences, options.p_value, scale)
    warn_of_few(differing(columns), p, is_bootstrap=options.test == BOOTSTRAP)
    return _comparisons(observed, p, drawn, options, scale)


def observed_and_score(
    columns: Columns, score: ScoreFunction | None, observed: FloatArray | None
) -> tuple[FloatArray, ScoreFunction]:
    """Return the scores of all systems, shape (n_systems,), and what gives them from sums of columns."""
    if score is None:
        means = np.array([fsum(values) / len(columns) for values in columns[..., 0].T.tolist()])
        return means, _mean_of(len(columns))
    return score(columns.sum(axis=0).astype(np.float64)) if observed is None else observed, score


def differing(columns: Columns) -> IntArray:
    """Return in how many segments every system but the first differs from the first: int64, shape (n_systems - 1,)."""
    return (columns[:, 1:] != columns[:, :1]).any(axis=2).sum(axis=0)


def warn_of_few(differ: IntArray, p: FloatArray, *, is_bootstrap: bool) -> None:
    """Warn if the segments in which two systems differ are too few for p; both have a value for every two systems."""
    rarest = 2.0 ** (1 - differ)
    # Resamples of differences of one sign never have the other; half, since p is random.
    is_too_few = (differ > 0) & ((differ < FEWEST) | (is_bootstrap & (p < rarest / 2)))
    if is_too_few.any():
        n = int(differ[is_too_few].min())
        warn_user(
            in_number(
                n, f"two systems differ in only {n} [segment|segments], too few to interpret p: by chance alone, "
            )
            + f"all of them favour the same system with probability {2 / 2**n:.2g}; compare on hundreds of segments."
        )


def bootstrapped(columns: Columns, score: ScoreFunction, options: BootstrapOptions) -> FloatArray:
    """Return the scores of all systems on the same resamples: shape (n_resamples, n_systems)."""
    n_segments, n_systems, n_columns = columns.shape
    return bootstrap_scores(
        columns.reshape(n_segments, -1),
        lambda sums: score(sums.reshape(-1, n_systems, n_columns)),
        n_resamples=options.n_resamples,
        seed=options.seed,
    )


def _exchanged_differences(columns: Columns, score: ScoreFunction, options: BootstrapOptions) -> FloatArray:
    """Return the differences to the baseline after random exchanges: shape (n_resamples, n_systems - 1)."""
    n_segments, n_systems, n_columns = columns.shape
    check_several(n_segments)
    totals = columns.sum(axis=0)
    gains = (columns[:, 1:] - columns[:, :1]).reshape(n_segments, -1)
    blocks = []
    for sums in exchanged_sums(gains, options.n_resamples, options.seed):
        # The other system loses what the baseline gains by the exchange.
        moved = sums.reshape(-1, n_systems - 1, n_columns)
        blocks.append(score(totals[1:] - moved) - score(totals[0] + moved))
    return np.concatenate(blocks)


def _comparisons(
    observed: FloatArray, p: FloatArray, drawn: FloatArray, options: PairedOptions, scale: float
) -> list[Comparison]:
    """Return the results of every system but the first; `drawn` has shape (n_resamples or 0, n_systems)."""
    n, gains = len(observed), drawn[:, 1:] - drawn[:, :1]
    wins: list[Any] = [None] * n
    bounds: list[Any] = [None] * 2 * n
    if len(drawn):
        wins = np.mean([side * gains > ROUNDING * scale for side in (-1, 1)], axis=1).T.tolist()
        if options.confidence is not None:
            bounds = percentile_interval(np.column_stack((drawn, gains)), options.confidence).tolist()
    first, *others = observed.tolist()
    return [
        Comparison(other - first, float(p[i]), first, other, bounds[n + i], bounds[0], bounds[1 + i], wins[i])
        for i, other in enumerate(others)
    ]


def _mean_of(n_segments: int) -> ScoreFunction:
    return lambda sums: sums[..., 0] / n_segments


def stacked_systems(systems: dict[str, Any], *, one_score: bool) -> Columns:
    """Check all systems and stack them: shape (n_segments, n_systems, n_columns)."""
    first, *_ = systems
    columns = {name: _columns_of(values, name, one_score=one_score) for name, values in systems.items()}
    n_segments, n_columns = columns[first].shape
    for name, system in columns.items():
        if len(system) != n_segments:
            fail(ValueError, name, f"as many segments as {first} ({n_segments})", str(len(system)))
        if system.shape[1] != n_columns:
            fail(ValueError, name, f"as many columns as {first} ({n_columns})", str(system.shape[1]))
    check_several(n_segments)
    return np.stack(list(columns.values()), axis=1)


def _columns_of(values: Any, argument: str, *, one_score: bool) -> Columns:
    allowed = "one finite number per segment" if one_score else "a row of finite numbers per segment"
    try:
        array = np.asarray(values)
        is_number = array.dtype.kind in "iuf"
    except (TypeError, ValueError):
        is_number = False
    if not is_number:
        fail(TypeError, argument, allowed, shown(values))
    if array.ndim != (1 if one_score else 2) or 0 in array.shape[1:]:
        fail(ValueError, argument, allowed, f"an array of shape {array.shape}")
    columns = exact_columns(array[:, None] if one_score else array)
    bad = np.argwhere(~np.isfinite(columns))
    if len(bad):
        row, column = bad[0]
        fail(ValueError, f"{argument}[{row}]", allowed, shown(float(columns[row, column])))
    return columns
