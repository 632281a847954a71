"""What texts tell about their scripts."""

from __future__ import annotations

import re

# Signs are no letters: what is below U+00C0, from U+2000 to U+2FFF or above U+FFFF, a Greek letter that stands alone,
# and those of multiplication and division.
_FROM_WIDE = re.compile(
    rb"(?:[\xc4-\xcd\xd0-\xe1\xe3-\xef]|\xc3[^\x97\xb7]|[\xce\xcf][\x80-\xbf][\xce\xcf])[\x80-\xffA-Za-z]*"
)


def has_wide_words(text: bytes, most: float, most_of_one: float) -> bool:
    r"""Return whether many words have a letter outside ASCII, or an accent, from where they are looked at.

    Parameters
    ----------
    text : bytes
        In UTF-8, with a space or a newline between words.
    most : float
        A larger share of all words are many.
    most_of_one : float
        The same where all that are found are equal. At least `most`.

    Examples
    --------
    >>> text = "m\u00f6gen t\u00f6nen \u00fcber 5 \u00d7 5 \u03b1".encode()
    >>> has_wide_words(text, 0.4, 0.4), has_wide_words(text, 0.5, 0.5)
    (True, False)
    """
    words = _FROM_WIDE.findall(text)
    n_words = text.count(b" ") + text.count(b"\n") + 1
    return len(words) > (most if len({*words}) > 1 else most_of_one) * n_words
