"""Penn Treebank tokens as the evaluation of MS COCO's captions takes them.

`pycocoevalcap` runs `PTBTokenizer -preserveLines -lowerCase` of CoreNLP 3.4.1. That program is a lexer: at each
place the rule with the longest match wins, of equal ones the first, and what stands behind a token counts towards
the match. So is this one. The rules here describe its behaviour; they were found by asking the program, and have
none of its text. Two deliberate differences: a text never sees the text behind it, and line breaks of every kind in
a text are spaces.

References
----------
Xinlei Chen, Hao Fang, Tsung-Yi Lin, Ramakrishna Vedantam, Saurabh Gupta, Piotr Dollár and C. Lawrence Zitnick,
"Microsoft COCO Captions: Data Collection and Evaluation Server" (2015), section 4.1.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .ptb_characters import DIGITS, LETTERS, MARKS, SYMBOLS

# What pycocoevalcap drops. It lower-cases before, so that brackets, now -lrb-, are never found.
PUNCTUATION = (
    "''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";",
)  # fmt: skip
# Line breaks become spaces; the two at the end are what the rules see behind a text.
BREAKS = "\n\r\v\f\u2028\u2029"
END = "\n\n"


class Rule(NamedTuple):
    """A token and what must stand behind it.

    Attributes
    ----------
    pattern : str
        A regular expression for both, of characters, classes, groups, alternatives and repeats alone.
    head : int
        If above 0, the token is only these first characters.
    tail : int
        How many characters at the end stand behind the token.
    ends_at_space : bool
        The token ends before the first white space.
    again : int
        How many characters at the end of the token are read once more: a full stop that ends a sentence as well.
    makes : str or None
        What the token becomes; "" is none. None: itself, changed by `changes`.
    changes : tuple of (str, str)
        What is replaced within the token. Nothing left makes "-".
    """

    pattern: str
    head: int = 0
    tail: int = 0
    ends_at_space: bool = False
    again: int = 0
    makes: str | None = None
    changes: tuple[tuple[str, str], ...] = ()


class Lexer:
    """Rules that cut texts, and what becomes of the tokens; immutable.

    At each token every expression is tried, so that the time may grow with the square of a run without a space or of a
    tag without an end: 1 s for 4,000 times "a,". That of the compiled lexer is linear.

    Parameters
    ----------
    rules : sequence of Rule
    lowered : mapping of str to str
        Single characters outside ASCII and their lower case.
    dropped : sequence of str
        Tokens that the tokenizer "coco" leaves out.
    """

    def __init__(self, rules: Sequence[Rule], lowered: Mapping[str, str], dropped: Sequence[str]) -> None:
        self._rules = [(re.compile(rule.pattern), rule) for rule in map(Rule._make, rules)]
        self._lowered = {ord(upper): lower for upper, lower in lowered.items()}
        self.dropped = frozenset(dropped)

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of one text."""
        return [token for token, _ in self.placed(text)]

    def placed(self, text: str) -> list[tuple[str, tuple[int, int]]]:
        """Return the tokens of one text, each with the characters that it was made of: ``text[start:end]``.

        A full stop that ends a sentence as well belongs to two tokens.
        """
        text = text.translate(dict.fromkeys(map(ord, BREAKS), " "))
        tokens: list[tuple[str, tuple[int, int]]] = []
        whole, at = text + END, 0
        while at < len(text):
            matches = [(found.end(), rule) for pattern, rule in self._rules if (found := pattern.match(whole, at))]
            if not matches:
                at += 1  # a character that the program does not know
                continue
            end, rule = max(matches, key=lambda match: match[0])
            token = whole[at : at + rule.head] if rule.head else whole[at : end - rule.tail]
            if rule.ends_at_space:
                token = token[: _SPACE.search(token).start()]  # type: ignore[union-attr]
            if rule.makes != "":
                tokens.append((self._lower(_changed(token, rule)), (at, at + len(token))))
            at += len(token) - rule.again
        return tokens

    def _lower(self, token: str) -> str:
        # Sigma has another form at the end of a word.
        return _FINAL_SIGMA.sub("\u03c2", token.translate(_ASCII_LOWERED)).translate(self._lowered)


def _changed(token: str, rule: Rule) -> str:
    if rule.makes is not None:
        return rule.makes
    for old, new in rule.changes:
        token = token.replace(old, new)
    return token or "-"


def tokens_ptb(text: str) -> list[str]:
    r"""Return Penn Treebank tokens in lower case, as CoreNLP's `PTBTokenizer -lowerCase` does.

    Examples
    --------
    >>> tokens_ptb('They don\'t: "a 5.5% rise (U.S.)"...')
    ['they', 'do', "n't", ':', '``', 'a', '5.5', '%', 'rise', '-lrb-', 'u.s.', '-rrb-', "''", '...']
    """
    return lexer().tokens(text)


def tokens_coco(text: str) -> list[str]:
    """Return Penn Treebank tokens without pycocoevalcap's list of punctuation.

    Examples
    --------
    >>> tokens_coco("A man (in red) isn't there, is he?!")
    ['a', 'man', '-lrb-', 'in', 'red', '-rrb-', 'is', "n't", 'there', 'is', 'he', '?!']
    """
    return [token for token in lexer().tokens(text) if token not in lexer().dropped]


@functools.cache
def lexer() -> Lexer:
    """Return the lexer of both tokenizers, in plain Python."""
    return Lexer(rules(), lowered_characters(), PUNCTUATION)


def lowered_characters() -> dict[str, str]:
    """Return the characters of the basic plane outside ASCII that have a lower case, with it."""
    wide = map(chr, range(0x80, 0x10000))
    return {character: lower for character in wide if (lower := character.lower()) != character}


def _either(words: str, form: str = "any", apostrophe: str | None = None) -> str:
    """Return a group of words in any case, or with a capital first letter ("Title")."""
    mark = apostrophe or _APOSTROPHE

    def letters(word: str) -> str:
        return "".join(f"[{c.upper()}{c}]" if c.isalnum() else mark if c == "'" else f"\\{c}" for c in word)

    listed = sorted(words.split(), key=lambda word: (-len(word), word))
    forms = (letters(word) if form == "any" else word[0].upper() + letters(word[1:]) for word in listed)
    return f"(?:{'|'.join(forms)})"


_APOSTROPHE_MARK, _APOS = "['\u2019\x92]", "&[aA][pP][oO][sS];"
_APOSTROPHE = f"(?:{_APOSTROPHE_MARK}|{_APOS})"
_SPACES = " \t\n\r\v\f\x85\xa0\u2000-\u200a\u3000"
_SPACE = re.compile(f"[{_SPACES}]")
_ASCII_LOWERED = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_BESIDE_SIGMA = "[A-Za-z\xaa-\u1fff\u2c00-\uffff]"
_FINAL_SIGMA = re.compile(f"(?<={_BESIDE_SIGMA})\u03a3(?!{_BESIDE_SIGMA})")

# Abbreviations whose full stop ends a sentence too, if a capital or the end of the text follows.
_ENDING = (
    "al ala apr ariz assn aug bhd bldg blvd bros calif co colo conn corp cos ct dak dec esq est etc ext feb fla fri ga "
    "inc ind intl jan jr jul jun kan kans ky ltd mar md mich minn mo mon mont neb nev nov oct okla penn ph.d plc rd rt "
    "sep sept seq sq sr sys tel tenn thu thurs tue tues univ va vt wed wis wisc wyo"
)
# The same, but only with a capital: they are words as well.
_ENDING_CAPITAL = "ark az del ill la mass miss ore pa tex wash"
# Abbreviations before names, whose full stop never ends a sentence.
_TITLES = (
    "adj adm adv alex asst atty ave brig capt cf cie cmdr col cpl dept det dr drs elec ens ft gen gov govs hon insp "
    "invt jos lt maj mlle mme mr mrs ms msgr mt natl pfc ph pres prof pvt rep reps rev sen sens sfc sgt spc st ste "
    "supt vs wm"
)
# Abbreviations only before a number.
_BEFORE_NUMBERS = "art ca fig figs no nos op pp prop"
# What the names of files end with.
_FILES = (
    "bat bmp c class cgi cpp dll doc docx exe gif gz h htm html java jpeg jpg mov mp3 pdf php pl png ppt ps py sql "
    "tar txt wav x xml zip"
)
# With these a sentence begins behind initials.
_BEGINNINGS = (
    "a about according additionally after an as at but earlier he her here however if in it last many more now once "
    "one other our she since so some such that the their then there these they this we what when while yet you"
)


@functools.cache
def rules() -> tuple[Rule, ...]:
    """Return all rules in their order."""
    letter, digit = f"[{LETTERS}]", f"[{DIGITS}]"
    alphanumeric = f"[{LETTERS}{DIGITS}]"
    capital = f"[{_capitals()}]"
    space = f"[{_SPACES}]"
    # Apostrophes within a word.
    inner_mark = "['\u2019`\u2018\u201b\x92\x91]"
    inner = f"(?:{inner_mark}|{_APOS})"
    short_ending, long_ending = "[msdMSD]", "(?:[rR][eE]|[vV][eE]|[lL][lL])"
    entity = f"&[aeiouAEIOU]{_either('acute grave uml')};"
    word = f"(?:(?:[{LETTERS}{MARKS}\xad]|{entity})(?:[{LETTERS}{MARKS}{DIGITS}\xad]|{entity})*)"
    thing = f"(?:(?:[dDoOlL]{inner}{alphanumeric})?{alphanumeric}+)"
    # The name of a file that has a digit; others are words.
    piece = f"(?:{alphanumeric}|{entity})"
    numbered = f"(?:{piece}+\\.)*{piece}*{digit}{piece}*(?:\\.{piece}+)*"
    initials = r"(?:[A-Za-z](?:\.[A-Za-z])+)"
    ending = f"(?:{_either(_ENDING)}|{_either(_ENDING_CAPITAL, 'Title')}|[Pp]pt[ey]|[Pp]t[ey]s?)"
    title = f"(?:{_either(_TITLES)}|[Mm]f[gG]|[Mm]t[gG])"
    name = r"[A-Za-z][A-Za-z0-9_:.\-]*"
    tag = (
        f"(?:<{name}(?: +{name}(?: *= *(?:\"[^\"]*\"|'[^']*'))?)* */? *>|</{name} *>"
        r"|<[!?][A-Za-z\-][^>]*>)"
    )
    beginning = f"(?:{_either(_BEGINNINGS, 'Title')}|M[rRsS]\\.|{tag})"
    things = f"{thing}(?:[\\-_\u2010\u2011\u058a]{thing})*"
    joined = f"[A-Za-z0-9][A-Za-z0-9.,\xad]*(?:-(?:{initials}\\.|[A-Za-z0-9\xad]+))+"
    part = "[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}"
    dash, no_break = "[- \xa0]", "[ \xa0]"
    not_path = ' \t\n\r\v\f"<>|()'
    not_url = not_path + "{}"
    last_of_url = f"[^{not_url}.!?,\\-]"
    path = f"(?:/[^{not_path}]+{last_of_url})?"
    eye = r"[\-\^x=~<>']"
    soft = (("\xad", ""),)
    straight = (*((mark, "'") for mark in ("\u2019", "\x92", "&apos;")), *((mark, "`") for mark in "\u2018\u201b\x91"))
    spaces = ((" ", "\xa0"),)
    brackets = (("(", "-LRB-"), (")", "-RRB-"))
    opening, closing = "`\u2018\u201b\u2039\x91", "\u2019\u203a\x92"
    double_opening, double_closing = "\u201c\xab\x93", "\u201d\xbb\x94"
    quotes = tuple(
        (mark, makes)
        for marks, makes in ((opening, "`"), (closing, "'"), (double_opening, "``"), (double_closing, "''"))
        for mark in marks
        if mark != makes
    )
    ampersands = tuple((f"&{a}{m}{p};", "&") for a in "aA" for m in "mM" for p in "pP")
    return (
        # Contractions: the word before, then its ending.
        Rule(f"{word}{_APOSTROPHE_MARK}{short_ending}", tail=2, changes=soft),
        Rule(f"{word}{_APOS}{short_ending}", tail=7, changes=soft),
        Rule(f"{word}{_APOSTROPHE_MARK}{long_ending}", tail=3, changes=soft),
        Rule(f"{word}{_APOS}{long_ending}", tail=8, changes=soft),
        Rule(_either("cannot gonna gotta lemme gimme wanna"), head=3),
        Rule(f"'[tT]{_either('is was')}", head=2),
        Rule(f"[A-Za-z\xad]*[A-MO-Za-mo-z]\xad*[nN]{inner_mark}[tT]", tail=3, changes=soft),
        Rule(f"[A-Za-z\xad]*[A-MO-Za-mo-z]\xad*[nN]{_APOS}[tT]", tail=8, changes=soft),
        Rule(f"[nN]{inner}[tT]", changes=straight),
        Rule(f"{_APOSTROPHE}(?:{short_ending}|{long_ending})[^A-Za-z]", tail=1, changes=straight),
        # Words, and what hyphens and apostrophes make of them.
        Rule(word, changes=soft),
        Rule(things),
        Rule(f"[yY]{_APOSTROPHE}{letter}", tail=1),
        Rule(f"[A-HJ-XZn]{inner}{letter}{{2,}}|{letter}+[aeiouyAEIOUY]{inner}[aeiouA-Z]{letter}*"),
        Rule("[sS]'[mM][oO][rR][eE][sS]"),
        Rule(_either("cap'n c'est d'ye")),
        Rule(_either("c'mon ev'ry li'l nat'l nor'easter e'er", apostrophe="'")),
        Rule(f"{_either('d j l ol dunkin somethin')}{_APOSTROPHE}"),
        Rule(f"{_APOSTROPHE}(?:[nN]{_APOSTROPHE}?|{_either('em til till cause')}|[2-9]0[sS])"),
        Rule(f"{_APOSTROPHE}[0-9][0-9]{space}", tail=1),
        # Abbreviations that may end a sentence; before words with full stops, which may begin with one.
        Rule(f"{ending}\\.(?:{space}+(?:{capital}|{tag})|{space}{space})", ends_at_space=True, again=1),
        Rule(f"{ending}\\.[^\n]", tail=1),
        Rule(f"{word}(?:[.!?]{word})+", changes=soft),
        Rule("[A-Z]+(?:(?:[&+]|&[aA][mM][pP];)[A-Z]+)+", changes=ampersands),
        Rule("[sS](?:&|&[aA][mM][pP];)[pP]-500", changes=ampersands),
        Rule(rf"{part}(?:\\?/{part}){{1,2}}"),
        Rule(joined, changes=soft),
        # Numbers, dates, fractions, telephone numbers.
        Rule(f"[\\-+]?(?:{digit}*(?:[.,:\xad\u066b\u066c]{digit}+)+|{digit}+)", changes=soft),
        Rule(f"{digit}{{1,2}}[\\-/]{digit}{{1,2}}[\\-/]{digit}{{2,4}}"),
        Rule(rf"(?:{digit}{{1,4}}{dash})?{digit}{{1,4}}(?:\\?/|⁄){digit}{{1,4}}", changes=spaces),
        Rule(
            rf"\+{{0,2}}(?:{digit}{{2,4}}{dash})?{digit}{{2,4}}{dash}{digit}{{3,4}}{dash}?{digit}{{3,5}}",
            changes=spaces,
        ),
        Rule(rf"\({digit}{{2,3}}\){no_break}?{digit}{{3,4}}{dash}?{digit}{{3,5}}", changes=brackets + spaces),
        Rule("-[LlRr][RrCcSs][Bb]-"),
        *(Rule(sign, makes=text) for sign, text in zip("½¼¾⅓⅔", ["1/2", "1/4", "3/4", "1/3", "2/3"], strict=True)),
        # Other abbreviations.
        Rule(f"{initials}\\.{space}+{beginning}{space}", ends_at_space=True, again=1),
        Rule(rf"{initials}\.?"),
        Rule(f"[A-Za-z]\\.{space}+{beginning}{space}", head=1),
        Rule(r"[A-Za-z]\."),
        Rule(rf"{title}\."),
        Rule(rf"{_either(_BEFORE_NUMBERS)}\.{digit}", tail=1),
        Rule(rf"{_either(_BEFORE_NUMBERS)}\.{space}{digit}", tail=2),
        Rule(rf"(?:{word}(?:[.!?]{word})*|{things}|{joined})\.[,;:]", tail=1, changes=soft),
        Rule(f"{numbered}\\.(?:{_either(_FILES)}|[jJ][aA][rR])[{_SPACES}!,.?]", tail=1),
        # Addresses, names, tags of markup.
        Rule(f"[hH][tT][tT][pP][sS]?://[^{not_url}]+{last_of_url}"),
        Rule(rf"[wW][wW][wW]\.(?:[^{not_url}.!?,]+\.)+[A-Za-z]{{2,4}}{path}"),
        Rule(f"(?:[^ \t\n\r\v\f!\"$'(),-_`{{|}}]+\\.)+{_either('com net org edu')}{path}"),
        Rule(
            f"(?:<|&[lL][tT];)?[A-Za-z0-9][^{not_url}\xa0]*@(?:[^{not_url}\xa0.]+\\.)*[^{not_url}\xa0.]+(?:>|&[gG][tT];)?"
        ),
        Rule("@[A-Za-z_][A-Za-z_0-9]*"),
        Rule(f"#(?:[{LETTERS}{MARKS}\xad]|{entity})+"),
        Rule(tag, changes=spaces),
        # Entities of HTML.
        Rule("&[aA][mM][pP];", makes="&"),
        Rule("&[lL][tT];", makes="<"),
        Rule("&[gG][tT];", makes=">"),
        Rule(_APOS, changes=straight),
        Rule("&[nN][bB][sS][pP];", makes=""),
        Rule(f"&{_either('mdash ndash')};", makes="--"),
        Rule("&#[0-9]+;"),
        # Punctuation.
        Rule(f"\\.{{3,5}}|[\u2026\x85]|\\.(?:{no_break}\\.){{2,4}}", makes="..."),
        Rule("-{5,}"),
        Rule(f"{_either('anti pro')}-"),
        Rule("-{2,4}|[\x96\x97\u2013\u2014\u2015]", makes="--"),
        Rule(r"[?!]+|\*+|(?:\\\*)+|#+|@+|_+|[cC]\+\+|[cCfF]#|<<|>>"),
        Rule('(?:"|&quot;)[A-Za-z0-9$]', tail=1, makes="``"),
        Rule('"|&quot;', makes="''"),
        Rule(f"[{opening}{closing}{double_opening}{double_closing}\u201a\u201e\u201f]{{1,2}}", changes=quotes),
        Rule("''", makes="''"),
        Rule("'[A-Za-z][^ \t\n\r\xa0]", head=1, makes="`"),
        Rule(f"{_APOSTROPHE}(?:{short_ending}|{long_ending})", changes=straight),
        *(
            Rule(f"\\{sign}", makes=text)
            for sign, text in zip("'()[]{}", ["'", "-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"], strict=True)
        ),
        Rule(r"[A-Z]*\$"),
        Rule("[\x80\xa4\u20a0\u20ac]", makes="$"),
        Rule("\xa3", makes="#"),
        Rule("\xa2", makes="cents"),
        # Smileys.
        Rule(r"[<>]?[:;=][\-o*']?[()DPpdO\\|@\[\]{][^A-Za-z0-9]", tail=1, changes=brackets),
        Rule(rf"{eye}_{eye}|\({eye}[_.]?{eye}\)|\([\^x=~<>']-[\^x=~<>']\)", changes=brackets),
        Rule("[\xb2\xb3\xb9\u2070\u2074-\u2079\u2080-\u2089]+"),
        Rule(f"[{SYMBOLS}.,:&+/<=>\\^|~\\-]"),
        Rule("[ \t\n\r\v\f\xa0\u2000-\u200a\u3000]+", makes=""),
    )


def _capitals() -> str:
    """Return the capital letters, with circled ones and Roman numerals, which it takes for such."""
    is_letter = re.compile(f"[{LETTERS}]").match
    capitals = [chr(code) for code in range(0x10000) if chr(code).isupper() and is_letter(chr(code))]
    # The letters of Cherokee became capitals later.
    return "".join(c for c in capitals if not "\u13a0" <= c <= "\u13f5") + "\u24b6-\u24cf\u2160-\u216f"
