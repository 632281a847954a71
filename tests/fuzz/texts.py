"""Targets: tokenizers, normalizers and sentences, on columns and on one text at a time."""

import re

import numpy as np
from hypothesis import strategies as st
from kernel.test_tokenizers import OFFICIAL, test_tokens_are_those_of_the_tool
from oracles.token_f1 import mlqa, squad
from strategies import assigned, text
from text.test_tokenizers_of_tools import ALL, cut_as_single_texts, hold_the_tokens, segments
from textgauge import engine
from textgauge.input.columns import corpus_of, text_column
from textgauge.text import NORMALIZERS
from textgauge.text.sentences import lines_of_sentences, placed_sentences
from textgauge.text.vocabulary import token_column

texts = st.lists(text, min_size=1, max_size=4)


def of(test):
    """The body of a property test of the suite, which runs there too."""
    body = test.hypothesis.inner_test
    body.is_a_test = True
    return body


def on_kernel_in_use(name, line):
    of(test_tokens_are_those_of_the_tool)(engine.kernel, name, line)


on_kernel_in_use.is_a_test = cut_as_single_texts.is_a_test = hold_the_tokens.is_a_test = True
TWINS = {
    "squad": squad,
    "lower": str.lower,
    "none": lambda line: line,
    **{f"mlqa:{language}": lambda line, language=language: mlqa(line, language) for language in
       ("en", "es", "de", "ar", "hi", "vi", "zh")},
}  # fmt: skip


# Letters, articles and word borders of every language, and characters that only Unicode's tables distinguish.
PIECES = [
    "the", "a", "an", "The", "A", "AN", "einen", "DER", "des", "los", "Una", "của", "Cái", "là", "ال", "الكتاب", "ا",
    "ل", "北京", "京", "龥", "龦", "㐀", "𠀀", "é", "É", "É", "ΑΣ", "Σ", "σς", "İ", "K", "ẞ", "Ⱥ", "Ǆ", "’", "—", "،",
    "।", "„", "“", "«", "»", "_", ".", "-", "!", "'", ",", "(", ")", "٣", "5", "x", "Z", "́", "\u200d", "\ufeff",
    "\x00", "\x1b", "\x7f", "🎉", "Ａ", "ａ", "＿", "．", " ", "  ", "\t", "\n", "\x1c", "\x85", "\u00a0", "\u2028",
    "\u3000",
]  # fmt: skip
pieces = st.sampled_from(PIECES)
answers = st.one_of(st.lists(pieces, max_size=9).map("".join), text)


def normalizers(lines, name, start):
    """A column, a part of it, its words and one text are as the twin says."""
    normalizer, column = NORMALIZERS[name], text_column(lines, "lines")
    expected = [TWINS[name](line) for line in lines]
    assert [normalizer(line) for line in lines] == expected
    assert normalizer.column(column.slice(start, len(lines))).tolist() == expected[start:]
    if name in ("lower", "none"):
        return
    words, offsets = token_column(normalizer.words, column)
    assert words.to_pylist() == [word for text in expected for word in text.split()]
    assert np.diff(offsets).tolist() == [len(text.split()) for text in expected]
    numbers = {}
    tokens = normalizer.words.cut(corpus_of(lines[:1], [lines[1:] or [""]]))
    words = [word for text in expected for word in text.split()]
    assert list(tokens.ids) == [numbers.setdefault(word, len(numbers)) for word in words]


# Of text in ASCII.
END = re.compile(r"[.!?][\"')\]}]*\s+(?![a-z\s])")
ABBREVIATIONS = ("Mr", "Mrs", "Ms", "Dr", "Prof", "St", "vs", "etc", "e.g", "i.e", "No", "Jr", "Sr", "Inc", "Ltd",
                 "Co", "U.S", *map(chr, range(65, 91)))  # fmt: skip


def ends_in_abbreviation(sentence):
    """A full stop after an abbreviation that follows no letter, digit or underscore."""
    words = [a for a in ABBREVIATIONS if sentence.endswith(f"{a}.")]
    return any(not re.fullmatch(r"\w", sentence[-len(a) - 2 : -len(a) - 1]) for a in words)


def cut(line):
    pieces, start = [], 0
    for end in END.finditer(line):
        mark = end.start() + 1
        if not ends_in_abbreviation(line[:mark]):
            pieces.append(line[start : end.end()])
            start = end.end()
    return [piece for part in [*pieces, line[start:]] for piece in part.split("\n") if piece]


def sentences(lines, at_end_marks):
    """Sentences of a column are those of its texts, at their stated places."""
    column = text_column(lines, "lines")
    column = lines_of_sentences(column) if at_end_marks else column
    found = [[part for part in line.split("\n") if part] for line in column.tolist()]
    for line, parts in zip(lines, found, strict=True):
        if not at_end_marks:
            assert parts == [part for part in line.split("\n") if part]
        elif line.isascii():
            assert parts == cut(line)
        else:
            assert "".join(parts) == line.replace("\n", "")
    for line, parts in zip(lines, found, strict=True):
        placed = placed_sentences(line, at_end_marks=at_end_marks)
        assert [part for _, part in placed] == parts
        assert all(line.startswith(part, start) for start, part in placed)


TARGETS = {
    "tokenizers": (cut_as_single_texts, st.tuples(st.sampled_from(ALL), segments)),
    "tokens": (hold_the_tokens, st.tuples(st.sampled_from(ALL), texts, st.integers(0, 2))),
    "official tokens": (on_kernel_in_use, st.tuples(st.sampled_from(list(OFFICIAL)), assigned)),
    "normalizers": (
        normalizers,
        st.tuples(st.lists(answers, min_size=1, max_size=6), st.sampled_from(list(NORMALIZERS)), st.integers(0, 2)),
    ),
    "sentences": (sentences, st.tuples(texts, st.booleans())),
}
