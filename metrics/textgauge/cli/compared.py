"""One score of several systems, compared: with the baseline, or every two with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..accumulation.accumulator import Accumulator
from ..checks import quantity
from ..resampling import AllPairs, PairedOptions
from ..resampling.comparison import TESTS
from ..resampling.plan import PlanOptions
from ..signatures import resampled
from .sheet import Figure, Numbers


@dataclass(frozen=True, kw_only=True)
class Tested:
    """One score of all systems.

    Attributes
    ----------
    name : str
        The requested name.
    accumulator : Accumulator
        That of the first system, which is the baseline if there is one.
    numbers : Numbers
        The format of the scores.
    settings : PairedOptions
        With the number of resamples filled in.
    higher_is_better : bool
    """

    name: str
    accumulator: Accumulator
    numbers: Numbers
    settings: PairedOptions
    higher_is_better: bool

    @property
    def level(self) -> float:
        """The confidence level."""
        return self.settings.confidence or 0

    @property
    def interval_head(self) -> str:
        """The head of a column of intervals."""
        return f"{100 * self.level:g}% interval"

    @property
    def p_numbers(self) -> Numbers:
        """The format of p."""
        return Numbers.of_p(self.settings.n_resamples or 0)

    @property
    def drawn(self) -> str:
        """How many segments there are, and units if these are drawn."""
        return drawn_of(len(self.accumulator), self.settings.unit)


def rank_text(bounds: Sequence[int]) -> str:
    """Format a rank range."""
    low, high = bounds
    return str(low) if low == high else f"{low}-{high}"


def drawn_of(n_segments: int, unit: Any) -> str:
    """Return how many segments there are, and units if these are drawn."""
    return quantity(n_segments, "segment") + (f" in {quantity(len(unit), 'unit')} ({unit.name})" if unit else "")


def smallest_found(drawn: str, largest: Mapping[str, float]) -> list[str]:
    """Return the line about the smallest differences that a comparison finds, by score; empty where none vary."""
    every = smallest_of({name: value for name, value in largest.items() if value > 0}, n_scores=len(largest))
    return [f"{drawn} find differences from {every} on in 8 of 10 cases"] if every else []


def smallest_of(values: Mapping[str, float], n_scores: int | None = None) -> str:
    """Return differences as shown, by score if there are several."""
    has_names = (len(values) if n_scores is None else n_scores) > 1
    return ", ".join(f"{value:.2g}" + f" ({name})" * has_names for name, value in values.items())


def settings_of(settings: PairedOptions | PlanOptions) -> dict[str, Any]:
    """Return the options of a test, or a plan, as values of JSON: of units their name and number."""
    values = settings._asdict()
    unit = values.pop("unit")
    return values if unit is None else {**values, "unit": unit.name, "units": len(unit)}


@dataclass(frozen=True, kw_only=True)
class Compared(Tested):
    """One score of all systems, compared with the baseline.

    Attributes
    ----------
    unit : "segment" or "document"
        What "worst" and "best" of a row list.
    rows : sequence of dict
        The results of every system by their keys in JSON, the baseline first; scores are scaled.
    """

    unit: str
    rows: Sequence[dict[str, Any]]

    @property
    def signature(self) -> str:
        """What was computed, with the resamples of its interval and p."""
        test = "bs" if self.settings.test == TESTS[0] else "ar"
        settings = self.settings
        return resampled(self.accumulator.signature, settings.n_resamples or 0, settings.seed, settings.unit, test)

    def is_different(self, row: Mapping[str, Any]) -> bool:
        """Return whether a system differs from the baseline significantly."""
        return bool(row.get("p_holm", row.get("p", 1.0)) < 1 - self.level)

    def is_worse(self, row: Mapping[str, Any]) -> bool:
        """Return whether a system is significantly worse than the baseline."""
        return self.is_different(row) and (row["stat"] < 0) is self.higher_is_better

    def p_figures(self, row: Mapping[str, Any]) -> list[Figure]:
        """Format the p-values of a system."""
        return [self.p_numbers.figure(row[key]) for key in ("p", "p_holm") if key in row]


@dataclass(frozen=True, kw_only=True)
class Ranked(Tested):
    """One score of all systems, every two compared.

    Attributes
    ----------
    systems : sequence of str
        Their names.
    pairs : AllPairs
    """

    systems: Sequence[str]
    pairs: AllPairs

    @property
    def order(self) -> list[int]:
        """The systems, the best first."""
        return [i for cluster in self.pairs.clusters for i in cluster]

    @property
    def cluster_of(self) -> dict[int, int]:
        """The number of the cluster of every system, from 1."""
        return {i: number for number, cluster in enumerate(self.pairs.clusters, 1) for i in cluster}

    def rank(self, system: int) -> str:
        """Format the rank range of a system."""
        return rank_text(self.pairs.rank_ranges[system])

    def score(self, system: int) -> Figure:
        """Format the score of a system, with its interval."""
        return self.numbers.figure(self.pairs.scores[system], self.interval(system))

    def interval(self, system: int) -> list[float]:
        """Return the interval of a system."""
        return self.pairs.confidence_intervals[system] if self.pairs.confidence_intervals else []

    @property
    def cuts(self) -> list[float]:
        """Where clusters end, as places between systems in order."""
        clusters = [self.cluster_of[i] for i in self.order]
        return [place + 0.5 for place, (cluster, following) in enumerate(pairwise(clusters)) if cluster != following]
