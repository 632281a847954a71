"""Porter's stemmer with the extensions that nltk makes, which `rouge_score` uses.

Porter (1980), An algorithm for suffix stripping. Deviations, all of them nltk's
`PorterStemmer.NLTK_EXTENSIONS`: a table of irregular forms; -ies keeps -ie and -ied
becomes -ie in words of four letters; step 1c asks for a consonant before the y; step 2
adds -alli, -fulli, -logi and -abli.
"""

from __future__ import annotations

_VOWELS = "aeiou"
IRREGULAR = {
    form: stem
    for stem, forms in {
        "sky": ("sky", "skies"), "die": ("dying",), "lie": ("lying",), "tie": ("tying",),
        "news": ("news",), "inning": ("innings", "inning"), "outing": ("outings", "outing"),
        "canning": ("cannings", "canning"), "howe": ("howe",), "proceed": ("proceed",),
        "exceed": ("exceed",), "succeed": ("succeed",),
    }.items()
    for form in forms
}  # fmt: skip
# (suffix, letters to drop, letters to add)
Rule = tuple[str, int, str]


def rules(table: str) -> list[Rule]:
    """Read rules like "ational>ate", the suffix and what takes its place."""
    pairs = (entry.partition(">") for entry in table.split())
    return [(suffix, len(suffix), add) for suffix, _, add in pairs]


STEP_2 = rules(
    "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous "
    "ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive "
    "biliti>ble fulli>ful"
)
STEP_2.append(("logi", 3, "og"))
STEP_3 = rules("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
STEP_4 = rules("al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize")


def _consonants(word: str) -> list[bool]:
    """Say which letters are consonants: a y is one at the start and after a vowel."""
    forms: list[bool] = []
    for letter in word:
        forms.append(not forms[-1] if letter == "y" and forms else letter not in _VOWELS)
    return forms


def measure(stem: str) -> int:
    """Count the vowel-consonant sequences: m in [C](VC)^m[V]."""
    forms = _consonants(stem)
    return sum(not a and b for a, b in zip(forms, forms[1:], strict=False))


def has_vowel(stem: str) -> bool:
    """Say whether a vowel is among the letters."""
    return not all(_consonants(stem))


def ends_double(word: str) -> bool:
    """Say whether a word ends in a double consonant."""
    return len(word) > 1 and word[-1] == word[-2] and _consonants(word)[-1]


def ends_cvc(word: str) -> bool:
    """Say whether a word ends consonant, vowel, consonant other than w, x, y; two letters: vowel, consonant."""
    forms = _consonants(word)
    if len(word) == 2:
        return forms == [False, True]
    return forms[-3:] == [True, False, True] and word[-1] not in "wxy"


def apply_rule(word: str, table: list[Rule], above: int) -> str:
    """Apply the first rule whose suffix the word has, if the measure before it is above a number."""
    for suffix, drop, add in table:
        if word.endswith(suffix):
            stem = word[: len(word) - drop]
            return stem + add if measure(stem) > above else word
    return word


def _step_1a(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _step_1b(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + ("ie" if len(word) == 4 else "i")
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        stem = word[: -len(suffix)]
        if word.endswith(suffix) and has_vowel(stem):
            break
    else:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if ends_double(stem):
        return stem if stem[-1] in "lsz" else stem[:-1]
    if measure(stem) == 1 and ends_cvc(stem):
        return stem + "e"
    return stem


def _step_1c(word: str) -> str:
    if word.endswith("y") and len(word) > 2 and _consonants(word)[-2]:
        return word[:-1] + "i"
    return word


def _step_2(word: str) -> str:
    if word.endswith("alli") and measure(word[:-4]) > 0:
        word = word[:-2]
    return apply_rule(word, STEP_2, 0)


def _step_4(word: str) -> str:
    if word.endswith("ion"):
        return word[:-3] if measure(word[:-3]) > 1 and word[-4] in "st" else word
    return apply_rule(word, STEP_4, 1)


def _step_5(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        m = measure(stem)
        if m > 1 or (m == 1 and not ends_cvc(stem)):
            word = stem
    if word.endswith("ll") and measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def stem(word: str) -> str:
    """Return the stem of a lower-case word; words of one or two letters stay as they are."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _step_2(_step_1c(_step_1b(_step_1a(word))))
    return _step_5(_step_4(apply_rule(word, STEP_3, 0)))
