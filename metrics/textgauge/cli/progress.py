"""A progress bar for long input."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn


class LateProgress:
    """A bar on a terminal, shown only once the work has taken `delay` seconds, gone when it ends."""

    def __init__(self, console: Console, *, delay: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        """Note the time."""
        self._clock, self._delay = clock, delay
        self._start = clock()
        self._console = console
        self._bar: Progress | None = None

    def __enter__(self) -> LateProgress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar:
            self._bar.stop()

    def show(self, share: float | None, n_segments: int) -> None:
        """Show how much is done: a share from 0 to 1, or None where nobody knows."""
        if self._bar is None:
            if not self._console.is_terminal or self._clock() - self._start < self._delay:
                return
            self._bar = _bar(self._console)
            self._task = self._bar.add_task("scoring", total=None, n_segments=0)
            self._bar.start()
        total = None if share is None else 1.0
        self._bar.update(self._task, total=total, completed=share or 0.0, n_segments=n_segments)


def _bar(console: Console) -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.fields[n_segments]:,} segments"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
