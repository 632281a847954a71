"""Tokenizers over columns: the tokens of the official tools, equal ids for equal tokens of a segment."""

import gzip
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from quick import examples
from rouge_score.tokenize import tokenize as rouge_score_tokens
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from strategies import text
from textgauge import columns
from textgauge.plain.porter import STEMMERS
from textgauge.text import STEMMED_ROUGE, TOKENIZERS, Tokenizer, prepared
from textgauge.text.vocabulary import token_column

PREPARED = [
    prepared(TOKENIZERS[name], lowercase=lowercase, strip=strip)
    for name, lowercase, strip in [("13a", "ascii", False), ("intl", True, True), ("unicode", "ascii", True)]
]
STOPPED = TOKENIZERS["rouge"].with_options(stop_words=frozenset({"the", "cat"}), stemmer="porter155", irregular=())
ALL = [*TOKENIZERS.values(), STEMMED_ROUGE, STOPPED, *PREPARED]
stem = STEMMERS["porter"]


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


def expected_of(tokenizer, corpus):
    """Segment by segment: ids of texts, and of their lines."""
    texts, lines = [], []
    for hyp, refs in corpus:
        whole = [tokenizer(t) for t in (hyp, *refs)]
        parts = [[tokenizer(line) for line in t.split("\n") if line] for t in (hyp, *refs)]
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


@given(text)
def test_13a_is_sacrebleus(line):
    assert TOKENIZERS["13a"](line) == Tokenizer13a()(line).split()


@given(text)
def test_rouge_is_rouge_scores(line):
    assert TOKENIZERS["rouge"](line) == rouge_score_tokens(line, None)
    assert STEMMED_ROUGE(line) == rouge_score_tokens(line, PorterStemmer())
    assert STEMMED_ROUGE.unstemmed(line) == TOKENIZERS["rouge"](line)


IRREGULAR = sorted({form for forms in PorterStemmer().pool.values() for form in forms})
SUFFIXES = [
    "ational", "tional", "enci", "anci", "izer", "bli", "alli", "entli", "eli", "ousli", "ization", "ation",
    "ator", "alism", "iveness", "fulness", "ousness", "aliti", "iviti", "biliti", "fulli", "logi", "icate",
    "ative", "alize", "iciti", "ical", "ful", "ness", "al", "ance", "ence", "er", "ic", "able", "ible", "ant",
    "ement", "ment", "ent", "ou", "ism", "ate", "iti", "ous", "ive", "ize", "s", "ies", "sses", "eed", "ed",
    "ing", "ion", "y",
]  # fmt: skip
word = st.one_of(
    st.sampled_from(IRREGULAR),
    st.text("abcdeilnsty0", min_size=1, max_size=40),
    st.tuples(st.text("abeistyz", max_size=6), st.lists(st.sampled_from(SUFFIXES), max_size=3).map("".join)).map(
        "".join
    ),
).filter(bool)


@given(word)
def test_stemmer_is_nltks(word):
    assert stem(word) == PorterStemmer().stem(word)


@given(st.lists(word, min_size=1, max_size=60))
def test_stems_of_a_column_are_those_of_its_words(words):
    expected = numbered([[stem(w) if len(w) > 3 else w for w in words]])
    assert ids_of(STEMMED_ROUGE.cut(columns.corpus_of([" ".join(words)], [""]))) == [*expected, []]


def test_irregular_forms_come_before_the_rules():
    forms = (("mice", "mouse"), ("went", "go"), ("running", "sprinting"), ("ran", "run"), ("skies", "heaven"))
    tokenizer = TOKENIZERS["rouge"].with_options(stop_words=frozenset({"went"}), stemmer="porter", irregular=forms)
    # A base form is not stemmed, words of three letters are not looked up, stop words go first.
    assert tokenizer("Mice went running ran skies cats") == ["mouse", "sprinting", "ran", "heaven", "cat"]
    assert tokenizer.unstemmed("Mice went running") == ["mice", "running"]
    assert replace(tokenizer, stop_words=frozenset())("went") == ["go"]


def test_all_words_of_real_text(shared):
    words = set()
    for name in ("xsum.jsonl.gz", "cnndm_references.txt.gz"):
        with gzip.open(shared / "data" / name, "rt") as lines:
            words |= {word for line in lines for word in TOKENIZERS["rouge"](line) if len(word) > 3}
    words = sorted(words)
    nltk_stem = PorterStemmer().stem
    assert len(words) > 20_000
    assert STEMMED_ROUGE(" ".join(words)) == [nltk_stem(word) for word in words]


@pytest.mark.parametrize("word", ["eing", "aed", "yyyy", "0000", "ssss", "ions", "b" * 40 + "ing", "a" * 33])
def test_stems_of_odd_words(word):
    found = ids_of(STEMMED_ROUGE.cut(columns.corpus_of([word], [stem(word)])))
    assert found == numbered([STEMMED_ROUGE(word), STEMMED_ROUGE(stem(word))])
