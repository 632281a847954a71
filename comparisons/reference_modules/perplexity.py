"""Perplexity: the reference module's loop against ours, and how long n-grams take to fit and to score.

Beside the page, since no file of texts and no Hub is needed: the language model is made on the fly,
by the tests. From the root of the repository, with the extras test and perplexity installed:

    PYTHONPATH=tests python -m comparisons.reference_modules.perplexity
    PYTHONPATH=tests python -m comparisons.reference_modules.perplexity --vocabulary 32000 --rounds 5
    python -m comparisons.reference_modules.perplexity --only ngrams --texts FILE
"""

from __future__ import annotations

import argparse
import gzip
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import textgauge
from rich.console import Console

from .clock import interleaved
from .machine import machine

N_TEXTS, LONGEST = 120, 250
N_WORDS, WORDS_PER_TEXT = 1_000_000, 50
CONTEXT = 512
WORDS = "the cat sat on mat a dog barks at one two three sell coffee"
NGRAM_MODELS = ((3, "kneser-ney"), (5, "kneser-ney"), (3, "add-k"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for, and write a line per figure."""
    options = _parser().parse_args(arguments)
    console = Console(highlight=False, soft_wrap=True)
    console.print(", ".join(map(str, machine().values())))
    if options.only != "ngrams":
        for line in model_lines(options.vocabulary, options.rounds):
            console.print(line)
    if options.only != "model":
        for line in ngram_lines(read(options.texts) if options.texts else random_texts(N_WORDS)):
            console.print(line)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m comparisons.reference_modules.perplexity")
    parser.add_argument("--only", choices=("model", "ngrams"), help="one of the two halves")
    parser.add_argument("--vocabulary", type=int, default=8000, help="of the language model (%(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each call (%(default)s)")
    parser.add_argument("--texts", type=Path, metavar="FILE", help="for n-grams, a text per line (.gz too)")
    return parser


def model_lines(vocabulary: int, rounds: int) -> Iterator[str]:
    """Yield how far the two lie apart, and how long each takes: one thread, one GPT-2, batches of 16."""
    # Of the folder tests: the loop of the reference module, and the tokenizer of its twin's tests.
    from oracles.perplexity import reference_module

    texts = mixed_texts()
    model, tokenizer = language_model(vocabulary)
    calls: list[Callable[[], Any]] = [
        lambda: textgauge.perplexity(texts=texts, model=model, tokenizer=tokenizer)["perplexities"],
        lambda: reference_module(model, tokenizer, texts),
    ]
    values, seconds = zip(*map(_timed, calls), strict=True)
    apart = max(abs(ours / theirs - 1) for ours, theirs in zip(*values, strict=True))
    yield f"{len(texts)} texts of 1 to {max(len(text.split()) for text in texts)} words, vocabulary {vocabulary}"
    yield f"largest relative difference {apart:.1e}"
    ours, theirs = interleaved(calls, seconds, rounds=rounds, seconds=60)
    yield f"textgauge {ours.median:.2f} s ({ours.minimum:.2f} s), reference loop {theirs.median:.2f} s " + (
        f"({theirs.minimum:.2f} s): {theirs.median / ours.median:.1f} times faster"
    )


def ngram_lines(texts: list[str]) -> Iterator[str]:
    """Yield how long n-gram models take to fit and to score the texts."""
    yield f"{len(texts):,} texts, {sum(len(text.split()) for text in texts):,} words"
    for tokenizer in ("whitespace", "13a"):
        for order, smoothing in NGRAM_MODELS:
            model = textgauge.NgramModel(order, smoothing, tokenizer=tokenizer)
            _, fit = _timed(lambda model=model: model.fit(texts))
            result, score = _timed(lambda model=model: model.score(texts))
            yield f"{tokenizer}, order {order}, {smoothing}: fit {fit:.2f} s, score {score:.2f} s, " + (
                f"perplexity {result['corpus_perplexity']:.4g}"
            )


def mixed_texts() -> list[str]:
    """Return texts whose lengths are as uneven as those of real ones."""
    draw = random.Random(0)
    lengths = (int(min(LONGEST, draw.lognormvariate(3, 1)) + 1) for _ in range(N_TEXTS))
    return [" ".join(draw.choices(WORDS.split(), k=length)) for length in lengths]


def random_texts(n_words: int) -> list[str]:
    """Return texts whose words are as uneven as those of real ones, without their order.

    Examples
    --------
    >>> [len(text.split()) for text in random_texts(100)]
    [50, 50]
    """
    words = np.minimum(np.random.default_rng(0).zipf(1.3, n_words), 10**5).astype(str)
    return [" ".join(words[i : i + WORDS_PER_TEXT]) for i in range(0, n_words, WORDS_PER_TEXT)]


def read(path: Path) -> list[str]:
    """Read a text per line, gzipped or not."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        return [line.strip() for line in lines]


def language_model(vocabulary: int) -> tuple[Any, Any]:
    """Make a GPT-2 of two layers with random weights, and its tokenizer."""
    import torch
    import transformers
    from tiny_models import save_tokenizer

    with tempfile.TemporaryDirectory() as folder:
        tokenizer = save_tokenizer(folder)
    # The reference module pads; ours does not ask for it.
    tokenizer.pad_token = tokenizer.bos_token
    torch.set_num_threads(1)
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=vocabulary, n_positions=CONTEXT, n_embd=128, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0
    )
    return transformers.GPT2LMHeadModel(config).eval(), tokenizer


def _timed(call: Callable[[], Any]) -> tuple[Any, float]:
    started = time.perf_counter()
    result = call()
    return result, time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
