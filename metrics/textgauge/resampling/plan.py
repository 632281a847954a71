"""How many segments a comparison needs, from a pilot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, isfinite, isinf
from typing import Any, NamedTuple, TypeAlias, overload

import numpy as np

from ..accumulation.accumulator import Accumulator, additive, corpus_scores, observed_scores, warn_of_scores
from ..accumulation.named_score import AnyMetric, score_of, scores_of
from ..arrays import FloatArray
from ..checks import fail, listed, metric_by_keyword, positive_int, real_number, shown, within
from ..input.elements import is_group, kept
from ..locations import DEFAULT
from ..notebook import Table, displayed
from .compare import accumulated, corpora_of_systems
from .comparison import FEWEST
from .intervals import BootstrapOptions, bootstrap_scores, check_several, level_of, percentile_interval
from .power import MOST_NEEDED, POWER, influences, number_needed, smallest_difference, within_reach

# Quantiles of the normal distribution for smaller levels are lost in the rounding of 1 - level.
_SMALLEST_LEVEL = 1e-12
# The share of pilots within the range.
_OF_PILOTS = 0.9
# One for all scores, or by their names.
Differences: TypeAlias = float | Mapping[str, float] | None


@displayed
class Plan(NamedTuple):
    """How many segments a comparison needs.

    Attributes
    ----------
    n_segments : int
        So many find the difference with the probability `power`; at least 6, of which a test needs as many.
    low, high : int
        Pilots of the size of this one give numbers in this range in 9 of 10 cases: of units where units are given,
        else of segments.
    n_units : int or None
        So many units they are, at the mean size of those of the pilot; None without `unit`.
    difference : float
        What is to be found, on the scale of the metric.
    power : float
    n_pilot : int
        The number of segments of the pilot, or of its units.
    detectable : float or None
        The smallest difference that the pilot itself finds with this probability; inf where no difference of the scale
        is large enough, None where its differences are alike.
    """

    n_segments: int
    low: int
    high: int
    n_units: int | None
    difference: float
    power: float
    n_pilot: int
    detectable: float | None

    def _table(self) -> Table:
        """Return what is to be found, and how many segments, or units, that needs."""
        noun = "segments" if self.n_units is None else "units"
        found = "" if self.detectable is None else "none" if isinf(self.detectable) else f"{self.detectable:.2g}"
        cells = [f"{abs(self.difference):.4g}", f"{self.n_segments:,}", f"{self.low:,} to {self.high:,}", found]
        heads = ["to find", "segments", f"{noun} by 9 of 10 pilots", "the pilot finds"]
        if self.n_units is not None:
            heads, cells = [*heads[:2], "units", *heads[2:]], [*cells[:2], f"{self.n_units:,}", *cells[2:]]
        return Table(f"power {100 * self.power:g}%", heads, [[f"a pilot of {self.n_pilot:,}", *cells]])


class PlanOptions(NamedTuple):
    """Options of `plan`."""

    difference: float | None = None
    power: float = POWER
    confidence: float = 0.95
    n_resamples: int = 1000
    seed: int | None = None
    unit: Any = None
    n_tests: int = 1

    def check(self) -> BootstrapOptions:
        """Check every option; return those of the draws."""
        if self.difference is not None:
            allowed = "a difference of scores to find, other than 0"
            if not 0 < abs(real_number("difference", self.difference, allowed)) < float("inf"):
                fail(ValueError, "difference", allowed, shown(self.difference))
        within("confidence", self.confidence, 0, 1, "a number between 0 and 1", is_open=True)
        positive_int("n_tests", self.n_tests)
        draws = BootstrapOptions(self.confidence, self.n_resamples, self.seed, self.unit)
        if self.level < _SMALLEST_LEVEL:
            allowed = f"a number of at most 1 - {_SMALLEST_LEVEL:g} times `n_tests`"
            fail(ValueError, "confidence", allowed, shown(self.confidence))
        # A test finds as many where there is no difference.
        allowed = f"a number between {self.level / 2:.2g}, half the level of the test, and 1"
        within("power", self.power, self.level / 2, 1, allowed, is_open=True)
        return draws

    @property
    def level(self) -> float:
        """The p-value below which one of the tests is significant, after Holm's correction."""
        return level_of(self.confidence) / self.n_tests


@overload
def plan(
    system1: Any, system2: Any, references: Any = None, *, sources: Any = None, metric: AnyMetric = DEFAULT,
    difference: Differences = None, power: float = POWER,
    confidence: float = 0.95, n_resamples: int = 1000, seed: int | None = None, unit: Any = None, n_tests: int = 1,
) -> Plan: ...  # fmt: skip
@overload
def plan(
    system1: Any, system2: Any, references: Any = None, *, sources: Any = None,
    metric: list[AnyMetric] | tuple[AnyMetric, ...], difference: Differences = None, power: float = POWER,
    confidence: float = 0.95, n_resamples: int = 1000, seed: int | None = None, unit: Any = None, n_tests: int = 1,
) -> dict[str, Plan]: ...  # fmt: skip
@metric_by_keyword
def plan(
    system1: Any, system2: Any, references: Any = None, *, sources: Any = None, metric: Any = DEFAULT,
    difference: Differences = None, power: float = POWER,
    confidence: float = 0.95, n_resamples: int = 1000, seed: int | None = None, unit: Any = None, n_tests: int = 1,
) -> Any:  # fmt: skip
    """Return how many segments a paired test needs to find a difference of two systems, from a pilot.

    What matters is how much the differences of two systems vary from segment to segment, which is mostly much less
    than their scores vary. Of metrics that pool their counts, differences are those of the jackknife.

    Parameters
    ----------
    system1, system2 : columns of text
        The pilot: outputs of two systems for the same segments. They need not be those that are compared later, but
        should differ as those will.
    references, sources, metric
        As for `compare`; of several metrics each has its plan.
    difference : float, or dict from metrics to floats, optional
        The difference to find, on the scale of the metric; None, or a metric that is not in the dict, is that of the
        pilot.
    power : float
        The probability with which it is found.
    confidence : float
        p counts below 1 - `confidence`, two-sided.
    n_resamples, seed
        Of the range: see `BootstrapOptions`.
    unit : labels of segments, optional
        See `paired_bootstrap`: how many units are needed, of the mean size of these.
    n_tests : int
        The number of tests for which p is corrected by Holm's method, of systems times scores.

    Returns
    -------
    Plan; of several metrics a dict from each

    Raises
    ------
    TypeError, ValueError
        As for `compare`; for a difference of 0, as wide as the scale of the score, or so small that no corpus has as
        many segments.

    References
    ----------
    Card et al. (2020), With Little Power Comes Great Responsibility; Efron and Tibshirani (1993), An Introduction to
    the Bootstrap, chapter 11, for the jackknife.

    Examples
    --------
    >>> gold = ["the cat sat", "a dog barks", "it rains"] * 20
    >>> first = [text if i % 3 else "no" for i, text in enumerate(gold)]
    >>> second = [text if i % 4 else "no" for i, text in enumerate(gold)]
    >>> plan(first, second, gold, metric="exact_match", difference=0.1).n_segments
    328
    >>> found = plan(first, second, gold, metric=["rougeL", "chrf"], difference={"rougeL": 0.1, "chrf": 10})
    >>> {name: one.n_segments for name, one in found.items()}
    {'rougeL': 328, 'chrf': 294}
    """
    systems = {"system1": kept(system1), "system2": kept(system2)}
    first = systems["system1"]
    if isinstance(first, Mapping) or (is_group(first) and is_group(next(iter(first), None))):
        allowed = "the texts of one system, as in plan(system1, system2, references, metric=...)"
        fail(TypeError, "system1", allowed, shown(first))
    options = PlanOptions(None, power, confidence, n_resamples, seed, unit, n_tests)
    is_one = not isinstance(metric, (list, tuple))
    scores = {str(metric): score_of(metric)} if is_one else scores_of(metric, paired=True)
    every = {name: options._replace(difference=own) for name, own in differences_of(difference, scores).items()}
    for own_options in every.values():
        own_options.check()
    references, sources = kept(references), kept(sources)
    plans = {}
    for name, score in scores.items():
        key = score.key
        corpora = corpora_of_systems(systems, references, sources, score)
        plans[name] = plan_of(accumulated(corpora, score), key, every[name])
    return next(iter(plans.values())) if is_one else plans


def differences_of(difference: Differences, names: Iterable[str]) -> dict[str, float | None]:
    """Return the difference to find by each score, of one for all or of some by name.

    Raises
    ------
    ValueError
        For a name of no score.

    Examples
    --------
    >>> differences_of({"rougeL": 0.01}, ["rougeL", "bleu"])
    {'rougeL': 0.01, 'bleu': None}
    """
    names = [*names]
    if not isinstance(difference, Mapping):
        return dict.fromkeys(names, difference)
    for name in difference:
        if name not in names:
            fail(ValueError, "difference", f"differences by {listed(names, 'or')}", shown(name))
    return {name: difference.get(name) for name in names}


def plan_of(accumulators: Sequence[Accumulator], key: str, options: PlanOptions) -> Plan:
    """Like `plan`, for a score of two accumulators with the same options."""
    draws = options.check()
    first, factor = accumulators[0], accumulators[0].metric.scores.scale
    warn_of_scores(accumulators)
    columns = draws.drawn(np.stack([additive(accumulator) for accumulator in accumulators], axis=1))
    check_several(len(columns))

    def score(sums: FloatArray) -> FloatArray:
        return factor * corpus_scores(first, sums)[key]

    values = influences(columns, score)
    differences = values[:, 1] - values[:, 0]
    if not np.isfinite(differences).all():
        fail(ValueError, key, "a score that is finite without any one of the segments", "another")
    wanted = options.difference
    if wanted is None:
        wanted = float(np.subtract(*(observed_scores(accumulator)[key] for accumulator in accumulators[::-1])))
        if wanted == 0:
            fail(ValueError, "difference", "a difference to find, since the systems have equal scores", "None")
    about = first.metric.scores.of(key)
    # A rate of errors may exceed that of a text without a right word, but no plan is for so large a difference.
    widest = factor * (about.width if isfinite(about.largest) or about.perfect is None else 1.0)
    if options.difference is not None and abs(wanted) >= widest:
        allowed = f"a difference below {widest:g}, the width of the scale of {key}"
        fail(ValueError, "difference", allowed, shown(wanted))
    level, n = options.level, len(differences)
    apart = differences - differences.mean()
    drawn = bootstrap_scores(
        np.stack((apart, apart**2), axis=1),
        lambda sums: _spread(sums, n),
        n_resamples=draws.n_resamples,
        seed=draws.seed,
    )
    needed = number_needed(differences.std(ddof=1), wanted, level, options.power, FEWEST)
    if needed >= MOST_NEEDED:
        fail(ValueError, "difference", f"one that fewer than {MOST_NEEDED:.0e} segments find", shown(wanted))
    range_ = percentile_interval(number_needed(drawn, wanted, level, options.power, FEWEST), _OF_PILOTS)
    low, high = (round(bound) for bound in range_.tolist())
    n_units = None if draws.unit is None else int(needed)
    n_segments = int(needed) if draws.unit is None else ceil(int(needed) * len(first) / n)
    detectable = within_reach(smallest_difference(differences, level, options.power), widest)
    return Plan(n_segments, low, high, n_units, wanted, options.power, n, detectable)


def _spread(sums: FloatArray, n: int) -> FloatArray:
    """Return the standard deviations of n values from their sums and sums of squares, shape (..., 2)."""
    return np.asarray(np.sqrt(np.maximum(sums[..., 1] - sums[..., 0] ** 2 / n, 0.0) / (n - 1)))
