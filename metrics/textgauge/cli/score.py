"""`textgauge score`: score the outputs of one system."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import click

from .. import __version__
from ..checks import printable
from ..measures.measure import Measure
from ..measures.summary import interval_in, scaled, times
from . import table
from .chosen import SEGMENT, Chosen, Gathered, Result, check_flags, check_reports, chosen_metrics
from .command import (
    MetricCommand,
    check_output,
    fields_of,
    help_all,
    metrics_of,
    names_of,
    scale_of,
    systems_of,
    takes,
    write_output,
)
from .files import STDIN
from .flags import flags_of, given_flags, option_names
from .messages import LateProgress, notices, refusals, refuse
from .segments import Sides, all_texts

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


@click.command(cls=MetricCommand, examples=_EXAMPLES, has_reports=True, short_help="Score files.")
@click.option(
    "--help-all", is_flag=True, is_eager=True, expose_value=False, callback=help_all,
    help="Show the options of all metrics as well.",
)  # fmt: skip
@click.pass_context
def score(context: click.Context, /, as_json: bool, brief: bool, **options: Any) -> None:
    """Score a file of predictions against references, segment by segment.

    Files are plain text (a segment per line), JSON Lines or a JSON array, CSV, TSV or
    Parquet, also packed (.gz). A file with columns may hold the references as well. The exit code
    is 0, or 2 after an error.
    """
    systems, references = systems_of(options, "score")
    if len(systems) > 1:
        refuse(f"score takes one system, got {len(systems)}; textgauge compare takes several")
    given, chosen = given_flags(context, options), chosen_metrics(metrics_of(options))
    if given.get("preset") == "sacrebleu" and not brief:
        given.setdefault("signature", True)
    check_flags(chosen, given)
    check_reports(chosen, given)
    numbers = _numbers(options, given, chosen)
    _check_form(given, as_json=as_json, brief=brief)
    sides = sides_of(systems, references, options["kind"], fields_of(context, options, given), chosen, given)
    sides.check()
    check_output(options["output"], [*systems, *references])
    with notices(option_names()):
        scored = _scored(chosen, given, sides)
        names = names_of(systems, options["names"])
        text = _written(scored, numbers, options, as_json=as_json, brief=brief, names=names, given=given)
    if options["output"] is not None:
        write_output(options["output"], click.unstyle(text) + "\n")
    else:
        table.show(text)


takes(
    "systems", "predictions", "inputs", "references", "kind", "prediction_field", "reference_field", "names", "metrics",
    "output", "brief", "as_json", "width", "scale", "max_unpacked",
)(score)  # fmt: skip


def _numbers(options: Mapping[str, Any], given: Mapping[str, Any], chosen: Sequence[Chosen]) -> table.Numbers:
    if options["scale"] == "100" and all(one.measure.perfect is None for one in chosen):
        refuse(f"--scale has no effect: {chosen[0].name} has no perfect score")
    scale = scale_of(options, given)
    return table.Numbers(scale, (4 if scale == 1 else 2) if options["width"] is None else options["width"])


def _check_form(given: Mapping[str, Any], *, as_json: bool, brief: bool) -> None:
    if not brief:
        return
    for what, is_there in {
        "--json": as_json,
        "--signature": bool(given.get("signature")),
        "--counts": bool(given.get("counts")),
        "both --confidence and --per-segment": bool(given.get("confidence") and given.get("per_segment")),
    }.items():
        if is_there:
            refuse(f"--brief cannot be given with {what}")


def sides_of(
    systems: Sequence[str], references: Sequence[str], kind: str | None, fields: Mapping[str, Any],
    chosen: Sequence[Chosen], given: Mapping[str, Any], documents: str | None = None,
) -> Sides:  # fmt: skip
    """Return the files to read for some metrics."""
    is_paired = any(one.measure.is_paired for one in chosen)
    if kind == "squad" and not all(one.measure.is_paired for one in chosen):
        refuse("--format squad is for metrics with references")
    if given.get("ngram_train") == STDIN and STDIN in (*systems, *references):
        refuse("standard input ('-') can be read for one file only")
    return Sides(systems, references, kind, fields, is_paired, documents, given.get("prefixes"))


def empty_measures(chosen: Sequence[Chosen], given: Mapping[str, Any], sides: Sides) -> list[list[Measure]]:
    """Return an empty accumulator of every metric for every system, with checked options."""
    given = with_texts(chosen, given, sides)
    return [[one.start(given, chosen) for _ in sides.systems] for one in chosen]


def with_texts(chosen: Sequence[Chosen], given: Mapping[str, Any], sides: Sides) -> dict[str, Any]:
    """Return the flags with the training texts of n-grams instead of the name of their file."""
    given = dict(given)
    for one in chosen:
        own = [flag for flag in flags_of(one.measure) if flag.name == "ngram_train" and "ngram_train" in given]
        if own and isinstance(given["ngram_train"], str):
            given["ngram_train"] = all_texts(given["ngram_train"], sides.kind, sides.fields)
    return given


def _scored(chosen: Sequence[Chosen], given: Mapping[str, Any], sides: Sides) -> list[Scored]:
    reports = [one.reports(given) for one in chosen]
    gathered = [Gathered(measure) for [measure] in empty_measures(chosen, given, sides)]
    with ExitStack() as stack, LateProgress() as progress:
        opened, n_segments = sides.open(stack), 0
        for [corpus], prefixes in opened.batches():
            for one in gathered:
                with refusals(one.measure.name, option_names()):
                    one.add(corpus, prefixes)
            n_segments += len(corpus)
            progress.show(opened.sources[0].done(), n_segments)
    measures = [one.finish() for one in gathered]
    return [Scored(c, m, c.result(m, r)) for c, m, r in zip(chosen, measures, reports, strict=True)]


def _written(
    scored: Sequence[Scored], numbers: table.Numbers, options: Mapping[str, Any], *, as_json: bool, brief: bool,
    names: Sequence[str], given: Mapping[str, Any],
) -> str:  # fmt: skip
    if as_json:
        named = {"system": names[0]} if options["names"] else {}
        page = {
            "version": __version__, **named, "segments": len(scored[0].measure), "scale": int(numbers.scale),
            "metrics": {one.chosen.name: _rounded(one.scaled(numbers.scale), options["width"]) for one in scored},
        }  # fmt: skip
        return json.dumps(page, indent=2, allow_nan=False)
    columns = _segment_columns(scored, numbers.scale)
    if brief:
        rows: Any = zip(*columns.values(), strict=True) if columns else _brief_rows(scored, numbers.scale)
        return "\n".join("\t".join(map(numbers.text, row)) for row in rows)
    system = names[0] if options["names"] else ""
    confidence = float(given["confidence"]) if "confidence" in given else None
    parts = [table_text(one.measure, one.result, numbers, system, confidence) for one in scored
             if _has_corpus_scores(one)]  # fmt: skip
    return "\n\n".join([*parts, *([segment_lines(columns, numbers)] if columns else [])])


def _has_corpus_scores(one: Scored) -> bool:
    return all(key in one.result for key in one.measure.score_names)


def table_text(
    measure: Measure, result: Result, numbers: table.Numbers, system: str = "", confidence: float | None = None
) -> str:
    """Format a result as a table with its notes below."""
    summary = measure.summary(result)
    bounds = [interval_in(result, line) for line in summary.lines]
    scale = 1.0 if measure.perfect is None else numbers.scale
    shown = table.Table(summary.title, summary.columns)
    has_intervals = any(bound is not None for bound in bounds)
    if has_intervals:
        name = "interval" if confidence is None else f"{100 * confidence:g}% interval"
        shown.columns = (*summary.columns, name if len(summary.columns) == 1 else f"{name} of {summary.columns[-1]}")
    for i, (line, bound) in enumerate(zip(summary.lines, bounds, strict=True)):
        factor = scale if line.is_scaled else 1.0
        as_shown = numbers if line.is_scaled else table.Numbers(1, 4 if scale != 1 else numbers.width)
        cells = [as_shown.text(times(value, factor)) for value in line.values]
        if has_intervals:
            cells.append("" if bound is None else as_shown.interval([factor * edge for edge in bound]))
        gap = bool(i) and line.is_headline and not any(one.is_headline for one in summary.lines[:i])
        shown.add(line.label, *cells, share=line.share(line.values[-1]), is_bold=line.is_headline, after_gap=gap)
    n = len(measure)
    first, *others = [*summary.notes, ""][:1] + list(summary.notes[1:])
    about = f"{system + ': ' if system else ''}{n:,} segment{'s' * (n != 1)}{', ' if first else ''}{first}"
    others += [f"counts: {_counts_text(result['counts'])}"] if "counts" in result else []
    notes = [about, *others, *([result["signature"]] if "signature" in result else [])]
    return "\n".join([shown.text(table.room()), *(click.style(printable(note), dim=True) for note in notes)])


def _counts_text(counts: Mapping[str, Any]) -> str:
    """Format counts on one line."""
    parts = []
    for name, value in counts.items():
        inner = ", ".join(f"{key} {part}" for key, part in value.items()) if isinstance(value, dict) else value
        parts.append(f"{name} {' '.join(map(str, inner)) if isinstance(inner, list) else inner}")
    return "; ".join(parts)


def segment_lines(columns: Mapping[str, Sequence[float | None]], numbers: table.Numbers) -> str:
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


def _rounded(value: Any, width: int | None) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(part, width) for key, part in value.items()}
    if isinstance(value, list):
        return [_rounded(part, width) for part in value]
    if not isinstance(value, float):
        return value
    # JSON has no infinity, the perplexity of a text with probability 0.
    return None if math.isinf(value) else value if width is None else round(value, width)
