"""ROUGE of other packages: per segment, F by type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from ..corpora import Corpus
from .tool import Scores, Tool, needs_one_reference

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")


@dataclass(frozen=True)
class RougeScore(Tool):
    """Google's rouge_score: the loop that the reference `rouge` module runs."""

    use_stemmer: bool = False
    types: tuple[str, ...] = TYPES

    name = "rouge_score"
    distribution = "rouge_score"
    module: ClassVar[str] = "rouge_score.rouge_scorer"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Make the scorer."""
        scorer = self._scorer()
        if corpus.max_references == 1:
            pairs = list(zip(needs_one_reference(corpus), corpus.predictions, strict=True))
            return lambda: [scorer.score(reference, prediction) for reference, prediction in pairs]
        rows = list(zip(corpus.references, corpus.predictions, strict=True))
        return lambda: [scorer.score_multi(references, prediction) for references, prediction in rows]

    def read(self, result: Any) -> Scores:
        """Return F."""
        return {kind: [segment[kind].fmeasure for segment in result] for kind in self.types}

    def _scorer(self) -> Any:
        return import_module(self.module).RougeScorer(list(self.types), use_stemmer=self.use_stemmer)


@dataclass(frozen=True)
class RapidRouge(RougeScore):
    """rapidrouge: rouge_score with another LCS, in Python."""

    name = "rapidrouge"
    distribution = "rapidrouge"
    module: ClassVar[str] = "rapidrouge.rouge_scorer"


@dataclass(frozen=True)
class RougeScoreRs(RougeScore):
    """rouge-score-rs: Rust, all cores for one reference per segment."""

    name = "rouge-score-rs"
    distribution = "rouge-score-rs"
    module: ClassVar[str] = "rouge_score_rs"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Make the scorer; only single references have a batch call."""
        if corpus.max_references > 1:
            return super().prepare(corpus)
        scorer, references = self._scorer(), needs_one_reference(corpus)
        return lambda: scorer.score_batch(references, corpus.predictions)


@dataclass(frozen=True)
class RougeRust(Tool):
    """rouge-rust: ROUGE-1, 2 and L without stemmer, Rust, all cores."""

    name = "rouge-rust"
    distribution = "rouge-rust"
    types: ClassVar[tuple[str, ...]] = TYPES[:3]

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Take its fastest call, the one that gives columns."""
        score = import_module("fast_rouge").score_batch_flat
        references = needs_one_reference(corpus)
        return lambda: score(references, corpus.predictions)

    def read(self, result: Any) -> Scores:
        """Return F."""
        return {kind: list(getattr(result, f"{kind}_fmeasure")) for kind in self.types}
