"""A call in a process of its own: its peak memory, or our calls where the kernel cannot be imported.

`tracemalloc` does not see what C++, Rust, Arrow or NumPy allocate, and `resource.getrusage` keeps
the peak of the process that started this one. Linux counts the peak of a process since somebody
wrote 5 to its `clear_refs`: here that is once everything is imported, the input is there and the
call has been tried on a few segments. Elsewhere nothing is measured.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

STATUS = Path("/proc/self/status")
RESET = Path("/proc/self/clear_refs")


class Child:
    """A process that has a tool and a corpus, and answers "call", "result" or "peak".

    Parameters
    ----------
    tool, corpus
        What is pickled for it.
    without : tuple of str
        Modules that it cannot import.
    """

    def __init__(self, tool: Any, corpus: Any, *, without: tuple[str, ...] = ()) -> None:
        # The same `sys.path`, so that the child unpickles the same functions.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-m", __spec__.name, *without]
        process: Any = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._process = process
        self._send((tool, corpus))

    def ask(self, question: str) -> Any:
        """Return the answer; EOFError if the child failed, which says so on standard error."""
        try:
            self._send(question)
        except BrokenPipeError as error:
            raise EOFError from error
        return pickle.load(self._process.stdout)

    def _send(self, what: Any) -> None:
        pickle.dump(what, self._process.stdin)
        self._process.stdin.flush()

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


def peak(tool: Any, corpus: Any) -> int | None:
    """Return the bytes that one call needs beyond its input at its peak.

    None where nobody counts them, and where the call fails in a process of its own.
    """
    if not os.access(RESET, os.W_OK):
        return None
    child = Child(tool, corpus)
    try:
        return int(child.ask("peak"))
    except EOFError:
        return None
    finally:
        child.close()


def _peak(tool: Any, corpus: Any) -> int:
    # nltk refuses texts too few to share a pair of words.
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


def _answer() -> None:
    """Answer the questions on standard input until there are no more."""
    # Before anything of the package is imported.
    sys.modules.update(dict.fromkeys(sys.argv[1:]))  # type: ignore[arg-type]
    warnings.simplefilter("ignore")
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    tool, corpus = pickle.load(sys.stdin.buffer)
    call, result = None, None
    while True:
        try:
            question = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        if question == "call":
            call = call or tool.prepare(corpus)[0]
            result = call()
        answer = {"call": None, "result": result}.get(question) if question != "peak" else _peak(tool, corpus)
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    _answer()
