"""Rows of several files that have ids: checked to be in one order, or put into that of the first file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from ..checks import listed, printable
from ..input.columns import known_texts
from . import rows
from .file import InputFile
from .lines import FileError, shown_name
from .rows import BadRows, Records, TextBlock, TextLists, joined

_LONGEST_ID = 60
_BY_POSITION = "--by-position pairs rows by their numbers"


class Joined:
    """Joins the rows of several files by ids, the last column of those files that have ids.

    As long as all files have the same ids in the same order, rows go through, and only the ids are kept; several rows
    may have one id then, such as samples with the id of their problem. From the first that differ on, and from the
    first bad row on that is skipped in one file alone, the rest of all files is in memory.

    Attributes
    ----------
    has_reordered : bool
        Whether the rest of the files was put into the order of the first, which compared their rows.
    """

    def __init__(self, inputs: Sequence[InputFile], bad: BadRows) -> None:
        """Start before the first rows; `bad` has those of all files."""
        self._inputs, self._bad = inputs, bad
        self._keyed: list[int] = []
        self.has_reordered = False
        self._n_rows = 0
        # Of the first file that has ids: its rows by their ids; and where rows are, for every file.
        self._row_of: dict[str, int] = {}
        # The first id that is there twice, and its rows: an error once an order differs.
        self._twice: tuple[str, int, int] | None = None
        self._places: list[list[tuple[int, Records]]] = [[] for _ in inputs]

    def start(self, blocks: Sequence[TextBlock]) -> bool:
        """Return whether at least two of the files have ids: the first blocks say so."""
        keyed = [i for i, block in enumerate(blocks) if len(block.columns) > len(self._inputs[i].fields)]
        self._keyed = keyed if len(keyed) > 1 else []
        return bool(self._keyed)

    def without_ids(self, blocks: Sequence[TextBlock]) -> list[TextBlock]:
        """Return blocks without their column of ids."""
        return [
            block._replace(columns=block.columns[: len(file.fields)])
            for file, block in zip(self._inputs, blocks, strict=True)
        ]

    def are_alike(self, blocks: Sequence[TextBlock]) -> bool:
        """Return whether the same rows of all files have the same ids, which then count as read.

        They do not where a row that is skipped stands beside one with an id: the same id may come later.
        """
        if self._bad.is_skipped and len({frozenset(blocks[i].bad) for i in self._keyed}) > 1:
            return False
        shared = self._shared_ids(blocks)
        if shared is not None:
            self._add(blocks, *shared)
        return shared is not None

    def in_order(self, rest: Sequence[Sequence[TextBlock]]) -> Iterator[list[TextBlock]]:
        """Yield the rest of all files, from rows on that differ, in the order of the first that has ids."""
        self.has_reordered = True
        if self._bad.n_rows and not self._bad.is_skipped:
            return
        whole = [
            _joined_blocks(blocks, len(file.fields) + (i in self._keyed))
            for i, (blocks, file) in enumerate(zip(rest, self._inputs, strict=True))
        ]
        if len({block.n_rows for block in whole}) == 1 and self._shared_ids(whole) is not None:
            self.has_reordered = False
            yield from self._in_blocks(whole)
            return
        first = self._keyed[0]
        for i, blocks in enumerate(rest):
            self._note(i, blocks)
        if self._twice is not None:
            self._refuse_twice(first, *self._twice)
        bad = {i: {*whole[i].bad} for i in self._keyed}
        own = self._ids(whole[first], first)
        row_of = self._rows_of(first, own, bad[first])
        orders: dict[int, Any] = {first: np.arange(len(own))}
        for i in self._keyed[1:]:
            orders[i] = self._order(i, self._ids(whole[i], i), row_of, bad, len(own))
        if others := [i for i in range(len(whole)) if i not in self._keyed]:
            names = [shown_name(self._inputs[i].path) for i in (first, self._keyed[1], others[0])]
            self._fail(
                f"{names[0]} and {names[1]} have their ids in different order, and {names[2]} has none to follow"
            )
        yield from self._in_blocks([_taken(block, orders[i], block.n_rows) for i, block in enumerate(whole)])

    def _in_blocks(self, whole: Sequence[TextBlock]) -> Iterator[list[TextBlock]]:
        """Yield rows of all files, without ids, in blocks."""
        whole, n_rows = self.without_ids(whole), whole[0].n_rows
        for start in range(0, n_rows, rows.BLOCK_ROWS):
            stop = min(start + rows.BLOCK_ROWS, n_rows)
            yield [block.slice(start, stop) for block in whole]

    def _shared_ids(self, blocks: Sequence[TextBlock]) -> tuple[Sequence[str], Sequence[int]] | None:
        """Return the ids of the rows that are good in all files, and these rows; None if files differ in them."""
        bad = sorted({row for block in blocks for row in block.bad})
        ids, *others = (_without(self._ids(blocks[i], i), bad) for i in self._keyed)
        if any(of_file != ids for of_file in others):
            return None
        return ids, _without(range(blocks[0].n_rows), bad)

    def _ids(self, block: TextBlock, i: int) -> list[str]:
        return block.columns[len(self._inputs[i].fields)].texts.tolist()

    def _note(self, i: int, blocks: Sequence[TextBlock]) -> None:
        """Remember where the rows of blocks are."""
        at = self._n_rows
        for block in blocks:
            if block.places is not None:
                self._places[i].append((at, block.places))
            at += block.n_rows

    def _add(self, blocks: Sequence[TextBlock], ids: Sequence[str], at: Sequence[int]) -> None:
        """Add the ids of rows that go through; remember one that was there before."""
        for i in self._keyed:
            self._note(i, [blocks[i]])
        new = dict(zip(ids, (self._n_rows + row for row in at), strict=True))
        if self._twice is None and (len(new) < len(ids) or not self._row_of.keys().isdisjoint(new)):
            seen = dict(self._row_of)
            for text, row in zip(ids, at, strict=True):
                if text in seen:
                    self._twice = text, seen[text], self._n_rows + row
                    break
                seen[text] = self._n_rows + row
        self._row_of |= new
        self._n_rows += blocks[0].n_rows

    def _rows_of(self, i: int, ids: Sequence[str], bad: set[int]) -> dict[str, int]:
        """Return the rows of the rest of a file by their ids; refuse one that is there twice, or was there before."""
        row_of: dict[str, int] = {}
        for row, text in enumerate(ids):
            if row not in bad:
                before = self._row_of.get(text, self._n_rows + row_of[text] if text in row_of else None)
                if before is not None:
                    self._refuse_twice(i, text, before, self._n_rows + row)
                row_of[text] = row
        return row_of

    def _order(self, i: int, ids: Sequence[str], row_of: Mapping[str, int], bad: Mapping[int, set[int]], n: int) -> Any:
        """Return the rows of a file in the order of the first; the number of its rows for one that is bad."""
        first, own = self._keyed[0], self._rows_of(i, ids, bad[i])
        # A bad row may be the one of any id that is missing.
        for here, rows_here, other, others in ((i, own, first, row_of), (first, row_of, i, own)):
            missing = [text for text in rows_here if text not in others]
            if len(missing) > len(bad[other]):
                self._refuse_missing(here, rows_here[missing[0]], missing[0], other)
        order = np.full(n, len(ids))
        both = [text for text in own if text in row_of]
        order[[row_of[text] for text in both]] = [own[text] for text in both]
        return order

    def _place(self, i: int, row: int) -> str:
        """Name a row, counted from the first of the file."""
        starts = [start for start, _ in self._places[i]]
        start, records = self._places[i][bisect_right(starts, row) - 1]
        return records.place(row - start)

    def _refuse_twice(self, i: int, text: str, before: int, row: int) -> NoReturn:
        places = [self._place(i, before), self._place(i, row)]
        self._fail(f"{listed(places)} have the same {self._id(i, text)}, by which rows are joined")

    def _refuse_missing(self, i: int, row: int, text: str, other: int) -> NoReturn:
        place, name = self._place(i, self._n_rows + row), shown_name(self._inputs[other].path)
        self._fail(f"{place}: {self._id(i, text)} is in no row of {name}, which is joined by it")

    def _id(self, i: int, text: str) -> str:
        key = self._inputs[i].key
        shown = text if len(text) <= _LONGEST_ID else text[:_LONGEST_ID] + "..."
        return f"{'id' if key is None else key.name} {shown!r}"

    def _fail(self, message: str) -> NoReturn:
        raise FileError(printable(f"{message} ({_BY_POSITION})"))


def _without(values: Sequence[Any], bad: Sequence[int]) -> Sequence[Any]:
    return values if not bad else np.delete(np.array(values, object), bad).tolist()


def _joined_blocks(blocks: Sequence[TextBlock], n_columns: int) -> TextBlock:
    """Concatenate blocks."""
    columns = [joined([block.columns[i] for block in blocks]) for i in range(n_columns)]
    bad, at = [], 0
    for block in blocks:
        bad += [at + row for row in block.bad]
        at += block.n_rows
    return TextBlock(columns, bad)


def _taken(block: TextBlock, order: Any, n_rows: int) -> TextBlock:
    """Return rows in an order, in which the number of rows stands for one that is bad."""
    nothing = TextLists.of(known_texts([""]))
    is_bad = np.isin(order, [*block.bad, n_rows])
    return TextBlock(
        [joined([column, nothing]).take(order) for column in block.columns], np.flatnonzero(is_bad).tolist()
    )
