"""`textgauge diversity`: how different the texts of a file are from each other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

from ..accumulation.accumulator import Accumulator, read_reports
from ..files.file import InputFile
from ..files.lines import shown_name
from ..files.parallel import fields_of, flag_of
from ..files.rows import NamedColumn
from ..measures.diversity import Diversity
from ..options import options_of
from .command import limits_of, metric_command, typed_in
from .messages import bars_on_terminals, notices, refusals, refuse
from .output import check_suffix
from .request import check_columns, check_files, check_quoting, names_of
from .score import SEGMENT
from .sheet import Numbers, Sheet, Table

_EXAMPLES = """\
textgauge diversity texts.txt
textgauge diversity model1.txt model2.txt --homogenization rougeL
textgauge diversity rows.jsonl --group-field prompt --confidence 0.95 --json
"""
_SHARED = ("files", "file_format", "prediction_field", "quoting", "output", "as_json", "width", "max_unpacked",
           "max_line")  # fmt: skip
# Tables say the signature; groups are a column of the file.
_HELPS = {"signature": "", "groups": "", "groups_field": "", "per_segment": "Add the figures of every group."}


class _Set(NamedTuple):
    """The texts of a file, with the result, and the scores of groups by their names and keys, if they are asked for."""

    name: str
    n_texts: int
    n_groups: int
    result: dict[str, Any]
    by_group: dict[str, dict[str, float]]


@metric_command(_EXAMPLES, _SHARED, has_reports=True, only=Diversity.metric_type, helps=_HELPS)
@click.option(
    "--group-field", metavar="NAME",
    help="Column with the key of each text's group, such as its prompt; 1 and \"1\" are one key.",
)  # fmt: skip
def diversity(context: click.Context, /, files: Sequence[str], **options: Any) -> None:
    """Print how different the texts of each file are from each other.

    A file is one set of texts; with --group-field, or with a list of texts in every row, each group is a
    set of its own, and the figures are means over groups. Files are plain text (a text per line), JSON
    Lines or a JSON array, CSV or TSV, also packed (.gz), or Parquet. The card of
    the metric says what the figures mean, and when they mislead.
    """
    typed, types = typed_in(context), (Diversity.metric_type.options_type, Diversity.metric_type.reports_type)
    own, reports = (
        {
            option.name: option.value_of(typed[option.name])
            for option in options_of(options_type)
            if option.name in typed
        }
        for options_type in types
    )
    with refusals("diversity"):
        empty = Diversity(**own)
        read_reports(empty, reports)
    if not files:
        refuse("diversity needs a file, as in textgauge diversity texts.txt")
    check_files(files, options["output"])
    check_suffix("diversity", options)
    with notices():
        names = names_of(files, ())
        sets = [_set_of(path, name, empty, reports, options) for path, name in zip(files, names, strict=True)]
    tables = [*_tables(sets, options["width"], reports.get("confidence"))]
    Sheet(tables, _page(sets)).show(options)


def _set_of(path: str, name: str, empty: Accumulator, reports: Mapping[str, Any], options: Mapping[str, Any]) -> _Set:
    fields = fields_of(options, "prediction_field", of_lists=True)
    fields += [NamedColumn(options["group_field"], "--group-field", is_key=True)] if options["group_field"] else []
    file = InputFile(path, fields, options["file_format"], limits_of(options), options["quoting"])
    check_quoting(options["quoting"], [file])
    check_columns([flag_of(name) for name in ("group_field", "prediction_field") if options[name]], [file])
    column, *keys = file.columns()
    texts: list[Any] = column.lists()
    groups = keys[0].texts.tolist() if keys else None
    if len(column.texts) == column.n_rows:
        texts = column.texts.tolist()
    elif groups is not None:
        refuse(f"{shown_name(path)} has lists of texts, which are groups already: leave out --group-field")
    with refusals(shown_name(path)), bars_on_terminals():
        accumulator = empty.without_segments().update(texts, groups=groups)
        result = accumulator.score(signature=True, **reports)
    scores = {key.removeprefix(SEGMENT): result.pop(key) for key in [*result] if key.startswith(SEGMENT)}
    names = dict.fromkeys(groups) if groups else map(str, range(1, len(accumulator) + 1))
    by_group = {group: {key: scores[key][i] for key in scores} for i, group in enumerate(names)}
    return _Set(name, len(column.texts), len(accumulator), result, by_group if scores else {})


def _page(sets: Sequence[_Set]) -> dict[str, Any]:
    """Return what JSON has about every file."""
    systems = [
        {
            "system": text_set.name, "texts": text_set.n_texts, "groups": text_set.n_groups,
            "diversity": text_set.result, **({"by_group": text_set.by_group} if text_set.by_group else {}),
        }
        for text_set in sets
    ]  # fmt: skip
    return {"systems": systems}


def _tables(sets: Sequence[_Set], width: int | None, confidence: float | None) -> Iterator[Table]:
    """Yield a table with a column for every file, and one with the groups of each."""
    numbers = Numbers.of(1, width)
    interval = "" if confidence is None else f"{100 * confidence:g}% interval"
    first, below = sets[0].result, [*map(_about, sets), sets[0].result["signature"]]
    table = Table("Diversity", [text_set.name for text_set in sets], interval, below)
    for key in (key for key, value in first.items() if isinstance(value, float)):
        bounds = [text_set.result.get("confidence_intervals", {}).get(key) for text_set in sets]
        table.add(key, *map(numbers.figure, [text_set.result[key] for text_set in sets], bounds))
    yield table
    for text_set in (text_set for text_set in sets if text_set.by_group):
        table = Table(text_set.name, [*next(iter(text_set.by_group.values()))])
        for name, scores in text_set.by_group.items():
            table.add(name, *map(numbers.figure, scores.values()))
        yield table


def _about(text_set: _Set) -> str:
    groups = f" in {text_set.n_groups:,} groups, whose means these are" if text_set.n_groups > 1 else ""
    counts = f"; counts: {json.dumps(text_set.result['counts'])}" if "counts" in text_set.result else ""
    return f"{text_set.name}: {text_set.n_texts:,} texts{groups}{counts}"
