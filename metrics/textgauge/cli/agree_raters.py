"""`textgauge agree --raters`: how far raters, such as people and judges, agree on the same items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from json import loads
from typing import Any

from ..checks import fail, message_in, printable, quantity, respelled
from ..files.file import InputFile
from ..files.lines import shown_name
from ..files.rows import NamedColumn, columns_like
from ..meta_evaluation.raters import RaterAgreement, raters
from ..meta_evaluation.reliability import WEIGHTS
from ..resampling.units import units_of
from .command import limits_of
from .messages import InputError, notices, refusals, refuse
from .output import check_suffix
from .request import check_files, of_all_systems
from .sheet import Numbers, Sheet, Table

# Items in the table of those on which raters disagree.
_N_WORST = 5
# Of so many raters or fewer each has a column there, of so many characters.
_MOST_COLUMNS, _LONGEST = 8, 16
_OF_SCORES = ("metrics", "human", "prediction_field", "system_field", "reference_field", "source_field",
              "lower_is_better", "paper")  # fmt: skip
_FLAGS = {"metrics": "-m", "picture": "--plot", "paper": "--table"}
_ARGUMENT = re.compile(r"ratings\['(?P<field>.*)'\]\[(?P<row>\d+)\]")
_NO_NUMBER = ("null", "nan", "na", "n/a", "none")


@contextmanager
def rows_named(path: str, argument: re.Pattern[str]) -> Iterator[None]:
    """Name rows of a file in errors of the library, whose argument has a `row`, and mostly a `field`."""
    try:
        with refusals("agree"):
            yield
    except InputError as error:
        message = message_in(error.__cause__) if error.__cause__ else None
        found = message and argument.fullmatch(message.argument)
        if message is None or not found:
            raise
        field = f", field {found['field']!r}" if found["field"] else ""
        place = f"{shown_name(path)}, row {int(found['row']) + 1}{field}"
        raise InputError(f"{place}: expected {message.allowed}, got {message.got}") from error


def lone_table(options: Mapping[str, Any], flag: str, without_effect: Iterable[str], what: str) -> InputFile:
    """Return the table of a form of the command that leaves out what is missing; refuse options without effect."""
    for name in (*_OF_SCORES, *without_effect):
        if options[name]:
            refuse(f"{_FLAGS.get(name, '--' + name.replace('_', '-'))} has no effect with {flag}")
    if options["skip_bad"]:
        refuse(f"--skip-bad has no effect with {flag}, which leaves missing {what} out, and says how many there are")
    if not options["human_higher_is_better"]:
        refuse(f"--no-human-higher-is-better has no effect with {flag}")
    if len(options["files"]) != 1:
        refuse("agree takes one table")
    check_files(options["files"], options["output"])
    check_suffix("agree", options)
    return InputFile(options["files"][0], (), options["file_format"], limits_of(options), options["quoting"])


def keys_of(texts: Sequence[str], file: str, field: str) -> list[str]:
    """Return a column of names or numbers of systems, segments or units; refuse a missing one with its row."""
    keys = [text.strip().removeprefix('"').removesuffix('"') for text in texts]
    for row, key in enumerate(keys, 1):
        if key.lower() in ("", "null"):
            fail(InputError, f"{file}, row {row}, field {field!r}", "a name or a number", "nothing")
    return keys


def unquoted(text: str) -> str:
    """Return a cell without the quotation marks of JSON."""
    return str(loads(text)) if len(text) > 1 and text[0] == '"' == text[-1] else text


def numbers_of(options: Mapping[str, Any]) -> Numbers:
    """Return the format of figures of agreement."""
    return Numbers(3 if options["width"] is None else options["width"])


def resampled(options: Mapping[str, Any], drawn: str) -> str:
    """Return the line below tables that says how their intervals were made."""
    return (
        f"{100 * options['confidence']:g}% intervals by resampling {drawn}; {options['n_resamples']:,} resamples, "
        f"seed {options['seed']}"
    )


def agree_raters(options: Mapping[str, Any]) -> None:
    """Print the agreement of the raters whose columns are named."""
    from .plots import check_plot, plot_raters

    file = lone_table(options, "--raters", ("segment_field",), "ratings")
    check_plot(options["picture"])
    unit = options["unit_field"]
    with notices():
        names: list[str] = []
        for name in options["raters"]:
            existing = file.names() if "*" in name else []
            single = {unit, *(of_all_systems(existing) if name == "*" else ())} - {None}
            found = [*columns_like(name, existing, single).values()] if "*" in name else [name]
            if not found:
                raise InputError(f"{options['files'][0]}: there are no columns {name!r}")
            names += found
        if len({*names}) < len(names) or unit in names:
            refuse("--raters names a column twice, or that of --unit-field")
        fields = [NamedColumn(name, "--raters", "", is_json=True) for name in names]
        fields += [NamedColumn(unit, "--unit-field", "", is_json=True)] if unit else []
        columns = [column.texts.tolist() for column in replace(file, fields=fields).columns()]
        ratings = dict(zip(names, _ratings(columns[: len(names)]), strict=True))
        labels = units_of(keys_of(columns[-1], shown_name(file.path), unit), unit) if unit else None
        with rows_named(options["files"][0], _ARGUMENT):
            found_agreement = raters(
                ratings, level=options["level"] or "nominal", scale=[*options["scale"]] or None,
                people=[*options["people"]] or None, confidence=options["confidence"],
                n_resamples=options["n_resamples"], seed=options["seed"], unit=labels,
            )  # fmt: skip
    if options["picture"] is not None:
        plot_raters(options["picture"], ratings, [*options["scale"]], found_agreement)
    tables = [*_tables(found_agreement, ratings, options)]
    Sheet(tables, found_agreement._asdict(), _notes(found_agreement, options)).show(options)


def _ratings(columns: list[list[str]]) -> list[list[Any]]:
    """Return cells as numbers if all of them are, else as words: among words "nan" is a word."""
    cells = [[_cell(text.strip()) for text in column] for column in columns]
    known = {cell for column in cells for cell in column if cell is not None}
    numbers: dict[str, Any] = {}
    for cell in known:
        try:
            numbers[cell] = None if cell.lower() in _NO_NUMBER else _number(cell)
        except ValueError:
            numbers = {word: word for word in known}
            break
    return [[None if cell is None else numbers[cell] for cell in column] for column in cells]


def _cell(text: str) -> str | None:
    """Return a cell without the quotation marks of JSON; None for an empty one."""
    return None if text == "null" else unquoted(text).strip() or None


def _number(cell: str) -> float:
    truth = {"true": 1, "false": 0}.get(cell.lower())
    return truth if truth is not None else int(cell) if cell.lstrip("+-").isdecimal() else float(cell)


def _short(rating: Any) -> str:
    text = f"{rating:g}" if isinstance(rating, float) else str(rating)
    return printable(text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "...")


def _tables(found: RaterAgreement, ratings: Mapping[str, list[Any]], options: Mapping[str, Any]) -> Iterator[Table]:
    numbers, p_numbers = numbers_of(options), Numbers.of_p(options["n_resamples"])
    bounds = found.confidence_intervals
    table = Table("Agreement of all raters", [found.level])
    kappa = f"Fleiss' kappa, of {quantity(found.n_complete, 'item')}"
    labels = {"alpha": "Krippendorff's alpha", "fleiss_kappa": kappa, "agreement": "equal ratings"}
    for key, label in labels.items():
        table.add(label, numbers.figure(getattr(found, key), bounds.get(key)))
    yield table
    table = Table("Agreement of two", ["items", "alpha", "kappa", "linear kappa", "quadratic kappa", "equal"])
    for a, of_a in found.kappas.items():
        for b, figures in of_a.items():
            of_pair = bounds.get("kappas", {}).get(a, {}).get(b, {})
            cells = (numbers.figure(figures[key], of_pair.get(key)) for key in ("alpha", *WEIGHTS, "agreement"))
            table.add(f"{a}, {b}", f"{figures['items']:,}", *cells)
    yield table
    if found.judges:
        table = Table("Alpha with people", ["difference", "p"])
        for a, differences in found.judges.items():
            for b, test in differences.items():
                difference = numbers.figure(test.difference, test.confidence_interval)
                table.add(f"{a} less {b}", difference, p_numbers.figure(test.p))
        yield table
    by_item = [(value, i) for i, value in enumerate(found.disagreement, 1) if value]
    if by_item:
        shown = found.raters if len(found.raters) <= _MOST_COLUMNS else ()
        table = Table("Most disagreement", ["by chance 1", *shown])
        for value, row in sorted(by_item, key=lambda entry: (-entry[0], entry[1]))[:_N_WORST]:
            given = (ratings[name][row - 1] for name in shown)
            table.add(f"row {row:,}", numbers.figure(value), *("" if one is None else _short(one) for one in given))
        yield table


def _notes(found: RaterAgreement, options: Mapping[str, Any]) -> list[str]:
    notes = [quantity(found.n_items, "item"), *found.missing()]
    if found.confidence_intervals:
        drawn = f"units ({options['unit_field']})" if options["unit_field"] else "items"
        notes.append(resampled(options, drawn))
        notes += [f"p by exchanging the judges in {drawn}, two-sided"] if found.judges else []
    reasons = [respelled(reason, lambda name, _: f"--{name}") for reason in dict.fromkeys(found.undefined.values())]
    return notes + [f"-: {reason}" for reason in reasons]
