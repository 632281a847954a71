"""Words as `NLTKWordTokenizer` of nltk 3.9.2 cuts them: the rules of the Penn Treebank, with nltk's additions."""

from __future__ import annotations

import re

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
    (r"(?i)\b(can)(not)\b", r" \1 \2 "), (r"(?i)\b(d)('ye)\b", r" \1 \2 "), (r"(?i)\b(gim)(me)\b", r" \1 \2 "),
    (r"(?i)\b(gon)(na)\b", r" \1 \2 "), (r"(?i)\b(got)(ta)\b", r" \1 \2 "), (r"(?i)\b(lem)(me)\b", r" \1 \2 "),
    (r"(?i)\b(more)('n)\b", r" \1 \2 "), (r"(?i)\b(wan)(na)(?=\s)", r" \1 \2 "), (r"(?i) ('t)(is)\b", r" \1 \2 "),
    (r"(?i) ('t)(was)\b", r" \1 \2 "),
)]  # fmt: skip


def treebank_words(text: str) -> list[str]:
    r"""Return the words of a text.

    Examples
    --------
    >>> treebank_words('They\'ll say "I cannot." (twice)')
    ['They', "'ll", 'say', '``', 'I', 'can', 'not', '.', "''", '(', 'twice', ')']
    """
    for pattern, by in _RULES:
        text = pattern.sub(by, text)
    text = f" {text} "
    for pattern, by in _CLOSING:
        text = pattern.sub(by, text)
    return text.split()


def lower_words(text: str) -> list[str]:
    """Return the words of a text, lower-cased after they were cut."""
    return [word.lower() for word in treebank_words(text)]
