"""What the commands here share: rows of files, calls timed in turn, lines of tables, the machine."""

from __future__ import annotations

import gc
import gzip
import itertools
import json
import math
import os
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

SHORTEST_SAMPLE, VISIT = 0.002, 0.2


def rows_of(path: str | Path, n: int | None = None) -> list[dict[str, Any]]:
    """Return the rows of a file of JSON Lines, gzipped or not, or the first `n` of them.

    ``references`` is a list in each, also where a row has one ``reference``.
    """
    opened = gzip.open if str(path).endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in itertools.islice(lines, n)]
    for row in rows:
        given = row.get("references", row.get("reference", []))
        row["references"] = [given] if isinstance(given, str) else given
    return rows


def timed(call: Callable[[], Any], clock: Callable[[], float] | None = None) -> tuple[Any, float]:
    """Run a call once, and return its result and its seconds, by default those on the wall."""
    clock = clock or time.perf_counter
    started = clock()
    result = call()
    return result, clock() - started


def fastest(call: Callable[[], Any], rounds: int, clock: Callable[[], float] | None = None) -> tuple[Any, float]:
    """Run a call some times, and return its last result and the smallest of its seconds."""
    runs = [timed(call, clock) for _ in range(rounds)]
    return runs[-1][0], min(seconds for _, seconds in runs)


def seconds_of(call: Callable[[], Any], clock: Callable[[], float] | None = None) -> float:
    """Run a call once and return its seconds, without those in which its result is freed."""
    return timed(call, clock)[1]


def interleaved(
    calls: Sequence[Callable[[], Any]], first_runs: Sequence[float], rounds: int, seconds: float = math.inf
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
    seconds : float
        The seconds of timing after which a call is not timed again; every call is timed once.

    Returns
    -------
    list of list of float
        The samples of each call, in seconds per call.
    """
    times: list[list[float]] = [[] for _ in calls]
    used = [0.0 for _ in calls]
    gc.collect()
    is_frozen = gc.get_freeze_count() > 0
    # Else every collection would traverse the objects of all imports.
    gc.freeze()
    try:
        for i in [i for n in range(rounds) for i in range(len(calls))[:: -1 if n % 2 else 1]]:
            if times[i] and used[i] >= seconds:
                continue
            gc.collect()
            expected = max(1e-7, min([first_runs[i], *times[i]]))
            number = math.ceil(SHORTEST_SAMPLE / expected)
            for _ in range(min(5, max(1, int(VISIT / (number * expected))))):
                elapsed = sum(seconds_of(calls[i]) for _ in range(number))
                times[i].append(elapsed / number)
                used[i] += elapsed
    finally:
        if not is_frozen:
            gc.unfreeze()
    return times


def table_line(cells: Iterable[str]) -> str:
    """Return a line of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def show(heads: Sequence[str], rows: Iterable[Iterable[str]]) -> None:
    """Write a table in Markdown, each row when it is measured."""
    for cells in itertools.chain([heads, ["---"] * len(heads)], rows):
        click.echo(table_line(cells))


def machine() -> dict[str, str | int]:
    """Return the processor's model, the usable cores, the system and the version of Python."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text().splitlines() if listing.is_file() else []
    models = [" ".join(line.partition(":")[2].split()) for line in lines if line.startswith("model name")]
    return {
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "cores": usable,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def described(seen: dict[str, Any]) -> str:
    """Return the machine as a line of text."""
    return f"{seen['processor']}, {seen['cores']} cores, {seen['system']}, Python {seen['python']}"
