"""Porter's rules on many words at once: equal to `porter.stem` on every word.

Words lie in rows of one byte matrix, 8 zero bytes before each, so that the last 8 letters
of a word are one 64-bit read; a suffix test is one comparison for all words. A rule is
(suffix, letters to drop, letters to add).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..ragged import IntArray
from .bytes import Bytes, Flags, Spans
from .porter import STEP_2, STEP_3, STEP_4, Rule

FRONT = 8
_VOWEL = np.zeros(256, bool)
_VOWEL[list(b"aeiou")] = True
_Y = ord("y")


class Words:
    """Lower-case words in rows, changed in place.

    Attributes
    ----------
    letters : uint8, shape (n_words, 8 + width)
        Row i holds word i from column 8 on; what stands behind its end has no meaning.
    lengths : int64, shape (n_words,)
    """

    def __init__(self, letters: Bytes, lengths: IntArray) -> None:
        """Take over both arrays."""
        self.letters, self.lengths = letters, lengths
        self._starts = np.arange(len(lengths)) * letters.shape[1]
        self._tails = np.ndarray((max(letters.size - 7, 0),), np.dtype("<u8"), letters, strides=(1,))

    @property
    def spans(self) -> Spans:
        """Where the words are, as the tokens of one text."""
        starts = self._starts + FRONT
        data = np.concatenate((self.letters.reshape(-1), np.zeros(8, np.uint8)))
        return Spans(data, starts, starts + self.lengths, np.array([0, len(starts)]))

    def tails(self) -> npt.NDArray[np.uint64]:
        """Return the last 8 letters of each word, the last one in the highest byte."""
        return self._tails[self._starts + self.lengths]

    def letter(self, rows: IntArray, from_end: int) -> Bytes:
        """Return the letter before the end, 1 for the last one; 0 before the start."""
        return self.letters[rows, FRONT + self.lengths[rows] - from_end]

    def change(self, rows: IntArray, drop: IntArray | int, add: bytes) -> None:
        """Drop letters at the end of some words and add others."""
        ends = self.lengths[rows] - drop
        for k, letter in enumerate(add):
            self.letters[rows, FRONT + ends + k] = letter
        self.lengths[rows] = ends + len(add)

    def consonants(self, rows: IntArray, lengths: IntArray) -> Flags:
        """Say which of the first letters are consonants: shape (n_rows, longest of `lengths`, at least 1)."""
        letters = self.letters[rows, FRONT : FRONT + int(lengths.max(initial=1))]
        forms = ~_VOWEL[letters]
        for column in np.flatnonzero((letters == _Y).any(axis=0)).tolist():
            if column:
                is_y = letters[:, column] == _Y
                forms[is_y, column] = ~forms[is_y, column - 1]
        return forms

    def measures(self, rows: IntArray, lengths: IntArray) -> IntArray:
        """Count the vowel-consonant sequences of the first `lengths` letters: m in [C](VC)^m[V]."""
        forms = self.consonants(rows, lengths)
        inside = np.arange(1, forms.shape[1]) < lengths[:, None]
        return np.sum(~forms[:, :-1] & forms[:, 1:] & inside, axis=1)

    def have_vowel(self, rows: IntArray, lengths: IntArray) -> Flags:
        """Say where there is a vowel in the first `lengths` letters."""
        forms = self.consonants(rows, lengths)
        return np.any(~forms & (np.arange(forms.shape[1]) < lengths[:, None]), axis=1)

    def end_in_cvc(self, rows: IntArray) -> Flags:
        """Say which words end consonant, vowel, consonant other than w, x, y; two letters: vowel, consonant."""
        lengths = self.lengths[rows]
        forms = self.consonants(rows, lengths)
        last, middle, first = (forms[np.arange(len(rows)), np.maximum(lengths - k, 0)] for k in (1, 2, 3))
        open_end = np.isin(self.letter(rows, 1), list(b"wxy"), invert=True)
        long: Flags = (lengths > 2) & first & ~middle & last & open_end
        return long | ((lengths == 2) & ~middle & last)

    def end_in_double(self, rows: IntArray) -> Flags:
        """Say which words end in a double consonant."""
        lengths = self.lengths[rows]
        last = self.consonants(rows, lengths)[np.arange(len(rows)), np.maximum(lengths - 1, 0)]
        return (lengths > 1) & (self.letter(rows, 1) == self.letter(rows, 2)) & last


def ends(tails: npt.NDArray[np.uint64], suffix: str) -> Flags:
    """Say which words end in a suffix of at most 8 letters, from their `Words.tails`."""
    return tails >> np.uint64(64 - 8 * len(suffix)) == int.from_bytes(suffix.encode(), "little")


def apply_rules(words: Words, rules: Sequence[Rule], above: int) -> None:
    """Apply the first rule whose suffix a word has, where the measure before the suffix is above a number."""
    tails = words.tails()
    rule_of = np.full(len(tails), -1)
    for i in reversed(range(len(rules))):
        rule_of[ends(tails, rules[i][0])] = i
    rows = np.flatnonzero(rule_of >= 0)
    drops = np.array([drop for _, drop, _ in rules])[rule_of[rows]]
    applies = words.measures(rows, words.lengths[rows] - drops) > above
    for i in np.unique(rule_of[rows[applies]]).tolist():
        chosen = rows[applies & (rule_of[rows] == i)]
        words.change(chosen, rules[i][1], rules[i][2].encode())


def _step_1a(words: Words) -> None:
    tails = words.tails()
    ies, sses, ss, s = (ends(tails, suffix) for suffix in ("ies", "sses", "ss", "s"))
    two = sses | (ies & (words.lengths > 4))
    words.lengths[two] -= 2
    words.lengths[s & ~ss & ~two] -= 1


def _step_1b(words: Words) -> None:
    tails = words.tails()
    ied, eed, ed, ing = (ends(tails, suffix) for suffix in ("ied", "eed", "ed", "ing"))
    rows = np.flatnonzero(eed)
    words.change(rows[words.measures(rows, words.lengths[rows] - 3) > 0], 1, b"")
    rows = np.flatnonzero((ed & ~eed & ~ied) | ing)
    drops = np.where(ing[rows], 3, 2)
    has_vowel = words.have_vowel(rows, words.lengths[rows] - drops)
    # "ied" becomes "i", in a word of four letters "ie".
    words.change(np.flatnonzero(ied), np.where(words.lengths == 4, 1, 2)[ied], b"")
    rows, drops = rows[has_vowel], drops[has_vowel]
    words.change(rows, drops, b"")
    tails = words.tails()[rows]
    adds_e = ends(tails, "at") | ends(tails, "bl") | ends(tails, "iz")
    is_double = words.end_in_double(rows) & ~adds_e
    is_short = (words.measures(rows, words.lengths[rows]) == 1) & words.end_in_cvc(rows) & ~is_double
    drops_one = is_double & np.isin(words.letter(rows, 1), list(b"lsz"), invert=True)
    words.change(rows[drops_one], 1, b"")
    words.change(rows[adds_e | is_short], 0, b"e")


def _step_1c(words: Words) -> None:
    rows = np.flatnonzero(ends(words.tails(), "y") & (words.lengths > 2))
    forms = words.consonants(rows, words.lengths[rows])
    words.change(rows[forms[np.arange(len(rows)), words.lengths[rows] - 2]], 1, b"i")


def _step_2(words: Words) -> None:
    rows = np.flatnonzero(ends(words.tails(), "alli"))
    words.change(rows[words.measures(rows, words.lengths[rows] - 4) > 0], 2, b"")
    apply_rules(words, STEP_2, 0)


def _step_4(words: Words) -> None:
    rows = np.flatnonzero(ends(words.tails(), "ion"))
    is_many = words.measures(rows, words.lengths[rows] - 3) > 1
    changes = rows[is_many & np.isin(words.letter(rows, 4), list(b"st"))]
    apply_rules(words, STEP_4, 1)
    words.change(changes, 3, b"")


def _step_5(words: Words) -> None:
    rows = np.flatnonzero(ends(words.tails(), "e"))
    words.lengths[rows] -= 1
    measures = words.measures(rows, words.lengths[rows])
    words.lengths[rows[(measures < 1) | ((measures == 1) & words.end_in_cvc(rows))]] += 1
    rows = np.flatnonzero(ends(words.tails(), "ll"))
    words.lengths[rows[words.measures(rows, words.lengths[rows] - 1) > 1]] -= 1


def stem_in_place(words: Words) -> None:
    """Stem words of at least three letters that are not among the irregular ones."""
    for step in (_step_1a, _step_1b, _step_1c, _step_2):
        step(words)
    apply_rules(words, STEP_3, 0)
    _step_4(words)
    _step_5(words)
