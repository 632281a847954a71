"""The page as a table for the terminal and as Markdown, from a `Document`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from .document import LINES, Document
from .sections import Section, sections
from .wording import duration, factor, megabytes

HEADINGS = ("what", "against", "agree to", "largest difference", "textgauge", "the other", "speed", "aim", "memory, MB")
N_WORDS = 3
NOTE = (
    "Times are medians of runs in turn, the shortest in brackets. Speed is the other's median by ours. "
    "Aim is the speed that is meant, on 10,000 segments and more or on so many as the line says. "
    "Memory is the peak beyond the input, textgauge / the other."
)


def agreed(line: dict[str, Any]) -> str:
    """Say to how many decimals a line agrees, or why it does not.

    Examples
    --------
    >>> agreed({"agrees": True, "decimals": 15, "limit": ""}), agreed({"agrees": True, "decimals": None, "limit": ""})
    ('15 decimals', 'equal')
    >>> agreed({"agrees": False, "decimals": 2, "limit": ""})
    'DIFFERS: 2 decimals'
    """
    if line.get("agrees") is None:
        return str(line["state"])
    return closeness(line) if line["agrees"] else f"DIFFERS: {closeness(line)}"


def closeness(line: dict[str, Any]) -> str:
    """Write the decimals of a line whose figures were compared, and what limits them.

    Examples
    --------
    >>> closeness({"decimals": 5, "limit": "float32"}), closeness({"decimals": None, "limit": "float32"})
    ('5 decimals (float32)', 'equal (float32)')
    """
    found = "equal" if line["decimals"] is None else f"{line['decimals']} decimals"
    return f"{found} ({line['limit']})" if line["limit"] else found


def name(line: dict[str, Any]) -> str:
    """Say what a line computes, of how much.

    Examples
    --------
    >>> name({"title": "BLEU, nltk", "variant": "method 3", "first": 4000})
    'BLEU, nltk, method 3 (first 4,000)'
    """
    what = ", ".join(filter(None, (line["title"], line["variant"])))
    return f"{what} (first {line['first']:,})" if "first" in line else what


def cells(line: dict[str, Any]) -> list[str]:
    """Return the cells of a line in the order of `HEADINGS`, empty where there is nothing to say."""
    row = [name(line), line["tool"], agreed(line)]
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


def markdown(page: Document, pictures: Mapping[str, str]) -> str:
    """Return the page as Markdown, with the paths of pictures by their key, see `pictures`."""
    facts = "\n".join(f"- {fact}" for fact in heading(page))
    blocks = [f"```sh\n{page['command']}\n```", facts]
    if LINES in pictures:
        blocks.append(f"![who agrees with textgauge, and at what speed]({pictures[LINES]})")
    blocks += [_table(HEADINGS, N_WORDS, map(cells, page["lines"])), NOTE]
    for section in sections(page):
        blocks.append(f"### {section.title}")
        if section.key in pictures:
            blocks.append(f"![{section.title.lower()}]({pictures[section.key]})")
        blocks += [_table(section.headings, section.n_words, section.rows), section.note]
    return "\n\n".join(blocks) + "\n"


def _table(headings: Sequence[str], n_words: int, rows: Iterable[Sequence[str]]) -> str:
    rule = ["---"] * n_words + ["--:"] * (len(headings) - n_words)
    return "\n".join(f"| {' | '.join(row)} |" for row in [headings, rule, *rows])


def show(page: Document, console: Console) -> None:
    """Print the page."""
    for fact in heading(page):
        console.print(fact, highlight=False)
    table = _empty_table(HEADINGS, N_WORDS)
    for line in page["lines"]:
        style = "red" if line.get("agrees") is False else "dim" if line.get("agrees") is None else None
        table.add_row(*cells(line), style=style)
    console.print(table)
    console.print(NOTE, style="dim", highlight=False)
    for section in sections(page):
        _show_section(section, console)


def _show_section(section: Section, console: Console) -> None:
    console.print(f"\n{section.title}", style="bold")
    table = _empty_table(section.headings, section.n_words)
    for row in section.rows:
        table.add_row(*row)
    console.print(table)
    console.print(section.note, style="dim", highlight=False)


def _empty_table(headings: Sequence[str], n_words: int) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for i, name in enumerate(headings):
        table.add_column(name, justify="left" if i < n_words else "right")
    return table
