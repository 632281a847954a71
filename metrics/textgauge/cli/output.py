"""Results on standard output: tables for people, numbers and JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from .. import __version__
from . import tables, terminal
from .registry import Accumulator, Metric, Result

_SEGMENT = "segment_"


@dataclass(frozen=True)
class Form:
    """How results are written: the perfect score, decimals or None for the default, and what intervals hold."""

    scale: float
    width: int | None = None
    confidence: float | None = None

    @property
    def numbers(self) -> tables.Numbers:
        """The form of numbers outside JSON."""
        default = 4 if self.scale == 1 else 2
        return tables.Numbers(self.scale, default if self.width is None else self.width, self.confidence)


def print_tables(
    metrics: Sequence[Metric], accumulators: Sequence[Accumulator], results: Sequence[Result], form: Form
) -> None:
    """Print a table per metric, then the segments where the results have them."""
    shown = [m.table(r, a, form.numbers) for m, r, a in zip(metrics, results, accumulators, strict=True)]
    terminal.show(*shown)
    columns = _segment_columns(results)
    if columns:
        click.echo("\n" + tables.segment_lines(columns, form.numbers))


def print_brief(metrics: Sequence[Metric], results: Sequence[Result], form: Form) -> None:
    """Print a line per score, or a line per segment where the results have segments."""
    columns = _segment_columns(results)
    if columns:
        rows: Any = zip(*columns.values(), strict=True)
    else:
        rows = [row for m, r in zip(metrics, results, strict=True) for row in _brief_rows(m, r)]
    click.echo("\n".join("\t".join(map(form.numbers.text, row)) for row in rows))


def print_json(
    metrics: Sequence[Metric], accumulators: Sequence[Accumulator], results: Sequence[Result], form: Form
) -> None:
    """Print one JSON object."""
    page = {
        "version": __version__,
        "segments": tables.n_segments(accumulators[0]),
        "scale": int(form.scale),
        "metrics": {m.name: _rounded(r, form.width) for m, r in zip(metrics, results, strict=True)},
    }
    click.echo(json.dumps(page, indent=2, allow_nan=False))


def _brief_rows(metric: Metric, result: Result) -> Iterator[list[float]]:
    intervals = metric.intervals(result)
    for key in metric.brief(result):
        value, bounds = result[key], intervals.get(key, [])
        if isinstance(value, dict):
            yield [number for part in value for number in (value[part], *(bounds[part] if bounds else []))]
        else:
            yield [value, *bounds]


def _segment_columns(results: Sequence[Result]) -> dict[str, list[float]]:
    columns: dict[str, list[float]] = {}
    for result in results:
        for key, value in result.items():
            name = key.removeprefix(_SEGMENT)
            if isinstance(value, dict) and name != key:
                columns |= {f"{name}.{part}": scores for part, scores in value.items()}
            elif name != key:
                columns[name] = value
    return columns


def _rounded(value: Any, width: int | None) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(part, width) for key, part in value.items()}
    if isinstance(value, list):
        return [_rounded(part, width) for part in value]
    if not isinstance(value, float):
        return value
    # JSON has no number for the perplexity of what a model holds to be all but impossible.
    return None if math.isinf(value) else value if width is None else round(value, width)
