"""The Unicode properties of characters, from the tables of the running Python."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable

N_CODE_POINTS = 0x110000
PAGE = 256
# The bits of a character in the table: its major category in the lowest three, then flags.
CATEGORY, LETTER, MARK, NUMBER, PUNCTUATION, SYMBOL = 7, 1, 2, 3, 4, 5
SPACE, WORD, UNSPACED, CASED, KNOWN = 8, 16, 32, 64, 128
_CATEGORIES = {"L": LETTER, "M": MARK, "N": NUMBER, "P": PUNCTUATION, "S": SYMBOL}
# Scripts written without spaces between words: prefixes of the names of their letters.
UNSPACED_SCRIPTS = (
    "CJK ", "HIRAGANA ", "KATAKANA ", "HALFWIDTH KATAKANA ", "BOPOMOFO ", "THAI ", "LAO ",
    "KHMER ", "MYANMAR ", "TIBETAN ", "YI ", "NUSHU ", "TANGUT ", "JAVANESE ", "BALINESE ",
)  # fmt: skip


def bits_of(character: str) -> int:
    """Return the properties of a character as bits.

    The major category (1 L, 2 M, 3 N, 4 P, 5 S, 0 any other); 8 for white space as in
    `str.isspace`; 16 for word characters of `re`; 32 for letters of scripts written without
    spaces; 64 for characters that `str.lower` or `str.casefold` changes.

    Examples
    --------
    >>> bits_of("a"), bits_of("_"), bits_of(" "), bits_of("\u732b")
    (17, 20, 8, 49)
    """
    category = unicodedata.category(character)
    # Most code points are unassigned or private: nothing more is asked of them.
    if category in ("Cn", "Co"):
        return 0
    bits = _CATEGORIES.get(category[0], 0)
    if bits == LETTER and unicodedata.name(character, "").startswith(UNSPACED_SCRIPTS):
        bits |= UNSPACED
    is_cased = character != character.lower() or character != character.casefold()
    is_word = character.isalnum() or character == "_"
    return bits | SPACE * character.isspace() | WORD * is_word | CASED * is_cased


_TABLE = bytearray(N_CODE_POINTS)


def character_table() -> bytearray:
    """Return the table of characters: one byte per code point, shape (0x110000,).

    An entry is `bits_of` and `KNOWN`. There is one table. Its first page is filled, the others are as
    `fill_page` is called: two threads that fill the same page write the same values.
    """
    if not _TABLE[0] & KNOWN:
        fill_page(0)
    return _TABLE


def fill_page(page: int) -> None:
    """Fill the entries of 256 code points in the table, ``code >> 8`` being the page.

    Examples
    --------
    >>> fill_page(0x73)
    >>> character_table()[ord("\u732b")] - KNOWN
    49
    """
    first = page * PAGE
    _TABLE[first : first + PAGE] = bytes(KNOWN | bits_of(chr(code)) for code in range(first, first + PAGE))


def is_of(category: int, bits: int) -> bool:
    """Return whether the bits of a character have this category."""
    return bits & CATEGORY == category


@functools.cache
def all_bits() -> bytes:
    """Return the whole table, from which the tokenizers here make character classes for `re`."""
    return bytes(bits_of(chr(code)) for code in range(N_CODE_POINTS))


def class_of(is_member: Callable[[int], bool]) -> str:
    r"""Return a class of characters for `re`, without its brackets.

    Parameters
    ----------
    is_member : callable int -> bool
        Whether a character with these bits belongs to the class.
    """
    members = bytes(map(is_member, range(KNOWN)))
    flags = all_bits().translate(members.ljust(256, b"\0"))
    ranges, end = [], 0
    while (start := flags.find(1, end)) >= 0:
        end = flags.find(0, start)
        end = N_CODE_POINTS if end < 0 else end
        ranges.append(f"\\U{start:08x}-\\U{end - 1:08x}")
    return "".join(ranges)
