"""Normalizers of transcripts of speech, by name: one of our own, jiwer's and Whisper's."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ..checks import one_of
from ..plain.characters import UNSPACED, bits_of
from .normalizers import Normalizer
from .replacements import NO_REPLACEMENTS, Replacements
from .whisper import english, installed_spellings, leaderboard_english, spellings_name

_BETWEEN_BRACKETS = re.compile(r"[<\[][^>\]]*[>\]]")
_BETWEEN_PARENTHESES = re.compile(r"\(([^)]+?)\)")
_SPACES = re.compile(r"\s+")
_SEVERAL_SPACES = re.compile(r"\s\s+")
_TO_SPACE = dict.fromkeys(map(ord, string.whitespace), " ")
# In this order; the last ones are endings.
_CONTRACTIONS = (
    ("won't", "will not"), ("can't", "can not"), ("let's", "let us"), ("n't", " not"), ("'re", " are"), ("'s", " is"),
    ("'d", " would"), ("'ll", " will"), ("'t", " not"), ("'ve", " have"), ("'m", " am"),
)  # fmt: skip
# Of Word_Break in UAX #29 (Unicode 17): what stays between letters (MidLetter, MidNumLet) and between digits (MidNum,
# MidNumLet), without semicolons and wide signs, behind which lists have no space; punctuation that is like a letter
# (ALetter). The signs that are written for an apostrophe; the first ones stand in words alone.
_IN_WORD, _IN_NUMBER = ".:\u00b7\u055f\u05f4\u2024\u2027", ".,:\u066b\u066c\uff0e"
_LIKE_LETTERS = "\u055a\u055b\u055c\u055e\u05f3"
_APOSTROPHES_OF_WORDS = "\u02bb\u02bc\u00b4`"
_APOSTROPHES = "'\u2018\u2019\uff07" + _APOSTROPHES_OF_WORDS
# Of ASCII what Unicode has as punctuation; of the rest what is no letter, digit or space; and the apostrophes.
_SIGN = re.compile(rf"[!-#%-*,-/:;?@\[-\]_{{}}{_APOSTROPHES_OF_WORDS}]|[^\w\s\x00-\x7f]")
TEARS_WORDS = (
    "the normalizer 'whisper-basic' puts spaces in the place of marks that are no part of a letter, such as vowel "
    "signs and tones, or the dot of a lower-cased \u0130: that tears words apart, and the rate is higher or lower for "
    "it; pass `normalizer='basic'`, which keeps marks."
)


def jiwer_standardized(text: str) -> str:
    r"""Rewrite as jiwer's `wer_standardize`: lower case, English contractions written out, no [words] in brackets.

    Examples
    --------
    >>> jiwer_standardized("She'll WON'T\tgo <unk> now")
    'she will will not go now'
    """
    text = text.lower()
    for short, long in _CONTRACTIONS:
        text = text.replace(short, long)
    return _SEVERAL_SPACES.sub(" ", _without(_BETWEEN_BRACKETS, ">]", text).translate(_TO_SPACE))


def _without_asides(text: str) -> str:
    """Return a text in lower case without what stands between brackets, then without what parentheses hold."""
    return _without(_BETWEEN_PARENTHESES, ")", _without(_BETWEEN_BRACKETS, ">]", text.lower()))


def whisper_basic(text: str) -> str:
    """Rewrite as Whisper's `BasicTextNormalizer`: lower case; marks, symbols and punctuation are spaces.

    References
    ----------
    Radford et al. (2023), Robust Speech Recognition via Large-Scale Weak Supervision, appendix C.

    Examples
    --------
    >>> whisper_basic("[noise] It's (um) 5.5 Caf\u00e9s!")
    ' it s 5 5 caf\u00e9s '
    """
    text = unicodedata.normalize("NFKC", _without_asides(text))
    kept = (" " if unicodedata.category(c)[0] in "MSP" else c for c in text)
    return _SPACES.sub(" ", "".join(kept).lower())


def _without(brackets: re.Pattern[str], closing: str, text: str) -> str:
    """Drop what stands in brackets; behind the last closing one, a search from every open one would be in vain."""
    end = max(text.rfind(sign) for sign in closing) + 1
    return brackets.sub("", text[:end]) + text[end:]


def tears_words(text: str) -> bool:
    r"""Return whether `whisper_basic` splits words of a text: where a mark stays behind a letter.

    Examples
    --------
    >>> tears_words("\u0130zmir"), tears_words("Cafe\u0301"), tears_words("it\u00b4s")
    (True, False, False)
    """
    if text.isascii():
        return False
    left = unicodedata.normalize("NFKC", text.lower())
    pairs = zip(left, left[1:], strict=False)
    return any(not mark.isascii() and _is(mark, "M") and not _is(letter, "ZPSCM") for letter, mark in pairs)


def may_tear(characters: str) -> bool:
    """Return whether a text of these characters may be one that `tears_words`."""
    left = unicodedata.normalize("NFKC", " ".join(characters).lower())
    return any(_is(character, "M") for character in left)


def _is(character: str, categories: str) -> bool:
    """Return whether a character is of one of these major categories."""
    return unicodedata.category(character)[0] in categories


def basic(text: str) -> str:
    r"""Lower-case; put spaces in the place of punctuation, and one space in that of many.

    An apostrophe between letters or digits stays, and is straight. So does what Unicode counts to a word or number: a
    full stop, colon or middle dot between letters, a full stop, comma or colon between digits, and signs of Hebrew,
    Armenian and Arabic. Marks and symbols stay, so that no word of any script is torn; letters are composed (NFC), and
    U+0130 becomes i.

    References
    ----------
    Unicode Standard Annex #29, the rules WB4, WB6, WB7, WB7a to c, WB11 and WB12.

    Examples
    --------
    >>> basic("Don\u2019t  PANIC \u2013 it's 5.5 km, \u0130zmir...")
    "don't panic it's 5.5 km izmir"
    >>> basic("O\u2018zbek col\u00b7lecci\u00f3.")
    "o'zbek col·lecció"
    """
    text = unicodedata.normalize("NFC", text.replace("\u0130", "i").lower())
    return " ".join(_SIGN.sub(_basic_sign, text).split())


def _basic_sign(match: re.Match[str]) -> str:
    sign, text, at = match[0], match.string, match.start()
    # The slice of no character before the first one is empty.
    before, behind = text[at - 1 : at], text[at + 1 : at + 2]
    is_in_word = _is_in_word(before) and _is_in_word(behind)
    is_in_number = before.isdigit() and behind.isdigit()
    if sign in _APOSTROPHES and (is_in_word or (is_in_number and sign not in _APOSTROPHES_OF_WORDS)):
        return "'"
    if (is_in_word and sign in _IN_WORD) or (is_in_number and sign in _IN_NUMBER):
        return sign
    if (sign in _LIKE_LETTERS and _is_in_word(before)) or (
        _is_of_hebrew(sign, behind) and _is_hebrew(_without_marks(text, at))
    ):
        return sign
    return " " if _is(sign, "P") else sign


def _is_in_word(character: str) -> bool:
    """Return whether a character is a letter of a script with spaces, or what stands on one."""
    if not character or character in _APOSTROPHES or not (_is(character, "LM") or character in "\u200c\u200d"):
        return False
    return not bits_of(character) & UNSPACED


def _without_marks(text: str, at: int) -> str:
    """Return the last character before a place that is no mark (WB4), if there is one."""
    while at and _is(text[at - 1], "M"):
        at -= 1
    return text[at - 1 : at]


def _is_hebrew(character: str) -> bool:
    return ("\u05d0" <= character <= "\u05f2" or "\ufb1d" <= character <= "\ufb4f") and _is(character, "L")


def _is_of_hebrew(sign: str, behind: str) -> bool:
    """Return whether a quotation mark behind a Hebrew letter is written for a geresh or gershayim."""
    return sign == "'" or (sign == '"' and _is_hebrew(behind))


def whisper_english(text: str) -> str:
    """Rewrite as OpenAI's `EnglishTextNormalizer`, with the list of spellings of an installed package."""
    return english(_without_asides(text), installed_spellings())


def open_asr_english(text: str, replacements: Replacements = NO_REPLACEMENTS) -> str:
    """Rewrite as the Open ASR Leaderboard, whose lists of words and phrases are replacements."""
    phrases, words = replacements.phrases, replacements.words
    return leaderboard_english(_without_asides(text), installed_spellings(), phrases, words)


SPEECH_NORMALIZERS = {
    "basic": basic,
    "jiwer": jiwer_standardized,
    "whisper-basic": whisper_basic,
    "whisper-english": whisper_english,
    "open-asr-english": open_asr_english,
}


# These read the list of an installed package.
_WITH_SPELLINGS = ("whisper-english", "open-asr-english")


def with_replacements(normalizer: Normalizer, replacements: Replacements | None) -> Normalizer:
    """Return a normalizer that replaces at last; that of the leaderboard where its own lists do."""
    if replacements is not None and normalizer.function is open_asr_english:
        return replace(normalizer, function=partial(open_asr_english, replacements=replacements))
    return normalizer.followed_by(replacements)


def speech_normalizer_of(value: str | Callable[[str], str] | Normalizer | None) -> Normalizer | None:
    """Return the normalizer for a name or a callable; None for None."""
    if value is None or isinstance(value, Normalizer):
        return value
    if callable(value):
        return Normalizer(getattr(value, "__name__", type(value).__name__), value)
    name = one_of("normalizer", value, SPEECH_NORMALIZERS)
    data = spellings_name(installed_spellings()) if name in _WITH_SPELLINGS else ""
    return Normalizer(name, SPEECH_NORMALIZERS[name], data=data)
