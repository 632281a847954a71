"""The time of one call by step, and that of plain passes over the same text."""

from __future__ import annotations

import inspect
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from pkgutil import resolve_name
from statistics import median
from typing import Any

import numpy as np
import textgauge

from .measure import Corpora, Line, Progress, Settings, interleaved, seconds_of
from .tool import Tool, ours

Steps = Mapping[str, Sequence[tuple[str, str]]]
TITLE = "where the time goes"
# The functions of each step: module or class, and name. Nested time counts for the inner function only.
STEPS: Steps = {
    "columns": (("textgauge.measures.measure:Measure", "corpus_of"),),
    "tokens": (("textgauge.text.tokenizers:Tokenizer", "cut"),),
    "counts": (("textgauge.measures.rouge:Rouge", "count"), ("textgauge.measures.bleu:Bleu", "count")),
}
REST = "scores and the rest"
# Title, texts, call.
JOBS: dict[str, tuple[str, Tool]] = {
    "ROUGE": ("summaries", ours("rouge", use_aggregator=False)),
    "ROUGE of stems": ("summaries", ours("rouge", use_aggregator=False, use_stemmer=True)),
    "BLEU": ("translations", ours("bleu")),
}
LOWER = bytes(range(256)).lower()
SPACE = ord(" ")


class StopWatch:
    """Divides the time of a call among steps: `spent`, in seconds. For one thread."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._inner = [0.0]

    def timed(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose time counts for a step, without the time of timed functions that it calls."""

        @wraps(function)
        def wrapper(*arguments: Any, **options: Any) -> Any:
            self._inner.append(0.0)
            started = time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                elapsed = time.perf_counter() - started
                self.spent[step] = self.spent.get(step, 0.0) + elapsed - self._inner.pop()
                self._inner[-1] += elapsed

        return wrapper


@contextmanager
def watched(watch: StopWatch, steps: Steps) -> Iterator[None]:
    """Time the functions of all steps within the block."""
    with ExitStack() as after:
        for step, place, name in [(step, *function) for step, functions in steps.items() for function in functions]:
            owner: Any = resolve_name(place)
            raw = inspect.getattr_static(owner, name)
            is_static = isinstance(raw, staticmethod)
            wrapper = watch.timed(step, raw.__func__ if is_static else raw)
            setattr(owner, name, staticmethod(wrapper) if is_static else wrapper)
            after.callback(setattr, owner, name, raw)
        yield


def divided(call: Callable[[], Any], steps: Steps = STEPS) -> dict[str, float]:
    """Run a call on one thread, and return the seconds of each step and of the rest."""
    watch = StopWatch()
    watch.spent = dict.fromkeys((*steps, REST), 0.0)
    textgauge.set_num_threads(1)
    try:
        with watched(watch, steps):
            watch.timed(REST, call)()
    finally:
        textgauge.set_num_threads(None)
    return watch.spent


def measured(
    titles: Sequence[str], corpora: Corpora, settings: Settings, progress: Progress = lambda _: None
) -> list[Line]:
    """Return a line per job.

    Its keys: `title`, `corpus`, `segments`; `bytes` of UTF-8 on both sides; `seconds`, the median
    time of a call on one thread, and `parts`, what each step has of it; `seconds_on_threads` on
    the `threads` that it uses by itself; `passes`, the median time of each of `passes_over` the
    same bytes, taken in turn with the call.
    """
    lines = []
    with warnings.catch_warnings():
        # Warnings of texts without tokens.
        warnings.simplefilter("ignore")
        for title in titles:
            progress(f"{TITLE}: {title}")
            lines.append(_line(title, corpora, settings))
    return lines


def passes_over(data: bytes) -> dict[str, Callable[[], Any]]:
    """Return plain passes over bytes: the least that any tool must do."""
    values = np.frombuffer(data, np.uint8)
    return {
        "count one byte value": lambda: int(np.count_nonzero(values == SPACE)),
        "look up every byte": lambda: data.translate(LOWER),
    }


def _line(title: str, corpora: Corpora, settings: Settings) -> Line:
    name, tool = JOBS[title]
    corpus = corpora[name]
    data = "".join([*corpus.predictions, *(text for texts in corpus.references for text in texts)]).encode()
    passes = passes_over(data)
    call, _ = tool.prepare(corpus)
    seen: list[dict[str, float]] = []
    calls = [lambda: seen.append(divided(call)), call, *passes.values()]
    first_runs = [seconds_of(each) for each in calls]
    _, on_threads, *theirs = interleaved(calls, first_runs, rounds=settings.rounds, seconds=settings.seconds)
    # The steps of one call, so that they add up to its time.
    parts = sorted(seen[1:], key=lambda spent: sum(spent.values()))[(len(seen) - 1) // 2]
    return {
        "title": title,
        "corpus": name,
        "segments": len(corpus),
        "bytes": len(data),
        "seconds": sum(parts.values()),
        "seconds_on_threads": median(on_threads),
        "threads": textgauge.get_num_threads(),
        "parts": parts,
        "passes": {name: median(times) for name, times in zip(passes, theirs, strict=True)},
    }
