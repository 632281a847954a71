"""Drop-in imports: modules with the names and calls of other tools, whose counting is ours.

Those of rouge_score, sacreBLEU and jiwer are the installed tools: classes derived from theirs replace the counting, and
nothing else. Those of nltk, pycocoevalcap, EASSE, bert-score and BLEURT need no installed tool.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import Accumulator, rows_of
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


# Our extras that install a tool.
_EXTRAS = {**dict.fromkeys(("jiwer", "nltk", "rouge_score", "sacrebleu"), "compat"), "pycocoevalcap": "meteor"}


@contextmanager
def _needing(tool: str) -> Iterator[None]:
    """Say that a tool is absent of which a name was asked that is not here."""
    if tool in _EXTRAS:
        with importing(tool, _EXTRAS[tool]):
            yield
        return
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != tool:
            raise
        raise ImportError(f"{tool}, which has what is not in textgauge, is not installed", name=tool) from None


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
        # pytest looks for names of its own in every module, also where the tool is absent.
        is_asked_of_all = attribute.lower().startswith(("__", "pytest", "setup", "teardown"))
        if is_asked_of_all and attribute != "__version__":
            raise AttributeError(attribute)
        tool = name.partition(".")[0]
        with _needing(tool):
            import_module(tool)
            module = import_module(name)
        return getattr(module, attribute)

    return rest


class _Originals(MetaPathFinder, Loader):
    """Finds the modules of a tool that have no counterpart here, as the tool has them."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:  # noqa: ARG002
        """Return the spec of a module below a tool's name that the installed tool has."""
        name = fullname.removeprefix(f"{__name__}.")
        tool, has_rest, _ = name.partition(".")
        if name == fullname or not has_rest or f"{__name__}.{tool}" not in sys.modules:
            return None
        with _needing(tool):
            import_module(tool)
        try:
            original = import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not name.startswith(error.name):
                raise
            return None
        return ModuleSpec(fullname, self, is_package=hasattr(original, "__path__"))

    def exec_module(self, module: ModuleType) -> None:
        """Take over what the original has."""
        original = import_module(module.__name__.removeprefix(f"{__name__}."))
        own = {name: value for name, value in vars(original).items() if not name.startswith("__") or name == "__all__"}
        module.__dict__.update(own, __doc__=original.__doc__, __getattr__=rest_of(original))


sys.meta_path.append(_Originals())


def _accumulator_with(accumulator_type: type[Accumulator], **options: Any) -> Accumulator:
    """Return an accumulator without segments, made once."""
    return accumulator_type(**options)


accumulator_with: Callable[..., Accumulator] = lru_cache(maxsize=64, typed=True)(_accumulator_with)


def rows_of_texts(accumulator: Accumulator, hypotheses: list[Any], references: list[list[Any]]) -> Rows | None:
    """Return the rows of all segments, None for texts that our metrics refuse.

    Refused are values that are no `str`, lone surrogates, and segments without references.
    """
    try:
        corpus = corpus_of(hypotheses, references)
    except (TypeError, ValueError):
        return None
    engine.warn_if_plain()
    rows = [*rows_of(accumulator, corpus, NO_NOTES)]
    return rows[0] if len(rows) == 1 else Rows(rows[0].layout, np.concatenate([part.values for part in rows]))
