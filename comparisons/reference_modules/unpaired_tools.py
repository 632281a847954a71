"""What needs no references: perplexity under a small random language model and under n-grams, and diversity of a set.

Perplexities are compared in nats, so that differences are relative ones of the perplexity.
"""

from __future__ import annotations

import tempfile
from functools import partial
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from math import log
from pathlib import Path
from typing import Any

from .texts import Corpus, Unavailable
from .tool import Prepared, Scores, Tool, figures, of_tests

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


def of_set(corpus: Corpus, name: str, **options: Any) -> Prepared:
    """Call one of our functions with the predictions as one set."""
    import textgauge

    score = getattr(textgauge, name, None)
    if score is None:
        raise Unavailable(f"this version has no {name}")
    return partial(score, corpus.predictions, **options), _read if name == "self_bleu" else figures


def nltk_loop(corpus: Corpus) -> Prepared:
    """Loop over texts with nltk's `sentence_bleu` with smoothing method 1, the others as references."""
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    smoothing = SmoothingFunction().method1

    def call() -> float:
        tokens = [text.split() for text in corpus.predictions]
        others = (tokens[:i] + tokens[i + 1 :] for i in range(len(tokens)))
        scores = [sentence_bleu(*pair, smoothing_function=smoothing) for pair in zip(others, tokens, strict=True)]
        return float(sum(scores)) / len(scores)

    return call, _read


def _read(result: float) -> Scores:
    return {"self_bleu": [result]}


def package(corpus: Corpus, functions: tuple[str, ...]) -> Prepared:
    """Call functions of the package diversity, which rounds to three decimals; prints no progress."""
    calls = {name: _function(name) for name in functions}
    quiet = {name: {} if name == "ngram_diversity" else {"verbose": False} for name in functions}

    def call() -> dict[str, float]:
        return {name: calls[name](corpus.predictions, **quiet[name]) for name in functions}

    return call, figures


def _function(name: str) -> Any:
    """Load one function without the package around it, which imports models of embeddings."""
    found = find_spec("diversity")
    for folder in (found and found.submodule_search_locations) or []:
        path = Path(folder, f"{name}.py")
        spec = spec_from_file_location(f"of_diversity_{name}", path) if path.is_file() else None
        if spec is not None and spec.loader is not None:
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            return getattr(module, f"{name}_score")
    raise Unavailable("diversity is not installed")


SIZE = (("vocabulary", VOCABULARY),)
OUR_PERPLEXITY = Tool("textgauge", "textgauge", our_perplexity, SIZE)
PERPLEXITY_LOOP = Tool("the loop of perplexity", "transformers", perplexity_loop, SIZE)
OUR_NGRAMS = Tool("textgauge", "textgauge", our_ngrams)
NLTK_NGRAMS = Tool("nltk.lm", "nltk", nltk_ngrams)
OUR_SELF_BLEU = Tool("textgauge", "textgauge", of_set, (("name", "self_bleu"),))
OUR_DIVERSITY = Tool("textgauge", "textgauge", of_set, (("name", "diversity"),))
NLTK_LOOP = Tool("nltk, a loop", "nltk", nltk_loop)
PACKAGE = Tool("diversity", "diversity", package)
