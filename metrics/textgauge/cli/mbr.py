"""`textgauge mbr`: choose the best of several candidates for every row of a file."""

from __future__ import annotations

import json
import os
from itertools import chain
from typing import Any

import click

from ..checks import fail
from .blocks import Field, as_json
from .command import metric_command
from .files import shown_name
from .messages import InputError, notices, refusals, refuse
from .output import check_suffix, show
from .reading import Source, read_json
from .request import OneScore, one_score
from .segments import check_lengths
from .table import Numbers, rounded

_EXAMPLES = """\
textgauge mbr samples.jsonl --prediction-field candidates -m chrf -o hyp.txt
textgauge mbr samples.jsonl -m sacrebleu --aggregate --json
textgauge mbr beams.jsonl -r samples.jsonl --reference-field prediction
textgauge mbr samples.jsonl --weights-field probability -m chrf
"""


@metric_command(_EXAMPLES)
@click.option("--weights-field", metavar="NAME", help="Column with a list of weights, one per reference.")
@click.option("--aggregate", is_flag=True, help="Add up the n-grams of the references first: faster, nearly equal.")
def mbr(context: click.Context, /, **options: Any) -> None:
    """Choose, for every row of a file, the candidate that agrees best with the others.

    The file is JSON Lines or Parquet with a list of candidates per row. Its
    --reference-field, or that of a file -r, has lists of pseudo-references; else the
    candidates are. Prints the chosen texts, a line each; --brief prints their places in
    the lists, from 0, and their expected scores, --json all expected scores.
    """
    from ..measures.mbr import mbr as chosen_of

    asked = one_score(context, options, of_lists=True)
    check_suffix("mbr", options)
    lists, references = _read(asked)
    weights = _weights(asked.others or asked.texts, options["weights_field"])
    with notices(), refusals(asked.name):
        choice = chosen_of(
            lists, metric=asked.name, references=references, weights=weights, aggregate=options["aggregate"],
            **asked.options,
        )  # fmt: skip
    numbers = Numbers.of(asked.metric.scale, options["width"])
    lines = []
    for number, (texts, best, scores) in enumerate(zip(lists, choice.best.tolist(), choice.scores, strict=True), 1):
        if options["as_json"]:
            row = {"best": best, "prediction": texts[best], "scores": scores.tolist()}
            lines.append(json.dumps(rounded(row, options["width"]), ensure_ascii=False, allow_nan=False))
        elif options["brief"]:
            lines.append(f"{best}\t{numbers.text(float(scores[best]))}")
        elif "\n" in texts[best] or "\r" in texts[best]:
            name = shown_name(asked.texts.path)
            raise InputError(f"{name}, row {number}: the chosen text has several lines; use --json")
        else:
            lines.append(texts[best])
    show("\n".join(lines), options["output"])


def _read(asked: OneScore) -> tuple[list[list[str]], list[list[str]] | None]:
    """Read the lists of candidates, and those of references."""
    for source in filter(None, (asked.texts, asked.others)):
        if source.format not in ("jsonl", "parquet"):
            refuse(f"{shown_name(source.path)} has no lists of texts: mbr reads JSON Lines or Parquet")
    candidates, others = asked.columns()
    if others is None or asked.others is None:
        return candidates.lists(), None
    check_lengths([asked.texts, asked.others], [candidates.n_rows, others.n_rows])
    return candidates.lists(), others.lists()


def _weights(source: Source, name: str | None) -> list[Any] | None:
    """Read a column of lists of numbers, if there is one."""
    if name is None:
        return None
    if source.format != "jsonl":
        refuse("--weights-field needs JSON Lines")
    if not all(map(os.path.isfile, source.shards)):
        refuse(f"--weights-field needs a file that can be read twice, not {shown_name(source.path)}")
    weights = []
    for rows in chain.from_iterable(map(read_json, source.shards)):
        for row, value in enumerate(rows.values):
            found = value.get(name)
            if not isinstance(found, list) or not all(type(one) in (int, float) for one in found):
                got = "no such field" if found is None else as_json(found)
                fail(InputError, rows.place(row, Field(name)), "a list of numbers", got)
            weights.append(found)
    return weights
