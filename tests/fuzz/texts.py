"""Targets: tokenizers, normalizers and sentences, on columns and on one text at a time."""

import re

import numpy as np
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from oracles.bleu_tools import moses_tokens
from oracles.token_f1 import mlqa, squad
from rouge_score.tokenize import tokenize as rouge_score_tokens
from sacrebleu.metrics.bleu import _get_tokenizer
from strategies import is_assigned, text
from textgauge.columns import corpus_of, text_column
from textgauge.text import NORMALIZERS, STEMMED_ROUGE, TOKENIZERS, prepared
from textgauge.text.sentences import lines_of_sentences, placed_sentences
from textgauge.text.vocabulary import token_column

texts = st.lists(text, min_size=1, max_size=4)
STEMMER = PorterStemmer()


def of_sacrebleu(name):
    tokenizer = _get_tokenizer(name)()
    return lambda line: tokenizer(line).split()


OFFICIAL = {
    **{name: of_sacrebleu(name) for name in ("13a", "intl", "zh", "char", "none")},
    "rouge": lambda line: rouge_score_tokens(line, None),
    "rouge+porter": lambda line: rouge_score_tokens(line, STEMMER),
    "ascii-whitespace": moses_tokens,
}
TWINS = {
    "squad": squad,
    "lower": str.lower,
    "none": lambda line: line,
    **{f"mlqa:{language}": lambda line, language=language: mlqa(line, language) for language in
       ("en", "es", "de", "ar", "hi", "vi", "zh")},
}  # fmt: skip


def tokenizers(lines, name, lowercase, strip):
    """A column has a number per token, the same for the same token; one text has the official tokens."""
    plain = {**TOKENIZERS, STEMMED_ROUGE.name: STEMMED_ROUGE}[name]
    tokenizer = prepared(plain, lowercase=lowercase, strip=strip)
    expected = [tokenizer(line) for line in lines]
    tokens = [token for row in expected for token in row]
    numbers = {}
    cut = tokenizer.cut(corpus_of(lines[:1], [lines[1:] or [""]]))
    assert np.asarray(cut.ids).tolist() == [numbers.setdefault(token, len(numbers)) for token in tokens]
    lengths = [len(row) for row in expected] + [0] * (len(lines) == 1)
    assert np.diff(np.asarray(cut.offsets)).tolist() == lengths
    column, offsets = token_column(tokenizer, text_column(lines, "lines"))
    assert column.to_pylist() == tokens
    assert np.diff(offsets).tolist() == [len(row) for row in expected]
    if name in OFFICIAL and is_assigned(lines):
        assert [plain(line) for line in lines] == [OFFICIAL[name](line) for line in lines]


def normalizers(lines, name):
    """A column, one text and the twin have the same result."""
    expected = [TWINS[name](line) for line in lines]
    assert [NORMALIZERS[name](line) for line in lines] == expected
    assert NORMALIZERS[name].column(text_column(lines, "lines")).tolist() == expected


END = re.compile(r"[.!?][\"'\u201d\u2019)\]]*\s+(?![a-z\s])|[\u3002\uff01\uff1f]")
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
    expected = [cut(line) if at_end_marks else [part for part in line.split("\n") if part] for line in lines]
    assert [[part for part in line.split("\n") if part] for line in column.tolist()] == expected
    for line, parts in zip(lines, expected, strict=True):
        placed = placed_sentences(line, at_end_marks=at_end_marks)
        assert [part for _, part in placed] == parts
        assert all(line.startswith(part, start) for start, part in placed)


TARGETS = {
    "tokenizers": (
        tokenizers,
        st.tuples(
            texts,
            st.sampled_from([*TOKENIZERS, STEMMED_ROUGE.name]),
            st.sampled_from([False, True, "ascii"]),
            st.booleans(),
        ),
    ),
    "normalizers": (normalizers, st.tuples(texts, st.sampled_from(list(NORMALIZERS)))),
    "sentences": (sentences, st.tuples(texts, st.booleans())),
}
