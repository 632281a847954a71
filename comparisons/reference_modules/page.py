"""The page: the results as plain data (page.json), and as tables for the terminal and Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from .measure import Line
from .texts import Corpus

Page = dict[str, Any]
# The keys of the parts of a page, also used for their pictures.
LINES, PARTS, OWN = "lines", "parts", "own"
NOTES = {
    LINES: "Times are medians of calls in turn. Speed is the other's median by ours. "
    "Memory is the peak beyond the input, textgauge / the other.",
    PARTS: "The steps are those of the call of median time, on one thread. Text is that of both sides in UTF-8. "
    "A plain pass is over the same bytes, in turn with the call; the speed is compared with the call on one thread.",
    OWN: "Medians of calls in turn; n-gram models run once. Memory is the peak beyond the input.",
}


@dataclass(frozen=True)
class Table:
    """A table with its title above and a note below; the first `n_words` columns are words, the others numbers."""

    key: str
    title: str
    headings: list[str]
    rows: list[list[str]]
    n_words: int


def page(command: str, corpora: Mapping[str, Corpus], versions: Mapping[str, str], **found: list[Line]) -> Page:
    """Return the page: `command`, `date`, `machine`, `corpora`, `versions`.

    And `lines` (see `measure.measured`), `parts` (see `where.measured`), `own` (see `own_calls.measured`).
    """
    return {
        "command": command,
        "date": datetime.now(timezone.utc).date().isoformat(),
        "machine": machine(),
        "corpora": {name: corpus.description for name, corpus in corpora.items()},
        "versions": dict(sorted(versions.items())),
        **found,
    }


def machine() -> dict[str, str | int]:
    """Return the processor's model, the usable cores, the system and the version of Python."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text().splitlines() if listing.is_file() else []
    models = [" ".join(line.partition(":")[2].split()) for line in lines if line.startswith("model name")]
    return {
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "cores": usable,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def markdown(made: Page, pictures: Mapping[str, str]) -> str:
    """Return the page as Markdown, with the paths of pictures by their key."""
    blocks = [f"```sh\n{made['command']}\n```", "\n".join(f"- {fact}" for fact in facts(made))]
    for table in tables(made):
        blocks.append(f"### {table.title}")
        if table.key in pictures:
            blocks.append(f"![{table.title.lower()}]({pictures[table.key]})")
        rule = ["---"] * table.n_words + ["--:"] * (len(table.headings) - table.n_words)
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in [table.headings, rule, *table.rows]))
        blocks.append(NOTES[table.key])
    return "\n\n".join(blocks) + "\n"


def show(made: Page, console: Console) -> None:
    """Print the page."""
    for fact in facts(made):
        console.print(fact, highlight=False)
    for table in tables(made):
        console.print(f"\n{table.title}", style="bold")
        grid = Grid(box=None, header_style="bold", pad_edge=False)
        for i, heading in enumerate(table.headings):
            grid.add_column(heading, justify="left" if i < table.n_words else "right")
        for row in table.rows:
            grid.add_row(*row)
        console.print(grid)
        console.print(NOTES[table.key], style="dim", highlight=False)


def facts(made: Page) -> list[str]:
    """Return the lines about machine, date, texts and versions."""
    seen = made["machine"]
    return [
        f"{made['date']}, {seen['processor']}, {seen['cores']} cores, {seen['system']}, Python {seen['python']}",
        *(f"{name}: {text}" for name, text in made["corpora"].items()),
        ", ".join(f"{name} {version}" for name, version in made["versions"].items()),
    ]


def tables(made: Page) -> list[Table]:
    """Return the tables of a page, without empty ones."""
    found = [_compared(made[LINES]), _divided(made[PARTS]), _own(made[OWN])]
    return [table for table in found if table.rows]


def _compared(lines: list[Line]) -> Table:
    headings = ["what", "against", "agree to", "largest difference", "textgauge", "the other", "speed", "memory, MB"]
    return Table(LINES, "textgauge and other tools", headings, list(map(cells, lines)), 3)


def cells(line: Line) -> list[str]:
    """Return the cells of a line of the first table."""
    row = [name(line), line["tool"], agreed(line), f"{line['difference']:.1g}" if "difference" in line else ""]
    if "speedup" not in line:
        return [*row, "", line.get("note", ""), "", ""]
    row += [duration(line[side]["median"]) for side in ("ours", "theirs")]
    peaks = [line[side]["peak"] for side in ("ours", "theirs")]
    memory = "" if peaks == [None, None] else " / ".join("-" if peak is None else megabytes(peak) for peak in peaks)
    return [*row, factor(line["speedup"]), memory]


def name(line: Line) -> str:
    """Return the name of a line: what it computes, and of how many segments."""
    what = ", ".join(filter(None, (line["title"], line["variant"])))
    return f"{what} (first {line['first']:,})" if "first" in line else what


def agreed(line: Line) -> str:
    """Return the number of decimals to which a line agrees, or its state."""
    if line.get("agrees") is None:
        return str(line["state"])
    return closeness(line) if line["agrees"] else f"DIFFERS: {closeness(line)}"


def closeness(line: Line) -> str:
    """Format the decimals to which the figures of a line agree, and what limits them."""
    found = "equal" if line["decimals"] is None else f"{line['decimals']} decimals"
    return f"{found} ({line['limit']})" if line["limit"] else found


def _divided(jobs: list[Line]) -> Table:
    def row(title: str, cell: Any) -> list[str]:
        return [title, *map(cell, jobs)]

    def part(name: str) -> Any:
        return lambda job: f"{duration(job['parts'][name])} ({share:.1%})" if (share := shares(job).get(name)) else ""

    def passed(name: str) -> Any:
        return lambda job: f"{duration(job['passes'][name])}, {factor(distance(job, name))}"

    rows = []
    if jobs:
        rows = [
            row(f"time of one call, {jobs[0]['threads']} threads", lambda job: duration(job["seconds_on_threads"])),
            row("time of one call, one thread", lambda job: duration(job["seconds"])),
            row("text, MB", lambda job: megabytes(job["bytes"])),
            row("text per second, one thread, MB", lambda job: megabytes(job["bytes"] / job["seconds"])),
            *(found for key in jobs[0]["parts"] if any((found := row(key, part(key)))[1:])),
            *(row(f"plain pass: {key}", passed(key)) for key in jobs[0]["passes"]),
        ]
    headings = ["", *(job["title"] for job in jobs)]
    return Table(PARTS, "Where the time goes", headings, rows, 1)


def shares(job: Line) -> dict[str, float]:
    """Return the parts of a job as shares of the whole, without negligible ones."""
    found = {key: seconds / job["seconds"] for key, seconds in job["parts"].items()}
    return {key: share for key, share in found.items() if share >= 0.0005}


def distance(job: Line, key: str) -> float:
    """Return the time of a job divided by that of a plain pass over its text, both on one thread."""
    return float(job["seconds"] / job["passes"][key])


def _own(lines: list[Line]) -> Table:
    rows = [
        [
            line["title"],
            line["note"],
            duration(line["seconds"]),
            "" if line["peak"] is None else megabytes(line["peak"]),
        ]
        for line in lines
    ]
    return Table(OWN, "Our own calls", ["call", "", "time", "memory, MB"], rows, 2)


def duration(seconds: float) -> str:
    """Format a time with three significant digits."""
    size, unit = next((pair for pair in ((1.0, "s"), (1e-3, "ms")) if seconds >= pair[0]), (1e-6, "µs"))
    value = seconds / size
    return f"{value:.{max(0, 3 - len(str(int(value))))}f} {unit}"


def megabytes(size: float) -> str:
    """Format bytes as MB of 2**20 bytes, with one decimal below 10."""
    return f"{size / 2**20:.1f}" if size < 10 * 2**20 else f"{size / 2**20:.0f}"


def factor(speedup: float) -> str:
    """Format a ratio of times with two significant digits, as faster or slower."""
    if 0.95 < speedup < 1.05:
        return "as fast"
    ratio, word = (speedup, "faster") if speedup > 1 else (1 / speedup, "slower")
    return f"{ratio:.0f}× {word}" if ratio >= 9.95 else f"{ratio:.1f}× {word}"
