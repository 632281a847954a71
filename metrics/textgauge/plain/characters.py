"""The Unicode properties of characters, from the tables of the running Python."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable, Iterable
from typing import Protocol

N_CODE_POINTS = 0x110000
PAGE = 256
# The bits of a character in the table: its major category in the lowest three, then flags.
CATEGORY, LETTER, MARK, NUMBER, PUNCTUATION, SYMBOL = 7, 1, 2, 3, 4, 5
SPACE, WORD, UNSPACED, CASED = 8, 16, 32, 64
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
    bits = _CATEGORIES.get(unicodedata.category(character)[0], 0)
    if bits == LETTER and unicodedata.name(character, "").startswith(UNSPACED_SCRIPTS):
        bits |= UNSPACED
    is_cased = character != character.lower() or character != character.casefold()
    is_word = character.isalnum() or character == "_"
    return bits | SPACE * character.isspace() | WORD * is_word | CASED * is_cased


class _HasCodePages(Protocol):
    def code_pages(self) -> Iterable[int]: ...


_TABLE = bytearray(N_CODE_POINTS)
_FILLED: set[int] = set()


def character_table(texts: _HasCodePages) -> bytearray:
    """Return the table of characters, with the entries for the characters of a column.

    One byte per code point, see `bits_of`: shape (0x110000,). There is one table, whose pages
    are filled on demand: two threads that fill the same page write the same values.

    Parameters
    ----------
    texts : Texts

    Examples
    --------
    >>> from textgauge.plain import Texts
    >>> table = character_table(Texts(["caf\u00e9"]))
    >>> len(table), table[ord("\u00e9")]
    (1114112, 17)
    """
    for page in {0, *texts.code_pages()} - _FILLED:
        first = page * PAGE
        _TABLE[first : first + PAGE] = bytes(bits_of(chr(code)) for code in range(first, first + PAGE))
        _FILLED.add(page)
    return _TABLE


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
    members = bytes(map(is_member, range(2 * CASED)))
    flags = all_bits().translate(members.ljust(256, b"\0"))
    ranges, end = [], 0
    while (start := flags.find(1, end)) >= 0:
        end = flags.find(0, start)
        end = N_CODE_POINTS if end < 0 else end
        ranges.append(f"\\U{start:08x}-\\U{end - 1:08x}")
    return "".join(ranges)
