"""`textgauge score`: score the outputs of one system."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

from .. import __version__
from ..checks import printable
from ..measures.measure import Measure
from ..measures.summary import Line, interval_in
from ..measures.sums import RunningScore, is_function_of_sums
from .command import metric_command, request_of, show
from .messages import notices, refusals, refuse
from .metric import DEFAULT, SEGMENT
from .request import Request, Scoring, count
from .table import Numbers, Table, room, rounded

_EXAMPLES = """\
textgauge score hyp.txt -r ref.txt
textgauge score hyp.txt -r ref1.txt -r ref2.txt --confidence 0.95
textgauge score hyp.txt -r ref.txt -m bleu chrf word_order=2 ter --lowercase
textgauge score rows.jsonl --prediction-field summary -m rouge --use-stemmer
textgauge score answers.jsonl -r questions.jsonl --format squad -m squad
textgauge score texts.txt -m perplexity ngram_train=corpus.txt
"""


class Scored(NamedTuple):
    """The result of one metric."""

    chosen: Scoring
    measure: Measure
    result: dict[str, Any]
    numbers: Numbers


@metric_command(_EXAMPLES, has_reports=True)
def score(context: click.Context, /, **options: Any) -> None:
    """Score a file of predictions against references, segment by segment.

    Files are plain text (a segment per line), JSON Lines or a JSON array, CSV or TSV, also
    packed (.gz), or Parquet. A file with columns may hold the references as well. The exit
    code is 0, or 2 after an error.
    """
    request = request_of(context, options, n_systems=1)
    if options["brief"]:
        _check_brief(request, as_json=options["as_json"])
    with notices():
        scored = _scored(request, options)
        name = request.names[0] if options["names"] else ""
        if options["as_json"]:
            text = _json(scored, options["width"], name, request.sides.bad.n_skipped)
        else:
            text = _brief(scored) if options["brief"] else _tables(scored, name)
    show(text, options["output"])


def _check_brief(request: Request, *, as_json: bool) -> None:
    given = {name for one in request.chosen for name, value in one.given.items() if value}
    wrong = (["--json"] if as_json else []) + [name for name in ("signature", "counts") if name in given]
    wrong += ["both confidence and per_segment"] if {"confidence", "per_segment"} <= given else []
    if wrong:
        refuse(f"--brief cannot be given with {wrong[0]}")


def _scored(request: Request, options: Mapping[str, Any]) -> list[Scored]:
    reports = request.reports()
    measures = request.start(request.options())
    accumulators: list[Measure | RunningScore] = []
    for chosen, [measure], asked in zip(request.chosen, measures, reports, strict=True):
        with refusals(chosen.metric.name):
            is_sum = is_function_of_sums(measure, measure.read_reports(asked)[0])
        accumulators.append(RunningScore(measure) if is_sum else measure)
    count(request, [[one] for one in accumulators])
    scored = []
    for chosen, one, asked in zip(request.chosen, accumulators, reports, strict=True):
        measure = one.measure() if isinstance(one, RunningScore) else one
        # The number that papers cite says what it is.
        signature = {"signature": True} if chosen.metric.name == DEFAULT and not options["brief"] else {}
        with refusals(chosen.metric.name):
            result = chosen.metric.result(measure, {**signature, **asked})
        scored.append(Scored(chosen, measure, result, Numbers.of(measure.scale, options["width"])))
    return scored


def _json(scored: Sequence[Scored], width: int | None, name: str, n_skipped: int) -> str:
    page = {
        "version": __version__,
        **({"system": name} if name else {}),
        "segments": len(scored[0].measure),
        **({"skipped": n_skipped} if n_skipped else {}),
        "metrics": {one.chosen.metric.name: rounded(one.result, width) for one in scored},
    }
    return json.dumps(page, indent=2, allow_nan=False)


def _brief(scored: Sequence[Scored]) -> str:
    columns = _segment_columns(scored)
    rows: Any = zip(*columns.values(), strict=True) if columns else _brief_rows(scored)
    return "\n".join("\t".join(row) for row in rows)


def _brief_rows(scored: Sequence[Scored]) -> Iterator[list[str]]:
    for one in scored:
        result = one.result
        keys = one.chosen.main_keys(one.measure, result)
        intervals = {keys[0]: result.get("confidence_interval", []), **result.get("confidence_intervals", {})}
        for key in keys:
            value, bounds = result[key], intervals.get(key, [])
            if isinstance(value, dict):
                numbers = [number for part in value for number in (value[part], *(bounds[part] if bounds else []))]
            else:
                numbers = [value, *bounds]
            yield [one.numbers.text(number) for number in numbers]


def _tables(scored: Sequence[Scored], name: str) -> str:
    parts = []
    for one in scored:
        level = one.chosen.given.get("confidence")
        if all(key in one.result for key in one.measure.score_names):
            about = f"{100 * level:g}% " if level is not None else ""
            parts.append(table_text(one.measure, one.result, one.numbers, name, about))
    columns = _segment_columns(scored)
    return "\n\n".join([*parts, *([_segment_lines(columns)] if columns else [])])


def table_text(measure: Measure, result: Mapping[str, Any], numbers: Numbers, system: str = "", level: str = "") -> str:
    """Format a result as a table with its notes below; `level` is that of the intervals."""
    summary = measure.summary(result)
    bounds = [interval_in(result, line) for line in summary.lines]
    has_intervals = any(bound is not None for bound in bounds)
    about = f" of {summary.columns[-1]}" if len(summary.columns) > 1 else ""
    shown = Table(summary.title, (*summary.columns, *([f"{level}interval{about}"] if has_intervals else [])))
    for i, (line, bound) in enumerate(zip(summary.lines, bounds, strict=True)):
        cells = _cells(line, bound, measure.scale, numbers)
        gap = bool(i) and line.is_headline and not any(one.is_headline for one in summary.lines[:i])
        share = line.filled(line.values[-1])
        shown.add(line.label, *cells[: len(shown.columns)], share=share, is_bold=line.is_headline, after_gap=gap)
    n = len(measure)
    first = ", ".join(filter(None, [f"{n:,} segment{'s' * (n != 1)}", *summary.notes[:1]]))
    notes = [f"{system}: {first}" if system else first, *summary.notes[1:]]
    notes += [f"counts: {_counts_text(result['counts'])}"] if "counts" in result else []
    notes += [result["signature"]] if "signature" in result else []
    return "\n".join([shown.text(room()), *(click.style(printable(note), dim=True) for note in notes)])


def _cells(line: Line, bound: Sequence[float] | None, scale: float, numbers: Numbers) -> list[str]:
    """Format the values of a line, and its interval."""
    own = numbers if scale == 1 or line.full in (scale, None) else Numbers.of(1, None)
    return [*(own.text(value) for value in line.values), "" if bound is None else own.interval(bound)]


def _counts_text(counts: Mapping[str, Any]) -> str:
    """Format counts on one line."""
    parts = []
    for name, value in counts.items():
        inner = ", ".join(f"{key} {part}" for key, part in value.items()) if isinstance(value, dict) else value
        parts.append(f"{name} {' '.join(map(str, inner)) if isinstance(inner, list) else inner}")
    return "; ".join(parts)


def _segment_columns(scored: Sequence[Scored]) -> dict[str, list[str]]:
    """Return the formatted scores of segments by name."""
    columns: dict[str, list[str]] = {}
    for one in scored:
        listed = {key.removeprefix(SEGMENT): value for key, value in one.result.items() if key.startswith(SEGMENT)}
        for name, value in listed.items():
            parts = {f".{part}": scores for part, scores in value.items()} if isinstance(value, dict) else {"": value}
            columns |= {name + part: list(map(one.numbers.text, scores)) for part, scores in parts.items()}
    return columns


def _segment_lines(columns: Mapping[str, Sequence[str]]) -> str:
    """Format one line per segment, numbered from 1, under a line of names."""
    cells = [[name, *values] for name, values in columns.items()]
    cells.insert(0, ["segment", *map(str, range(1, len(cells[0])))])
    widths = [max(map(len, column)) for column in cells]
    return "\n".join("  ".join(map(str.rjust, row, widths)) for row in zip(*cells, strict=True))
