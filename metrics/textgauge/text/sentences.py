"""From texts to sentences, for the summary-level LCS."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

from ..input.columns import known_texts
from ..plain import Texts

# Marks behind which a sentence ends at white space alone, since they also stand inside of words and numbers.
_SPACED = ".!?\u2024"
# Full stops behind which it ends without one, unless a digit or Latin letter follows.
_WIDE_STOPS = "\ufe52\uff0e"
# Any other mark with the property Sentence_Terminal of Unicode 17, and the two shads of Tibetan, which lack it.
_ALONE = (
    "\u0589\u061d-\u061f\u06d4\u0700-\u0702\u07f9\u0837\u0839\u083d\u083e\u0964\u0965\u0f0d\u0f0e\u104a\u104b\u1362"
    "\u1367\u1368\u166e\u1735\u1736\u17d4\u17d5\u1803\u1809\u1944\u1945\u1aa8-\u1aab\u1b4e\u1b4f\u1b5a\u1b5b\u1b5e"
    "\u1b5f\u1b7d-\u1b7f\u1c3b\u1c3c\u1c7e\u1c7f\u203c\u203d\u2047-\u2049\u2cf9-\u2cfb\u2e2e\u2e3c\u2e53\u2e54\u2e60"
    "\u2e61\u3002\ua4ff\ua60e\ua60f\ua6f3\ua6f7\ua876\ua877\ua8ce\ua8cf\ua92f\ua9c8\ua9c9\uaa5d-\uaa5f\uaaf0\uaaf1"
    "\uabeb\ufe12\ufe15\ufe16\ufe56\ufe57\uff01\uff1f\uff61\U00010a56\U00010a57\U00010f55-\U00010f59"
    "\U00010f86-\U00010f89\U00011047\U00011048\U000110be-\U000110c1\U00011141-\U00011143\U000111c5\U000111c6\U000111cd"
    "\U000111de\U000111df\U00011238\U00011239\U0001123b\U0001123c\U000112a9\U000113d4\U000113d5\U0001144b\U0001144c"
    "\U000115c2\U000115c3\U000115c9-\U000115d7\U00011641\U00011642\U0001173c-\U0001173e\U00011944\U00011946\U00011a42"
    "\U00011a43\U00011a9b\U00011a9c\U00011c41\U00011c42\U00011ef7\U00011ef8\U00011f43\U00011f44\U00016a6e\U00016a6f"
    "\U00016af5\U00016b37\U00016b38\U00016b44\U00016d6e\U00016d6f\U00016e98\U0001bc9f\U0001da88"
)
# A necessary condition for another mark than . ! ? that is looked for fast.
_PERHAPS_MARK = re.compile("[^\\x00-\\u0588\\u2000-\\u2023\\u2025-\\u203b\\u204a-\\u2cf8]")
# The longest abbreviation, "Prof.", has five characters.
_ABBREVIATION_LENGTH = 5
_ABBREVIATION = re.compile(r"\b(?:([^\W\d_])|Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|No|Jr|Sr|Inc|Ltd|Co|U\.S)\.$")
# What counts to the character before it (SB5 of UAX #29): marks of direction, joiners, how an emoji looks.
_EXTENDING = "\u00ad\u061c\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff"
# The same as `_sentence_end` for text in ASCII, four times as fast.
_ASCII_END = re.compile(r"[.!?][\"')\]}]*\s+")


@functools.cache
def _sentence_end() -> re.Pattern[str]:
    """Return the expression of an end mark with what closes the sentence, and the white space behind it."""
    signs = {kind: "" for kind in ("Pe", "Pf", "Pi")}
    for code in range(0x28, 0x10000):
        kind = unicodedata.category(chr(code))
        if kind in signs:
            signs[kind] += f"\\u{code:04x}"
    closing = signs["Pe"] + signs["Pf"]
    # In some languages the left quotes close; before a closing one there may be a space.
    spaced = rf"(?:[\"'{closing}{signs['Pi']}{_EXTENDING}]|[ \u00a0\u202f][\u00ab\u00bb\u2039\u203a])*\s+"
    alone = rf"(?![{_ALONE}{_WIDE_STOPS}])[.!?]*[{closing}{_EXTENDING}]*(?:[\"'](?=\s|\Z))*\s*"
    return re.compile(rf"[{_SPACED}{_ALONE}{_WIDE_STOPS}](?:(?<=[{_SPACED}]){spaced}|(?<![{_SPACED}]){alone})")


def lines_of_sentences(texts: Texts) -> Texts:
    """Put every sentence on a separate line.

    A sentence ends behind a mark that ends sentences in its script, and the quotes and brackets that close it. Full
    stop, question mark and exclamation mark end one if white space follows, but no lower-case letter; a full stop that
    ends an initial or a common abbreviation ends none.
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
    if not has_mark and _PERHAPS_MARK.search(inside) is None:
        return False
    if _ends(text).search(text) is None:
        return False
    return next(islice(placed_sentences(text, at_end_marks=True), 1, None), None) is not None


def _ends(text: str) -> re.Pattern[str]:
    return _ASCII_END if text.isascii() else _sentence_end()


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _ends(text).finditer(text):
        at, stop = end.span()
        mark, behind = text[at], text[stop : stop + 1]
        if mark in _SPACED:
            # Unicode counts the letters of Georgian as small, but sentences begin with them.
            if behind.islower() and not "\u10d0" <= behind <= "\u10ff":
                continue
            if mark == "." and _is_short(text, start, at + 1):
                continue
        elif mark in _WIDE_STOPS and stop == at + 1 and _is_latin(behind):
            continue
        yield text[start:stop]
        start = stop
    if start < len(text) or not text:
        yield text[start:]


def _is_short(text: str, start: int, stop: int) -> bool:
    """Return whether an initial or abbreviation ends at `stop`."""
    # A search from `start` would take quadratic time for a text of initials.
    found = _ABBREVIATION.search(text, max(start, stop - _ABBREVIATION_LENGTH), stop)
    return found is not None and (found[1] is None or found[1].isupper())


def _is_latin(character: str) -> bool:
    """Return whether a character is a Latin letter or a digit, of any width."""
    return character.isalnum() and unicodedata.normalize("NFKC", character).isascii()
