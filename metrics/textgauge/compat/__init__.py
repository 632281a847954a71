"""Drop-in imports: `rouge_scorer` and `scoring` of rouge_score, and `sacrebleu`, that count in our kernel.

They are the installed tools: classes derived from theirs replace the counting, and nothing else.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

from ..checks import line_to_install


@contextmanager
def importing(tool: str, extra: str = "compat") -> Iterator[None]:
    """Name the command that installs a tool, with an extra of ours, if its import fails because it is absent."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != tool:
            raise
        raise ImportError(f"{tool} is not installed: {line_to_install(extra)}", name=tool) from None


def rest_of(module: ModuleType) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module of ours that stands on another: what else that one has."""
    return partial(getattr, module)
