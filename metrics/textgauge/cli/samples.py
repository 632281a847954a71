"""`textgauge score` of metrics that compare two samples of texts, of any two sizes: files are read side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import click
import numpy as np

from ..accumulation.accumulator import accumulator_of, read_reports
from ..checks import in_number, listed
from ..files.file import InputFile
from ..files.lines import shown_name
from ..files.parallel import SQUAD, ParallelFiles, fields_of, flag_of
from ..files.rows import BadRows, joined
from ..plain import Texts
from .command import Scoring, limits_of
from .messages import bars_on_terminals, refusals, refuse
from .output import ROWS, check_suffix, last_suffix
from .request import Request, check_columns, check_files, check_quoting, names_of, systems_of

# What belongs to segments, which samples lack, or to columns that they do not read.
_OF_PAIRS = (
    "sources", "source_field", "units", "unit_field", "id_field", "by_position", "keep", "confusions", "worst",
    "pass_at", "threshold",
)  # fmt: skip


class Samples(NamedTuple):
    """The texts of a side, and how many rows had none."""

    texts: Texts
    n_bad: int


def request_of_samples(
    context: click.Context, options: Mapping[str, Any], *, asked: tuple[Sequence[Scoring], Sequence[str]]
) -> Request:
    """Return what a command line asks for, checked before any file is opened; `asked` is what `asked_by` returns."""
    chosen, typed = asked
    [name, *others] = [one.metric.name for one in sorted(chosen, key=lambda one: one.metric.inputs.is_paired)]
    if others:
        refuse(f"{name} compares two samples of texts, no pairs: score it alone, without {listed(others)}")
    for option in (option for option in _OF_PAIRS if options.get(option)):
        refuse(f"{flag_of(option)} has no effect with -m {name}, which compares two samples of texts, no pairs")
    if last_suffix(options["output"]) in ROWS and not options["as_json"]:
        refuse(f"{name} has no scores of segments: {options['output']} cannot be written, but --json can")
    if options["file_format"] == SQUAD:
        refuse(f"--format squad is for answers, not for {name}")
    systems, references = systems_of(options, context.command)
    fields = {key: options[key] for key in ("prediction_field", "reference_field") if options[key]}
    if isinstance(fields.get("prediction_field"), tuple):
        refuse(f"{name} takes one --prediction-field")
    files = ParallelFiles(systems, references, options["file_format"], fields, bad=_bad(options))
    inputs = [_file(path, "prediction_field", options) for path in systems]
    if not references:
        if len(systems) > 1 or not inputs[0].has_columns:
            refuse(f"{name} needs the other sample: give its file a -r, as in textgauge score a.txt -r b.txt -m {name}")
        references = systems
    inputs += [_file(path, "reference_field", options) for path in references]
    check_files([*dict.fromkeys([*systems, *references])], options["output"])
    check_columns([flag_of(field) for field in fields], inputs)
    check_quoting(options["quoting"], inputs)
    check_suffix("score", options)
    names = names_of(systems, options["names"], without_suffix=bool(options["paper"]))
    return Request(chosen, names, replace(files, references=references), typed)


def measured(request: Request, options: Mapping[str, Any]) -> list[Any]:
    """Return an accumulator for every system, with the texts of both sides."""
    [scoring] = request.chosen
    references = [_read(path, "reference_field", options) for path in request.files.references]
    systems = [_read(path, "prediction_field", options) for path in request.files.systems]
    n_bad = sum(side.n_bad for side in (*references, *systems))
    [typed] = request.options()
    with refusals(scoring.metric.name), bars_on_terminals():
        empty: Any = accumulator_of(scoring.metric)(**typed)
        read_reports(empty, scoring.reports)
        # Read once for all systems.
        other = sum((empty.without_segments().update(references=side.texts) for side in references), 0)
        accumulators = [other + empty.without_segments().update(side.texts) for side in systems]
    if n_bad:
        click.echo(f"textgauge: {in_number(n_bad, f'{n_bad:,} bad [row was|rows were] left out')}", err=True)
    return accumulators


def _bad(options: Mapping[str, Any]) -> BadRows:
    return BadRows(is_skipped=options["skip_bad"], way_out="--skip-bad scores the others")


def _file(path: str, field: str, options: Mapping[str, Any]) -> InputFile:
    fields = fields_of({field: options[field]}, field, of_lists=True)
    if len(fields) > 1:
        refuse(f"{flag_of(field)} names several columns, of which a sample is one")
    return InputFile(path, fields, options["file_format"], limits_of(options), options["quoting"])


def _read(path: str, field: str, options: Mapping[str, Any]) -> Samples:
    """Return the texts of a column, or of a file of plain text, without those of bad rows, which are empty."""
    bad, columns = _bad(options), []
    for block in _file(path, field, options).blocks(bad):
        [column] = block.columns
        columns.append(column.take(np.delete(np.arange(block.n_rows), block.bad)) if block.bad else column)
    bad.check()
    texts = joined(columns).texts
    if not len(texts):
        refuse(f"{shown_name(path)}: the file has no text")
    return Samples(texts, bad.n_rows)
