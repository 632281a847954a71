"""From texts and options to the HTML of a result."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..measures.marks import Piece
from ..measures.matches import aligned
from ..measures.measure import Measure
from ..measures.one_call import measure_and_reports
from ..measures.summary import Line, Summary, interval_in
from ..report.pages import result_part

MOST_SHOWN = 25
CONFIDENCE = 0.95


class Cell(NamedTuple):
    """A number of a table; `share` is how much of a bar it fills, None without a bar."""

    text: str
    share: float | None


class Row(NamedTuple):
    """A line of a table."""

    label: str
    cells: list[Cell]
    is_shown: bool


def scores_of(measure: Measure) -> list[str]:
    """Return the scores whose texts can be shown, the headline first."""
    keys = list(measure.also_named.values()) or list(measure.score_names)
    return sorted(keys, key=lambda key: key != measure.headline)


def accumulated(face: Any, texts: tuple[Sequence[str], Sequence[Sequence[str]]], options: Mapping[str, Any]) -> Measure:
    """Accumulate texts with the measure of a loaded module, under the module's options."""
    empty, _ = measure_and_reports(face.measure, face._ours(options), "this page")
    return empty.update(*texts)


def result_of(
    face: Any, texts: tuple[Sequence[str], Sequence[Sequence[str]]], options: Mapping[str, Any], score: str | None
) -> tuple[str, list[str], str]:
    """Score texts with a loaded module.

    Returns
    -------
    html, scores, score : str, list of str, str
        The result, the scores that can be shown, and the one that is shown.
    """
    asked = {"signature": True, **_interval(face, texts, options)}
    result, notes = noted(lambda: face.compute(predictions=texts[0], references=texts[1], **options, **asked))
    with warnings.catch_warnings():
        # `noted` has caught them.
        warnings.simplefilter("ignore", UserWarning)
        measure = accumulated(face, texts, options)
        figures = measure.score(**asked, **measure.page_reports)
        summary = measure.summary(figures)
        scores = scores_of(measure)
        key = score if score in scores else scores[0]
        segments = _segments(measure, texts, key, face.scale)
    line = next(line for line in summary.lines if line.key == key)
    bounds = interval_in(figures, line)
    shown = result_part(
        title=line.label, headline=number(line.values[-1], face.scale),
        interval=None if bounds is None else [number(bound, face.scale) for bound in bounds],
        confidence=CONFIDENCE, columns=summary.columns, rows=rows_of(summary, line, face.scale),
        said=[*summary.notes, measure.displayed_as], notes=notes, signature=figures["signature"],
        legend=measure.marking(key).legend, segments=segments, n_segments=len(measure), order="the worst first",
        answer=json.dumps(result, indent=2, ensure_ascii=False),
    )  # fmt: skip
    return shown, scores, key


def _interval(face: Any, texts: tuple[Sequence[str], Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that request an interval, none where the measure has no interval."""
    try:
        measure_and_reports(face.measure, face._ours(options), "this page")[0].check_summable()
    except ValueError:
        return {}
    return {"confidence": CONFIDENCE} if len(texts[0]) > 1 else {}


def noted(compute: Callable[[], Any]) -> tuple[Any, list[str]]:
    """Return a result and the warnings that its computation raised."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        result = compute()
    return result, list(dict.fromkeys(str(w.message) for w in caught if issubclass(w.category, UserWarning)))


def number(value: float, scale: float = 1.0) -> str:
    """Format a score, with four decimals before scaling."""
    return f"{value * scale:.{2 if scale == 100 else 4}f}"


def rows_of(summary: Summary, shown: Line, scale: float = 1.0) -> list[Row]:
    """Return the rows of a summary's table; the row of `shown` is marked."""
    return [
        Row(
            line.label,
            [Cell(number(value, scale if line.is_scaled else 1), line.share(value)) for value in line.values],
            line is shown,
        )
        for line in summary.lines
    ]


class Shown(NamedTuple):
    """A segment with its marks; `best` is the reference that counts, None unless exactly one does."""

    number: int
    score: str
    prediction: list[Piece]
    references: list[list[Piece]]
    best: int | None


def _segments(
    measure: Measure, texts: tuple[Sequence[str], Sequence[Sequence[str]]], key: str, scale: float
) -> list[Shown]:
    """Return the worst segments with their marks."""
    scores, marking = measure.displayed_segments()[key], measure.marking(key)
    worst = np.argsort(scores if measure.higher_is_better else -scores, kind="stable")[:MOST_SHOWN].tolist()
    sides = [texts[0][i] for i in worst], [texts[1][i] for i in worst]
    shown = []
    for row, alignment in enumerate(aligned(measure.corpus_of(*sides), measure.without_segments(), key)):
        references = [
            marking.pieces(text, found) for text, found in zip(sides[1][row], alignment.references, strict=True)
        ]
        prediction = marking.pieces(sides[0][row], alignment.prediction)
        best = alignment.best if alignment.is_alone and len(references) > 1 else None
        shown.append(Shown(worst[row] + 1, number(scores[worst[row]], scale), prediction, references, best))
    return shown
