"""`textgauge score`: score the outputs of one system."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from .. import __version__
from ..checks import printable
from ..measures.measure import Measure
from ..measures.summary import interval_in, scaled, times
from . import table
from .chosen import SEGMENT, Chosen, Request, Result, count
from .command import metric_command, numbers_of, request_of, show
from .flags import option_names
from .messages import notices, refuse

_EXAMPLES = """\
textgauge score hyp.txt -r ref.txt -m bleu chrf ter
textgauge score hyp.txt -r ref1.txt -r ref2.txt -m bleu --confidence 0.95
textgauge score hyp.txt -r ref.txt -m bleu --preset sacrebleu
textgauge score scored.jsonl --prediction-field summary -m rouge --use-stemmer
textgauge score answers.jsonl -r questions.jsonl --format squad -m token_f1
textgauge score texts.txt -m perplexity --ngram-train corpus.txt
"""


@dataclass(frozen=True)
class Scored:
    """The result of one metric.

    Attributes
    ----------
    chosen : Chosen
    measure : Measure
        With all segments.
    result : dict
        As the metric returns it, not scaled.
    """

    chosen: Chosen
    measure: Measure
    result: Result

    def scaled(self, scale: float) -> Result:
        """Return the result with its scores multiplied by the scale."""
        factor = 1 if self.measure.perfect is None else scale
        return scaled(self.result, factor, self.measure.unscaled)


@metric_command(_EXAMPLES, has_reports=True)
def score(context: click.Context, /, **options: Any) -> None:
    """Score a file of predictions against references, segment by segment.

    Files are plain text (a segment per line), JSON Lines or a JSON array, CSV or TSV, also
    packed (.gz), or Parquet. A file with columns may hold the references as well. The exit
    code is 0, or 2 after an error.
    """
    request = request_of(context, options, n_systems=1)
    if request.given.get("preset") == "sacrebleu" and not options["brief"]:
        request.given.setdefault("signature", True)
    if options["scale"] == "100" and all(one.measure.perfect is None for one in request.chosen):
        refuse(f"--scale has no effect: {request.chosen[0].name} has no perfect score")
    if options["brief"]:
        _check_brief(request.given, as_json=options["as_json"])
    with notices(option_names()):
        scored = _scored(request)
        numbers = numbers_of(options, request)
        name = request.names[0] if options["names"] else ""
        if options["as_json"]:
            text = _json(scored, numbers.scale, options["width"], name)
        else:
            text = _brief(scored, numbers) if options["brief"] else _tables(scored, numbers, name, request.given)
    show(text, options["output"])


def _check_brief(given: Mapping[str, Any], *, as_json: bool) -> None:
    for what, is_there in {
        "--json": as_json,
        "--signature": given.get("signature"),
        "--counts": given.get("counts"),
        "both --confidence and --per-segment": given.get("confidence") and given.get("per_segment"),
    }.items():
        if is_there:
            refuse(f"--brief cannot be given with {what}")


def _scored(request: Request) -> list[Scored]:
    reports = request.reports()
    measures = request.start(request.options())
    count(measures, request.sides.read())
    return [
        Scored(chosen, measure, chosen.result(measure, asked))
        for chosen, [measure], asked in zip(request.chosen, measures, reports, strict=True)
    ]


def _json(scored: Sequence[Scored], scale: float, width: int | None, name: str) -> str:
    page = {
        "version": __version__,
        **({"system": name} if name else {}),
        "segments": len(scored[0].measure),
        "scale": int(scale),
        "metrics": {one.chosen.name: table.rounded(one.scaled(scale), width) for one in scored},
    }
    return json.dumps(page, indent=2, allow_nan=False)


def _brief(scored: Sequence[Scored], numbers: table.Numbers) -> str:
    columns = _segment_columns(scored, numbers.scale)
    rows: Any = zip(*columns.values(), strict=True) if columns else _brief_rows(scored, numbers.scale)
    return "\n".join("\t".join(map(numbers.text, row)) for row in rows)


def _tables(scored: Sequence[Scored], numbers: table.Numbers, name: str, given: Mapping[str, Any]) -> str:
    level = f"{100 * float(given['confidence']):g}% " if "confidence" in given else ""
    parts = [
        table_text(one.measure, one.result, numbers, name, level)
        for one in scored
        if all(key in one.result for key in one.measure.score_names)
    ]
    columns = _segment_columns(scored, numbers.scale)
    return "\n\n".join([*parts, *([_segment_lines(columns, numbers)] if columns else [])])


def table_text(measure: Measure, result: Result, numbers: table.Numbers, system: str = "", level: str = "") -> str:
    """Format a result as a table with its notes below; `level` is that of the intervals."""
    summary = measure.summary(result)
    bounds = [interval_in(result, line) for line in summary.lines]
    scale = 1.0 if measure.perfect is None else numbers.scale
    shown = table.Table(summary.title, summary.columns)
    has_intervals = any(bound is not None for bound in bounds)
    if has_intervals:
        about = f" of {summary.columns[-1]}" if len(summary.columns) > 1 else ""
        shown.columns = (*summary.columns, f"{level}interval{about}")
    for i, (line, bound) in enumerate(zip(summary.lines, bounds, strict=True)):
        factor = scale if line.is_scaled else 1.0
        as_shown = numbers if line.is_scaled else table.Numbers(1, 4 if scale != 1 else numbers.width)
        cells = [as_shown.text(times(value, factor)) for value in line.values]
        if has_intervals:
            cells.append("" if bound is None else as_shown.interval([factor * edge for edge in bound]))
        gap = bool(i) and line.is_headline and not any(one.is_headline for one in summary.lines[:i])
        shown.add(line.label, *cells, share=line.share(line.values[-1]), is_bold=line.is_headline, after_gap=gap)
    n = len(measure)
    about = ", ".join(filter(None, [f"{n:,} segment{'s' * (n != 1)}", *summary.notes[:1]]))
    notes = [f"{system}: {about}" if system else about, *summary.notes[1:]]
    notes += [f"counts: {_counts_text(result['counts'])}"] if "counts" in result else []
    notes += [result["signature"]] if "signature" in result else []
    return "\n".join([shown.text(table.room()), *(click.style(printable(note), dim=True) for note in notes)])


def _counts_text(counts: Mapping[str, Any]) -> str:
    """Format counts on one line."""
    parts = []
    for name, value in counts.items():
        inner = ", ".join(f"{key} {part}" for key, part in value.items()) if isinstance(value, dict) else value
        parts.append(f"{name} {' '.join(map(str, inner)) if isinstance(inner, list) else inner}")
    return "; ".join(parts)


def _segment_lines(columns: Mapping[str, Sequence[float | None]], numbers: table.Numbers) -> str:
    """Format one line per segment, numbered from 1, under a line of names."""
    cells = [[name, *map(numbers.text, values)] for name, values in columns.items()]
    n_segments = len(next(iter(columns.values())))
    cells.insert(0, ["segment", *map(str, range(1, n_segments + 1))])
    widths = [max(map(len, column)) for column in cells]
    return "\n".join("  ".join(map(str.rjust, row, widths)) for row in zip(*cells, strict=True))


def _brief_rows(scored: Sequence[Scored], scale: float) -> Iterator[list[float]]:
    for one in scored:
        result = one.scaled(scale)
        intervals = dict(result.get("confidence_intervals", {}))
        keys = one.chosen.main_keys(one.measure, result)
        if "confidence_interval" in result:
            intervals[keys[0]] = result["confidence_interval"]
        for key in keys:
            value, bounds = result[key], intervals.get(key, [])
            if isinstance(value, dict):
                yield [number for part in value for number in (value[part], *(bounds[part] if bounds else []))]
            else:
                yield [value, *bounds]


def _segment_columns(scored: Sequence[Scored], scale: float) -> dict[str, list[float]]:
    columns: dict[str, list[float]] = {}
    for one in scored:
        for key, value in one.scaled(scale).items():
            name = key.removeprefix(SEGMENT)
            if isinstance(value, dict) and name != key:
                columns |= {f"{name}.{part}": scores for part, scores in value.items()}
            elif name != key:
                columns[name] = value
    return columns
