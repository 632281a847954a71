"""Token F1 and exact match as SQuAD means them, of the whole corpus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..corpora import Corpus
from .reference import ReferenceModule
from .tool import Scores, Tool
from .twins import of_tests


@dataclass(frozen=True)
class Squad(ReferenceModule):
    """The reference `squad` module, which takes rows of SQuAD and scores from 0 to 100."""

    module: str = "squad"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Load the module and make its rows."""
        module = self.loaded()
        rows = list(enumerate(zip(corpus.predictions, corpus.references, strict=True)))
        predictions = [{"id": str(i), "prediction_text": prediction} for i, (prediction, _) in rows]
        references = [
            {"id": str(i), "answers": {"text": answers, "answer_start": [0] * len(answers)}}
            for i, (_, answers) in rows
        ]  # fmt: skip
        return lambda: module.compute(predictions=predictions, references=references)

    def read(self, result: Any) -> Scores:
        """Scale to 0 to 1."""
        return {key: [value / 100] for key, value in result.items()}


@dataclass(frozen=True)
class SquadLoop(Tool):
    """The loop that the reference `squad` module runs, as the tests' naive twin has it."""

    name = "the loop of squad"
    distribution = "textgauge"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Load the twin."""
        score = of_tests("oracles.token_f1").squad_scores
        return lambda: score(corpus.predictions, corpus.references)

    def read(self, result: Any) -> Scores:
        """Return every figure as a list of one."""
        return {key: [value] for key, value in result.items()}
