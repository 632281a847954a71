"""What a column of texts contains that a reader of its scores may have to know of."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

import re
from typing import NamedTuple

from .texts import Texts

# Texts of more bytes are no single words.
LONGEST_WORD = 64
_UNUSUAL = re.compile("[^ -\x7f]")
_LONE_SPACE = re.compile("(?<=\\S)[\t\n\r\u00a0\u3000](?=\\S)")


class Contents(NamedTuple):
    """What the texts of a column contain.

    Attributes
    ----------
    characters : str
        Every control character below U+0020 and every character outside ASCII that occurs, once, by code point.
    n_lone_spaces : int
        Number of texts with a tab, a newline, a carriage return, U+00A0 or U+3000 that stands alone between characters
        other than white space.
    n_spaced_stops : int
        Number of texts that end in a space and a full stop.
    n_words : int
        Number of texts of at most 64 bytes that are one word, whatever white space is around it.
    n_brackets : int
        Number of texts whose first character other than white space is an opening square bracket.
    """

    characters: str = ""
    n_lone_spaces: int = 0
    n_spaced_stops: int = 0
    n_words: int = 0
    n_brackets: int = 0


# Where nltk may split sentences: a full stop, a space, a capital letter.
_BETWEEN_SENTENCES = re.compile("\\.[\"')\\]}]*\\s+[\"'(\\[\u201c\u2018\u00ab]*[A-Z\u00c0-\u00d6\u00d8-\u00de]")

# Of most calls for a few segments in English.
NOTHING = Contents(), Contents()


def text_contents(hypotheses: Texts, references: Texts, n_threads: int = 1) -> tuple[Contents, Contents] | None:
    r"""Return what the texts of two columns contain, None for `NOTHING`; the compiled kernel returns plain tuples.

    Examples
    --------
    >>> sides = text_contents(Texts(["the\tcat .", "caf\u00e9", "['a', 'b']"]), Texts(["the cat", "a dog"]))
    >>> sides[0]
    Contents(characters='\té', n_lone_spaces=1, n_spaced_stops=1, n_words=1, n_brackets=1)
    >>> sides[1] == Contents(), text_contents(Texts(["a cat"]), Texts(["the cat"]))
    (True, None)
    """
    sides = _contents(hypotheses.tolist()), _contents(references.tolist())
    return None if sides == NOTHING else sides


def unsplit_texts(texts: Texts) -> int:
    """Return how many texts have a full stop, closing signs, white space, opening signs, a capital letter of Latin-1.

    Examples
    --------
    >>> unsplit_texts(Texts(["A cat. A dog.", 'He said "no." (Yes.)', "e.g. this", "A.B"]))
    2
    """
    return sum(_BETWEEN_SENTENCES.search(text) is not None for text in texts.tolist())


def _contents(written: list[str]) -> Contents:
    return Contents(
        "".join(sorted({character for text in written for character in _UNUSUAL.findall(text)})),
        sum(_LONE_SPACE.search(text) is not None for text in written),
        sum(text.endswith(" .") for text in written),
        sum(len(text.encode()) <= LONGEST_WORD and len(text.split()) == 1 for text in written),
        sum(text.lstrip().startswith("[") for text in written),
    )
