"""`textgauge compare --all-pairs`: every two systems tested, with rank ranges and clusters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from ..accumulation.accumulator import Accumulator
from ..accumulation.comparison import compare_measures
from ..checks import counted, fail
from ..resampling import AllPairs, PairedOptions
from .files import shown_name
from .messages import InputError, listed, notices, refusals, refuse
from .output import page_of, show
from .request import Request, count
from .score import paper_heads
from .table import Numbers, Table, dimmed, paper, rounded

# Of more systems a table of all p-values is wider than a page.
_MOST_COLUMNS = 10
# How many pairs are named about whose order metrics disagree.
_MOST_NAMED = 5


class Ranked(NamedTuple):
    """One score of all systems.

    Attributes
    ----------
    name : str
        The requested name.
    measure : Accumulator
        That of the first system.
    systems : sequence of str
        Their names.
    found : AllPairs
    numbers : Numbers
        The format of the scores.
    settings : PairedOptions
        With the number of resamples filled in.
    higher_is_better : bool
    """

    name: str
    measure: Accumulator
    systems: Sequence[str]
    found: AllPairs
    numbers: Numbers
    settings: PairedOptions
    higher_is_better: bool

    @property
    def level(self) -> float:
        """The confidence level."""
        return self.settings.confidence or 0

    @property
    def order(self) -> list[int]:
        """The systems, the best first."""
        return [i for cluster in self.found.clusters for i in cluster]

    @property
    def cluster_of(self) -> dict[int, int]:
        """The number of the cluster of every system, from 1."""
        return {i: number for number, cluster in enumerate(self.found.clusters, 1) for i in cluster}

    def rank(self, system: int) -> str:
        """Format the rank range of a system."""
        low, high = self.found.rank_ranges[system]
        return str(low) if low == high else f"{low}-{high}"

    def interval(self, system: int) -> list[float]:
        """Return the interval of a system."""
        return self.found.confidence_intervals[system] if self.found.confidence_intervals else []


def run_all_pairs(
    context: click.Context, request: Request, settings: PairedOptions, options: Mapping[str, Any]
) -> None:
    """Run the command."""
    from .plots import plot_ranks

    _check(options, shows=context.get_parameter_source("n_shown") is not ParameterSource.DEFAULT)
    with notices():
        results = _ranked(request, settings, options["width"])
    if options["picture"] is not None:
        plot_ranks(options["picture"], results)
    show(_text_of(results, request, options), options["output"])


def _check(options: Mapping[str, Any], *, shows: bool) -> None:
    """Refuse options that have no effect, or no meaning, for all pairs; `shows` if --show was typed."""
    idle = {
        "--holm": options["holm"] and "which always corrects p for all pairs",
        "--fail-if-worse": options["fail_if_worse"] and "which has no baseline",
        "--documents": options["documents"] and "which lists no differences",
        "--show": shows and "which lists no differences",
        "--p-value one-sided": options["p_value"] == "one-sided" and "which has no baseline",
    }
    for flag, why in idle.items():
        if why:
            refuse(f"{flag} cannot be given with --all-pairs, {why}")


def _ranked(request: Request, settings: PairedOptions, width: int | None) -> list[Ranked]:
    """Return the comparison of every two systems by every score of every metric."""
    measures = request.start(request.options())
    count(request, measures)
    n_segments = len(measures[0][0])
    if n_segments < 2:
        fail(InputError, shown_name(request.sides.systems[0]), "at least 2 segments to compare", str(n_segments))
    results = []
    for one, of_systems in zip(request.chosen, measures, strict=True):
        for name, key in one.keys(of_systems[0]).items():
            with refusals(name):
                found = compare_measures(of_systems, key, all_pairs=True, **settings._asdict())
            numbers = Numbers.of(one.metric.scale, width)
            higher = of_systems[0].metric.score_of(key).higher_is_better
            results.append(Ranked(name, of_systems[0], request.names, found, numbers, settings, higher))
    return results


def _text_of(results: Sequence[Ranked], request: Request, options: Mapping[str, Any]) -> str:
    """Format the results as asked for."""
    if options["paper"]:
        return _paper(results, options["paper"])
    if options["as_json"]:
        return _json(results, request, options)
    if options["brief"]:
        return "\n".join(
            "\t".join([*map(one.numbers.text, [one.found.scores[i], *one.interval(i)]), one.rank(i)])
            for one in results for i in range(len(one.systems))
        )  # fmt: skip
    return _tables(results, has_signature=options["signature"])


def _tables(results: Sequence[Ranked], *, has_signature: bool) -> str:
    parts = []
    for one in results:
        parts.append(_scores(one).text())
        if 2 < len(one.systems) <= _MOST_COLUMNS:
            parts.append(_p_values(one).text())
    notes = [*_notes(results), *_disagreement(results)]
    notes += dict.fromkeys(one.measure.signature for one in results) if has_signature else []
    return "\n\n".join([*parts, "\n".join(map(dimmed, notes))])


def _scores(one: Ranked) -> Table:
    shown = Table(one.name, ("score", f"{100 * one.level:g}% interval", "rank"))
    last = one.cluster_of[one.order[0]]
    for i in one.order:
        cluster = one.cluster_of[i]
        score, interval = one.numbers.text(one.found.scores[i]), one.numbers.interval(one.interval(i))
        shown.add(one.systems[i], score, interval, one.rank(i), after_gap=cluster != last)
        last = cluster
    return shown


def _p_values(one: Ranked) -> Table:
    order, digits = one.order, len(str(one.settings.n_resamples))
    shown = Table(f"{one.name}: p (Holm)", [str(number) for number in range(1, len(order) + 1)])
    for number, i in enumerate(order, 1):
        cells = ["" if i == j else f"{one.found.p_holm[i][j]:.{digits}f}" for j in order]
        shown.add(f"{number} {one.systems[i]}", *cells)
    return shown


def _notes(results: Sequence[Ranked]) -> list[str]:
    first = results[0]
    n = len(first.systems)
    settings, pairs = first.settings, counted(n * (n - 1) // 2, "pair")
    test = f"paired {settings.test}, {settings.n_resamples:,} resamples, seed {settings.seed}"
    notes = [f"{len(first.measure):,} segments; {test}; p is {settings.p_kind}, after Holm for {pairs}"]
    notes.append(f"ranks and clusters by p < {1 - first.level:.2g}: every system is better than all of later clusters")
    lower = [one.name for one in results if not one.higher_is_better]
    return notes + ([f"lower is better: {', '.join(lower)}"] if lower else [])


def _disagreement(results: Sequence[Ranked]) -> Iterator[str]:
    """Yield where several metrics disagree about the order of systems."""
    if len(results) < 2:
        return
    places = [{i: place for place, i in enumerate(one.order)} for one in results]
    scores = [one.found.scores for one in results]
    pairs = [*combinations(range(len(results[0].systems)), 2)]
    apart = []
    for i, j in pairs:
        # A tie is no order.
        first = {
            place[i] < place[j] for place, of_metric in zip(places, scores, strict=True) if of_metric[i] != of_metric[j]
        }
        apart += [(i, j)] if len(first) > 1 else []
    if not apart:
        yield f"{listed([one.name for one in results])} agree about the order of {counted(len(pairs), 'pair')}"
        return
    names = [f"{results[0].systems[i]} and {results[0].systems[j]}" for i, j in apart[:_MOST_NAMED]]
    more = [f"{len(apart) - _MOST_NAMED} more"] if len(apart) > _MOST_NAMED else []
    every = counted(len(pairs), "pair")
    yield f"the metrics disagree about the order of {len(apart)} of {every}: {'; '.join([*names, *more])}"


def _paper(results: Sequence[Ranked], form: str) -> str:
    """Format a row per system, in the order of the first metric: its score, rank range and cluster by every metric."""
    rows = []
    for i in results[0].order:
        cells = [[one.numbers.text(one.found.scores[i]), one.rank(i), str(one.cluster_of[i])] for one in results]
        rows.append([results[0].systems[i], *(cell for of_one in cells for cell in of_one)])
    heads = paper_heads([(one.name, one.measure.metric) for one in results])
    columns = [title for head in heads for title in (head, "rank", "cluster")]
    signatures = dict.fromkeys(f"{one.name}: {one.measure.signature}" for one in results)
    return paper(form, columns, rows, [*_notes(results), *_disagreement(results), *signatures])


def _json(results: Sequence[Ranked], request: Request, options: Mapping[str, Any]) -> str:
    width, n_skipped = options["width"], request.sides.bad.n_skipped
    page: dict[str, Any] = {"segments": len(results[0].measure), **({"skipped": n_skipped} if n_skipped else {})}
    page |= results[0].settings._asdict()
    page["metrics"] = {one.name: _page_of_score(one, request.sides.systems, width) for one in results}
    if options["signature"]:
        page["signatures"] = {one.name: one.measure.signature for one in results}
    return page_of(page, None)


def _page_of_score(one: Ranked, files: Sequence[str], width: int | None) -> dict[str, Any]:
    found, cluster_of = one.found, one.cluster_of
    systems = [
        {
            "system": file, "name": one.systems[i], "score": rounded(found.scores[i], width),
            "confidence_interval": rounded(one.interval(i), width), "rank_range": found.rank_ranges[i],
            "cluster": cluster_of[i],
        }
        for i, file in enumerate(files)
    ]  # fmt: skip
    pairs = [
        {
            "system1": files[i], "system2": files[j], "stat": rounded(found.stat[j][i], width),
            "p": found.p[i][j], "p_holm": found.p_holm[i][j],
        }
        for i, j in combinations(range(len(files)), 2)
    ]  # fmt: skip
    return {"systems": systems, "pairs": pairs}


def cuts(one: Ranked) -> list[float]:
    """Return where clusters end, as places between systems in order."""
    places = [place for place, (i, j) in enumerate(pairwise(one.order)) if one.cluster_of[i] != one.cluster_of[j]]
    return [place + 0.5 for place in places]
