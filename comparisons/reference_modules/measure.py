"""From rows and texts to results."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import memory, recorded
from .agreement import Agreement, agreement
from .clock import Times, interleaved
from .corpora import Corpus
from .rows import Row
from .tools import ReferenceModule, Scores, Tool, Unavailable


@dataclass
class Run:
    """What was seen of one call.

    Attributes
    ----------
    state : str
        "measured", or why not: "not installed", ...
    first_run : float
        Seconds of the run that gave the scores.
    peak : int or None
        Bytes beyond the input, see `memory`.
    """

    state: str = "measured"
    call: Callable[[], Any] | None = None
    scores: Scores | None = None
    first_run: float = 0.0
    times: Times = field(default_factory=Times)
    peak: int | None = None


@dataclass(frozen=True)
class Result:
    """A row with what was seen of both its calls."""

    row: Row
    ours: Run
    theirs: Run
    agreement: Agreement | None

    @property
    def agrees(self) -> bool | None:
        """Whether the figures lie as close as the row demands; None if there are none."""
        return None if self.agreement is None else self.agreement.difference <= self.row.within

    @property
    def speedup(self) -> float | None:
        """Their median time by ours: above 1, ours is faster."""
        if not self.ours.times.samples or not self.theirs.times.samples:
            return None
        return self.theirs.times.median / self.ours.times.median


@dataclass(frozen=True)
class Settings:
    """How long to measure.

    Attributes
    ----------
    rounds, seconds
        See `clock.interleaved`.
    hub : bool
        Whether to ask the Hub for the reference modules.
    memory : bool
        Whether to run every call once more, in a process of its own; one pair needs none.
    """

    rounds: int = 7
    seconds: float = 60.0
    hub: bool = True
    memory: bool = True


def measured(
    rows: Sequence[Row],
    corpora: Mapping[str, Corpus],
    settings: Settings,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Result]:
    """Measure rows: each distinct call once per corpus, or part of it, and all calls of it in turn."""
    runs: dict[tuple[str, int | None, Tool], Run] = {}
    for name, first in dict.fromkeys((row.corpus, row.first) for row in rows):
        chosen = [row for row in rows if (row.corpus, row.first) == (name, first)]
        tools = dict.fromkeys(tool for row in chosen for tool in (row.ours, row.theirs))
        corpus = corpora[name] if first is None else corpora[name].first(first)
        for tool, run in _runs(tools, corpus, settings, progress).items():
            runs[name, first, tool] = run
    return [_result(row, runs) for row in rows]


def recordings(paths: Mapping[str, Path]) -> dict[str, tuple[Agreement, int]]:
    """Hold us against recorded figures of reference modules, by the module's name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: recorded.compared(path) for name, path in paths.items()}


def _runs(
    tools: Iterable[Tool], corpus: Corpus, settings: Settings, progress: Callable[[str], None]
) -> dict[Tool, Run]:
    # Text that loses all tokens is no subject here; both sides score it 0.
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
        run.times = samples
        counts = settings.memory and len(corpus) > 1 and not tool.has_own_process
        run.peak = memory.peak(tool, corpus) if counts else None
    return runs


def _first_run(tool: Tool, corpus: Corpus, settings: Settings) -> Run:
    if isinstance(tool, ReferenceModule) and not settings.hub:
        return Run("the Hub was not asked")
    try:
        call = tool.prepare(corpus)
        started = time.perf_counter()
        result = call()
        seconds = time.perf_counter() - started
    except Exception as error:
        if tool.is_ours and not isinstance(error, Unavailable):
            raise
        return Run(_state(error))
    return Run("measured", call, tool.read(result), seconds)


def _state(error: Exception) -> str:
    if isinstance(error, Unavailable):
        return str(error)
    return "not installed" if isinstance(error, ImportError) else f"raises {type(error).__name__}"


def _result(row: Row, runs: Mapping[tuple[str, int | None, Tool], Run]) -> Result:
    ours, theirs = (runs[row.corpus, row.first, tool] for tool in (row.ours, row.theirs))
    found = None if ours.scores is None or theirs.scores is None else agreement(ours.scores, theirs.scores)
    return Result(row, ours, theirs, found)
