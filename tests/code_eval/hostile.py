"""Programs that try to get out, to stay, to take all there is, or to count as right, in `hostile.txt`:

each with its name, and how its result has to begin in a sandbox.
"""

import os
import time
from pathlib import Path
from typing import NamedTuple

# What a search for processes and files finds: of this process alone.
MARK = f"textgauge-hostile-{os.getpid()}-{time.time_ns()}"


class Hostile(NamedTuple):
    name: str
    text: str
    results: tuple[str, ...]

    def has_ended(self, result):
        """Return whether a result is one of those that are right."""
        return any(result == one if one in ("passed", "timed out") else result.startswith(one) for one in self.results)


def hostile_programs(**values):
    """Return all programs, with values for the names in braces."""
    values |= {"mark": MARK, "null": "\0", "long": "x = 1\n" * 20_000, "deep": "x = " + "(" * 500 + ")" * 500}
    text, programs = Path(__file__).with_suffix(".txt").read_text("utf-8"), []
    for part in text.removeprefix("# ").split("\n\n# "):
        head, _, program = part.partition("\n")
        name, _, results = head.partition(" -> ")
        for key, value in values.items():
            program = program.replace(f"{{{key}}}", str(value))
        programs.append(Hostile(name, program, (*results.split(" | "),)))
    return programs
