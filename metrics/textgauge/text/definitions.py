"""What each tokenizer means: plain functions from one text to its tokens.

They are the definition; `encoders` does the same to whole columns and is held to them.
"""

from __future__ import annotations

import re
import unicodedata

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
LANGUAGE_INDEPENDENT_13A = (("<skipped>", ""), ("-\n", ""), ("\n", " "), *_ENTITIES)
_RULES_13A = (
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_NOT_ALPHANUMERIC = re.compile(r"[^a-z0-9]+")

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
    tokens: list[str] = []
    before = SEPARATING
    for character in text.casefold():
        kind = word_class(character)
        if before != SEPARATING and (kind == MARK or kind == before == LETTER):
            tokens[-1] += character
        elif kind != SEPARATING:
            tokens.append(character)
        # A mark belongs to what it stands on, so it leaves `before` as it was.
        before = (before or LETTER) if kind == MARK else kind
    return tokens


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
