"""The page as a table for the terminal and as Markdown, from a `Document`."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from .document import Document

HEADINGS = ("what", "against", "agree to", "largest difference", "textgauge", "the other", "speed", "aim", "memory, MB")
IS_NUMBER = (False, False, False, True, True, True, True, True, True)
NOTE = (
    "Times are medians of runs in turn, the shortest in brackets. Speed is the other's median by ours. "
    "Aim is the speed that is meant, on 10,000 segments and more or on one pair. "
    "Memory is the peak beyond the input, textgauge / the other."
)


def duration(seconds: float) -> str:
    """Write a time with three significant digits.

    Examples
    --------
    >>> duration(0.0000123), duration(0.0234), duration(10.84)
    ('12.3 µs', '23.4 ms', '10.8 s')
    """
    size, unit = next((pair for pair in ((1.0, "s"), (1e-3, "ms")) if seconds >= pair[0]), (1e-6, "µs"))
    value = seconds / size
    return f"{value:.{max(0, 3 - len(str(int(value))))}f} {unit}"


def megabytes(size: int) -> str:
    """Write bytes as MB of 2**20, with a decimal below 10.

    Examples
    --------
    >>> megabytes(2**20 * 3 // 2), megabytes(2**25)
    ('1.5', '32')
    """
    return f"{size / 2**20:.1f}" if size < 10 * 2**20 else f"{size / 2**20:.0f}"


def factor(speedup: float) -> str:
    """Write a ratio of times with two significant digits, never below 1.

    Examples
    --------
    >>> factor(52.4), factor(1.53), factor(0.25), factor(1.004)
    ('52× faster', '1.5× faster', '4.0× slower', 'as fast')
    """
    if 0.95 < speedup < 1.05:
        return "as fast"
    ratio, word = (speedup, "faster") if speedup > 1 else (1 / speedup, "slower")
    return f"{ratio:.0f}× {word}" if ratio >= 9.95 else f"{ratio:.1f}× {word}"


def agreed(line: dict[str, Any]) -> str:
    """Say to how many decimals a line agrees, or why it does not.

    Examples
    --------
    >>> agreed({"agrees": True, "decimals": 15}), agreed({"agrees": True, "decimals": None})
    ('15 decimals', 'equal')
    >>> agreed({"agrees": False, "decimals": 2})
    'DIFFERS: 2 decimals'
    """
    if line.get("agrees") is None:
        return str(line["state"])
    return closeness(line) if line["agrees"] else f"DIFFERS: {closeness(line)}"


def closeness(line: dict[str, Any]) -> str:
    """Write the decimals of a line whose figures were compared."""
    return "equal" if line["decimals"] is None else f"{line['decimals']} decimals"


def cells(line: dict[str, Any]) -> list[str]:
    """Return the cells of a line in the order of `HEADINGS`, empty where there is nothing to say."""
    row = [line["title"], line["tool"], agreed(line)]
    row.append(f"{line['difference']:.1g}" if "difference" in line else "")
    if "speedup" not in line:
        return [*row, "", line.get("note", ""), "", "", ""]
    row += [f"{duration(line[side]['median'])} ({duration(line[side]['minimum'])})" for side in ("ours", "theirs")]
    peaks = [line[side]["peak"] for side in ("ours", "theirs")]
    memory = "" if None in peaks else " / ".join(megabytes(peak) for peak in peaks)
    return [*row, factor(line["speedup"]), "" if line["aim"] is None else factor(line["aim"]), memory]


def heading(page: Document) -> list[str]:
    """Return the lines that say what was measured, where and when."""
    seen = page["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in sorted(page["versions"].items()))
    return [
        f"{page['date']}, {seen['processor']}, {seen['cores']} cores, {seen['system']}, Python {seen['python']}",
        *(f"{name}: {text}" for name, text in page["corpora"].items()),
        versions,
    ]


def markdown(page: Document, picture: str | None = None) -> str:
    """Return the page as Markdown, with the picture of that path."""
    rows = [HEADINGS, ["--:" if right else "---" for right in IS_NUMBER], *map(cells, page["lines"])]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    image = f"![who agrees with textgauge, and at what speed]({picture})\n\n" if picture else ""
    facts = "\n".join(f"- {fact}" for fact in heading(page))
    return f"```sh\n{page['command']}\n```\n\n{facts}\n\n{image}{table}\n\n{NOTE}\n"


def show(page: Document, console: Console) -> None:
    """Print the page."""
    for fact in heading(page):
        console.print(fact, highlight=False)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name, right in zip(HEADINGS, IS_NUMBER, strict=True):
        table.add_column(name, justify="right" if right else "left")
    for line in page["lines"]:
        style = "red" if line.get("agrees") is False else "dim" if line.get("agrees") is None else None
        table.add_row(*cells(line), style=style)
    console.print(table)
    console.print(NOTE, style="dim", highlight=False)
