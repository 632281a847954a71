"""What a column of texts contains."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from textgauge import plain
from textgauge.plain.contents import NOTHING, Contents, signs_of, text_contents

from kernel.material import few, text

# White space of every kind, what ends words, and the borders of blocks of eight and sixteen bytes.
SIGNS = [
    *"ab .'[",
    "\t",
    "\n",
    "\r",
    "\x0b",
    "\x1c",
    "\x7f",
    "\x85",
    "\xa0",
    "\u2003",
    "\u3000",
    "\xe9",
    "\u6f22",
    "\U0001f600",
    *"@#<|>&;`123s",
    *("</s>", "<|im_end|>", "&amp;", "@@ ", " ##a", "[PAD]", "\x0c", "\b", "\text{", "<think>", "\r", "ight"),
    *("</w>", "@-@", " @,@ ", "<EOS>", "<</SYS>>", "[/INST]", "<extra_id_", "\n", "eq", "abla", "ho", "\textbf{", "."),
    *"\u034f\u0133\u0430\u0640\u2f00\u3164\ua620\uffa0\uffed\U0001d7ff\U0001e950\U000e0100",
    *("\\", "\\u00e9", "\\x", "\\n", "\\U0001f600", "</b>", "<br/>", "<p>", ' a="', "<a", "\u20ac", "\u0178", "\u0192"),
    *"\xc2\xc3\xc9\xd0\xd7\xe2\xf0\xf4\x80\x99\xa9\xaa\xae\xb1\xb3\xbd\xbf",
    *"\u0120\u2581\xad\u200d\u202f\u2019\u02bc\u015f\u06cc\ufb01\u0967\ufeff\uff07\ufe0f\xb4\u3000\uff5c",
]
made = st.lists(st.one_of(text, st.lists(st.sampled_from(SIGNS), max_size=70).map("".join)), max_size=6)


@few
@given(made, st.integers(1, 3))
@example(["the cat", ""], 1)
@example(["a\tb", "a \tb", "\ta", "a\t", "a\t\tb", "a\u3000\u6f22", "a\xa0 b"], 1)
@example(["x" * 64, "x" * 65, " " + "\xe9" * 31 + " ", " \xe9" + "\xe9" * 31, ""], 2)
@example(["a .", " .", ".", "a . ", "[", " \u3000[", "x["], 1)
@example(["a b", "[ .", "a\tb", "x", "\xe9\tb", "[\u6f22 ."], 2)
@example(["a b c d", "a b c de", " a b c d", "a  b\nc d", "a b c", "\xe9 \u6f22 b c d"], 1)
@example(
    ["<|a|>", "<||>", f"<|{'a' * 39}|>", f"<|{'a' * 40}|>", "<|a b|>", "&" + "a" * 10 + ";", "&" + "a" * 11 + ";"], 1
)
@example(
    ["a@@", "@@ a", "a@@ b", "a@@b", "##a", "a ##b", "a##b", "## a", "a`b", "`a", "\text{x", "\tex", "\x0c", "\x0ca"], 1
)
@example(["a @-@ b", "a@-@ b", "@-@", "a @-@", "a @-@b", "@/@ a", "@@-@", "a @a@ b", "a</w>"], 1)
@example(["<|1.5|>", "<<SYS>>", "<sys>", "[INST]", "<pad", "<Pad>", "</thinking>", "<extra_id_5>"], 1)
@example(["\neq", "a\neqs", "\nabla", "\rho", "\rhos", "\rangle", "\textit{", "\text", "\triangle", "\neq1", "\n"], 1)
@example(["\u0430a", "a\u0430", "\u0430 a", "1\u0430", "\u0430", "a\u0300\u0430"], 1)
@example([f"{lead}{code}" for lead in "\xc3\xc4\xd0\xd7\xe2\xf0" for code in "\u0178\u0192\u02c6\u02dc\u20ac\u0153"], 1)
@example(
    [f"\\{one}" for one in ["n", "t", "ta", "t ", "r", "ra", "rA", "x", "x1", "xe9", "xE9", "xcancel", "", "\\n"]], 1
)
@example(["\\u00e9", "\\u00e", "\\uzzzz", "\\U0001f600", "\\U0101f600", "\\U0001f60", '\\"', "\\'", "\\/", "\\a"], 1)
@example(["<br>", "<br/>", "<BR>", "<Br>", "<br />", "<p", "<p>", "<li/>", "<a>", "</a>", "</1>", "</a b>", "</>"], 1)
@example([f"</{'a' * 40}>", f"</{'a' * 41}>", f'<{"a" * 40} b="', f"<a {'b' * 41}='", "<a b=c", '<a b="', "<a  b='"], 1)
@example(["</s>", "</w>", "</think>", "</SYS>", "<</SYS>>", "</sb>", "<sub>", "</a:b.c-d_1>", "<a", "<", "</"], 1)
@example(["[", "a\tb", "x .", "y", "[", "\u6f22\tb", "x .", "\xe9"] * 2, 3)
def test_contents_are_those_of_their_definitions(kernel, texts, n_threads):
    check(kernel, texts, n_threads)


@pytest.mark.parametrize(
    "texts",
    [
        [f"{chr(code)}a" for code in range(0x20, 0x10000) if not 0xD800 <= code < 0xE000],
        [f"{chr(code)}a" for code in [*range(0x10000, 0x20000), *range(0xE0000, 0xE0200)]],
        [f"{chr(lead)}{chr(code)}" for lead in range(0xBF, 0xF6) for code in range(0x80, 0xC0)],
    ],
    ids=["first plane", "others", "bytes"],
)
def test_contents_of_every_character(compiled, texts):
    check(compiled, texts, 3)


def check(kernel, texts, n_threads):
    found, other = contents_of(kernel, kernel.texts(texts), kernel.texts(texts[1:]), n_threads)
    assert other == contents_of(kernel, kernel.texts(texts[1:]), kernel.texts([]))[0]
    characters = re.sub("[\u4000-\u9fff\ub000-\ud7ff]", "\u4e00", "".join(texts))
    assert found.characters == "".join(c for c in sorted({*characters}) if c < " " or c > "\x7f")
    assert found.n_lone_spaces == sum(map(_is_lone, texts))
    assert found.n_spaced_stops == sum(one[-2:] == " ." for one in texts)
    assert found.n_words == sum(len(one.split()) == 1 and len(one.encode()) <= 64 for one in texts)
    expected = [row << 16 | bits for row, one in enumerate(texts) if (bits := signs_of(one))]
    assert memoryview(found.signs).cast("q").tolist() == expected
    assert found.n_of_signs == tuple(sum(one >> i & 1 for one in expected) for i in range(14))
    assert found.n_brackets == sum(one.strip()[:1] == "[" for one in texts)


@pytest.mark.parametrize("n", [15, 16, 17, 31, 32, 47, 48, 63, 64, 65, 80, 112, 113, 129])
def test_a_sign_is_found_at_every_place_of_a_text(compiled, n):
    """Whichever of the blocks of a text it is in, the last of which overlaps the one before."""
    for sign in ["\t", "[", "\xe9", "@", "#", "&", "<", "`", "\x00", "\x1f", " ", "\x7f", "."]:
        texts = ["x" * i + sign + "x" * (n - i - 1) for i in range(n)]
        texts = [one.replace("<", "</s>").replace("@", "@@ ").replace("&", "&amp;") for one in texts]
        sides = contents_of(compiled, compiled.texts(texts), compiled.texts(["a", *texts]))
        assert sides == text_contents(plain.Texts(texts), plain.Texts(["a", *texts]))


def test_characters_of_many_pages_are_found_once(kernel):
    """Of more pages of 256 code points than are looked through one by one."""
    characters = "".join(chr(0x100 * i + 0xE9) for i in range(1, 14))
    found, _ = contents_of(kernel, kernel.texts([characters] * 2), kernel.texts([]))
    assert found.characters == characters


STOPS = [
    *".'\")]}([ AZa-z1", " ", ".", "\t", "\x85", "\u3000", "\u201c", "\u2018", "\xab",
    *"\xc0\xd6\xd7\xd8\xde\xdf\u0100",
]  # fmt: skip


@few
@given(st.lists(st.one_of(text, st.lists(st.sampled_from(STOPS), max_size=12).map("".join)), max_size=6))
@example(['a.") \u201c(\xdcb', "a. \xd7", "e.g. this", "A.B", "a..' B", "a. ", "."])
def test_texts_of_several_sentences(kernel, texts):
    is_unsplit = re.compile("[.][\"')\\]}]*\\s+[\"'(\\[\u201c\u2018\xab]*[A-Z\xc0-\xd6\xd8-\xde]").search
    assert kernel.unsplit_texts(kernel.texts(texts)) == sum(is_unsplit(one) is not None for one in texts)


WIDE = st.text(st.sampled_from("aZ1 \n\xd7\xf7\xe4\xdf\u03b1\u0416\u0308\u201c\u4e00\U0001f600"), max_size=40).map(
    str.encode
)
# In UTF-8, and bytes that are none: those with which letters begin, and those beside them.
BYTES = st.one_of(
    WIDE, st.lists(st.sampled_from(b"a \x80\x97\xb7\xbf\xc2\xc3\xc4\xce\xcf\xe2\xef\xf0"), max_size=20).map(bytes)
)


@given(BYTES, *[st.sampled_from([0, 0.05, 0.5])] * 2)
@example("\xfcber\xfcber ".encode() * 5 + b"a", 0.05, 0.1)
@example("\xe4 \xe4 a \xe4 \xdf".encode(), 0.7, 0.0)
def test_words_with_letters_outside_ascii(compiled, text, most, more):
    assert compiled.has_wide_words(text, most, most + more) is plain.has_wide_words(text, most, most + more)


def contents_of(kernel, hypotheses, references, n_threads=1):
    """Return what two columns contain: the kernel says nothing if that is nothing."""
    sides = kernel.text_contents(hypotheses, references, n_threads)
    found = NOTHING if sides is None else tuple(Contents(*side) for side in sides)
    assert (sides is None) == (found == NOTHING)
    return found


def _is_lone(text):
    """Return whether white space that is no space stands alone between two other characters."""
    three = zip(text, text[1:], text[2:], strict=False)
    return any(a.strip() and b in "\t\n\r\xa0\u3000" and c.strip() for a, b, c in three)


def test_bytes_that_are_no_text_do_no_harm(kernel):
    if kernel.__name__.endswith("plain"):
        pytest.skip("plain Python decodes what Arrow has")
    import numpy as np

    for data in (b"\xff\xfe", b"a\xf4", b"\xed\xa0\x80", b"\xe3\x80"):
        column = kernel.arrow_texts(np.array([0, len(data)]), np.frombuffer(data, np.uint8), data)
        assert all(isinstance(side.characters, str) for side in contents_of(kernel, column, column))
