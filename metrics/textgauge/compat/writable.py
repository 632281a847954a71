"""Texts that UTF-8 cannot hold, written so that it can: rouge_score and sacreBLEU take any `str`."""

from __future__ import annotations

import re
from typing import Any

from ..columns import text_column
from ..plain import Texts

_SURROGATE = re.compile("[\ud800-\udfff]")
# The end of private use, which no tokenizer tells from surrogates and texts are taken not to have.
_SHIFT = 0x10F000 - 0xD800


def writable(text: str) -> str:
    r"""Put a character of private use in the place of each lone surrogate.

    Examples
    --------
    >>> writable("a\ud800b") == "a\U0010f000b"
    True
    """
    return _SURROGATE.sub(lambda found: chr(ord(found[0]) + _SHIFT), text)


def column_of(values: list[Any], argument: str) -> Texts:
    """Return a column of texts, written so if it has to be.

    Raises
    ------
    TypeError
        If an element is not text, naming its position.
    """
    try:
        return text_column(values, argument)
    except ValueError:
        return text_column([writable(value) for value in values], argument)
