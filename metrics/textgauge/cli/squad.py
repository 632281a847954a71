"""Questions and answers in the rows of SQuAD, matched by their ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click
import pyarrow as pa

from ..arrow import text_array
from ..checks import fail
from ..squad_rows import answer_corpus_of
from .files import InputError
from .json_lines import JsonLines

SQUAD = "squad"


class SquadRows:
    """JSON Lines with "id" and "prediction_text", and with "id" and "answers", in several files or in one."""

    unit = "rows"

    def __init__(self, systems: Sequence[str], references: Sequence[str]) -> None:
        """Open the files of the systems, and that of the answers unless the one system's has them."""
        if len(references) > 1:
            fail(click.UsageError, "--references", "one file, whose rows hold all answers", str(len(references)))
        self._files = [JsonLines(path, [], 0) for path in (*systems, *references)]
        self._n_systems = len(systems)
        self.name, self.done = self._files[0].name, self._files[0].done

    def batches(self) -> Iterator[list[pa.Array]]:
        """Yield the predictions of every system and lists of answers, in the order of the answers."""
        sides = [_rows(file) for file in self._files]
        columns = []
        for file, rows in zip(self._files[: self._n_systems], sides, strict=False):
            try:
                corpus = answer_corpus_of(rows, sides[-1])
            except (TypeError, ValueError) as error:
                raise InputError(f"{file.name}: {error}") from error
            columns.append(text_array(corpus.hypotheses))
        yield [
            *columns,
            pa.LargeListArray.from_arrays(pa.array(corpus.reference_offsets), text_array(corpus.references)),
        ]

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()


def _rows(file: JsonLines) -> list[dict[str, Any]]:
    rows = [row for _, block in file.rows() for row in block]
    if not rows:
        fail(InputError, file.name, "at least one segment", "none: the file is empty")
    return rows
