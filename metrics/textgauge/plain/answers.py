"""The normalization of short answers: SQuAD's and MLQA's."""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Callable, Sequence

from .characters import PUNCTUATION, class_of, is_of
from .tokenizers import lower_ascii

_DROP_ASCII = dict.fromkeys(map(ord, string.punctuation))
FIRST_HAN, LAST_HAN = "\u4e00", "\u9fa5"


def answer_words(
    articles: Sequence[str] = (), prefix: str = "", splits_han: bool = False, drops_every_punctuation: bool = False
) -> Callable[[str], list[str]]:
    r"""Return a function that splits a text into the words of its normalized form.

    A to Z are lower-cased (the caller lower-cases other letters), punctuation is
    dropped, articles become spaces, and white space separates the words.

    Parameters
    ----------
    articles : sequence of str
        Whole words, in lower case.
    prefix : str
        Letters that become a space wherever they occur.
    splits_han : bool
        Put spaces around the characters U+4E00 to U+9FA5.
    drops_every_punctuation : bool
        Drop all characters of the Unicode categories P, not only ASCII punctuation.

    References
    ----------
    Rajpurkar et al. (2016), SQuAD, section 6.1; Lewis et al. (2020), MLQA, section 4.

    Examples
    --------
    >>> answer_words(("a", "an", "the"))("The  U.S.A., an\tidea")
    ['usa', 'idea']
    """
    article = re.compile(rf"\b(?:{'|'.join(map(re.escape, articles))})\b") if articles else None

    def words(text: str) -> list[str]:
        text = lower_ascii(text).translate(_DROP_ASCII)
        if drops_every_punctuation:
            text = _every_punctuation().sub("", text)
        if article:
            text = article.sub(" ", text)
        if prefix:
            text = text.replace(prefix, " ")
        if splits_han:
            text = _HAN.sub(r" \1 ", text)
        return text.split()

    return words


_HAN = re.compile(f"([{FIRST_HAN}-{LAST_HAN}])")


@functools.cache
def _every_punctuation() -> re.Pattern[str]:
    return re.compile(f"[{class_of(functools.partial(is_of, PUNCTUATION))}]")
