"""How results display: as text, and in notebooks as tables in the colours of the notebook, light or dark."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple, TypeVar

from .checks import printable

_Result = TypeVar("_Result", bound=type[Any])
# Notebooks colour the text and the background, so borders take the colour of the text.
_CELL = "padding:.25em .8em;border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent)"
_NOTE = "margin:.4em 0 0;opacity:.75;font-size:.9em;overflow-wrap:anywhere"


class Table(NamedTuple):
    """A table of a result: `html` for notebooks, where all text is escaped, and `str` for people.

    Attributes
    ----------
    title : str
        The head of the first column, which names the rows.
    heads : sequence of str
        The heads of the other columns.
    rows : sequence of sequences of str
        The cells of each row, its name first; missing ones at its end are empty.
    below : sequence of str
        Notes, a paragraph each.
    emphasized : collection of int
        The indices of the rows that notebooks have in bold.

    Examples
    --------
    >>> print(Table("chrF", ["score", "p"], [["a.txt", "53.20"], ["b.txt", "9.10", "0.0010"]], ["2 systems"]))
    chrF   score       p
    a.txt  53.20
    b.txt   9.10  0.0010
    2 systems
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    below: Sequence[str] = ()
    emphasized: Collection[int] = ()

    def html(self) -> str:
        """Return the table as HTML."""
        columns = [("left", self.title), *(("right", head) for head in self.heads)]
        head = "".join(
            f'<th scope="col" style="text-align:{side};{_CELL}">{_shown(text)}</th>' for side, text in columns
        )
        body = []
        for i, (name, *cells) in enumerate(self.rows):
            weight = "bold" if i in self.emphasized else "normal"
            style = f"text-align:right;font-variant-numeric:tabular-nums;font-weight:{weight};{_CELL}"
            padded = [*cells, *[""] * (len(self.heads) - len(cells))]
            body.append(
                f'<tr><th scope="row" style="text-align:left;font-weight:{weight};{_CELL}">{_shown(name)}</th>'
                + "".join(f'<td style="{style}">{_shown(cell)}</td>' for cell in padded) + "</tr>"
            )  # fmt: skip
        notes = "".join(f'<p style="{_NOTE}">{_shown(note)}</p>' for note in self.below)
        table = f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody>"
        return (
            '<div class="textgauge" style="overflow-x:auto">'
            f'<table style="border-collapse:collapse">{table}</table>{notes}</div>'
        )

    def __str__(self) -> str:
        """Return the table as lines of text, the names of rows on the left and their cells on the right."""
        lines = [[printable(cell) for cell in row] for row in ((self.title, *self.heads), *self.rows)]
        widths = [max(cells_of(row[i]) for row in lines if i < len(row)) for i in range(len(self.heads) + 1)]
        padded = []
        for row in lines:
            name, *cells = (" " * (width - cells_of(cell)) for width, cell in zip(widths, row, strict=False))
            parts = [row[0] + name, *(space + cell for space, cell in zip(cells, row[1:], strict=True))]
            padded.append("  ".join(parts).rstrip())
        return "\n".join([*padded, *map(printable, self.below)])


def displayed(result_type: _Result) -> _Result:
    """Display the results of a class in notebooks, and as text, as the `Table` that their method `_table` returns."""

    def html(self: Any) -> str:
        written: str = self._table().html()
        return written

    def text(self: Any) -> str:
        return str(self._table())

    result_type._repr_html_, result_type.__str__ = html, text  # type: ignore[assignment]
    return result_type


def decimals_of(scores: Iterable[float]) -> int:
    """Return how many decimals scores have in a table: fewer where they reach beyond 1, as those up to 100 do."""
    return 2 if max(map(abs, scores)) > 10 else 4


def interval_text(bounds: Sequence[float] | None, n_decimals: int) -> str:
    """Format the bounds of an interval; empty without any.

    Examples
    --------
    >>> interval_text([0.25, 0.5], 2), interval_text(None, 2)
    ('[0.25, 0.50]', '')
    """
    return "" if bounds is None else f"[{', '.join(f'{bound:.{n_decimals}f}' for bound in bounds)}]"


def cells_of(text: str) -> int:
    """Count the terminal columns of a text."""
    if text.isascii():
        return len(text)
    return sum(_width_of(c) for c in text)


def _width_of(c: str) -> int:
    """Return the columns of a character: none of what is drawn over or between others, but for the soft hyphen."""
    if unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return int(c == "\u00ad")
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def _shown(text: str) -> str:
    return escape(printable(text))


class ScoreTable(dict[str, Any]):
    """Scores of several metrics by name: a dict that a notebook displays as a table."""

    def _repr_html_(self) -> str:
        """Return the numbers as a table."""
        return Table("metric", ["score"], [*_rows(self)]).html()


def _rows(results: Mapping[str, Any], metric: str = "") -> Iterable[list[str]]:
    for key, value in results.items():
        if isinstance(value, Mapping):
            yield from _rows(value, key)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield [key if metric in ("", key) else f"{metric}: {key}", _number(value)]


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}" if abs(value) < 10 else f"{value:,.2f}"
