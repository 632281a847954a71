"""JSON Lines as batches of text columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from ..checks import fail, shown
from .fields import TEXT, TEXTS, blame, check_fields, is_complete
from .files import InputError, TextFile, line_blocks

_ROW = "a JSON object on every line"


class JsonLines:
    """One JSON object per line; blank lines count for nothing."""

    unit = "rows"

    def __init__(self, path: str, fields: Sequence[str], n_text: int) -> None:
        """Open the file; the first `n_text` fields hold no lists."""
        self.file = TextFile(path)
        self.fields, self.n_text = fields, n_text
        self.name, self.done, self.close = self.file.name, self.file.done, self.file.close

    def batches(self) -> Iterator[list[pa.Array]]:
        """Yield the fields of the objects."""
        for numbers, rows in self.rows():
            yield [self._column(rows, numbers, index) for index in range(len(self.fields))]

    def rows(self) -> Iterator[tuple[list[int], list[dict[str, Any]]]]:
        """Yield the objects block by block, and the numbers of their lines."""
        first = 1
        for block in line_blocks(self.file):
            lines = block.split("\n")
            numbers = [number for number, line in enumerate(lines, first) if line.strip()]
            yield numbers, [self._row(lines[number - first], number) for number in numbers]
            first += len(lines)

    def _row(self, line: str, number: int) -> dict[str, Any]:
        place = f"{self.name}, line {number}"
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            fail(InputError, place, _ROW, f"broken JSON at column {error.colno}: {error.msg}")
        except (ValueError, RecursionError) as error:
            fail(InputError, place, _ROW, f"JSON that Python cannot read: {error}")
        if not isinstance(row, dict):
            fail(InputError, place, _ROW, shown(row))
        check_fields(place, self.fields, list(row))
        return row

    def _column(self, rows: list[dict[str, Any]], numbers: list[int], index: int) -> pa.Array:
        field = self.fields[index]
        values = [row[field] for row in rows]
        may_hold_lists = index >= self.n_text
        has_lists = may_hold_lists and any(isinstance(value, list) for value in values)
        try:
            column = pa.array(list(map(_listed, values)), TEXTS) if has_lists else pa.array(values, TEXT)
        except (pa.ArrowException, TypeError, ValueError):
            column = None
        if column is None or not is_complete(column):
            blame(values, lambda row: f"{self.name}, line {numbers[row]}, field {field!r}", lists=may_hold_lists)
        return column


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]
