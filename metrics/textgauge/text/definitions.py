"""What each tokenizer means: plain functions from one text to its tokens.

They are the definition; `encoders` does the same to whole columns and is held to them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
LANGUAGE_INDEPENDENT_13A = (("<skipped>", ""), ("-\n", ""), ("\n", " "), *_ENTITIES)
_RULES_13A = (
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_NOT_ALPHANUMERIC = re.compile(r"[^a-z0-9]+")
_ALPHANUMERIC = re.compile(r"[a-z0-9]+")
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}

# Scripts written without spaces between words: every character is a token.
UNSPACED_SCRIPTS = (
    "CJK ", "HIRAGANA ", "KATAKANA ", "HALFWIDTH KATAKANA ", "BOPOMOFO ", "THAI ", "LAO ",
    "KHMER ", "MYANMAR ", "TIBETAN ", "YI ", "NUSHU ", "TANGUT ", "JAVANESE ", "BALINESE ",
)  # fmt: skip


def tokens_13a(text: str) -> list[str]:
    """Split as mteval-v13a does, in the form the reference `bleu` module and sacreBLEU use."""
    for old, new in LANGUAGE_INDEPENDENT_13A:
        text = text.replace(old, new)
    text = f" {text} "
    for rule, replacement in _RULES_13A:
        text = rule.sub(replacement, text)
    return text.split()


def tokens_rouge(text: str) -> list[str]:
    """Lower-case and keep runs of a-z and 0-9, as `rouge_score` does before stemming."""
    return _NOT_ALPHANUMERIC.sub(" ", text.lower()).split()


def tokens_rouge155(text: str) -> list[str]:
    """Keep runs of A-Z, a-z and 0-9, lower-cased, as the ROUGE-1.5.5 script does: any other byte separates."""
    return _ALPHANUMERIC.findall(text.translate(_LOWER))


def tokens_whitespace(text: str) -> list[str]:
    """Split on Unicode white space."""
    return text.split()


def tokens_character(text: str) -> list[str]:
    """Take every code point that is not white space."""
    return [character for character in text if not character.isspace()]


def tokens_unicode(text: str) -> list[str]:
    """Take words of any script: case-folded runs of letters, marks and numbers.

    Characters of scripts written without spaces stand alone, each with the marks behind it.
    """
    pieces: list[str] = []
    before = SEPARATING
    for character in text.casefold():
        kind = word_class(character)
        joins = before != SEPARATING and (kind == MARK or kind == before == LETTER)
        if kind != SEPARATING:
            pieces.append(character if joins else f" {character}")
        # A mark belongs to what it stands on, so it leaves `before` as it was.
        before = (before or LETTER) if kind == MARK else kind
    # Joined once: a token that grew by one character at a time would be copied for each of them.
    return "".join(pieces).split(" ")[1:]


def tokens_ascii_whitespace(text: str) -> list[str]:
    """Take runs between the six ASCII white-space characters, as Perl's split on bytes (multi-bleu.perl)."""
    return re.findall("[^ \t\n\r\f\v]+", text)


def tokens_intl(text: str) -> list[str]:
    """Split as mteval-v14's international tokenization, in the form sacreBLEU uses.

    Punctuation stands alone unless it is between numbers or at a text's border beside one;
    symbols always stand alone. Categories are those of this Python's Unicode version.
    """
    text = _spaced_pairs(text, _is_no_number, _is_punctuation, "{} {} ")
    text = _spaced_pairs(text, _is_punctuation, _is_no_number, " {} {}")
    return "".join(f" {c} " if unicodedata.category(c)[0] == "S" else c for c in text).split()


def _is_no_number(character: str) -> bool:
    return unicodedata.category(character)[0] != "N"


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] == "P"


def _spaced_pairs(text: str, first: Callable[[str], bool], second: Callable[[str], bool], spaced: str) -> str:
    """Space out pairs of neighbours, found from the left and without overlap."""
    pieces = []
    start = 0
    while start < len(text):
        pair = text[start : start + 2]
        is_found = len(pair) == 2 and first(pair[0]) and second(pair[1])
        pieces.append(spaced.format(*pair) if is_found else pair[0])
        start += 1 + is_found
    return "".join(pieces)


def tokens_zh(text: str) -> list[str]:
    """Take Chinese characters one by one and the rest as 13a's rules do, as sacreBLEU's `zh`."""
    text = "".join(f" {c} " if is_zh(c) else c for c in text.strip())
    for rule, replacement in _RULES_13A:
        text = rule.sub(replacement, text)
    return text.split()


# The ranges of sacreBLEU's tokenizer_zh.py. Two of its bounds are written with five digits behind
# a four-digit escape: what was meant as U+20000 to U+2A6D6 is U+2001 to U+2A6D, which is most
# punctuation and all arrows, and no character above U+FFFF is in any range.
_ZH_RANGES = (
    ("\u2001", "\u2a6d"), ("\u2e80", "\u2eff"), ("\u2f00", "\u2fdf"), ("\u2ff0", "\u303f"),
    ("\u3100", "\u312f"), ("\u31a0", "\u31bf"), ("\u31c0", "\u31ef"), ("\u3200", "\u33ff"),
    ("\u3400", "\u4db5"), ("\u4e00", "\u9fbb"), ("\uf900", "\ufa2d"), ("\ufa30", "\ufa6a"),
    ("\ufa70", "\ufad9"), ("\ufe10", "\ufe1f"), ("\ufe30", "\ufe4f"), ("\uff00", "\uffef"),
)  # fmt: skip


def is_zh(character: str) -> bool:
    """Say whether `zh` takes a character for a token of its own."""
    return any(first <= character <= last for first, last in _ZH_RANGES)


SEPARATING, LETTER, ALONE, MARK = 0, 1, 2, 3


def word_class(character: str) -> int:
    """Say whether a character separates words, joins them, stands alone or marks another."""
    category = unicodedata.category(character)
    if category[0] == "M":
        return MARK
    if category[0] not in "LN":
        return SEPARATING
    if category[0] == "L" and unicodedata.name(character, "").startswith(UNSPACED_SCRIPTS):
        return ALONE
    return LETTER
