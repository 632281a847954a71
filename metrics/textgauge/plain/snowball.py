"""The English stemmer of Snowball, called Porter2: Porter (2001), Snowball: a language for stemming algorithms."""

from __future__ import annotations

import functools
import re

_VOWELS = "aeiouy"
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
# Whole words: invariant, or with a stem of their own.
_SPECIAL = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky", "news": "news", "howe": "howe",
    "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
}  # fmt: skip
# What step 1a leaves and later steps must not touch.
_KEPT = frozenset(["inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"])
# R1 of these words begins behind the prefix.
_PREFIX = re.compile("gener|commun|arsen")
_REGION = re.compile("[aeiouy][^aeiouy]")
_STEP_2 = [
    ("ational", "ate"), ("fulness", "ful"), ("iveness", "ive"), ("ization", "ize"), ("ousness", "ous"),
    ("biliti", "ble"), ("lessli", "less"), ("tional", "tion"), ("alism", "al"), ("aliti", "al"), ("ation", "ate"),
    ("entli", "ent"), ("fulli", "ful"), ("iviti", "ive"), ("ousli", "ous"), ("abli", "able"), ("alli", "al"),
    ("anci", "ance"), ("ator", "ate"), ("enci", "ence"), ("izer", "ize"), ("bli", "ble"), ("ogi", "og"), ("li", ""),
]  # fmt: skip
_STEP_3 = [
    ("ational", "ate"), ("tional", "tion"), ("alize", "al"), ("icate", "ic"), ("iciti", "ic"), ("ative", ""),
    ("ical", "ic"), ("ness", ""), ("ful", ""),
]  # fmt: skip
_STEP_4 = [
    "ement",
    "ance",
    "ence",
    "able",
    "ible",
    "ment",
    "ant",
    "ent",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "ion",
    "al",
    "er",
    "ic",
]


def _region(word: str, start: int) -> int:
    """Return where the region behind the first consonant that follows a vowel begins."""
    found = _REGION.search(word, start)
    return found.end() if found else len(word)


def _ends_short_syllable(word: str) -> bool:
    if len(word) == 2:
        return word[0] in _VOWELS and word[1] not in _VOWELS
    return (
        len(word) > 2 and word[-3] not in _VOWELS and word[-2] in _VOWELS and word[-1] not in _VOWELS
        and word[-1] not in "wxY"
    )  # fmt: skip


def _step_1a(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("us", "ss")) or not word.endswith("s"):
        return word
    return word[:-1] if any(letter in _VOWELS for letter in word[:-2]) else word


def _step_1b(word: str, r1: int) -> str:
    for suffix in ("eedly", "eed"):
        if word.endswith(suffix):
            return word[: -len(suffix)] + "ee" if len(word) - len(suffix) >= r1 else word
    for suffix in ("ingly", "edly", "ing", "ed"):
        if not word.endswith(suffix):
            continue
        stem = word[: -len(suffix)]
        if not any(letter in _VOWELS for letter in stem):
            return word
        if stem.endswith(("at", "bl", "iz")):
            return stem + "e"
        if stem.endswith(_DOUBLES):
            return stem[:-1]
        return stem + "e" if r1 >= len(stem) and _ends_short_syllable(stem) else stem
    return word


def _step_2(word: str, r1: int) -> str:
    for suffix, by in _STEP_2:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            if len(stem) < r1 or (suffix == "ogi" and not stem.endswith("l")):
                return word
            return word if suffix == "li" and (not stem or stem[-1] not in "cdeghkmnrt") else stem + by
    return word


def _step_3(word: str, r1: int, r2: int) -> str:
    for suffix, by in _STEP_3:
        if word.endswith(suffix):
            n = len(word) - len(suffix)
            return word[:n] + by if n >= (r2 if suffix == "ative" else r1) else word
    return word


def _step_4(word: str, r2: int) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            return stem if len(stem) >= r2 and (suffix != "ion" or stem.endswith(("s", "t"))) else word
    return word


def _step_5(word: str, r1: int, r2: int) -> str:
    n = len(word) - 1
    if word.endswith("e") and (n >= r2 or (n >= r1 and not _ends_short_syllable(word[:-1]))):
        return word[:-1]
    return word[:-1] if word.endswith("ll") and n >= r2 else word


# Most tokens of a corpus are repeated words.
@functools.lru_cache(1 << 16)
def snowball(word: str) -> str:
    """Return the stem of a word; capital letters are consonants that no rule knows.

    References
    ----------
    Porter (2001), Snowball: a language for stemming algorithms; the English stemmer, as it was in 2014.

    Examples
    --------
    >>> [snowball(word) for word in ("generously", "consistency", "knitting", "skies", "cries")]
    ['generous', 'consist', 'knit', 'sky', 'cri']
    """
    if word in _SPECIAL:
        return _SPECIAL[word]
    if len(word) < 3:
        return word
    word = word.removeprefix("'")
    # A y that is a consonant: at the start, and behind a vowel.
    letters = list(word)
    marked = False
    for at, letter in enumerate(letters):
        if letter == "y" and (at == 0 or letters[at - 1] in _VOWELS):
            letters[at], marked = "Y", True
    word = "".join(letters)
    prefix = _PREFIX.match(word)
    r1 = prefix.end() if prefix else _region(word, 0)
    r2 = _region(word, r1)
    for suffix in ("'s'", "'s", "'"):
        if word.endswith(suffix):
            word = word[: -len(suffix)]
            break
    word = _step_1a(word)
    if word not in _KEPT:
        word = _step_1b(word, r1)
        if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:
            word = word[:-1] + "i"
        word = _step_5(_step_4(_step_3(_step_2(word, r1), r1, r2), r2), r1, r2)
    return word.replace("Y", "y") if marked else word
