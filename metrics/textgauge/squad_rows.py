"""Predictions and answers in the form of SQuAD: rows with ids, matched by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from numbers import Integral
from typing import Any

from .checks import fail, shown
from .columns import Corpus, ReferenceColumn, TextColumn, corpus_of, text_column

PREDICTION = 'a dict with "id" and "prediction_text"'
ANSWERS = 'a dict with "id" and "answers", a dict with "text"'


def answer_corpus_of(
    predictions: TextColumn | Iterable[Mapping[str, Any]], references: ReferenceColumn | Iterable[Mapping[str, Any]]
) -> Corpus:
    """Return the checked texts of both sides, in any form.

    See `plain_columns` for the forms and errors beyond those of `corpus_of`.
    """
    return corpus_of(*plain_columns(predictions, references))


def plain_columns(predictions: Any, references: Any) -> tuple[Any, Any]:
    """Convert rows of SQuAD to the input of `corpus_of`; return other input as it is.

    Parameters
    ----------
    predictions : texts, or rows ``{"id": ..., "prediction_text": ...}``
    references : one or more texts each, or rows ``{"id": ..., "answers": {"text": [...]}}``
        Rows on both sides are matched by id, in the order of the references; plain predictions are
        matched with rows by position. Other keys of a row are ignored.

    Raises
    ------
    TypeError
        If a row lacks a key, or its id is not a str or an integer; the message names its position.
    ValueError
        If an id occurs twice, or on one side only.

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
    answers = _fields(rows, "answers", "references", ANSWERS)
    texts = _fields(answers, "text", "references", 'a dict with "text"', part='["answers"]')
    if not has_rows[0]:
        return predictions, texts
    given = _rows(predictions)
    hypotheses = _fields(given, "prediction_text", "predictions", PREDICTION)
    # Checked before sorting, so that an error names the position in the input.
    text_column(hypotheses, "predictions")
    order = _order(_fields(given, "id", "predictions", PREDICTION), _fields(rows, "id", "references", ANSWERS))
    return [hypotheses[i] for i in order], texts


def is_official(value: Mapping[str, Any]) -> bool:
    """Return whether an object is the whole content of a file of SQuAD, not one row."""
    return not value.keys() & {"id", "prediction_text", "answers"}


def official_rows(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a file of SQuAD: nested questions, or a dict from ids to predictions.

    Examples
    --------
    >>> official_rows({"a": "Paris"})
    [{'id': 'a', 'prediction_text': 'Paris'}]
    >>> question = {"id": "a", "answers": [{"text": "Paris", "answer_start": 9}]}
    >>> official_rows({"version": "1.1", "data": [{"paragraphs": [{"qas": [question]}]}]})
    [{'id': 'a', 'answers': {'text': ['Paris']}}]
    """
    if "data" not in value:
        return [{"id": identifier, "prediction_text": text} for identifier, text in value.items()]
    questions = [q for article in value["data"] for paragraph in article["paragraphs"] for q in paragraph["qas"]]
    return [{"id": q["id"], "answers": {"text": [answer["text"] for answer in q["answers"]]}} for q in questions]


def _has_rows(values: Any) -> bool:
    if _is_arrow(values):
        return str(values.type).startswith("struct")
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        return False
    return isinstance(next(iter(values), None), Mapping)


def _rows(values: Any) -> list[Any]:
    return values.to_pylist() if _is_arrow(values) else list(values)


def _is_arrow(values: Any) -> bool:
    # Without an import of pyarrow, which takes 0.1 s.
    return type(values).__module__.partition(".")[0] == "pyarrow"


def _fields(rows: list[Any], name: str, argument: str, allowed: str, part: str = "") -> list[Any]:
    try:
        return [row[name] for row in rows]
    except (TypeError, KeyError, IndexError):
        for position, row in enumerate(rows):
            if not isinstance(row, Mapping) or name not in row:
                fail(TypeError, f"{argument}[{position}]{part}", allowed, shown(row))
        raise


def _order(given: list[Any], wanted: list[Any]) -> list[int]:
    """Return the position of the prediction for every wanted id."""
    position_of = _positions(given, "predictions")
    if given == wanted:
        return list(position_of.values())
    positions = _positions(wanted, "references")
    for argument, here, other, there in (
        ("predictions", position_of, "references", positions),
        ("references", positions, "predictions", position_of),
    ):
        if there.keys() - here.keys():
            missing = next(identifier for identifier in there if identifier not in here)
            fail(ValueError, argument, f"a row with the id {missing!r} of {other}[{there[missing]}]", "none")
    return [position_of[identifier] for identifier in positions]


def _positions(ids: list[Any], argument: str) -> dict[str, int]:
    """Return the position of every id as a string: the reference `squad` module converts numbers, too."""
    refused = {kind for kind in set(map(type, ids)) if kind is bool or not issubclass(kind, (str, Integral))}
    if refused:
        position = next(position for position, identifier in enumerate(ids) if type(identifier) in refused)
        fail(TypeError, f'{argument}[{position}]["id"]', "a str or a whole number", shown(ids[position]))
    names = list(map(str, ids))
    positions = dict(zip(names, range(len(names)), strict=True))
    if len(positions) < len(names):
        first: dict[str, int] = {}
        position = next(i for i, name in enumerate(names) if first.setdefault(name, i) != i)
        got = f"{shown(ids[position])}, as in {argument}[{first[names[position]]}]"
        fail(ValueError, f'{argument}[{position}]["id"]', "a unique id", got)
    return positions
