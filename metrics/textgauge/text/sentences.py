"""From texts to sentences, for the summary-level LCS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ..input.columns import known_texts
from ..plain import Texts

# An end mark, closing quotes or brackets, then white space not followed by a lower-case letter;
# full-width marks need no space after them.
_SENTENCE_END = re.compile(r"(?<=[.!?])([\"'\u201d\u2019)\]]*)\s+(?![a-z\s])|(?<=[\u3002\uff01\uff1f])")
# A necessary condition, without look-around.
_PERHAPS_END = re.compile(r"[.!?][\"'\u201d\u2019)\]]*\s|[\u3002\uff01\uff1f]")
# The longest abbreviation, "Prof.", has five characters.
_ABBREVIATION_LENGTH = 5
_ABBREVIATION = re.compile(r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|No|Jr|Sr|Inc|Ltd|Co|U\.S))\.$")


def lines_of_sentences(texts: Texts) -> Texts:
    """Put every sentence on a separate line.

    A sentence ends after a full stop, question mark or exclamation mark that is not the end of an initial
    or a common abbreviation.
    """
    return known_texts(["\n".join(_sentences(text)) for text in texts.tolist()])


def placed_sentences(text: str, *, at_end_marks: bool) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text, or its sentences, each with the position of its first character."""
    start = 0
    for piece in _sentences(text) if at_end_marks else [text]:
        for line in piece.split("\n"):
            if line:
                yield start, line
            start += len(line) + 1
        start -= 1


def has_sentences(text: str) -> bool:
    """Return whether a text has several sentences or lines."""
    # Called for every single pair, most of which have no end mark inside.
    inside = text[:-1]
    has_mark = "." in inside or "!" in inside or "?" in inside
    if not (has_mark or "\u3002" in inside or "\uff01" in inside or "\uff1f" in inside):
        return False
    has_place = _PERHAPS_END.search(text) is not None and _SENTENCE_END.search(text) is not None
    return has_place and next(islice(placed_sentences(text, at_end_marks=True), 1, None), None) is not None


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE_END.finditer(text):
        # A search from `start` would take quadratic time for a text of initials.
        if not _ABBREVIATION.search(text, max(start, end.start() - _ABBREVIATION_LENGTH), end.start()):
            yield text[start : end.end()]
            start = end.end()
    yield text[start:]
