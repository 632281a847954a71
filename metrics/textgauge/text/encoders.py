"""The tokenizers on whole columns: token keys from the bytes, no Python object per token."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..ragged import IntArray
from .bytes import Bytes, Flags, Spans, shifted, spans, text_bytes
from .definitions import LANGUAGE_INDEPENDENT_13A

SPACE, DIGIT, STOP, DASH, SYMBOL, OTHER = range(6)


def _byte_table(groups: dict[int, bytes], otherwise: int) -> Bytes:
    table = np.full(256, otherwise, np.uint8)
    for value, members in groups.items():
        table[list(members)] = value
    return table


_ASCII_SPACE = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "
_SYMBOLS = bytes(i for i in range(0x21, 0x7F) if not chr(i).isalnum() and chr(i) not in "'.,-")
_CLASSES_13A = _byte_table(
    {SPACE: _ASCII_SPACE, DIGIT: b"0123456789", STOP: b".,", DASH: b"-", SYMBOL: _SYMBOLS}, OTHER
)
_CLASSES_SPACE = _byte_table({SPACE: _ASCII_SPACE}, OTHER)
_UNICODE_SPACES = [chr(i).encode() for i in range(0x80, 0x3001) if chr(i).isspace()]
_SPACE_LEADS = _byte_table({1: bytes({space[0] for space in _UNICODE_SPACES})}, 0)
_LOWERED = _byte_table({}, 0)
for _byte in range(256):
    _lowered = chr(_byte).lower()
    _LOWERED[_byte] = ord(_lowered) if _byte < 128 and _lowered.isalnum() else 0


def _clear_unicode_spaces(data: Bytes, classes: Bytes) -> None:
    """Give the bytes of non-ASCII white space the class SPACE, in place."""
    leads = np.flatnonzero(_SPACE_LEADS[data])
    for space in _UNICODE_SPACES if len(leads) else ():
        found = leads[leads <= len(data) - len(space)]
        for i, byte in enumerate(space):
            found = found[data[found + i] == byte]
        for i in range(len(space)):
            classes[found + i] = SPACE


def spans_whitespace(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_whitespace` does."""
    data, offsets = text_bytes(column)
    classes = _CLASSES_SPACE[data]
    _clear_unicode_spaces(data, classes)
    before, after = shifted(classes, offsets)
    return spans(data, offsets, (classes != SPACE) & (before == SPACE), (classes != SPACE) & (after == SPACE))


def spans_character(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_character` does."""
    data, offsets = text_bytes(column)
    classes = _CLASSES_SPACE[data]
    _clear_unicode_spaces(data, classes)
    is_lead = (data & 0xC0) != 0x80
    is_last = np.ones(len(data), bool)
    is_last[:-1] = is_lead[1:]
    return spans(data, offsets, (classes != SPACE) & is_lead, (classes != SPACE) & is_last)


def spans_rouge(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_rouge` does."""
    data, _ = text_bytes(column)
    # The two characters outside ASCII whose lower case has an ASCII letter.
    for character in ("\u0130", "\u212a"):
        if character.encode() in data.tobytes():
            column = pc.replace_substring(column, character, character.lower())
    data, offsets = text_bytes(column)
    lowered = _LOWERED[data]
    before, after = shifted(lowered, offsets)
    return spans(lowered, offsets, (lowered != 0) & (before == 0), (lowered != 0) & (after == 0))


def spans_13a(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_13a` does: its rules look only at neighbouring characters."""
    raw = text_bytes(column)[0].tobytes()
    for old, new in LANGUAGE_INDEPENDENT_13A[:2] + LANGUAGE_INDEPENDENT_13A[3:]:
        # An entity may only come to be after an earlier replacement, so look at "&" alone.
        if (b"&" if old[0] == "&" else old.encode()) in raw or b"<skipped>" in raw:
            column = pc.replace_substring(column, old, new)
    data, offsets = text_bytes(column)
    classes = _CLASSES_13A[data]
    _clear_unicode_spaces(data, classes)
    before, after = shifted(classes, offsets)
    alone = (classes == SYMBOL) | ((classes == DASH) & (before == DIGIT))
    stops = np.flatnonzero(classes == STOP)
    alone[stops] = _stops_alone(stops, before[stops], after[stops])
    inside = classes != SPACE
    first, last = alone | (before == SPACE), alone | (after == SPACE)
    first[1:] |= alone[:-1]
    last[:-1] |= alone[1:]
    return spans(data, offsets, inside & first, inside & last)


def _stops_alone(stops: IntArray, before: Bytes, after: Bytes) -> Flags:
    """Say which full stops and commas are tokens of their own.

    The second rule of 13a takes "character, stop" pairs from the left, and a stop may be
    the character of the next pair, so within a run the parity decides; what it leaves,
    the third rule cuts off unless a digit follows.
    """
    opens = np.flatnonzero(before != STOP)
    index = np.arange(len(stops)) - np.repeat(opens, np.diff(opens, append=len(stops)))
    after_digit = np.repeat(before[opens] == DIGIT, np.diff(opens, append=len(stops)))
    paired = (index + after_digit) % 2 == 0
    return paired | (after != DIGIT)
