"""The texts that tools are held against each other on."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

NAMES = ("summaries", "translations")


@dataclass(frozen=True)
class Corpus:
    """Predictions with one or more references each.

    Attributes
    ----------
    source : str
        What the page calls the texts.
    predictions : list of str
    references : list of list of str, none of them empty
    """

    source: str
    predictions: list[str]
    references: list[list[str]]

    def __len__(self) -> int:
        return len(self.predictions)

    @cached_property
    def max_references(self) -> int:
        """The largest number of references of a segment."""
        return max(map(len, self.references))

    @cached_property
    def plain_references(self) -> list[Any]:
        """A list of str if every segment has one reference, as people have it, else lists."""
        if self.max_references > 1:
            return self.references
        return [references[0] for references in self.references]

    def first(self, n_segments: int) -> Corpus:
        """Return the first segments."""
        return Corpus(self.source, self.predictions[:n_segments], self.references[:n_segments])

    @property
    def description(self) -> str:
        """How large it is, for the page."""
        numbers = sorted({len(references) for references in self.references})
        count = " to ".join(str(n) for n in (numbers[0], numbers[-1])[: len(numbers)])
        words = sum(len(text.split()) for text in self.predictions)
        plural = "" if numbers[-1] == 1 else "s"
        return f"{self.source}: {len(self):,} segments, {count} reference{plural} each, {words:,} words"


def sample(name: str) -> Corpus:
    """Return a part of the sample that textgauge carries."""
    from textgauge.sample import columns

    return Corpus("embedded sample", *columns(name))


def read(path: Path) -> Corpus:
    """Read JSON Lines, gzipped or not: `prediction` and `reference` or `references`.

    Raises
    ------
    ValueError
        If a line is not such an object, or the file has none; the message names the line.
    """
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        rows = [_row(line, f"{path.name}, line {i}") for i, line in enumerate(lines, start=1)]
    if not rows:
        raise ValueError(f"{path.name}: expected at least one segment, got none")
    return Corpus(path.name, [prediction for prediction, _ in rows], [references for _, references in rows])


def _row(line: bytes, where: str) -> tuple[str, list[str]]:
    try:
        fields = json.loads(line)
        references = fields["references"] if "references" in fields else fields["reference"]
        prediction = fields["prediction"]
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{where}: expected an object with prediction and reference(s), got {line[:60]!r}") from error
    references = [references] if isinstance(references, str) else references
    texts = [prediction, *references] if isinstance(references, list) and references else [None]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{where}: expected text in prediction and reference(s), got {line[:60]!r}")
    return prediction, references
