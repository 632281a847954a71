"""A long table: a row for every output of every system, whose rows are taken apart by their system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..arrays import IntArray
from ..checks import Tally, fail
from .file import InputFile, Part
from .lines import FileError, shown_name
from .rows import BadRows, NamedColumn, TextBlock

# Every system has a reader of its own, so that one may stand below the other in a table larger than memory.
MOST_SYSTEMS = 200
# In the place of the system of a row that is too bad to have one.
NO_SYSTEM = -1


class LongTable(NamedTuple):
    """The systems of a long table, in the order of their first rows.

    Attributes
    ----------
    names : list of str
    codes : array, shape (n_rows,)
        The place in `names` of the system of every row, or `NO_SYSTEM`.
    """

    names: list[str]
    codes: IntArray

    def parts(self) -> list[Part | None]:
        """Return the rows of every system; a row without one is a bad row of all."""
        return [Part(name, self.codes, (system, NO_SYSTEM)) for system, name in enumerate(self.names)]


def systems_in(file: InputFile, field: str, *, skips_bad: bool) -> LongTable:
    """Read the column of systems."""
    column, bad, codes = _column(field), BadRows(is_skipped=skips_bad), [np.zeros(0, np.int64)]
    code_of: dict[str, int] = {}
    for block in _blocks(file, [column], bad):
        names, is_bad = block.columns[0].texts.tolist(), {*block.bad}
        for row, name in enumerate(names):
            if not name.strip() and row not in is_bad and block.places is not None:
                fail(FileError, block.places.place(row, column), "the name of a system", repr(name))
        codes.append(
            np.array([NO_SYSTEM if i in is_bad else code_of.setdefault(name, len(code_of))
                      for i, name in enumerate(names)], np.int64)
        )  # fmt: skip
        if len(code_of) > MOST_SYSTEMS:
            allowed = f"at most {MOST_SYSTEMS} systems in the column {field!r}"
            fail(FileError, shown_name(file.path), allowed, "more")
    bad.check()
    return LongTable([*code_of], np.concatenate(codes))


def shares_ids(file: InputFile, field: str, key: str) -> bool:
    """Return whether rows of different systems have the same id.

    If not, the column has something else, such as the system prompt of a language model.
    """
    system, ids = _column(field), NamedColumn(key, is_key=True)
    with suppress(FileError):
        # Most tables without systems have one value there, and need no ids in memory.
        first = None
        for block in _blocks(file, [system], BadRows(is_skipped=True)):
            names = {*block.columns[0].texts.tolist()} - {""}
            first = first or next(iter(names), None)
            if names - {first}:
                break
        else:
            return False
        system_of: dict[str, str] = {}
        for block in _blocks(file, [system, ids], BadRows(is_skipped=True)):
            rows = zip(*(column.texts.tolist() for column in block.columns), strict=True)
            if any(system_of.setdefault(text, name) != name for name, text in _without_bad(rows, block)):
                return True
    return False


def _column(field: str) -> NamedColumn:
    return NamedColumn(field, "--system-field", "system", is_key=True)


def _without_bad(rows: Iterator[tuple[str, ...]], block: TextBlock) -> Iterator[tuple[str, ...]]:
    is_bad = {*block.bad}
    return (row for at, row in enumerate(rows) if at not in is_bad)


def _blocks(file: InputFile, columns: Sequence[NamedColumn], bad: BadRows) -> Iterator[TextBlock]:
    """Yield blocks of a file without warnings: whoever reads its texts warns."""
    for_columns = replace(file, fields=columns, key=None, utterances=None).blocks(bad)
    while True:
        with Tally().collecting():
            block = next(for_columns, None)
        if block is None:
            return
        yield block
