"""How results display in notebooks: tables in the colours of the notebook, whether it is light or dark."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from .checks import printable

# Notebooks colour the text and the background, so borders take the colour of the text.
_CELL = "padding:.25em .8em;border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent)"
_NOTE = "margin:.4em 0 0;opacity:.75;font-size:.9em;overflow-wrap:anywhere"


def html_table(
    title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], below: Iterable[str] = (),
    emphasized: Collection[int] = (),
) -> str:  # fmt: skip
    """Return a table as HTML in which all text is escaped.

    Parameters
    ----------
    title : str
        The head of the first column, which names the rows.
    heads : sequence of str
        The heads of the other columns.
    rows : iterable of sequences of str
        The cells of each row, its name first; missing ones at its end are empty.
    below : iterable of str
        Notes, a paragraph each.
    emphasized : collection of int
        The indices of the rows in bold.

    Examples
    --------
    >>> "<td" in html_table("chrF", ["score"], [["a.txt", "53.20"]])
    True
    """
    columns = [("left", title), *(("right", head) for head in heads)]
    head = "".join(f'<th scope="col" style="text-align:{side};{_CELL}">{_shown(text)}</th>' for side, text in columns)
    body = []
    for i, (name, *cells) in enumerate(rows):
        weight = "bold" if i in emphasized else "normal"
        style = f"text-align:right;font-variant-numeric:tabular-nums;font-weight:{weight};{_CELL}"
        padded = [*cells, *[""] * (len(heads) - len(cells))]
        body.append(
            f'<tr><th scope="row" style="text-align:left;font-weight:{weight};{_CELL}">{_shown(name)}</th>'
            + "".join(f'<td style="{style}">{_shown(cell)}</td>' for cell in padded) + "</tr>"
        )  # fmt: skip
    notes = "".join(f'<p style="{_NOTE}">{_shown(note)}</p>' for note in below)
    table = (
        f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>'
    )
    return f'<div class="textgauge" style="overflow-x:auto">{table}{notes}</div>'


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


def _shown(text: str) -> str:
    return escape(printable(text))


class ScoreTable(dict[str, Any]):
    """Scores of several metrics by name: a dict that a notebook displays as a table."""

    def _repr_html_(self) -> str:
        """Return the numbers as a table."""
        return html_table("metric", ["score"], _rows(self))


def _rows(results: Mapping[str, Any], metric: str = "") -> Iterable[list[str]]:
    for key, value in results.items():
        if isinstance(value, Mapping):
            yield from _rows(value, key)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield [key if metric in ("", key) else f"{metric}: {key}", _number(value)]


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}" if abs(value) < 10 else f"{value:,.2f}"
