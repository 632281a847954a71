"""Tokenizers: both kernels against the official tools, and against each other on hostile text."""

import gzip
import json
import re
import sys
import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from oracles.bleu_tools import moses_tokens
from oracles.nist import NISTTokenizer
from quick import covering, examples
from rouge_score.tokenize import tokenize
from sacrebleu.metrics.bleu import _get_tokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from strategies import is_assigned
from textgauge import plain

from kernel.material import few, many, table_for, text

PACKAGE = Path(textgauge.__file__).parent
EVERY = range(sys.maxunicode + 1)
# All of the scripts with letters of many kinds, and some of every page of 256 of the rest; in the quick run, fewer.
IS_QUICK = settings.default.max_examples < 100
STEPS = (1, 7, 99, 4999) if IS_QUICK else (1, 1, 5, 499)


def characters(codes):
    return [chr(code) for code in codes if not 0xD800 <= code <= 0xDFFF]


SOME = [
    character
    for (start, stop), step in zip(pairwise([0, 0x300, 0x3400, 0x20000, len(EVERY)]), STEPS, strict=True)
    for character in characters(EVERY[start:stop:step])
]


def of_sacrebleu(name):
    tokenizer = _get_tokenizer(name)()
    return lambda line: tokenizer(line).split()


def of_perl(line):
    """ROUGE-1.5.5.pl sees bytes, of which it keeps letters and digits."""
    lowered = re.sub(rb"[A-Z]", lambda found: found[0].lower(), line.encode())
    return [word.decode() for word in re.sub(rb"[^a-z0-9]", b" ", lowered).split()]


def of_jiwer(*names):
    def tokens(line):
        jiwer = pytest.importorskip("jiwer", reason="jiwer is not installed: pip install textgauge[peers]")
        return jiwer.Compose([getattr(jiwer, name)() for name in names])(line)[0]

    return tokens


OFFICIAL = {
    **{name: of_sacrebleu(name) for name in ("13a", "intl", "zh", "char")},
    "whitespace": str.split,
    "rouge": lambda line: tokenize(line, None),
    "rouge+porter": lambda line: tokenize(line, PorterStemmer()),
    "rouge-1.5.5": of_perl,
    "ascii-whitespace": moses_tokens,
    # Its `wer_default`, its `cer_default`, and what that was up to 3.
    "spaces": of_jiwer("RemoveMultipleSpaces", "Strip", "ReduceToListOfListOfWords"),
    "every-character": of_jiwer("Strip", "ReduceToListOfListOfChars"),
    "character-jiwer-3": of_jiwer("RemoveMultipleSpaces", "Strip", "ReduceToListOfListOfChars"),
    "nist": NISTTokenizer().tokenize,
    "nist-spaces": lambda line: NISTTokenizer().tokenize(line, western_lang=False),
}
NAMES = [
    "13a", "nist", "nist-spaces", "rouge", "rouge-1.5.5", "whitespace", "ascii-whitespace", "character", "intl", "zh",
    "unicode",
    "spaces", "every-character", "character-jiwer-3",
]  # fmt: skip


def cutter(kernel, name, texts, **options):
    """Make a cutter that knows the characters of some texts."""
    return kernel.Cutter(name, characters=table_for(texts), **options)


@pytest.mark.parametrize("name", OFFICIAL)
@few
@given(text)
def test_tokens_are_those_of_the_tool(kernel, name, text):
    if name == "intl" and not is_assigned([text]):
        return
    ours, stemmer = {"char": ("character", ""), "rouge+porter": ("rouge", "porter")}.get(name, (name, ""))
    assert cutter(kernel, ours, [text], stemmer=stemmer)(text) == OFFICIAL[name](text)


MARKUP = [
    "an exam-\nple", "an exam- \nple", "exam-\n", "-\n5", "5-\n5", "a\nb", "\n", "a <skipped>b",
    "<SKIPPED>", "<skipped",
    "&quot;a&quot;", "&amp;", "&amp;lt;b&gt;", "&lt;&gt;", "&apos;s", "&#124;&#91;&#93;", "&quot", "a&b;", "-&quot;\n-",
    "It's 1,000.5 (so): 5-4 a-b .5 5. a.b $5% {x}~",
]  # fmt: skip


@pytest.mark.parametrize("name", ["13a", "nist", "nist-spaces", "intl", "zh"])
def test_markup_is_that_of_the_tool(kernel, name):
    assert [cutter(kernel, name, [line])(line) for line in MARKUP] == [OFFICIAL[name](line) for line in MARKUP]


@few
@given(st.lists(st.tuples(st.integers(0, 130), st.integers(1, 66)), max_size=6), st.integers(0, 66))
def test_runs_begin_and_end_anywhere_in_a_block(kernel, pieces, n_spaces):
    text = " " * n_spaces + "".join("aB3"[i % 3] * n + " -"[i % 2] * gap for i, (n, gap) in enumerate(pieces))
    for line in (text, text.rstrip(" -"), text[:64], text[:128]):
        words = re.findall("[a-z0-9]+", line.lower())
        assert cutter(kernel, "rouge", [line])(line) == words
        assert cutter(kernel, "answers", [line])(line.replace("-", " ")) == words


@pytest.mark.parametrize(("name", "pattern"), covering(["intl", "zh"], ["a{}b", "{}.5", "{}", "1{}1"]))
def test_every_character_is_cut_as_sacrebleu_does(kernel, name, pattern):
    lines = [pattern.format(c) for c in SOME if unicodedata.category(c) not in ("Cn", "Co")]
    cut = cutter(kernel, name, lines)
    assert [cut(line) for line in lines] == [OFFICIAL[name](line) for line in lines]


def test_every_chinese_character_is_a_token(kernel):
    """Of all of two bytes in UTF-16, so that no end of a range is a place further."""
    others = [c for c in characters(range(0x80, 0x10000)) if not c.isspace()]
    if kernel is plain:
        others = others[:: 1 if examples(100) == 100 else 5]
    cut = cutter(kernel, "zh", [])
    expected = [["a", c, "b"] if TokenizerZh._is_chinese_char(c) else [f"a{c}b"] for c in others]
    assert [cut(f"a{c}b") for c in others] == expected
    ends = [c for i, c in enumerate(others[1:]) if len(expected[i]) != len(expected[i + 1])]
    assert [OFFICIAL["zh"](f"a{c}b") for c in ends] == [cut(f"a{c}b") for c in ends]


@cache
def spaces():
    return [chr(code) for code in EVERY if chr(code).isspace()]


@pytest.mark.parametrize(
    ("name", "side"), covering(["13a", "intl", "zh", "char", "whitespace", "ascii-whitespace"], [-1, 0, 1])
)
def test_every_white_space_and_its_neighbours_are_cut_as_the_tool_does(kernel, name, side):
    assert "\u1680" in spaces()
    lines = [f"a{c}b" for c in (chr(max(0, ord(space) + side)) for space in spaces()) if is_assigned([c])]
    cut = cutter(kernel, {"char": "character"}.get(name, name), lines)
    assert [cut(line) for line in lines] == [OFFICIAL[name](line) for line in lines]


# Signs that are in no token of "unicode", and others that belong to what stands before them (UAX #29, WB4).
INVISIBLE = "\u00ad\u061c\u200e\u200f\u202b\u2060\u2066\ufeff\ufe0e\ufe0f"
# Signs that stand for Chinese characters and kana, some of which are numbers.
AMONG_UNSPACED = {
    *"\u3005\u3006\u3007\u303b\u3192\u3193\u3194\u3195\u3038\u3039\u303a\U0001d372\U0001d373\U0001d374\U0001d375\U0001d376",
    *map(chr, range(0x3021, 0x302A)), *map(chr, range(0x3031, 0x3036)),
}  # fmt: skip
EXTENDING = "\u0301\u200c\u200d\u180e\uff9e\ufe01\U000e0067"
PICTURES = "\u2764\u2600\u2728\u23f0\u2b50\U0001f600\U0001f468\U0001f3fd\U0001f1e9\U0001f1ea"


def naive_unicode_tokens(text):
    """Words and emoji, character by character."""
    tokens, before, is_joined, is_half_flag = [], "", False, False
    for i, character in enumerate(text):
        kind = unicodedata.category(character)[0]
        if (
            character in INVISIBLE
            or character in EXTENDING
            or kind == "M"
            or (before == "E" and "🏻" <= character <= "🏿")
        ):
            if before and character not in INVISIBLE:
                tokens[-1] += character
            is_joined = character == "\u200d"
            continue
        is_of_flag = "\U0001f1e6" <= character <= "\U0001f1ff"
        if kind == "L":
            is_unspaced = unicodedata.name(character, "").startswith(plain.characters.UNSPACED_SCRIPTS)
            kind = "A" if is_unspaced or character in AMONG_UNSPACED else "L"
        elif kind == "N":
            kind = "A" if character in AMONG_UNSPACED else "L"
        elif kind in "PS" and (character in PICTURES or is_of_flag or text[i + 1 : i + 2] == "\ufe0f"):
            kind = "E"
        else:
            kind = ""
        joins = kind == before and (kind == "L" or (kind == "E" and (is_joined or (is_of_flag and is_half_flag))))
        if joins:
            tokens[-1] += character
        elif kind:
            tokens.append(character)
        before, is_joined, is_half_flag = kind, False, is_of_flag and not joins
    return tokens


@many
@given(
    st.text(
        st.sampled_from(
            "aB1 .#\u00b0\u05e9\u732b\u0e01\u0d9a\u3005\u3007\u3021\u3031\u1a23" + INVISIBLE + EXTENDING + PICTURES
        ),
        max_size=12,
    )
)
def test_words_of_any_script(kernel, text):
    folded = text.casefold()
    assert cutter(kernel, "unicode", [folded])(folded) == naive_unicode_tokens(folded)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # Joiners are spelling, soft hyphens and signs of direction are not; U+200B separates words.
        ("\u0dc1\u0dca\u200d\u0dbb\u0dd3", ["\u0dc1\u0dca\u200d\u0dbb\u0dd3"]),
        ("\u0645\u06cc\u200c\u0631\u0648\u062f", ["\u0645\u06cc\u200c\u0631\u0648\u062f"]),
        ("co\u00adop \u200f\u05e9\u05dc\u200f \ufeffa\u2060b a\u200bb", ["coop", "\u05e9\u05dc", "ab", "a", "b"]),
        # What stands on no letter is no word.
        ("\u0301a .\u0301 \u200d \ufe0f \u00ad", ["a"]),
        ("\uff76\uff9e\u30ab\u3099 \u0e01\u0e47", ["\uff76\uff9e", "\u30ab\u3099", "\u0e01\u0e47"]),
        # An emoji is the same in both of its looks; symbols are no words.
        ("\u2764\ufe0f\u2764\ufe0e\u2764 \u2600\ufe0f", ["\u2764", "\u2764", "\u2764", "\u2600"]),
        ("\u25b6\ufe0f \u25b6 #\ufe0f\u20e3 # 1\ufe0f\u20e3 5\u00b0 \u00a9", ["\u25b6", "#\u20e3", "1\u20e3", "5"]),
        ("\U0001f468\U0001f3fd\u200d\U0001f4bb\U0001f44d", ["\U0001f468\U0001f3fd\u200d\U0001f4bb", "\U0001f44d"]),
        ("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", ["\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7"]),
    ],
)  # fmt: skip
def test_what_belongs_to_a_word_or_emoji(kernel, text, tokens):
    folded = text.casefold()
    assert cutter(kernel, "unicode", [folded])(folded) == tokens


def test_no_word_is_torn_where_unicode_extends_a_character():
    """The table is that of Word_Break, in the Unicode of `regex`."""
    regex = pytest.importorskip("regex")
    extends = regex.compile(r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]")
    found = [c for c in (SOME if IS_QUICK else characters(EVERY)) if extends.match(c) and is_assigned([c])]
    assert {c for c in found if len(plain.Cutter("unicode")(f"a{c}b")) > 1} <= {
        chr(code) for code in range(0x1F3FB, 0x1F400)
    }


@pytest.mark.parametrize(("name", "pattern"), covering(NAMES, ["{}", "1{}1", "a{}b{}", "{}.", "5.{}"]))
def test_compiled_cuts_every_character_as_plain_does(compiled, name, pattern):
    lines = [pattern.format(c, c) for c in SOME]
    cut, twin = cutter(compiled, name, lines), plain.Cutter(name)
    assert [cut(line) for line in lines] == [twin(line) for line in lines]


@pytest.mark.parametrize("name", NAMES)
def test_ranges_of_characters_end_where_those_of_the_twin_do(compiled, name):
    sources = (path.read_text("utf-8") for kind in ("kernel/*.?pp", "plain/*.py") for path in PACKAGE.glob(kind))
    written = {int(code, 16) for text in sources for code in re.findall(r"(?:0x|\\u|\\U)([0-9A-Fa-f]{4,8})\b", text)}
    codes = {code + more for code in written for more in (-1, 0, 1) if code < sys.maxunicode}
    lines = [f"{c} 1{c}1 a{c}b {c}. 5.{c} \U0001f44d{c}" for c in characters(sorted(codes))]
    cut, twin = cutter(compiled, name, lines), plain.Cutter(name)
    assert [cut(line) for line in lines] == [twin(line) for line in lines]


@pytest.mark.slow
def test_only_two_characters_outside_ascii_have_an_ascii_lower_case():
    """What lets the kernel lower-case for ROUGE without Python."""
    found = [c for c in characters(EVERY[128:]) if re.search("[a-z0-9]", c.lower())]
    assert [(c, c.lower()) for c in found] == [("\u0130", "i\u0307"), ("\u212a", "k")]


def test_white_space_is_that_of_str(kernel):
    found = SOME if IS_QUICK else characters(EVERY)
    blank = kernel.texts(found).blank()
    assert [bool(one) for one in blank] == [c.isspace() for c in found]
    whitespace = kernel.Cutter("whitespace")
    assert [len(whitespace(f"a{c}b")) == 2 for c in SOME] == [c.isspace() for c in SOME]
    stripped = kernel.stripped(kernel.texts([f"a{c}" for c in found])).tolist()
    assert [text == "a" for text in stripped] == [c.isspace() for c in found]


@pytest.mark.slow
def test_white_space_anywhere_in_text_outside_ascii(compiled):
    # What is no white space begins with the same bytes.
    spaces = [character for character in characters(EVERY[:0x3100]) if character.isspace()]
    wide = "Gr\u00f6\u00dfe \u2019s \u2013 \u3042\u4e00 \u0416 \u1e9e ab c\u00a9 "
    texts = [f"{wide[:at]}{space}{wide[at:]}" for space in spaces for at in range(len(wide) + 1)]
    for name in ("spaces", "whitespace"):
        found, expected = (
            kernel.cut(kernel.Cutter(name), kernel.texts(texts), kernel.texts(texts[::-1]), None)
            for kernel in (compiled, plain)
        )
        assert [*found.offsets] == [*expected.offsets]
        assert [*found.ids] == [*expected.ids]


@pytest.mark.parametrize("name", ["rouge", "rouge-1.5.5", "13a", "whitespace", "ascii-whitespace", "character"])
def test_tokenizers_that_need_no_table_know_every_character(compiled, name):
    lines = [f"A{c}1.{c}" for c in SOME]
    cut, twin = compiled.Cutter(name), plain.Cutter(name)
    assert [cut(line) for line in lines] == [twin(line) for line in lines]


SUFFIXES = re.findall(
    "[a-z]+",
    "s es ies ied sses eed ed ing y ational tional enci anci izer bli alli entli eli ousli ization ation ator alism "
    "iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic "
    "able ible ant ement ment ent sion tion ion ou ism ate iti ous ive ize e l ll",
)
stems = st.text("abeilostyz5", max_size=7)
words = st.builds(lambda stem, endings: stem + "".join(endings), stems, st.lists(st.sampled_from(SUFFIXES), max_size=3))
irregular = st.sampled_from(sorted({form for forms in PorterStemmer().pool.values() for form in forms}))
porter_words = st.one_of(
    words, irregular, st.text("aeiousltbwxyz", max_size=9), st.text("abcdefghijklmnopqrstuvwxyz09", max_size=9)
)


@many
@given(st.lists(porter_words, max_size=20))
def test_stems_are_nltks(kernel, words):
    nltk = PorterStemmer()
    line = " ".join(words)
    expected = [nltk.stem(word) if len(word) > 3 else word for word in line.split()]
    assert kernel.Cutter("rouge", stemmer="porter")(line) == expected


# Examples of Porter's paper for every rule, and words that one letter of a rule keeps apart: a word, its stem by
# nltk, and that of ROUGE-1.5.5.pl if it is another.
STEMS = """
caresses caress, ponies poni, caress caress, cats cat, feed feed, agreed agre, plastered plaster, bled bled,
motoring motor, sing sing, conflated conflat, troubled troubl, sized size, hopping hop, tanned tan, falling fall,
hissing hiss, fizzed fizz, failing fail, filing file, relational relat, conditional condit, rational ration,
valenci valenc, hesitanci hesit, digitizer digit, conformabli conform, radicalli radic, differentli differ,
vileli vile, analogousli analog, vietnamization vietnam, predication predic, operator oper, feudalism feudal,
decisiveness decis, hopefulness hope, callousness callous, formaliti formal, sensitiviti sensit, sensibiliti sensibl,
triplicate triplic, formative form, formalize formal, electriciti electr, electrical electr, hopeful hope,
goodness good, revival reviv, allowance allow, inference infer, airliner airlin, gyroscopic gyroscop,
adjustable adjust, defensible defens, irritant irrit, replacement replac, adjustment adjust, dependent depend,
adoption adopt, homologou homolog, communism commun, activate activ, angulariti angular, homologous homolog,
effective effect, bowdlerize bowdler, probate probat, rate rate, cease ceas, controll control, roll roll, boxing box,
boxed box, fixing fix, snowing snow, playing play plai, rowed row, hoping hope, hoped hope, making make,
using use us, ties tie ti, tied tie ti, dies die di, cries cri, happy happi, enjoy enjoy enjoi, sky sky,
flying fli fly, skies sky ski, aged age ag, geology geolog geologi, analogies analog, business busi, seeing see,
agreeing agre, yellow yellow, yyyy yyyi, wholly wholli, oily oili, aaaa aaaa, abbbing abb, baaing baa,
sensationally sensat, conditionalli condit, radically radic, abolitionent abolition, decisionent decision
"""


@pytest.mark.parametrize(("stemmer", "place"), [("porter", 1), ("porter155", -1)])
def test_stems_of_words_chosen_by_rule(kernel, stemmer, place):
    rows = [entry.split() for entry in STEMS.split(",")]
    cutter = kernel.Cutter("rouge", stemmer=stemmer)
    assert [cutter(row[0]) for row in rows] == [[row[place]] for row in rows]


DOUBLED = [
    "\u0431\u0431", "\u0431\u0432", "\u00e9\u00e9", "\u00e9\u0431\u0431", "\u732b\u732b\u732b", "b\u0431", "\u0431b",
    "\u0431bb",
]  # fmt: skip


def test_doubled_letters_outside_ascii(kernel):
    # Such letters are consonants; of two equal ones at the end of a stem one goes.
    endings = ["ing", "ed", "s", "ies", "ational", "eed", "ness", "y", "ll"]
    words = [start + letters + end for start in ("ba", "\u00e9a", "tro") for end in endings for letters in DOUBLED]
    nltk = PorterStemmer()
    assert kernel.Cutter("whitespace", stemmer="porter")(" ".join(words)) == [nltk.stem(word) for word in words]


@pytest.mark.slow
def test_every_ending_behind_every_short_stem(compiled):
    starts = ["", *re.findall("[a-z]+", "a b y ab ba ay ya bab aba babab trouble bly hop zz fall wx")]
    line = " ".join(start + a + b for start in starts for a in SUFFIXES for b in ["", *SUFFIXES])
    for stemmer in ("porter", "porter155"):
        assert compiled.Cutter("rouge", stemmer=stemmer)(line) == plain.Cutter("rouge", stemmer=stemmer)(line)
    nltk = PorterStemmer()
    expected = [nltk.stem(word) if len(word) > 3 else word for word in line.split()]
    assert plain.Cutter("rouge", stemmer="porter")(line) == expected


def test_recorded_stems(kernel, shared):
    """Those of ROUGE-1.5.5.pl and of rouge_score."""
    cases = json.loads(gzip.decompress((shared / "oracles" / "more" / "stems.json.gz").read_bytes()))["cases"]
    script, rouge_score = (kernel.Cutter("rouge", stemmer=stemmer) for stemmer in ("porter155", "porter"))
    differing = []
    for case in cases:
        word, expected = case["predictions"][0], case["expected"]
        if not expected["rouge155_from_exception_table"] and script(word) != [expected["rouge155"]]:
            differing.append((word, script(word), expected["rouge155"]))
        if rouge_score(word) != [expected["rouge_score"]]:
            differing.append((word, rouge_score(word), expected["rouge_score"]))
    assert differing == []
