"""Comparisons as tables, as lines of numbers, and as JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from .. import __version__
from ..checks import printable
from ..resampling import PairedOptions
from . import table
from .command import write_output
from .compare import Compared, Difference

# The values of a row that are not scaled.
_UNSCALED = ("p", "p_holm", "wins")


@dataclass(frozen=True)
class Report:
    """What the output shows.

    Attributes
    ----------
    systems : the files of the systems, the baseline first
    names : their names
    results : one for every score
    options : with the number of resamples filled in
    scale : the perfect score
    width : decimals, or None for the default
    n_shown : how many of the worst and best differences to show
    has_signature : whether signatures are shown
    """

    systems: Sequence[str]
    names: Sequence[str]
    results: Sequence[Compared]
    options: PairedOptions
    scale: float
    width: int | None
    n_shown: int
    has_signature: bool = False

    @property
    def percent(self) -> str:
        """The confidence level in percent."""
        return f"{100 * (self.options.confidence or 0):g}%"

    def scale_of(self, result: Compared) -> float:
        """Return the factor of a score: 1 if there is no perfect score."""
        return 1.0 if result.measures[0].perfect is None else self.scale

    def numbers(self, result: Compared) -> table.Numbers:
        """Return the format of a score's numbers."""
        scale = self.scale_of(result)
        return table.Numbers(scale, (4 if scale == 1 else 2) if self.width is None else self.width)


def write(report: Report, options: Mapping[str, Any]) -> None:
    """Write the report in the requested form."""
    text = _json(report) if options["as_json"] else _brief(report) if options["brief"] else _tables(report)
    if options["output"] is not None:
        write_output(options["output"], click.unstyle(text) + "\n")
    else:
        table.show(text)


def _tables(report: Report) -> str:
    """Format a table per score, and the differences below it."""
    parts = []
    for result in report.results:
        parts.append(_scores(report, result).text(table.room()))
        differences = _differences(report, result)
        parts += [differences.text(table.room())] if differences.rows else []
    n_segments = len(report.results[0].groups.group_of)
    test = f"paired {report.options.test}, {report.options.n_resamples:,} resamples, seed {report.options.seed}"
    lower = [result.name for result in report.results if not result.measures[0].higher_is_better]
    notes = [f"{n_segments:,} segments; {test}; p is {report.options.p_value}"]
    notes += [f"lower is better: {', '.join(lower)}"] if lower else []
    if report.results[0].groups.unit == "segment" and report.n_shown:
        said = dict.fromkeys(result.measures[0].displayed_as for result in report.results)
        notes += [line for note in said for line in textwrap.wrap(note, 80)]
    notes += (
        list(dict.fromkeys(result.measures[0].signature for result in report.results)) if report.has_signature else []
    )
    return "\n\n".join([*parts, "\n".join(click.style(printable(note), dim=True) for note in notes)])


def _scores(report: Report, result: Compared) -> table.Table:
    numbers, scale = report.numbers(result), report.scale_of(result)
    columns = ["score", f"{report.percent} interval", "difference", "p"]
    columns += ["p (Holm)"] if result.corrected is not None else []
    shown = table.Table(result.name, columns)
    for name, row in zip(report.names, result.rows(), strict=True):
        interval = numbers.interval([scale * bound for bound in row["confidence_interval"]])
        cells = [numbers.text(scale * row["score"]), interval]
        if "p" in row:
            cells.append(f"{scale * row['stat']:+.{numbers.width}f}")
            cells += [_p_text(row[key], report) for key in ("p", "p_holm") if key in row]
        else:
            cells += ["baseline", *[""] * (len(columns) - 3)]
        is_different = row.get("p_holm", row.get("p", 1.0)) < 1 - (report.options.confidence or 0)
        shown.add(name, *cells, is_bold=is_different)
    return shown


def _p_text(p: float, report: Report) -> str:
    return f"{p:.{len(str(report.options.n_resamples))}f}"


def _differences(report: Report, result: Compared) -> table.Table:
    numbers, scale = report.numbers(result), report.scale_of(result)
    columns = (result.groups.unit, "baseline", "system", "difference")
    shown = table.Table(f"{result.name}: where they differ most", columns, n_names=2)
    for system, name in enumerate(report.names[1:], 1):
        for side, differences in result.extremes(system, report.n_shown).items():
            for difference in differences:
                scores = [numbers.text(scale * s) for s in (difference.score1, difference.score2)]
                stat = f"{scale * difference.stat:+.{numbers.width}f}"
                shown.add(f"{name}, {side}", str(difference.label), *scores, stat)
    return shown


def _brief(report: Report) -> str:
    """Format a line for every score of every system: score, interval, difference, p."""
    lines = []
    for result in report.results:
        numbers, scale = report.numbers(result), report.scale_of(result)
        for row in result.rows():
            values = [row["score"], *row["confidence_interval"], *([row["stat"]] if "stat" in row else [])]
            cells = [numbers.text(scale * value) for value in values]
            cells += [_p_text(row[key], report) for key in ("p", "p_holm") if key in row]
            lines.append("\t".join(cells))
    return "\n".join(lines)


def _json(report: Report) -> str:
    """Format one JSON object; `width` rounds scores only."""
    options = report.options._asdict()
    page = {
        "version": __version__,
        "segments": len(report.results[0].groups.group_of),
        "scale": int(report.scale),
        **options,
        "metrics": {result.name: list(_json_rows(report, result)) for result in report.results},
    }
    if report.has_signature:
        page["signatures"] = {result.name: result.measures[0].signature for result in report.results}
    return json.dumps(page, indent=2, allow_nan=False)


def _json_rows(report: Report, result: Compared) -> Iterator[dict[str, Any]]:
    scale = report.scale_of(result)
    for system, (path, row) in enumerate(zip(report.systems, result.rows(), strict=True)):
        shown = {key: value if key in _UNSCALED else _scaled(value, scale, report) for key, value in row.items()}
        if system:
            extremes = result.extremes(system, report.n_shown)
            shown |= {side: [_json_of(d, result, report) for d in chosen] for side, chosen in extremes.items()}
        yield {"system": path, "name": report.names[system], **shown}


def _json_of(difference: Difference, result: Compared, report: Report) -> dict[str, Any]:
    scores = {"score1": difference.score1, "score2": difference.score2, "stat": difference.stat}
    scale = report.scale_of(result)
    return {
        result.groups.unit: difference.label,
        **{key: _scaled(value, scale, report) for key, value in scores.items()},
    }


def _scaled(value: Any, scale: float, report: Report) -> Any:
    if isinstance(value, list):
        return [_scaled(part, scale, report) for part in value]
    return value * scale if report.width is None else round(value * scale, report.width)
