import gzip

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score.tokenize import tokenize as rouge_score_tokens
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from strategies import text
from textgauge.text import STEMMED_ROUGE, TOKENIZERS, prepared
from textgauge.text.porter import IRREGULAR, STEP_2, STEP_3, STEP_4, stem

PREPARED = [
    prepared(TOKENIZERS[name], lowercase=lowercase, strip=strip)
    for name, lowercase, strip in [("13a", "ascii", False), ("intl", True, True), ("unicode", "ascii", True)]
]
ALL = [*TOKENIZERS.values(), STEMMED_ROUGE, *PREPARED]


@pytest.mark.parametrize("tokenizer", ALL, ids=lambda t: t.name)
@given(texts=st.lists(text, min_size=1, max_size=6))
def test_columns_are_encoded_as_defined(tokenizer, texts):
    half = len(texts) // 2
    columns = [pa.array(part, pa.large_string()) for part in (texts[:half], texts[half:])]
    encoded = tokenizer.encode(columns)
    tokens = [token for t in texts for token in tokenizer(t)]
    assert [n for ragged in encoded for n in ragged.lengths] == [len(tokenizer(t)) for t in texts]
    keys = np.concatenate([ragged.values for ragged in encoded]).tolist()
    assert len(set(zip(keys, tokens, strict=True))) == len(set(keys)) == len(set(tokens))


@given(text)
def test_13a_is_sacrebleus(line):
    assert TOKENIZERS["13a"](line) == Tokenizer13a()(line).split()


@given(text)
def test_rouge_is_rouge_scores(line):
    assert TOKENIZERS["rouge"](line) == rouge_score_tokens(line, None)
    assert STEMMED_ROUGE(line) == rouge_score_tokens(line, PorterStemmer())


SUFFIXES = [suffix for suffix, _, _ in STEP_2 + STEP_3 + STEP_4] + ["s", "ies", "sses", "eed", "ed", "ing", "ion", "y"]
word = st.one_of(
    st.sampled_from([*IRREGULAR]),
    st.text("abcdeilnsty0", min_size=1, max_size=40),
    st.tuples(st.text("abeistyz", max_size=6), st.lists(st.sampled_from(SUFFIXES), max_size=3).map("".join)).map(
        "".join
    ),
).filter(bool)


@given(word)
def test_stemmer_is_nltks(word):
    assert stem(word) == PorterStemmer().stem(word)


@settings(deadline=None)
@given(st.lists(word, min_size=1, max_size=60))
def test_stems_of_a_column_are_those_of_its_words(words):
    (encoded,) = STEMMED_ROUGE.encode([pa.array(words, pa.large_string())])
    stems = [stem(w) if len(w) > 3 else w for w in words]
    keys = encoded.values.tolist()
    assert len(set(zip(keys, stems, strict=True))) == len(set(keys)) == len(set(stems))


def test_all_words_of_real_text(shared):
    words = set()
    for name in ("xsum.jsonl.gz", "cnndm_references.txt.gz"):
        with gzip.open(shared / "data" / name, "rt") as lines:
            words |= {word for line in lines for word in TOKENIZERS["rouge"](line) if len(word) > 3}
    column = pa.array(sorted(words), pa.large_string())
    nltk_stem = PorterStemmer().stem
    stems = pa.array([nltk_stem(word) for word in sorted(words)], pa.large_string())
    found, expected = STEMMED_ROUGE.encode([column])[0], TOKENIZERS["rouge"].encode([stems])[0]
    kinds = [np.unique(side.values, return_inverse=True) for side in (found, expected)]
    assert len(words) > 20_000
    assert len({*zip(kinds[0][1].tolist(), kinds[1][1].tolist(), strict=True)}) == len(kinds[0][0]) == len(kinds[1][0])


@pytest.mark.parametrize("word", ["eing", "aed", "yyyy", "0000", "ssss", "ions", "b" * 40 + "ing", "a" * 33])
def test_stems_of_odd_words(word):
    (encoded,) = STEMMED_ROUGE.encode([pa.array([word, stem(word)], pa.large_string())])
    expected = STEMMED_ROUGE(word), STEMMED_ROUGE(stem(word))
    assert (encoded.values[0] == encoded.values[1]) == (expected[0] == expected[1])
