"""Predictions and answers in the form of SQuAD: rows with ids, matched by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from .checks import fail, shown
from .columns import Corpus, corpus_of, text_column

PREDICTION = 'a dict with "id" and "prediction_text"'
ANSWERS = 'a dict with "id" and "answers", a dict with "text"'


def answer_corpus_of(predictions: Any, references: Any) -> Corpus:
    """Check both sides and bring them to Arrow, whichever form they have.

    See `plain_columns` for the forms and errors beyond those of `corpus_of`.
    """
    return corpus_of(*plain_columns(predictions, references))


def plain_columns(predictions: Any, references: Any) -> tuple[Any, Any]:
    """Turn rows of SQuAD into what `corpus_of` takes; leave anything else as it is.

    Parameters
    ----------
    predictions : texts, or rows ``{"id": ..., "prediction_text": ...}``
    references : one or more texts each, or rows ``{"id": ..., "answers": {"text": [...]}}``
        Rows on both sides are matched by id and stand in the order of the references;
        plain predictions go with rows by position. Other keys of a row do not matter.

    Raises
    ------
    TypeError
        If a row lacks a key or has an id that is no text or whole number, by position.
    ValueError
        If an id is there twice or on one side only.

    Examples
    --------
    >>> predictions = [{"id": "b", "prediction_text": "1889"}, {"id": "a", "prediction_text": "Paris"}]
    >>> references = [{"id": i, "answers": {"text": [t]}} for i, t in (("a", "Paris"), ("b", "1889"))]
    >>> plain_columns(predictions, references)[0]
    ['Paris', '1889']
    """
    predictions, references = (list(side) if isinstance(side, Iterator) else side for side in (predictions, references))
    has_rows = _has_rows(predictions), _has_rows(references)
    if not any(has_rows):
        return predictions, references
    if not has_rows[1]:
        fail(TypeError, "references", f"rows with the ids of the predictions, each {ANSWERS}", shown(references))
    rows = _rows(references)
    texts = [_answers(row, position) for position, row in enumerate(rows)]
    if not has_rows[0]:
        return predictions, texts
    given = _rows(predictions)
    hypotheses = [_field(row, "prediction_text", f"predictions[{i}]", PREDICTION) for i, row in enumerate(given)]
    # Checked before they are put in order, so that an error names the user's own position.
    text_column(hypotheses, "predictions")
    return [hypotheses[i] for i in _order(given, rows)], texts


def _has_rows(values: Any) -> bool:
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return bool(pa.types.is_struct(values.type))
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        return False
    return isinstance(next(iter(values), None), Mapping)


def _rows(values: Any) -> list[Any]:
    return values.to_pylist() if isinstance(values, (pa.Array, pa.ChunkedArray)) else list(values)


def _field(row: Any, name: str, where: str, allowed: str) -> Any:
    if not isinstance(row, Mapping) or name not in row:
        fail(TypeError, where, allowed, shown(row))
    return row[name]


def _answers(row: Any, position: int) -> Any:
    where = f"references[{position}]"
    return _field(_field(row, "answers", where, ANSWERS), "text", f'{where}["answers"]', 'a dict with "text"')


def _order(predictions: list[Any], references: list[Any]) -> list[int]:
    """Return, for every reference, the position of the prediction with the same id."""
    position_of = _positions(predictions, "predictions", PREDICTION)
    wanted = _positions(references, "references", ANSWERS)
    for argument, other, positions, others in (
        ("predictions", "references", position_of, wanted),
        ("references", "predictions", wanted, position_of),
    ):
        for identifier, position in others.items():
            if identifier not in positions:
                fail(ValueError, argument, f"a row with the id {identifier!r} of {other}[{position}]", "none")
    return [position_of[identifier] for identifier in wanted]


def _positions(rows: list[Any], argument: str, allowed: str) -> dict[str, int]:
    positions: dict[str, int] = {}
    for position, row in enumerate(rows):
        where = f"{argument}[{position}]"
        identifier = _field(row, "id", where, allowed)
        if isinstance(identifier, bool) or not isinstance(identifier, (str, int)):
            fail(TypeError, f'{where}["id"]', "a str or a whole number", shown(identifier))
        # The reference `squad` module casts ids to text as well.
        first = positions.setdefault(str(identifier), position)
        if first != position:
            fail(ValueError, f'{where}["id"]', "an id of its own", f"{shown(identifier)}, as in {argument}[{first}]")
    return positions
