"""textgauge, as a function and through `evaluate.load`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..corpora import Corpus
from .tool import Scores, Tool


class _Ours(Tool):
    """A metric of ours by name, with any of its options: `Function("rouge", use_stemmer=True)`."""

    distribution = "textgauge"
    is_ours = True

    def __init__(self, metric: str, **options: Any) -> None:
        """Keep the name and the options."""
        self.metric = metric
        self.options = options

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.metric!r}, {self.options!r})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and repr(other) == repr(self)

    def __hash__(self) -> int:
        return hash(repr(self))

    @property
    def version(self) -> str:
        """The version of this tree, installed or not."""
        import textgauge

        return textgauge.__version__

    def read(self, result: Any) -> Scores:
        """Return every figure as a list, a single one as a list of one; those of dicts as "key.part"."""
        parts = {key: value if isinstance(value, dict) else {"": value} for key, value in result.items()}
        return {
            f"{key}.{part}" if part else key: value if isinstance(value, list) else [value]
            for key, named in parts.items()
            for part, value in named.items()
        }


class Function(_Ours):
    """The one-call function."""

    name = "textgauge"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Bind the lists."""
        import textgauge

        score = getattr(textgauge, self.metric)
        return lambda: score(corpus.predictions, corpus.plain_references, **self.options)


class Face(_Ours):
    """`evaluate.load(path).compute`, the module loaded once."""

    name = "textgauge through evaluate"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Load the module."""
        import textgauge

        module = textgauge.load(self.metric, **self.options)
        return lambda: module.compute(predictions=corpus.predictions, references=corpus.plain_references)
