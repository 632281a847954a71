"""The indexes of the kernel against their twins in plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import overlapping, text
from textgauge import plain

from kernel.material import tokens_of

few_kinds = st.lists(st.integers(0, 3), max_size=12)
# Longer than a word of 64 places; more kinds than texts share.
long_texts = st.lists(st.integers(0, 30), min_size=60, max_size=140)
groups = st.one_of(
    st.lists(few_kinds, min_size=1, max_size=20), st.lists(st.one_of(few_kinds, long_texts), min_size=1, max_size=4)
)


@st.composite
def ranges(draw):
    texts = draw(groups)
    n_rows = draw(st.integers(1, len(texts)))
    first_column = draw(st.sampled_from([0, min(n_rows, len(texts) - 1), draw(st.integers(0, len(texts) - 1))]))
    first_row, first = draw(st.integers(0, n_rows - 1)), draw(st.integers(first_column, len(texts) - 1))
    last_row, last = draw(st.integers(first_row + 1, n_rows)), draw(st.integers(first + 1, len(texts)))
    return texts, n_rows, first_column, (first_row, last_row, first, last)


@given(ranges(), st.integers(1, 7))
def test_matches(compiled, drawn, max_order):
    texts, n_rows, first_column, block = drawn
    ours, twins = (
        kernel.NgramIndex(tokens_of(kernel, [texts]), max_order, n_rows, first_column).matches(*block)
        for kernel in (compiled, plain)
    )
    assert ours.dtype == np.int32
    assert ours.tolist() == twins


@given(ranges())
def test_lengths(compiled, drawn):
    texts, _, _, block = drawn
    ours, twins = (kernel.LcsIndex(tokens_of(kernel, [texts])).lengths(*block) for kernel in (compiled, plain))
    assert ours.tolist() == twins


def test_texts_of_several_strips_and_many_occurrences(compiled):
    rng = np.random.default_rng(5)
    texts = [rng.integers(0, kinds, n).tolist() for kinds, n in ((2, 560), (9, 1100), (1, 520), (40, 513), (2, 3))]
    ours, twins = (tokens_of(kernel, [texts]) for kernel in (compiled, plain))
    assert compiled.LcsIndex(ours).lengths(0, 5, 0, 5).tolist() == plain.LcsIndex(twins).lengths(0, 5, 0, 5)
    ours, twins = compiled.NgramIndex(ours, 3, 5, 0), plain.NgramIndex(twins, 3, 5, 0)
    assert ours.matches(0, 5, 0, 5).tolist() == twins.matches(0, 5, 0, 5)
    # A list of few columns, and rows of many.
    texts = [[0, 0, 1, k % 3, 9 + k % 25] * (1 + k % 2) for k in range(120)]
    ours, twins = (kernel.NgramIndex(tokens_of(kernel, [texts]), 4, 120, 0) for kernel in (compiled, plain))
    for block in ((0, 120, 0, 120), (17, 40, 33, 99), (5, 6, 5, 6)):
        assert ours.matches(*block).tolist() == twins.matches(*block)


@given(st.lists(st.one_of(text, overlapping), min_size=1, max_size=6), st.booleans())
def test_characters_and_words(compiled, texts, whitespace):
    ours, twins = compiled.texts(texts), plain.texts(texts)
    for found, wanted in (
        (compiled.character_tokens(ours, whitespace), plain.character_tokens(twins, whitespace)),
        (compiled.word_tokens(ours), plain.word_tokens(twins)),
    ):
        assert [found.ids.tolist(), found.offsets.tolist(), found.segments.tolist()] == [
            wanted.ids, wanted.offsets, wanted.segments,
        ]  # fmt: skip


def test_wrong_numbers_are_refused(kernel):
    tokens = tokens_of(kernel, [[[0], [0, 1], [1]]])
    two = kernel.Tokens(np.array([0, 0], np.uint32), np.array([0, 1, 2]), np.array([0, 1, 2]))
    index, lcs = kernel.NgramIndex(tokens, 1, 2, 1), kernel.LcsIndex(tokens)
    wrong = [
        lambda: kernel.NgramIndex(two, 1, 1, 1), lambda: kernel.LcsIndex(two),
        lambda: kernel.NgramIndex(tokens, 0, 1, 1), lambda: kernel.NgramIndex(tokens, 1 << 16, 1, 1),
        lambda: kernel.NgramIndex(tokens, 1, 4, 1), lambda: kernel.NgramIndex(tokens, 1, 1, 4),
        lambda: index.matches(0, 3, 1, 3), lambda: index.matches(0, 1, 0, 3), lambda: index.matches(0, 1, 1, 4),
        lambda: index.matches(1, 0, 1, 3), lambda: lcs.lengths(0, 4, 0, 1), lambda: lcs.lengths(0, 1, 2, 2),
    ]  # fmt: skip
    for call in wrong:
        with pytest.raises(ValueError, match="expected"):
            call()
    assert np.asarray(index.matches(0, 2, 1, 3)).tolist() == [[[1, 0]], [[2, 1]]]
