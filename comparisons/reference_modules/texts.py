"""The texts of the comparisons: the embedded sample, files, or random texts."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

# The corpora that can be read from files.
FILES = ("summaries", "translations", "lines")
# Small batches: as many words in both languages, so that texts have the same lengths and repetitions.
ASCII = "the bear runs across a wide street and greets three young bakers who sell fresh rolls near an old mill"
GERMAN = (
    "der Bär läuft über eine breite Straße und grüßt drei junge Bäcker die frische Rollen am alten grünen Haus haben"
)
BATCH = 32
# Of calls that bring their own.
NO_TEXTS = "none"
# Texts without references, for perplexity.
N_MADE_UP, LONGEST, WORDS = 60, 250, "the cat sat on mat a dog barks at one two three sell coffee"


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

    @property
    def max_references(self) -> int:
        """The largest number of references of a segment."""
        return max(map(len, self.references), default=0)

    @property
    def plain_references(self) -> list[Any]:
        """A list of str if every segment has one reference, else a list of lists."""
        return self.references if self.max_references > 1 else self.first_references

    @property
    def first_references(self) -> list[str]:
        """The first reference of every segment."""
        return [references[0] for references in self.references]

    def one_reference(self) -> list[str]:
        """Return the references, for tools that take one per segment."""
        if self.max_references > 1:
            raise Unavailable("takes one reference per segment")
        return self.first_references

    def first(self, n_segments: int | None) -> Corpus:
        """Return the first segments; None for all."""
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


class Library(dict[str, Corpus]):
    """Corpora by the names of `TEXTS`, made on first use.

    Parameters
    ----------
    files : mapping
        A path for any of `FILES`; the default of the first two is the embedded sample.
    """

    def __init__(self, files: Mapping[str, Path] | None = None) -> None:
        self.files = dict(files or {})

    def __missing__(self, name: str) -> Corpus:
        self[name] = TEXTS[name](self)
        return self[name]


def _given(library: Library, name: str) -> Corpus:
    if name in library.files:
        return read(library.files[name])
    from textgauge.sample import columns

    return Corpus("embedded sample", *columns(name))


def _one_reference(library: Library) -> Corpus:
    every = library["translations"]
    references = [[reference] for reference in every.first_references]
    return Corpus(f"{every.source}, the first references", every.predictions, references)


def _joined(library: Library, n_lines: int, between: str, n_texts: int) -> Corpus:
    """Join lines to references; predictions have three words in ten replaced."""
    path = library.files.get("lines")
    if path is None:
        raise Unavailable("no --lines FILE was given")
    lines = [" ".join(line.decode().split()) for line in lines_of(path)]
    starts = range(0, min(len(lines), n_lines * n_texts) - n_lines + 1, n_lines)
    if not starts:
        raise Unavailable(f"{path.name} has fewer than {n_lines} lines")
    draw = random.Random(0)
    references = [lines[i : i + n_lines] for i in starts]
    predictions = [between.join(changed(line, draw) for line in reference) for reference in references]
    return Corpus(f"{path.name}, {n_lines} lines a text", predictions, [[between.join(lines)] for lines in references])


def changed(text: str, draw: random.Random, kept: float = 0.7, among: Sequence[str] = ()) -> str:
    """Return a text in which other words are drawn for some: of `among`, else of its own."""
    words = text.split()
    return " ".join(word if draw.random() < kept else draw.choice(among or words) for word in words)


def _batch(_: Library, words: str) -> Corpus:
    """Return `BATCH` references of random words, and copies in which three words in ten are replaced."""
    draw = random.Random(0)
    references = [" ".join(draw.choices(words.split(), k=draw.randint(12, 24))) for _ in range(BATCH)]
    return Corpus("made up here", [changed(text, draw) for text in references], [[text] for text in references])


def _of_many_lengths(_: Library) -> Corpus:
    draw = random.Random(0)
    lengths = (int(min(LONGEST, draw.lognormvariate(3, 1)) + 1) for _ in range(N_MADE_UP))
    return Corpus("made up here", [" ".join(draw.choices(WORDS.split(), k=length)) for length in lengths], [])


def _repeated(library: Library, n_pairs: int) -> Corpus:
    summaries = library["summaries"]
    pairs = zip(summaries.predictions, summaries.references, strict=True)
    return Corpus("over and over", *map(list, zip(*islice(cycle(pairs), n_pairs), strict=True)))


def random_texts(n_texts: int, n_words: int) -> list[str]:
    """Return random texts of `n_words` words with a realistic distribution of frequencies."""
    import numpy as np

    words = np.minimum(np.random.default_rng(0).zipf(1.3, n_texts * n_words), 10**5).astype(str)
    return [" ".join(words[i : i + n_words]) for i in range(0, n_texts * n_words, n_words)]


def _documents(_: Library, n_tokens: int) -> Corpus:
    first, second = random_texts(2, n_tokens)
    return Corpus("two documents", [first], [[second]])


TEXTS: dict[str, Callable[[Library], Corpus]] = {
    "summaries": partial(_given, name="summaries"),
    "translations": partial(_given, name="translations"),
    "one reference": _one_reference,
    # Lines of news summaries have about 55 tokens.
    "55 tokens": partial(_joined, n_lines=1, between=" ", n_texts=4_000),
    "430 tokens": partial(_joined, n_lines=8, between=" ", n_texts=600),
    "960 tokens": partial(_joined, n_lines=18, between=" ", n_texts=300),
    "10 lines": partial(_joined, n_lines=10, between="\n", n_texts=400),
    "ASCII": partial(_batch, words=ASCII),
    "German": partial(_batch, words=GERMAN),
    "made up": _of_many_lengths,
    **{f"{n:,} pairs": partial(_repeated, n_pairs=n) for n in (10_000, 100_000, 1_000_000)},
    "two documents of 100,000 tokens": partial(_documents, n_tokens=100_000),
    "1,000,000 words": lambda _: Corpus("made up here", random_texts(20_000, 50), []),
    NO_TEXTS: lambda _: Corpus(NO_TEXTS, [""], []),
}


def read(path: Path) -> Corpus:
    """Read JSON Lines, gzipped or not: `prediction` and `reference` or `references`.

    Raises
    ------
    ValueError
        If a line is not such an object, or the file has none.
    """
    from pyarrow import json

    rows = json.read_json(path, json.ReadOptions(block_size=2**28))
    side = "references" if "references" in rows.column_names else "reference"
    if not {"prediction", side} <= {*rows.column_names}:
        raise ValueError(f"{path.name}: expected prediction and reference(s), got {', '.join(rows.column_names)}")
    predictions, references = rows["prediction"].to_pylist(), rows[side].to_pylist()
    groups = [[given] if isinstance(given, str) else given for given in references]
    for i, (prediction, texts) in enumerate(zip(predictions, groups, strict=True), start=1):
        if not (texts and all(isinstance(text, str) for text in (prediction, *texts))):
            raise ValueError(f"{path.name}, line {i}: expected text in prediction and reference(s)")
    return Corpus(path.name, predictions, groups)


def lines_of(path: Path) -> list[bytes]:
    """Return the lines of a file, gzipped or not."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        return list(lines)
