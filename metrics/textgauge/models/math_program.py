"""The program of `math_engine`: whether Math-Verify finds two texts equal, a line for each line of JSON.

It is run by its path, and imports nothing of ours. It imports Math-Verify once and forks a worker, which it kills when
the time of a pair is over; the next worker is there at once. Without `fork` it answers itself, and who asks kills it.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from io import RawIOBase
from typing import Any

# Bytes of memory of a worker: a number that does not fit is no answer.
_MEMORY = 4 << 30
_FIRST = (
    ("$x^2-1$", "$(x-1)(x+1)$"), ("$\\sqrt{2}/2$", "$\\frac{1}{\\sqrt2}$"), ("$x \\le 1$", "$[0,1)$"),
    ("$\\{1,2\\}$", "(2,1)"), ("$x=1$", "$\\sin x$"),
)  # fmt: skip
_YES, _NO, _UNKNOWN = b"1\n", b"0\n", b"-\n"


def main() -> None:
    """Answer until the input ends."""
    sys.path[:] = json.loads(sys.argv[1])
    # What libraries print is no answer, and an interrupt is for the program that asks.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import_module("logging").disable()
    verifier = import_module("math_verify")
    # What is imported late, and tables that are made once, which are then there for every worker.
    for gold, text in _FIRST:
        _is_equal(verifier, gold, text)
    # Else a worker copies all of it.
    gc.freeze()
    answers.write(b"ready\n")
    questions = os.fdopen(0, "rb")
    if hasattr(os, "fork"):
        _supervise(verifier, questions, answers)
    else:
        _answer(verifier, questions, answers)


def _is_equal(verifier: Any, gold: str, text: str) -> bool:
    # Expressions outside of LaTeX would be looked for as well, such as the first number of what cannot be parsed.
    latex = [verifier.LatexExtractionConfig()]
    sides = (verifier.parse(side, latex, parsing_timeout=None) for side in (gold, text))
    return bool(verifier.verify(*sides, timeout_seconds=None))


def _answer(verifier: Any, questions: Iterable[bytes], answers: RawIOBase) -> None:
    alarm = getattr(signal, "alarm", int)
    for line in questions:
        gold, text, seconds = json.loads(line)
        # The system kills it where what should do so is dead.
        alarm(int(seconds) + 2)
        try:
            answer = _YES if _is_equal(verifier, gold, text) else _NO
        except MemoryError:
            answer = _UNKNOWN
        except Exception:
            answer = _NO
        alarm(0)
        answers.write(answer)


def _supervise(verifier: Any, questions: Iterable[bytes], answers: RawIOBase) -> None:
    worker = None
    for line in questions:
        worker = worker or _Worker(verifier, answers)
        answer = worker.ask(line, json.loads(line)[2])
        if answer == _UNKNOWN:
            worker.kill()
            worker = None
        answers.write(answer)
    if worker is not None:
        worker.kill()


class _Worker:
    def __init__(self, verifier: Any, answers: RawIOBase) -> None:
        self._side, theirs = socket.socketpair()
        self._pid = os.fork()
        if self._pid:
            theirs.close()
            return
        # Else the pipes stay open when the program is killed.
        for own in (self._side.detach(), 0, answers.fileno()):
            os.close(own)
        # macOS has no such limit.
        with suppress(ImportError, OSError, ValueError):
            limits: Any = import_module("resource")
            limits.setrlimit(limits.RLIMIT_AS, (_MEMORY, _MEMORY))
        try:
            _answer(verifier, theirs.makefile("rb"), theirs.makefile("wb", buffering=0))
        finally:
            os._exit(0)

    def ask(self, line: bytes, seconds: float) -> bytes:
        self._side.settimeout(seconds)
        try:
            self._side.sendall(line)
            return self._side.recv(2) or _UNKNOWN
        except OSError:
            return _UNKNOWN

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        self._side.close()


if __name__ == "__main__":
    main()
