"""What commands answer: tables for people and papers, bare numbers, a page of JSON.

In tables neither numbers nor names are cut.
"""

from __future__ import annotations

import math
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from ..checks import printable
from ..notebook import cells_of
from .output import page_of, show

_BAR_WIDTH = 20
# Decimals of larger numbers, such as the perplexity of noise, say nothing: a float has sixteen digits.
_LARGEST_SHOWN = 1e15
PAPERS = ("markdown", "latex")
_LATEX = str.maketrans(
    {**{mark: f"\\{mark}" for mark in "&%$#_{}"}, "\\": r"\textbackslash{}", "~": r"\textasciitilde{}",
     "^": r"\textasciicircum{}", "†": r"$^\dagger$", "‡": r"$^\ddagger$", "↓": r"$\downarrow$"}
)  # fmt: skip
# What Markdown, the HTML in it and formulas between dollars read; below a table are sentences that have names in them.
_MARKDOWN = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_|<>$~&["})
_MARKDOWN_BELOW = re.compile(r"[\\`*$]|<(?=[A-Za-z/!?])")


class Figure(NamedTuple):
    """A cell of a table.

    Attributes
    ----------
    text : str
    bare : sequence of str
        The numbers that `--brief` prints; none of words.
    interval : str
    """

    text: str
    bare: Sequence[str] = ()
    interval: str = ""


class Numbers(NamedTuple):
    """The format of numbers: how many decimals, and what multiplies all but integers."""

    width: int
    factor: float = 1.0

    @classmethod
    def of(cls, scale: float, width: int | None, *, as_percent: bool = False) -> Numbers:
        """Return the format of scores up to `scale`, of `width` decimals if that is given; of 1 also `as_percent`."""
        factor = 100.0 if as_percent and scale == 1 else 1.0
        return cls((4 if scale * factor == 1 else 2) if width is None else width, factor)

    @classmethod
    def of_p(cls, n_resamples: int) -> Numbers:
        """Return the format of p-values, with the digits that the number of resamples gives them."""
        return cls(len(str(n_resamples)))

    def text(self, value: float | None) -> str:
        """Format a number, an integer without decimals, None as a dash."""
        if value is None:
            return "-"
        if isinstance(value, int):
            return str(value)
        value = self.factor * value
        if _LARGEST_SHOWN <= abs(value) < math.inf:
            return f"{value:.{self.width}e}"
        text = f"{value:.{self.width}f}"
        # What is rounded to zero has no sign.
        return text.lstrip("-") if text[0] == "-" and not float(text) else text

    def figure(self, value: float | None, bounds: Sequence[float] | None = None) -> Figure:
        """Format a number, and the bounds of its interval if it has one."""
        bare = [*map(self.text, (value, *(bounds or ())))]
        return Figure(bare[0], bare, f"[{', '.join(bare[1:])}]" if bounds else "")

    def difference(self, value: float) -> Figure:
        """Format a difference, with its sign."""
        return Figure(f"{self.factor * value:+.{self.width}f}", [self.text(value)])


class Row(NamedTuple):
    """A line of a table: names, then numbers; `share` is drawn as a bar."""

    cells: Sequence[Figure]
    share: float | None
    is_bold: bool
    after_gap: bool


@dataclass
class Table:
    """Names on the left, numbers on the right.

    Attributes
    ----------
    title : str
    heads : sequence of str
        Headlines of the numbers.
    interval : str
        The head of intervals, which have columns of their own; without a head they stand behind their numbers.
    below : sequence of str
        The lines below the table.
    n_left : int
        How many of the first cells of a line are padded on the right.
    """

    title: str
    heads: Sequence[str]
    interval: str = ""
    below: Sequence[str] = ()
    n_left: int = 1
    rows: list[Row] = field(default_factory=list)

    def add(
        self, *cells: str | Figure, share: float | None = None, is_bold: bool = False, after_gap: bool = False
    ) -> None:
        """Add a line; the cells at its end may be left out."""
        figures = [Figure(cell) if isinstance(cell, str) else cell for cell in cells]
        figures += [Figure("")] * (1 + len(self.heads) - len(cells))
        self.rows.append(Row(figures, share, is_bold, after_gap))

    def lines(self, *, has_intervals: bool = True) -> list[list[str]]:
        """Return the heads and all lines as texts."""
        apart = set[int]()
        if self.interval:
            apart = {i for row in self.rows for i, cell in enumerate(row.cells) if cell.interval}
        heads = [Figure(head, (), self.interval * (i in apart)) for i, head in enumerate((self.title, *self.heads))]
        lines: list[list[str]] = []
        for row in (Row(heads, None, is_bold=False, after_gap=False), *self.rows):
            lines.append([])
            for i, (text, _, interval) in enumerate(row.cells):
                if i in apart:
                    lines[-1] += [text, interval]
                else:
                    lines[-1].append(f"{text} {interval}" if interval and has_intervals else text)
        return lines

    def turned(self) -> Table:
        """Return the table, transposed if only that fits into the terminal; what is bold or drawn is lost."""
        width = terminal_columns()
        if width is None:
            return self
        lines = self.lines()
        columns = [[*column] for column in zip(*lines, strict=True)]
        flat, other = (sum(max(map(cells_of, line)) + 3 for line in side) - 2 for side in (columns, lines))
        if not other <= width < flat:
            return self
        turned = Table(columns[0][0], columns[0][1:], below=self.below)
        for line in columns[1:]:
            turned.add(*line)
        return turned

    def text(self) -> str:
        """Format all lines, and the lines below them."""
        table = self.lines()
        whole = "".join(map("".join, table))
        if not whole.isprintable():
            table = [[*map(printable, cells)] for cells in table]
        size: Callable[[str], int] = len if whole.isascii() else cells_of
        widths = [max(map(size, column)) for column in zip(*table, strict=True)]
        lines = []
        for cells in table:
            line = ""
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True)):
                space = " " * (width - size(cell))
                line += ("   " if i else " ") + (cell + space if i < self.n_left else space + cell)
            lines.append(line)
        n_title, n_columns = len(self.title) + 1, size(lines[0])
        has_bars = any([row.share is not None for row in self.rows])
        if has_bars and (room := terminal_columns()) is not None:
            has_bars = n_columns + _BAR_WIDTH + 3 <= room
        n_columns += _BAR_WIDTH + 3 if has_bars else 0
        styled = [
            click.style(lines[0][:n_title], fg="cyan", bold=True) + click.style(lines[0][n_title:].rstrip(), dim=True),
            f" {'─' * (n_columns - 1)}",
        ]
        for row, line in zip(self.rows, lines[1:], strict=True):
            drawn = "" if row.share is None or not has_bars else bar(row.share)
            text = f"{line}   " if drawn else line.rstrip()
            text = click.style(text, bold=True) if row.is_bold else text
            styled.append("\n" * row.after_gap + text + (click.style(drawn, fg="cyan") if drawn else ""))
        return "\n".join([*styled, *map(dimmed, self.below)])

    def paper(self, form: str, *more: str, has_intervals: bool = True) -> str:
        r"""Format the table for a paper, in one of `PAPERS`, with `more` lines below it.

        Examples
        --------
        >>> table = Table("system", ["ter ↓"], below=["24 segments"])
        >>> table.add("a|b_<i>.txt", "40.83†")
        >>> print(table.paper("markdown"))
        | system | ter ↓ |
        |---|---:|
        | a\|b\_\<i\>.txt | 40.83† |
        <BLANKLINE>
        24 segments
        """
        heads, *rows = self.lines(has_intervals=has_intervals)
        below = [printable(note) for note in (*self.below, *more)]
        table = [heads, *([printable(cell).strip() for cell in row] for row in rows)]
        if form == "markdown":
            lines = [f"| {' | '.join([name.translate(_MARKDOWN), *cells])} |" for name, *cells in table]
            below = [_MARKDOWN_BELOW.sub(r"\\\g<0>", note) for note in below]
            return "\n".join([lines[0], "|---|" + "---:|" * (len(heads) - 1), *lines[1:], "", *below])
        lines = [" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in table]
        # LaTeX reads a bracket after the end of a line as a length.
        lines = [f"{{[}}{line[1:]}" if line.startswith("[") else line for line in lines]
        head = rf"\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}"
        whole = [head, r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule", r"\end{tabular}"]
        return "\n".join([*whole, *(f"% {note}" for note in below)])


class Sheet(NamedTuple):
    """What a command answers.

    Attributes
    ----------
    tables : sequence of Table
        The first one is that of papers.
    page : mapping
        What JSON has, its numbers exact; a sheet of another form may go without.
    notes : sequence of str
        The lines below all tables.
    texts : sequence of str
        What people read behind the tables.
    """

    tables: Sequence[Table]
    page: Mapping[str, Any] = {}
    notes: Sequence[str] = ()
    texts: Sequence[str] = ()

    def show(self, options: Mapping[str, Any]) -> None:
        """Print the sheet, or write it to a file, in the form that options name."""
        show(self.text(options), options["output"])

    def text(self, options: Mapping[str, Any]) -> str:
        """Format the sheet in the form that options name."""
        if options["as_json"]:
            return page_of(self.page, options["width"])
        if options.get("paper"):
            # An interval that nobody asked for is left out.
            is_asked = click.get_current_context().get_parameter_source("confidence") is not ParameterSource.DEFAULT
            has_intervals = is_asked or not options.get("confidence")
            return self.tables[0].paper(options["paper"], *self.notes, has_intervals=has_intervals)
        if options.get("brief"):
            rows = [row.cells for table in self.tables for row in table.rows]
            lines = ("\t".join(number for cell in cells for number in cell.bare) for cells in rows)
            return "\n".join([*lines, *self.texts])
        notes = ["\n".join(map(dimmed, self.notes))] if self.notes else []
        return "\n\n".join([*map(Table.text, self.tables), *notes, *self.texts])


def terminal_columns() -> int | None:
    """Return the columns of the terminal that commands print to, or None without one."""
    if not sys.stdout.isatty():
        return None
    # Imported here, with what packs files: only terminals have a width.
    import shutil

    return shutil.get_terminal_size().columns


_NOTE = textwrap.TextWrapper(80, break_on_hyphens=False, break_long_words=False)


def wrapped_notes(notes: Iterable[str]) -> list[str]:
    """Return notes as lines of a page; a word that is longer, such as a path, stays whole."""
    return [*chain.from_iterable(map(_NOTE.wrap, notes))]


def dimmed(note: str) -> str:
    """Format a note below tables."""
    return click.style(printable(note), dim=True)


def bar(share: float) -> str:
    """Draw a share of the perfect score."""
    halves = int(2 * _BAR_WIDTH * min(max(share, 0.0), 1.0))
    return "━" * (halves // 2) + "╸" * (halves % 2)
