"""Words as `NLTKWordTokenizer` of nltk 3.9.2 cuts them: the rules of the Penn Treebank, with nltk's additions."""

from __future__ import annotations

import re
from functools import lru_cache

_CONTRACTIONS = [
    re.compile(rf"(?i)\b({first})({second})\b")
    for first, second in (("can", "not"), ("d", "'ye"), ("gim", "me"), ("gon", "na"), ("got", "ta"), ("lem", "me"),
                          ("more", "'n"))
] + [re.compile(r"(?i)\b(wan)(na)(?=\s)"), re.compile(r"(?i) ('t)(is)\b"), re.compile(r"(?i) ('t)(was)\b")]  # fmt: skip
_RULES = [(re.compile(pattern), by) for pattern, by in (
    # Opening quotes.
    ("([«“‘„]|[`]+)", r" \1 "), (r"^\"", "``"), (r"(``)", r" \1 "), (r"([ \(\[{<])(\"|'{2})", r"\1 `` "),
    (r"(?i)(')(?!re|ve|ll|m|t|s|d|n)(\w)\b", r"\1 \2"),
    # Punctuation.
    (r"([^\.])(\.)([\]\)}>\"'»”’ ]*)\s*$", r"\1 \2 \3 "), (r"([:,])([^\d])", r" \1 \2"), (r"([:,])$", r" \1 "),
    (r"\.{2,}", r" \g<0> "), (r"[;@#$%&]", r" \g<0> "), (r"([^\.])(\.)([\]\)}>\"']*)\s*$", r"\1 \2\3 "),
    (r"[?!]", r" \g<0> "), (r"([^'])' ", r"\1 ' "), (r"[*]", r" \g<0> "),
    (r"[\]\[\(\)\{\}\<\>]", r" \g<0> "), (r"--", r" -- "),
)]  # fmt: skip
_CLOSING = [(re.compile(pattern), by) for pattern, by in (
    ("([»”’])", r" \1 "), (r"''", " '' "), (r"\"", " '' "), (r"\s+", " "),
    (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
)]  # fmt: skip
# What a full stop at the end of a text may stand before.
_ONLY_CLOSING = re.compile(r"[\]\)}>\"'»”’]+\Z")


def treebank_words(text: str) -> list[str]:
    r"""Return the words of a text.

    Chunks between spaces are cut once each, since no rule looks beyond one, but at the ends of a text.

    Examples
    --------
    >>> treebank_words('They\'ll say "I cannot." (twice)')
    ['They', "'ll", 'say', '``', 'I', 'can', 'not', '.', "''", '(', 'twice', ')']
    """
    chunks = text.split(" ")
    if len(chunks) < 3 or len(text.split()) != len(chunks) or _ONLY_CLOSING.match(chunks[-1]):
        return _cut(text)
    first, *middle, last = chunks
    words = [*_first(first)]
    for chunk in middle:
        words += _middle(chunk)
    words += _last(last)
    return words


@lru_cache(1 << 14)
def _first(chunk: str) -> tuple[str, ...]:
    return tuple(_cut(f"{chunk} x")[:-1])


@lru_cache(1 << 16)
def _middle(chunk: str) -> tuple[str, ...]:
    return tuple(_cut(f"x {chunk} x")[1:-1])


@lru_cache(1 << 14)
def _last(chunk: str) -> tuple[str, ...]:
    return tuple(_cut(f"x {chunk}")[1:])


def _cut(text: str) -> list[str]:
    for pattern, by in _RULES:
        text = pattern.sub(by, text)
    text = f" {text} "
    for pattern, by in _CLOSING:
        text = pattern.sub(by, text)
    for pattern in _CONTRACTIONS:
        text = pattern.sub(r" \1 \2 ", text)
    return text.split()
