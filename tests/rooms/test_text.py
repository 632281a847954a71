import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score.tokenize import tokenize as rouge_score_tokens
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from strategies import text
from textgauge.text import STEMMED_ROUGE, TOKENIZERS
from textgauge.text.porter import stem

ALL = [*TOKENIZERS.values(), STEMMED_ROUGE]


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


@given(st.text("abcdeilnsty", min_size=1, max_size=12))
def test_stemmer_is_nltks(word):
    assert stem(word) == PorterStemmer().stem(word)
