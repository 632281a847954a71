"""Normalizers of transcripts of speech, by name: one of our own, jiwer's and Whisper's."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable
from functools import cache
from importlib import import_module

from ..checks import fail, one_of
from .normalizers import Normalizer

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
# Punctuation that is part of a number, and apostrophes that are part of a word.
_IN_NUMBER, _APOSTROPHES = ".,:", "'\u2019"
# Of ASCII what Unicode has as punctuation; of the rest what is no letter, digit or space.
_SIGN = re.compile(r"[!-#%-*,-/:;?@\[-\]_{}]|[^\w\s\x00-\x7f]")
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
    text = _without(_BETWEEN_BRACKETS, ">]", text.lower())
    text = _without(_BETWEEN_PARENTHESES, ")", text)
    kept = (" " if unicodedata.category(c)[0] in "MSP" else c for c in unicodedata.normalize("NFKC", text))
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
    return any(not mark.isascii() and _is(mark, "M") and not _is(letter, "ZPSC") for letter, mark in pairs)


def may_tear(characters: str) -> bool:
    """Return whether a text of these characters may be one that `tears_words`."""
    left = unicodedata.normalize("NFKC", " ".join(characters).lower())
    return any(_is(character, "M") for character in left)


def _is(character: str, categories: str) -> bool:
    """Return whether a character is of one of these major categories."""
    return unicodedata.category(character)[0] in categories


def basic(text: str) -> str:
    r"""Lower-case; put spaces in the place of punctuation, and one space in that of many.

    An apostrophe between letters stays, and is straight; a full stop, comma or colon between digits stays. Marks and
    symbols stay, so that no word of any script is torn; letters are composed (NFC), and U+0130 becomes i.

    Examples
    --------
    >>> basic("Don\u2019t  PANIC \u2013 it's 5.5 km, \u0130zmir...")
    "don't panic it's 5.5 km izmir"
    """
    text = unicodedata.normalize("NFC", text.replace("\u0130", "i").lower())
    return " ".join(_SIGN.sub(_basic_sign, text).split())


def _basic_sign(match: re.Match[str]) -> str:
    sign, text = match[0], match.string
    if not _is(sign, "P") and sign not in _APOSTROPHES:
        return sign
    before, behind = text[: match.start()][-1:], text[match.end() : match.end() + 1]
    if sign in _APOSTROPHES and _is_in_word(before) and _is_in_word(behind):
        return "'"
    return sign if sign in _IN_NUMBER and before.isdigit() and behind.isdigit() else " "


def _is_in_word(character: str) -> bool:
    return character != "" and _is(character, "LM")


@cache
def _english() -> Callable[[str], str]:
    """Return Whisper's English normalizer: its word list is that of an installed package."""
    normalizer: Callable[[str], str] | None = None
    for package in ("whisper_normalizer.english", "whisper.normalizers"):
        try:
            normalizer = normalizer or import_module(package).EnglishTextNormalizer()
        except ModuleNotFoundError as error:
            if error.name != package.partition(".")[0]:
                raise
    if normalizer is None:
        allowed = (
            "'whisper-english' with the list of spellings of an installed package: `pip install whisper_normalizer`, "
            "or pass `WhisperTokenizer.from_pretrained(NAME).normalize` of transformers, whose model has the list"
        )
        fail(ValueError, "normalizer", allowed, "none installed")
    return normalizer


def whisper_english(text: str) -> str:
    """Rewrite as Whisper's `EnglishTextNormalizer` of an installed package."""
    return _english()(text)


SPEECH_NORMALIZERS = {
    "basic": basic,
    "jiwer": jiwer_standardized,
    "whisper-basic": whisper_basic,
    "whisper-english": whisper_english,
}


def speech_normalizer_of(value: str | Callable[[str], str] | Normalizer | None) -> Normalizer | None:
    """Return the normalizer for a name or a callable; None for None."""
    if value is None or isinstance(value, Normalizer):
        return value
    if callable(value):
        return Normalizer(getattr(value, "__name__", type(value).__name__), value)
    name = one_of("normalizer", value, SPEECH_NORMALIZERS)
    if name == "whisper-english":
        _english()
    return Normalizer(name, SPEECH_NORMALIZERS[name])
