"""The counts of our measures, for tools that score them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import Accumulator
from ..accumulation.layout import Rows
from ..accumulation.warnings import Notes
from ..columns import corpus_of

# The tools have warnings of their own.
_NO_NOTES = Notes()


def counted(measure: Accumulator, hypotheses: list[Any], references: list[list[Any]]) -> Rows | None:
    """Return the rows of all segments, None for texts that our measures refuse.

    Refused are values that are no `str`, lone surrogates, and segments without references.
    """
    try:
        corpus = corpus_of(hypotheses, references)
    except (TypeError, ValueError):
        return None
    engine.warn_if_plain()
    rows = [*measure.counted(corpus, _NO_NOTES)]
    return rows[0] if len(rows) == 1 else Rows(rows[0].layout, np.concatenate([part.values for part in rows]))
