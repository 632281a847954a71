"""Peak memory of one call beyond its input, in a process of its own.

Neither of Python's usual answers will do: `tracemalloc` sees nothing that Rust, Arrow or
NumPy's C code allocate, and `resource.getrusage` keeps the peak from before `exec`, which is
that of the process that started this one. Linux counts the peak of a process since its start
or since somebody wrote 5 to its `clear_refs`; that is read and reset here once everything is
imported, the input is there and the call has been tried on two segments. Elsewhere there is
no such counter, and nothing is measured.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

from .corpora import Corpus
from .tools import Tool

STATUS = Path("/proc/self/status")
RESET = Path("/proc/self/clear_refs")


def peak(tool: Tool, corpus: Corpus) -> int | None:
    """Return the bytes that one call needs beyond its input at its peak.

    None where nobody counts them, and where the call fails in a process of its own, which
    says so on standard error.
    """
    if not os.access(RESET, os.W_OK):
        return None
    # The same `sys.path`, so that the child unpickles the same classes.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    child = subprocess.run(
        [sys.executable, "-m", __spec__.name],
        input=pickle.dumps((tool, corpus)),
        stdout=subprocess.PIPE,
        env=environment,
    )
    return None if child.returncode else int(child.stdout.splitlines()[-1])


def _kilobytes(field: str) -> int:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1])


def _measured(tool: Tool, corpus: Corpus) -> int:
    """Run the call in this process."""
    # nltk refuses texts too few to share a pair of words.
    tool.prepare(corpus.first(100))()
    call = tool.prepare(corpus)
    gc.collect()
    RESET.write_text("5")
    before = _kilobytes("VmRSS:")
    call()
    return max(0, _kilobytes("VmHWM:") - before) * 1024


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.stdout.write(f"{_measured(*pickle.load(sys.stdin.buffer))}\n")
