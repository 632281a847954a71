"""Signs that are no part of a text, or that have several forms: how they are told, and what mends them."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from ..plain import contents as bits

_SPECIAL = re.compile(
    r"\s*(?:</?s>|<pad>|<eos>|<bos>|</?think>|<(?:start|end)_of_turn>|<\uff5c[^<>]{1,40}\uff5c>"
    r"|<\|[A-Za-z0-9_]{1,39}\|>|\[(?:PAD|CLS|SEP)\])\s*"
)
_AT_SIGNS, _HASHES = re.compile(r"(?<=\S)@@(?:\s|\Z)"), re.compile(r"\s##(?=\w)")
_PIECES = re.compile(r"(?<!\S)[\u0120\u2581](?=\w)")
_INVISIBLE = re.compile("[\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")
_SPACES = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
# The character comes first: so it is searched for as a set.
_APOSTROPHES = re.compile("[\xb4\u02bb\u02bc\u2018\u2019\uff07`](?<=[^\\W\\d_].)(?=[^\\W\\d_])")
_LETTERS = str.maketrans(
    "\u015e\u015f\u0162\u0163\u0649\u064a\u0643\u06c1", "\u0218\u0219\u021a\u021b\u06cc\u06cc\u06a9\u0647"
)
_PRESENTED = re.compile("[\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc]+")
_BACKSLASHES = str.maketrans({"\a": r"\a", "\b": r"\b", "\v": r"\v", "\f": r"\f", "\t": r"\t", "\r": r"\r"})


class Sign(NamedTuple):
    """A kind of sign.

    Attributes
    ----------
    bit : int
        That of `plain.contents`.
    text : str
        The warning behind the number of segments, with forms for one and several as `CountWarning` takes it.
    mend : callable
        Returns a text without the sign, or in its usual form.
    is_form : bool
        Whether it is another form of the same text: then it matters where the mended sides have more in common.
    is_of_words : bool
        Whether `mend` changes words between spaces one by one, whatever stands beside them.
    """

    bit: int
    text: str
    mend: Callable[[str], str]
    is_form: bool = False
    is_of_words: bool = False


def _joined(text: str) -> str:
    text = _HASHES.sub("", _AT_SIGNS.sub("", text))
    n_pieces = len(_PIECES.findall(text))
    # Maltese words may begin with the letter, too, but few do.
    if n_pieces < 2 or 3 * n_pieces < len(text.split()):
        return text
    return re.sub("[\u0120\u2581]", " ", "".join(text.split())).strip()


def _with_usual_letters(text: str) -> str:
    return _PRESENTED.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text).translate(_LETTERS)


def _with_usual_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(one)) if one.isdecimal() else one for one in text)


def _unspelled(text: str) -> str:
    words = text.split()
    return "".join(words) if len(words) > 3 and max(map(len, words)) == 1 else text


def _differ(what: str, advice: str) -> str:
    return f"[segment has|segments have] predictions and references that differ in {what}: {advice}"


SIGNS = (
    Sign(
        bits.SUBWORD,
        "[segment has|segments have] marks of subwords, such as '@@ ', '\u2581', '##' or '\u0120', which are scored "
        "as text: decode or join the tokens of both sides first.",
        _joined,
    ),
    Sign(
        bits.SPECIAL,
        "[segment has|segments have] special tokens of a model, such as '</s>', '<pad>', '<|im_end|>' or '<think>', "
        "which are scored as text: decode with `skip_special_tokens=True`, and cut reasoning off.",
        lambda text: _SPECIAL.sub(" ", text).strip(),
    ),
    Sign(
        bits.ENTITY,
        "[segment has|segments have] characters of HTML by name or number, such as '&amp;' or '&#39;', which are "
        "scored as text: pass `html.unescape(text)` for every text of both sides.",
        html.unescape,
    ),
    Sign(
        bits.LOST_BACKSLASH,
        r"[segment has|segments have] control characters in the place of a backslash and a letter, as in '\frac' "
        r"without an r before the quote: write LaTeX as r'\frac', or double the backslash.",
        lambda text: text.translate(_BACKSLASHES),
    ),
    Sign(
        bits.INVISIBLE,
        _differ(
            "invisible characters (such as U+200B, U+200D, U+00AD or marks of direction)",
            "remove them from both sides, or write them in both.",
        ),
        lambda text: _INVISIBLE.sub("", text), is_form=True, is_of_words=True,
    ),
    Sign(
        bits.SPACE,
        _differ("spaces (such as U+00A0 or U+202F, or an ordinary space)", 'pass `" ".join(text.split())` for both.'),
        lambda text: _SPACES.sub(" ", text), is_form=True, is_of_words=True,
    ),
    Sign(
        bits.LOOK_ALIKE,
        _differ(
            "letters that look alike (such as \u015f and \u0219, Arabic and Persian yeh and kaf, ligatures)",
            "write both sides with the same ones.",
        ),
        _with_usual_letters, is_form=True, is_of_words=True,
    ),
    Sign(
        bits.DIGIT,
        _differ("digits (those of a script, or 0-9)", "write both sides with the same ones."),
        _with_usual_digits, is_form=True, is_of_words=True,
    ),
    Sign(
        bits.BORDER,
        "[segment has|segments have] a prediction and a reference that are equal but for white space at the ends: "
        "pass `text.strip()` for every text of both sides.",
        str.strip, is_form=True,
    ),
    Sign(
        bits.SPELLED,
        "[segment has|segments have] white space between all characters on one side alone: join the characters, "
        'as in `"".join(text.split())`, or split both sides.',
        _unspelled, is_form=True,
    ),
)  # fmt: skip
# The other apostrophes beside the straight one; of all forms of letters one warning names the ways.
APOSTROPHES = Sign(bits.APOSTROPHE, "", lambda text: _APOSTROPHES.sub("'", text), is_form=True, is_of_words=True)
