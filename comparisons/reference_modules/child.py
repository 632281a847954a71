"""A call in a child process: its peak memory, or our calls without the compiled kernel.

`tracemalloc` does not see allocations of C++, Rust, Arrow or NumPy, and `resource.getrusage` includes
the peak of the parent process. Linux resets the peak of a process when 5 is written to its
`clear_refs`: here after the imports, with the input in memory, and after a call on a few segments. On
other systems memory is not measured.
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
    """A process with a tool and a corpus that answers "call", "result" or "peak".

    Parameters
    ----------
    tool, corpus
        Pickled for the process.
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
        """Return the answer; raise EOFError if the child failed, whose error is on stderr."""
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
    """Return the peak memory of one call beyond its input, in bytes.

    None on systems where it cannot be measured, and if the call fails in the child process.
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


def _answer() -> None:
    """Answer the questions on stdin until its end."""
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
