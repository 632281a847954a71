"""The tokenization of Tercom, the original program for TER."""

from __future__ import annotations

import re
from dataclasses import dataclass

# In this order; `re` compiles them on first use. Tercom's rules for runs of kana are omitted: they cannot match after
# the space before every text.
_WESTERN = (
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
_ASIAN_MARKS = (
    "[\u3001\u3002\u3008-\u3011\u3014-\u301f\u30fb\uff61-\uff65\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]"
)
_ASIAN_LETTERS = "[\u2e80-\u2eff\u31c0-\u31ef\u3200-\u9fff\uf900-\ufaff\ufe30-\ufe4f]"
_MARKS = r'[.,?:;!"()]'


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
                text = re.sub(pattern, by, text)
            if self.asian_support:
                text = re.sub(_ASIAN_MARKS, r" \g<0> ", re.sub(_ASIAN_LETTERS, r" \g<0> ", text))
        if self.no_punct:
            text = re.sub(_MARKS, "", text)
            if self.asian_support:
                text = re.sub(_ASIAN_MARKS, "", text)
        return text
