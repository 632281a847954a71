"""Signs that are no part of a text, or that have several forms: how they are told, and what mends them."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from ..plain import contents as bits

# White space before a sign, looked for from its beginning alone: anywhere else it takes quadratic time.
_SPACE_BEFORE = r"(?:(?<!\s)\s+)?"
_SPECIAL = re.compile(
    rf"{_SPACE_BEFORE}(?:</?s>|<(?:pad|eos|bos|sep|cls|PAD|EOS|BOS|SEP|CLS)>|</?think(?:ing)?>|<(?:start|end)_of_turn>"
    r"|<end_of_utterance>|<extra_id_\d+>|<\uff5c[^<>]{1,40}\uff5c>|<\|[A-Za-z0-9_.]{1,39}\|>|<</?SYS>>"
    r"|\[(?:PAD|CLS|SEP|EOS|BOS|/?INST)\])\s*"
)
_AT_SIGNS, _HASHES = re.compile(r"(?<=\S)@@(?:\s|\Z)"), re.compile(r"\s##(?=\w)")
# Between two words: at an end of a text it is a face.
_BETWEEN_AT_SIGNS = re.compile(r"(?<=\S)\s+@([-,./:])@\s+(?=\S)")
_JOINERS = re.compile(rf"{_SPACE_BEFORE}\uffed\s*")
# The mark of byte-level tokens is a letter of Maltese, too: it begins words, or stands behind another capital. Tokens
# have none of the other letters, which stand for bytes that UTF-8 has not, or for none.
_PIECES = re.compile(r"\u2581(?=\w)|(?:(?<!\S)|(?<=[a-z\d.,;:!?\"')]))\u0120(?=\w)")
_MALTESE = re.compile("[\u0121\u017b\u017c]")
_INVISIBLE = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0001\U000e0100-\U000e01ef]"
)
_SPACES = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
# The character comes first: so it is searched for as a set.
_APOSTROPHES = re.compile("[\xb4\u02bb\u02bc\u2018\u2019\uff07`](?<=[^\\W\\d_].)(?=[^\\W\\d_])")
_LETTERS = str.maketrans(
    "\u015e\u015f\u0162\u0163\u0649\u064a\u0643\u06c1", "\u0218\u0219\u021a\u021b\u06cc\u06cc\u06a9\u0647", "\u0640"
)
_PRESENTED = re.compile("[\u0132\u0133\u01c4-\u01cc\u01f1-\u01f3\u2f00-\u2fd5\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc]+")
# Words of Latin and Cyrillic letters, and the Cyrillic ones that look like Latin ones.
_OF_TWO_SCRIPTS = re.compile(
    "(?<![A-Za-z\u0400-\u04ff])(?=[A-Za-z]*[\u0400-\u04ff])(?=[\u0400-\u04ff]*[A-Za-z])[A-Za-z\u0400-\u04ff]+"
)
_CYRILLIC = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u0410\u0412\u0415\u041a\u041c\u041d\u041e"
    "\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405\u0442\u043a\u043c\u043d",
    "aeopcyxijshdABEKMHOPCTYXIJStkmh",
)
_BACKSLASHES = str.maketrans({"\a": r"\a", "\b": r"\b", "\v": r"\v", "\f": r"\f", "\t": r"\t", "\r": r"\r"})
_LOST_AT_NEWLINE = re.compile(r"\n(?=abla|otin|eq(?![A-Za-z]))")
# Lines of Turkish and Finnish begin with "abla" and "otin", too, pages with a form feed, and columns with "fraction";
# these have no formula.
_OF_FORMULAS = re.compile(
    r"[\\$^_={}\a\b\v]|\f(?=rac|orall|lat|rown|box)|\r(?!\n)|\t(?=ext|imes|heta|frac(?![a-z])|ilde|riangle)"
    r"|\neq(?![A-Za-z])"
)
# Patterns that few calls need are compiled on first use.
# Escapes are those of JSON and Python; a backslash and an n also begin commands of LaTeX.
_ESCAPES = (
    r"(?:\\u[0-9A-Fa-f]{4})+|\\U000[0-9A-Fa-f]{5}|(?:\\x[0-9a-f]{2})+|\\[\"'/]|\\[rt](?![a-z])"
    r"|\\n(?!(?:u|abla|atural|e|earrow|eg|eq|ewcommand|ewline|ewpage|exists|geq?|gtr|i|leq?|less|mid|obreak|oindent|olimits"
    r"|onumber|orm|ormalsize|ot|otag|otin|parallel|prec|sim|subseteq|succ|supseteq|warrow)(?![A-Za-z]))"
)
# The characters of the bytes that follow the first one of a character of UTF-8, read as Windows-1252 or Latin-1.
_TRAILS = {byte: {chr(byte), bytes([byte]).decode("cp1252", "ignore") or chr(byte)} for byte in range(0x80, 0xC0)}
_BYTES_OF = {one: byte for byte, both in _TRAILS.items() for one in both}
_TRAIL = "[" + "".join(map(re.escape, _BYTES_OF)) + "]"
_MISREAD = f"[\xc2-\xdf]{_TRAIL}|[\xe0-\xef]{_TRAIL}{{2}}|[\xf0-\xf4]{_TRAIL}{{3}}"
_TAGS = r"</?[A-Za-z][A-Za-z0-9:._-]{0,39}(?:\s[^<>]{0,1000})?/?>"
# Words do not go on across these.
_BREAKS = r"(?i:</?(?:br|hr|p|div|li|ul|ol|tr|td|th|table|h[1-6])[\s/>])"


class Sign(NamedTuple):
    """A kind of sign.

    Attributes
    ----------
    bit : int
        That of `plain.contents`.
    text : str
        The warning behind the number of segments, with forms for one and several as `CountWarning` takes it.
    mend : callable
        Returns a text without the sign, or in its usual form.
    is_form : bool
        Whether it is another form of the same text: then it matters where the mended sides have more in common.
    is_of_words : bool
        Whether `mend` changes words between spaces one by one, whatever stands beside them.
    """

    bit: int
    text: str
    mend: Callable[[str], str]
    is_form: bool = False
    is_of_words: bool = False


def _joined(text: str) -> str:
    text = _JOINERS.sub("", _BETWEEN_AT_SIGNS.sub(r"\1", _HASHES.sub("", _AT_SIGNS.sub("", text))))
    if "<\uff5c" in text:
        # The names of special tokens have the same mark.
        return text
    # Of XML it ends an element that the text begins.
    if "</w>" in text and "<w" not in text:
        text = "".join(text.split()).replace("</w>", " ").strip()
    marks = "\u2581" if _MALTESE.search(text) else "\u0120\u2581"
    n_pieces = sum(mark in marks for mark in _PIECES.findall(text))
    # Of Maltese words without these letters few begin so.
    if n_pieces < 2 or 3 * n_pieces < len(text.split()):
        return text
    return re.sub(f"[{marks}]", " ", "".join(text.split())).strip()


def _with_usual_letters(text: str) -> str:
    text = _PRESENTED.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text).translate(_LETTERS)
    return _OF_TWO_SCRIPTS.sub(lambda word: word[0].translate(_CYRILLIC), text)


def _with_usual_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(one)) if one.isdecimal() else one for one in text)


def _unspelled(text: str) -> str:
    words = text.split()
    # Latin words may stand between Chinese characters.
    letters = [word for word in words if not word.isascii()] or words
    return "".join(words) if len(letters) > 3 and max(map(len, letters)) == 1 else text


def _with_backslashes(text: str) -> str:
    if not _OF_FORMULAS.search(text):
        return text
    return _LOST_AT_NEWLINE.sub(r"\\n", text).translate(_BACKSLASHES)


def _unescaped(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        run = found[0]
        if run[1] == "x":
            data = bytes.fromhex(run.replace("\\x", ""))
            try:
                return data.decode()
            except UnicodeDecodeError:
                return data.decode("latin-1")
        if run[1] in "uU":
            units = run.encode().decode("unicode_escape").encode("utf-16", "surrogatepass")
            return units.decode("utf-16", "replace")
        return {"n": "\n", "r": "\r", "t": "\t"}.get(run[1], run[1])

    return re.sub(_ESCAPES, one, text)


def _read_anew(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        run = found[0]
        return bytes(_BYTES_OF.get(character, ord(character)) for character in run).decode("utf-8", "ignore") or run

    return re.sub(_MISREAD, one, text)


def _untagged(text: str) -> str:
    text = re.sub(_TAGS, lambda tag: " " if re.match(_BREAKS, tag[0]) else "", text)
    return re.sub(" {2,}", " ", text).strip()


def _differ(what: str, advice: str) -> str:
    return f"[segment has|segments have] predictions and references that differ in {what}: {advice}"


SIGNS = (
    Sign(
        bits.SUBWORD,
        "[segment has|segments have] marks of subwords, such as '@@ ', '\u2581', '##' or '\u0120', which are scored "
        "as text: decode or join the tokens of both sides first.",
        _joined,
    ),
    Sign(
        bits.SPECIAL,
        "[segment has|segments have] special tokens of a model, such as '</s>', '<pad>', '<|im_end|>' or '<think>', "
        "which are scored as text: decode with `skip_special_tokens=True`, and cut reasoning off.",
        lambda text: _SPECIAL.sub(" ", text).strip(),
    ),
    Sign(
        bits.ENTITY,
        "[segment has|segments have] characters of HTML by name or number, such as '&amp;' or '&#39;', which are "
        "scored as text: pass `html.unescape(text)` for every text of both sides.",
        html.unescape,
    ),
    Sign(
        bits.LOST_BACKSLASH,
        r"[segment has|segments have] control characters in the place of a backslash and a letter, as in '\frac' "
        r"without an r before the quote: write LaTeX as r'\frac', or double the backslash.",
        _with_backslashes,
    ),
    Sign(
        bits.INVISIBLE,
        _differ(
            "invisible characters (such as U+200B, U+200D, U+00AD or marks of direction)",
            "remove them from both sides, or write them in both.",
        ),
        lambda text: _INVISIBLE.sub("", text), is_form=True, is_of_words=True,
    ),
    Sign(
        bits.SPACE,
        _differ("spaces (such as U+00A0 or U+202F, or an ordinary space)", 'pass `" ".join(text.split())` for both.'),
        lambda text: _SPACES.sub(" ", text), is_form=True, is_of_words=True,
    ),
    Sign(
        bits.LOOK_ALIKE,
        _differ(
            "letters that look alike (such as \u015f and \u0219, Arabic and Persian yeh and kaf, ligatures, or Latin "
            "and Cyrillic letters in one word)",
            "write both sides with the same ones.",
        ),
        _with_usual_letters, is_form=True, is_of_words=True,
    ),
    Sign(
        bits.DIGIT,
        _differ("digits (those of a script, or 0-9)", "write both sides with the same ones."),
        _with_usual_digits, is_form=True, is_of_words=True,
    ),
    Sign(
        bits.BORDER,
        "[segment has|segments have] a prediction and a reference that are equal but for white space at the ends: "
        "pass `text.strip()` for every text of both sides.",
        str.strip, is_form=True,
    ),
    Sign(
        bits.SPELLED,
        "[segment has|segments have] white space between all characters on one side alone: join the characters, "
        'as in `"".join(text.split())`, or split both sides.',
        _unspelled, is_form=True,
    ),
    Sign(
        bits.ESCAPE,
        r"[segment has|segments have] escapes on one side, such as '\u00e9' or '\n' for a letter or a new line, which "
        "are scored as text: decode JSON once more, as by `json.loads`, or write the characters.",
        _unescaped,
    ),
    Sign(
        bits.MOJIBAKE,
        "[segment has|segments have] characters of UTF-8 that were read as Latin-1 or Windows-1252, such as '\xc3\xa9' "
        "for '\xe9', which are scored as text: read files with `encoding=\"utf-8\"`.",
        _read_anew,
    ),
    Sign(
        bits.TAG,
        "[segment has|segments have] tags of HTML or XML, such as '<br/>', '</b>' or '</answer>', which are scored as "
        "text: remove them from both sides, or pass the text between them alone, unless markup is what you score.",
        _untagged,
    ),
)  # fmt: skip
# The other apostrophes beside the straight one; of all forms of letters one warning names the ways.
APOSTROPHES = Sign(bits.APOSTROPHE, "", lambda text: _APOSTROPHES.sub("'", text), is_form=True, is_of_words=True)
