"""The reference modules of the Hub."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..corpora import Corpus
from .tool import Scores, Tool, Unavailable


@dataclass(frozen=True)
class ReferenceModule(Tool):
    """`evaluate.load(module)`, from the Hub or its cache.

    Attributes
    ----------
    module : str
        "bleu", "rouge", ...
    options : tuple of (str, value)
        What its `compute` is called with.
    """

    module: str
    options: tuple[tuple[str, Any], ...] = ()

    distribution = "evaluate"

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name people know it by."""
        return f"reference {self.module} module"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Load the module."""
        module, options = self.loaded(), dict(self.options)
        return lambda: module.compute(predictions=corpus.predictions, references=corpus.plain_references, **options)

    def loaded(self) -> Any:
        """Return the module of the Hub, and never one of ours."""
        import evaluate
        from textgauge.modules import TextMetric

        try:
            module = evaluate.load(self.module)
        except OSError as error:
            raise Unavailable("the Hub was not reached") from error
        # evaluate prefers a folder of that name below the working directory.
        if isinstance(module, TextMetric):
            raise Unavailable("a local folder stands before the Hub's module")
        return module

    def read(self, result: Any) -> Scores:
        """Return every figure as a list."""
        figures = {key: value if isinstance(value, (list, tuple)) else [value] for key, value in result.items()}
        return {key: [float(value) for value in values] for key, values in figures.items()}
