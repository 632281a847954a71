"""`textgauge mbr`: choose the best of several candidates for every row of a file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import click

from .blocks import Column, Field, Rows, as_json
from .command import metric_command, show
from .files import shown_name
from .json_rows import read_json
from .messages import InputError, notices, refusals, refuse
from .one_score import OneScore, one_score
from .rows import check_suffix
from .table import Numbers, rounded

_EXAMPLES = """\
textgauge mbr samples.jsonl --prediction-field candidates -m chrf -o hyp.txt
textgauge mbr samples.jsonl -m sacrebleu --aggregate --json
textgauge mbr beams.jsonl -r samples.jsonl --reference-field prediction
textgauge mbr samples.jsonl --weights-field probability -m chrf
"""


@metric_command(_EXAMPLES)
@click.option("--weights-field", metavar="NAME",
              help="Column with a list of weights, one per reference.")  # fmt: skip
@click.option("--aggregate", is_flag=True, help="Add up the n-grams of the references first: faster, nearly equal.")
def mbr(context: click.Context, /, **options: Any) -> None:
    """Choose, for every row of a file, the candidate that agrees best with the others.

    The file is JSON Lines or Parquet with a list of candidates per row. Its
    --reference-field, or that of a file -r, has lists of pseudo-references; else the
    candidates are. Prints the chosen texts, a line each; --brief prints their places in
    the lists, from 0, and their expected scores, --json all expected scores.
    """
    from ..measures.mbr import mbr as chosen_of

    asked = one_score(context, options)
    if options["brief"] and options["as_json"]:
        refuse("--brief cannot be given with --json")
    check_suffix("mbr", options)
    lists, references = _read(asked)
    weights = None if options["weights_field"] is None else _weights(asked, options["weights_field"])
    with notices(), refusals(asked.name):
        choice = chosen_of(
            lists, metric=asked.name, references=references, weights=weights, aggregate=options["aggregate"],
            **asked.options,
        )  # fmt: skip
    rows = list(zip(lists, choice.best.tolist(), choice.scores, strict=True))
    if options["as_json"]:
        lines = [_json(texts[i], i, scores.tolist(), options) for texts, i, scores in rows]
    elif options["brief"]:
        numbers = Numbers.of(asked.scale, options["width"])
        lines = [f"{i}\t{numbers.text(float(scores[i]))}" for _, i, scores in rows]
    else:
        lines = [_line(asked.texts, number, texts[i]) for number, (texts, i, _) in enumerate(rows, 1)]
    show("\n".join(lines), options["output"])


def _read(asked: OneScore) -> tuple[list[list[str]], list[list[str]] | None]:
    """Read the lists of candidates, and those of references."""
    for path in filter(None, (asked.texts, asked.others)):
        if asked.format(path) not in ("jsonl", "parquet"):
            refuse(f"{shown_name(path)} has no lists of texts: mbr reads JSON Lines or Parquet")
    candidates, others = asked.columns(may_hold_lists=True)
    if others is None:
        return _lists(candidates), None
    if others.n_rows != candidates.n_rows:
        raise InputError(f"{shown_name(asked.others or '')}: expected as many rows as {shown_name(asked.texts)} has "
                         f"({candidates.n_rows}), got {others.n_rows}")  # fmt: skip
    return _lists(candidates), _lists(others)


def _lists(column: Column) -> list[list[str]]:
    texts, ends = column.texts.tolist(), column.offsets.tolist()
    return [texts[start:stop] for start, stop in zip(ends[:-1], ends[1:], strict=True)]


def _weights(asked: OneScore, name: str) -> list[Any]:
    path = asked.others or asked.texts
    if asked.format(path) != "jsonl":
        refuse("--weights-field needs JSON Lines")
    if not os.path.isfile(path):
        refuse(f"--weights-field needs a file that can be read twice, not {shown_name(path)}")
    return [_numbers(rows, row, name) for rows in read_json(path) for row in range(len(rows.values))]


def _numbers(rows: Rows, row: int, name: str) -> list[Any]:
    value = rows.values[row].get(name)
    is_list = isinstance(value, list) and all(type(one) in (int, float) for one in value)
    if not is_list:
        got = "no such field" if value is None else as_json(value)
        raise InputError(f"{rows.place(row, Field(name))}: expected a list of numbers, got {got}")
    return list(value)


def _json(text: str, best: int, scores: list[float], options: Mapping[str, Any]) -> str:
    row = {"best": best, "prediction": text, "scores": scores}
    return json.dumps(rounded(row, options["width"]), ensure_ascii=False, allow_nan=False)


def _line(path: str, number: int, text: str) -> str:
    if "\n" in text or "\r" in text:
        raise InputError(f"{shown_name(path)}, row {number}: the chosen text has several lines; use --json")
    return text
