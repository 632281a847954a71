"""Drop-in imports: modules with the names and calls of other tools, whose counting is ours.

Those of rouge_score, sacreBLEU and jiwer are the installed tools: classes derived from theirs replace the counting, and
nothing else. Those of nltk, pycocoevalcap, EASSE and bert-score need no installed tool.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from importlib import import_module
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
NO_NOTES = Notes()


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
    """Return a `__getattr__` for a module that replaces another: it finds all other names in the original."""
    return partial(getattr, module)


def rest_when_asked(name: str) -> Callable[[str], Any]:
    """Return a `__getattr__` for a module that needs no original: it finds other names in one that is installed.

    Parameters
    ----------
    name : str
        The other module, such as "nltk.translate.bleu_score"; it is imported when it is asked for something.
    """

    def rest(attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        tool = name.partition(".")[0]
        with importing(tool):
            import_module(tool)
            module = import_module(name)
        return getattr(module, attribute)

    return rest


def _measure_of(accumulator_type: type[Accumulator], **options: Any) -> Accumulator:
    """Return a measure without segments, made once."""
    return accumulator_type(**options)


measure_of: Callable[..., Accumulator] = lru_cache(maxsize=64, typed=True)(_measure_of)


def rows_of_texts(measure: Accumulator, hypotheses: list[Any], references: list[list[Any]]) -> Rows | None:
    """Return the rows of all segments, None for texts that our measures refuse.

    Refused are values that are no `str`, lone surrogates, and segments without references.
    """
    try:
        corpus = corpus_of(hypotheses, references)
    except (TypeError, ValueError):
        return None
    engine.warn_if_plain()
    rows = [*measure.rows_of(corpus, NO_NOTES)]
    return rows[0] if len(rows) == 1 else Rows(rows[0].layout, np.concatenate([part.values for part in rows]))
