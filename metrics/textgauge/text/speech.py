"""Normalizers of transcripts of speech, by name: jiwer's and Whisper's."""

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
# Marks that are part of words in scripts of India and South-East Asia, and the vowels of Arabic.
_MARKS_IN_WORDS = re.compile("[\u064b-\u0652\u0670\u0900-\u0dff\u0e00-\u109f\u1780-\u17ff]")
TEARS_WORDS = (
    "the normalizer 'whisper-basic' puts spaces in the place of vowel signs and other marks, which tears words of "
    "Indian, Thai, Khmer, Burmese and vowelled Arabic text apart and lowers the score: pass `normalizer=None`, or a "
    "function that keeps marks (Unicode categories M)."
)


def jiwer_standardized(text: str) -> str:
    r"""Rewrite as jiwer's `wer_standardize`: lower case, English contractions written out, no [words] in brackets.

    Examples
    --------
    >>> jiwer_standardized("She'll WON'T\tgo <unk> now")
    'she will will not go  now'
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
    """Return whether `whisper_basic` splits words of a text."""
    return any(unicodedata.category(character)[0] == "M" for character in _MARKS_IN_WORDS.findall(text))


@cache
def _english() -> Callable[[str], str]:
    """Return Whisper's English normalizer: its word list is that of an installed package."""
    found: Callable[[str], str] | None = None
    for package in ("whisper_normalizer.english", "whisper.normalizers"):
        try:
            found = found or import_module(package).EnglishTextNormalizer()
        except ModuleNotFoundError as error:
            if error.name != package.partition(".")[0]:
                raise
    if found is None:
        allowed = (
            "'whisper-english' with the list of spellings of an installed package: `pip install whisper_normalizer`, "
            "or pass `WhisperTokenizer.from_pretrained(NAME).normalize` of transformers, whose model has the list"
        )
        fail(ValueError, "normalizer", allowed, "none installed")
    return found


def whisper_english(text: str) -> str:
    """Rewrite as Whisper's `EnglishTextNormalizer` of an installed package."""
    return _english()(text)


SPEECH_NORMALIZERS = {
    "jiwer": jiwer_standardized, "whisper-basic": whisper_basic, "whisper-english": whisper_english,
}  # fmt: skip


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
