"""Targets: language models of n-grams and of torch, token by token."""

import importlib.util
import math
import tempfile
from collections import Counter
from functools import cache

import numpy as np
import pytest
import textgauge
from hypothesis import strategies as st
from oracles.ngram_model import UNKNOWN, AddK, KneserNey
from oracles.perplexity import double_loop, sliding_loop
from strategies import text
from textgauge.text import TOKENIZERS
from tiny_models import CONTEXT, save_model, save_tokenizer

from .inputs import refused_or_plain


def known(rows, vocabulary):
    """Words apart from the marks that a text may spell, the others unknown."""
    return [[f"w{word}" if word in vocabulary else UNKNOWN for word in row] for row in rows]


def ngrams(train, test, name, order, smoothing, amount, min_count, padding):
    """Every token has the probability of the definition, alone and among others."""
    tokenize = TOKENIZERS[name]
    options = {"k": amount + 0.1} if smoothing == "add-k" else {"discount": amount} if smoothing == "kneser-ney" else {}
    model = textgauge.NgramModel(order, smoothing, tokenizer=name, min_count=min_count, padding=padding, **options).fit(
        train
    )
    rows = model.log_probs(test)
    assert [row for line in test for row in model.log_probs([line])] == rows
    # What nltk counts as following a mark sums to more than 1.
    is_share = (smoothing, padding) != ("kneser-ney", "nltk")
    assert not is_share or all(value <= 1e-12 for row in rows for value in row)
    counts = Counter(word for line in train for word in tokenize(line))
    vocabulary = {word for word, count in counts.items() if count >= min_count}
    seen, asked = (known(map(tokenize, lines), vocabulary) for lines in (train, test))
    if padding == "nltk":
        assert [len(row) for row in rows] == [len(tokens) + order - 1 for tokens in asked]
        return
    k = {"add-k": amount + 0.1, "mle": 0.0}.get(smoothing)
    naive = KneserNey(seen, order, amount) if k is None else AddK(seen, order, k)
    for tokens, row in zip(asked, rows, strict=True):
        padded = ["<s>"] * (order - 1) + tokens + ["</s>"]
        expected = [
            naive.probability(padded[i], tuple(padded[i - order + 1 : i])) for i in range(order - 1, len(padded))
        ]
        assert [math.exp(value) for value in row] == pytest.approx(expected, abs=1e-12)
    statistics = textgauge.Perplexity().update_texts(test, model=model).statistics.values
    assert statistics[:, 0].tolist() == pytest.approx([-math.fsum(row) for row in rows])
    assert statistics[:, 1].tolist() == [len(row) for row in rows]
    assert statistics[:, 2:].tolist() == [[len(line.encode()), len(line.split())] for line in test]


@cache
def tiny(architecture):
    """A model and its tokenizer, made once."""
    with tempfile.TemporaryDirectory() as folder:
        tokenizer = save_tokenizer(folder)
        return save_model(folder, architecture, len(tokenizer)), tokenizer


def perplexity(lines, prefix, architecture, batch_size, start, stride, max_length):
    """Every text has the nll of a loop over its tokens, independent of other texts."""
    model, tokenizer = tiny(architecture)
    options = {"model": model, "tokenizer": tokenizer, "add_start_token": start, "max_length": max_length}
    stride = stride and min(stride, (max_length or CONTEXT) - 1)
    prefixes = None if prefix is None or stride else [prefix] * len(lines)
    ids, [before] = (
        [tokenizer(line, add_special_tokens=False, split_special_tokens=True).input_ids for line in part]
        for part in (lines, [prefix or ""])
    )
    before = [tokenizer.bos_token_id] * start + (before if prefixes else [])
    if max_length and not stride:
        room = max_length - start
        ids = [row[:room] for row in ids]
        befores = [before[:start] + before[start:][max(0, len(before) - start - room + len(row)) :] for row in ids]
    else:
        befores = [before] * len(ids)
    measured = refused_or_plain(
        lambda: textgauge.Perplexity().update_texts(
            lines, prefixes=prefixes, batch_size=batch_size, stride=stride, **options
        )
    )
    fits = [len(b) + len(row) <= CONTEXT for b, row in zip(befores, ids, strict=True)]
    assert (measured is not None) == bool(stride or all(fits))
    if measured is None:
        return
    statistics = measured.statistics.values
    for line, b, row, (nll, n_tokens, n_bytes, n_words) in zip(lines, befores, ids, statistics.tolist(), strict=True):
        sequence, first = b + row, len(b) or 1
        assert n_tokens == max(len(sequence) - first, 0)
        loop = sliding_loop(model, sequence, max_length or CONTEXT, stride) if stride else None
        expected = double_loop(model, sequence, first) if loop is None else loop
        assert nll == pytest.approx(expected, rel=1e-5, abs=1e-5)
        if b and not (max_length and not stride):
            assert (n_bytes, n_words) == (len(line.encode()), len(line.split()))
        assert n_bytes <= len(line.encode())
    alone = [textgauge.Perplexity().update_texts([line], prefixes=prefixes and prefixes[:1], stride=stride, **options)
             for line in lines]  # fmt: skip
    together = np.concatenate([part.statistics.values for part in alone])
    assert np.array_equal(statistics[:, 1:], together[:, 1:])
    assert statistics[:, 0] == pytest.approx(together[:, 0], rel=1e-5, abs=1e-5)


short = st.lists(text.map(lambda line: line[:60]), min_size=1, max_size=4)
TARGETS = {
    "ngrams": (
        ngrams,
        st.tuples(
            short,
            short,
            st.sampled_from(list(TOKENIZERS)),
            st.integers(1, 4),
            st.sampled_from(["kneser-ney", "add-k", "mle"]),
            st.sampled_from([0.0, 0.3, 0.75, 1.0]),
            st.integers(1, 2),
            st.sampled_from(["text", "text", "nltk"]),
        ),
    )
}
if importlib.util.find_spec("torch") and importlib.util.find_spec("transformers"):
    TARGETS["perplexity"] = (
        perplexity,
        st.tuples(
            short,
            st.none() | text.map(lambda line: line[:9]),
            st.sampled_from(["gpt2", "llama"]),
            st.integers(1, 5),
            st.booleans(),
            st.none() | st.integers(1, CONTEXT - 1),
            st.none() | st.integers(2, CONTEXT),
        ),
    )
