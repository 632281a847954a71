"""The answer normalization of SQuAD and MLQA: for one text, and for whole columns."""

from __future__ import annotations

import re
import string
import unicodedata
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ..ragged import IntArray, offsets_of
from .bytes import Bytes, Flags, Spans, joined, runs
from .wide_characters import (
    OTHER,
    PUNCTUATION,
    SPACE,
    WideCharacters,
    awkward_texts,
    python_rewritten,
    wide_characters,
)

_DROP_ASCII = dict.fromkeys(map(ord, string.punctuation))
_PUNCTUATION = string.punctuation.encode()
_SPACE, _MARK = ord(" "), ord("!")
_ASCII = [chr(code) for code in range(128)]
_LOWERED = bytes(_SPACE if c.isspace() else ord(c.lower()) for c in _ASCII) + bytes(range(128, 256))
# Control characters end a word for `re`, but not for `str.split`.
_IS_CONTROL = bytes(not (c.isprintable() or c.isspace()) for c in _ASCII) + bytes(128)
_IS_PUNCTUATION = bytes(c in string.punctuation for c in _ASCII) + bytes(128)
_FIRST_HAN, _LAST_HAN = 0x4E00, 0x9FA5
_NOWHERE = np.zeros(0, np.int64)


@dataclass(frozen=True)
class AnswerRules:
    r"""Lower-case, drop punctuation, put a space for every article, leave single spaces.

    Attributes
    ----------
    articles : tuple of str
        Words, in lower case, each taken where it stands between word borders.
    prefix : str
        Two different letters that are taken wherever they stand.
    splits_han : bool
        Put spaces around the characters U+4E00 to U+9FA5.
    every_script : bool
        Drop all characters of the Unicode categories P, not only ASCII's punctuation.

    References
    ----------
    Rajpurkar et al. (2016), SQuAD, section 6.1; Lewis et al. (2020), MLQA, section 4.

    Examples
    --------
    >>> AnswerRules(("a", "an", "the"))("The  U.S.A., an\tidea")
    'usa idea'
    """

    articles: tuple[str, ...] = ()
    prefix: str = ""
    splits_han: bool = False
    every_script: bool = False

    def __call__(self, text: str) -> str:
        """Normalize one text."""
        text = text.lower().translate(_DROP_ASCII)
        if self.every_script:
            text = "".join(character for character in text if unicodedata.category(character)[0] != "P")
        if self.articles:
            text = re.sub(rf"\b({'|'.join(self.articles)})\b", " ", text)
        if self.prefix:
            text = text.replace(self.prefix, " ")
        if self.splits_han:
            text = re.sub(f"([{chr(_FIRST_HAN)}-{chr(_LAST_HAN)}])", r" \1 ", text)
        return " ".join(text.split())

    def column(self, column: pa.LargeStringArray) -> pa.LargeStringArray:
        """Normalize every text: its words with one space between two of them."""
        words = self.cut(column)
        lengths = words.ends - words.starts + 1
        ends = offsets_of(lengths)
        data = words.data[_each_byte(words.starts, lengths)]
        # So far every word brings a byte behind it; those behind the last words of texts go.
        data[ends[1:] - 1] = _SPACE
        is_filled = np.diff(words.offsets) > 0
        unwanted = ends[words.offsets[1:][is_filled]] - 1
        offsets = ends[words.offsets] - offsets_of(is_filled)
        data = np.delete(data, unwanted)
        return pa.LargeStringArray.from_buffers(len(column), pa.py_buffer(offsets), pa.py_buffer(data))

    def cut(self, column: pa.LargeStringArray) -> Spans:
        """Return the words of every normalized text."""
        raw, text_starts = joined(column)
        data = np.frombuffer(raw, np.uint8)
        wide = wide_characters(data)
        awkward = awkward_texts(wide, text_starts)
        if awkward.any():
            # In lower case no character is awkward, so this happens once.
            return self.cut(python_rewritten(column, awkward, str.lower))
        others, han = _NOWHERE, _NOWHERE
        if wide:
            data = data.copy()
            others, han = self._mark_wide(data, wide)
            raw = data.tobytes()
        dropped = np.flatnonzero(np.frombuffer(raw.translate(_IS_PUNCTUATION), bool))
        controls = np.flatnonzero(np.frombuffer(raw.translate(_IS_CONTROL), bool))
        data = np.frombuffer(bytearray(raw.translate(_LOWERED, _PUNCTUATION)), np.uint8)
        others, han = _without(np.concatenate((others, controls)), dropped), _without(han, dropped)
        return self._words(data, _without(text_starts, dropped), others, han)

    def _words(self, data: Bytes, text_starts: IntArray, others: IntArray, han: IntArray) -> Spans:
        """Cut lower-case text without punctuation; `others` and `han` as `_mark_wide` gives them."""
        if self.prefix:
            self._clear_prefix(data)
        if len(others):
            self._clear_articles(data, others)
        if len(han):
            data = np.insert(data, np.concatenate((han, han + 3)), _SPACE)
            text_starts = text_starts + 2 * np.searchsorted(han, text_starts)
        words = runs(data, data != _SPACE, text_starts)
        is_left = ~self._are_articles(words)
        n_left = np.concatenate(([0], np.cumsum(is_left)))
        return Spans(data, words.starts[is_left], words.ends[is_left], n_left[words.offsets])

    def _mark_wide(self, data: Bytes, wide: list[WideCharacters]) -> tuple[IntArray, IntArray]:
        """Lower-case, and put ASCII for white space and for punctuation to be dropped, in place.

        Returns the bytes that are no part of a word for `re`, and where characters to be
        split off begin.
        """
        others, han = [_NOWHERE], [_NOWHERE]
        for characters in wide:
            classes, codes = characters.classes, characters.codes
            characters.lower_case(data)
            data[characters.bytes_of(classes == SPACE)] = _SPACE
            is_other = classes == OTHER
            if self.every_script:
                data[characters.bytes_of(classes == PUNCTUATION)] = _MARK
            else:
                is_other |= classes == PUNCTUATION
            others.append(characters.bytes_of(is_other).reshape(-1))
            if self.splits_han:
                han.append(characters.positions[(codes >= _FIRST_HAN) & (codes <= _LAST_HAN)])
        return np.concatenate(others), np.concatenate(han)

    def _clear_prefix(self, data: Bytes) -> None:
        """Put spaces for the prefix, in place."""
        letters = self.prefix.encode()
        found = np.flatnonzero(data[: len(data) - len(letters) + 1] == letters[0])
        for i, letter in enumerate(letters):
            found = found[data[found + i] == letter]
        data[found[:, None] + np.arange(len(letters))] = _SPACE

    def _clear_articles(self, data: Bytes, others: IntArray) -> None:
        """Put spaces for articles that stand beside something else than white space, in place."""
        is_word = data != _SPACE
        is_word[others] = False
        words = runs(data, is_word, _NOWHERE)
        found = self._are_articles(words)
        data[_each_byte(words.starts[found], (words.ends - words.starts)[found])] = _SPACE

    def _are_articles(self, words: Spans) -> Flags:
        lengths = words.ends - words.starts
        are_articles = np.zeros(len(lengths), bool)
        for article in self.articles:
            letters = article.encode()
            found = np.flatnonzero(lengths == len(letters))
            for i, letter in enumerate(letters):
                found = found[words.data[words.starts[found] + i] == letter]
            are_articles[found] = True
        return are_articles


def _without(positions: IntArray, dropped: IntArray) -> IntArray:
    """Return where positions are once the ascending `dropped` ones are gone."""
    return positions - np.searchsorted(dropped, positions)


def _each_byte(starts: IntArray, lengths: IntArray) -> IntArray:
    """Return the positions of all bytes of words, one word behind the other."""
    offsets = offsets_of(lengths)
    return np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
