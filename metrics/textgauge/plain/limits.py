"""Texts truncated to a number of words or bytes, by the rules of the ROUGE-1.5.5 script."""

from __future__ import annotations

import re
from collections.abc import Callable

from .texts import Texts

_WORD = re.compile("[^ \t\n\r\f\v]+")


def first_words(texts: Texts, n_words: int) -> Texts:
    r"""Keep the first words of every text; words are separated by ASCII white space.

    White space at the start of a line counts as one word, as in the script, which splits off an
    empty word there.

    Parameters
    ----------
    texts : Texts
    n_words : int
        At least 1.

    References
    ----------
    ROUGE-1.5.5.pl, `-l`.

    Examples
    --------
    >>> first_words(Texts(["a b\nc d", "  a b"]), 3).tolist()
    ['a b\nc ', '  a b']
    """
    return Texts([_first_words(text, n_words) for text in texts])


def _first_words(text: str, n_words: int) -> str:
    end = 0
    for word in _WORD.finditer(text):
        before = text[end : word.start()]
        # White space at the start of a line: after a newline, or at the start of the text.
        blank = before.rpartition("\n")[2] if "\n" in before or end == 0 else ""
        n_words -= 2 if blank else 1
        if n_words < 0:
            return text[: word.start()]
        end = word.end()
    return text


def first_bytes(texts: Texts, n_bytes: int) -> Texts:
    r"""Keep the first bytes of every text; newlines are not counted, characters are never split.

    Parameters
    ----------
    texts : Texts
    n_bytes : int
        At least 1, of UTF-8.

    References
    ----------
    ROUGE-1.5.5.pl, `-b`.

    Examples
    --------
    >>> first_bytes(Texts(["ab\ncdef"]), 4).tolist()
    ['ab\ncd']
    """
    return Texts([_cut(text, n_bytes, _end_of_bytes) for text in texts])


def first_bytes_of_long_line(texts: Texts, n_bytes: int) -> Texts:
    r"""Truncate texts in their first line of at least `n_bytes` bytes; shorter lines before it are kept.

    This is the script's limit for ROUGE-L and ROUGE-W: it does not add up the lines.

    Parameters
    ----------
    texts : Texts
    n_bytes : int
        At least 1, of UTF-8.

    References
    ----------
    ROUGE-1.5.5.pl, `-b`.

    Examples
    --------
    >>> first_bytes_of_long_line(Texts(["ab\ncde\nf\nghijk\nl"]), 4).tolist()
    ['ab\ncde\nf\nghij']
    """
    return Texts([_cut(text, n_bytes, _end_in_long_line) for text in texts])


def _cut(text: str, n_bytes: int, end_of: Callable[[bytes, int], int]) -> str:
    data = text.encode()
    if len(data) <= n_bytes:
        return text
    # Drops the first bytes of a character that does not fit.
    return data[: end_of(data, n_bytes)].decode(errors="ignore")


def _end_of_bytes(data: bytes, n_bytes: int) -> int:
    end = 0
    for line in data.split(b"\n"):
        if len(line) >= n_bytes:
            # Newlines after the last byte are kept if nothing else follows.
            return end + n_bytes if data[end + n_bytes :].strip(b"\n") else len(data)
        n_bytes -= len(line)
        end += len(line) + 1
    return len(data)


def _end_in_long_line(data: bytes, n_bytes: int) -> int:
    end = 0
    for line in data.split(b"\n"):
        if len(line) >= n_bytes:
            return end + n_bytes
        end += len(line) + 1
    return len(data)
