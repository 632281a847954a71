"""Error rates of words and characters of other packages."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from .texts import Corpus
from .tool import Prepared, Scores, Tool

COUNTS = ("hits", "substitutions", "deletions", "insertions")


def our_rates(corpus: Corpus, metric: str, module: str = "textgauge", **options: Any) -> Prepared:
    """Call `textgauge.wer` or `textgauge.cer` with the first reference of every segment: the tools take one."""
    call = partial(getattr(import_module(module), metric), corpus.predictions, corpus.first_references, **options)
    return call, lambda result: {name: [value] for name, value in result.items()}


def of_jiwer(corpus: Corpus, metric: str) -> Prepared:
    """Call jiwer's `process_words` or `process_characters`."""
    process = getattr(import_module("jiwer"), {"wer": "process_words", "cer": "process_characters"}[metric])
    rates = ("wer", "mer", "wil", "wip") if metric == "wer" else ("cer",)

    def read(output: Any) -> Scores:
        return {name: [getattr(output, name)] for name in (*rates, *COUNTS)}

    return partial(process, corpus.first_references, corpus.predictions), read


def in_rust(corpus: Corpus, metric: str) -> Prepared:
    """Call universal-edit-distance, on words between white space."""
    name = {"wer": "word_error_rate", "cer": "character_error_rate"}[metric]
    call = partial(getattr(import_module("universal_edit_distance"), name), corpus.predictions, corpus.first_references)
    return call, lambda rate: {metric: [rate]}


OUR_RATES = Tool("textgauge", "textgauge", our_rates)
JIWER = Tool("jiwer", "jiwer", of_jiwer)
UNIVERSAL = Tool("universal-edit-distance", "universal-edit-distance", in_rust)
