"""The texts that tools are held against each other on."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

# Those that files can stand for.
NAMES = ("summaries", "translations")
# Texts without references, for perplexity.
MADE_UP = "texts"
N_MADE_UP, LONGEST = 60, 250
WORDS = "the cat sat on mat a dog barks at one two three sell coffee"


@dataclass(frozen=True)
class Corpus:
    """Predictions with one or more references each.

    Attributes
    ----------
    source : str
        What the page calls the texts.
    predictions : list of str
    references : list of list of str, none of them empty; no list at all where texts have none
    """

    source: str
    predictions: list[str]
    references: list[list[str]]

    def __len__(self) -> int:
        return len(self.predictions)

    @cached_property
    def max_references(self) -> int:
        """The largest number of references of a segment."""
        return max(map(len, self.references), default=0)

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
        words = f"{sum(len(text.split()) for text in self.predictions):,} words"
        numbers = sorted({len(references) for references in self.references})
        if not numbers:
            return f"{self.source}: {len(self):,} texts, {words}"
        count = " to ".join(str(n) for n in (numbers[0], numbers[-1])[: len(numbers)])
        plural = "" if numbers[-1] == 1 else "s"
        return f"{self.source}: {len(self):,} segments, {count} reference{plural} each, {words}"


def sample(name: str) -> Corpus:
    """Return a part of the sample that textgauge carries, or the texts that are made up here."""
    from textgauge.sample import columns

    if name == MADE_UP:
        return Corpus("made up here", _mixed_texts(), [])
    return Corpus("embedded sample", *columns(name))


def _mixed_texts() -> list[str]:
    """Return texts whose lengths are as uneven as those of real ones, the same every time."""
    draw = random.Random(0)
    lengths = (int(min(LONGEST, draw.lognormvariate(3, 1)) + 1) for _ in range(N_MADE_UP))
    return [" ".join(draw.choices(WORDS.split(), k=length)) for length in lengths]


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
