"""Perplexity of texts: of a small language model made on the fly, and of n-grams; references are not looked at.

Figures are compared in nats, so that a difference is one of the perplexity's share.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from math import log
from typing import Any

from ..corpora import Corpus
from .ours import Function
from .tool import Scores, Tool, Unavailable
from .twins import of_tests

CONTEXT = 512


def language_model(vocabulary: int) -> tuple[Any, Any]:
    """Make a GPT-2 of two layers with random weights, always the same, and its tokenizer."""
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        raise Unavailable(f"{' and '.join(missing)} not installed")
    import torch
    import transformers

    with tempfile.TemporaryDirectory() as folder:
        tokenizer = of_tests("tiny_models").save_tokenizer(folder)
    # The reference module pads; ours does not ask for it.
    tokenizer.pad_token = tokenizer.bos_token
    config = transformers.GPT2Config(
        vocab_size=vocabulary, n_positions=CONTEXT, n_embd=128, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return transformers.GPT2LMHeadModel(config).eval(), tokenizer


def _in_nats(perplexities: list[float]) -> Scores:
    return {"log of perplexity": [log(perplexity) for perplexity in perplexities]}


class OurPerplexity(Function):
    """textgauge's perplexity with the model."""

    def __init__(self, vocabulary: int) -> None:
        """Keep the size of the model's vocabulary."""
        super().__init__("perplexity", vocabulary=vocabulary)

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Make the model."""
        import textgauge

        model, tokenizer = language_model(**self.options)
        return lambda: textgauge.perplexity(texts=corpus.predictions, model=model, tokenizer=tokenizer)

    def read(self, result: Any) -> Scores:
        """Return that of every text."""
        return _in_nats(result["perplexities"])


@dataclass(frozen=True)
class PerplexityLoop(Tool):
    """The loop that the reference `perplexity` module runs, as the tests' naive twin has it."""

    vocabulary: int

    name = "the loop of perplexity"
    distribution = "transformers"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Make the model."""
        model, tokenizer = language_model(self.vocabulary)
        score = of_tests("oracles.perplexity").reference_module
        return lambda: score(model, tokenizer, corpus.predictions)

    def read(self, result: Any) -> Scores:
        """Return that of every text."""
        return _in_nats(result)


class OurNgrams(Function):
    """textgauge's n-gram model of words, fitted to the texts and scoring each of them, padded as nltk pads."""

    def __init__(self, **options: Any) -> None:
        """Keep the options of `NgramModel`."""
        super().__init__("NgramModel", tokenizer="whitespace", padding="nltk", **options)

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Bind the list."""
        import textgauge

        texts = corpus.predictions
        return lambda: textgauge.NgramModel(**self.options).fit(texts).score(texts)

    def read(self, result: Any) -> Scores:
        """Return that of every text."""
        return _in_nats(result["perplexities"])


@dataclass(frozen=True)
class NltkNgrams(Tool):
    """nltk.lm, fitted to the texts and scoring each of them.

    Attributes
    ----------
    order : int
    discount : float or None
        Interpolated Kneser-Ney with this discount; None is Laplace's add-one.
    """

    order: int = 3
    discount: float | None = None

    name = "nltk.lm"
    distribution = "nltk"

    def prepare(self, corpus: Corpus) -> Callable[[], Any]:
        """Import it; the split into words is part of the call, as it is of ours."""
        from nltk.lm import KneserNeyInterpolated, Laplace, Vocabulary
        from nltk.lm.preprocessing import pad_both_ends
        from nltk.util import everygrams, ngrams

        order = self.order

        def call() -> list[float]:
            rows = [list(pad_both_ends(text.split(), n=order)) for text in corpus.predictions]
            words = Vocabulary(word for row in rows for word in row)
            options: dict[str, Any] = {"vocabulary": words}
            model = (
                Laplace(order, **options)
                if self.discount is None
                else KneserNeyInterpolated(order, self.discount, **options)
            )
            model.fit([everygrams(row, max_len=order) for row in rows])
            return [model.perplexity(list(ngrams(row, order))) for row in rows]

        return call

    def read(self, result: Any) -> Scores:
        """Return that of every text."""
        return _in_nats(result)
