"""What a column of texts contains that a reader of its scores may have to know of."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

import re
from array import array
from functools import cache
from typing import NamedTuple

from .texts import Texts

# Texts of more bytes are no single words.
LONGEST_WORD = 64
_UNUSUAL = re.compile("[^ -\x7f]")
# Chinese and Korean characters, none of which is a sign: U+4E00 stands for all, so that a look is short.
_HAN_OR_HANGUL = re.compile("[\u4000-\u9fff\ub000-\ud7ff]")
# Signs that are no part of a text, or that have several forms, by the bits that stand for them.
SUBWORD, SPECIAL, ENTITY, LOST_BACKSLASH, INVISIBLE, SPACE, APOSTROPHE, LOOK_ALIKE, DIGIT, BORDER, SPELLED = (
    1 << i for i in range(11)
)
ESCAPE, MOJIBAKE, TAG = (1 << i for i in range(11, 14))
N_SIGNS = 14
# The digits 0 of scripts, each with 9 more behind it; of mathematical alphabets there are five.
_ZEROS = (
    "\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0de6\u0e50\u0ed0\u0f20\u1040\u1090\u17e0"
    "\u1810\u1946\u19d0\u1a80\u1a90\u1b50\u1bb0\u1c40\u1c50\ua620\ua8d0\ua900\ua9d0\ua9f0\uaa50\uabf0\U000104a0"
    "\U00010d30\U00011066\U000110f0\U00011136\U000111d0\U000112f0\U00011450\U000114d0\U00011650\U000116c0\U00011730"
    "\U000118e0\U00011950\U00011c50\U00011d50\U00011da0\U00011f50\U00016a60\U00016ac0\U00016b50\U0001d7ce\U0001d7d8"
    "\U0001d7e2\U0001d7ec\U0001d7f6\U0001e140\U0001e2f0\U0001e4f0\U0001e950\U0001fbf0"
)
# Cyrillic letters, some of which look like Latin ones, which nobody writes into one word.
_CYRILLIC = "[\u0400-\u04ff]"
_SIGNS = (
    (
        SUBWORD,
        "(?<=\\S)@@(?!\\S)|(?<!\\S)@[-,./:]@(?!\\S)|(?<!\\S)##(?=[A-Za-z\u0080-\U0010ffff])|</w>|[\u0120\u2581\uffed]",
    ),
    (
        SPECIAL,
        "</?s>|<(?:pad|eos|bos|sep|cls|PAD|EOS|BOS|SEP|CLS)>|</?think(?:ing)?>|<(?:start|end)_of_turn>"
        "|<end_of_utterance>|<extra_id_|<\uff5c|<\\|[A-Za-z0-9_.]{1,39}\\|>|<</?SYS>>"
        "|\\[(?:PAD|CLS|SEP|EOS|BOS|/?INST)\\]",
    ),
    (ENTITY, "&[#A-Za-z0-9]{2,10};"),
    (
        LOST_BACKSLASH,
        "[\a\b\v\f](?=[A-Za-z])|\t(?=ext(?:bf|it|rm|tt|sf)?\\{|imes|heta|frac|ilde\\{|riangle)"
        "|\r(?=ight|angle|ho(?![A-Za-z]))|\n(?=abla|otin|eq(?![A-Za-z]))",
    ),
    (
        INVISIBLE,
        "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
        "\ufe00-\ufe0f\ufeff\uffa0\U000e0001\U000e0100-\U000e01ef]",
    ),
    (SPACE, "[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"),
    (APOSTROPHE, "[\xb4\u02bb\u02bc\u2018\u2019\uff07]|(?<=[A-Za-z])`(?=[A-Za-z])"),
    (
        LOOK_ALIKE,
        "[\u0132\u0133\u015e\u015f\u0162\u0163\u01c4-\u01cc\u01f1-\u01f3\u0218-\u021b\u0640\u0643\u0647\u0649\u064a"
        "\u06a9\u06c1\u06cc\u2f00-\u2fd5\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc]"
        f"|(?<=[A-Za-z]){_CYRILLIC}|{_CYRILLIC}(?=[A-Za-z])",
    ),
    (DIGIT, "[" + "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in _ZEROS) + "]"),
    (BORDER, r"\A\s|\s\Z"),
    (SPELLED, r"\A\S(?:\s+\S){3}(?!\S)"),
    (ESCAPE, r"""\\(?:u[0-9A-Fa-f]{4}|U000[0-9A-Fa-f]{5}|x[0-9a-f]{2}|["'/n]|[rt](?![a-z]))"""),
    (
        MOJIBAKE,
        # The first byte of a character of UTF-8, and one that follows it, in Latin-1 or Windows-1252. In real text such
        # letters have other letters, closing marks, signs of money or units behind them; U+00D7 and U+00D8 numbers.
        "[\xc2-\xc5\xce-\xd1\xd9\xe0-\xed\xef\xf0]"
        "[\x80-\x84\x86-\x9f\xa1-\xa9\xac\xaf\xb1\xb5\xb6\xb8\xbc-\xbf\u0192\u02c6\u02dc]"
        "|[\xd7\xd8][\x80-\x84\x86-\x9f\xa1-\xa9\xac\xaf\xb5\xb6\xb8\xbf\u0192\u02c6\u02dc]"
        "|\xc3[\xaa\xae\xb3]|[\xc3-\xc5\xf0]\u0178|\xe2\u20ac",
    ),
    (
        TAG,
        "</(?!(?:s|w|think|thinking|SYS)>)[A-Za-z][A-Za-z0-9:._-]{0,39}>|<(?:br|BR|hr|HR|li|LI|p|P) ?/?>"
        "|<[A-Za-z][A-Za-z0-9:._-]{0,39} [A-Za-z][A-Za-z0-9:._-]{0,39}=[\"']",
    ),
)
_LONE_SPACE = re.compile("(?<=\\S)[\t\n\r\u00a0\u3000](?=\\S)")


class Contents(NamedTuple):
    """What the texts of a column contain.

    Attributes
    ----------
    characters : str
        Every control character below U+0020 and every character outside ASCII that occurs, once, by code point; U+4E00
        for all Chinese and Korean ones of U+4000 to U+9FFF and U+B000 to U+D7FF.
    n_lone_spaces : int
        Number of texts with a tab, a newline, a carriage return, U+00A0 or U+3000 that stands alone between characters
        other than white space.
    n_spaced_stops : int
        Number of texts that end in a space and a full stop.
    n_words : int
        Number of texts of at most 64 bytes that are one word, whatever white space is around it.
    n_brackets : int
        Number of texts whose first character other than white space is an opening square bracket.
    signs : bytes
        For each text with signs that are no part of a text, or that have several forms: its row times 2**16, plus the
        bits that stand for the signs, as int64.
    n_of_signs : tuple of int
        How many of these texts have each sign, by its bit, the lowest first.
    """

    characters: str = ""
    n_lone_spaces: int = 0
    n_spaced_stops: int = 0
    n_words: int = 0
    n_brackets: int = 0
    signs: bytes = b""
    n_of_signs: tuple[int, ...] = (0,) * N_SIGNS


# Where nltk may split sentences: a full stop, a space, a capital letter.
_BETWEEN_SENTENCES = re.compile("\\.[\"')\\]}]*\\s+[\"'(\\[\u201c\u2018\u00ab]*[A-Z\u00c0-\u00d6\u00d8-\u00de]")

# Of most calls for a few segments in English.
NOTHING = Contents(), Contents()


def text_contents(hypotheses: Texts, references: Texts, n_threads: int = 1) -> tuple[Contents, Contents] | None:
    r"""Return what the texts of two columns contain, None for `NOTHING`; the compiled kernel returns plain tuples.

    Examples
    --------
    >>> sides = text_contents(Texts(["the\tcat .", "caf\u00e9", "['a', 'b']"]), Texts(["the cat", "a dog"]))
    >>> sides[0][:6]
    ('\té', 1, 1, 1, 1, b'')
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


@cache
def _patterns() -> list[tuple[int, re.Pattern[str]]]:
    # On first use: beside the compiled kernel only the bits of this file are needed.
    return [(sign, re.compile(pattern)) for sign, pattern in _SIGNS]


def signs_of(text: str) -> int:
    """Return the bits that stand for the signs of a text.

    Examples
    --------
    >>> signs_of("the un@@ likely house</s>") == SUBWORD | SPECIAL, signs_of("the unlikely house")
    (True, 0)
    """
    return sum(sign for sign, pattern in _patterns() if pattern.search(text))


def _contents(written: list[str]) -> Contents:
    signs = [*map(signs_of, written)]
    return Contents(
        "".join(sorted({one for text in written for one in _UNUSUAL.findall(_HAN_OR_HANGUL.sub("\u4e00", text))})),
        sum(_LONE_SPACE.search(text) is not None for text in written),
        sum(text.endswith(" .") for text in written),
        sum(len(text.encode()) <= LONGEST_WORD and len(text.split()) == 1 for text in written),
        sum(text.lstrip().startswith("[") for text in written),
        array("q", [row << 16 | bits for row, bits in enumerate(signs) if bits]).tobytes(),
        tuple(sum(bits >> i & 1 for bits in signs) for i in range(N_SIGNS)),
    )
