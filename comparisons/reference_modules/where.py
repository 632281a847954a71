"""The time of one call by step, and that of plain passes over the same text."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from types import SimpleNamespace
from typing import Any

import numpy as np
import textgauge
from textgauge import engine

from comparisons.timing import interleaved, seconds_of

from .measure import Corpora, Line, Progress, Settings
from .texts import Corpus
from .tool import Tool, ours

TITLE, REST = "where the time goes", "scores and the rest"
# The kernel's functions that read and cut text; its others count.
STEPS = {**dict.fromkeys(("texts", "arrow_texts", "nested_texts", "stripped", "folded"), "columns"), "cut": "tokens"}
COUNTS = "counts"
# Title, texts, call.
JOBS: dict[str, tuple[str, Tool]] = {
    "ROUGE": ("summaries", ours("rouge", use_aggregator=False)),
    "ROUGE of stems": ("summaries", ours("rouge", use_aggregator=False, use_stemmer=True)),
    "BLEU": ("translations", ours("bleu")),
}
# The least that any tool must do.
PASSES: dict[str, Callable[[bytes], Any]] = {
    "count one byte value": lambda data: int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord(" "))),
    "look up every byte": lambda data: data.translate(bytes(range(256)).lower()),
}


def divided(call: Callable[[], Any]) -> dict[str, float]:
    """Run a call on one thread, and return the seconds of each step of the kernel and of the rest."""
    spent = dict.fromkeys((*STEPS.values(), COUNTS, REST), 0.0)

    def timed(step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            started = time.perf_counter()
            result = function(*arguments, **options)
            spent[step] += time.perf_counter() - started
            return result

        return wrapper

    kernel: Any = engine.kernel
    functions = {name: each for name, each in vars(kernel).items() if callable(each) and not isinstance(each, type)}
    watched = {name: timed(STEPS.get(name, COUNTS), each) for name, each in functions.items()}
    engine.kernel = SimpleNamespace(**{**vars(kernel), **watched})
    textgauge.set_num_threads(1)
    try:
        # Makes the tokenizer's cutter for this kernel.
        call()
        spent.update(dict.fromkeys(spent, 0.0))
        seconds = seconds_of(call)
    finally:
        textgauge.set_num_threads(None)
        engine.kernel = kernel
    spent[REST] = seconds - sum(spent.values())
    return spent


def measured(
    titles: Sequence[str], corpora: Corpora, settings: Settings, progress: Progress = lambda _: None
) -> list[Line]:
    """Return a line per job.

    Its keys: `title`, `corpus`, `segments`; `bytes` of UTF-8 on both sides; `seconds`, the median
    time of a call on one thread, and `parts`, what each step has of it; `seconds_on_threads` on
    the `threads` that it uses by itself; `passes`, the median time of each of `PASSES` over the
    same bytes, taken in turn with the call.
    """
    lines = []
    for title in titles:
        progress(f"{TITLE}: {title}")
        # Warnings of texts without tokens.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            lines.append(_line(title, corpora[JOBS[title][0]], settings))
    return lines


def _line(title: str, corpus: Corpus, settings: Settings) -> Line:
    name, tool = JOBS[title]
    data = "".join([*corpus.predictions, *(text for texts in corpus.references for text in texts)]).encode()
    call, _ = tool.prepare(corpus)
    seen: list[dict[str, float]] = []
    calls = [lambda: seen.append(divided(call)), call, *(partial(each, data) for each in PASSES.values())]
    first_runs = [seconds_of(each) for each in calls]
    _, on_threads, *passes = map(median, interleaved(calls, first_runs, settings.rounds, settings.seconds))
    # The steps of one call, so that they add up to its time.
    parts = sorted(seen[1:], key=lambda spent: sum(spent.values()))[(len(seen) - 1) // 2]
    return {
        "title": title, "corpus": name, "segments": len(corpus), "bytes": len(data), "seconds": sum(parts.values()),
        "seconds_on_threads": on_threads, "threads": textgauge.get_num_threads(), "parts": parts,
        "passes": dict(zip(PASSES, passes, strict=True)),
    }  # fmt: skip
