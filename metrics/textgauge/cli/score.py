"""`textgauge score`: score the outputs of one system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from ..checks import counted
from ..measures.measure import Measure
from ..measures.summary import interval_in
from ..measures.sums import RunningScore, is_function_of_sums
from .command import metric_command
from .messages import notices, refusals, refuse
from .metrics import DEFAULT, Scoring
from .output import ROWS, page_of, show, write_rows
from .request import Request, count, request_of
from .table import Numbers, Table, paper

_EXAMPLES = """\
textgauge score hyp.txt -r ref.txt
textgauge score hyp.txt -r ref1.txt -r ref2.txt --confidence 0.95
textgauge score hyp.txt -r ref.txt -m bleu chrf word_order=2 ter --lowercase
textgauge score rows.jsonl --prediction-field summary -m rouge --use-stemmer
textgauge score answers.jsonl -r questions.jsonl --format squad -m squad
textgauge score texts.txt -m perplexity ngram_train=corpus.txt
"""


# The keys of values per segment in a result begin with it.
SEGMENT = "segment_"


class Scored(NamedTuple):
    """The result of one metric."""

    chosen: Scoring
    measure: Measure
    result: dict[str, Any]
    numbers: Numbers

    def main(self) -> dict[str, list[Any]]:
        """Return the main figures by key: the parts of a score that has a name, each followed by its interval."""
        named = self.measure.about.scores if self.measure.name in self.chosen.names else {}
        keys = [key for key in named.values() if key in self.measure.score_names]
        keys = keys or [*self.chosen.keys(self.measure).values()]
        keys += [key for key in self.result for name in keys if key.removeprefix(name).isdigit() and key not in keys]
        intervals = {keys[0]: self.result.get("confidence_interval"), **self.result.get("confidence_intervals", {})}
        figures = {}
        for key in keys:
            value, bounds = self.result[key], intervals.get(key)
            parts, bounds = (value, bounds) if isinstance(value, dict) else ({"": value}, {"": bounds})
            figures[key] = [figure for part in parts for figure in (parts[part], *((bounds or {}).get(part) or ()))]
        return figures

    def segments(self) -> dict[str, list[str]]:
        """Return the scores of segments that the result has, formatted, by name."""
        columns: dict[str, list[str]] = {}
        for key in (key for key in self.result if key.startswith(SEGMENT)):
            value = self.result[key]
            parts = {f".{part}": value[part] for part in value} if isinstance(value, dict) else {"": value}
            columns |= {key.removeprefix(SEGMENT) + part: [*map(self.numbers.text, parts[part])] for part in parts}
        return columns


@metric_command(_EXAMPLES, has_reports=True)
def score(context: click.Context, /, **options: Any) -> None:
    """Score a file of predictions against references, segment by segment.

    Files are plain text (a segment per line), JSON Lines or a JSON array, CSV or TSV, also
    packed (.gz), or Parquet. A file with columns may hold the references as well. The exit
    code is 0, or 2 after an error.
    """
    request = request_of(context, options, n_systems=1)
    has_rows = Path(options["output"] or "").suffix.lower() in ROWS and not options["as_json"]
    given = {name for one in request.chosen for name, value in one.reports.items() if value}
    wrong: list[str] = [name for name in ("signature", "counts") if name in given]
    wrong += ["both confidence and per_segment"] if {"confidence", "per_segment"} <= given else []
    if options["brief"] and wrong:
        refuse(f"--brief cannot be given with {wrong[0]}")
    if idle := [name for one in request.chosen for name in one.reports if name != "per_segment"] if has_rows else []:
        refuse(f"{idle[0]} has no effect on the scores of segments, which {options['output']} is for")
    with notices():
        scored, ids = _scored(request, options, by_segment=has_rows)
        if has_rows:
            write_rows(options["output"], {**ids, **_scores_of_segments(scored)}, options["width"])
            return
        name = request.names[0] if options["names"] else ""
        if options["as_json"]:
            n_skipped = request.sides.bad.n_skipped
            about = {"system": name, "segments": len(scored[0].measure), "skipped": n_skipped}
            page = {key: value for key, value in about.items() if value}
            text = page_of({**page, "metrics": {one.measure.name: one.result for one in scored}}, options["width"])
        elif options["paper"]:
            text = _paper(scored, options["paper"], request.names[0])
        else:
            text = _brief(scored, request.typed) if options["brief"] else _tables(scored, name, ids["segment"])
    show(text, options["output"])


def _scored(
    request: Request, options: Mapping[str, Any], *, by_segment: bool
) -> tuple[list[Scored], dict[str, Sequence[Any]]]:
    """Return the results, and what identifies the segments."""
    reports = request.reports()
    accumulators: list[Measure | RunningScore] = []
    for [measure], asked in zip(request.start(request.options()), reports, strict=True):
        with refusals(measure.name):
            is_sum = not by_segment and is_function_of_sums(measure, measure.read_reports(asked)[0])
        accumulators.append(RunningScore(measure) if is_sum else measure)
    ids = count(request, [[one] for one in accumulators])["id"]
    scored = []
    for chosen, one, asked in zip(request.chosen, accumulators, reports, strict=True):
        measure = one.measure() if isinstance(one, RunningScore) else one
        # The number that papers cite says what it is.
        signature = {"signature": True} if measure.name == DEFAULT and not options["brief"] else {}
        with refusals(measure.name):
            result = result_of(measure, {**signature, **asked})
        scored.append(Scored(chosen, measure, result, Numbers.of(measure.scale, options["width"])))
    n = len(scored[0].measure)
    # Where only sums are kept, millions of segments take no memory.
    is_sum = all(isinstance(one, RunningScore) for one in accumulators)
    numbers = range(1, n + 1) if is_sum else request.sides.bad.numbers(n)
    return scored, {"segment": numbers, **({"id": ids} if ids else {})}


def result_of(measure: Measure, reports: Mapping[str, Any]) -> dict[str, Any]:
    """Score; values per segment have keys that start with `SEGMENT`, and are there only on request."""
    result = measure.score(**reports)
    for key, new in measure.about.lists.items():
        values = result.pop(key, None)
        if reports.get("per_segment") and values is not None:
            result[new] = values
    parts = {key: [*value.values()][0] if isinstance(value, dict) else value for key, value in result.items() if value}
    lists = [key for key in measure.score_names if isinstance(parts.get(key), list)]
    return {SEGMENT + key if key in lists else key: value for key, value in result.items()}


def _scores_of_segments(scored: Sequence[Scored]) -> dict[str, list[float]]:
    """Return the requested scores of segments by key, with that of the metric in front where two have one key."""
    every = []
    for one in scored:
        columns, keys = one.measure.segment_columns(), one.chosen.keys(one.measure)
        asked = [*columns] if one.measure.name in one.chosen.names else [*keys.values()]
        every += [(key, one.measure.name, columns[key].tolist()) for key in asked]
    names = [key for key, _, _ in every]
    return {key if names.count(key) == 1 else f"{metric}.{key}": values for key, metric, values in every}


def _paper(scored: Sequence[Scored], form: str, name: str) -> str:
    """Format one row for a paper: the main scores of every metric, with their intervals."""
    if any(one.segments() for one in scored):
        refuse("--table is for scores of the corpus, not for those of segments")
    columns, cells = [], [name]
    for one in scored:
        for key, figures in one.main().items():
            value, *bounds = figures[-3:] if one.chosen.reports.get("confidence") else figures[-1:]
            columns.append(headed(key, one.measure))
            cells.append(one.numbers.text(value) + (f" {one.numbers.interval(bounds)}" if bounds else ""))
    signed = {one.measure.name: one.result["signature"] for one in scored if "signature" in one.result}
    signatures = [f"{name}: {text}" if len(scored) > 1 else text for name, text in signed.items()]
    return paper(form, columns, [cells], [counted(len(scored[0].measure), "segment"), *signatures])


def headed(name: str, measure: Measure) -> str:
    """Return the head of a column of scores: an arrow where lower is better."""
    return name if measure.about.higher_is_better else f"{name} ↓"


def _brief(scored: Sequence[Scored], typed: Sequence[str]) -> str:
    """Format the scores of segments, or the main scores in the order in which -m names them, a line each."""
    rows: list[Any] = [*zip(*(column for one in scored for column in one.segments().values()), strict=True)]
    if not rows:
        placed = []
        for one in scored:
            names = {key: name for name, key in one.chosen.keys(one.measure).items()}
            for key, figures in one.main().items():
                known = (names.get(key), one.measure.name, *one.chosen.names)
                place = next(typed.index(name) for name in known if name in typed)
                placed.append((place, [*map(one.numbers.text, figures)]))
        rows = [row for _, row in sorted(placed, key=lambda row: row[0])]
    return "\n".join(map("\t".join, rows))


def _tables(scored: Sequence[Scored], name: str, numbers: Sequence[int]) -> str:
    parts, titles = [], [one.measure.about.title for one in scored]
    for one in scored:
        level = one.chosen.reports.get("confidence")
        if all(key in one.result for key in one.measure.score_names):
            about = f"{100 * level:g}% " if level is not None else ""
            # Two metrics may have one title.
            title = one.measure.name if titles.count(one.measure.about.title) > 1 else ""
            parts.append(table_text(one.measure, one.result, one.numbers, name, about, title))
    if columns := [[key, *column] for one in scored for key, column in one.segments().items()]:
        cells = [["segment", *map(str, numbers)], *columns]
        widths = [max(map(len, column)) for column in cells]
        parts.append("\n".join("  ".join(map(str.rjust, row, widths)) for row in zip(*cells, strict=True)))
    return "\n\n".join(parts)


def table_text(
    measure: Measure, result: Mapping[str, Any], numbers: Numbers, system: str = "", level: str = "", title: str = ""
) -> str:
    """Format a result as a table with its notes below; `level` is that of the intervals."""
    summary = measure.summary(result)
    bounds = [interval_in(result, line) for line in summary.lines]
    about = f" of {summary.columns[-1]}" if len(summary.columns) > 1 else ""
    interval = [f"{level}interval{about}"] if any(bound is not None for bound in bounds) else []
    shown = Table(title or summary.title, (*summary.columns, *interval))
    for i, (line, bound) in enumerate(zip(summary.lines, bounds, strict=True)):
        # What no scale multiplies has four decimals.
        own = numbers if measure.scale == 1 or line.full in (measure.scale, None) else Numbers.of(1, None)
        cells = [*map(own.text, line.values), *("" if bound is None else own.interval(bound) for _ in interval)]
        gap = bool(i) and line.is_headline and not any(one.is_headline for one in summary.lines[:i])
        share = line.filled(line.values[-1])
        shown.add(line.label, *cells, share=share, is_bold=line.is_headline, after_gap=gap)
    first = ", ".join(filter(None, [counted(len(measure), "segment"), *summary.notes[:1]]))
    notes = [f"{system}: {first}" if system else first, *summary.notes[1:]]
    notes += [f"counts: {_counts_text(result['counts'])}"] if "counts" in result else []
    return shown.text(*notes, *filter(None, [result.get("signature")]))


def _counts_text(counts: Mapping[str, Any]) -> str:
    """Format counts on one line."""
    parts = []
    for name, value in counts.items():
        inner = ", ".join(f"{key} {part}" for key, part in value.items()) if isinstance(value, dict) else value
        parts.append(f"{name} {' '.join(map(str, inner)) if isinstance(inner, list) else inner}")
    return "; ".join(parts)
