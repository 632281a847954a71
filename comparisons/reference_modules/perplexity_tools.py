"""Perplexity of texts under a small random language model and under n-grams; references are not used.

Figures are compared in nats, so that differences are relative ones of the perplexity.
"""

from __future__ import annotations

import tempfile
from functools import partial
from importlib.util import find_spec
from math import log
from typing import Any

from .texts import Corpus, Unavailable
from .tool import Prepared, Scores, Tool, of_tests

CONTEXT, VOCABULARY = 512, 8_000


def language_model(vocabulary: int) -> tuple[Any, Any]:
    """Return a GPT-2 of two layers with fixed random weights, and its tokenizer."""
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        raise Unavailable(f"{' and '.join(missing)} not installed")
    import torch
    import transformers

    with tempfile.TemporaryDirectory() as folder:
        tokenizer = of_tests("tiny_models").save_tokenizer(folder)
    # The reference module pads; ours needs no padding token.
    tokenizer.pad_token = tokenizer.bos_token
    config = transformers.GPT2Config(
        vocab_size=vocabulary, n_positions=CONTEXT, n_embd=128, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return transformers.GPT2LMHeadModel(config).eval(), tokenizer


def _in_nats(result: Any) -> Scores:
    perplexities = result["perplexities"] if isinstance(result, dict) else result
    return {"log of perplexity": [log(perplexity) for perplexity in perplexities]}


def our_perplexity(corpus: Corpus, vocabulary: int) -> Prepared:
    """Score with textgauge and the model."""
    import textgauge

    model, tokenizer = language_model(vocabulary)
    return partial(textgauge.perplexity, texts=corpus.predictions, model=model, tokenizer=tokenizer), _in_nats


def perplexity_loop(corpus: Corpus, vocabulary: int) -> Prepared:
    """Run the loop of the reference `perplexity` module, in the version of our tests."""
    score = of_tests("oracles.perplexity").reference_module
    return partial(score, *language_model(vocabulary), corpus.predictions), _in_nats


def our_ngrams(corpus: Corpus, scores: bool = True, **options: Any) -> Prepared:
    """Fit textgauge's n-gram model to the texts, and score each of them."""
    import textgauge

    texts, model = corpus.predictions, partial(textgauge.NgramModel, **options)
    if not scores:
        return lambda: model().fit(texts), lambda _: {}
    return lambda: model().fit(texts).score(texts), _in_nats


def nltk_ngrams(corpus: Corpus, order: int = 3, discount: float | None = None) -> Prepared:
    """Fit nltk.lm and score: interpolated Kneser-Ney with a discount, else Laplace's add-one."""
    from nltk.lm import KneserNeyInterpolated, Laplace, Vocabulary
    from nltk.lm.preprocessing import pad_both_ends
    from nltk.util import everygrams, ngrams

    def call() -> list[float]:
        # Includes the split into words, as our call does.
        rows = [list(pad_both_ends(text.split(), n=order)) for text in corpus.predictions]
        words: dict[str, Any] = {"vocabulary": Vocabulary(word for row in rows for word in row)}
        model = Laplace(order, **words) if discount is None else KneserNeyInterpolated(order, discount, **words)
        model.fit([everygrams(row, max_len=order) for row in rows])
        return [model.perplexity(list(ngrams(row, order))) for row in rows]

    return call, _in_nats


SIZE = (("vocabulary", VOCABULARY),)
OUR_PERPLEXITY = Tool("textgauge", "textgauge", our_perplexity, SIZE)
PERPLEXITY_LOOP = Tool("the loop of perplexity", "transformers", perplexity_loop, SIZE)
OUR_NGRAMS = Tool("textgauge", "textgauge", our_ngrams)
NLTK_NGRAMS = Tool("nltk.lm", "nltk", nltk_ngrams)
