"""The Unicode properties of characters, from the tables of the running Python."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable

N_CODE_POINTS = 0x110000
PAGE = 256
# The bits of a character in the table: its major category in the lowest three, then flags.
CATEGORY, LETTER, MARK, NUMBER, PUNCTUATION, SYMBOL, INVISIBLE, PICTOGRAPH = 7, 1, 2, 3, 4, 5, 6, 7
SPACE, WORD, UNSPACED, CASED, KNOWN = 8, 16, 32, 64, 128
_CATEGORIES = {"L": LETTER, "M": MARK, "N": NUMBER, "P": PUNCTUATION, "S": SYMBOL}
# Scripts written without spaces between words: prefixes of the names of their letters, and of signs among these, some
# of which are numbers, such as U+3007.
UNSPACED_SCRIPTS = (
    "CJK ", "HIRAGANA ", "KATAKANA ", "HALFWIDTH KATAKANA ", "BOPOMOFO ", "THAI ", "LAO ",
    "KHMER ", "MYANMAR ", "TIBETAN ", "YI ", "NUSHU ", "TANGUT ", "KHITAN ", "JAVANESE ", "BALINESE ",
    "TAI LE ", "NEW TAI LUE ", "TAI THAM ", "TAI VIET ", "AHOM ",
)  # fmt: skip
_UNSPACED_SIGNS = ("IDEOGRAPHIC ", "HANGZHOU ", "VERTICAL IDEOGRAPHIC ", "VERTICAL KANA ")
# What has no form of its own and is no spelling: the soft hyphen, signs of direction, joiners of words, and the two
# variation selectors that choose how an emoji looks.
_INVISIBLE = "\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe0e\ufe0f\ufeff"
# Of Word_Break=Extend, Format and ZWJ in UAX #29 (Unicode 17) what is in no category M, and can be spelling: joiners,
# the Mongolian vowel separator, half-width sound marks, annotations, hieroglyphic joiners, signs of music, tags.
_EXTENDING = (
    "\u180e\u200c\u200d\uff9e\uff9f\ufff9-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
)
# Symbols that emoji are made of without a variation selector, and others of their blocks.
_PICTOGRAPHS = "\u231a\u231b\u23e9-\u23f3\u25fd\u25fe\u2600-\u27bf\u2b1b\u2b1c\u2b50-\u2b55\U0001f000-\U0001faff"
_OF_OTHER_MAJOR = (
    (re.compile(f"[{_INVISIBLE}]"), "CM", INVISIBLE),
    (re.compile(f"[{_EXTENDING}]"), "CL", MARK),
    (re.compile(f"[{_PICTOGRAPHS}]"), "S", PICTOGRAPH),
)


def bits_of(character: str) -> int:
    """Return the properties of a character as bits.

    The major category (1 L, 2 M and what extends a character as marks do, 3 N, 4 P, 5 S, 6 invisible signs,
    7 pictographs, which are S elsewhere, 0 any other); 8 for white space as in
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
    for members, categories, major in _OF_OTHER_MAJOR:
        if category[0] in categories and members.match(character):
            bits = major
    if bits in (LETTER, NUMBER):
        name = unicodedata.name(character, "")
        if name.startswith(_UNSPACED_SIGNS if bits == NUMBER else (*UNSPACED_SCRIPTS, *_UNSPACED_SIGNS)):
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
