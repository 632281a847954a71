"""The jobs whose time is divided into parts, and how far they are from a plain pass over their text."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import textgauge

from .clock import interleaved, seconds_of
from .corpora import Corpus
from .parts import profiled
from .tools import Function, Tool

TITLE = "where the time goes"
N_PROFILED = 3
LOWER = bytes(range(256)).lower()
SPACE = ord(" ")


@dataclass(frozen=True)
class Job:
    """One call on one of the corpora, see `corpora`."""

    title: str
    corpus: str
    tool: Tool


JOBS = (
    Job("ROUGE", "summaries", Function("rouge", use_aggregator=False)),
    Job("ROUGE of stems", "summaries", Function("rouge", use_aggregator=False, use_stemmer=True)),
    Job("BLEU", "translations", Function("bleu")),
)


def measured(
    jobs: Iterable[Job],
    corpora: Mapping[str, Corpus],
    *,
    rounds: int,
    seconds: float,
    progress: Callable[[str], None] = lambda _: None,
) -> list[dict[str, Any]]:
    """Return a line per job.

    Its keys: `title`, `corpus`, `segments`; `bytes` of UTF-8 on both sides; `seconds`, the median
    time of a call on one thread, and `seconds_on_threads` on the `threads` that it uses by itself;
    `profiled`, that of one under the profiler, on one thread, which `parts` divide by name; and
    `passes`, the median time of each of `passes_over` the same bytes, taken in turn with the call.
    """
    lines = []
    with warnings.catch_warnings():
        # Text that loses all tokens is no subject here.
        warnings.simplefilter("ignore")
        for job in jobs:
            progress(f"{TITLE}: {job.title}")
            lines.append(_line(job, corpora[job.corpus], rounds, seconds))
    return lines


def passes_over(data: bytes) -> dict[str, Callable[[], Any]]:
    """Return plain passes over bytes: the least that any tool must do.

    Examples
    --------
    >>> {name: call() for name, call in passes_over(b"A b c").items()}
    {'count one byte value': 2, 'look up every byte': b'a b c'}
    """
    values = np.frombuffer(data, np.uint8)
    return {
        "count one byte value": lambda: int(np.count_nonzero(values == SPACE)),
        "look up every byte": lambda: data.translate(LOWER),
    }


@contextmanager
def one_thread() -> Iterator[None]:
    """Let calls use one thread, then as many as they do by themselves."""
    textgauge.set_num_threads(1)
    try:
        yield
    finally:
        textgauge.set_num_threads(None)


def _line(job: Job, corpus: Corpus, rounds: int, seconds: float) -> dict[str, Any]:
    data = "".join([*corpus.predictions, *(text for texts in corpus.references for text in texts)]).encode()
    passes = passes_over(data)
    call = job.tool.prepare(corpus)

    def alone() -> Any:
        with one_thread():
            return call()

    calls = [alone, call, *passes.values()]
    first_runs = [seconds_of(each) for each in calls]
    parts, whole = profiled(alone, N_PROFILED)
    ours, on_threads, *theirs = interleaved(calls, first_runs, rounds=rounds, seconds=seconds)
    return {
        "title": job.title,
        "corpus": job.corpus,
        "segments": len(corpus),
        "bytes": len(data),
        "seconds": ours.median,
        "seconds_on_threads": on_threads.median,
        "threads": textgauge.get_num_threads(),
        "profiled": whole,
        "parts": parts,
        "passes": {name: times.median for name, times in zip(passes, theirs, strict=True)},
    }
