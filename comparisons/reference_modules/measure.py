"""From rows and texts to the lines of the page: agreement, then interleaved times, then peak memory."""

from __future__ import annotations

import gc
import math
import os
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from .rows import Row
from .texts import BATCH, Corpus, Library, Unavailable
from .tool import Scores, Tool

MEASURED = "measured"
SHORTEST_SAMPLE, VISIT = 0.002, 0.2
STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
Line = dict[str, Any]
Progress = Callable[[str], None]
Corpora = Library | Mapping[str, Corpus]


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
                corpus = corpora[name]
                lines |= _lines(chosen, corpus.first(first), settings)
            except Unavailable as reason:
                lines |= {row: _named(row, str(reason)) for row in chosen}
                continue
        for row in chosen:
            if row.first is not None and BATCH < row.first < len(corpus):
                lines[row]["first"] = row.first
    return [lines[row] for row in rows]


def _named(row: Row, state: str) -> Line:
    return {"title": row.title, "variant": row.variant, "tool": row.tools[-1].name, "limit": row.limit, "state": state}


def _lines(rows: Sequence[Row], corpus: Corpus, settings: Settings) -> dict[Row, Line]:
    ours = {row.ours for row in rows}
    tools = dict.fromkeys(tool for row in rows for tool in row.tools)
    runs = {tool: _first_run(tool, corpus, settings, is_ours=tool in ours) for tool in tools}
    lines = {row: _compared(row, *(runs[tool] for tool in row.tools)) for row in rows}
    sound = [row for row, line in lines.items() if line["state"] == MEASURED and line.get("agrees", True)]
    timed = [tool for tool in tools if tool.is_timed and any(tool in row.tools for row in sound)]
    times = interleaved([runs[tool].call for tool in timed], [runs[tool].first_run for tool in timed], settings)
    for tool, samples in zip(timed, times, strict=True):
        runs[tool].times = samples
        if settings.memory and tool.has_memory and len(corpus) > BATCH:
            runs[tool].peak = peak(tool, corpus)
    for row in sound:
        both = [runs[tool] for tool in row.tools]
        if row.is_own:
            lines[row] = _own_line(row, corpus, *both)
        elif row.ours.is_timed:
            lines[row] |= _speeds(*both)
    return lines


def _first_run(tool: Tool, corpus: Corpus, settings: Settings, *, is_ours: bool) -> Run:
    if tool.asks_hub and not settings.hub:
        return Run("the Hub was not asked")
    try:
        call, read = tool.prepare(corpus)
        started = time.perf_counter()
        result = call()
        return Run(MEASURED, call, time.perf_counter() - started, read(result))
    except Unavailable as reason:
        return Run(str(reason))
    except Exception as error:
        if is_ours:
            raise
        return Run("not installed" if isinstance(error, ImportError) else f"raises {type(error).__name__}")


def _compared(row: Row, ours: Run, theirs: Run | None = None) -> Line:
    """Return the agreement of both calls, or the reason why one of them is missing."""
    states = [run.state for run in (theirs, ours) if run and run.state != MEASURED]
    line = _named(row, states[0] if states else MEASURED)
    if states or row.is_own or theirs is None:
        return line
    found = agreement(ours.scores, theirs.scores)
    return line | {"agrees": found["difference"] <= row.within, **found}


def _speeds(ours: Run, theirs: Run) -> Line:
    def seen(run: Run) -> Line:
        return {"minimum": min(run.times), "median": median(run.times), "samples": len(run.times), "peak": run.peak}

    return {"speedup": median(theirs.times) / median(ours.times), "ours": seen(ours), "theirs": seen(theirs)}


def _own_line(row: Row, corpus: Corpus, ours: Run, base: Run | None = None) -> Line:
    """Return the time of our call, or its time beyond that of another one."""
    seconds, note = median(ours.times), ""
    if len(corpus) > 1:
        note = f"{seconds / len(corpus) * 1e6:.2f} µs a {'pair' if corpus.references else 'text'}"
    if base:
        note = f"{seconds * 1e3:.2f} ms against {median(base.times) * 1e3:.2f} ms, {len(corpus):,} segments"
        seconds = max(0.0, seconds - median(base.times))
    return {"title": row.title, "seconds": seconds, "note": note.replace(", 1 segments", ""), "peak": ours.peak}


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
    difference, where = -1.0, ""
    for name, values in their.items():
        if len(our.get(name, ())) != len(values):
            raise ValueError(f"{name}: expected {len(values)} figures of ours, got {len(our.get(name, ()))}")
        for i, (left, right) in enumerate(zip(our[name], values, strict=True)):
            apart = math.inf if math.isnan(left - right) else abs(left - right)
            if apart > difference:
                difference, where = apart, f"{name}[{i}]" if len(values) > 1 else name
    if not where:
        raise ValueError("theirs: expected at least one figure, got none")
    decimals = None if difference == 0 else 0
    if 0 < difference < math.inf:
        decimals = max(0, math.floor(-math.log10(2 * difference)))
    return {"difference": difference, "where": where, "decimals": decimals, "figures": sum(map(len, their.values()))}


def failures(lines: Sequence[Line]) -> list[str]:
    """Return one sentence per line whose figures differ by more than the tolerance."""
    return [
        f"{line['title']}: {line['tool']} differs by {line['difference']:.3g} in {line['where']}"
        for line in lines
        if line.get("agrees") is False
    ]


def seconds_of(call: Callable[[], Any]) -> float:
    """Run a call once and return its seconds."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def interleaved(
    calls: Sequence[Callable[[], Any]], first_runs: Sequence[float], settings: Settings
) -> list[list[float]]:
    """Time calls in turn, so that a slow phase of the machine affects all of them.

    Every round times each call, in reverse order every other round: one sample, or up to 5
    of a short call. A sample of a call below 2 ms is the mean of several.

    Parameters
    ----------
    calls : sequence of callables, each of which has been run once
    first_runs : sequence of float
        The seconds of those runs, which are not counted.
    settings : Settings
        The number of `rounds`, and the `seconds` of timing after which a call is not timed again;
        every call is timed once.

    Returns
    -------
    list of list of float
        The samples of each call, in seconds per call.
    """
    times: list[list[float]] = [[] for _ in calls]
    order = list(range(len(calls)))
    gc.collect()
    is_frozen = gc.get_freeze_count() > 0
    # Else every collection would traverse the objects of all imports.
    gc.freeze()
    used = [0.0 for _ in calls]
    try:
        for _ in range(settings.rounds):
            for i in order:
                if not times[i] or used[i] < settings.seconds:
                    gc.collect()
                    expected = max(1e-7, min([first_runs[i], *times[i]]))
                    number = math.ceil(SHORTEST_SAMPLE / expected)
                    samples = [
                        _sample(calls[i], number) for _ in range(min(5, max(1, int(VISIT / (number * expected)))))
                    ]
                    times[i] += samples
                    used[i] += sum(samples) * number
            order.reverse()
    finally:
        if not is_frozen:
            gc.unfreeze()
    return times


def _sample(call: Callable[[], Any], number: int) -> float:
    elapsed = 0.0
    for _ in range(number):
        started = time.perf_counter()
        result = call()
        elapsed += time.perf_counter() - started
        # Freed after the clock stops: what a caller does with a result is not the tool's time.
        del result
    return elapsed / number


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
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1])
