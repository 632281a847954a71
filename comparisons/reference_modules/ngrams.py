"""How long n-gram models take to fit and to score many texts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import textgauge

N_WORDS, WORDS_PER_TEXT = 1_000_000, 50
TITLE = "how long n-gram models take"


@dataclass(frozen=True)
class Line:
    """One model.

    Attributes
    ----------
    tokenizer : str
    order : int
    smoothing : str
    fit, score : float
        Seconds.
    n_words : int
    perplexity : float
        Of the texts that the model was fitted to.
    """

    tokenizer: str
    order: int
    smoothing: str
    fit: float
    score: float
    n_words: int
    perplexity: float


def measured(n_words: int | None = None, progress: Callable[[str], None] = lambda _: None) -> list[dict[str, Any]]:
    """Fit and score models of both tokenizers, and return what was seen of each, see `Line`.

    `n_words` is `N_WORDS` if not given.
    """
    n_words = N_WORDS if n_words is None else n_words
    texts = random_texts(n_words)
    lines = []
    for tokenizer in ("whitespace", "13a"):
        for order, smoothing in ((3, "kneser-ney"), (5, "kneser-ney"), (3, "add-k")):
            progress(f"{order}-grams, {smoothing}, {tokenizer}")
            model = textgauge.NgramModel(order, smoothing, tokenizer=tokenizer)
            started = time.perf_counter()
            model.fit(texts)
            fitted = time.perf_counter()
            perplexity = model.score(texts)["corpus_perplexity"]
            score = time.perf_counter() - fitted
            lines.append(asdict(Line(tokenizer, order, smoothing, fitted - started, score, n_words, perplexity)))
    return lines


def random_texts(n_words: int) -> list[str]:
    """Return texts whose words are as uneven as those of real ones, without their order.

    Examples
    --------
    >>> [len(text.split()) for text in random_texts(100)]
    [50, 50]
    """
    words = np.minimum(np.random.default_rng(0).zipf(1.3, n_words), 10**5).astype(str)
    return [" ".join(words[i : i + WORDS_PER_TEXT]) for i in range(0, n_words, WORDS_PER_TEXT)]
