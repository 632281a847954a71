"""What a terminal has room for: numbers are never cut, names are shortened, and off terminals nothing is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.table import Table

_WIDEST = 1 << 20
_SHORTEST_NAME = 12


def show(*parts: RenderableType) -> None:
    """Print to standard output, tables in full also where the terminal is narrower."""
    console = Console(highlight=False)
    console.width = max(console.width, *map(_width, parts))
    console.print(*parts, sep="\n")


def fitted(table_of: Callable[[int], Table]) -> Table:
    """Return a table whose names are as short as a terminal wants them; off terminals they are whole.

    Parameters
    ----------
    table_of : callable int -> Table
        Makes the table, no name in it longer than that.
    """
    console = Console()
    longest, table = console.width, table_of(_WIDEST)
    while console.is_terminal and longest > _SHORTEST_NAME and (excess := _width(table) - console.width) > 0:
        longest = max(longest - (excess + 1) // 2, _SHORTEST_NAME)
        table = table_of(longest)
    return table


def shortened(names: Sequence[str], longest: int) -> list[str]:
    """Leave out the middle of names that are longer than `longest`; numbered where they would look the same.

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
    labels = [f"{number} " for number in range(1, len(names) + 1)]
    return [label + _without_middle(name, longest - len(label)) for label, name in zip(labels, names, strict=True)]


def _without_middle(name: str, longest: int) -> str:
    """Cut by the cells of a terminal, of which some characters take two."""
    if cell_len(name) <= longest:
        return name
    tail = name
    while cell_len(tail) > longest // 2:
        tail = tail[1:]
    return f"{set_cell_size(name, longest - 1 - cell_len(tail)).rstrip()}…{tail}"


def _width(part: RenderableType) -> int:
    """Return how many columns a part needs: every table in full, running text as much as its longest word."""
    if isinstance(part, Group):
        return max(map(_width, part.renderables))
    console = Console()
    measured = Measurement.get(console, console.options.update(width=_WIDEST), part)
    return measured.maximum if isinstance(part, Table) else measured.minimum
