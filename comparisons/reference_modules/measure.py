"""From rows and texts to the lines of the page: agreement, then interleaved times, then peak memory; steps of calls."""

from __future__ import annotations

import gc
import math
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any

import numpy as np
import textgauge
from textgauge import engine

from comparisons.timing import interleaved, seconds_of, timed

from .rows import Row
from .texts import BATCH, Corpus, Unavailable
from .tool import Scores, Tool, ours

MEASURED = "measured"
STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
Line = dict[str, Any]
Progress = Callable[[str], None]
Corpora = Mapping[str, Corpus]
WHERE, REST = "where the time goes", "scores and the rest"
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


@dataclass(frozen=True)
class Settings:
    """Settings of the measurement.

    Attributes
    ----------
    rounds, seconds
        See `interleaved`.
    hub : bool
        Whether to ask the Hub for the reference modules.
    memory : bool
        Whether to run every call once more in a process of its own, for its memory; not for small batches.
    """

    rounds: int
    seconds: float
    hub: bool = True
    memory: bool = True


@dataclass
class Run:
    """One call: "measured" or the reason if not, its figures, the time of the first run, later times, peak memory."""

    state: str
    call: Any = None
    first_run: float = 0.0
    scores: Scores = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    peak: int | None = None


def measured(
    rows: Sequence[Row], corpora: Corpora, settings: Settings, progress: Progress = lambda _: None
) -> list[Line]:
    """Measure rows: for every corpus, or part of it, the figures of each distinct call, then interleaved times.

    A line has `title`, `variant`, `tool`, `state`, `limit`, and `first` if it uses only the first segments
    of a corpus; if figures were compared, `agrees`, `difference`, `where`, `decimals` (None: equal),
    `figures`; if it was timed, `speedup`, and for `ours` and `theirs` `minimum` and `median` in
    seconds, `samples` and `peak` in bytes. What disagrees is not timed. A line of our own calls has
    `title`, `seconds`, `note` and `peak`.
    """
    lines: dict[Row, Line] = {}
    for name, first in dict.fromkeys((row.corpus, row.first) for row in rows):
        chosen = [row for row in rows if (row.corpus, row.first) == (name, first)]
        progress(name)
        # Warnings of texts without tokens, which both sides score 0.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                lines |= _lines(chosen, corpora[name], settings)
            except Unavailable as reason:
                lines |= {row: _line(row, str(reason)) for row in chosen}
    return [lines[row] for row in rows]


def _lines(rows: Sequence[Row], every: Corpus, settings: Settings) -> dict[Row, Line]:
    """Measure rows with the same texts."""
    first, own = rows[0].first, {row.ours for row in rows}
    corpus = every.first(first)
    is_batch = len(corpus) <= BATCH
    tools = dict.fromkeys(tool for row in rows for tool in row.tools)
    runs = {tool: _first_run(tool, corpus, settings, is_ours=tool in own) for tool in tools}
    lines = {row: _compared(row, *(runs[tool] for tool in row.tools)) for row in rows}
    sound = [row for row, line in lines.items() if line["state"] == MEASURED and line.get("agrees", True)]
    timed = [runs[tool] for tool in tools if tool.is_timed and any(tool in row.tools for row in sound)]
    times = interleaved(
        [run.call for run in timed], [run.first_run for run in timed], settings.rounds, settings.seconds
    )
    for run, samples in zip(timed, times, strict=True):
        run.times = samples
    for tool, run in runs.items():
        if run.times and settings.memory and tool.has_memory and not is_batch:
            run.peak = peak(tool, corpus)
    for row in sound:
        both = [runs[tool] for tool in row.tools]
        if row.is_own:
            lines[row] = _own_line(row, corpus, *both)
        elif row.ours.is_timed:
            lines[row] |= _speeds(*both)
    part = {} if first is None or is_batch or len(corpus) == len(every) else {"first": first}
    return {row: line | part for row, line in lines.items()}


def _first_run(tool: Tool, corpus: Corpus, settings: Settings, *, is_ours: bool) -> Run:
    if tool.asks_hub and not settings.hub:
        return Run("the Hub was not asked")
    try:
        call, read = tool.prepare(corpus)
        result, seconds = timed(call)
        return Run(MEASURED, call, seconds, read(result))
    except Unavailable as reason:
        return Run(str(reason))
    except Exception as error:
        if is_ours:
            raise
        return Run("not installed" if isinstance(error, ImportError) else f"raises {type(error).__name__}")


def _line(row: Row, state: str) -> Line:
    return {"title": row.title, "variant": row.variant, "tool": row.tools[-1].name, "limit": row.limit, "state": state}


def _compared(row: Row, ours: Run, theirs: Run | None = None) -> Line:
    """Return the agreement of both calls, or the reason why one of them is missing."""
    states = [run.state for run in (theirs, ours) if run and run.state != MEASURED]
    line = _line(row, states[0] if states else MEASURED)
    if states or row.is_own or theirs is None:
        return line
    found = agreement(ours.scores, theirs.scores)
    return line | {"agrees": found["difference"] <= row.within, **found}


def _speeds(ours: Run, theirs: Run) -> Line:
    sides = {
        side: {"minimum": min(run.times), "median": median(run.times), "samples": len(run.times), "peak": run.peak}
        for side, run in (("ours", ours), ("theirs", theirs))
    }
    return {"speedup": sides["theirs"]["median"] / sides["ours"]["median"], **sides}


def _own_line(row: Row, corpus: Corpus, ours: Run, base: Run | None = None) -> Line:
    """Return the time of our call, or its time beyond that of another one."""
    seconds, note = median(ours.times), ""
    if base:
        below = median(base.times)
        segments = f", {len(corpus):,} segments" if len(corpus) > 1 else ""
        note = f"{seconds * 1e3:.2f} ms against {below * 1e3:.2f} ms{segments}"
        seconds = max(0.0, seconds - below)
    elif len(corpus) > 1:
        note = f"{seconds / len(corpus) * 1e6:.2f} µs a {'pair' if corpus.references else 'text'}"
    return {"title": row.title, "seconds": seconds, "note": note, "peak": ours.peak}


def agreement(our: Scores, their: Scores) -> dict[str, Any]:
    """Compare every figure of theirs with ours of the same name.

    Returns
    -------
    dict
        `difference`: the largest absolute one, infinite where one of two figures is not a number;
        `where`: the figure that has it ("rouge1[17]" is that of segment 17); `decimals`: the largest
        d for which it is at most half a unit of decimal d, None if it is 0; `figures`: how many
        were compared.

    Raises
    ------
    ValueError
        If one of their figures has no counterpart among ours, or the numbers of values differ.
    """
    apart: dict[str, float] = {}
    for name, values in their.items():
        if len(our.get(name, ())) != len(values):
            raise ValueError(f"{name}: expected {len(values)} figures of ours, got {len(our.get(name, ()))}")
        for i, (left, right) in enumerate(zip(our[name], values, strict=True)):
            difference = math.inf if math.isnan(left - right) else abs(left - right)
            apart[f"{name}[{i}]" if len(values) > 1 else name] = difference
    if not apart:
        raise ValueError("theirs: expected at least one figure, got none")
    where, difference = max(apart.items(), key=lambda found: found[1])
    decimals = 0 if difference == math.inf else max(0, math.floor(-math.log10(2 * difference))) if difference else None
    return {"difference": difference, "where": where, "decimals": decimals, "figures": len(apart)}


def failures(lines: Sequence[Line]) -> list[str]:
    """Return one sentence per line whose figures differ by more than the tolerance."""
    return [
        f"{line['title']}: {line['tool']} differs by {line['difference']:.3g} in {line['where']}"
        for line in lines
        if line.get("agrees") is False
    ]


def divided(call: Callable[[], Any]) -> dict[str, float]:
    """Run a call on one thread, and return the seconds of each step of the kernel and of the rest."""
    spent = dict.fromkeys((*STEPS.values(), COUNTS, REST), 0.0)

    def watching(step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            result, seconds = timed(lambda: function(*arguments, **options))
            spent[step] += seconds
            return result

        return wrapper

    kernel: Any = engine.kernel
    functions = {name: each for name, each in vars(kernel).items() if callable(each) and not isinstance(each, type)}
    watched = {name: watching(STEPS.get(name, COUNTS), each) for name, each in functions.items()}
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


def parts_of(
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
        progress(f"{WHERE}: {title}")
        # Warnings of texts without tokens.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            lines.append(_parts(title, corpora[JOBS[title][0]], settings))
    return lines


def _parts(title: str, corpus: Corpus, settings: Settings) -> Line:
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


def peak(tool: Tool, corpus: Corpus) -> int | None:
    """Return the peak memory of one call beyond its input, in bytes.

    In a new process: `tracemalloc` does not see allocations of C++, Rust, Arrow or NumPy, and
    `resource.getrusage` includes the peak of the parent process. None on systems that cannot reset
    the peak of a process as Linux does, and if the call fails there.
    """
    if not os.access(RESET, os.W_OK):
        return None
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        try:
            return process.submit(_peak, tool, corpus).result()
        except Exception:
            return None


def _peak(tool: Tool, corpus: Corpus) -> int:
    warnings.simplefilter("ignore")
    # Enough texts for nltk, which fails without a common pair of words.
    tool.prepare(corpus.first(100))[0]()
    call, _ = tool.prepare(corpus)
    gc.collect()
    RESET.write_text("5")
    before = _kilobytes("VmRSS:")
    call()
    return max(0, _kilobytes("VmHWM:") - before) * 1024


def _kilobytes(field: str) -> int:
    return int(STATUS.read_text().partition(field)[2].split()[0])
