"""Rows of several files that have ids: checked to be in one order, or put into that of the first file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, product
from operator import and_
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..checks import listed, printable, warn_user
from ..input.columns import known_texts
from . import rows
from .file import InputFile
from .lines import FileError, shown_name
from .rows import KEY, NAMES_ELSEWHERE, BadRows, NamedColumn, Records, TextBlock, TextLists, joined

_LONGEST_ID = 60
# What columns of ids are called, in lower case; those come first that are more likely to tell rows apart.
_NAMES_OF_IDS = (
    KEY, "utt_id", "uttid", "utt", "utterance_id", "segment_id", "seg_id", "sentence_id", "sent_id", "sample_id",
    "example_id", "item_id", "instance_id", "question_id", "query_id", "qid", "uid", "uuid", "guid", "key", "image_id",
    "img_id", "video_id", "clip_id", "audio_id", "audio_filepath", "audio_path", "audio_file", "image_path",
    "file_name", "filename",
)  # fmt: skip
# Of a long table, whose systems have the same segments.
_NAMES_OF_SEGMENTS = ("segment", "seg")
# Of columns that number or describe the rows of a table; the index of pandas has no name, or this one once read.
_NAMES_OF_ROWS = ("item", "row", "index", "unnamed: 0", "lang", "language", "domain")
# Of columns that are no texts.
_OTHER_ROLES = ("kept", "unit", "context")
_BY_POSITION = "--by-position pairs rows by their numbers"
# In an order: a row of the first file that another file lacks.
_NO_ROW = -1


def names_of_other_columns() -> set[str]:
    """Return the usual names, in lower case, of columns that belong to all systems of a table: ids, references, ..."""
    others = (*NAMES_ELSEWHERE["reference"], *NAMES_ELSEWHERE["source"], *_NAMES_OF_SEGMENTS, *_NAMES_OF_ROWS)
    return {*_NAMES_OF_IDS, "reference", "source", "document", "prefix", "unit", "system", *others}


def name_of_segments(existing: Sequence[str], used: Collection[str]) -> str | None:
    """Return the column by which the systems of a long table are joined, of columns that are not `used` otherwise."""
    by_lower = {name.lower(): name for name in reversed(existing) if name not in used}
    return next((by_lower[name] for name in (*_NAMES_OF_IDS, *_NAMES_OF_SEGMENTS) if name in by_lower), None)


def names_of_ids(files: Sequence[InputFile]) -> list[str | None]:
    """Return the name of the column of ids of each file, None for none: a usual name that two of them have, or "id".

    Names are compared in lower case; a file whose names cannot be looked up, such as a stream, or one whose first row
    is bad, may have that of another file.
    """
    looked_up = [_names(file) for file in files]
    known = [{name.lower(): name for name in reversed(names or ())} for names in looked_up]
    is_open = [names is None for names in looked_up]
    may_have = [file.format != "text" for file in files]
    for usual in (*_NAMES_OF_IDS, *_NAMES_OF_SEGMENTS * any(file.part is not None for file in files)):
        own = [names.get(usual) for names in known]
        spelled = next(filter(None, own), None)
        if spelled and sum(name is not None for name in own) + sum(map(and_, is_open, may_have)) > 1:
            return [spelled if may and not name else name for name, may in zip(own, is_open, strict=True)]
    return [KEY] * len(files)


def _names(file: InputFile) -> list[str] | None:
    """Return the names of the columns of a file that are not read as texts; None where nobody can look them up."""
    if file.is_read_once or not file.has_columns:
        return None
    used = {field.name for field in file.fields if field.role not in _OTHER_ROLES}
    with suppress(FileError):
        return [name for name in file.names() if name not in used]
    # Reading the rows says what is wrong.
    return None


def _warn_of_unread_ids(files: Sequence[InputFile]) -> None:
    """Warn of a table with the values of the first in another order, in a column of the same name, or of ids."""
    (first, names), *others = [(file, names) for file in files if (names := _names(file))] or [(files[0], [])]
    for other, theirs in others:
        for name in names:
            if name in theirs and _are_reordered(_values(first, name), _values(other, name)):
                warn_user(
                    f"{shown_name(first.path)} and {shown_name(other.path)} have the same values of {name!r} in "
                    f"another order, and rows are paired by their numbers; give --id-field {name} to join them by "
                    "it, or --by-position"
                )
                return
        for name, their_name in product(filter(_is_usual, names), filter(_is_usual, theirs)):
            if name != their_name and _are_reordered(_values(first, name), _values(other, their_name)):
                warn_user(
                    f"{name!r} of {shown_name(first.path)} has the same values as {their_name!r} of "
                    f"{shown_name(other.path)} in another order, and rows are paired by their numbers; give both "
                    "columns one name to join rows by it, or --by-position"
                )
                return


def _is_usual(name: str) -> bool:
    """Return whether a column of ids may have a name, which may stand in quotation marks that were not read."""
    return name.strip('" ').lower() in _NAMES_OF_IDS


def _are_reordered(one: Iterator[list[str]], other: Iterator[list[str]]) -> bool:
    """Return whether two columns have the same values, each once, in another order."""
    first, second = next(one, []), next(other, [])
    n = min(len(first), len(second))
    if first[:n] == second[:n] or len({*first}) < len(first) or {*first}.isdisjoint(second):
        return False
    # Only few columns are read to their ends.
    values, theirs = (chain(start, chain.from_iterable(rest)) for start, rest in ((first, one), (second, other)))
    own = [*values]
    left = {*own}
    if len(left) < len(own):
        return False
    for value in theirs:
        if value not in left:
            return False
        left.remove(value)
    return not left


def _values(file: InputFile, name: str) -> Iterator[list[str]]:
    """Yield the values of a column as texts, block by block; those that have none are empty."""
    column = replace(file, fields=[NamedColumn(name, is_key=True)], key=None)
    with suppress(FileError):
        yield from (block.columns[0].texts.tolist() for block in column.blocks(BadRows(is_skipped=True)))


class _Twice(NamedTuple):
    """An id that a file has twice, and its rows."""

    text: str
    before: int
    row: int


class _GoodRows(NamedTuple):
    """The rows of the rest of a file that are good.

    Attributes
    ----------
    ids : list of (int, str)
        Each row with its id.
    row_of : dict
        The first row of every id, from 0 behind the rows that went through.
    twice : _Twice or None
        The first id that the file has twice, counted from its first row.
    n_bad : int
        How many rows of the whole file are bad.
    """

    ids: list[tuple[int, str]]
    row_of: dict[str, int]
    twice: _Twice | None
    n_bad: int


class Joined:
    """Joins the rows of several files by ids, the last column of those files that have ids.

    As long as all files have the same ids in the same order, rows go through, and only the ids are kept. From the first
    that differ on, and from the first bad row on that is skipped in one file alone, the rest of all files is in memory.

    Several rows may have one id, such as samples with the id of their problem: beside files that have the same ids in
    the same order, and beside files of other columns, such as references, that have each id once.

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
        # Of the rows that went through, whose ids all files share: how many, how many of them were bad, the first
        # row of every id, and the first id that is there twice; and where rows are, for every file.
        self._n_rows = self._n_bad = 0
        self._row_of: dict[str, int] = {}
        self._twice: _Twice | None = None
        self._places: list[list[tuple[int, Records]]] = [[] for _ in inputs]

    def start(self, blocks: Sequence[TextBlock]) -> bool:
        """Return whether at least two of the files have ids: the first blocks say so."""
        keyed = [i for i, block in enumerate(blocks) if len(block.columns) > len(self._inputs[i].fields)]
        self._keyed = keyed if len(keyed) > 1 else []
        if not self._keyed:
            _warn_of_unread_ids(self._inputs)
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
        bad = sorted({row for i in self._keyed for row in blocks[i].bad})
        ids, *others = (_without(self._ids(blocks[i], i), bad) for i in self._keyed)
        if any(of_file != ids for of_file in others):
            return False
        self._add(blocks, ids, _without(range(blocks[0].n_rows), bad))
        return True

    def in_order(self, rest: Sequence[Sequence[TextBlock]]) -> Iterator[list[TextBlock]]:
        """Yield the rest of all files, from rows on that differ, in the order of the first that has ids."""
        self.has_reordered = True
        if self._bad.n_rows and not self._bad.is_skipped:
            return
        whole = [
            _joined_blocks(blocks, len(file.fields) + (i in self._keyed))
            for i, (blocks, file) in enumerate(zip(rest, self._inputs, strict=True))
        ]
        for i, blocks in enumerate(rest):
            self._note(i, blocks)
        first, *others = self._keyed
        n_rows, own = whole[first].n_rows, self._good_rows(whole[first], first)
        in_place = self._n_rows + np.arange(n_rows)
        orders, moved = {first: in_place}, []
        for i in others:
            orders[i] = self._order(i, whole[i], first, own, n_rows)
            moved += [i] if ((orders[i] != in_place) & (orders[i] != _NO_ROW)).any() else []
        for i in (i for i in range(len(whole)) if i not in orders):
            if moved:
                names = [self._inputs[j].title for j in (first, moved[0], i)]
                self._fail(
                    f"{names[0]} and {names[1]} have their ids in different order, and {names[2]} has none to follow"
                )
            if whole[i].n_rows != n_rows:
                self.has_reordered = False
                return
            orders[i] = in_place
        if moved and len(self._row_of) + self._n_bad == self._n_rows:
            texts = {row: text for text, row in self._row_of.items()}
            texts |= {self._n_rows + row: text for row, text in own.ids}
            self._bad.ids = [texts.get(row, "") for row in range(self._n_rows + n_rows)]
        yield from self._in_blocks([self._taken(i, block, orders[i]) for i, block in enumerate(whole)])

    def _in_blocks(self, whole: Sequence[TextBlock]) -> Iterator[list[TextBlock]]:
        """Yield rows of all files, without ids, in blocks."""
        whole, n_rows = self.without_ids(whole), whole[0].n_rows
        for start in range(0, n_rows, rows.BLOCK_ROWS):
            stop = min(start + rows.BLOCK_ROWS, n_rows)
            yield [block.slice(start, stop) for block in whole]

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
                    self._twice = _Twice(text, seen[text], self._n_rows + row)
                    break
                seen[text] = self._n_rows + row
        self._row_of |= new
        self._n_rows += blocks[0].n_rows
        self._n_bad += blocks[0].n_rows - len(at)

    def _good_rows(self, block: TextBlock, i: int) -> _GoodRows:
        """Return the good rows of the rest of a file."""
        bad, twice = {*block.bad}, self._twice
        row_of: dict[str, int] = {}
        ids = [(row, text) for row, text in enumerate(self._ids(block, i)) if row not in bad]
        for row, text in ids:
            before = self._row_of.get(text, self._n_rows + row_of[text] if text in row_of else None)
            if before is not None:
                twice = twice or _Twice(text, before, self._n_rows + row)
            row_of.setdefault(text, row)
        return _GoodRows(ids, row_of, twice, self._n_bad + len(bad))

    def _order(self, i: int, block: TextBlock, first: int, own: _GoodRows, n_rows: int) -> Any:
        """Return which rows of a file, counted from its first, belong to the rest of the first file."""
        theirs = self._good_rows(block, i)
        is_system = any(field.role == "prediction" for field in self._inputs[i].fields)
        if theirs.twice or (own.twice and is_system):
            at = dict(theirs.ids)
            if block.n_rows == n_rows and all(at.get(row, text) == text for row, text in own.ids):
                order = self._n_rows + np.arange(n_rows)
                order[[*block.bad]] = _NO_ROW
                return order
            if own.twice:
                self._refuse_twice(first, own.twice)
        if theirs.twice:
            self._refuse_twice(i, theirs.twice)
        extra = [text for text in theirs.row_of if text not in own.row_of]
        missing = [text for text in own.row_of if text not in theirs.row_of and text not in self._row_of]
        # A bad row may be the one of any id that is missing.
        if len(extra) > own.n_bad:
            self._refuse_missing(i, theirs.row_of[extra[0]], first, extra, missing)
        if len(missing) > theirs.n_bad:
            self._refuse_missing(first, own.row_of[missing[0]], i, missing, extra)
        if own.twice and self._inputs[i].is_read_once and any(text in self._row_of for text in own.row_of):
            self._refuse_twice(first, own.twice)
        order = np.full(n_rows, _NO_ROW)
        for row, text in own.ids:
            if text in self._row_of:
                order[row] = self._row_of[text]
            elif text in theirs.row_of:
                order[row] = self._n_rows + theirs.row_of[text]
        return order

    def _taken(self, i: int, block: TextBlock, order: Any) -> TextBlock:
        """Return rows of a file, counted from its first, of which `block` is the rest; a row that it lacks is bad."""
        start, n_columns = self._n_rows, len(block.columns)
        if ((order >= 0) & (order < start)).any():
            # Rows that went through are read once more.
            block = _joined_blocks([*self._inputs[i].blocks(BadRows(is_skipped=True))], n_columns)
            start = 0
        is_bad = np.isin(order, [*(start + row for row in block.bad), _NO_ROW])
        nothing = TextLists.of(known_texts([""]))
        places = np.where(order == _NO_ROW, block.n_rows, order - start)
        return TextBlock(
            [joined([column, nothing]).take(places) for column in block.columns], np.flatnonzero(is_bad).tolist()
        )

    def _place(self, i: int, row: int) -> str:
        """Name a row, counted from the first of the file."""
        starts = [start for start, _ in self._places[i]]
        start, records = self._places[i][bisect_right(starts, row) - 1]
        return records.place(row - start)

    def _refuse_twice(self, i: int, twice: _Twice) -> NoReturn:
        places = [self._place(i, twice.before), self._place(i, twice.row)]
        self._fail(f"{listed(places)} have the same {self._id(i, twice.text)}, by which rows are joined")

    def _refuse_missing(self, i: int, row: int, other: int, alone: Sequence[str], in_other: Sequence[str]) -> NoReturn:
        """Refuse ids that a file has `alone`, the first of them in a row: other rows are no pairs by position."""
        place, names = self._place(i, self._n_rows + row), (self._inputs[i].title, self._inputs[other].title)
        counts = f"ids of {names[0]} alone: {len(alone):,}, of {names[1]} alone: {len(in_other):,}"
        self._fail(f"{place}: {self._id(i, alone[0])} is in no row of {names[1]}, which is joined by it", counts)

    def _id(self, i: int, text: str) -> str:
        key = self._inputs[i].key
        shown = text if len(text) <= _LONGEST_ID else text[:_LONGEST_ID] + "..."
        return f"{'id' if key is None else key.name} {shown!r}"

    def _fail(self, message: str, remark: str = _BY_POSITION) -> NoReturn:
        of_parts = "--id-field names another column, " * any(file.part is not None for file in self._inputs)
        raise FileError(printable(f"{message} ({of_parts}{remark})"))


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
