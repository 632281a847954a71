"""Times of several calls, run in turn."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil
from statistics import median
from typing import Any

SHORTEST_SAMPLE = 0.002
VISIT = 0.2


@dataclass
class Times:
    """The samples of one call, in seconds per call."""

    samples: list[float] = field(default_factory=list)

    @property
    def minimum(self) -> float:
        """The shortest sample."""
        return min(self.samples)

    @property
    def median(self) -> float:
        """The median sample."""
        return median(self.samples)


def seconds_of(call: Callable[[], Any]) -> float:
    """Run a call once and return how long it took."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def interleaved(
    calls: Sequence[Callable[[], Any]], first_runs: Sequence[float], *, rounds: int, seconds: float
) -> list[Times]:
    """Time calls in turn, so that a slow minute of the machine hits all of them.

    In each round each call has its turn, in the opposite order every other round: one
    sample, or up to 5 of a short call. Calls below 2 ms are timed several at once.

    Parameters
    ----------
    calls : sequence of callables, each of which has been run once
    first_runs : sequence of float
        The seconds that took, which are not counted.
    rounds : int
        How many turns each call gets.
    seconds : float
        A call that has used as much sits out the rest; every call gets one turn.
    """
    times = [Times() for _ in calls]
    used = [0.0 for _ in calls]
    order = list(range(len(calls)))
    gc.collect()
    # What the imports made is no tool's garbage: it would be looked through in every collection.
    gc.freeze()
    try:
        for _ in range(rounds):
            for i in order:
                if not times[i].samples or used[i] < seconds:
                    used[i] += _turn(calls[i], times[i], first_runs[i])
            order.reverse()
    finally:
        gc.unfreeze()
    return times


def _turn(call: Callable[[], Any], times: Times, first_run: float) -> float:
    """Add samples of one call, and return the seconds they took."""
    gc.collect()
    expected = max(1e-7, min([first_run, *times.samples]))
    number = ceil(SHORTEST_SAMPLE / expected)
    samples = [_sample(call, number) for _ in range(min(5, max(1, int(VISIT / (number * expected)))))]
    times.samples += samples
    return sum(samples) * number


def _sample(call: Callable[[], Any], number: int) -> float:
    elapsed = 0.0
    for _ in range(number):
        started = time.perf_counter()
        result = call()
        elapsed += time.perf_counter() - started
        # Freed outside the clock: what a caller does with a result is not the tool's time.
        del result
    return elapsed / number
