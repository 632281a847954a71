"""BLEU of scripts and modules that no package has, restated by the project's tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..corpora import Corpus
from .tool import Scores, Tool
from .twins import of_tests

SCRIPTS = {"mteval-v13a.pl, restated": "mteval_bleu", "multi-bleu.perl, restated": "multi_bleu"}


@dataclass(frozen=True)
class BleuScript(Tool):
    """A script, as the tests' naive twin has it.

    Attributes
    ----------
    name : str
        One of `SCRIPTS`.
    """

    name: str  # type: ignore[misc]

    distribution = "textgauge"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Load the twin, which cuts text as the script does."""
        score = getattr(of_tests("oracles.bleu_tools"), SCRIPTS[self.name])
        return lambda: score(corpus.predictions, corpus.references)

    def read(self, result: Any) -> Scores:
        """Return its one figure."""
        return {"bleu": [result]}


@dataclass(frozen=True)
class NmtLoop(Tool):
    """tensorflow/nmt's loop over Counters behind the tokenizer 13a: what the reference `bleu` module runs."""

    max_order: int = 4

    name = "the loop of bleu"
    distribution = "sacrebleu"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Load the twin; sacreBLEU's tokenizer is the module's."""
        from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

        score = of_tests("oracles.bleu").corpus_bleu

        def call() -> float:
            # A tokenizer remembers its lines: a new one has none of the calls before.
            cut = Tokenizer13a()
            predictions = [cut(text).split() for text in corpus.predictions]
            references = [[cut(text).split() for text in texts] for texts in corpus.references]
            return score(predictions, references, self.max_order)

        return call

    def read(self, result: Any) -> Scores:
        """Return its one figure."""
        return {"bleu": [result]}
