"""Adversarial sizes and words: correct counts in linear time, for both kernels."""

import time

import numpy as np
import pytest
from textgauge import engine, plain
from textgauge.plain.treebank import lower_words

from kernel.material import lcs_lengths, listed, table_for

pytestmark = pytest.mark.slow


def cut(kernel, hypothesis, reference, name="whitespace", **options):
    column = [kernel.texts([hypothesis]), kernel.texts([reference])]
    made = kernel.Cutter(name, characters=table_for([hypothesis]))
    return kernel.cut(made, *column, np.array([0, 1]), **options)


def test_equal_words(kernel):
    n = 1_000 if kernel is plain else 100_000
    tokens = cut(kernel, "the " * n, "the " * (n - 1))
    assert listed(kernel.bleu_rows(tokens, 4))[0][:4] == [n - order for order in range(1, 5)]
    assert lcs_lengths(kernel, tokens) == [n - 1]
    order_of, joins = kernel.matched_orders(tokens, 4)
    assert listed(order_of) == [4] * (n - 1) + [0] + [4] * (n - 1)
    assert sum(listed(joins)) == 2 * (n - 2)


def test_long_words_that_differ_at_their_ends(kernel):
    word = "x" * 300_000
    column = kernel.texts([f"{word}1 {word}2 {word}1"])
    tokens = kernel.cut(kernel.Cutter("whitespace"), column, column, np.array([0, 1]))
    assert listed(tokens.ids) == [0, 1, 0, 0, 1, 0]


def test_words_that_differ_in_few_bits(kernel):
    """Counted numbers and padded ones: what weak hashes take for alike."""
    words = [f"{i:08d}" for i in range(0, 300_000, 7)] + [f"{i << 8:016x}" for i in range(20_000)]
    text = " ".join(words)
    tokens = cut(kernel, text, text)
    assert listed(tokens.ids) == [*range(len(words)), *range(len(words))]


def test_contractions_of_one_word():
    """A scan of all places that were cut before takes minutes."""
    n, net = 100_000, engine.kernel.WordNet(*[[b""] * 4] * 3)
    start = time.process_time()
    words, ids, *_ = net.words(engine.kernel.texts(["cannot-'tis-" * n]), lower_words)
    assert time.process_time() - start < 3 or engine.kernel is plain
    assert (bytes(words).decode().split(), len(ids)) == (["can", "not", "-'tis-"], 3 * n)
