"""Paired significance tests on the same segments: of two systems, of several with the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import fsum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray
from ..checks import fail, flag, in_number, one_of, shown, warn_user
from ..notebook import Table, decimals_of, displayed, interval_text
from . import intervals
from .draws import Columns, exact_columns, exchanged_sums
from .intervals import BootstrapOptions, ScoreFunction, bootstrap_scores, check_several, level_of, percentile_interval
from .missing import items_of, known_segments
from .power import POWER, influences, smallest_difference
from .units import FEW_UNITS

BOOTSTRAP, PERMUTATION = TESTS = ("bootstrap", "permutation")
# The fewest segments that all favour one system with probability below 0.05: 2 / 2**6 is 0.03.
FEWEST = 6
N_RESAMPLES = {BOOTSTRAP: intervals.N_RESAMPLES, PERMUTATION: 10_000}
P_VALUES = ("two-sided", "one-sided", "sacrebleu")
TWO_SIDED, ONE_SIDED, SACREBLEU = P_VALUES
# Sums in another order differ in their last bits: such differences are ties.
ROUNDING = 1e-12


@displayed
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
    detectable : float or None
        The smallest true difference that so many segments, or units, detect 80% of the time; see `textgauge.plan`. inf
        where they are too few to detect any difference of the scale so often; None where the score of all but one
        segment is not defined, or the differences of all segments are alike.
    """

    stat: float
    p: float
    score1: float
    score2: float
    confidence_interval: list[float] | None
    confidence_interval1: list[float] | None
    confidence_interval2: list[float] | None
    wins: list[float] | None
    detectable: float | None = None

    def _table(self) -> Table:
        """Return a row for the baseline, and one for the system."""
        return table_of([self], ["baseline", "system"])


def table_of(comparisons: Sequence[Comparison], names: Sequence[str], p_holm: Sequence[float] | None = None) -> Table:
    """Return a row for the baseline, then one for each comparison with it, under the `names` of the systems."""
    if not comparisons:
        return Table("system", ["score"], [])
    heads = ["score", "interval", "difference", "interval of the difference", "p"]
    first = comparisons[0]
    n = decimals_of(score for comparison in comparisons for score in (comparison.score1, comparison.score2))
    heads += ["p (Holm)"] * (p_holm is not None)
    rows = [[names[0], f"{first.score1:.{n}f}", interval_text(first.confidence_interval1, n), "baseline"]]
    for i, comparison in enumerate(comparisons):
        cells = [
            f"{comparison.score2:.{n}f}", interval_text(comparison.confidence_interval2, n),
            f"{comparison.stat:+.{n}f}", interval_text(comparison.confidence_interval, n),
        ]  # fmt: skip
        p_values = [comparison.p, *([] if p_holm is None else [p_holm[i]])]
        rows.append([names[i + 1], *cells, *(f"{p:.4f}" for p in p_values)])
    return Table("system", heads, rows)


class PairedOptions(NamedTuple):
    """Options of the tests: see `compare_systems`."""

    test: str | None = None
    n_resamples: int | None = None
    seed: int | None = None
    confidence: float | None = 0.95
    p_value: str = "two-sided"
    unit: Any = None

    def check(self) -> BootstrapOptions:
        """Check every option; return the options of the bootstrap."""
        if self.test is not None:
            one_of("test", self.test, TESTS)
        one_of("p_value", self.p_value, (name for name in P_VALUES if self.test != PERMUTATION or name != SACREBLEU))
        n_resamples = 1 if self.n_resamples is None else self.n_resamples
        bootstrap = BootstrapOptions(self.confidence, n_resamples, self.seed, self.unit)
        if self.n_resamples is None:
            return replace(bootstrap, n_resamples=N_RESAMPLES[self.test or BOOTSTRAP])
        return bootstrap

    def chosen(self, n_segments: int) -> PairedOptions:
        """Check every option; return them with the test and the number of resamples that are taken where none is given.

        Without a test, few segments, or units, are exchanged, of which resamples vary less than they should.
        """
        unit = self.check().unit
        is_few = (n_segments if unit is None else len(unit)) < FEW_UNITS and self.p_value != SACREBLEU
        chosen = self._replace(test=self.test or (PERMUTATION if is_few else BOOTSTRAP), unit=unit)
        return chosen._replace(n_resamples=chosen.check().n_resamples)

    @property
    def level(self) -> float:
        """Below which p is significant."""
        return level_of(self.confidence)

    @property
    def p_kind(self) -> str:
        """How p was computed, in words."""
        return "sacreBLEU's" if self.p_value == SACREBLEU else self.p_value


def paired_bootstrap(
    scores1: Any,
    scores2: Any,
    *,
    score: ScoreFunction | None = None,
    n_resamples: int = N_RESAMPLES[BOOTSTRAP],
    seed: int | None = None,
    confidence: float | None = 0.95,
    p_value: str = "two-sided",
    unit: Any = None,
    skip_bad: bool = False,
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
    unit : labels of segments, optional
        Such as the document of each, see `units_of`: units are resampled, not their segments. Intervals of fewer than
        100 segments, or units, are corrected; p is too small for so few, of units with a warning:
        `paired_permutation` is right.
    skip_bad : bool
        Leave segments out that one of the systems has no score of, as where a judge gave no verdict: None, nan, or an
        empty text. A warning says how many. By default they are refused.

    Raises
    ------
    TypeError, ValueError
        For unequal lengths, fewer than 2 segments or units, or a score that is not a finite number.

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
    options = PairedOptions(BOOTSTRAP, n_resamples, seed, confidence, p_value, unit)
    return _compare_two(scores1, scores2, score, options, skip_bad=skip_bad)


def paired_permutation(
    scores1: Any,
    scores2: Any,
    *,
    score: ScoreFunction | None = None,
    n_resamples: int = N_RESAMPLES[PERMUTATION],
    seed: int | None = None,
    confidence: float | None = 0.95,
    p_value: str = "two-sided",
    unit: Any = None,
    skip_bad: bool = False,
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
    unit : labels of segments, optional
        Such as the document of each, see `units_of`: the outputs of a whole unit are exchanged.
    skip_bad : bool
        See `paired_bootstrap`.

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
    options = PairedOptions(PERMUTATION, n_resamples, seed, confidence, p_value, unit)
    return _compare_two(scores1, scores2, score, options, skip_bad=skip_bad)


def _compare_two(
    scores1: Any, scores2: Any, score: ScoreFunction | None, options: PairedOptions, *, skip_bad: bool
) -> Comparison:
    systems = {"scores1": scores1, "scores2": scores2}
    if flag("skip_bad", skip_bad):
        if score is not None:
            fail(ValueError, "skip_bad", "False with `score`, which scores counts", "True")
        systems, units = known_segments(systems, options.unit)
        options = options._replace(unit=units)
    return compare_named(systems, score, options)[0]


def compare_systems(
    systems: Sequence[Any],
    *,
    score: ScoreFunction | None = None,
    observed: FloatArray | None = None,
    test: str | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    confidence: float | None = 0.95,
    p_value: str = "two-sided",
    unit: Any = None,
) -> list[Comparison]:
    """Compare every system with the first, all on the same resamples.

    Parameters
    ----------
    systems : at least 2 arrays, each shape (n_segments,) or (n_segments, n_columns)
    score, seed, confidence, p_value, unit
        See `paired_bootstrap`.
    observed : shape (n_systems,), optional
        The exact scores of the systems; None computes them from the sums.
    test : "bootstrap" or "permutation", optional
        See `paired_bootstrap` and `paired_permutation`; None is the bootstrap, and of fewer than 100 segments, or
        units, the permutation, since the bootstrap finds differences of equal systems too often there.
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
    return compare_named(named, score, PairedOptions(test, n_resamples, seed, confidence, p_value, unit), observed)


def compare_named(
    systems: dict[str, Any], score: ScoreFunction | None, options: PairedOptions, observed: FloatArray | None = None,
    names: Sequence[str] = (), by: str = "", score_name: str = "",
) -> list[Comparison]:  # fmt: skip
    """Compare every system with the first.

    The keys, or other `names`, are for messages, as is the name of the score, in whose place warnings that are told
    once for several scores have `by`.
    """
    columns, score, observed = drawn_systems(systems, score, observed, options.check())
    options = options.chosen(len(columns))
    bootstrap = options.check()
    differences = observed[1:] - observed[0]
    warn_of_bootstrap(options)
    drawn = np.empty((0, len(observed)))
    if options.test == BOOTSTRAP or options.confidence is not None:
        drawn = bootstrapped(columns, score, bootstrap)
    scale = float(max(np.abs(observed).max(), np.abs(drawn).max(initial=0.0)))
    if options.test == BOOTSTRAP:
        p = bootstrap_p_values(drawn[:, 1:] - drawn[:, :1], differences, options.p_value, scale)
    else:
        exchanged = _differences_to_baseline(columns, score, bootstrap)
        p = permutation_p_values(exchanged, differences, options.p_value, scale)
    baseline, *others = names or systems
    pairs = [(baseline, other) for other in others]
    is_few = warn_of_few(differing(columns), p, pairs, by, options)
    detectable = detectable_differences(influences(columns, score), options)
    comparisons = _comparisons(observed, p, drawn, detectable, options, scale, len(columns))
    named = zip(pairs, comparisons, strict=True)
    enough = [pair for pair, few in zip(named, is_few.tolist(), strict=True) if not few]
    warn_of_contradictions(enough, score_name or by, options)
    return comparisons


def drawn_systems(
    systems: dict[str, Any], score: ScoreFunction | None, observed: FloatArray | None, bootstrap: BootstrapOptions
) -> tuple[Columns, ScoreFunction, FloatArray]:
    """Return what is drawn, shape (n_segments or n_units, n_systems, n_columns), what scores its sums, and the scores.

    Without `score` the score is the mean over segments, of which units may have different numbers.
    """
    columns = stacked_systems(systems, one_score=score is None)
    if score is None:
        observed = np.array([fsum(values) / len(columns) for values in columns[..., 0].T.tolist()])
        columns, score = np.concatenate((columns, np.ones_like(columns)), axis=2), _mean_of_counted
    if observed is None:
        observed = score(columns.sum(axis=0).astype(np.float64))
    return bootstrap.drawn(columns), score, observed


def warn_of_bootstrap(options: PairedOptions) -> None:
    """Warn of a p of few units that the bootstrap gives."""
    if options.test == BOOTSTRAP and options.unit is not None:
        options.unit.warn_of_bootstrap()


def _mean_of_counted(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., 0] / sums[..., 1])


def detectable_differences(values: FloatArray, options: PairedOptions) -> list[float | None]:
    """Return the smallest differences to the first system that a test mostly finds; `values` are `influences`."""
    is_one_sided = options.p_value == ONE_SIDED
    return [
        smallest_difference(values[:, i] - values[:, 0], options.level, POWER, is_one_sided=is_one_sided)
        for i in range(1, values.shape[1])
    ]


def differing(columns: Columns) -> IntArray:
    """Return in how many segments every system but the first differs from the first: int64, shape (n_systems - 1,)."""
    return (columns[:, 1:] != columns[:, :1]).any(axis=2).sum(axis=0)


def warn_of_few(
    differ: IntArray, p: FloatArray, pairs: Sequence[tuple[str, str]], by: str, options: PairedOptions
) -> npt.NDArray[np.bool_]:
    """Warn once if the segments, or units, in which two systems differ by a metric are too few for p.

    All have a value per pair. The warning names the pair that differs in the fewest, of several the first. Returns
    which pairs differ in too few.
    """
    rarest = 2.0 ** (1 - differ)
    # Resamples of differences of one sign never have the other; half, since p is random.
    is_too_few = (differ > 0) & ((differ < FEWEST) | ((options.test == BOOTSTRAP) & (p < rarest / 2)))
    if is_too_few.any():
        place = int(np.argmin(np.where(is_too_few, differ, differ.max() + 1)))
        n, which = int(differ[place]), " and ".join(pairs[place]) + (f" by {by}" if by else "")
        more = int(is_too_few.sum()) - 1
        which += in_number(more, f"; {more} more [pair|pairs]") if more else ""
        noun, enough = ("segment", "hundreds of segments") if options.unit is None else ("unit", "texts of more units")
        few = in_number(n, f"{n} {noun}[|s]")
        warn_user(
            f"two systems differ in only {few}, too few to interpret p ({which}): chance alone lets {few} favour the "
            f"same system with probability {2 / 2**n:.2g}; compare on {enough}."
        )
    return is_too_few


def warn_of_contradictions(
    compared: Sequence[tuple[tuple[str, str], Comparison]], by: str, options: PairedOptions
) -> None:
    """Warn once if a two-sided p says that two systems differ and the interval of the difference does not, or reversed.

    A one-sided p, and sacreBLEU's, ask something else than the interval; of a few resamples no p is below the level.
    """
    n_resamples = options.check().n_resamples
    if options.p_value != TWO_SIDED or 1 / (1 + n_resamples) >= options.level:
        return
    apart = []
    for pair, comparison in compared:
        if comparison.confidence_interval is not None:
            low, high = comparison.confidence_interval
            if (comparison.p < options.level) == (low <= 0 <= high):
                apart.append((pair, comparison.p, low <= 0 <= high))
    if apart:
        pair, p, has_zero = apart[0]
        which = " and ".join(pair) + (f" by {by}" if by else "")
        more = in_number(len(apart) - 1, f"; {len(apart) - 1} more [pair|pairs]") if len(apart) > 1 else ""
        interval = "holds" if has_zero else "does not hold"
        # Two standard errors of a p at the level, which comes from so many resamples.
        is_noise = abs(p - options.level) < 2 * (options.level * (1 - options.level) / n_resamples) ** 0.5
        way_out = "draw more resamples" if is_noise else "compare on more segments"
        warn_user(
            f"p and interval contradict each other ({which}{more}): p is {p:.4g}, "
            f"{'below' if has_zero else 'not below'} {options.level:.2g}, and the interval of the difference {interval}"
            f" 0; take it as undecided, and {way_out}."
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


def _differences_to_baseline(columns: Columns, score: ScoreFunction, options: BootstrapOptions) -> FloatArray:
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
    observed: FloatArray, p: FloatArray, drawn: FloatArray, detectable: Sequence[float | None], options: PairedOptions,
    scale: float, n_drawn: int,
) -> list[Comparison]:  # fmt: skip
    """Return the results of every system but the first; `drawn` has shape (n_resamples or 0, n_systems)."""
    n, gains = len(observed), drawn[:, 1:] - drawn[:, :1]
    wins: list[Any] = [None] * n
    bounds: list[Any] = [None] * 2 * n
    if len(drawn):
        wins = np.mean([side * gains > ROUNDING * scale for side in (-1, 1)], axis=1).T.tolist()
        if options.confidence is not None:
            bounds = percentile_interval(np.column_stack((drawn, gains)), options.confidence, n_drawn).tolist()
    first, *others = observed.tolist()
    return [
        Comparison(
            other - first, float(p[i]), first, other, bounds[n + i], bounds[0], bounds[1 + i], wins[i], detectable[i]
        )
        for i, other in enumerate(others)
    ]


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
        if one_score and (lacking := [i for i, item in enumerate(items_of(values) or ()) if item is None]):
            fail(TypeError, f"{argument}[{lacking[0]}]", f"{allowed}; skip_bad=True leaves out what has none", "None")
        fail(TypeError, argument, allowed, shown(values))
    if array.ndim != (1 if one_score else 2) or 0 in array.shape[1:]:
        fail(ValueError, argument, allowed, f"an array of shape {array.shape}")
    columns = exact_columns(array[:, None] if one_score else array)
    bad = np.argwhere(~np.isfinite(columns))
    if len(bad):
        row, column = bad[0]
        fail(ValueError, f"{argument}[{row}]", allowed, shown(float(columns[row, column])))
    return columns


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
