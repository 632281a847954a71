"""Diversity of a set of texts: our calls, nltk's sentence BLEU in a loop, and the package diversity."""

from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path
from typing import Any

from .texts import Corpus, Unavailable
from .tool import Prepared, Scores, Tool, figures


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
    found = importlib.util.find_spec("diversity")
    for folder in (found and found.submodule_search_locations) or []:
        path = Path(folder, f"{name}.py")
        spec = importlib.util.spec_from_file_location(f"of_diversity_{name}", path) if path.is_file() else None
        if spec is not None and spec.loader is not None:
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return getattr(module, f"{name}_score")
    raise Unavailable("diversity is not installed")


OUR_SELF_BLEU = Tool("textgauge", "textgauge", of_set, (("name", "self_bleu"),))
OUR_DIVERSITY = Tool("textgauge", "textgauge", of_set, (("name", "diversity"),))
NLTK_LOOP = Tool("nltk, a loop", "nltk", nltk_loop)
PACKAGE = Tool("diversity", "diversity", package)
