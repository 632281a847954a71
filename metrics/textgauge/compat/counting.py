"""The counts of our measures, for tools that score them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import engine
from ..columns import corpus_of
from ..measures.layout import Rows
from ..measures.measure import Measure
from ..measures.warnings import Notes

# The tools have warnings of their own.
_NO_NOTES = Notes()


def counted(measure: Measure, hypotheses: list[Any], references: list[list[Any]]) -> Rows | None:
    """Return the rows of all segments, None for texts that our measures refuse.

    Refused are values that are no `str`, lone surrogates, and segments without references.
    """
    try:
        corpus = corpus_of(hypotheses, references)
    except (TypeError, ValueError):
        return None
    engine.warn_if_plain()
    rows = [measure.rows_of(chunk, _NO_NOTES) for chunk in corpus.chunks()]
    return rows[0] if len(rows) == 1 else Rows(measure.layout, np.concatenate([part.values for part in rows]))
