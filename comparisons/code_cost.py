"""What a program that passes its tests costs, beside the way of the Hub's module.

    python -m comparisons.code_cost

That module starts a server (`multiprocessing.Manager`) and a process for every program. It is restated here, with what
takes its time: the two processes, a folder, a timer, output into a text, and names taken from modules, in a process
that has imported `evaluate`, as each that calls the module has. Both run the same programs with one worker, after both
gave the same results. Time on the wall depends on other work on the machine, so the time of processors stands beside
it, with that of all processes.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import platform
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import click
from textgauge.models import code_engine

from .timing import described, machine, seconds_of, show

PROGRAM = """\
from typing import List


def sorted_pairs(numbers: List[int]) -> List[int]:
    return sorted(number for number in numbers if number % 2 == {i} % 2)


assert sorted_pairs([5, 2, 4, 1]) == ([1, 5] if {i} % 2 else [2, 4])
assert sum(range({i})) == {i} * ({i} - 1) // 2
"""
FAILS = "assert False, 'no'"
TIMEOUT, MEMORY = 3.0, 4 << 30


class _TimeoutError(Exception):
    pass


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def raise_it(*_: Any) -> None:
        raise _TimeoutError

    signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.signal(signal.SIGALRM, raise_it)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _guard() -> None:
    """Take from modules what the Hub's module takes: this process ends behind the program."""
    platform.uname()
    os.environ["OMP_NUM_THREADS"] = "1"
    of_os: Any = os
    for name in (
        "kill", "system", "putenv", "remove", "removedirs", "rmdir", "fchdir", "setuid", "fork", "forkpty", "killpg",
        "rename", "renames", "truncate", "replace", "unlink", "fchmod", "fchown", "chmod", "chown", "chroot", "lchown",
        "getcwd", "chdir",
    ):  # fmt: skip
        setattr(of_os, name, None)
    of_shutil: Any = shutil
    of_shutil.rmtree = of_shutil.move = of_shutil.chown = None
    of_subprocess: Any = subprocess
    of_subprocess.Popen = None
    for name in ("ipdb", "joblib", "resource", "psutil", "tkinter"):
        sys.modules[name] = None  # type: ignore[assignment]


def _execute(program: str, result: Any, seconds: float) -> None:
    folder = tempfile.mkdtemp()
    removed, changed, current = shutil.rmtree, os.chdir, os.getcwd()
    changed(folder)
    remove, unlink, rmdir = removed, os.unlink, os.rmdir
    _guard()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), _limited(seconds):
            exec(program, {})  # noqa: S102
        result.append("passed")
    except _TimeoutError:
        result.append("timed out")
    except BaseException as error:
        result.append(f"failed: {error}")
    os.unlink, os.rmdir, os.chdir = unlink, rmdir, changed
    changed(current)
    remove(folder, ignore_errors=True)


def restated(program: str, seconds: float = TIMEOUT) -> str:
    """Return how a program ends, run as the Hub's module runs it."""
    with multiprocessing.Manager() as manager:
        result = manager.list()
        process = multiprocessing.Process(target=_execute, args=(program, result, seconds))
        process.start()
        process.join(seconds + 1)
        if process.is_alive():
            process.kill()
        return str(result[0]) if len(result) else "timed out"


def ours(programs: Sequence[str], sandbox: code_engine.Sandbox) -> list[str]:
    """Return how programs end, run by one worker."""
    limits = code_engine.Limits(TIMEOUT, "cpu", MEMORY)
    return code_engine.run(programs, limits, n_workers=1, sandbox=sandbox).results


def _used() -> float:
    """Return the seconds of processors of this process, and of all that it has waited for."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def cost(call: Callable[[Sequence[str]], Any], programs: Sequence[str]) -> tuple[float, float]:
    """Return the seconds of programs on the wall, and those of processors, beyond those of a first program."""
    used = []
    for some in (programs[:1], programs):
        code_engine.end_runners()
        before = _used()
        call(programs[:1])
        elapsed = seconds_of(partial(call, some))
        # What the processes of a worker used is known when it has ended.
        code_engine.end_runners()
        used.append(_used() - before)
    return elapsed, (used[1] - used[0]) * len(programs) / (len(programs) - 1)


@click.command()
@click.option("--programs", "n_programs", default=40, show_default=True, help="Programs of a round.")
@click.option("--rounds", default=3, show_default=True, help="Rounds, whose medians are shown.")
def main(n_programs: int, rounds: int) -> None:
    """Measure a program that passes, with one worker, beside the way of the Hub's module."""
    import_module("evaluate")
    sandboxes: list[code_engine.Sandbox] = ["none"]
    if not (refusal := code_engine.refusal_of_sandbox()):
        sandboxes.insert(0, "require")
    else:
        click.echo(f"without a sandbox: {refusal}")
    programs = [PROGRAM.format(i=i) for i in range(n_programs)]
    expected = ["passed", f"failed: {'no'}"]
    for sandbox in sandboxes:
        assert ours([programs[0], FAILS], sandbox) == expected
    assert [*map(restated, [programs[0], FAILS])] == expected
    calls: dict[str, Callable[[Sequence[str]], Any]] = {"the Hub's way": lambda some: [*map(restated, some)]}
    for sandbox in sandboxes:
        name = "ours, in a sandbox" if sandbox == "require" else "ours, without"
        calls[name] = partial(ours, sandbox=sandbox)
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(cost(call, programs))
    medians = {
        name: [statistics.median(column) * 1e3 / n_programs for column in zip(*rows, strict=True)]
        for name, rows in times.items()
    }
    first = medians["the Hub's way"]
    show(
        ["", "ms a program", "ms of processors", "times as fast", "by processors"],
        (
            [name, *(f"{number:.1f}" for number in row), *(f"{a / b:.1f}" for a, b in zip(first, row, strict=True))]
            for name, row in medians.items()
        ),
    )
    click.echo(described(machine()))


if __name__ == "__main__":
    main()
