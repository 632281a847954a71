"""Whether a change made a call slower: its machine instructions, here and in another textgauge.

    python comparisons/instructions.py PYTHON

PYTHON is the interpreter of an environment with the other textgauge and the same dependencies, such as one built from
the commit before. Every row is counted with both, under valgrind (Linux), so that no number is stored. Unlike a time,
a count is nearly the same in every run: two installations of one commit differed by at most 0.5%. The exit code is 1
if a call takes more instructions than the other's by more than `MARGIN`, which is six times that.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).parent.parent / "metrics/textgauge/sample/sample.json"
COUNTED = re.compile(r"^==(\d+)== I +refs: +([\d,]+)", re.M)
N_CALLS = 20
MARGIN = 0.03

# What to score, by the name of the texts: (function, texts, options).
ROWS: list[tuple[str, str, dict[str, Any]]] = [
    *((metric, texts, {}) for metric in ("bleu", "chrf", "ter", "rouge", "token_f1")
      for texts in ("one pair", "eight segments", "translations")),
    ("sacrebleu", "one pair", {"signature": True}),
    ("bleu", "translations", {"confidence": 0.95, "n_resamples": 100}),
    ("rouge", "summaries", {"use_stemmer": True}),
    ("chrf", "summaries", {"word_order": 2}),
    ("compare", "translations", {"n_resamples": 100}),
]  # fmt: skip


def title(row: tuple[str, str, dict[str, Any]]) -> str:
    """Return the name of a row."""
    function, texts, options = row
    return ", ".join([function, texts, *(f"{name}={value}" for name, value in options.items())])


def calls() -> dict[str, Callable[[], Any]]:
    """Return the calls of the installed textgauge by row."""
    import textgauge

    columns = {}
    for part, rows in json.loads(SAMPLE.read_text("utf-8")).items():
        columns[part] = [row["prediction"] for row in rows], [row["reference"] for row in rows]
    for name, size in (("one pair", 1), ("eight segments", 8)):
        columns[name] = tuple(column[:size] for column in columns["translations"])

    def call(function: str, texts: str, options: dict[str, Any]) -> Any:
        predictions, references = columns[texts]
        systems = [predictions[::-1], predictions] if function == "compare" else predictions
        return getattr(textgauge, function)(systems, references, **options)

    return {title(row): lambda row=row: call(*row) for row in ROWS}


def work() -> None:
    """Make every call once, then `N_CALLS` of each in a process of its own; write the numbers of the processes.

    One process more, without a name, makes no call: what the others count beyond it are their calls.
    """
    made = calls()
    # Threads and the collector would make counts depend on the machine and on what was called before.
    sys.modules["textgauge"].set_num_threads(1)
    gc.disable()
    usable: dict[str, Callable[[], Any]] = {"": lambda: None}
    for row, call in made.items():
        # The other textgauge may lack a metric or an option.
        with contextlib.suppress(AttributeError, TypeError, ValueError):
            call()
            usable[row] = call
    processes = {}
    for row, call in usable.items():
        # It begins where all calls have run once, and valgrind writes a count of its own for it.
        process = os.fork()
        if process == 0:
            for _ in range(N_CALLS):
                call()
            os._exit(0)
        os.waitpid(process, 0)
        processes[row] = process
    sys.stdout.write(json.dumps(processes))


def counted(python: str) -> dict[str, float]:
    """Return the instructions of a call by row, with the textgauge of an interpreter; without rows that it lacks."""
    command = [python, "-W", "ignore", __file__, python, "--work"]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    # The first run writes compiled files, which the second reads.
    for prefix in ([], valgrind):
        done = subprocess.run([*prefix, *command], env=environment, capture_output=True, text=True, check=True)
    collected = {int(process): int(count.replace(",", "")) for process, count in COUNTED.findall(done.stderr)}
    totals = {row: collected[process] for row, process in json.loads(done.stdout).items()}
    start = totals.pop("")
    return {row: (total - start) / N_CALLS for row, total in totals.items()}


def compared(ours: Mapping[str, float], theirs: Mapping[str, float]) -> tuple[list[str], list[str]]:
    """Return a table in Markdown of the instructions of both, and the rows that are slower beyond the margin."""
    lines = ["| call | before | now | change |", "|---|---|---|---|"]
    slower = []
    for row, count in ours.items():
        before = theirs.get(row)
        if before is None:
            lines.append(f"| {row} | | {count:,.0f} | new |")
            continue
        lines.append(f"| {row} | {before:,.0f} | {count:,.0f} | {count / before - 1:+.2%} |")
        if count > before * (1 + MARGIN):
            slower.append(row)
    return lines, slower


def main(other: str) -> int:
    """Compare this textgauge with another; return the exit code."""
    lines, slower = compared(counted(sys.executable), counted(other))
    sys.stdout.write("\n".join([*lines, "", *(f"slower by more than {MARGIN:.0%}: {row}" for row in slower), ""]))
    return bool(slower)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The machine instructions of a call, here and in another textgauge.")
    parser.add_argument("python", help="the interpreter of the environment with the other textgauge")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    sys.exit(work() if given.work else main(given.python))
