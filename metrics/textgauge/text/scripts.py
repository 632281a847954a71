"""What the beginnings of some texts tell about their scripts: letters outside ASCII, spaces, forms of one letter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sized
from dataclasses import dataclass

from .. import engine
from ..lazy import lazy

# Number of texts per side of which the beginnings are read, and the bytes of a beginning.
BEGINNINGS = (16, 200)
# Share of words with letters outside ASCII, and of a single one: accented names in English text stay below it, German
# has some 9 %, French, Spanish and Polish more.
_MOST_WIDE, _MOST_OF_ONE = 0.05, 0.15
# Share of the words, and number of different ones, that have such a letter and begin with a small one in another
# language than English; most of the others are names, of which news in English have many.
_MOST_FOREIGN, _LEAST_FOREIGN = 0.04, 3
# Share of these words in English, where menus and recipes have many loanwords with accents; other languages have fewer.
_ENGLISH_WORDS, _LEAST_ENGLISH = frozenset(("the", "of", "and")), 0.08
# Bytes per side in which tokens are counted.
_CUT = 1000
_ASCII = bytes(range(0x80))
# The bytes of characters below U+0300, which normal forms and widths leave as they are.
_OF_ONE_FORM = bytes(range(0xCC))
# Thai, Lao, Tibetan, Burmese, Khmer, Tai Le, New Tai Lue, Tai Tham, Balinese, Javanese, Tai Viet, kana, Chinese
# characters: scripts without spaces between words.
_UNSPACED = re.compile(
    "[\u0e00-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua980-\ua9ff\uaa60-\uaadf\uf900-\ufaff]+"
)
# Share of the characters that are of such a script, and their number per token; words have one to three.
_MOST_UNSPACED, _LONG_TOKEN = 1 / 3, 4
# The letter whose lower case is two characters, in either form.
_DOTTED, _DOTTED_LOWERED = "\u0130", "i\u0307"
# The byte with which characters in the other width begin.
_WIDTHS_IN_UTF8 = b"\xef"
_DOTTED_IN_UTF8 = (_DOTTED.encode(), _DOTTED_LOWERED.encode())
_WORD = re.compile("[^\\W\\d_]+(?:\u0307[^\\W\\d_]*)*")
# With accents that are characters of their own.
_WORD_IN_FULL = re.compile("[^\\W\\d_][\\w\u0300-\u036f]*")
# Words in either width. Punctuation marks are none: their width is a custom, and often mixed.
_OF_ONE_WIDTH = re.compile(
    "[0-9A-Za-z]+|[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]+|[\u30a1-\u30fa\u30fc]+|[\uff66-\uff9f]+"
)


def is_of_one_form(characters: str) -> bool:
    """Return whether characters, in ascending order, all have a single form, as those of most Latin text do.

    Examples
    --------
    >>> is_of_one_form("\u00e4\u00df"), is_of_one_form("\u0130"), is_of_one_form("\u00e4\u0308"), is_of_one_form("")
    (True, False, False, True)
    """
    return characters[-1:] < "\u0300" and _DOTTED not in characters


@dataclass
class Sample:
    """The beginnings of the first texts of two columns, a line each, in UTF-8."""

    hypotheses: bytes
    references: bytes

    @property
    def is_ascii(self) -> bool:
        """Whether neither side has a character outside ASCII."""
        return self.hypotheses.isascii() and self.references.isascii()

    @lazy
    def _is_western(self) -> bool:
        # Fast, and true of most text of Latin letters.
        return not (self.hypotheses.translate(None, _OF_ONE_FORM) or self.references.translate(None, _OF_ONE_FORM))

    @lazy
    def _sides(self) -> tuple[str, str]:
        return self.hypotheses.decode(), self.references.decode()

    @lazy
    def has_wide_words(self) -> bool:
        """Whether so many words have a letter outside ASCII, or an accent, as in languages that use them."""
        text = b"\n".join((self.hypotheses, self.references))
        return engine.kernel.has_wide_words(text, _MOST_WIDE, _MOST_OF_ONE)

    def is_not_english(self) -> bool:
        """Return whether the text is clearly of a language other than English, by letters that English has not."""
        words = _WORD_IN_FULL.findall("\n".join(self._sides))
        foreign = [word for word in words if not (word.isascii() or word[0].isupper())]
        foreign = [word for word in foreign if engine.kernel.has_wide_words(word.encode(), 0, 0)]
        if len({*foreign}) < _LEAST_FOREIGN or len(foreign) <= _MOST_FOREIGN * len(words):
            return False
        return sum(word.lower() in _ENGLISH_WORDS for word in words) < _LEAST_ENGLISH * len(words)

    def is_unsplit_by(self, split: Callable[[str], Sized]) -> bool:
        """Return whether much of the text has no spaces, and a function from text to tokens leaves it whole."""
        if self._is_western:
            return False
        data = b"\n".join((self.hypotheses[:_CUT], self.references[:_CUT]))
        # Characters of these scripts have three bytes.
        if len(data.translate(None, _ASCII)) <= _MOST_UNSPACED * len(data):
            return False
        text = data.decode(errors="ignore")
        n_unspaced = len(text) - len(_UNSPACED.sub("", text))
        return n_unspaced > _MOST_UNSPACED * len(text) and n_unspaced > _LONG_TOKEN * len(split(text))

    def differ_in_normal_form(self) -> bool:
        """Return whether a character of one side occurs in the other in another Unicode normal form only."""
        return not self._is_western and differ_in_normal_form(*self._sides)

    def differ_in_width(self) -> bool:
        """Return whether a word of one side occurs in the other in another width only."""
        return self._have(_WIDTHS_IN_UTF8) and differ_in_width(*self._sides)

    def dotted_capitals(self) -> Iterator[tuple[str, str]]:
        """Yield words that one side has with U+0130, or what lower-casing makes of it, and the other only with i."""
        if any(map(self._have, _DOTTED_IN_UTF8)):
            yield from _other_words(*self._sides, _WORD, _undotted)

    def _have(self, text: bytes) -> bool:
        return text in self.hypotheses or text in self.references


def _undotted(word: str) -> str:
    return word.replace(_DOTTED, "i").replace(_DOTTED_LOWERED, "i").lower()


def _other_words(
    left: str, right: str, word: re.Pattern[str], usual: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """Yield pairs of words of two texts that differ but for their usual form, which one of them has."""
    ours, theirs = ({*word.findall(text)} for text in (left, right))
    for here, there in ((ours - theirs, theirs - ours), (theirs - ours, ours - theirs)):
        by_usual = {usual(text): text for text in there if _is_usual(text, usual)}
        for text in sorted(here):
            if not _is_usual(text, usual) and usual(text) in by_usual:
                yield text, by_usual[usual(text)]


def _is_usual(word: str, usual: Callable[[str], str]) -> bool:
    return usual(word).lower() == word.lower()


def differ_in_normal_form(left: str, right: str) -> bool:
    """Return whether a character of one text occurs in the other in another Unicode normal form only.

    Examples
    --------
    >>> differ_in_normal_form("l\u00e4uft", "la\u0308uft"), differ_in_normal_form("la\u0308uft", "la\u0308uft")
    (True, False)
    """
    if unicodedata.is_normalized("NFC", left) and unicodedata.is_normalized("NFC", right):
        return False
    return _has_another_form(left, right) or _has_another_form(right, left)


def _has_another_form(left: str, right: str) -> bool:
    # NFC decomposes some characters, such as U+0958, whose parts are not other forms of it.
    decomposed = {ord(mark): " " for mark in set(right) if len(unicodedata.normalize("NFC", mark)) > 1}
    composed = set(unicodedata.normalize("NFC", right.translate(decomposed)))
    for character in set(left) - set(right):
        form = unicodedata.normalize("NFC", character)
        if (character in composed) if form == character else (form in right and form not in left):
            return True
    return False


def differ_in_width(left: str, right: str) -> bool:
    """Return whether a word of one text, in full-width ASCII or half-width kana, has only the usual width in the other.

    Examples
    --------
    >>> differ_in_width("\uff2e\uff28\uff2b", "the NHK"), differ_in_width("\u597d\uff0c", "\u597d,")
    (True, False)
    """
    ours, theirs = (set(_OF_ONE_WIDTH.findall(text)) for text in (left, right))
    return _has_another_width(ours, theirs) or _has_another_width(theirs, ours)


def _has_another_width(left: set[str], right: set[str]) -> bool:
    usual = {unicodedata.normalize("NFKC", word) for word in left - right if not word.isascii()}
    return bool(usual & (right - left))
