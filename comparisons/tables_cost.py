"""TEDS beside PubTabNet's script, which asks apted: the same figures, and the time of both.

    python -m comparisons.tables_cost [CELLS ...]

Draws tables of so many cells (100, 500 and 2,000), with what a model gets wrong: characters, spans, cells and rows.
Needs lxml and apted.
"""

from __future__ import annotations

import random
import sys
import time
from functools import partial
from typing import Any

import textgauge
from apted import APTED, Config
from lxml import html

from .timing import timed

WORDS = ["total", "net", "12.5", "1,000", "2024", "name", "-", "A&amp;B", "<b>sum</b>", "Größe"]
ROWS_OF = 10


class Node:
    """An element as the script has it."""

    def __init__(self, element: Any, is_cell: bool) -> None:
        """Read it with what is below."""
        self.tag, self.content = element.tag, tokens_of(element)[1:-1] if is_cell else []
        self.spans = tuple(int(element.get(name, "1")) for name in ("colspan", "rowspan")) if is_cell else None
        self.children = [] if is_cell else [Node(child, child.tag == "td") for child in element]


def tokens_of(element: Any) -> list[str]:
    """Return an element as characters and tags."""
    tokens = [f"<{element.tag}>", *(element.text or "")]
    for child in element:
        tokens += tokens_of(child)
    return [*tokens, f"</{element.tag}>", *(element.tail or "" if element.tag != "td" else "")]


class Costs(Config):  # type: ignore[misc]
    """The costs of the script."""

    def rename(self, one: Node, other: Node) -> float:
        """Return what it costs to make an element another."""
        if (one.tag, one.spans) != (other.tag, other.spans):
            return 1.0
        longer = max(len(one.content), len(other.content))
        return edits(one.content, other.content) / longer if longer else 0.0


def edits(one: list[str], other: list[str]) -> int:
    """Return the Levenshtein distance."""
    row = [*range(len(other) + 1)]
    for i, left in enumerate(one, 1):
        diagonal, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            diagonal, row[j] = row[j], min(diagonal + (left != right), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def by_script(prediction: str, reference: str) -> float:
    """Return TEDS as the script computes it, for whole documents."""
    parser = html.HTMLParser(remove_comments=True, encoding="utf-8")
    tables = [html.fromstring(text, parser=parser).xpath("body/table")[0] for text in (prediction, reference)]
    n_elements = max(len(table.xpath(".//*")) for table in tables)
    distance = APTED(*(Node(table, is_cell=False) for table in tables), Costs()).compute_edit_distance()
    return 1.0 - float(distance) / n_elements


def drawn(n_cells: int, draw: random.Random) -> list[list[str]]:
    """Return the cells of a table, by row."""
    rows = [
        [" ".join(draw.choices(WORDS, k=draw.randint(0, 4))) for _ in range(ROWS_OF)] for _ in range(n_cells // ROWS_OF)
    ]
    return [[f"<td{draw.choice([''] * 9 + [' colspan=2'])}>{text}</td>" for text in row] for row in rows]


def spoilt(rows: list[list[str]], draw: random.Random) -> list[list[str]]:
    """Return the table as a model may write it."""
    kept = [row for row in rows if draw.random() > 0.05]
    return [
        [cell.replace("1", "7", draw.randint(0, 1)).replace(" colspan=2", "") for cell in row if draw.random() > 0.05]
        for row in kept
    ]


def written(rows: list[list[str]]) -> str:
    """Return a table as a document."""
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f"<html><body><table>{body}</table></body></html>"


def main(sizes: list[int]) -> None:
    """Compare."""
    draw = random.Random(7)
    # Imports lxml.
    textgauge.teds([written([["<td>a</td>"]])], [written([["<td>b</td>"]])])
    sys.stdout.write("cells   textgauge       apted   times   difference\n")
    for n_cells in sizes:
        rows = drawn(n_cells, draw)
        texts = written(spoilt(rows, draw)), written(rows)
        result, ours = timed(partial(textgauge.teds, texts[:1], texts[1:]), time.process_time)
        official, theirs = timed(partial(by_script, *texts), time.process_time)
        times = f"{ours:9.4f} s  {theirs:9.2f} s  {theirs / ours:6.0f}"
        sys.stdout.write(f"{n_cells:5}  {times}   {abs(result['teds'] - official):.1e}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main([*map(int, sys.argv[1:])] or [100, 500, 2000])
