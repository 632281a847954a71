"""Comparisons on standard output: tables for people, JSON for programs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import click
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .. import __version__
from ..checks import printable
from ..resampling import PairedOptions
from . import tables, terminal
from .compared import Compared, Difference
from .files import shown_name
from .output import Form


@dataclass(frozen=True)
class Report:
    """Everything that is to be shown.

    Attributes
    ----------
    systems : the files of the systems, the baseline first
    results : one for every score
    options : with the number of resamples filled in
    form : how numbers are written
    n_shown : how many of the worst and best differences to show
    """

    systems: Sequence[str]
    results: Sequence[Compared]
    options: PairedOptions
    form: Form
    n_shown: int

    @property
    def names(self) -> list[str]:
        """What the systems are called: without their folder, if that tells them apart."""
        short = [os.path.basename(path) for path in self.systems]
        are_different = len(set(short)) == len(set(self.systems))
        return [shown_name(name) for name in (short if are_different else self.systems)]

    @property
    def percent(self) -> str:
        """The confidence as people write it."""
        return f"{100 * (self.options.confidence or 0):g}%"


def print_tables(report: Report) -> None:
    """Print a table per score, and the differences below it."""
    parts: list[RenderableType] = []
    for result in report.results:
        parts.append(terminal.fitted(partial(_scores, report, result)))
        differences = terminal.fitted(partial(_differences, report, result))
        parts += [differences] if differences.row_count else []
    n_segments = len(report.results[0].groups.group_of)
    test = f"paired {report.options.test}, {report.options.n_resamples:,} resamples, seed {report.options.seed}"
    terminal.show(Group(*parts, Text(f"{n_segments:,} segments; {test}; p is {report.options.p_value}", "dim")))


def _scores(report: Report, result: Compared, longest: int) -> Table:
    numbers, names = report.form.numbers, terminal.shortened(report.names, longest)
    table = tables.titled(result.name, names)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column(f"{report.percent} interval", justify="right", no_wrap=True)
    table.add_column("difference", justify="right", no_wrap=True)
    table.add_column("p", justify="right", no_wrap=True)
    if result.corrected is not None:
        table.add_column("p (Holm)", justify="right", no_wrap=True)
    scale = report.form.scale
    for name, row in zip(names, result.rows(), strict=True):
        low, high = (numbers.text(scale * bound) for bound in row["confidence_interval"])
        cells: list[str | Text] = [numbers.text(scale * row["score"]), f"[{low}, {high}]"]
        if "p" in row:
            cells.append(f"{scale * row['stat']:+.{numbers.width}f}")
            cells += [_p_text(row[key], report) for key in ("p", "p_holm") if key in row]
        else:
            cells.append("baseline")
        table.add_row(Text(name), *cells)
    return table


def _p_text(p: float, report: Report) -> Text:
    """Write p, in bold where the difference is significant at the level that the intervals have."""
    digits = len(str(report.options.n_resamples))
    return Text(f"{p:.{digits}f}", "bold" if p < 1 - (report.options.confidence or 0) else "")


def _differences(report: Report, result: Compared, longest: int) -> Table:
    numbers, names = report.form.numbers, terminal.shortened(report.names, longest)
    table = Table(box=box.SIMPLE_HEAD, header_style="dim", pad_edge=False)
    table.add_column(f"{result.name}: where they differ most", style="dim", no_wrap=True)
    for column in (result.groups.unit, "baseline", "system", "difference"):
        table.add_column(column, justify="right", no_wrap=True)
    for system, name in enumerate(names[1:], 1):
        for side, differences in result.extremes(system, report.n_shown).items():
            for difference in differences:
                scores = [numbers.text(report.form.scale * s) for s in (difference.score1, difference.score2)]
                stat = f"{report.form.scale * difference.stat:+.{numbers.width}f}"
                [label] = terminal.shortened([printable(str(difference.label))], longest)
                table.add_row(Text(f"{name}, {side}"), Text(label), *scores, stat)
    return table


def print_json(report: Report) -> None:
    """Print one JSON object; `width` rounds nothing but scores."""
    options = report.options._asdict()
    page = {
        "version": __version__,
        "segments": len(report.results[0].groups.group_of),
        "scale": int(report.form.scale),
        **options,
        "metrics": {result.name: list(_json_rows(report, result)) for result in report.results},
    }
    click.echo(json.dumps(page, indent=2, allow_nan=False))


def _json_rows(report: Report, result: Compared) -> Iterator[dict[str, Any]]:
    for system, (path, row) in enumerate(zip(report.systems, result.rows(), strict=True)):
        scaled = {
            key: value if key in ("p", "p_holm", "wins") else _scaled(value, report) for key, value in row.items()
        }
        if system:
            extremes = result.extremes(system, report.n_shown)
            scaled |= {side: [_json_of(d, result, report) for d in chosen] for side, chosen in extremes.items()}
        yield {"system": path, **scaled}


def _json_of(difference: Difference, result: Compared, report: Report) -> dict[str, Any]:
    scores = {"score1": difference.score1, "score2": difference.score2, "stat": difference.stat}
    return {result.groups.unit: difference.label, **{key: _scaled(value, report) for key, value in scores.items()}}


def _scaled(value: Any, report: Report) -> Any:
    if isinstance(value, list):
        return [_scaled(part, report) for part in value]
    scaled = value * report.form.scale
    return scaled if report.form.width is None else round(scaled, report.form.width)
