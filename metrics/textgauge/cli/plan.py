"""`textgauge plan`: how many segments a comparison needs, from a pilot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from ..checks import MAX_RESAMPLES, quantity, shown
from ..resampling.intervals import level_of
from ..resampling.plan import Plan, PlanOptions, differences_of, plan_of
from .command import WITH_UNITS, metric_command
from .compare import counted
from .compared import drawn_of, power_notes, settings_of
from .messages import Whole, notices, refusals, refuse
from .request import request_of
from .score import check_percent, number_format
from .sheet import Figure, Numbers, Sheet, Table, wrapped_notes

_EXAMPLES = """\
textgauge plan a.txt b.txt -r ref.txt -m chrf --difference 1
textgauge plan a.txt b.txt -r ref.txt -m sacrebleu chrf --power 0.9
textgauge plan a.txt b.txt -r ref.txt -m wer chrf --difference chrf=1
textgauge plan a.txt b.txt -r ref.txt -m chrf --units docs.txt --json
"""


def _difference(value: str) -> tuple[str, float]:
    """Return a number behind the name of a score, or "", from NAME=X or X."""
    # The last equals sign: options of a metric have them, too.
    score, equals, number = value.rpartition("=")
    try:
        if equals and not score:
            raise ValueError
        return score, float(number)
    except ValueError:
        raise click.BadParameter(f"expected a number, or NAME=X with the name of a score, got {shown(value)}") from None


class _Planned(NamedTuple):
    """The plan of one score, and how its numbers are written."""

    name: str
    figures: Plan
    numbers: Numbers


@metric_command(_EXAMPLES, tuple(name for name in WITH_UNITS if name not in ("names", "paper")))
@click.option("--difference", "differences", type=_difference, multiple=True, metavar="X",
              help="Difference to find, of one score NAME=X. [default: that of the files]")  # fmt: skip
@click.option("--power", type=float, metavar="X", default=0.8, help="Chance of finding it, below 1. [default: 0.8]")
@click.option("--confidence", type=float, metavar="X", default=0.95, help="p is below 1 - X. [default: 0.95]")
@click.option("--tests", "n_tests", type=Whole(1), metavar="N", default=1,
              help="Tests for which p is corrected by Holm's method. [default: 1]")  # fmt: skip
@click.option("-n", "--n-resamples", type=Whole(1, MAX_RESAMPLES), metavar="N", default=1000,
              help="Resamples of the range. [default: 1000]")  # fmt: skip
@click.option("--seed", type=Whole(0), metavar="N", default=12345, help="Random seed. [default: 12345]")
def plan(context: click.Context, /, **options: Any) -> None:
    """Say how many segments a comparison needs to find a difference.

    FILES are the outputs of two systems for the same segments, a pilot: what counts is how much
    their differences vary from segment to segment. The range is that of 9 in 10 such pilots.
    """
    request = request_of(context, {**options, "paper": None})
    if len(request.names) != 2:
        refuse(f"plan takes the outputs of two systems, as in {context.command.example}")  # type: ignore[attr-defined]
    check_percent(options)
    plan_options = PlanOptions(**{name: options[name] for name in PlanOptions._fields if name in options})
    wanted = dict(options["differences"])
    if len(wanted) < len(options["differences"]) or ("" in wanted and len(wanted) > 1):
        refuse("--difference is one number for all scores, or one of each by its name, as in rougeL=0.01")
    with refusals("plan"):
        for difference in [None, *wanted.values()]:
            plan_options._replace(difference=difference).check()
    with notices():
        accumulators, _, unit = counted(request)
        plan_options = plan_options._replace(unit=unit)
        scored = [
            (name, key, of_systems)
            for scoring, of_systems in zip(request.chosen, accumulators, strict=True)
            for name, key in scoring.keys(of_systems[0]).items()
        ]
        with refusals("plan"):
            by_name = differences_of(wanted.get("", wanted), [name for name, *_ in scored])
        planned = []
        for name, key, of_systems in scored:
            with refusals(name):
                figures = plan_of(of_systems, key, plan_options._replace(difference=by_name[name]))
            planned.append(_Planned(name, figures, number_format(of_systems[0].metric, options)))
    n_skipped = request.files.bad.n_skipped
    settings = settings_of(plan_options._asdict())
    del settings["difference"]
    metrics = {name: figures for name, figures, _ in planned}
    page = {**({"skipped": n_skipped} if n_skipped else {}), **settings, "metrics": metrics}
    Sheet([_table(planned, plan_options, drawn_of(len(accumulators[0][0]), unit))], page).show(options)


def _table(planned: Sequence[_Planned], plan_options: PlanOptions, drawn: str) -> Table:
    units = [] if plan_options.unit is None else ["units"]
    say = "units by 9 of 10 pilots" if units else "9 of 10 pilots say"
    smallest = {name: numbers.factor * (plan.detectable or 0.0) for name, plan, numbers in planned}
    n_tests = plan_options.n_tests
    corrected = f" after Holm for {quantity(n_tests, 'test')}" if n_tests > 1 else ""
    level = level_of(plan_options.confidence)
    found = f"detected {100 * plan_options.power:g}% of the time, p < {level:.2g}{corrected}"
    below = [f"a pilot of {drawn}; {found}", *power_notes(drawn, smallest, plan_options.power)]
    table = Table("Segments needed", ["to find", "segments", *units, say], below=wrapped_notes(below))
    for name, figures, numbers in planned:
        needed = _counts(figures.n_segments if figures.n_units is None else figures.n_units)
        segments = [f"{figures.n_segments:,}"] if units else []
        table.add(name, numbers.text(abs(figures.difference)), *segments, needed, _counts(figures.low, figures.high))
    return table


def _counts(*counts: int) -> Figure:
    return Figure(" to ".join(f"{n:,}" for n in counts), [*map(str, counts)])
