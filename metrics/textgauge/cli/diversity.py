"""`textgauge diversity`: how different the texts of a file are from each other."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import click

from .. import __version__
from ..measures.diversity import Diversity
from ..options import meaning, options_of
from .blocks import Field
from .command import names_of, show
from .files import max_unpacked, shown_name
from .messages import InputError, bars_on_terminals, notices, refusals, refuse
from .metric import SEGMENT
from .reading import FORMATS, format_of, read_columns
from .request import check_files
from .rows import check_suffix
from .segments import DEFAULT_FIELDS, flag_of
from .table import Numbers, Table, room, rounded
from .words import value_of

_EPILOG = """\b
Examples:
  textgauge diversity texts.txt
  textgauge diversity model1.txt model2.txt --homogenization rougeL
  textgauge diversity rows.jsonl --group-field prompt --confidence 0.95 --json
"""
_KINDS = (Diversity.options_type, Diversity.reports_type)
_OPTIONS = {
    one.name: one for kind in _KINDS for one in options_of(kind) if one.kind != "python" and one.name != "signature"
}
_SHORT = {"tokenizer": "-t", "n_resamples": "-n"}


class _Set(NamedTuple):
    """The texts of a file, the names of their groups, and the result."""

    name: str
    n_texts: int
    groups: Sequence[str]
    result: dict[str, Any]


def _declared(function: Any) -> Any:
    """Add the options of the measure and of its report."""
    for one in reversed(_OPTIONS.values()):
        flags = filter(None, [_SHORT.get(one.name), flag_of(one.name)])
        shape: dict[str, Any] = {"is_flag": True} if one.kind == "flag" else {"metavar": "X"}
        about = (
            meaning(one).replace("; see the notes", f": {', '.join(one.choices)}").replace(", or your own function", "")
        )
        about = "Add the figures of every group." if one.name == "per_segment" else about
        function = click.option(*flags, one.name, default=None, help=about, **shape)(function)
    return function


@click.command(epilog=_EPILOG)
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option(
    "--format", "kind", type=click.Choice(FORMATS), metavar="FORMAT", help=f"{', '.join(FORMATS)} [by suffix]"
)
@click.option(
    "--prediction-field", metavar="NAME", help=f"Column of texts. [default: {DEFAULT_FIELDS['prediction_field']}]"
)
@click.option("--group-field", metavar="NAME", help="Column with the key of each text's group, such as its prompt.")
@_declared
@click.option("-o", "--output", type=click.Path(), metavar="FILE", help="Write to a file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("-w", "--width", type=click.IntRange(0, 17), metavar="N", help="Decimals. [default: 4]")
@max_unpacked
def diversity(files: Sequence[str], **options: Any) -> None:
    """Print how different the texts of each file are from each other.

    A file is one set of texts; with --group-field, or with a list of texts in every row, each group is a
    set of its own, and the figures are means over groups. Files are plain text (a text per line), JSON
    Lines or a JSON array, CSV or TSV, also packed (.gz), or Parquet. The card of
    the metric says what the figures mean, and when they mislead.
    """
    given = {name: value_of(one, [options[name]]) for name, one in _OPTIONS.items() if options[name] is not None}
    own = {one.name for one in options_of(Diversity.options_type)}
    with refusals("diversity"):
        empty = Diversity(**{name: value for name, value in given.items() if name in own})
        reports = {name: value for name, value in given.items() if name not in own}
        empty.read_reports(reports)
    check_files(files, options["output"])
    check_suffix("diversity", options)
    with notices():
        names = names_of(files, ())
        sets = [_scored(path, name, empty, reports, options) for path, name in zip(files, names, strict=True)]
    text = _json(sets, options["width"]) if options["as_json"] else _tables(sets, options["width"])
    show(text, options["output"])


def _scored(path: str, name: str, empty: Diversity, reports: Mapping[str, Any], options: Mapping[str, Any]) -> _Set:
    fields = [Field(options["prediction_field"] or DEFAULT_FIELDS["prediction_field"], "--prediction-field", True)]
    fields += [Field(options["group_field"], "--group-field", is_key=True)] if options["group_field"] else []
    kind = options["kind"] or format_of(path)
    if kind == "text" and (options["prediction_field"] or options["group_field"]):
        refuse(f"{fields[-1].flag} has no effect: plain text has no columns")
    column, *keys = read_columns(path, kind, fields)
    if column.n_rows == 0:
        raise InputError(f"{shown_name(path)}: the file is empty")
    texts: list[Any] = column.texts.tolist()
    n_texts, bounds = len(texts), column.offsets.tolist()
    groups = keys[0].texts.tolist() if keys else None
    if n_texts != column.n_rows:
        if groups is not None:
            refuse(f"{shown_name(path)} has lists of texts, which are groups already: leave out --group-field")
        texts = [texts[start:stop] for start, stop in zip(bounds, bounds[1:], strict=False)]
    with refusals(shown_name(path)), bars_on_terminals():
        measure = empty.without_segments().update(texts, groups)
        result = measure.score(signature=True, **reports)
    names = dict.fromkeys(groups) if groups else map(str, range(1, len(measure) + 1))
    return _Set(name, n_texts, [*names], result)


def _json(sets: Sequence[_Set], width: int | None) -> str:
    page = {"version": __version__, "systems": [_figures(one, width) for one in sets]}
    return json.dumps(page, indent=2, ensure_ascii=False)


def _figures(one: _Set, width: int | None) -> dict[str, Any]:
    """Return what JSON has about a file; the scores of groups by their names."""
    of_groups = _of_groups(one)
    by_name = {name: {key: values[i] for key, values in of_groups.items()} for i, name in enumerate(one.groups)}
    result = {key: value for key, value in one.result.items() if not key.startswith(SEGMENT)}
    about = {"system": one.name, "texts": one.n_texts, "groups": len(one.groups)}
    return {
        **about,
        "diversity": rounded(result, width),
        **({"by_group": rounded(by_name, width)} if of_groups else {}),
    }


def _of_groups(one: _Set) -> dict[str, list[float]]:
    return {key.removeprefix(SEGMENT): value for key, value in one.result.items() if key.startswith(SEGMENT)}


def _tables(sets: Sequence[_Set], width: int | None) -> str:
    """Format a table with a column for every file, and one with the groups of each."""
    numbers = Numbers.of(1, width)
    scores = [key for key, value in sets[0].result.items() if isinstance(value, float)]
    has_intervals = "confidence_intervals" in sets[0].result
    columns = [name for one in sets for name in (one.name, *(["interval"] if has_intervals else []))]
    shown = Table("Diversity", columns)
    for key in scores:
        cells = []
        for one in sets:
            bounds = [numbers.interval(one.result["confidence_intervals"][key])] if has_intervals else []
            cells += [numbers.text(one.result[key]), *bounds]
        shown.add(key, *cells)
    notes = [_about(one) for one in sets] + [sets[0].result["signature"]]
    parts = ["\n".join([shown.text(room()), *(click.style(note, dim=True) for note in notes)])]
    for one in sets:
        of_groups = _of_groups(one)
        if of_groups:
            groups = Table(one.name, [*of_groups])
            for name, *values in zip(one.groups, *of_groups.values(), strict=True):
                groups.add(name, *map(numbers.text, values))
            parts.append(groups.text(room()))
    return "\n\n".join(parts)


def _about(one: _Set) -> str:
    groups = f" in {len(one.groups):,} groups, whose means these are" if len(one.groups) > 1 else ""
    counts = f"; counts: {json.dumps(one.result['counts'])}" if "counts" in one.result else ""
    return f"{one.name}: {one.n_texts:,} texts{groups}{counts}"
