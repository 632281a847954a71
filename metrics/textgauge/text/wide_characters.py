"""The characters of a column that ASCII has not: where they are, and what Unicode says of them."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..ragged import IntArray
from .bytes import Bytes, Flags

OTHER, WORD, SPACE, PUNCTUATION, AWKWARD = range(5)
# Width in bytes, then the first and last lead byte.
_WIDTHS = ((2, 0xC0, 0xDF), (3, 0xE0, 0xEF), (4, 0xF0, 0xF7))
_CLASS_SHIFT, _CODE = 24, (1 << 24) - 1


@dataclass(frozen=True)
class WideCharacters:
    """Characters of one width.

    Attributes
    ----------
    width : int
        In bytes of UTF-8.
    positions : int64, shape (n_characters,)
        Their first bytes.
    codes, lowered : int64, shape (n_characters,)
        Code points, and those of their lower case.
    classes : int64, shape (n_characters,)
        WORD for what `re` counts to words, SPACE, PUNCTUATION (categories P) or OTHER;
        AWKWARD where the lower case is of another width or depends on the neighbours.
    """

    width: int
    positions: IntArray
    codes: IntArray
    lowered: IntArray
    classes: IntArray

    def bytes_of(self, chosen: Flags) -> IntArray:
        """Return where the bytes of the chosen characters are: int64, shape (n_chosen, width)."""
        return self.positions[chosen, None] + np.arange(self.width)

    def lower_case(self, data: Bytes) -> None:
        """Write the lower case into the bytes, in place."""
        changed = self.lowered != self.codes
        positions, codes = self.positions[changed], self.lowered[changed]
        for i in range(self.width - 1, 0, -1):
            data[positions + i] = 0x80 | codes & 0x3F
            codes = codes >> 6
        data[positions] = _WIDTHS[self.width - 2][1] | codes


def wide_characters(data: Bytes) -> list[WideCharacters]:
    """Find the characters outside ASCII, by width."""
    if data.max(initial=0) < 128:
        return []
    leads = np.flatnonzero(data >= _WIDTHS[0][1])
    bytes_there = data[leads]
    found = []
    for width, first, last in _WIDTHS:
        positions = leads[(bytes_there >= first) & (bytes_there <= last)]
        codes = (data[positions] - np.uint8(first)).astype(np.int64)
        for i in range(1, width):
            codes = codes << 6 | data[positions + i] & 0x3F
        if len(codes):
            known = _known(codes)
            found.append(WideCharacters(width, positions, codes, known & _CODE, known >> _CLASS_SHIFT))
    return found


def awkward_texts(wide: list[WideCharacters], text_starts: IntArray) -> Flags:
    """Say which texts hold a character whose lower case is AWKWARD: bool, shape (n_texts,)."""
    awkward = np.zeros(len(text_starts) - 1, bool)
    for characters in wide:
        positions = characters.positions[characters.classes == AWKWARD]
        awkward[np.searchsorted(text_starts, positions, "right") - 1] = True
    return awkward


def python_rewritten(
    column: pa.LargeStringArray, rows: npt.ArrayLike, rewrite: Callable[[str], str]
) -> pa.LargeStringArray:
    """Return the column with some rows, given as flags, rewritten one by one."""
    mask = pa.array(rows)
    texts = [rewrite(text) for text in column.filter(mask).to_pylist()]
    return pc.replace_with_mask(column, mask, pa.array(texts, pa.large_string()))


def _known(codes: IntArray) -> IntArray:
    """Return the lower case of code points, and their class above its bits."""
    n_blocks = int(codes.max() >> 8) + 1
    occurs = np.zeros(n_blocks, bool)
    occurs[codes >> 8] = True
    # Pages of this array that no block touches are never allocated.
    known = np.zeros((n_blocks, 256), np.int64)
    for block in np.flatnonzero(occurs).tolist():
        known[block] = _block(block)
    return known.reshape(-1)[codes]


@functools.cache
def _block(block: int) -> IntArray:
    return np.array([_known_of(chr(code)) for code in range(block << 8, (block + 1) << 8)], np.int64)


def _known_of(character: str) -> int:
    # The lower case of sigma differs at the end of a word.
    is_steady = character != "\u03a3" and not "\ud800" <= character <= "\udfff"
    lowered = character.lower()
    if not is_steady or len(lowered.encode()) != len(character.encode()):
        return AWKWARD << _CLASS_SHIFT
    if lowered.isalnum():
        kind = WORD
    elif lowered.isspace():
        kind = SPACE
    else:
        kind = PUNCTUATION if unicodedata.category(lowered)[0] == "P" else OTHER
    return kind << _CLASS_SHIFT | ord(lowered)
