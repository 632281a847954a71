"""Porter's stemmer: Porter (1980), An algorithm for suffix stripping, in two dialects.

"porter" is nltk's default mode (`PorterStemmer.NLTK_EXTENSIONS`), which `rouge_score` uses;
"porter155" is that of the ROUGE-1.5.5 script. Both have two changes of the author's later
versions, -bli to -ble and -logi to -log. `Dialect` lists the other differences from the paper.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_VOWELS = "aeiou"
# A suffix, the number of letters to drop, and their replacement.
Rule = tuple[str, int, str]
Table = tuple[Rule, ...]


def _rules(table: str) -> Table:
    """Parse rules such as "ational>ate": a suffix and its replacement."""
    pairs = (entry.partition(">") for entry in table.split())
    return tuple((suffix, len(suffix), add) for suffix, _, add in pairs)


_STEP_2 = _rules(
    "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous "
    "ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble"
)
_STEP_3 = _rules("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
_STEP_4 = _rules("al ance ence er ic able ible ant ement ou ism ate iti ous ive ize")
# The measure is that of the stem before -ion, with the s or t.
_ION: Table = (("sion", 3, ""), ("tion", 3, ""))


@dataclass(frozen=True)
class Dialect:
    """The choices in which forms of the algorithm differ.

    Attributes
    ----------
    step_2 : table
    step_4 : tuple of tables
        One rule of each table is applied, in order.
    irregular : mapping of str to str
        Whole words and their stems.
    keeps_short_ie : bool
        Steps 1a and 1b: in words of four letters -ies and -ied become -ie; in longer ones -ied becomes -i.
    y_needs_consonant : bool
        Step 1c: -y becomes -i after a consonant that is not the first letter; else after any stem with a vowel.
    repeats_alli : bool
        Step 2: -alli becomes -al, and the step is then applied to the result.
    vc_is_short : bool
        Steps 1b and 5a: a stem of a vowel and a consonant is short, like one that ends consonant, vowel, consonant.
    """

    step_2: Table
    step_4: tuple[Table, ...]
    irregular: Mapping[str, str]
    keeps_short_ie: bool
    y_needs_consonant: bool
    repeats_alli: bool
    vc_is_short: bool


_NLTK = Dialect(
    # In nltk the measured stem includes the l of -logi.
    step_2=(*_STEP_2, *_rules("fulli>ful"), ("logi", 3, "og")),
    step_4=((*_STEP_4, *_rules("ment ent"), *_ION),),
    irregular={
        "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
        "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
        "cannings": "canning", "canning": "canning", "howe": "howe", "proceed": "proceed",
        "exceed": "exceed", "succeed": "succeed",
    },
    keeps_short_ie=True,
    y_needs_consonant=True,
    repeats_alli=True,
    vc_is_short=True,
)  # fmt: skip
_SCRIPT = Dialect(
    step_2=(*_STEP_2, *_rules("logi>log")),
    step_4=(_STEP_4, _rules("ment"), (*_rules("ent"), *_ION)),
    irregular={},
    keeps_short_ie=False,
    y_needs_consonant=False,
    repeats_alli=False,
    vc_is_short=False,
)


def _consonants(word: str) -> list[bool]:
    """Return which letters are consonants: y is one at the start and after a vowel."""
    forms: list[bool] = []
    for letter in word:
        forms.append(not forms[-1] if letter == "y" and forms else letter not in _VOWELS)
    return forms


def measure(stem: str) -> int:
    """Count the vowel-consonant sequences: m in [C](VC)^m[V].

    References
    ----------
    Porter (1980), section 2.

    Examples
    --------
    >>> [measure(word) for word in ("tree", "by", "trouble", "oats", "troubles", "private")]
    [0, 0, 1, 1, 2, 2]
    """
    forms = _consonants(stem)
    return sum(not before and behind for before, behind in zip(forms, forms[1:], strict=False))


def _has_vowel(stem: str) -> bool:
    return not all(_consonants(stem))


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _consonants(word)[-1]


def _is_short(stem: str, dialect: Dialect) -> bool:
    """Return whether m is 1 and the stem ends consonant, vowel, consonant other than w, x, y."""
    forms = _consonants(stem)
    if len(stem) == 2:
        return dialect.vc_is_short and forms == [False, True]
    return forms[-3:] == [True, False, True] and stem[-1] not in "wxy" and measure(stem) == 1


def _applied(word: str, table: Table, above: int) -> str:
    """Apply the first rule whose suffix matches, if the measure of the stem is greater than `above`."""
    for suffix, drop, add in table:
        if word.endswith(suffix):
            stem = word[: len(word) - drop]
            return stem + add if measure(stem) > above else word
    return word


def _step_1a(word: str, dialect: Dialect) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-1] if word.endswith("ies") and dialect.keeps_short_ie and len(word) == 4 else word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _step_1b(word: str, dialect: Dialect) -> str:
    if dialect.keeps_short_ie and word.endswith("ied"):
        return word[:-3] + ("ie" if len(word) == 4 else "i")
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    stem = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else ""
    if not _has_vowel(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _ends_double(stem):
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _is_short(stem, dialect) else stem


def _step_1c(word: str, dialect: Dialect) -> str:
    stem = word[:-1]
    turns = len(word) > 2 and _consonants(word)[-2] if dialect.y_needs_consonant else _has_vowel(stem)
    return stem + "i" if word.endswith("y") and turns else word


def _step_2(word: str, dialect: Dialect) -> str:
    if dialect.repeats_alli and word.endswith("alli") and measure(word[:-4]) > 0:
        word = word[:-2]
    return _applied(word, dialect.step_2, 0)


def _step_5(word: str, dialect: Dialect) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        if measure(stem) > 1 or (measure(stem) == 1 and not _is_short(stem, dialect)):
            word = stem
    return word[:-1] if word.endswith("ll") and measure(word) > 1 else word


def _stem(word: str, dialect: Dialect) -> str:
    if word in dialect.irregular:
        return dialect.irregular[word]
    if len(word) <= 2:
        return word
    word = _step_1c(_step_1b(_step_1a(word, dialect), dialect), dialect)
    word = _applied(_step_2(word, dialect), _STEP_3, 0)
    for table in dialect.step_4:
        word = _applied(word, table, 1)
    return _step_5(word, dialect)


# Most tokens of a corpus are repeated words.
@functools.lru_cache(1 << 16)
def porter(word: str) -> str:
    """Return the stem of a lower-case word, as nltk's `PorterStemmer` does by default.

    References
    ----------
    Porter (1980), section 2.

    Examples
    --------
    >>> [porter(word) for word in ("generalizations", "oscillators", "relational", "dying", "tied")]
    ['gener', 'oscil', 'relat', 'die', 'tie']
    """
    return _stem(word, _NLTK)


@functools.lru_cache(1 << 16)
def porter155(word: str) -> str:
    """Return the stem of a lower-case word, as the ROUGE-1.5.5 script does.

    Step 4 strips up to three suffixes, one of its list, then -ment, then -ent or -ion.

    References
    ----------
    Porter (1980), section 2; ROUGE-1.5.5.pl, `MorphStem`.

    Examples
    --------
    >>> [porter155(word) for word in ("agreement", "documents", "professional", "tied")]
    ['agreem', 'docum', 'profess', 'ti']
    """
    return _stem(word, _SCRIPT)


STEMMERS: dict[str, Callable[[str], str]] = {"porter": porter, "porter155": porter155}
