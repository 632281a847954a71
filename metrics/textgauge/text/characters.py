"""The tokenizers that look at code points rather than bytes, on whole columns: intl and zh."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .bytes import Bytes, Spans, cut_runs, joined
from .definitions import is_zh
from .encoders import CLASSES_13A, DASH, DIGIT, OTHER, SPACE, STOP, SYMBOL, stops_alone

N_CODE_POINTS = 0x110000
WHITE_SPACE = "".join(c for c in map(chr, range(0x3001)) if c.isspace())
_CLASS_OF_CATEGORY = {"N": DIGIT, "P": STOP, "S": SYMBOL}


def spans_intl(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_intl` does."""
    return _cut(column, _class_intl)


def spans_zh(column: pa.LargeStringArray) -> Spans:
    """Cut as `tokens_zh` does."""
    return _cut(pc.utf8_trim(column, characters=WHITE_SPACE), _class_zh)


def _class_intl(character: str) -> int:
    if character.isspace():
        return SPACE
    return _CLASS_OF_CATEGORY.get(unicodedata.category(character)[0], OTHER)


def _class_zh(character: str) -> int:
    if character.isspace():
        return SPACE
    if character.isascii():
        return int(CLASSES_13A[ord(character)])
    return SYMBOL if is_zh(character) else OTHER


def _cut(column: pa.LargeStringArray, class_of: Callable[[str], int]) -> Spans:
    """Apply 13a's rules about neighbours to the classes of the characters.

    Unlike 13a's, these texts get no space around them: at a text's border a stop has no
    neighbour, so there it behaves as beside a digit.
    """
    raw, text_starts = joined(column)
    data = np.frombuffer(raw, np.uint8)
    # The byte at which each character starts.
    positions = np.flatnonzero((data & 0xC0) != 0x80)
    classes = _classes(raw, class_of)
    neighbours = classes.copy()
    neighbours[np.searchsorted(positions, text_starts - 1)] = DIGIT
    alone = classes == SYMBOL
    dashes = np.flatnonzero(classes == DASH)
    alone[dashes] = classes[dashes - 1] == DIGIT
    stops = np.flatnonzero(classes == STOP)
    alone[stops] = stops_alone(stops, neighbours[stops - 1], neighbours[stops + 1])
    opens = alone.copy()
    opens[1:] |= alone[:-1]
    cut = cut_runs(classes, classes != SPACE, opens, np.searchsorted(positions, text_starts))
    return Spans(data, positions[cut.starts], positions[cut.ends], cut.offsets)


def _classes(raw: bytes, class_of: Callable[[str], int]) -> Bytes:
    """Return the class of every character, asking once per distinct one."""
    points = np.frombuffer(raw.decode().encode("utf-32-le"), np.uint32)
    table = np.zeros(N_CODE_POINTS, np.uint8)
    table[points] = 1
    for point in np.flatnonzero(table).tolist():
        table[point] = class_of(chr(point))
    return table[points]
