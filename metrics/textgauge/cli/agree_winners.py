"""`textgauge agree --winner`: how often systems win where a judge compares two answers, by the place of the answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..files.lines import shown_name
from ..files.rows import NamedColumn
from ..meta_evaluation.win_rates import BIASES, COLUMNS, PLACES, WinRates, win_rates
from ..resampling.units import units_of
from .agree_raters import keys_of, lone_table, numbers_of, resampled, rows_named, unquoted
from .messages import notices
from .sheet import Numbers, Sheet, Table

_LABELS = {
    "first": "the first answer wins", "longer": "the longer answer wins", "consistent": "alike in both orders",
}  # fmt: skip
_ARGUMENT = re.compile(r"verdicts\[(?P<row>\d+)\](?:\['(?P<field>.*)'\])?")
_NO_NAME = ("null", "nan", "na", "n/a", "none")


def agree_winners(options: Mapping[str, Any]) -> None:
    """Print the win rates of the systems that verdicts of a column compare."""
    file = lone_table(options, "--winner", ("picture", "raters", "level", "scale", "people"), "verdicts")
    lengths = options["lengths"] or (None, None)
    typed = {
        "winner": options["winner"], "first": options["first_field"] or COLUMNS["first"],
        "second": options["second_field"] or COLUMNS["second"], "item": options["segment_field"],
        "first_length": lengths[0], "second_length": lengths[1],
    }  # fmt: skip
    flags = {"winner": "--winner", "item": "--segment-field", "first_length": "--lengths", "second_length": "--lengths"}
    named = {name: column for name, column in typed.items() if column}
    unit = options["unit_field"]
    with notices():
        fields = {column: flags.get(name, f"--{name}-field") for name, column in named.items()}
        fields |= {unit: "--unit-field"} if unit else {}
        sides = (COLUMNS["first"], COLUMNS["second"])
        wanted = [
            NamedColumn(column, flag, column if column in sides else "", is_json=True)
            for column, flag in fields.items()
        ]
        texts = [column.texts.tolist() for column in replace(file, fields=wanted).columns()]
        columns = dict(zip(fields, texts, strict=True))
        cells = {name: [*map(_cell, column)] for name, column in columns.items()}
        labels = units_of(keys_of(columns[unit], shown_name(file.path), unit), unit) if unit else None
        for side in ("first_length", "second_length"):
            if side in named:
                cells[named[side]] = [*map(_length, cells[named[side]])]
        with rows_named(options["files"][0], _ARGUMENT):
            found = win_rates(
                cells, columns=named, confidence=options["confidence"],
                n_resamples=options["n_resamples"], seed=options["seed"], unit=labels,
            )  # fmt: skip
    Sheet(_tables(found, numbers_of(options)), found._asdict(), _notes(found, options)).show(options)


def _cell(text: str) -> str | None:
    """Return a cell without the quotation marks of JSON; None for a missing one."""
    word = unquoted(text.strip())
    return None if word.strip().lower() in ("", *_NO_NAME) else word


def _length(cell: str | None) -> Any:
    try:
        return None if cell is None else float(cell)
    except ValueError:
        return cell


def _tables(found: WinRates, numbers: Numbers) -> list[Table]:
    bounds = found.confidence_intervals
    rates = Table("Win rate", ["all", "stands first", "stands second"])
    for name, by_place in sorted(found.systems.items(), key=lambda entry: -(entry[1]["all"] or 0.0)):
        of_system = bounds.get("systems", {}).get(name, {})
        rates.add(name, *(numbers.figure(by_place[place], of_system.get(place)) for place in PLACES))
    biases = Table("Bias of the judge", ["share"])
    for name in (name for name in BIASES if getattr(found, name) is not None):
        biases.add(_LABELS[name], numbers.figure(getattr(found, name), bounds.get(name)))
    return [rates, *([biases] if biases.rows else [])]


def _notes(found: WinRates, options: Mapping[str, Any]) -> list[str]:
    drawn = options["unit_field"] or options["segment_field"]
    intervals = [resampled(options, f"units ({drawn})" if drawn else "rows")] if found.confidence_intervals else []
    how = "a tie is half a win; the first answer wins as if every two systems stood in both orders equally often"
    return [found.counts(), *intervals, how]
