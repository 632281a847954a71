"""`textgauge mbr`: choose the best of several candidates for every row of a file."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import click

from ..checks import fail
from ..files.file import InputFile
from ..files.lines import shown_name
from ..files.rows import NamedColumn, TextLists, as_json
from .command import OF_TEXTS, metric_command
from .messages import InputError, notices, refusals, refuse
from .output import rounded, show_texts
from .request import one_score
from .sheet import Numbers

_EXAMPLES = """\
textgauge mbr samples.jsonl --prediction-field candidates -m chrf -o hyp.txt
textgauge mbr samples.jsonl -m sacrebleu --aggregate --json
textgauge mbr beams.jsonl -r samples.jsonl --reference-field prediction
textgauge mbr samples.jsonl --weights-field probability -m chrf
textgauge mbr samples.jsonl -s src.txt -m comet
"""


@metric_command(_EXAMPLES, OF_TEXTS)
@click.option("--weights-field", metavar="NAME", help="Column of JSON Lines with a list of weights, one per reference.")
@click.option("--aggregate", is_flag=True, help="Add up the n-grams of the references first: faster, nearly equal.")
def mbr(context: click.Context, /, **options: Any) -> None:
    """Choose, for every row of a file, the candidate that agrees best with the others.

    The file is JSON Lines or Parquet with a list of candidates per row. Its
    --reference-field, or that of a file -r, has lists of pseudo-references; else the
    candidates are. Sources are one text per row. Prints the chosen texts, a line each;
    --brief prints their places in the lists, from 0, and their expected scores, --json all
    expected scores.
    """
    from ..all_pairs.mbr import mbr as chosen_of

    request = one_score(context, options, of_lists=True)
    # The last file that holds lists has the references, and a weight for each of them.
    of_lists = [i for i, file in enumerate(request.files) if file.fields[0].may_hold_lists]
    for file in (request.files[i] for i in of_lists):
        if file.format not in ("jsonl", "parquet"):
            shape = as_json({file.fields[0].name: ["a", "b"]})
            refuse(f"{shown_name(file.path)} has no lists of texts: mbr reads JSON Lines or Parquet, a row as {shape}")
    if options["weights_field"] is not None:
        file = request.files[of_lists[-1]]
        if file.format != "jsonl":
            refuse("--weights-field needs JSON Lines")
        fields = [*file.fields, NamedColumn(options["weights_field"], "--weights-field", is_json=True)]
        files = [*request.files]
        files[of_lists[-1]] = replace(file, fields=fields)
        request = request._replace(files=files)
    with notices():
        columns = request.columns(in_rows=True)
        references, sources, weights = map(columns.get, ("--reference-field", "--source-field", "--weights-field"))
        lists = columns["--prediction-field"].lists()
        with refusals(request.name):
            choice = chosen_of(
                lists, metric=request.score, references=None if references is None else references.lists(),
                sources=None if sources is None else sources.texts.tolist(),
                weights=None if weights is None else _weights(weights, request.files[of_lists[-1]]),
                aggregate=options["aggregate"],
            )  # fmt: skip
    if references is None and lists and max(map(len, lists)) == 1:
        allowed = f"lists of several candidates, such as {as_json({request.files[0].fields[0].name: ['a', 'b']})}"
        fail(InputError, request.shown_name, allowed, "one text in every row, which has nothing to be chosen from")
    numbers = Numbers.of(request.metric.scores.top, options["width"])
    lines = []
    for number, (texts, best, scores) in enumerate(zip(lists, choice.best.tolist(), choice.scores, strict=True), 1):
        if options["as_json"]:
            row = {"best": best, "prediction": texts[best], "scores": scores.tolist()}
            lines.append(json.dumps(rounded(row, options["width"]), ensure_ascii=False, allow_nan=False))
        elif options["brief"]:
            lines.append(f"{best}\t{numbers.text(float(scores[best]))}")
        elif "\n" in texts[best] or "\r" in texts[best]:
            raise InputError(f"{request.shown_name}, row {number}: the chosen text has several lines; use --json")
        else:
            lines.append(texts[best])
    show_texts(lines, options["output"])


def _weights(column: TextLists, file: InputFile) -> list[Any]:
    """Return the lists of numbers of a column that holds JSON."""
    weights = [*map(json.loads, column.texts)]
    for number, row in enumerate(weights, 1):
        if not isinstance(row, list) or not all(type(weight) in (int, float) for weight in row):
            place = f"{shown_name(file.path)}, row {number}, field {file.fields[-1].name!r}"
            fail(InputError, place, "a list of numbers", as_json(row))
    return weights
