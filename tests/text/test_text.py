"""Tokenizers over columns: the tokens of the official tools, equal ids for equal tokens of a segment."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from strategies import text
from textgauge.input import columns
from textgauge.text import STEMMED_ROUGE, TOKENIZERS, Tokenizer, prepared
from textgauge.text.vocabulary import token_column

PREPARED = [
    prepared(TOKENIZERS[name], lowercase=lowercase, strip=strip)
    for name, lowercase, strip in [("13a", "ascii", False), ("intl", True, True), ("unicode", "ascii", True)]
]
STOPPED = TOKENIZERS["rouge"].with_options(stop_words=frozenset({"the", "cat"}), stemmer="porter155", irregular=())
ALL = [*TOKENIZERS.values(), STEMMED_ROUGE, STOPPED, *PREPARED]


def numbered(rows):
    """Tokens as numbers in the order of first appearance."""
    known = {}
    return [[known.setdefault(token, len(known)) for token in row] for row in rows]


def ids_of(tokens):
    """The numbers of every text, one list per text."""
    ids, offsets = np.asarray(tokens.ids).tolist(), np.asarray(tokens.offsets).tolist()
    return [ids[start:stop] for start, stop in zip(offsets, offsets[1:], strict=False)]


def sentences_of(tokens):
    """The numbers of every sentence, one list of lists per text."""
    ids, offsets = np.asarray(tokens.sentence_ids).tolist(), np.asarray(tokens.sentence_offsets).tolist()
    bounds = np.asarray(tokens.text_sentences).tolist()
    rows = [ids[start:stop] for start, stop in zip(offsets, offsets[1:], strict=False)]
    return [rows[start:stop] for start, stop in zip(bounds, bounds[1:], strict=False)]


def expected_of(tokenizer, corpus, others=None):
    """Segment by segment: ids of texts, and of their lines or those of other texts."""
    texts, lines = [], []
    for (hyp, refs), (hyp_lines, ref_lines) in zip(corpus, others or corpus, strict=True):
        whole = [tokenizer(t) for t in (hyp, *refs)]
        parts = [[tokenizer(line) for line in t.split("\n") if line] for t in (hyp_lines, *ref_lines)]
        numbers = iter(numbered([*whole, *(line for part in parts for line in part)]))
        texts += [next(numbers) for _ in whole]
        lines += [[next(numbers) for _ in part] for part in parts]
    return texts, lines


segments = st.lists(st.tuples(text, st.lists(text, min_size=1, max_size=2)), min_size=1, max_size=4)


@pytest.mark.parametrize("tokenizer", ALL, ids=lambda t: t.name)
@settings(max_examples=examples(50))
@given(corpus=segments)
def test_columns_are_cut_as_single_texts_are(tokenizer, corpus):
    checked = columns.corpus_of([hyp for hyp, _ in corpus], [refs for _, refs in corpus])
    # The same rules as a function of the user's take another way to the numbers.
    as_function = Tokenizer("function", function=lambda text: tokenizer(text))
    texts, lines = expected_of(tokenizer, corpus)
    for cutting in (tokenizer, as_function):
        assert ids_of(cutting.cut(checked)) == texts
        assert len(cutting.cut(checked)) == len(corpus)
        # Only BLEU strips texts, and it has no sentences.
        if not tokenizer.strip:
            with_sentences = cutting.cut(checked, sentences=True)
            assert (ids_of(with_sentences), sentences_of(with_sentences)) == (texts, lines)


@pytest.mark.parametrize("tokenizer", ALL, ids=lambda t: t.name)
@given(texts=st.lists(text, max_size=5), start=st.integers(0, 2))
def test_columns_of_tokens_hold_the_tokens(tokenizer, texts, start):
    column = columns.text_column(texts, "texts")
    tokens, offsets = token_column(tokenizer, column.slice(start, len(texts)))
    expected = [tokenizer(t) for t in texts[start:]]
    assert tokens.to_pylist() == [token for row in expected for token in row]
    assert np.diff(offsets).tolist() == [len(row) for row in expected]


def test_unstemmed_tokens():
    forms = (("mice", "mouse"), ("went", "go"), ("running", "sprinting"), ("ran", "run"), ("skies", "heaven"))
    tokenizer = TOKENIZERS["rouge"].with_options(stop_words=frozenset({"went"}), stemmer="porter", irregular=forms)
    assert tokenizer.unstemmed("Mice went running") == ["mice", "running"]
