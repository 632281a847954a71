"""Texts to sentences, for the summary-level LCS."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..ragged import IntArray, offsets_of
from .bytes import text_bytes

# An end mark, closing quotes or brackets, then white space before anything but a lower-case
# letter; the full-width marks need no space behind them.
_SENTENCE_END = re.compile(r"(?<=[.!?])([\"'\u201d\u2019)\]]*)\s+(?![a-z\s])|(?<=[\u3002\uff01\uff1f])")
# The longest of them, "Prof.", has five characters.
_ABBREVIATION_LENGTH = 5
_ABBREVIATION = re.compile(r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|No|Jr|Sr|Inc|Ltd|Co|U\.S))\.$")


def split_sentences(column: pa.LargeStringArray, *, at_end_marks: bool) -> tuple[pa.LargeStringArray, IntArray]:
    """Return all non-empty sentences and the int64 offsets of the texts.

    Sentences end at newlines, with `at_end_marks` also behind a full stop, question or
    exclamation mark that ends neither an initial nor a common abbreviation.
    """
    if at_end_marks:
        column = pa.array(["\n".join(_sentences(text)) for text in column.to_pylist()], pa.large_string())
    data, lengths = text_bytes(column)
    if lengths.all() and not (data == ord("\n")).any():
        return column, np.arange(len(column) + 1)
    lists = pc.split_pattern(column, "\n")
    sentences, parent = lists.flatten(), pc.list_parent_indices(lists)
    keep = pc.greater(pc.binary_length(sentences), 0)
    counts = np.bincount(np.asarray(parent.filter(keep)), minlength=len(column))
    return sentences.filter(keep), offsets_of(counts)


def placed_sentences(text: str, *, at_end_marks: bool) -> list[tuple[int, str]]:
    """Return the sentences that `split_sentences` gives for one text, each with the character it starts at."""
    placed, start = [], 0
    for piece in _sentences(text) if at_end_marks else [text]:
        for line in piece.split("\n"):
            if line:
                placed.append((start, line))
            start += len(line) + 1
        start -= 1
    return placed


def _sentences(text: str) -> list[str]:
    sentences = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        # Searched from `start`, a text of initials alone would be read again for each of them.
        if not _ABBREVIATION.search(text, max(start, end.start() - _ABBREVIATION_LENGTH), end.start()):
            sentences.append(text[start : end.end()])
            start = end.end()
    return [*sentences, text[start:]]
