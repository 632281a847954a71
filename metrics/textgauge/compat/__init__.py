"""Drop-in imports: `rouge_scorer` and `scoring` of rouge_score, and `sacrebleu`, that count in our kernel.

They are the installed tools: classes derived from theirs replace the counting, and nothing else.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import Accumulator
from ..checks import line_to_install
from ..input.columns import corpus_of
from ..metric.layout import Rows
from ..metric.notes import Notes

# The tools have warnings of their own.
_NO_NOTES = Notes()


@contextmanager
def importing(tool: str, extra: str = "compat", least: str = "") -> Iterator[None]:
    """Name the command that installs a tool, with an extra of ours, if its import fails: it is absent or too old."""
    try:
        yield
    except ModuleNotFoundError as error:
        if least and error.name is not None and error.name.startswith(f"{tool}."):
            message = f"{tool} is older than {least}, which has {error.name}: {line_to_install(extra)}"
            raise ImportError(message, name=tool) from None
        if error.name != tool:
            raise
        raise ImportError(f"{tool} is not installed: {line_to_install(extra)}", name=tool) from None


def rest_of(module: ModuleType) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module of ours that stands on another: what else that one has."""
    return partial(getattr, module)


def rows_of_texts(measure: Accumulator, hypotheses: list[Any], references: list[list[Any]]) -> Rows | None:
    """Return the rows of all segments, None for texts that our measures refuse.

    Refused are values that are no `str`, lone surrogates, and segments without references.
    """
    try:
        corpus = corpus_of(hypotheses, references)
    except (TypeError, ValueError):
        return None
    engine.warn_if_plain()
    rows = [*measure.rows_of(corpus, _NO_NOTES)]
    return rows[0] if len(rows) == 1 else Rows(rows[0].layout, np.concatenate([part.values for part in rows]))
