"""Porter's stemmer in the form of the ROUGE-1.5.5 script, for one word and for many at once.

Porter (1980), An algorithm for suffix stripping, with the two changes of its author's later
versions (-bli becomes -ble, -logi becomes -log) and one of the script's: step 4 strips up
to three suffixes, one of its list, then -ment, then -ent or -ion. Against `porter`, which
is nltk's form: no irregular words, nothing special about -ied, -ies and -y, no -alli twice,
no -fulli.
"""

from __future__ import annotations

import numpy as np

from ..ragged import IntArray
from .bytes import Flags
from .porter import STEP_3, apply_rule, ends_cvc, ends_double, has_vowel, measure, rules
from .stems import Words, apply_rules, ends

STEP_2 = rules(
    "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous "
    "ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive "
    "biliti>ble logi>log"
)
STEP_4 = rules("al ance ence er ic able ible ant ement ou ism ate iti ous ive ize")


def stem(word: str) -> str:
    """Return the stem of a lower-case word.

    Examples
    --------
    >>> [stem(word) for word in ("agreement", "documents", "professional", "gently")]
    ['agreem', 'docum', 'profess', 'gentli']
    """
    if len(word) <= 2:
        return word
    word = _step_1b(_step_1a(word))
    if word.endswith("y") and has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = apply_rule(apply_rule(word, STEP_2, 0), STEP_3, 0)
    word = apply_rule(apply_rule(word, STEP_4, 1), rules("ment"), 1)
    if word.endswith("ent"):
        word = apply_rule(word, rules("ent"), 1)
    elif word.endswith(("sion", "tion")) and measure(word[:-3]) > 1:
        word = word[:-3]
    return _step_5(word)


def _step_1a(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _step_1b(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    stem = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else ""
    if not has_vowel(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if ends_double(stem) and stem[-1] not in "lsz":
        return stem[:-1]
    return stem + "e" if _is_short(stem) else stem


def _is_short(stem: str) -> bool:
    return len(stem) > 2 and measure(stem) == 1 and ends_cvc(stem)


def _step_5(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        if measure(stem) > 1 or (measure(stem) == 1 and not _is_short(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and measure(word) > 1 else word


def stem_in_place(words: Words) -> None:
    """Stem words of at least three letters."""
    _strip_plurals(words)
    _strip_participles(words)
    rows = np.flatnonzero(ends(words.tails(), "y"))
    words.change(rows[words.have_vowel(rows, words.lengths[rows] - 1)], 1, b"i")
    apply_rules(words, STEP_2, 0)
    apply_rules(words, STEP_3, 0)
    apply_rules(words, STEP_4, 1)
    apply_rules(words, rules("ment"), 1)
    tails = words.tails()
    rows = np.flatnonzero(ends(tails, "sion") | ends(tails, "tion"))
    apply_rules(words, rules("ent"), 1)
    words.change(rows[words.measures(rows, words.lengths[rows] - 3) > 1], 3, b"")
    _strip_ends(words)


def _strip_plurals(words: Words) -> None:
    tails = words.tails()
    two = ends(tails, "sses") | ends(tails, "ies")
    words.lengths[two] -= 2
    words.lengths[ends(tails, "s") & ~ends(tails, "ss") & ~two] -= 1


def _strip_participles(words: Words) -> None:
    tails = words.tails()
    eed, ed, ing = (ends(tails, suffix) for suffix in ("eed", "ed", "ing"))
    rows = np.flatnonzero(eed)
    words.change(rows[words.measures(rows, words.lengths[rows] - 3) > 0], 1, b"")
    rows = np.flatnonzero((ed & ~eed) | ing)
    drops = np.where(ing[rows], 3, 2)
    has = words.have_vowel(rows, words.lengths[rows] - drops)
    rows = rows[has]
    words.change(rows, drops[has], b"")
    tails = words.tails()[rows]
    adds_e = ends(tails, "at") | ends(tails, "bl") | ends(tails, "iz")
    drops_one = words.end_in_double(rows) & ~adds_e & np.isin(words.letter(rows, 1), list(b"lsz"), invert=True)
    adds_e |= _are_short(words, rows) & ~drops_one
    words.change(rows[drops_one], 1, b"")
    words.change(rows[adds_e], 0, b"e")


def _are_short(words: Words, rows: IntArray) -> Flags:
    """Say which words are consonants, one vowel and one consonant other than w, x and y."""
    lengths = words.lengths[rows]
    return (lengths > 2) & (words.measures(rows, lengths) == 1) & words.end_in_cvc(rows)


def _strip_ends(words: Words) -> None:
    rows = np.flatnonzero(ends(words.tails(), "e"))
    words.lengths[rows] -= 1
    measures = words.measures(rows, words.lengths[rows])
    words.lengths[rows[(measures < 1) | ((measures == 1) & _are_short(words, rows))]] += 1
    rows = np.flatnonzero(ends(words.tails(), "ll"))
    words.lengths[rows[words.measures(rows, words.lengths[rows]) > 1]] -= 1
