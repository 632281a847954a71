"""`textgauge compare`: compare the outputs of several systems with the first, or every two with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

import click
import numpy as np
from click.core import ParameterSource

from ..accumulation.accumulator import Accumulator, additive, corpus_scores, shown_segments
from ..arrays import FloatArray
from ..checks import fail, listed, quantity
from ..files.lines import shown_name
from ..metric.metric import segments_note
from ..resampling import PairedOptions, holm, options_for_pairs
from ..resampling.compare import compare_accumulators
from ..resampling.comparison import BOOTSTRAP, ONE_SIDED, P_VALUES, PERMUTATION, TESTS
from ..resampling.power import of_several_tests, within_reach
from ..resampling.units import FEW_UNITS, Units
from .command import WITH_UNITS, metric_command
from .compared import SIDES, Compared, Ranked, Tested, power_notes, settings_of
from .messages import Choice, InputError, Whole, notices, refusals, refuse
from .request import Request, count, request_of
from .score import check_percent, number_format, paper_heads
from .sheet import Sheet, Table, wrapped_notes

# What rows of differences are about.
_UNITS = ("segment", "document")
# How many pairs are named about whose order metrics disagree.
_MOST_NAMED = 5
_EXAMPLES = """\
textgauge compare baseline.txt other.txt -r ref.txt
textgauge compare a.txt b.txt c.txt -r ref.txt -m sacrebleu chrf rougeL --holm
textgauge compare a.txt b.txt c.txt -r ref.txt -m sacrebleu chrf --all-pairs
textgauge compare a.txt b.txt -r ref.txt --test permutation
textgauge compare a.txt b.txt -r ref.txt --units docs.txt --documents docs.txt
textgauge compare a.txt b.txt -r ref.txt -m rouge1 --json --plot scores.png
"""


@metric_command(_EXAMPLES, WITH_UNITS)
@click.option("--test", type=Choice(TESTS, {"bs": BOOTSTRAP, "ar": PERMUTATION}), metavar="NAME",
              help=f"Test: {TESTS[0]} (default), or {TESTS[1]} (default below {FEW_UNITS} segments).")  # fmt: skip
@click.option("-n", "--n-resamples", type=int, metavar="N", help="Resamples. [default: 1000, or 10000]")
@click.option("--seed", type=int, metavar="N", default=12345, help="Random seed. [default: 12345]")
@click.option("--p-value", type=click.Choice(P_VALUES), default=P_VALUES[0], metavar="NAME",
              help=f"{P_VALUES[0]} (default), {listed(P_VALUES[1:], 'or')}.")  # fmt: skip
@click.option("--confidence", type=float, metavar="X", default=0.95, help="Level of the intervals. [default: 0.95]")
@click.option("--signature", is_flag=True, help="Add signatures to --json; tables have them.")
@click.option("--holm", is_flag=True, help="Correct p for all tests: systems x scores.")
@click.option("--all-pairs", is_flag=True, help="Test every two systems: ranks, clusters.")
@click.option("--documents", type=click.Path(), metavar="FILE",
              help="Names of documents: differences by document.")  # fmt: skip
@click.option("--document-field", metavar="NAME", help="Column of documents. [default: document]")
@click.option("--show", "n_shown", type=Whole(min=0), metavar="N", default=3,
              help="Differences shown. [default: 3]")  # fmt: skip
@click.option("--fail-if-worse", is_flag=True, help="Exit with 1 if one is significantly worse.")
@click.option("--plot", "picture", type=click.Path(), metavar="FILE",
              help="Draw scores as .png, .svg or .pdf.")  # fmt: skip
def compare(context: click.Context, /, **options: Any) -> None:
    """Compare systems with the first of FILES, the baseline, on the same segments.

    Every score has its interval, its difference to the baseline, and p: how often chance
    alone gives a difference that large. With --all-pairs no system is the baseline.
    """
    from .plots import check_plot, plot, plot_ranks

    request = request_of(context, options)
    check_percent(options)
    if len(request.names) < 2:
        refuse("compare needs a baseline and at least one other system, as in textgauge compare base.txt new.txt")
    settings = PairedOptions(**{name: options[name] for name in PairedOptions._fields if name in options})
    with refusals("compare"):
        settings.check()
    if options["fail_if_worse"] and settings.p_value == "one-sided":
        refuse("--fail-if-worse cannot be given with --p-value one-sided, which asks only what is better")
    if options["picture"] is not None:
        check_plot(options["picture"])
    if options["all_pairs"]:
        _check_all_pairs(options, shows=context.get_parameter_source("n_shown") is not ParameterSource.DEFAULT)
        with notices():
            ranked = [*_ranked(request, settings, options)]
        if options["picture"] is not None:
            plot_ranks(options["picture"], ranked)
        tables = [table for result in ranked for table in result.tables(is_brief=options["brief"])]
        _sheet(ranked, request, tables, _notes_of_ranks(ranked, options), options).show(options)
        return
    with notices():
        results = list(_compared(request, settings, options))
    if options["holm"]:
        _correct(results)
    if options["picture"] is not None:
        plot(options["picture"], results)
    tables = [table for result in results for table in result.tables()]
    _sheet(results, request, tables, _notes(results, options), options).show(options)
    worse = [(result, row) for result in results for row in result.rows[1:] if result.is_worse(row)]
    if options["fail_if_worse"] and worse:
        for result, row in worse:
            texts = [result.numbers.difference(row["stat"]).text, *(p.text for p in result.p_figures(row))]
            differs = f"{result.name} {texts[0]}, p {' and '.join(texts[1:])}"
            click.echo(f"textgauge: {row['name']} is worse than {result.rows[0]['name']}: {differs}", err=True)
        context.exit(1)


def counted(request: Request) -> tuple[list[list[Accumulator]], list[str], Units | None]:
    """Return the accumulators of all systems by metric, the names of documents, empty without any, and the units."""
    accumulators = request.start(request.options())
    extras = count(request, accumulators)
    n_segments = len(accumulators[0][0])
    if n_segments < 2:
        fail(InputError, shown_name(request.files.systems[0]), "at least 2 segments to compare", str(n_segments))
    return accumulators, extras.documents, extras.unit(request)


def _by_score(
    request: Request, accumulators: Sequence[Sequence[Accumulator]], settings: PairedOptions, options: Mapping[str, Any]
) -> Iterator[tuple[Sequence[Accumulator], str, dict[str, Any]]]:
    """Yield, for every score, the accumulators of the systems, the key, and the arguments of `Tested`."""
    for scoring, of_systems in zip(request.chosen, accumulators, strict=True):
        for name, key in scoring.keys(of_systems[0]).items():
            numbers = number_format(of_systems[0].metric, options)
            higher = of_systems[0].metric.scores.of(key).higher_is_better
            about = {"name": name, "key": key, "accumulator": of_systems[0], "numbers": numbers, "settings": settings}
            yield of_systems, key, {**about, "higher_is_better": higher}


def _told_metric(request: Request) -> str:
    """Return the label of the metric in warnings; one warning covers all metrics of the line."""
    names = [name for scoring in request.chosen for name in scoring.labels]
    return names[0] if len(names) == 1 else "some of the metrics"


def _compared(request: Request, settings: PairedOptions, options: Mapping[str, Any]) -> Iterator[Compared]:
    """Yield the comparison of every score of every metric; p is not corrected yet."""
    accumulators, documents, unit = counted(request)
    settings = settings._replace(unit=unit).chosen(len(accumulators[0][0]))
    # The documents, or the numbers of the segments in the files.
    places = list(dict.fromkeys(documents)) or request.files.bad.numbers(len(accumulators[0][0]))
    ids = [] if documents else request.files.bad.ids_of_left()
    n_shown = 0 if options["brief"] else options["n_shown"]
    for of_systems, key, about in _by_score(request, accumulators, settings, options):
        with refusals(about["name"]):
            told = {"names": request.names, "by": _told_metric(request)}
            rows = _results_by_system(of_systems, key, settings, told, corrects=options["holm"])
            differences = _differences(of_systems, key, documents, places, ids, n_shown)
        every = zip(request.systems, request.names, rows, differences, strict=True)
        rows = [{"system": path, "name": its, **row, **differing} for path, its, row, differing in every]
        yield Compared(**about, unit=_UNITS[bool(documents)], rows=rows)


def _correct(results: Sequence[Compared]) -> None:
    """Correct the p-values of all scores of all systems together."""
    rows = [row for result in results for row in result.rows[1:]]
    widest = [result.widest for result in results for _ in result.rows[1:]]
    settings = results[0].settings
    factor = of_several_tests(len(rows), settings.level, is_one_sided=settings.p_value == ONE_SIDED)
    for row, corrected, most in zip(rows, holm([row["p"] for row in rows]), widest, strict=True):
        row["p_holm"] = corrected
        if row["detectable"] is not None:
            row["detectable"] = within_reach(factor * row["detectable"], most)


def _results_by_system(
    accumulators: Sequence[Accumulator], key: str, settings: PairedOptions, told: Mapping[str, Any], *, corrects: bool
) -> list[dict[str, Any]]:
    """Return the results of every system, the baseline first; `told` are names for a warning.

    With `corrects` rows have a place for a p that is corrected later, see `_correct`.
    """
    comparisons = compare_accumulators(accumulators, key, **told, **settings._asdict())
    first = comparisons[0]
    rows: list[dict[str, Any]] = [{"score": first.score1, "confidence_interval": first.confidence_interval1}]
    for comparison in comparisons:
        rows.append(
            {
                "score": comparison.score2, "confidence_interval": comparison.confidence_interval2,
                "stat": comparison.stat, "stat_confidence_interval": comparison.confidence_interval,
                "p": comparison.p, **({"p_holm": comparison.p} if corrects else {}),
                "wins": comparison.wins, "detectable": comparison.detectable,
            }
        )  # fmt: skip
    return rows


def _differences(
    accumulators: Sequence[Accumulator],
    key: str,
    documents: Sequence[str],
    places: Sequence[Any],
    ids: Sequence[str],
    n: int,
) -> list[dict[str, Any]]:
    """Return where each system differs most from the first, by segment or document: at most `n` losses and gains."""
    unit = _UNITS[bool(documents)]
    first, *others = [_group_scores(accumulator, key, documents) if n else np.zeros(0) for accumulator in accumulators]
    differences: list[dict[str, Any]] = [{}]
    for scores in others:
        gains = scores - first if accumulators[0].metric.scores.of(key).higher_is_better else first - scores
        order = np.argsort(gains, kind="stable").tolist()
        worst, best = [i for i in order[:n] if gains[i] < 0], [i for i in order[::-1][:n] if gains[i] > 0]
        rows = [
            [
                {
                    unit: places[i], **({"id": ids[i]} if ids else {}),
                    "score1": float(first[i]), "score2": float(scores[i]), "stat": float(scores[i]) - float(first[i]),
                }
                for i in side
            ]
            for side in (worst, best)
        ]  # fmt: skip
        differences.append(dict(zip(SIDES, rows, strict=True)))
    return differences


def _group_scores(accumulator: Accumulator, key: str, documents: Sequence[str]) -> FloatArray:
    """Return the score of every document, or of every segment as pages show it: shape (n_groups,)."""
    if not documents:
        return shown_segments(accumulator)[key]
    place = {name: i for i, name in enumerate(dict.fromkeys(documents))}
    rows = additive(accumulator)
    sums = np.zeros((len(place), rows.shape[1]))
    np.add.at(sums, [place[name] for name in documents], rows)
    return corpus_scores(accumulator, sums)[key] * accumulator.metric.scores.scale


def _sheet(
    results: Sequence[Compared] | Sequence[Ranked], request: Request, tables: Sequence[Table], notes: Sequence[str],
    options: Mapping[str, Any],
) -> Sheet:  # fmt: skip
    """Return the sheet; JSON has the figures of the scores, and the settings that they share."""
    n_skipped = request.files.bad.n_skipped
    page: dict[str, Any] = {"segments": len(results[0].accumulator), **({"skipped": n_skipped} if n_skipped else {})}
    page |= {**settings_of(results[0].settings._asdict()), "metrics": {result.name: result.page for result in results}}
    page |= {"signatures": {result.name: result.signature for result in results}} if options["signature"] else {}
    return Sheet([_paper(results)] if options["paper"] else tables, page, notes)


def _paper(results: Sequence[Compared] | Sequence[Ranked]) -> Table:
    """Return a row per system, in the order of the first score, with all scores."""
    heads = paper_heads([(result.name, result.accumulator.metric) for result in results])
    table = Table("system", [*chain(*((head, *result.heads) for head, result in zip(heads, results, strict=True)))])
    for i in results[0].order:
        table.add(results[0].systems[i], *chain(*(result.in_paper(i) for result in results)))
    return table


def _notes(results: Sequence[Compared], options: Mapping[str, Any]) -> list[str]:
    first = results[0]
    found = [*_corrected(results), *_smallest(results)]
    test = f"paired {first.settings.test}, {first.settings.n_resamples:,} resamples"
    if options["paper"]:
        level = f"p < {first.settings.level:g}{' after Holm' if 'p_holm' in first.rows[1] else ''}"
        marks = f"† better than {first.systems[0]}, ‡ worse, {level}: {test}, p is {first.settings.p_value}"
        notes = [f"{marks}; {first.drawn}", *found]
    else:
        about = f"{first.drawn}; {test}, seed {first.settings.seed}; p is {first.settings.p_kind}"
        notes = [about, *found, *_lower(results)]
        of_segments = [
            segments_note(result.accumulator.metric) for result in results
            if result.unit == "segment" and any(row[side] for row in result.rows[1:] for side in SIDES)
        ]  # fmt: skip
        notes = wrapped_notes([*notes, *dict.fromkeys(of_segments)])
    several = len(results) > 1
    return notes + [f"{result.name}: {result.signature}" if several else result.signature for result in results]


def _lower(results: Sequence[Tested]) -> list[str]:
    lower = [result.name for result in results if not result.higher_is_better]
    return [f"lower is better: {', '.join(lower)}"] if lower else []


def _corrected(results: Sequence[Compared]) -> list[str]:
    """Return the sentence about the number of tests that Holm's correction covers; empty without the correction."""
    n_systems, n_scores = len(results[0].rows) - 1, len(results)
    if "p_holm" not in results[0].rows[1]:
        return []
    made_of = f": {quantity(n_systems, 'system')} x {quantity(n_scores, 'score')}" if n_systems * n_scores > 1 else ""
    return [f"p (Holm) is corrected for {quantity(n_systems * n_scores, 'test')}{made_of}"]


def _smallest(results: Sequence[Compared] | Sequence[Ranked]) -> list[str]:
    """Return the lines about the smallest differences that a comparison detects; empty where none vary."""
    return power_notes(results[0].drawn, {result.name: result.numbers.factor * result.detectable for result in results})


def _check_all_pairs(options: Mapping[str, Any], *, shows: bool) -> None:
    """Refuse options that have no effect, or no meaning, for all pairs; `shows` if --show was typed."""
    without_effect = {
        "--holm": options["holm"] and "which always corrects p for all pairs",
        "--fail-if-worse": options["fail_if_worse"] and "which has no baseline",
        "--documents": options["documents"] and "which lists no differences",
        "--document-field": options["document_field"] and "which lists no differences",
        "--show": shows and "which lists no differences",
        "--p-value one-sided": options["p_value"] == "one-sided" and "which has no baseline",
    }
    for flag, why in without_effect.items():
        if why:
            refuse(f"{flag} cannot be given with --all-pairs, {why}")


def _ranked(request: Request, settings: PairedOptions, options: Mapping[str, Any]) -> Iterator[Ranked]:
    """Yield the comparison of every two systems by every score of every metric."""
    accumulators, _, unit = counted(request)
    settings = options_for_pairs(settings._replace(unit=unit), len(request.names), len(accumulators[0][0]))
    for of_systems, key, about in _by_score(request, accumulators, settings, options):
        with refusals(about["name"]):
            ranks = compare_accumulators(
                of_systems, key, all_pairs=True, names=request.names, by=_told_metric(request), **settings._asdict()
            )
        yield Ranked(**about, systems=request.names, files=request.systems, pairs=ranks)


def _notes_of_ranks(results: Sequence[Ranked], options: Mapping[str, Any]) -> list[str]:
    first = results[0]
    n = len(first.systems)
    settings, pairs = first.settings, quantity(n * (n - 1) // 2, "pair")
    test = f"paired {settings.test}, {settings.n_resamples:,} resamples, seed {settings.seed}"
    notes = [
        f"{first.drawn}; {test}; p is {settings.p_kind}, after Holm for {pairs}",
        f"ranks and clusters by p < {first.settings.level:.2g}: every system is better than all of later clusters",
    ]
    notes += [*_smallest(results), *_lower(results), *_disagreement(results)]
    if options["paper"]:
        return notes + [f"{result.name}: {result.signature}" for result in results]
    return wrapped_notes(notes) + [*dict.fromkeys(result.signature for result in results if options["signature"])]


def _disagreement(results: Sequence[Ranked]) -> Iterator[str]:
    """Yield where several metrics disagree about the order of systems."""
    if len(results) < 2:
        return
    places = [{i: place for place, i in enumerate(result.order)} for result in results]
    scores = [result.pairs.scores for result in results]
    pairs = [*combinations(range(len(results[0].systems)), 2)]
    apart = []
    for i, j in pairs:
        # A tie is no order.
        first = {
            place[i] < place[j] for place, of_metric in zip(places, scores, strict=True) if of_metric[i] != of_metric[j]
        }
        apart += [(i, j)] if len(first) > 1 else []
    if not apart:
        yield f"{listed([result.name for result in results])} agree about the order of {quantity(len(pairs), 'pair')}"
        return
    names = [f"{results[0].systems[i]} and {results[0].systems[j]}" for i, j in apart[:_MOST_NAMED]]
    more = [f"{len(apart) - _MOST_NAMED} more"] if len(apart) > _MOST_NAMED else []
    every = quantity(len(pairs), "pair")
    yield f"the metrics disagree about the order of {len(apart)} of {every}: {'; '.join([*names, *more])}"
