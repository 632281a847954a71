"""The counts of our measures, for tools that score them."""

from __future__ import annotations

from typing import Any

from .. import engine
from ..columns import corpus_of
from ..measures.measure import Measure


def counted(measure: Measure, hypotheses: list[Any], references: list[list[Any]]) -> list[Any] | None:
    """Return the row of every segment as Python numbers, None for texts that our measures refuse.

    Refused are values that are no `str`, lone surrogates, and segments without references.
    """
    try:
        corpus = corpus_of(hypotheses, references)
    except (TypeError, ValueError):
        return None
    engine.warn_if_plain()
    # Not said: the tools have warnings of their own.
    notes = measure.notes()
    return [row for chunk in corpus.chunks() for row in measure.count(chunk, notes).values.tolist()]
