"""`textgauge agree --winner`: how often systems win where a judge compares two answers, by the place of the answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from json import loads
from typing import Any

from ..files.file import InputFile
from ..files.rows import NamedColumn
from ..meta_evaluation.win_rates import BIASES, COLUMNS, PLACES, WinRates, win_rates
from .agree_raters import rows_named
from .command import limits_of
from .messages import notices, refuse
from .output import Numbers, Table, check_suffix, dimmed, page_of, show
from .request import check_files

_ALONE = ("metrics", "human", "prediction_field", "system_field", "reference_field", "source_field",
          "lower_is_better", "picture", "paper", "raters", "level", "scale", "people", "skip_bad")  # fmt: skip
_FLAGS = {"metrics": "-m", "picture": "--plot", "paper": "--table"}
_LABELS = {
    "first": "the first answer wins", "longer": "the longer answer wins", "consistent": "alike in both orders",
}  # fmt: skip
_ARGUMENT = re.compile(r"verdicts\[(?P<row>\d+)\](?:\['(?P<field>.*)'\])?")
_NO_NAME = ("null", "nan", "na", "n/a", "none")


def agree_winners(options: Mapping[str, Any]) -> None:
    """Print the win rates of the systems that verdicts of a column compare."""
    for name in _ALONE:
        if options[name]:
            why = ", which leaves missing verdicts out, and says how many there are" if name == "skip_bad" else ""
            refuse(f"{_FLAGS.get(name, '--' + name.replace('_', '-'))} has no effect with --winner{why}")
    if not options["human_higher_is_better"]:
        refuse("--no-human-higher-is-better has no effect with --winner")
    if len(options["files"]) != 1:
        refuse("agree takes one table")
    check_files(options["files"], options["output"])
    check_suffix("agree", options)
    file = InputFile(options["files"][0], (), options["file_format"], limits_of(options), options["quoting"])
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
        wanted = [NamedColumn(column, flag, "", is_json=True) for column, flag in fields.items()]
        columns = [column.texts.tolist() for column in replace(file, fields=wanted).columns()]
        cells = dict(zip(fields, ([*map(_cell, column)] for column in columns), strict=True))
        for side in ("first_length", "second_length"):
            if side in named:
                cells[named[side]] = [*map(_length, cells[named[side]])]
        with rows_named(options["files"][0], _ARGUMENT):
            found = win_rates(
                cells, columns=named, confidence=options["confidence"],
                n_resamples=options["n_resamples"], seed=options["seed"], unit=cells[unit] if unit else None,
            )  # fmt: skip
    width = options["width"]
    show(page_of(found._asdict(), width) if options["as_json"] else _tables(found, options, width), options["output"])


def _cell(text: str) -> str | None:
    """Return a cell without the quotation marks of JSON; None for a missing one."""
    text = text.strip()
    word = str(loads(text)) if len(text) > 1 and text[0] == '"' == text[-1] else text
    return None if word.strip().lower() in ("", *_NO_NAME) else word


def _length(cell: str | None) -> Any:
    try:
        return None if cell is None else float(cell)
    except ValueError:
        return cell


def _tables(found: WinRates, options: Mapping[str, Any], width: int | None) -> str:
    numbers, bounds = Numbers(3 if width is None else width), found.confidence_intervals

    def cell(value: float | None, of: Any) -> str:
        return numbers.text(value) + (f" {numbers.interval(of)}" if of else "")

    rates = Table("Win rate", ["all", "stands first", "stands second"])
    for name, by_place in sorted(found.systems.items(), key=lambda entry: -(entry[1]["all"] or 0.0)):
        of_system = bounds.get("systems", {}).get(name, {})
        rates.add(name, *(cell(by_place[place], of_system.get(place)) for place in PLACES))
    biases = Table("Bias of the judge", ["share"])
    for name in BIASES:
        if getattr(found, name) is not None:
            biases.add(_LABELS[name], cell(getattr(found, name), bounds.get(name)))
    below = [found.counts()]
    if bounds:
        drawn = options["unit_field"] or options["segment_field"]
        drawn = f"units ({drawn})" if drawn else "rows"
        below.append(f"{100 * options['confidence']:g}% intervals by resampling {drawn}; "
                     f"{options['n_resamples']:,} resamples, seed {options['seed']}")  # fmt: skip
    below.append(
        "a tie is half a win; the first answer wins as if every two systems stood in both orders equally often"
    )
    return "\n\n".join([rates.text(), *([biases.text()] if biases.rows else []), "\n".join(map(dimmed, below))])
