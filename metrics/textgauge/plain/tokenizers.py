"""The definitions of the tokenizers: functions from one text to its tokens."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence

from . import ptb
from .characters import (
    INVISIBLE,
    LETTER,
    MARK,
    NUMBER,
    PICTOGRAPH,
    PUNCTUATION,
    SYMBOL,
    UNSPACED,
    class_of,
    is_of,
)  # fmt: skip

Tokenizer = Callable[[str], list[str]]
# Patterns and their replacements, applied in order; `re` compiles them on first use.
Rules = tuple[tuple[str, str], ...]
REPLACED_13A = (
    ("<skipped>", ""), ("-\n", ""), ("\n", " "),
    ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"),
)  # fmt: skip
# In the order of nltk's `NISTTokenizer`, which takes the ampersand last; "-" at the end of a line stays.
REPLACED_NIST = (
    ("<skipped>", ""), ("&gt;", ">"), ("&lt;", "<"), ("&apos;", "'"), ("&quot;", '"'),
    ("&#124;", "|"), ("&#91;", "["), ("&#93;", "]"), ("&amp;", "&"),
)  # fmt: skip
RULES_13A: Rules = (
    # The script's class includes the space, which has no effect.
    (r"([{-~\[-`!-&(-+:-@/])", r" \1 "),
    # A period or comma stays with the number around it.
    (r"([^0-9])([.,])", r"\1 \2 "),
    (r"([.,])([^0-9])", r" \1 \2"),
    (r"([0-9])(-)", r"\1 \2 "),
)
# The ranges of sacreBLEU's tokenizer_zh.py. Two of its bounds have five digits after a four-digit
# escape: the intended U+20000 to U+2A6D6 is read as U+2000, "0" to U+2A6D, "6", which is most
# punctuation and all arrows; no range has a character above U+FFFF.
_ZH = (
    "\u2001-\u2a6d\u2e80-\u2eff\u2f00-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31bf\u31c0-\u31ef\u3200-\u33ff"
    "\u3400-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef"
)
_ZH_CHARACTER = re.compile(f"([{_ZH}])")
_ALPHANUMERIC = re.compile("[a-z0-9]+")
_ASCII_WORD = re.compile("[^ \t\n\r\f\v]+")
_SPACES = re.compile(r"\s\s+")
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def lower_ascii(text: str) -> str:
    """Lower-case A to Z only."""
    return text.lower() if text.isascii() else text.translate(_LOWER)


def tokens_13a(text: str) -> list[str]:
    """Split as mteval-v13a does, in the version of the reference `bleu` module and sacreBLEU.

    References
    ----------
    mteval-v13a.pl, `NormalizeText`; sacreBLEU, `tokenizer_13a.py`.

    Examples
    --------
    >>> tokens_13a('It cost 1,000.5, &quot;or so&quot;, in 2001-02.')
    ['It', 'cost', '1,000.5', ',', '"', 'or', 'so', '"', ',', 'in', '2001', '-', '02', '.']
    """
    return _rewritten(f" {_without(REPLACED_13A, text)} ", RULES_13A).split()


def tokens_nist(text: str) -> list[str]:
    """Split by 13a's rules, as nltk's `NISTTokenizer` does: it knows more entities, and leaves newlines.

    Examples
    --------
    >>> tokens_nist("It&apos;s reported, &amp;lt;b&gt;.")
    ["It's", 'reported', ',', '&', 'lt', ';', 'b', '>', '.']
    """
    return _rewritten(f" {_without(REPLACED_NIST, text)} ", RULES_13A).split()


def tokens_nist_spaces(text: str) -> list[str]:
    """Split at white space, after the entities of `tokens_nist`: `NISTTokenizer` for languages that are not western.

    Examples
    --------
    >>> tokens_nist_spaces("It&apos;s reported, (so).")
    ["It's", 'reported,', '(so).']
    """
    return _without(REPLACED_NIST, text).split()


def tokens_zh(text: str) -> list[str]:
    """Split off single Chinese characters, and split the rest by 13a's rules, as sacreBLEU's `zh` does.

    Unlike in 13a, no space is put around the text: a number keeps a period at the end of the text.

    Examples
    --------
    >>> tokens_zh("\u6211\u7231BLEU, 2001.")
    ['\u6211', '\u7231', 'BLEU', ',', '2001.']
    """
    return _rewritten(_ZH_CHARACTER.sub(r" \1 ", text.strip()), RULES_13A).split()


def tokens_intl(text: str) -> list[str]:
    """Split by mteval-v14's international tokenization, in sacreBLEU's version.

    Punctuation is a token unless it is between numbers, or next to one at an end of the text;
    symbols are always tokens.

    References
    ----------
    mteval-v14.pl, `tokenization_international`; sacreBLEU, `tokenizer_intl.py`.

    Examples
    --------
    >>> tokens_intl("\u201cno\u201d, 5.5\u20ac in 2001.")
    ['\u201c', 'no', '\u201d', ',', '5.5', '\u20ac', 'in', '2001.']
    """
    return _rewritten(text, _rules_intl()).split()


@functools.cache
def _rules_intl() -> Rules:
    number, punctuation, symbol = _class(NUMBER), _class(PUNCTUATION), _class(SYMBOL, PICTOGRAPH)
    return (
        (f"([^{number}])([{punctuation}])", r"\1 \2 "),
        (f"([{punctuation}])([^{number}])", r" \1 \2"),
        (f"([{symbol}])", r" \1 "),
    )


def _without(replaced: Sequence[tuple[str, str]], text: str) -> str:
    for old, new in replaced:
        text = text.replace(old, new)
    return text


def _rewritten(text: str, rules: Rules) -> str:
    for pattern, replacement in rules:
        text = re.sub(pattern, replacement, text)
    return text


def tokens_rouge(text: str) -> list[str]:
    """Lower-case and keep runs of a-z and 0-9, as `rouge_score` does before stemming.

    Examples
    --------
    >>> tokens_rouge("The U.S. caf\u00e9, 2nd \u212aelvin")
    ['the', 'u', 's', 'caf', '2nd', 'kelvin']
    """
    return _ALPHANUMERIC.findall(text.lower())


def tokens_rouge155(text: str) -> list[str]:
    """Keep runs of A-Z, a-z and 0-9, lower-cased, as ROUGE-1.5.5.pl does: other bytes separate tokens.

    Examples
    --------
    >>> tokens_rouge155("The U.S. caf\u00e9, 2nd \u212aelvin")
    ['the', 'u', 's', 'caf', '2nd', 'elvin']
    """
    return _ALPHANUMERIC.findall(lower_ascii(text))


def tokens_whitespace(text: str) -> list[str]:
    """Split on Unicode white space."""
    return text.split()


def tokens_ascii_whitespace(text: str) -> list[str]:
    """Split on the six ASCII white-space characters, as Perl does on bytes (multi-bleu.perl)."""
    return _ASCII_WORD.findall(text)


def tokens_character(text: str) -> list[str]:
    """Return every code point that is not white space."""
    return list("".join(text.split()))


def tokens_every_character(text: str) -> list[str]:
    """Return every code point, white space too, but at the ends of the text: jiwer's `cer_default` from 4 on.

    Examples
    --------
    >>> tokens_every_character(" a  b")
    ['a', ' ', ' ', 'b']
    """
    return list(text.strip())


def tokens_character_jiwer3(text: str) -> list[str]:
    r"""Return every code point as jiwer's `cer_default` did up to 3: runs of white space are a space.

    Examples
    --------
    >>> tokens_character_jiwer3(" a \tb")
    ['a', ' ', 'b']
    """
    return list(_SPACES.sub(" ", text).strip())


def tokens_spaces(text: str) -> list[str]:
    r"""Split at spaces and at runs of two or more white-space characters of any kind: jiwer's `wer_default`.

    A tab, newline or no-break space that stands alone between two words does not separate them.

    Examples
    --------
    >>> tokens_spaces(" a b\tc \td ")
    ['a', 'b\tc', 'd']
    """
    return [word for word in _SPACES.sub(" ", text).strip().split(" ") if word]


def tokens_unicode(text: str) -> list[str]:
    """Return words of any script, case-folded, and emoji: words are runs of letters and numbers with their marks.

    A character of a script without spaces is a token. A mark, joiner or variation selector belongs to what stands
    before it, and is dropped with what is no word. Soft hyphens, signs of direction and the variation selectors 15
    and 16, which choose how an emoji looks, are in no token, and separate none. An emoji is a pictograph, or a symbol
    with the variation selector 16; a skin tone, what a zero-width joiner adds and the second letter of a flag are parts
    of it. Here A to Z are lower-cased; the caller case-folds what is outside ASCII.

    References
    ----------
    Unicode Standard Annex #29, the rules WB3c, WB4, WB15 and WB16.

    Examples
    --------
    >>> tokens_unicode("Caf\u00e9 no. 5 \u732b\u304c \u2764\ufe0f co\u00adop")
    ['caf\u00e9', 'no', '5', '\u732b', '\u304c', '\u2764', 'coop']
    """
    word, invisible = _unicode_word()
    return [invisible.sub("", token) for token in word.findall(lower_ascii(text))]


@functools.cache
def _unicode_word() -> tuple[re.Pattern[str], re.Pattern[str]]:
    unspaced = class_of(lambda bits: bool(bits & UNSPACED))
    spaced = class_of(lambda bits: (is_of(LETTER, bits) or is_of(NUMBER, bits)) and not bits & UNSPACED)
    extending, invisible = _class(MARK, INVISIBLE), _class(INVISIBLE)
    flag, skin_tone, joiner, emoji_sign = "\U0001f1e6-\U0001f1ff", "\U0001f3fb-\U0001f3ff", "\u200d", "\ufe0f"
    pictograph = f"(?:[{_class(PICTOGRAPH)}]|[{_class(PUNCTUATION, SYMBOL)}](?={emoji_sign}))"
    rest = f"[{extending}{skin_tone}]*"
    emoji = f"(?:[{flag}]{rest}[{flag}]|{pictograph}){rest}(?:(?<={joiner}){pictograph}{rest})*"
    words = f"[{unspaced}][{extending}]*|[{spaced}][{spaced}{extending}]*"
    return re.compile(f"{words}|{emoji}"), re.compile(f"[{invisible}]+")


def _class(*categories: int) -> str:
    """Return a class of the characters of some categories, without its brackets."""
    return class_of(lambda bits: any(is_of(category, bits) for category in categories))


TOKENIZERS: dict[str, Tokenizer] = {
    "13a": tokens_13a,
    "nist": tokens_nist,
    "nist-spaces": tokens_nist_spaces,
    "rouge": tokens_rouge,
    "rouge-1.5.5": tokens_rouge155,
    "whitespace": tokens_whitespace,
    "ascii-whitespace": tokens_ascii_whitespace,
    "character": tokens_character,
    "every-character": tokens_every_character,
    "character-jiwer-3": tokens_character_jiwer3,
    "spaces": tokens_spaces,
    "intl": tokens_intl,
    "zh": tokens_zh,
    "unicode": tokens_unicode,
    "ptb": ptb.tokens_ptb,
    "coco": ptb.tokens_coco,
}
# Tokenizers that never look across a newline: the tokens of a text are those of its lines.
LOCAL = ("rouge", "rouge-1.5.5", "whitespace", "ascii-whitespace", "character")
