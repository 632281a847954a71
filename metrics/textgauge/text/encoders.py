"""The tokenizers on whole columns: where the tokens are, no Python object per token."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..ragged import IntArray
from .bytes import Bytes, Flags, Spans, cut_runs, joined, runs
from .definitions import LANGUAGE_INDEPENDENT_13A

SPACE, DIGIT, STOP, DASH, SYMBOL, LEAD, OTHER = range(7)


def _byte_table(groups: dict[int, bytes]) -> bytes:
    """Give every byte the class that names it, else OTHER."""
    return bytes(next((kind for kind, members in groups.items() if b in members), OTHER) for b in range(256))


_ASCII_SPACE = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "
_SYMBOLS = bytes(i for i in range(0x21, 0x7F) if not chr(i).isalnum() and chr(i) not in "'.,-")
_UNICODE_SPACES = [chr(i).encode() for i in range(0x80, 0x3001) if chr(i).isspace()]
_LEADS = bytes({space[0] for space in _UNICODE_SPACES})
CLASSES_13A = _byte_table(
    {SPACE: _ASCII_SPACE, DIGIT: b"0123456789", STOP: b".,", DASH: b"-", SYMBOL: _SYMBOLS, LEAD: _LEADS}
)
_CLASSES_SPACE = _byte_table({SPACE: _ASCII_SPACE, LEAD: _LEADS})
_CLASSES_PERL_SPACE = _byte_table({SPACE: b" \t\n\r\f\v"})
_SPACES_OF_TWO, _SPACES_OF_THREE = (
    np.array([int.from_bytes(space, "big") for space in _UNICODE_SPACES if len(space) == n]) for n in (2, 3)
)
_REWRITTEN_13A = tuple(old.encode() for old, _ in LANGUAGE_INDEPENDENT_13A if old != "\n")
_LOWERED = bytes(ord(chr(b).lower()) if b < 128 and chr(b).isalnum() else 0 for b in range(256))


def _classes(raw: bytes, table: bytes) -> Bytes:
    """Return the class of every byte; white space outside ASCII is SPACE too."""
    data, classes = np.frombuffer(raw, np.uint8), np.frombuffer(raw.translate(table), np.uint8)
    leads = np.flatnonzero(classes == LEAD)
    if len(leads):
        classes = classes.copy()
        classes[leads] = OTHER
        two = data[leads].astype(np.int64) << 8 | data[leads + 1]
        classes[leads[np.isin(two, _SPACES_OF_TWO)][:, None] + [0, 1]] = SPACE
        three = two << 8 | data[leads + 2]
        classes[leads[np.isin(three, _SPACES_OF_THREE)][:, None] + [0, 1, 2]] = SPACE
    return classes


def spans_whitespace(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_whitespace` does."""
    raw, starts = joined(column)
    return runs(np.frombuffer(raw, np.uint8), _classes(raw, _CLASSES_SPACE) != SPACE, starts)


def spans_ascii_whitespace(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_ascii_whitespace` does."""
    raw, starts = joined(column)
    return runs(np.frombuffer(raw, np.uint8), _classes(raw, _CLASSES_PERL_SPACE) != SPACE, starts)


def spans_character(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_character` does."""
    raw, starts = joined(column)
    data = np.frombuffer(raw, np.uint8)
    return cut_runs(data, _classes(raw, _CLASSES_SPACE) != SPACE, (data & 0xC0) != 0x80, starts)


def spans_rouge(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_rouge` does."""
    raw, starts = joined(column)
    # The two characters outside ASCII whose lower case has an ASCII letter.
    for character in ("\u0130", "\u212a"):
        encoded = character.encode()
        # A search for one byte is many times faster than one for two or three.
        if encoded[1:2] in raw and encoded in raw:
            column = pc.replace_substring(column, character, character.lower())
            raw, starts = joined(column)
    return _lowered_runs(raw, starts)


def spans_rouge155(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_rouge155` does."""
    return _lowered_runs(*joined(column))


def _lowered_runs(raw: bytes, starts: IntArray) -> Spans:
    lowered = np.frombuffer(raw.translate(_LOWERED), np.uint8)
    return runs(lowered, lowered != 0, starts)


def _has_rewritten(raw: bytes) -> bool:
    """Say whether there is anything that 13a replaces before it splits."""
    # A search for one byte is many times faster than one for the whole string.
    if b"\n" in raw and b"-\n" in raw:
        return True
    return any(raw.startswith(_REWRITTEN_13A, at) for first in (b"&", b"<") for at in _places(first, raw))


def _places(byte: bytes, raw: bytes) -> Iterator[int]:
    at = raw.find(byte)
    while at >= 0:
        yield at
        at = raw.find(byte, at + 1)


def spans_13a(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_13a` does: its rules look only at neighbouring characters."""
    raw, starts = joined(column)
    if _has_rewritten(raw):
        for old, new in LANGUAGE_INDEPENDENT_13A[:2] + LANGUAGE_INDEPENDENT_13A[3:]:
            column = pc.replace_substring(column, old, new)
        raw, starts = joined(column)
    classes = _classes(raw, CLASSES_13A)
    alone = classes == SYMBOL
    # One search for both, over all bytes, costs less than one for each.
    marks = np.flatnonzero((classes == DASH) | (classes == STOP))
    is_stop = classes[marks] == STOP
    dashes, stops = marks[~is_stop], marks[is_stop]
    alone[dashes] = classes[dashes - 1] == DIGIT
    alone[stops] = stops_alone(stops, classes[stops - 1], classes[stops + 1])
    opens = alone.copy()
    opens[1:] |= alone[:-1]
    return cut_runs(np.frombuffer(raw, np.uint8), classes != SPACE, opens, starts)


def stops_alone(stops: IntArray, before: Bytes, after: Bytes) -> Flags:
    """Say which full stops and commas are tokens of their own.

    The second rule of 13a takes "character, stop" pairs from the left, and a stop may be
    the character of the next pair, so within a run the parity decides; what it leaves,
    the third rule cuts off unless a digit follows.
    """
    after_digit = before == DIGIT
    opens = np.flatnonzero(before != STOP)
    index: IntArray | int = 0
    if len(opens) < len(stops):
        sizes = np.diff(opens, append=len(stops))
        index = np.arange(len(stops)) - np.repeat(opens, sizes)
        after_digit = np.repeat(after_digit[opens], sizes)
    paired = (index + after_digit) % 2 == 0
    return paired | (after != DIGIT)
