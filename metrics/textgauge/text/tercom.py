"""The tokenization of Tercom, the original program for TER."""

from __future__ import annotations

import re
from dataclasses import dataclass

# In this order. Tercom's rules for runs of kana are omitted: they cannot match after the space before every text.
_WESTERN = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"\n-", ""),
        (r"\n", " "),
        ("&quot;", '"'),
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        (r"\A|\Z", " "),
        # ASCII punctuation except ' , - .
        (r"([ -&(-+:-@/\[-`{-~])", r" \1 "),
        (r"'s(?= |$)", " 's"),
        (r"([^0-9])([.,])", r"\1 \2 "),
        (r"([.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    )
)
_ASIAN_MARKS = re.compile(
    "[\u3001\u3002\u3008-\u3011\u3014-\u301f\u30fb\uff61-\uff65\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]"
)
_ASIAN_LETTERS = re.compile("[\u2e80-\u2eff\u31c0-\u31ef\u3200-\u9fff\uf900-\ufaff\ufe30-\ufe4f]")
_MARKS = re.compile(r'[.,?:;!"()]')


@dataclass(frozen=True)
class Tercom:
    """Splits a text into words as Tercom does.

    Attributes
    ----------
    normalized : bool
        Split off punctuation, and decode entities such as &quot;.
    no_punct : bool
        Drop punctuation.
    asian_support : bool
        Apply both to Chinese and Japanese characters as well.
    case_sensitive : bool
        Keep upper and lower case.

    Examples
    --------
    >>> Tercom(normalized=True)("It's 3,5-4 (or so).")
    ['it', "'s", '3,5', '-', '4', '(', 'or', 'so', ')', '.']
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    def __call__(self, text: str) -> list[str]:
        """Return the words."""
        return self.rewritten(text).split()

    def rewritten(self, text: str) -> str:
        """Return the normalized text, which is then split at white space."""
        text = text.rstrip()
        if not self.case_sensitive:
            text = text.lower()
        if self.normalized:
            for pattern, by in _WESTERN:
                text = pattern.sub(by, text)
            if self.asian_support:
                text = _ASIAN_MARKS.sub(r" \g<0> ", _ASIAN_LETTERS.sub(r" \g<0> ", text))
        if self.no_punct:
            text = _MARKS.sub("", text)
            if self.asian_support:
                text = _ASIAN_MARKS.sub("", text)
        return text
