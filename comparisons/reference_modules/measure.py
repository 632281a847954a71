"""From rows and texts to the lines of the page: scores, interleaved times, peak memory."""

from __future__ import annotations

import gc
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any

from . import child
from .agreement import TITLES, agreement, compared
from .rows import Row
from .texts import Corpus, Library, Unavailable
from .tool import Scores, Tool

SHORTEST_SAMPLE, VISIT = 0.002, 0.2
MEASURED, RECORDED = "measured", "recorded figures"
RECORDED_WITHIN = 1e-12
# Titles name the number of segments up to this one.
BATCH = 32
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
        Whether to run every call once more in a child process, for its memory; not for single pairs.
    """

    rounds: int
    seconds: float
    hub: bool = True
    memory: bool = True


@dataclass
class Run:
    """The measurements of one call.

    Attributes
    ----------
    state : str
        "measured", or the reason if not: "not installed", ...
    first_run : float
        Seconds of the first run, which returned the scores.
    times : list of float
        Seconds per call.
    peak : int or None
        Bytes beyond the input, see `child`.
    """

    state: str = MEASURED
    call: Callable[[], Any] | None = None
    scores: Scores | None = None
    first_run: float = 0.0
    times: list[float] = field(default_factory=list)
    peak: int | None = None


def measured(
    rows: Sequence[Row], corpora: Corpora, settings: Settings, progress: Progress = lambda _: None
) -> list[Line]:
    """Measure rows: for every corpus, or part of it, the scores of each distinct call, then interleaved times.

    A line has `title`, `variant`, `tool`, `state`, `limit`, and `first` if it uses only the first segments
    of a corpus; if figures were compared, `agrees`, `difference`, `where`, `decimals` (None: equal),
    `figures`; if it was timed, `speedup`, and for `ours` and `theirs` `minimum` and `median` in
    seconds, `samples` and `peak` in bytes.
    """
    lines: dict[int, Line] = {}
    for name, first in dict.fromkeys((row.corpus, row.first) for row in rows):
        chosen = {i: row for i, row in enumerate(rows) if (row.corpus, row.first) == (name, first)}
        tools = list(dict.fromkeys(tool for row in chosen.values() for tool in (row.ours, row.theirs)))
        try:
            whole = corpora[name]
        except Unavailable as reason:
            runs, n_segments = {tool: Run(str(reason)) for tool in tools}, 0
        else:
            runs = _runs(tools, whole if first is None else whole.first(first), settings, progress)
            n_segments = len(whole)
        for i, row in chosen.items():
            lines[i] = _line(row, runs[row.ours], runs[row.theirs], n_segments)
    return [lines[i] for i in range(len(rows))]


def _runs(tools: Iterable[Tool], corpus: Corpus, settings: Settings, progress: Progress) -> dict[Tool, Run]:
    # Warnings of texts without tokens, which both sides score 0.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runs = {}
        for tool in tools:
            progress(f"{tool.name}: scores")
            runs[tool] = _first_run(tool, corpus, settings)
        progress("times")
        there = [(tool, run, run.call) for tool, run in runs.items() if run.call is not None]
        calls, first_runs = [call for *_, call in there], [run.first_run for _, run, _ in there]
        times = interleaved(calls, first_runs, rounds=settings.rounds, seconds=settings.seconds)
    for (tool, run, _), samples in zip(there, times, strict=True):
        progress(f"{tool.name}: memory")
        counts = settings.memory and len(corpus) > 1 and not tool.has_own_process
        run.times, run.peak = samples, child.peak(tool, corpus) if counts else None
    return runs


def _first_run(tool: Tool, corpus: Corpus, settings: Settings) -> Run:
    if tool.asks_hub and not settings.hub:
        return Run("the Hub was not asked")
    try:
        call, read = tool.prepare(corpus)
        started = time.perf_counter()
        result = call()
        seconds = time.perf_counter() - started
    except Unavailable as reason:
        return Run(str(reason))
    except Exception as error:
        if tool.is_ours:
            raise
        return Run("not installed" if isinstance(error, ImportError) else f"raises {type(error).__name__}")
    return Run(MEASURED, call, read(result), seconds)


def _line(row: Row, ours: Run, theirs: Run, n_segments: int) -> Line:
    states = [run.state for run in (theirs, ours) if run.state != MEASURED]
    line: Line = {"title": row.title, "variant": row.variant, "tool": row.theirs.name, "limit": row.limit}
    line["state"] = states[0] if states else MEASURED
    if row.first is not None and BATCH < row.first < n_segments:
        line["first"] = row.first
    if ours.scores is not None and theirs.scores is not None:
        line |= _judged(agreement(ours.scores, theirs.scores), row.within)
        line["speedup"] = median(theirs.times) / median(ours.times)
        line |= {"ours": _seen(ours), "theirs": _seen(theirs)}
    return line


def _judged(found: Line, within: float) -> Line:
    return {"agrees": found["difference"] <= within, **found}


def _seen(run: Run) -> Line:
    return {"minimum": min(run.times), "median": median(run.times), "samples": len(run.times), "peak": run.peak}


def with_recordings(lines: Sequence[Line], paths: Mapping[str, Path]) -> list[Line]:
    """Compare with recordings of reference modules; they precede or replace the lines of the live modules."""
    found = list(lines)
    for module, path in paths.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            line = _judged(compared(path), RECORDED_WITHIN)
        line |= {"title": TITLES[module], "variant": "", "tool": f"reference {module} module", "limit": ""}
        line |= {"state": RECORDED, "note": f"{line.pop('cases'):,} recorded calls"}
        at = next((i for i, other in enumerate(found) if other["tool"] == line["tool"]), len(found))
        found.insert(at, line)
        found = [other for other in found if other["tool"] != line["tool"] or "agrees" in other]
    return found


def failures(lines: Iterable[Line]) -> list[str]:
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
    calls: Sequence[Callable[[], Any]], first_runs: Sequence[float], *, rounds: int, seconds: float
) -> list[list[float]]:
    """Time calls in turn, so that a slow phase of the machine affects all of them.

    Every round times each call, in reverse order every other round: one sample, or up to 5
    of a short call. A sample of a call below 2 ms is the mean of several.

    Parameters
    ----------
    calls : sequence of callables, each of which has been run once
    first_runs : sequence of float
        The seconds of those runs, which are not counted.
    rounds : int
        The number of rounds.
    seconds : float
        A call that has used this time is not timed again; every call is timed once.

    Returns
    -------
    list of list of float
        The samples of each call, in seconds per call.
    """
    times: list[list[float]] = [[] for _ in calls]
    used = [0.0 for _ in calls]
    order = list(range(len(calls)))
    gc.collect()
    is_frozen = gc.get_freeze_count() > 0
    # Else every collection would traverse the objects of all imports.
    gc.freeze()
    try:
        for _ in range(rounds):
            for i in order:
                if not times[i] or used[i] < seconds:
                    used[i] += _turn(calls[i], times[i], first_runs[i])
            order.reverse()
    finally:
        if not is_frozen:
            gc.unfreeze()
    return times


def _turn(call: Callable[[], Any], times: list[float], first_run: float) -> float:
    """Add samples of one call, and return the seconds they took."""
    gc.collect()
    expected = max(1e-7, min([first_run, *times]))
    number = ceil(SHORTEST_SAMPLE / expected)
    samples = [_sample(call, number) for _ in range(min(5, max(1, int(VISIT / (number * expected)))))]
    times += samples
    return sum(samples) * number


def _sample(call: Callable[[], Any], number: int) -> float:
    elapsed = 0.0
    for _ in range(number):
        started = time.perf_counter()
        result = call()
        elapsed += time.perf_counter() - started
        # Freed after the clock stops: what a caller does with a result is not the tool's time.
        del result
    return elapsed / number
