"""Porter's stemmer with the extensions that nltk makes, which `rouge_score` uses.

Porter (1980), An algorithm for suffix stripping. Deviations, all of them nltk's
`PorterStemmer.NLTK_EXTENSIONS`: a table of irregular forms; -ies keeps -ie and -ied
becomes -ie in words of four letters; step 1c asks for a consonant before the y; step 2
adds -alli, -fulli, -logi and -abli.
"""

from __future__ import annotations

from collections.abc import Callable

_VOWELS = "aeiou"
_IRREGULAR = {
    form: stem
    for stem, forms in {
        "sky": ("sky", "skies"), "die": ("dying",), "lie": ("lying",), "tie": ("tying",),
        "news": ("news",), "inning": ("innings", "inning"), "outing": ("outings", "outing"),
        "canning": ("cannings", "canning"), "howe": ("howe",), "proceed": ("proceed",),
        "exceed": ("exceed",), "succeed": ("succeed",),
    }.items()
    for form in forms
}  # fmt: skip
_Rule = tuple[str, str, Callable[[str], bool]]


def _is_consonant(word: str, i: int) -> bool:
    if word[i] in _VOWELS:
        return False
    # A y is a consonant at the start and after a vowel; runs of y alternate.
    run = 0
    while word[i] == "y" and i > 0:
        i, run = i - 1, run + 1
    if run == 0:
        return True
    first_is_consonant = word[i] == "y" or word[i] not in _VOWELS
    return first_is_consonant == (run % 2 == 0)


def _measure(stem: str) -> int:
    """Count the vowel-consonant sequences: m in [C](VC)^m[V]."""
    forms = [_is_consonant(stem, i) for i in range(len(stem))]
    return sum(not a and b for a, b in zip(forms, forms[1:], strict=False))


def _has_vowel(stem: str) -> bool:
    return any(not _is_consonant(stem, i) for i in range(len(stem)))


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _ends_cvc(word: str) -> bool:
    if len(word) == 2:
        return not _is_consonant(word, 0) and _is_consonant(word, 1)
    forms = [_is_consonant(word, i) for i in range(len(word) - 3, len(word))] if len(word) > 2 else []
    return forms == [True, False, True] and word[-1] not in "wxy"


def _apply(word: str, rules: list[_Rule]) -> str:
    """Apply the first rule whose suffix the word has, if its condition holds."""
    for suffix, replacement, condition in rules:
        if word.endswith(suffix):
            stem = word[: len(word) - len(suffix)]
            return stem + replacement if condition(stem) else word
    return word


def _always(_: str) -> bool:
    return True


def _some(stem: str) -> bool:
    return _measure(stem) > 0


def _many(stem: str) -> bool:
    return _measure(stem) > 1


_STEP_2: list[_Rule] = [
    (suffix, replacement, _some)
    for suffix, replacement in (
        ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
        ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
        ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
        ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
        ("fulli", "ful"),
    )
]  # fmt: skip
_STEP_3: list[_Rule] = [
    (suffix, replacement, _some)
    for suffix, replacement in (
        ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
        ("ful", ""), ("ness", ""),
    )
]  # fmt: skip
_STEP_4: list[_Rule] = [
    (suffix, "", _many)
    for suffix in (
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent",
    )
]  # fmt: skip
_STEP_4 += [("ion", "", lambda stem: _many(stem) and stem[-1] in "st")]
_STEP_4 += [(suffix, "", _many) for suffix in ("ou", "ism", "ate", "iti", "ous", "ive", "ize")]


def _step_1a(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _apply(word, [("sses", "ss", _always), ("ies", "i", _always), ("ss", "ss", _always), ("s", "", _always)])


def _step_1b(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + ("ie" if len(word) == 4 else "i")
    if word.endswith("eed"):
        return word[:-1] if _some(word[:-3]) else word
    for suffix in ("ed", "ing"):
        stem = word[: -len(suffix)]
        if word.endswith(suffix) and _has_vowel(stem):
            break
    else:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _ends_double(stem):
        return stem if stem[-1] in "lsz" else stem[:-1]
    if _measure(stem) == 1 and _ends_cvc(stem):
        return stem + "e"
    return stem


def _step_1c(word: str) -> str:
    if word.endswith("y") and len(word) > 2 and _is_consonant(word, len(word) - 2):
        return word[:-1] + "i"
    return word


def _step_2(word: str) -> str:
    if word.endswith("alli") and _some(word[:-4]):
        return _step_2(word[:-4] + "al")
    if word.endswith("logi") and not word.endswith("fulli"):
        return word[:-1] if _some(word[:-3]) else word
    return _apply(word, _STEP_2)


def _step_5(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _ends_cvc(stem)):
            word = stem
    if word.endswith("ll") and _many(word[:-1]):
        word = word[:-1]
    return word


def stem(word: str) -> str:
    """Return the stem of a lower-case word; words of one or two letters stay as they are."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _step_2(_step_1c(_step_1b(_step_1a(word))))
    return _step_5(_apply(_apply(word, _STEP_3), _STEP_4))
