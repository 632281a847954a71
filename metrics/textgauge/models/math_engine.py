"""Math-Verify in processes of its own, which can be killed: from any thread, within a time that holds.

Math-Verify's clock is a signal, which only a main thread gets, and which no long multiplication hears. The program
`math_program` imports it once, and has a worker for the pairs, which it kills when the time of one is over. A thread
that asks takes an idle program, or starts one.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..checks import line_to_install
from ..threads import get_num_threads, in_threads

# A pair takes some 30 ms, and a program a second to start.
_PAIRS_OF_A_PROGRAM, _SECONDS_TO_START = 64, 120.0
# Without `fork` a program has no worker, and is killed itself: another one then stands ready.
_HAS_WORKERS = hasattr(os, "fork")
# How much later than its worker a program is given up, on a machine that has no time for it.
_GRACE = 0.75 if _HAS_WORKERS else 0.0
_ANSWERS = {b"1\n": True, b"0\n": False}


def engine_version() -> str:
    """Return the version of Math-Verify; raise ImportError with the line that installs it."""
    try:
        return version("math-verify")
    except PackageNotFoundError:
        raise ImportError(f"Math-Verify is not installed ({line_to_install('math')})") from None


def verified(pairs: Sequence[tuple[str, str]], seconds: float) -> list[bool | None]:
    """Return whether Math-Verify finds the texts of each pair equal, the right answer first.

    None stands where it did not say within `seconds` for the pair, or broke down.
    """
    n_programs = max(1, min(get_num_threads(), len(pairs) // _PAIRS_OF_A_PROGRAM))
    shares = [pairs[i::n_programs] for i in range(n_programs)]
    verdicts: list[bool | None] = [None] * len(pairs)
    for i, of_share in enumerate(in_threads(lambda share: _asked(share, seconds), shares, n_programs)):
        verdicts[i::n_programs] = of_share
    return verdicts


def _asked(pairs: Sequence[tuple[str, str]], seconds: float) -> list[bool | None]:
    program, answers = _idle_program(), []
    try:
        for pair in pairs:
            program.wait()
            answers.append(program.ask(*pair, seconds))
            if program.is_lost:
                program.end()
                program = _idle_program()
    except BaseException:
        # Its next answer would be that to the last question.
        program.end()
        raise
    _IDLE.append(program)
    return answers


def _idle_program() -> _Program:
    try:
        program = _IDLE.pop()
    except IndexError:
        program = _Program()
    if not (_HAS_WORKERS or _IDLE):
        _IDLE.append(_Program())
    return program


class _Program:
    """A running program."""

    def __init__(self) -> None:
        self.is_lost = self._is_ready = False
        # Unbuffered: the lock of a buffer would stay locked in a process that forks meanwhile.
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("math_program.py")), json.dumps(sys.path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )  # fmt: skip
        self._input, self._output = self._process.stdin, self._process.stdout
        # Only POSIX waits for a pipe with a limit, so that a thread reads it.
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        _PROGRAMS.add(self)

    def _read(self) -> None:
        line = b"-"
        while line and self._output:
            line = self._output.readline()
            self._lines.put(line)

    def _line(self, seconds: float) -> bytes:
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            return b""

    def wait(self) -> None:
        """Wait until the program has started; the time of a pair begins afterwards."""
        if not self._is_ready and self._line(_SECONDS_TO_START) != b"ready\n":
            raise ImportError(f"Math-Verify does not start in a process of its own ({line_to_install('math')})")
        self._is_ready = True

    def ask(self, gold: str, text: str, seconds: float) -> bool | None:
        """Return the answer of the program; one that does not answer in time `is_lost`, and has to be ended."""
        line = b""
        try:
            rest = memoryview(json.dumps([gold, text, seconds]).encode() + b"\n")
            with _without_sigpipe():
                while rest and self._input:
                    rest = rest[self._input.write(rest) :]
            line = self._line(seconds + _GRACE)
        except OSError:
            pass
        self.is_lost = not line
        return _ANSWERS.get(line)

    def end(self) -> None:
        """Kill the program, and wait for its end, so that no zombie stays."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self.forget()

    def forget(self) -> None:
        """Close the pipes to the program, which goes on for the process that this one was forked from."""
        self._process.returncode = self._process.returncode or 0
        for stream in (self._input, self._output):
            if stream:
                stream.close()


@contextmanager
def _without_sigpipe() -> Iterator[None]:
    """Keep the signal of a write to a dead program from this thread: `import sacrebleu.sacrebleu` lets it kill."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
    try:
        yield
    finally:
        if signal.SIGPIPE in signal.sigpending() - blocked:
            signal.sigwait({signal.SIGPIPE})
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


_IDLE: list[_Program] = []
_PROGRAMS: weakref.WeakSet[_Program] = weakref.WeakSet()


def end_programs(*, are_ours: bool = True) -> None:
    """End all programs, or forget those of the process that this one was forked from."""
    _IDLE.clear()
    for program in [*_PROGRAMS]:
        program.end() if are_ours else program.forget()
    _PROGRAMS.clear()


atexit.register(end_programs)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: end_programs(are_ours=False))
