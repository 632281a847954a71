"""Questions and answers in the rows of SQuAD, matched by their ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click
import pyarrow as pa

from ..checks import fail
from ..squad_rows import answer_corpus_of
from .files import InputError
from .json_lines import JsonLines

SQUAD = "squad"


class SquadRows:
    """JSON Lines with "id" and "prediction_text", and with "id" and "answers", in two files or in one."""

    unit = "rows"

    def __init__(self, predictions: str, references: Sequence[str]) -> None:
        """Open the files."""
        if len(references) > 1:
            fail(click.UsageError, "--references", "one file, whose rows hold all answers", str(len(references)))
        self._files = [JsonLines(path, [], 0) for path in (predictions, *references)]
        self.name, self.done = self._files[0].name, self._files[0].done

    def batches(self) -> Iterator[list[pa.Array]]:
        """Yield predictions and lists of answers, in the order of the answers."""
        sides = [_rows(file) for file in self._files]
        try:
            corpus = answer_corpus_of(sides[0], sides[-1])
        except (TypeError, ValueError) as error:
            raise InputError(f"{self.name}: {error}") from error
        offsets = pa.array(corpus.reference_offsets)
        yield [corpus.hypotheses, pa.LargeListArray.from_arrays(offsets, corpus.references)]

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()


def _rows(file: JsonLines) -> list[dict[str, Any]]:
    rows = [row for _, block in file.rows() for row in block]
    if not rows:
        fail(InputError, file.name, "at least one segment", "none: the file is empty")
    return rows
