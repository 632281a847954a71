"""BLEU of other packages, of the whole corpus."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..corpora import Corpus
from .tool import Scores, Tool


def _silence_sacrebleu() -> None:
    # It warns in every run, of lines that end in " .", of segments without effective order.
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)


@dataclass(frozen=True)
class SacreBleu(Tool):
    """sacreBLEU's `corpus_bleu`."""

    smooth_method: str = "exp"
    tokenize: str = "13a"

    name = "sacrebleu"
    distribution = "sacrebleu"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Turn references per segment into the streams that it takes, None where one ends."""
        from sacrebleu import corpus_bleu

        _silence_sacrebleu()
        streams: list[Any] = [
            [references[i] if i < len(references) else None for references in corpus.references]
            for i in range(corpus.max_references)
        ]
        options = {"smooth_method": self.smooth_method, "tokenize": self.tokenize}
        return lambda: corpus_bleu(corpus.predictions, streams, **options)

    def read(self, result: Any) -> Scores:
        """Scale to 0 to 1."""
        return {
            "bleu": [result.score / 100],
            "precisions": [precision / 100 for precision in result.precisions],
            "brevity_penalty": [result.bp],
            "translation_length": [result.sys_len],
            "reference_length": [result.ref_len],
        }


@dataclass(frozen=True)
class SacreBleuSegments(SacreBleu):
    """sacreBLEU's `sentence_score` of every segment, its scorer made once a call: it remembers lines."""

    effective_order: bool = True

    name = "sacrebleu, a loop"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Bind rows."""
        from sacrebleu import BLEU

        _silence_sacrebleu()
        options = {"smooth_method": self.smooth_method, "tokenize": self.tokenize}
        rows = list(zip(corpus.predictions, corpus.references, strict=True))

        def call() -> list[float]:
            scorer = BLEU(**options, effective_order=self.effective_order)
            return [scorer.sentence_score(prediction, references).score for prediction, references in rows]

        return call

    def read(self, result: Any) -> Scores:
        """Scale to 0 to 1."""
        return {"segment_bleu": [score / 100 for score in result]}


@dataclass(frozen=True)
class NltkBleu(Tool):
    """nltk's `corpus_bleu` of words between white space.

    Attributes
    ----------
    weights : tuple of float
        One per order.
    method : int or None
        The number of a smoothing method of Chen and Cherry (2014).
    """

    weights: tuple[float, ...] = (0.25, 0.25, 0.25, 0.25)
    method: int | None = None

    name = "nltk"
    distribution = "nltk"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Import it; the split into words is part of the call, as it is of ours."""
        from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

        smoothing = None if self.method is None else getattr(SmoothingFunction(), f"method{self.method}")
        return lambda: corpus_bleu(
            [[reference.split() for reference in references] for references in corpus.references],
            [prediction.split() for prediction in corpus.predictions],
            weights=self.weights,
            smoothing_function=smoothing,
        )

    def read(self, result: Any) -> Scores:
        """Return its one figure."""
        return {"bleu": [result]}


@dataclass(frozen=True)
class BleuScore(Tool):
    """bleuscore: the reference `bleu` module in Rust."""

    max_order: int = 4
    smooth: bool = False

    name = "bleuscore"
    distribution = "bleuscore"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Bind the lists."""
        import bleuscore

        return lambda: bleuscore.compute(
            references=corpus.references, predictions=corpus.predictions, max_order=self.max_order, smooth=self.smooth
        )

    def read(self, result: Any) -> Scores:
        """Return every figure as a list."""
        return {key: value if isinstance(value, list) else [value] for key, value in result.items()}
