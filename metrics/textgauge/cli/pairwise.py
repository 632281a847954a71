"""`textgauge pairwise`: score every text of a file against every other, or against those of another file."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import click
import numpy as np
from click.core import ParameterSource

from .. import __version__
from ..arrays import FloatArray
from ..checks import printable
from ..plain import Texts
from .command import metric_command, show
from .files import shown_name, write_whole, writing
from .messages import InputError, notices, refusals, refuse
from .one_score import OneScore, checked_suffix, one_score
from .table import Numbers, Table, room, rounded

_SUFFIXES = (".npy", ".csv", ".parquet")
# The characters of a text that a table can show.
_LONGEST = 60
_EXAMPLES = """\
textgauge pairwise texts.txt -m chrf
textgauge pairwise texts.txt -m rougeL --top 50 --use-stemmer
textgauge pairwise hyp.txt -r memory.txt -m sacrebleu -o matrix.npy
textgauge pairwise texts.txt -m rougeL --plot similar.png
"""


class Pair(NamedTuple):
    """Two texts by their rows, from 1, and their score."""

    score: float
    prediction: int
    reference: int


@metric_command(_EXAMPLES)
@click.option("--top", "n_pairs", type=click.IntRange(min=1), metavar="N", default=10,
              help="How many of the nearest pairs. [default: 10]")  # fmt: skip
@click.option("--plot", "picture", type=click.Path(), metavar="FILE",
              help="Draw all scores as a heat map, similar texts side by side: .png, .svg or .pdf.")  # fmt: skip
def pairwise(context: click.Context, /, **options: Any) -> None:
    """Show the nearest pairs of texts in a file, or of its texts and those of a file of references.

    With -o FILE, write all scores: a row per text and a column per reference, as .npy, .csv
    or .parquet. The files need not have the same length. --reference-field without -r
    names a column of the file itself.
    """
    from .heat_map import check_size
    from .plots import check_plot

    asked = one_score(context, options)
    output, picture = options["output"], options["picture"]
    suffix = None if output is None else checked_suffix(output, _SUFFIXES, "--output")
    if picture is not None:
        check_plot(picture)
    if suffix and (options["as_json"] or options["brief"]):
        refuse("--output writes the matrix: it cannot be given with --json or --brief")
    if picture is not None and (options["as_json"] or options["brief"]):
        refuse("--plot draws the matrix: it cannot be given with --json or --brief")
    if (suffix or picture) and context.get_parameter_source("n_pairs") is not ParameterSource.DEFAULT:
        refuse("--top has no effect with --output or --plot, which take all pairs")
    texts, others = _read(asked)
    if picture is not None:
        check_size(len(texts), len(texts if others is None else others))
    numbers = Numbers.of(asked.scale, options["width"])
    with notices(), refusals(asked.name):
        if suffix is None and picture is None:
            show(_nearest(asked, texts, others, numbers, options), None)
        else:
            _keep(_matrix(asked, texts, others), asked, output, picture)


def _keep(scores: FloatArray, asked: OneScore, output: str | None, picture: str | None) -> None:
    """Write all scores into the files that were asked for."""
    from .heat_map import heat_map

    if picture is not None:
        is_own, higher = asked.others is None, asked.higher_is_better
        heat_map(picture, scores, asked.name, is_own=is_own, higher_is_better=higher)
    if output is not None:
        with writing("--output", output):
            write_whole(output, _written(scores, os.path.splitext(output)[1].lower()))


def _read(asked: OneScore) -> tuple[Texts, Texts | None]:
    texts, others = asked.columns()
    return texts.texts, None if others is None else others.texts


def _matrix(asked: OneScore, texts: Texts, others: Texts | None) -> FloatArray:
    from ..measures.pairwise import pairwise as scored

    try:
        return np.asarray(scored(texts, others, metric=asked.name, **asked.options), np.float64)
    except MemoryError:
        size = f"{len(texts):,} × {len(texts if others is None else others):,} scores"
        raise InputError(
            f"{shown_name(asked.texts)}: {size} need more memory than there is; --top needs less"
        ) from None


def _nearest(asked: OneScore, texts: Texts, others: Texts | None, numbers: Numbers, options: Mapping[str, Any]) -> str:
    pairs = _pairs(asked, texts, others, options["n_pairs"])
    if options["as_json"]:
        page = {"version": __version__, "score": asked.name, "pairs": [pair._asdict() for pair in pairs]}
        return json.dumps(rounded(page, options["width"]), indent=2, allow_nan=False)
    if options["brief"]:
        return "\n".join(f"{numbers.text(score)}\t{row}\t{column}" for score, row, column in pairs)
    table = Table("Nearest pairs", ("", asked.name, "rows"), n_names=2, n_left=2)
    for score, row, column in pairs:
        shown = (_shown(side[place - 1]) for side, place in ((texts, row), (others or texts, column)))
        table.add(*shown, numbers.text(score), f"{row}, {column}")
    return table.text(room())


def _shown(text: str) -> str:
    return printable(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "\u2026")


def _pairs(asked: OneScore, texts: Texts, others: Texts | None, n_pairs: int) -> list[Pair]:
    """Return the nearest pairs, the nearest first; of a text and another one, only once."""
    from ..measures.pairwise import pairwise as scored

    n_others = len(texts) - 1 if others is None else len(others)
    if not n_others:
        raise InputError(f"{shown_name(asked.texts)}: a single text has no other to be compared with")
    sides: Any = (texts, others)
    scores, columns = scored(*sides, metric=asked.name, top=min(n_pairs, n_others), **asked.options)
    order = np.argsort(-scores if asked.higher_is_better else scores, axis=None, kind="stable")
    rows = np.repeat(np.arange(len(scores)), scores.shape[1])
    found: dict[tuple[int, int], Pair] = {}
    for i in order.tolist():
        row, column = int(rows[i]), int(columns.flat[i])
        key = (row, column) if others is not None else (min(row, column), max(row, column))
        found.setdefault(key, Pair(float(scores.flat[i]), row + 1, column + 1))
        if len(found) == n_pairs:
            break
    return list(found.values())


def _written(scores: FloatArray, suffix: str) -> bytes:
    """Return a matrix in the form of a file."""
    file = io.BytesIO()
    if suffix == ".npy":
        np.save(file, scores)
    elif suffix == ".csv":
        for row in scores:
            file.write((",".join(map(repr, row.tolist())) + "\n").encode())
    else:
        import pyarrow as pa
        from pyarrow import parquet

        names: Sequence[str] = [str(number) for number in range(1, scores.shape[1] + 1)]
        parquet.write_table(pa.table(dict(zip(names, map(np.ascontiguousarray, scores.T), strict=True))), file)
    return file.getvalue()
