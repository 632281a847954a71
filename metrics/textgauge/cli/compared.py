"""One score of several systems, compared: with the baseline, or every two with each other; its tables and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from math import inf
from typing import Any, ClassVar

from ..accumulation.accumulator import Accumulator
from ..checks import listed, printable, quantity
from ..resampling import AllPairs, PairedOptions
from ..resampling.comparison import TESTS
from ..resampling.power import POWER
from ..signatures import resampled
from .sheet import Figure, Numbers, Table

# Where a system differs from the baseline.
SIDES = ("worst", "best")
# Of more systems a table of all p-values is wider than a page.
_MOST_COLUMNS = 10


@dataclass(frozen=True, kw_only=True)
class Tested:
    """One score of all systems.

    Attributes
    ----------
    name : str
        The requested name.
    key : str
        The key of the score.
    accumulator : Accumulator
        That of the first system, which is the baseline if there is one.
    numbers : Numbers
        The format of the scores.
    settings : PairedOptions
        With the number of resamples filled in.
    higher_is_better : bool
    """

    name: str
    key: str
    accumulator: Accumulator
    numbers: Numbers
    settings: PairedOptions
    higher_is_better: bool
    # Those of `in_paper`, but for the score.
    heads: ClassVar[Sequence[str]] = ()

    @property
    def confidence(self) -> float:
        """The confidence of the intervals."""
        return self.settings.confidence or 0

    @property
    def widest(self) -> float:
        """The largest difference that there can be."""
        scores = self.accumulator.metric.scores
        return scores.scale * scores.of(self.key).width

    @property
    def title(self) -> str:
        """The name at the head of a table, with an arrow if lower is better."""
        return self.name if self.higher_is_better else f"{self.name} ↓"

    @property
    def interval_head(self) -> str:
        """The head of a column of intervals."""
        return f"{100 * self.confidence:g}% interval"

    @property
    def p_numbers(self) -> Numbers:
        """The format of p."""
        return Numbers.of_p(self.settings.n_resamples or 0)

    @property
    def signature(self) -> str:
        """What was computed."""
        return self.accumulator.signature

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


def power_notes(drawn: str, smallest: Mapping[str, float], power: float = POWER) -> list[str]:
    """Return what so many segments detect, by score if there are several; of some nothing is known."""
    several, often = len(smallest) > 1, f"detected {100 * power:g}% of the time"
    found = [f"{value:.2g}" + f" ({name})" * several for name, value in smallest.items() if 0 < value < inf]
    beyond = [name for name, value in smallest.items() if value == inf]
    notes = [f"With {drawn}, a true difference of {listed(found, 'or')} would be {often}"] if found else []
    which = f" of {listed(beyond, 'or')}" if several and beyond else ""
    return notes + ([f"With {drawn}, no difference{which} is large enough to be {often}"] if beyond else [])


def settings_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a test, or a plan, as values of JSON: of units their name and number."""
    values, unit = {name: value for name, value in options.items() if name != "unit"}, options["unit"]
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
    def systems(self) -> list[str]:
        """Their names."""
        return [row["name"] for row in self.rows]

    @property
    def order(self) -> Sequence[int]:
        """The systems, the baseline first."""
        return range(len(self.rows))

    @property
    def page(self) -> Any:
        """What JSON has."""
        return self.rows

    @property
    def detectable(self) -> float:
        """The smallest difference that is found, of the system where it is largest; 0 if none vary, inf if none is."""
        return max((row.get("detectable") or 0.0) for row in self.rows)

    @property
    def signature(self) -> str:
        """What was computed, with the resamples of its interval and p."""
        test = "bs" if self.settings.test == TESTS[0] else "ar"
        settings = self.settings
        return resampled(self.accumulator.signature, settings.n_resamples or 0, settings.seed, settings.unit, test)

    def is_different(self, row: Mapping[str, Any]) -> bool:
        """Return whether a system differs from the baseline significantly."""
        return bool(row.get("p_holm", row.get("p", 1.0)) < self.settings.level)

    def is_worse(self, row: Mapping[str, Any]) -> bool:
        """Return whether a system is significantly worse than the baseline."""
        return self.is_different(row) and (row["stat"] < 0) is self.higher_is_better

    def p_figures(self, row: Mapping[str, Any]) -> list[Figure]:
        """Format the p-values of a system."""
        return [self.p_numbers.figure(row[key]) for key in ("p", "p_holm") if key in row]

    def in_paper(self, system: int) -> list[Figure]:
        """Format the score of a system, with a mark if it differs from the baseline significantly."""
        row = self.rows[system]
        score = self.numbers.figure(row["score"], row["confidence_interval"])
        mark = "‡" if self.is_worse(row) else "†" if self.is_different(row) else ""
        return [score._replace(text=score.text + mark)]

    def tables(self) -> list[Table]:
        """Return the scores, and where systems differ most from the baseline, if that is listed."""
        heads = ["score", "difference", "p", *(["p (Holm)"] if "p_holm" in self.rows[1] else [])]
        scores = Table(self.title, heads, self.interval_head)
        for row in self.rows:
            score = self.numbers.figure(row["score"], row["confidence_interval"])
            cells = [self.numbers.difference(row["stat"]), *self.p_figures(row)] if "p" in row else ["baseline"]
            scores.add(row["name"], score, *cells, is_bold=self.is_different(row))
        most = Table(f"{self.name}: where they differ most", (self.unit, "baseline", "system", "difference"))
        for row, side in product(self.rows[1:], SIDES):
            for part in row[side]:
                figures = [*map(self.numbers.figure, (part["score1"], part["score2"]))]
                difference = self.numbers.difference(part["stat"])
                most.add(
                    f"{row['name']}, {side}", printable(str(part.get("id", part[self.unit]))), *figures, difference
                )
        return [scores, most] if most.rows else [scores]


@dataclass(frozen=True, kw_only=True)
class Ranked(Tested):
    """One score of all systems, every two compared.

    Attributes
    ----------
    systems, files : sequence of str
        Their names, and where they are from.
    pairs : AllPairs
    """

    systems: Sequence[str]
    files: Sequence[str]
    pairs: AllPairs
    heads = ("rank", "cluster")

    @property
    def detectable(self) -> float:
        """The smallest difference that is found; 0 where none vary."""
        return self.pairs.detectable or 0.0

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

    def in_paper(self, system: int) -> list[Figure]:
        """Format the score, the rank range and the cluster of a system."""
        score = self.numbers.figure(self.pairs.scores[system], self.interval(system))
        return [score, Figure(self.rank(system), [self.rank(system)]), Figure(str(self.cluster_of[system]))]

    def tables(self, *, is_brief: bool) -> list[Table]:
        """Return the ranks, and the p-values of all pairs; or, if `is_brief`, the ranks in the order of the files."""
        ranks = Table(self.title, ("score", "rank"), self.interval_head)
        last = ""
        for i in range(len(self.systems)) if is_brief else self.order:
            *cells, (cluster, *_) = self.in_paper(i)
            ranks.add(self.systems[i], *cells, after_gap=last not in ("", cluster))
            last = cluster
        if is_brief or not 2 < len(self.systems) <= _MOST_COLUMNS:
            return [ranks]
        tests = Table(f"{self.name}: p (Holm)", [str(number) for number in range(1, len(self.order) + 1)])
        for number, i in enumerate(self.order, 1):
            cells = [Figure("") if i == j else self.p_numbers.figure(self.pairs.p_holm[i][j]) for j in self.order]
            tests.add(f"{number} {self.systems[i]}", *cells)
        return [ranks, tests]

    @property
    def page(self) -> dict[str, Any]:
        """What JSON has."""
        ranks, cluster_of = self.pairs, self.cluster_of
        systems = [
            {
                "system": file, "name": self.systems[i], "score": ranks.scores[i],
                "confidence_interval": self.interval(i), "rank_range": ranks.rank_ranges[i], "cluster": cluster_of[i],
            }
            for i, file in enumerate(self.files)
        ]  # fmt: skip
        pairs = [
            {
                "system1": self.files[i], "system2": self.files[j], "stat": ranks.stat[j][i],
                "p": ranks.p[i][j], "p_holm": ranks.p_holm[i][j],
            }
            for i, j in combinations(range(len(self.files)), 2)
        ]  # fmt: skip
        return {"systems": systems, "pairs": pairs, "detectable": ranks.detectable}

    def interval(self, system: int) -> list[float]:
        """Return the interval of a system."""
        return self.pairs.confidence_intervals[system] if self.pairs.confidence_intervals else []

    @property
    def cuts(self) -> list[float]:
        """Where clusters end, as places between systems in order."""
        clusters = [self.cluster_of[i] for i in self.order]
        return [place + 0.5 for place, (cluster, following) in enumerate(pairwise(clusters)) if cluster != following]
