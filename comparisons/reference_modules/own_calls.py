"""Calls of ours only: through `evaluate`, many pairs, long documents, start-up, n-gram models."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from statistics import median
from typing import Any

import textgauge

from . import child
from .measure import Corpora, Line, Progress, Settings, interleaved, seconds_of
from .texts import Corpus, random_texts
from .tool import Tool, face, function, ours

TITLE = "our own calls"
N_PAIRS = (10_000, 100_000, 1_000_000)
N_TOKENS = 100_000
N_NGRAM_TEXTS, NGRAM_WORDS = 20_000, 50


def measured(
    groups: Sequence[str], corpora: Corpora, settings: Settings, progress: Progress = lambda _: None
) -> list[Line]:
    """Measure groups of calls.

    A line has `title`, `seconds`, `note`, and `peak`, bytes beyond the input or None.
    """
    lines: list[Line] = []
    for name in groups:
        progress(name)
        lines += GROUPS[name](corpora, settings)
    return lines


def _line(title: str, seconds: float, note: str = "", peak: int | None = None) -> Line:
    return {"title": title, "seconds": seconds, "note": note, "peak": peak}


def _medians(calls: Sequence[Callable[[], Any]], settings: Settings) -> list[float]:
    first_runs = [seconds_of(call) for call in calls]
    return [median(times) for times in interleaved(calls, first_runs, rounds=settings.rounds, seconds=settings.seconds)]


def _peak(tool: Tool, corpus: Corpus, settings: Settings) -> int | None:
    return child.peak(tool, corpus) if settings.memory else None


def _beyond_direct(corpora: Corpora, settings: Settings) -> Iterator[Line]:
    for metric, name in (("rouge", "summaries"), ("bleu", "translations")):
        corpus = corpora[name]
        calls = [ours(metric, adapter).prepare(corpus)[0] for adapter in (face, function)]
        through, direct = _medians(calls, settings)
        note = f"{through * 1e3:.2f} ms against {direct * 1e3:.2f} ms, {len(corpus):,} segments"
        yield _line(f"evaluate's compute beyond textgauge.{metric}", max(0.0, through - direct), note)


def _many_pairs(corpora: Corpora, settings: Settings) -> Iterator[Line]:
    summaries = corpora["summaries"]
    pairs = list(zip(summaries.predictions, summaries.references, strict=True))
    for metric in ("rouge", "bleu"):
        every = [Corpus("over and over", *map(list, zip(*islice(cycle(pairs), n), strict=True))) for n in N_PAIRS]
        tool = ours(metric)
        medians = _medians([tool.prepare(corpus)[0] for corpus in every], settings)
        for corpus, seconds in zip(every, medians, strict=True):
            note = f"{seconds / len(corpus) * 1e6:.2f} µs a pair"
            yield _line(f"{metric}, {len(corpus):,} pairs", seconds, note, _peak(tool, corpus, settings))


def _long_documents(_: Corpora, settings: Settings) -> Iterator[Line]:
    first, second = random_texts(2, N_TOKENS)
    corpus = Corpus("two documents", [first], [[second]])
    tools = {kind: ours("rouge", rouge_types=(kind,)) for kind in ("rougeL", "rouge2")} | {"bleu": ours("bleu")}
    medians = _medians([tool.prepare(corpus)[0] for tool in tools.values()], settings)
    for (name, tool), seconds in zip(tools.items(), medians, strict=True):
        yield _line(f"{name}, two documents of {N_TOKENS:,} tokens", seconds, "", _peak(tool, corpus, settings))


def _start_up(_: Corpora, settings: Settings) -> Iterator[Line]:
    words = {"import textgauge": ["-c", "import textgauge"], "textgauge --version": ["-m", "textgauge", "--version"]}

    def process(*arguments: str) -> Callable[[], Any]:
        return lambda: subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)

    calls = [process("-c", "pass"), *(process(*arguments) for arguments in words.values())]
    python, *medians = _medians(calls, settings)
    for name, seconds in zip(words, medians, strict=True):
        yield _line(f"start-up of {name}", seconds, f"of which Python {python * 1e3:.0f} ms")


def _ngram_models(_: Corpora, __: Settings) -> Iterator[Line]:
    """Fit and score models of both tokenizers, each once."""
    texts = random_texts(N_NGRAM_TEXTS, NGRAM_WORDS)
    for tokenizer in ("whitespace", "13a"):
        for order, smoothing in ((3, "kneser-ney"), (5, "kneser-ney"), (3, "add-k")):
            model = textgauge.NgramModel(order, smoothing, tokenizer=tokenizer)
            started = time.perf_counter()
            model.fit(texts)
            fit = time.perf_counter() - started
            perplexity = model.score(texts)["corpus_perplexity"]
            seconds = time.perf_counter() - started
            title = f"fit {order}-grams and score, {smoothing}, {tokenizer}, {N_NGRAM_TEXTS * NGRAM_WORDS:,} words"
            yield _line(title, seconds, f"fit {fit:.2f} s, perplexity of the same texts {perplexity:.4g}")


GROUPS: dict[str, Callable[[Corpora, Settings], Iterator[Line]]] = {
    "through evaluate": _beyond_direct,
    "many pairs": _many_pairs,
    "long documents": _long_documents,
    "start-up": _start_up,
    "n-gram models": _ngram_models,
}
