"""Tables: numbers are never cut, names are shortened on narrow terminals only."""

from __future__ import annotations

import math
import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import click

from ..checks import printable

_BAR_WIDTH = 20
_SHORTEST_NAME = 12


@dataclass(frozen=True)
class Numbers:
    """The format of numbers.

    Attributes
    ----------
    scale : float
        The perfect score.
    width : int
        Decimals.
    """

    scale: float
    width: int

    def text(self, value: float | None) -> str:
        """Format a number, an integer without decimals, None as a dash."""
        if value is None:
            return "-"
        return str(value) if isinstance(value, int) else f"{value:.{self.width}f}"

    def interval(self, bounds: Sequence[float]) -> str:
        """Format the bounds of an interval."""
        return f"[{self.text(bounds[0])}, {self.text(bounds[1])}]"


class Row(NamedTuple):
    """A line of a table: names, then numbers; `share` is drawn as a bar."""

    cells: Sequence[str]
    share: float | None = None
    is_bold: bool = False
    after_gap: bool = False


@dataclass
class Table:
    """Names on the left, numbers on the right.

    Attributes
    ----------
    title : str
    columns : sequence of str
        Headlines of the numbers.
    n_names : int
        How many of the first cells are names, which may be shortened.
    """

    title: str
    columns: Sequence[str]
    n_names: int = 1
    rows: list[Row] = field(default_factory=list)

    def add(self, *cells: str, share: float | None = None, is_bold: bool = False, after_gap: bool = False) -> None:
        """Add a line."""
        self.rows.append(Row(list(map(printable, cells)), share, is_bold, after_gap))

    def text(self, room: int | None) -> str:
        """Format all lines, shortening names to fit `room` columns; None is no limit."""
        names = [[row.cells[i] for row in self.rows] for i in range(self.n_names)]
        longest = max((cells_of(name) for column in names for name in column), default=0)
        lines = self._lines(names)
        while room is not None and longest > _SHORTEST_NAME and (excess := max(map(cells_of, lines)) - room) > 0:
            longest = max(longest - (excess + 1) // 2, _SHORTEST_NAME)
            lines = self._lines([shortened(column, longest) for column in names])
        return "\n".join(self._styled(lines))

    def _lines(self, names: Sequence[Sequence[str]]) -> list[str]:
        table = [[self.title, *self.columns]]
        for i, row in enumerate(self.rows):
            table.append([*(column[i] for column in names), *row.cells[self.n_names :]])
        widths = [max(map(cells_of, column)) for column in zip(*table, strict=True)]
        lines = ["   ".join(padded(cell, w, left=i == 0) for i, (cell, w) in enumerate(zip(row, widths, strict=True)))
                 for row in table]  # fmt: skip
        shares = [None, *(row.share for row in self.rows)]
        lines = [f" {line}   {bar(share)}".rstrip() for line, share in zip(lines, shares, strict=True)]
        room_for_bars = _BAR_WIDTH + 3 if any(share is not None for share in shares) else 0
        width = sum(widths) + 3 * (len(widths) - 1) + room_for_bars
        return [lines[0], f" {_drawn('─') * width}", *lines[1:]]

    def _styled(self, lines: Sequence[str]) -> list[str]:
        head, rule, *body = lines
        title = click.style(head[: len(self.title) + 1], fg="cyan", bold=True)
        styled = [title + click.style(head[len(self.title) + 1 :], dim=True), rule]
        for row, line in zip(self.rows, body, strict=True):
            drawn = bar(row.share)
            text = line.removesuffix(drawn) if drawn else line
            styled += [""] if row.after_gap else []
            text = click.style(text, bold=True) if row.is_bold else text
            styled.append(text + (click.style(drawn, fg="cyan") if drawn else ""))
        return styled


def bar(share: float | None) -> str:
    """Draw a share of the perfect score."""
    if share is None:
        return ""
    halves = int(2 * _BAR_WIDTH * min(max(share, 0.0), 1.0))
    return _drawn("━") * (halves // 2) + _drawn("╸") * (halves % 2)


def _drawn(character: str) -> str:
    """Return a character that the output's encoding can represent."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        character.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return "" if character == "╸" else "-"
    return character


def cells_of(text: str) -> int:
    """Count the terminal columns of a text."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def padded(text: str, width: int, *, left: bool) -> str:
    """Pad with spaces."""
    space = " " * (width - cells_of(text))
    return text + space if left else space + text


def shortened(names: Sequence[str], longest: int) -> list[str]:
    """Leave out the middle of names longer than `longest`; number them if they would look the same.

    Examples
    --------
    >>> shortened(["a.txt", "translations-of-monday.txt"], 12)
    ['a.txt', 'trans…ay.txt']
    >>> shortened(["the-first-system", "the-third-system"], 10)
    ['1 the…stem', '2 the…stem']
    """
    short = [_without_middle(name, longest) for name in names]
    if len(set(short)) == len(set(names)):
        return short
    place = {name: f"{number} " for number, name in enumerate(dict.fromkeys(names), 1)}
    return [place[name] + _without_middle(name, longest - len(place[name])) for name in names]


def _without_middle(name: str, longest: int) -> str:
    """Shorten by terminal columns, of which some characters take two."""
    if cells_of(name) <= longest:
        return name
    tail = name
    while cells_of(tail) > longest // 2:
        tail = tail[1:]
    head = name
    while cells_of(head) > longest - 1 - cells_of(tail):
        head = head[:-1]
    return f"{head.rstrip()}…{tail}"


def room() -> int | None:
    """Return the width of the terminal in columns, None if stdout is not one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def has_colour() -> bool:
    """Return whether colours are shown."""
    if os.environ.get("NO_COLOR"):
        return False
    is_dumb = os.environ.get("TERM", "") in ("dumb", "unknown")
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and not is_dumb)


def rounded(value: Any, width: int | None) -> Any:
    """Round all numbers of a result for JSON; None leaves them exact."""
    if isinstance(value, dict):
        return {key: rounded(part, width) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part, width) for part in value]
    if not isinstance(value, float):
        return value
    # JSON has no infinity, the perplexity of a text with probability 0.
    return None if math.isinf(value) else value if width is None else round(value, width)
