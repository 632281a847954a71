"""`textgauge pairwise`: score every text of a file against every other, or against those of another file."""

from __future__ import annotations

import io
from collections.abc import Mapping
from math import isfinite
from typing import Any, NamedTuple

import click
import numpy as np
from click.core import ParameterSource

from ..arrays import FloatArray
from ..plain import Texts
from .command import OF_TEXTS, metric_command
from .messages import InputError, Whole, notices, refusals, refuse
from .output import checked_suffix, show, write_parquet, write_whole, writing
from .request import OneScore, one_score
from .sheet import Figure, Numbers, Sheet, Table

# How many others of every text are looked at first, where all near ones are asked for.
_FIRST_TOP = 16
# The characters of a text that a table can show.
_LONGEST = 60
_EXAMPLES = """\
textgauge pairwise texts.txt -m chrf
textgauge pairwise texts.txt -m rougeL --top 50 --use-stemmer
textgauge pairwise hyp.txt -r memory.txt -m sacrebleu -o matrix.npy
textgauge pairwise texts.txt -m chrf --at-least 90 --brief
"""


class _Texts(NamedTuple):
    """Predictions, the references that they are scored against, or None for each other, and their sources."""

    predictions: Texts
    references: Texts | None
    sources: Texts | None

    @property
    def others(self) -> Texts:
        """The references, or the predictions if there are none."""
        return self.predictions if self.references is None else self.references


class Pair(NamedTuple):
    """Two texts by their rows, from 1, and their score."""

    score: float
    prediction: int
    reference: int


@metric_command(_EXAMPLES, OF_TEXTS)
@click.option("--top", "n_pairs", type=Whole(min=1), metavar="N", default=10,
              help="How many of the nearest pairs. [default: 10]")  # fmt: skip
@click.option("--at-least", type=float, metavar="X", help="All pairs that score X or more: near duplicates.")
def pairwise(context: click.Context, /, **options: Any) -> None:
    """Show the nearest pairs of texts in a file, or of its texts and those of a file of references.

    With -o FILE, write all scores: a row per text and a column per reference, as .npy, .csv
    or .parquet. References may be more or fewer than texts; sources are one per text.
    --reference-field without -r names a column of the file itself.
    """
    request = one_score(context, options)
    output = options["output"]
    if output is not None:
        checked_suffix(output, (".npy", ".csv", ".parquet"), "--output")
    is_whole = output is not None
    if is_whole and (options["as_json"] or options["brief"]):
        refuse("--output writes the matrix: it cannot be given with --json or --brief")
    has_top = context.get_parameter_source("n_pairs") is not ParameterSource.DEFAULT
    for flag, is_given in (("--top", has_top), ("--at-least", options["at_least"] is not None)):
        if is_whole and is_given:
            refuse(f"{flag} has no effect with --output, which takes all pairs")
    if options["at_least"] is not None:
        if not request.higher_is_better:
            refuse(f"--at-least is for scores of which higher is better, not {request.name}")
        if not isfinite(options["at_least"]):
            refuse(f"--at-least: expected a finite number, got {options['at_least']}")
        options["n_pairs"] = options["n_pairs"] if has_top else None
    with notices():
        every = {flag: column.texts for flag, column in request.columns(in_rows=False).items()}
        texts = _Texts(every["--prediction-field"], every.get("--reference-field"), every.get("--source-field"))
        with refusals(request.name):
            if is_whole:
                _keep(_matrix(request, texts), output, options["width"])
            else:
                text = _nearest(request, texts, options)
    if not is_whole:
        show(text, None)


def _matrix(request: OneScore, texts: _Texts) -> FloatArray:
    from ..all_pairs.pairwise import pairwise as scored

    try:
        scores = scored(texts.predictions, texts.references, sources=texts.sources, metric=request.score)
        return np.asarray(scores, np.float64)
    except MemoryError:
        size = f"{len(texts.predictions):,} × {len(texts.others):,} scores"
        raise InputError(f"{request.shown_name}: {size} need more memory than there is; --top needs less") from None


def _keep(scores: FloatArray, output: str, width: int | None) -> None:
    """Write all scores, exactly or with some decimals."""
    if width is not None:
        scores = scores.round(width)
    file = io.BytesIO()
    if output.lower().endswith(".npy"):
        np.save(file, scores)
    elif output.lower().endswith(".csv"):
        file.writelines((",".join(map(repr, row.tolist())) + "\n").encode() for row in scores)
    else:
        columns = {str(number): np.ascontiguousarray(column) for number, column in enumerate(scores.T, 1)}
        write_parquet(file, lambda: [columns])
    with writing("--output", output):
        write_whole(output, file.getvalue())


def _nearest(request: OneScore, texts: _Texts, options: Mapping[str, Any]) -> str:
    pairs = _pairs(request, texts, options["n_pairs"], options["at_least"])
    numbers = Numbers.of(request.metric.scores.top, options["width"])
    table = Table("Nearest pairs", ("", request.name, "rows"), n_left=2)
    for score, row, column in pairs:
        shown = (side[place - 1] for side, place in ((texts.predictions, row), (texts.others, column)))
        bounded = (text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "\u2026" for text in shown)
        table.add(*bounded, numbers.figure(score), Figure(f"{row}, {column}", [str(row), str(column)]))
    sheet = Sheet([table], {"score": request.name, "pairs": pairs})
    is_read = not (options["as_json"] or options["brief"])
    return f"No pair scores {options['at_least']:g} or more." if is_read and not pairs else sheet.text(options)


def _pairs(request: OneScore, texts: _Texts, n_pairs: int | None, at_least: float | None) -> list[Pair]:
    """Return the nearest pairs of texts, the nearest first; two texts are listed once, in one order.

    At most `n_pairs`, or all that score `at_least`.
    """
    from ..all_pairs.pairwise import pairwise as scored

    is_own = texts.references is None
    n_others = len(texts.others) - is_own
    if not n_others:
        raise InputError(f"{request.shown_name}: a single text has no other to be compared with")
    n_best = _FIRST_TOP if n_pairs is None else n_pairs
    while True:
        scores, columns = scored(
            texts.predictions, texts.references, sources=texts.sources, metric=request.score,
            top=min(n_best, n_others),
        )  # fmt: skip
        # A text may be near to more others than were asked for.
        if at_least is None or n_pairs is not None or n_best >= n_others or not (scores[:, -1] >= at_least).any():
            break
        n_best *= 8
    order = np.argsort(-scores if request.higher_is_better else scores, axis=None, kind="stable")
    by_texts: dict[tuple[int, int], Pair] = {}
    for i in order.tolist():
        if at_least is not None and not scores.flat[i] >= at_least:
            break
        row, column = i // scores.shape[1], int(columns.flat[i])
        key = (min(row, column), max(row, column)) if is_own else (row, column)
        by_texts.setdefault(key, Pair(float(scores.flat[i]), row + 1, column + 1))
        if len(by_texts) == n_pairs:
            break
    return list(by_texts.values())
