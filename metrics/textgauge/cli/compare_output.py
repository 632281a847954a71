"""Comparisons as tables, as lines of numbers, and as JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from .. import __version__
from ..checks import printable
from ..measures.measure import Measure
from ..resampling import PairedOptions
from . import table

# The values of a row that are not rounded.
_EXACT = ("p", "p_holm", "wins")


@dataclass(frozen=True)
class Compared:
    """One score of all systems.

    Attributes
    ----------
    name : str
        The requested name.
    measure : Measure
        That of the baseline.
    n_segments : int
    unit : "segment" or "document"
        What "worst" and "best" of a row list.
    rows : sequence of dict
        The results of every system by their keys in JSON, the baseline first; scores are scaled.
    """

    name: str
    measure: Measure
    n_segments: int
    unit: str
    rows: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Report:
    """What the output shows.

    Attributes
    ----------
    results : one for every score
    systems : the files of the systems, the baseline first
    names : their names
    options : with the number of resamples filled in
    scale : the perfect score
    width : decimals, or None for the default
    has_signature : whether signatures are shown
    """

    results: Sequence[Compared]
    systems: Sequence[str]
    names: Sequence[str]
    options: PairedOptions
    scale: float
    width: int | None
    has_signature: bool = False

    @property
    def percent(self) -> str:
        """The confidence level in percent."""
        return f"{100 * (self.options.confidence or 0):g}%"

    def numbers(self, result: Compared) -> table.Numbers:
        """Return the format of a score's numbers."""
        scale = 1.0 if result.measure.perfect is None else self.scale
        return table.Numbers(scale, (4 if scale == 1 else 2) if self.width is None else self.width)

    def p_text(self, p: float) -> str:
        """Format a p-value with the digits that the number of resamples gives it."""
        return f"{p:.{len(str(self.options.n_resamples))}f}"

    def is_different(self, row: Mapping[str, Any]) -> bool:
        """Return whether a system differs from the baseline significantly."""
        return row.get("p_holm", row.get("p", 1.0)) < 1 - (self.options.confidence or 0)


def _tables(report: Report) -> str:
    """Format a table per score, and the differences below it."""
    parts: list[str] = []
    displayed: list[str] = []
    for result in report.results:
        parts.append(_scores(report, result).text(table.room()))
        differences = _differences(report, result)
        if differences.rows:
            parts.append(differences.text(table.room()))
            displayed.append(result.measure.displayed_as if result.unit == "segment" else "")
    test = f"paired {report.options.test}, {report.options.n_resamples:,} resamples, seed {report.options.seed}"
    lower = [result.name for result in report.results if not result.measure.higher_is_better]
    notes = [f"{report.results[0].n_segments:,} segments; {test}; p is {report.options.p_value}"]
    notes += [f"lower is better: {', '.join(lower)}"] if lower else []
    for note in dict.fromkeys(displayed):
        notes += textwrap.wrap(note, 80)
    if report.has_signature:
        notes += dict.fromkeys(result.measure.signature for result in report.results)
    return "\n\n".join([*parts, "\n".join(click.style(printable(note), dim=True) for note in notes)])


def _scores(report: Report, result: Compared) -> table.Table:
    numbers = report.numbers(result)
    columns = ["score", f"{report.percent} interval", "difference", "p"]
    columns += ["p (Holm)"] if "p_holm" in result.rows[1] else []
    shown = table.Table(result.name, columns)
    for name, row in zip(report.names, result.rows, strict=True):
        cells = [numbers.text(row["score"]), numbers.interval(row["confidence_interval"])]
        if "p" in row:
            cells.append(f"{row['stat']:+.{numbers.width}f}")
            cells += [report.p_text(row[key]) for key in ("p", "p_holm") if key in row]
        else:
            cells += ["baseline", *[""] * (len(columns) - 3)]
        shown.add(name, *cells, is_bold=report.is_different(row))
    return shown


def _differences(report: Report, result: Compared) -> table.Table:
    numbers = report.numbers(result)
    columns = (result.unit, "baseline", "system", "difference")
    shown = table.Table(f"{result.name}: where they differ most", columns, n_names=2)
    for name, row in zip(report.names[1:], result.rows[1:], strict=True):
        for side in ("worst", "best"):
            for one in row[side]:
                scores = [numbers.text(one[key]) for key in ("score1", "score2")]
                shown.add(f"{name}, {side}", str(one[result.unit]), *scores, f"{one['stat']:+.{numbers.width}f}")
    return shown


def _brief(report: Report) -> str:
    """Format a line for every score of every system: score, interval, difference, p."""
    lines = []
    for result in report.results:
        for row in result.rows:
            values = [row["score"], *row["confidence_interval"], *([row["stat"]] if "stat" in row else [])]
            cells = [report.numbers(result).text(value) for value in values]
            cells += [report.p_text(row[key]) for key in ("p", "p_holm") if key in row]
            lines.append("\t".join(cells))
    return "\n".join(lines)


def _json(report: Report) -> str:
    """Format one JSON object; `width` rounds scores only."""
    page = {
        "version": __version__,
        "segments": report.results[0].n_segments,
        "scale": int(report.scale),
        **report.options._asdict(),
        "metrics": {
            result.name: [
                {"system": system, "name": name}
                | {key: value if key in _EXACT else table.rounded(value, report.width) for key, value in row.items()}
                for system, name, row in zip(report.systems, report.names, result.rows, strict=True)
            ]
            for result in report.results
        },
    }
    if report.has_signature:
        page["signatures"] = {result.name: result.measure.signature for result in report.results}
    return json.dumps(page, indent=2, allow_nan=False)


FORMS: Mapping[str, Callable[[Report], str]] = {"json": _json, "brief": _brief, "tables": _tables}
