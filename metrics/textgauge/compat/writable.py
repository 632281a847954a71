"""Texts with lone surrogates, which UTF-8 cannot encode: rouge_score and sacreBLEU accept any `str`."""

from __future__ import annotations

import re
from typing import Any

from ..columns import text_column
from ..plain import Texts

_SURROGATE = re.compile("[\ud800-\udfff]")
# To the end of private use: tokenizers treat it like surrogates, and texts are assumed not to use it.
_SHIFT = 0x10F000 - 0xD800


def writable(text: str) -> str:
    r"""Replace each lone surrogate by a character of private use.

    Examples
    --------
    >>> writable("a\ud800b") == "a\U0010f000b"
    True
    """
    return _SURROGATE.sub(lambda found: chr(ord(found[0]) + _SHIFT), text)


def column_of(values: list[Any], argument: str) -> Texts:
    """Return a column of texts, made `writable` if necessary.

    Raises
    ------
    TypeError
        If an element is not text; the message names its position.
    """
    try:
        return text_column(values, argument)
    except ValueError:
        return text_column([writable(value) for value in values], argument)
