"""`textgauge score`: score the outputs of one system."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

from .. import __version__
from ..checks import printable
from ..measures.derivation import counted
from ..measures.measure import Measure
from ..measures.summary import Line, interval_in
from ..measures.sums import RunningScore, is_function_of_sums
from .command import metric_command, request_of, show
from .messages import notices, refusals, refuse
from .metric import DEFAULT, SEGMENT
from .request import Request, Scoring, count
from .rows import ROWS, suffix_of, write_rows
from .table import Numbers, Table, paper, room, rounded

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
    has_rows = suffix_of(options) in ROWS and not options["as_json"]
    if options["brief"]:
        _check_brief(request)
    elif idle := [name for one in request.chosen for name in one.reports if name != "per_segment"] if has_rows else []:
        refuse(f"{idle[0]} has no effect on the scores of segments, which {options['output']} is for")
    with notices():
        scored, ids = _scored(request, options, by_segment=has_rows)
        if has_rows:
            write_rows(options["output"], {**ids, **_scores_of_segments(scored)}, options["width"])
            return
        name = request.names[0] if options["names"] else ""
        if options["as_json"]:
            text = _json(scored, options["width"], name, request.sides.bad.n_skipped)
        elif options["paper"]:
            text = _paper(scored, options["paper"], request.names[0])
        else:
            text = _brief(scored, request.typed) if options["brief"] else _tables(scored, name, ids["segment"])
    show(text, options["output"])


def _check_brief(request: Request) -> None:
    given = {name for one in request.chosen for name, value in one.given.items() if value}
    wrong: list[str] = [name for name in ("signature", "counts") if name in given]
    wrong += ["both confidence and per_segment"] if {"confidence", "per_segment"} <= given else []
    if wrong:
        refuse(f"--brief cannot be given with {wrong[0]}")


def _scored(
    request: Request, options: Mapping[str, Any], *, by_segment: bool
) -> tuple[list[Scored], dict[str, Sequence[Any]]]:
    """Return the results, and what identifies the segments."""
    reports = request.reports()
    measures = request.start(request.options())
    accumulators: list[Measure | RunningScore] = []
    for chosen, [measure], asked in zip(request.chosen, measures, reports, strict=True):
        with refusals(chosen.metric.name):
            is_sum = not by_segment and is_function_of_sums(measure, measure.read_reports(asked)[0])
        accumulators.append(RunningScore(measure) if is_sum else measure)
    ids: list[Any] = []
    count(request, [[one] for one in accumulators], ids=ids)
    scored = []
    for chosen, one, asked in zip(request.chosen, accumulators, reports, strict=True):
        measure = one.measure() if isinstance(one, RunningScore) else one
        # The number that papers cite says what it is.
        signature = {"signature": True} if chosen.metric.name == DEFAULT and not options["brief"] else {}
        with refusals(chosen.metric.name):
            result = chosen.metric.result(measure, {**signature, **asked})
        scored.append(Scored(chosen, measure, result, Numbers.of(measure.scale, options["width"])))
    n = len(scored[0].measure)
    # Where only sums are kept, millions of segments take no memory.
    is_sum = all(isinstance(one, RunningScore) for one in accumulators)
    numbers = range(1, n + 1) if is_sum else request.sides.bad.numbers(n)
    return scored, {"segment": numbers, **({"id": ids} if ids else {})}


def _scores_of_segments(scored: Sequence[Scored]) -> dict[str, list[float]]:
    """Return the requested scores of segments by key, with that of the metric in front where two have one key."""
    every = []
    for one in scored:
        columns, keys = one.measure.segment_columns(), one.chosen.keys(one.measure)
        asked = [*columns] if one.chosen.metric.name in one.chosen.names else [*keys.values()]
        every += [(key, one.chosen.metric.name, columns[key].tolist()) for key in asked]
    names = [key for key, _, _ in every]
    return {key if names.count(key) == 1 else f"{metric}.{key}": values for key, metric, values in every}


def _json(scored: Sequence[Scored], width: int | None, name: str, n_skipped: int) -> str:
    page = {
        "version": __version__,
        **({"system": name} if name else {}),
        "segments": len(scored[0].measure),
        **({"skipped": n_skipped} if n_skipped else {}),
        "metrics": {one.chosen.metric.name: rounded(one.result, width) for one in scored},
    }
    return json.dumps(page, indent=2, allow_nan=False)


def _paper(scored: Sequence[Scored], form: str, name: str) -> str:
    """Format one row for a paper: the main scores of every metric, with their intervals."""
    columns, cells = [], [name]
    if _segment_columns(scored):
        refuse("--table is for scores of the corpus, not for those of segments")
    for one in scored:
        for key, numbers in _main_numbers(one):
            value, *bounds = numbers[-3:] if one.chosen.given.get("confidence") else numbers[-1:]
            columns.append(headed(key, one.measure))
            cells.append(one.numbers.text(value) + (f" {one.numbers.interval(bounds)}" if bounds else ""))
    signed = {one.chosen.metric.name: one.result["signature"] for one in scored if "signature" in one.result}
    signatures = [f"{name}: {text}" if len(scored) > 1 else text for name, text in signed.items()]
    return paper(form, columns, [cells], [counted(len(scored[0].measure), "segment"), *signatures])


def headed(name: str, measure: Measure) -> str:
    """Return the head of a column of scores: an arrow where lower is better."""
    return name if measure.about.higher_is_better else f"{name} ↓"


def _brief(scored: Sequence[Scored], typed: Sequence[str]) -> str:
    columns = _segment_columns(scored)
    rows: Any = zip(*columns.values(), strict=True) if columns else _brief_rows(scored, typed)
    return "\n".join("\t".join(row) for row in rows)


def _brief_rows(scored: Sequence[Scored], typed: Sequence[str]) -> list[list[str]]:
    """Return a row for every main score, in the order in which -m names them."""
    rows = []
    for one in scored:
        names = {key: name for name, key in one.chosen.keys(one.measure).items()}
        for key, numbers in _main_numbers(one):
            named = [name for name in (names.get(key), one.chosen.metric.name, *one.chosen.names) if name in typed]
            rows.append((typed.index(named[0]), [one.numbers.text(number) for number in numbers]))
    return [row for _, row in sorted(rows, key=lambda row: row[0])]


def _main_numbers(one: Scored) -> Iterator[tuple[str, list[Any]]]:
    """Yield every main score of the corpus: its parts, each followed by the bounds of its interval if it has one."""
    result = one.result
    keys = one.chosen.main_keys(one.measure, result)
    intervals = {keys[0]: result.get("confidence_interval", []), **result.get("confidence_intervals", {})}
    for key in keys:
        value, bounds = result[key], intervals.get(key, [])
        if isinstance(value, dict):
            yield key, [number for part in value for number in (value[part], *(bounds[part] if bounds else []))]
        else:
            yield key, [value, *bounds]


def _tables(scored: Sequence[Scored], name: str, numbers: Sequence[int]) -> str:
    parts = []
    titles = [one.measure.about.title for one in scored]
    for one in scored:
        level = one.chosen.given.get("confidence")
        if all(key in one.result for key in one.measure.score_names):
            about = f"{100 * level:g}% " if level is not None else ""
            # Two metrics may have one title.
            title = one.chosen.metric.name if titles.count(one.measure.about.title) > 1 else ""
            parts.append(table_text(one.measure, one.result, one.numbers, name, about, title))
    columns = _segment_columns(scored)
    return "\n\n".join([*parts, *([_segment_lines(columns, numbers)] if columns else [])])


def table_text(
    measure: Measure, result: Mapping[str, Any], numbers: Numbers, system: str = "", level: str = "", title: str = ""
) -> str:
    """Format a result as a table with its notes below; `level` is that of the intervals."""
    summary = measure.summary(result)
    bounds = [interval_in(result, line) for line in summary.lines]
    has_intervals = any(bound is not None for bound in bounds)
    about = f" of {summary.columns[-1]}" if len(summary.columns) > 1 else ""
    shown = Table(title or summary.title, (*summary.columns, *([f"{level}interval{about}"] if has_intervals else [])))
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


def _segment_lines(columns: Mapping[str, Sequence[str]], numbers: Sequence[int]) -> str:
    """Format one line per segment under a line of names."""
    cells = [["segment", *map(str, numbers)], *([name, *values] for name, values in columns.items())]
    widths = [max(map(len, column)) for column in cells]
    return "\n".join("  ".join(map(str.rjust, row, widths)) for row in zip(*cells, strict=True))
