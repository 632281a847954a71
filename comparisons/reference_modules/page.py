"""The page: the results as plain data (page.json), and as tables for the terminal and Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any, NamedTuple

from comparisons.timing import described, machine, table_line

from .measure import Line

Page = dict[str, Any]
# The keys of the parts of a page, also used for their pictures.
LINES, PARTS, OWN = "lines", "parts", "own"
NOTES = {
    LINES: "Times are medians of calls in turn. Speed is the other's median by ours. "
    "Memory is the peak beyond the input, textgauge / the other.",
    PARTS: "The steps are those of the call of median time, on one thread. Text is that of both sides in UTF-8. "
    "A plain pass is over the same bytes, in turn with the call; the speed is compared with the call on one thread.",
    OWN: "Medians of calls in turn. Memory is the peak beyond the input.",
}


class Table(NamedTuple):
    """A table with its title above and a note below; the first `n_words` columns are words, the others numbers."""

    key: str
    title: str
    headings: list[str]
    rows: list[list[str]]
    n_words: int


def page(command: str, corpora: Mapping[str, str], versions: Mapping[str, str], **found: list[Line]) -> Page:
    """Return the page: `command`, `date`, `machine`, `corpora` (their descriptions), `versions`.

    And `lines` and `own` (see `measure.measured`), `parts` (see `measure.parts_of`).
    """
    date = datetime.now(timezone.utc).date().isoformat()
    common = {"command": command, "date": date, "machine": machine(), "corpora": dict(corpora)}
    return {**common, "versions": dict(sorted(versions.items())), **found}


def markdown(made: Page, pictures: Mapping[str, str]) -> str:
    """Return the page as Markdown, with the paths of pictures by their key."""
    blocks = [f"```sh\n{made['command']}\n```", "\n".join(f"- {fact}" for fact in facts(made))]
    for table in tables(made):
        blocks.append(f"### {table.title}")
        if table.key in pictures:
            blocks.append(f"![{table.title.lower()}]({pictures[table.key]})")
        rule = ["---"] * table.n_words + ["--:"] * (len(table.headings) - table.n_words)
        blocks.append("\n".join(map(table_line, [table.headings, rule, *table.rows])))
        blocks.append(NOTES[table.key])
    return "\n\n".join(blocks) + "\n"


def plain(made: Page) -> str:
    """Return the page for the terminal."""
    blocks = ["\n".join(facts(made))]
    for table in tables(made):
        rows = [table.headings, *table.rows]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        sides = ["<"] * table.n_words + [">"] * (len(widths) - table.n_words)
        lines = ["  ".join(map("{:{}{}}".format, row, sides, widths)).rstrip() for row in rows]
        blocks.append("\n".join([table.title, *lines, NOTES[table.key]]))
    return "\n\n".join(blocks)


def facts(made: Page) -> list[str]:
    """Return the lines about machine, date, texts and versions."""
    return [
        f"{made['date']}, {described(made['machine'])}",
        *(f"{name}: {text}" for name, text in made["corpora"].items()),
        ", ".join(f"{name} {version}" for name, version in made["versions"].items()),
    ]


def tables(made: Page) -> list[Table]:
    """Return the tables of a page, without empty ones."""
    compared = ["what", "against", "agree to", "largest difference", "textgauge", "the other", "speed", "memory, MB"]
    jobs = ["", *(job["title"] for job in made[PARTS])]
    found = [
        Table(LINES, "textgauge and other tools", compared, list(map(cells, made[LINES])), 3),
        Table(PARTS, "Where the time goes", jobs, _parts(made[PARTS]), 1),
        Table(OWN, "Our own calls", ["call", "", "time", "memory, MB"], list(map(_own, made[OWN])), 2),
    ]
    return [table for table in found if table.rows]


def cells(line: Line) -> list[str]:
    """Return the cells of a line of the first table."""
    row = [name(line), line["tool"], agreed(line), f"{line['difference']:.1g}" if "difference" in line else ""]
    if "speedup" not in line:
        return [*row, "", "", "", ""]
    sides = [line["ours"], line["theirs"]]
    memory = " / ".join("-" if side["peak"] is None else megabytes(side["peak"]) for side in sides)
    return [*row, *(duration(side["median"]) for side in sides), factor(line["speedup"]), memory.replace("- / -", "")]


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


def _parts(jobs: list[Line]) -> list[list[str]]:
    """Return a row per figure, with a cell per job."""
    columns = [
        {
            f"time of one call, {jobs[0]['threads']} threads": duration(job["seconds_on_threads"]),
            "time of one call, one thread": duration(job["seconds"]),
            "text, MB": megabytes(job["bytes"]),
            "text per second, one thread, MB": megabytes(job["bytes"] / job["seconds"]),
            **dict.fromkeys(job["parts"], ""),
            **{step: f"{duration(job['parts'][step])} ({share:.1%})" for step, share in shares(job).items()},
            **{f"plain pass: {k}": f"{duration(s)}, {factor(job['seconds'] / s)}" for k, s in job["passes"].items()},
        }
        for job in jobs
    ]
    rows = [[key, *(column[key] for column in columns)] for key in (columns[0] if columns else ())]
    return [row for row in rows if any(row[1:])]


def shares(job: Line) -> dict[str, float]:
    """Return the parts of a job as shares of the whole, without negligible ones."""
    found = {key: seconds / job["seconds"] for key, seconds in job["parts"].items()}
    return {key: share for key, share in found.items() if share >= 0.0005}


def _own(line: Line) -> list[str]:
    peak = "" if line["peak"] is None else megabytes(line["peak"])
    return [line["title"], line["note"], duration(line["seconds"]), peak]


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
