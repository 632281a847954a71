"""The texts of the comparisons: the embedded sample, files, or random texts."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

# The corpora that can be read from files.
FILES = ("summaries", "translations", "lines")
# By approximate length of a text: number of joined lines, separator, number of texts.
JOINED = {
    "55 tokens": (1, " ", 4_000),
    "430 tokens": (8, " ", 600),
    "960 tokens": (18, " ", 300),
    "10 lines": (10, "\n", 400),
}
# Texts without references, for perplexity.
MADE_UP = "made up"
N_MADE_UP, LONGEST = 60, 250
WORDS = "the cat sat on mat a dog barks at one two three sell coffee"


class Unavailable(Exception):  # noqa: N818 - it says a state of the machine, not a mistake
    """Something cannot be measured here; the message is the reason on the page."""


@dataclass(frozen=True)
class Corpus:
    """Predictions with one or more references each.

    Attributes
    ----------
    source : str
        The name of the texts on the page.
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
        """A list of str if every segment has one reference, else a list of lists."""
        return self.references if self.max_references > 1 else self.first_references

    @cached_property
    def first_references(self) -> list[str]:
        """The first reference of every segment."""
        return [references[0] for references in self.references]

    def one_reference(self) -> list[str]:
        """Return the references, for tools that take one per segment."""
        if self.max_references > 1:
            raise Unavailable("takes one reference per segment")
        return self.first_references

    def first(self, n_segments: int) -> Corpus:
        """Return the first segments."""
        return Corpus(self.source, self.predictions[:n_segments], self.references[:n_segments])

    @property
    def description(self) -> str:
        """Its source and size, for the page."""
        words = f"{sum(len(text.split()) for text in self.predictions):,} words"
        numbers = sorted({len(references) for references in self.references})
        if not numbers:
            return f"{self.source}: {len(self):,} texts, {words}"
        count = " to ".join(str(n) for n in (numbers[0], numbers[-1])[: len(numbers)])
        plural = "" if numbers[-1] == 1 else "s"
        return f"{self.source}: {len(self):,} segments, {count} reference{plural} each, {words}"


class Library:
    """Corpora by name, made on first use; `used` has those that were made.

    Parameters
    ----------
    files : mapping
        A path for any of `FILES`; the default of the first two is the embedded sample.
    """

    def __init__(self, files: Mapping[str, Path] | None = None) -> None:
        self._files = dict(files or {})
        self.used: dict[str, Corpus] = {}

    def __getitem__(self, name: str) -> Corpus:
        if name not in self.used:
            self.used[name] = self._make(name)
        return self.used[name]

    def _make(self, name: str) -> Corpus:
        if name == MADE_UP:
            return Corpus("made up here", _mixed_texts(), [])
        if name == "one reference":
            every = self["translations"]
            return Corpus(
                f"{every.source}, the first references", every.predictions, [[r] for r in every.first_references]
            )
        if name in JOINED:
            return _joined(*self._lines, name)
        if name in self._files:
            return read(self._files[name])
        from textgauge.sample import columns

        return Corpus("embedded sample", *columns(name))

    @cached_property
    def _lines(self) -> tuple[str, list[str]]:
        path = self._files.get("lines")
        if path is None:
            raise Unavailable("no --lines FILE was given")
        return path.name, [" ".join(line.decode().split()) for line in _lines_of(path)]


def _joined(source: str, texts: list[str], name: str) -> Corpus:
    """Join lines to references; predictions have three words in ten replaced."""
    n_lines, between, n_texts = JOINED[name]
    starts = range(0, min(len(texts), n_lines * n_texts) - n_lines + 1, n_lines)
    if not starts:
        raise Unavailable(f"{source} has fewer than {n_lines} lines")
    draw = random.Random(0)
    references = [texts[i : i + n_lines] for i in starts]
    predictions = [between.join(_noisy(line, draw) for line in reference) for reference in references]
    return Corpus(f"{source}, {n_lines} lines a text", predictions, [[between.join(lines)] for lines in references])


def _noisy(line: str, draw: random.Random) -> str:
    words = line.split()
    return " ".join(word if draw.random() < 0.7 else draw.choice(words) for word in words)


def _mixed_texts() -> list[str]:
    """Return fixed random texts with a realistic distribution of lengths."""
    draw = random.Random(0)
    lengths = (int(min(LONGEST, draw.lognormvariate(3, 1)) + 1) for _ in range(N_MADE_UP))
    return [" ".join(draw.choices(WORDS.split(), k=length)) for length in lengths]


def random_texts(n_texts: int, n_words: int) -> list[str]:
    """Return random texts of `n_words` words with a realistic distribution of frequencies."""
    import numpy as np

    words = np.minimum(np.random.default_rng(0).zipf(1.3, n_texts * n_words), 10**5).astype(str)
    return [" ".join(words[i : i + n_words]) for i in range(0, n_texts * n_words, n_words)]


def read(path: Path) -> Corpus:
    """Read JSON Lines, gzipped or not: `prediction` and `reference` or `references`.

    Raises
    ------
    ValueError
        If a line is not such an object, or the file has none; the message names the line.
    """
    rows = [_row(line, f"{path.name}, line {i}") for i, line in enumerate(_lines_of(path), start=1)]
    if not rows:
        raise ValueError(f"{path.name}: expected at least one segment, got none")
    return Corpus(path.name, [prediction for prediction, _ in rows], [references for _, references in rows])


def _lines_of(path: Path) -> list[bytes]:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        return list(lines)


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
