"""Predictions and answers in the form of SQuAD: rows with ids, matched by id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral
from typing import Any

import numpy as np

from .. import engine
from ..arrays import IntArray, offsets_of
from ..checks import fail, has_elements, real_number, shown
from ..plain import Texts
from .columns import Corpus, ReferenceColumn, TextColumn, corpus_of, known_texts, nested_column, text_column
from .elements import REFERENCES, checked_plain, is_arrow_scalar, kept

PREDICTION = 'a dict with "id" and "prediction_text"'
ANSWERS = 'a dict with "id" and "answers", a dict with "text"'


@dataclass
class Questions(Corpus):
    """A corpus of answers to questions, of which some have none: their only reference is the empty text.

    Attributes
    ----------
    is_answerable : bool, shape (n_segments,)
    no_answer : float64, shape (n_segments,)
        How probable a system finds that the question has no answer.
    shift : int64, shape (n_segments,)
        The position of a prediction as it was given, minus that of its segment.
    """

    is_answerable: Any = None
    no_answer: Any = None
    shift: Any = None

    def slice(self, start: int, stop: int) -> Questions:
        """Return consecutive segments, without a copy."""
        return self._of(super().slice(start, stop), slice(start, stop))

    def take(self, segments: Any) -> Questions:
        """Return the given segments."""
        return self._of(super().take(segments), segments)

    def _of(self, corpus: Corpus, rows: Any) -> Questions:
        extras = (column[rows] for column in (self.is_answerable, self.no_answer, self.shift))
        return Questions(corpus.hypotheses, corpus.references, corpus.offsets, corpus.first, *extras)


@dataclass
class Guesses(Corpus):
    """A corpus of questions with any number of guesses and of answers, joined by newlines in `hypotheses`.

    A question without an answer has the empty text as its only reference.

    Attributes
    ----------
    guesses : Texts
        All guesses of all questions.
    guess_offsets : int64, shape (n_segments + 1,)
        The guesses of question i are ``guesses[guess_offsets[i]:guess_offsets[i + 1]]``.
    ids : list of str
        Of the questions; empty texts where they have none.
    """

    guesses: Any = None
    guess_offsets: Any = None
    ids: Any = None

    def slice(self, start: int, stop: int) -> Guesses:
        """Return consecutive segments, without a copy."""
        first, last = self.guess_offsets[[start, stop]].tolist()
        offsets = self.guess_offsets[start : stop + 1] - first
        return self._of(super().slice(start, stop), self.guesses.slice(first, last), offsets, self.ids[start:stop])

    def take(self, segments: Any) -> Guesses:
        """Return the given segments."""
        lengths = np.diff(self.guess_offsets)[segments]
        offsets = offsets_of(lengths)
        rows = np.arange(offsets[-1]) + np.repeat(self.guess_offsets[segments] - offsets[:-1], lengths)
        ids = [self.ids[i] for i in np.arange(len(self))[segments].tolist()]
        return self._of(super().take(segments), self.guesses.take(rows), offsets, ids)

    def _of(self, corpus: Corpus, *guesses: Any) -> Guesses:
        return Guesses(corpus.hypotheses, corpus.references, corpus.offsets, corpus.first, *guesses)


def answer_corpus_of(
    predictions: TextColumn | Iterable[Mapping[str, Any]], references: ReferenceColumn | Iterable[Mapping[str, Any]]
) -> Corpus:
    """Return the checked texts of both sides, in any form.

    See `plain_columns` for the forms and errors beyond those of `corpus_of`.
    """
    return corpus_of(*plain_columns(predictions, references))


def question_corpus_of(predictions: Any, references: Any) -> Corpus:
    """Return the checked texts of both sides, in any form; a row of references may have no answer.

    Rows of predictions may have a "no_answer_probability", a finite number; without one it is 0.
    """
    predictions, references = kept(predictions), kept(references)
    matched = _matched(predictions, references)
    if matched is None:
        return corpus_of(predictions, references)
    texts, answers, rows, order = matched
    is_answerable = np.array([*map(_has_answers, answers)], bool)
    corpus = corpus_of(texts, [group if has else [""] for group, has in zip(answers, is_answerable, strict=True)])
    no_answer = _probabilities(rows) if rows else np.zeros(len(corpus))
    place = np.arange(len(corpus)) if order is None else np.array(order)
    return Questions(
        corpus.hypotheses, corpus.references, corpus.offsets, 0, is_answerable,
        no_answer[place], place - np.arange(len(corpus)),
    )  # fmt: skip


def guess_corpus_of(predictions: Any, references: Any) -> Guesses:
    """Return the checked texts of both sides; a row may have any number of guesses, and any number of answers.

    Without rows a prediction is a guess, or a list of them, and the empty text none.
    """
    predictions, references = kept(predictions), kept(references)
    matched = _matched(predictions, references, lambda groups: _groups(groups, "predictions"))
    ids = None
    if matched is not None:
        ids = [str(row["id"]) if "id" in row else "" for row in _listed(references, "references")]
        predictions, references = matched[:2]
    guesses, guess_offsets = _groups(predictions, "predictions")
    answers, offsets = _groups(references, "references", least=1)
    if len(guess_offsets) != len(offsets):
        n_predictions, n_references = len(guess_offsets) - 1, len(offsets) - 1
        fail(ValueError, "references", f"as many segments as predictions ({n_predictions})", str(n_references))
    texts, bounds = guesses.tolist(), guess_offsets.tolist()
    hypotheses = known_texts(["\n".join(texts[start:stop]) for start, stop in pairwise(bounds)])
    ids = [""] * len(hypotheses) if ids is None else ids
    return Guesses(hypotheses, answers, offsets, 0, guesses, guess_offsets, ids)


def guesses_of(corpus: Corpus) -> Guesses:
    """Return a corpus with the guesses of every question; a prediction of one of texts is one, unless it is empty."""
    if isinstance(corpus, Guesses):
        return corpus
    has_text = np.asarray(corpus.hypotheses.lengths()) > 0
    guesses, offsets = corpus.hypotheses.take(np.flatnonzero(has_text)), offsets_of(has_text.astype(np.int64))
    texts = corpus.hypotheses, corpus.references, corpus.offsets, corpus.first
    return Guesses(*texts, guesses, offsets, [""] * len(corpus))


def _groups(values: Any, argument: str, least: int = 0) -> tuple[Texts, IntArray]:
    """Return the checked texts of a column of lists, which may be empty, and the offsets of the lists.

    A text is a list of itself, and the empty text an empty list. With `least` 1 an empty list has the empty text.
    """
    if isinstance(values, (str, bytes, Mapping)) or not has_elements(values):
        fail(TypeError, argument, REFERENCES, shown(values))
    given = values.tolist() if isinstance(values, engine.kernel.Texts) else _listed(values, argument)
    given = [checked_plain(one, f"{argument}[{i}]") if is_arrow_scalar(one) else one for i, one in enumerate(given)]
    is_empty = np.array([not _has_answers(one) for one in given], bool)
    groups = [[one] if isinstance(one, str) else one for one in given]
    texts, offsets = nested_column(
        [[""] if empty else one for one, empty in zip(groups, is_empty, strict=True)], argument
    )
    if least or not is_empty.any():
        return texts, offsets
    lengths = np.diff(offsets) * ~is_empty
    return texts.take(np.flatnonzero(np.repeat(~is_empty, np.diff(offsets)))), offsets_of(lengths)


def reader_of(metrics: Iterable[Any]) -> Callable[[Any, Any], Corpus]:
    """Return the function that reads rows for all metrics: their own, if they have the same and it reads rows."""
    ways = {metric.inputs.read for metric in metrics}
    return ways.pop() if len(ways) == 1 and corpus_of not in ways else answer_corpus_of


def questions_of(corpus: Corpus) -> Questions:
    """Return a corpus with what rows say of a question; one of texts has no answer if all references are empty."""
    if isinstance(corpus, Questions):
        return corpus
    longest = np.maximum.reduceat(np.asarray(corpus.references.lengths()), corpus.reference_offsets[:-1])
    texts = corpus.hypotheses, corpus.references, corpus.offsets, corpus.first
    return Questions(*texts, longest > 0, np.zeros(len(corpus)), np.zeros(len(corpus), np.int64))


def _probabilities(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return the probabilities of rows, float64; refuse the first that is no finite number."""
    values = [row.get("no_answer_probability", 0.0) for row in rows]
    if {*map(type, values)} <= {float} and np.isfinite(values).all():
        return np.array(values)
    allowed = "a finite number"
    for position, value in enumerate(values):
        argument = f'predictions[{position}]["no_answer_probability"]'
        if not np.isfinite(real_number(argument, value, allowed)):
            fail(ValueError, argument, allowed, shown(value))
    return np.array(values, np.float64)


def plain_columns(predictions: Any, references: Any) -> tuple[Any, Any]:
    """Convert rows of SQuAD to the input of `corpus_of`; return other input as it is.

    Parameters
    ----------
    predictions : texts, or rows ``{"id": ..., "prediction_text": ...}``
    references : one or more texts each, or rows ``{"id": ..., "answers": {"text": [...]}}``
        Rows on both sides are matched by id, in the order of the references; plain predictions are
        matched with rows by position, and need no ids: ``{"text": [...]}`` is enough. Other keys of
        a row are ignored.

    Raises
    ------
    TypeError
        If a row lacks a key, or its id is not a str or an integer; the message names its position.
    ValueError
        If an id occurs on one side only, or twice with different predictions or answers. A question that stands twice
        counts twice.

    Examples
    --------
    >>> predictions = [{"id": "b", "prediction_text": "1889"}, {"id": "a", "prediction_text": "Paris"}]
    >>> references = [{"id": i, "answers": {"text": [t]}} for i, t in (("a", "Paris"), ("b", "1889"))]
    >>> plain_columns(predictions, references)[0]
    ['Paris', '1889']
    """
    predictions, references = kept(predictions), kept(references)
    matched = _matched(predictions, references)
    if matched is None:
        return predictions, references
    texts, answers, _, _ = matched
    for place, group in enumerate(answers):
        if not _has_answers(group):
            row = _listed(references, "references")[place]
            of_question = f" of the question {shown(row['id'])}" if isinstance(row, Mapping) and "id" in row else ""
            allowed = "at least one answer (questions without any are those of squad_v2)"
            fail(ValueError, f'references[{place}]["answers"]', allowed, f"none{of_question}")
    return texts, answers


def _has_answers(group: Any) -> bool:
    # What has no length is refused later, as no list of texts.
    return not (isinstance(group, Sized) and has_elements(group)) or len(group) > 0


def _matched(
    predictions: Any, references: Any, check: Callable[[Any], Any] = lambda texts: text_column(texts, "predictions")
) -> tuple[Any, list[Any], list[Any], list[int] | None] | None:
    """Return texts and answers in one order, the rows of predictions, and the position in them of every text.

    None if neither side has rows; no rows and None if the predictions are texts. `check` refuses texts.
    """
    is_row = has_rows(predictions), has_rows(references)
    if not any(is_row):
        return None
    if not is_row[1]:
        fail(TypeError, "references", f"rows with the ids of the predictions, each {ANSWERS}", shown(references))
    rows = _listed(references, "references")
    is_bare = not is_row[0] and isinstance(rows[0], Mapping) and "text" in rows[0] and "answers" not in rows[0]
    answers = rows if is_bare else _fields(rows, "answers", "references", ANSWERS)
    texts = _fields(answers, "text", "references", 'a dict with "text"', part='["answers"]')
    if not is_row[0]:
        return predictions, texts, [], None
    given = _listed(predictions, "predictions")
    hypotheses = _fields(given, "prediction_text", "predictions", PREDICTION)
    # Checked before sorting, so that an error names the position in the input.
    check(hypotheses)
    order = _order(given, rows)
    return [hypotheses[i] for i in order], texts, given, order


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


def has_rows(values: Any) -> bool:
    """Return whether a column has rows, not texts."""
    if _is_arrow(values):
        return str(values.type).startswith("struct")
    if isinstance(values, (str, bytes, Mapping)) or not has_elements(values):
        return False
    return isinstance(next(iter(values), None), Mapping)


def _listed(values: Any, argument: str) -> list[Any]:
    if not _is_arrow(values):
        return list(values)
    from .arrow import validate

    validate(values, argument)
    return values.to_pylist()


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


def _order(predictions: list[Any], references: list[Any]) -> list[int]:
    """Return the position of the prediction with the id of every reference."""
    of_predictions = _fields(predictions, "id", "predictions", PREDICTION)
    of_references = _fields(references, "id", "references", ANSWERS)
    position_of = _positions(of_predictions, predictions, "predictions")
    positions = _positions(of_references, references, "references")
    if of_predictions == of_references:
        return list(range(len(of_references)))
    for argument, here, other, there in (
        ("predictions", position_of, "references", positions),
        ("references", positions, "predictions", position_of),
    ):
        if there.keys() - here.keys():
            missing = next(identifier for identifier in there if identifier not in here)
            fail(ValueError, argument, f"a row with the id {missing!r} of {other}[{there[missing]}]", "none")
    return [position_of[str(identifier)] for identifier in of_references]


def _positions(ids: list[Any], rows: list[Any], argument: str) -> dict[str, int]:
    """Return the first position of every id as a string: the reference `squad` module converts numbers, too.

    A row may stand twice, as in resamples of a data set; two rows with one id that differ are refused.
    """
    refused = {
        id_type for id_type in set(map(type, ids)) if id_type is bool or not issubclass(id_type, (str, Integral))
    }
    if refused:
        position = next(position for position, identifier in enumerate(ids) if type(identifier) in refused)
        fail(TypeError, f'{argument}[{position}]["id"]', "a str or a whole number", shown(ids[position]))
    names = list(map(str, ids))
    positions = dict(zip(names, range(len(names)), strict=True))
    if len(positions) < len(names):
        positions = {}
        for position, name in enumerate(names):
            if rows[position] != rows[positions.setdefault(name, position)]:
                got = f"{shown(ids[position])}, as in {argument}[{positions[name]}], which differs"
                fail(ValueError, f'{argument}[{position}]["id"]', "an id of its own", got)
    return positions
