"""Plain text, a segment a line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import offsets_of
from ..plain import Texts
from .lines import FileError, check_utf8, line_blocks, shown_name
from .rows import Blocks, NamedColumn, Reading, Records, TextBlock, TextLists, texts_at, without_bad


def text_blocks(path: str, _: Sequence[NamedColumn], reading: Reading) -> Blocks:
    r"""Yield plain text, one segment per line: lines end at \n or \r\n and nowhere else."""
    name = shown_name(path)

    def columns_of(rows: Records) -> list[TextLists]:
        data = b"\n".join(rows.values)
        check_utf8(data, name, rows.numbers[0])
        return [TextLists.of(_lines_in(data))]

    for number, data in line_blocks(path, reading.limits, reading.progress):
        try:
            check_utf8(data, name, number)
        except FileError:
            lines = data.removesuffix(b"\n").split(b"\n")
            yield without_bad(
                Records(name, "line", range(number, number + len(lines)), lines), columns_of, 1, reading.bad
            )
        else:
            yield TextBlock([TextLists.of(_lines_in(data))])


def _lines_in(data: bytes) -> Texts:
    """Return the lines of checked UTF-8."""
    data = (data.removesuffix(b"\n") + b"\n").replace(b"\r\n", b"\n")
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return texts_at(offsets_of(np.diff(ends, prepend=-1) - 1), data.replace(b"\n", b""))
