"""Counts of tokens: both kernels against official tools, and the compiled one against its twin."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.rouge import skip_bigrams
from rouge_score import rouge_scorer
from textgauge import plain

from kernel.material import (
    cut_segments,
    few,
    listed,
    pairs_of,
    segments,
    small_segments,
    tokens_of,
    tokens_of_sentences,
)

WEIGHTS = [1.0, 1.2, 2.0, 3.7]
gaps = st.sampled_from([-1, 0, 1, 4, 1000])
limits = st.sampled_from(["sentences", "texts"])


@few
@given(small_segments)
def test_lcs_path_breaks_ties_as_rouge_score(kernel, segments):
    for left, right in pairs_of(segments):
        path = listed(kernel.lcs_path(np.array(left, np.uint32), np.array(right, np.uint32)))
        assert [i for _, i in path] == rouge_scorer.lcs_ind(right, left)
        assert [left[j] for j, _ in path] == [right[i] for _, i in path]
        assert all(j < k for (j, _), (k, _) in pairwise(path))


@few
@given(small_segments, gaps)
def test_skip_bigrams(kernel, segments, gap):
    found = kernel.skip_bigram_matches(tokens_of(kernel, segments), gap)
    most = None if gap < 0 else gap
    pairs = [[skip_bigrams(text, most) for text in pair] for pair in pairs_of(segments)]
    assert listed(found) == [(left & right).total() for left, right in pairs]


@few
@given(small_segments, st.booleans())
def test_bags(kernel, segments, as_sets):
    expected = []
    for left, right in pairs_of(segments):
        bags = [Counter(set(text)) if as_sets else Counter(text) for text in (left, right)]
        expected.append([(bags[0] & bags[1]).total(), *(bag.total() for bag in bags), int(left == right)])
    assert listed(kernel.bag_matches(tokens_of(kernel, segments), as_sets)) == expected


@few
@given(cut_segments(st.integers(0, 9)))
def test_union_lcs_is_rouge_scores(kernel, segments):
    found = listed(kernel.union_lcs(tokens_of_sentences(kernel, segments)))
    for count, (left, right) in zip(found, pairs_of(segments), strict=True):
        total = sum(map(len, right))
        score = rouge_scorer._summary_level_lcs(right, left).recall
        assert score == (count / total if total and any(left) else 0)


@few
@given(cut_segments(st.integers(0, 9)), st.data())
def test_unions_can_be_limited_by_texts_that_are_cut_shorter(compiled, segments, data):
    joined = [[sum(text, []) for text in segment] for segment in segments]
    wholes = [[whole[: data.draw(st.integers(0, 9))] for whole in segment] for segment in joined]
    ours, twins = (tokens_of_sentences(kernel, segments, wholes) for kernel in (compiled, plain))
    assert listed(compiled.union_lcs(ours, "texts")) == plain.union_lcs(twins, "texts")
    assert listed(compiled.union_weighted_lcs(ours, 1.2, "texts")) == plain.union_weighted_lcs(twins, 1.2, "texts")


@few
@given(cut_segments(), st.lists(st.sampled_from([-1, 0, 1, 2, 3, 4, 9, 300]), min_size=1, max_size=6), st.booleans())
def test_compiled_counts_units_as_plain_does(compiled, segments, units, drops_last):
    wanted = np.array(units, np.int32)
    ours, twins = (
        kernel.pair_counts(tokens_of_sentences(kernel, segments), wanted, drops_last) for kernel in (compiled, plain)
    )
    assert listed(ours) == twins


@pytest.mark.parametrize("units", [[-2], [65536], [1, -2]])
def test_there_are_no_other_units(kernel, units):
    with pytest.raises(ValueError, match="units"):
        kernel.pair_counts(tokens_of(kernel, [[[1], [1]]]), np.array(units, np.int32))


COUNTS = {
    "ngrams": lambda kernel, tokens: kernel.ngram_matches(tokens, 5),
    "high orders": lambda kernel, tokens: kernel.ngram_matches(tokens, 300),
    "units": lambda kernel, tokens: kernel.pair_counts(tokens, np.array([4, 0, 1], np.int32)),
    "all but the last": lambda kernel, tokens: kernel.pair_counts(tokens, np.array([2, 0, 1], np.int32), True),
    "matched orders": lambda kernel, tokens: kernel.matched_orders(tokens, 4),
    "weighted": lambda kernel, tokens: kernel.weighted_lcs(tokens, 1.2),
    "weighted by 1": lambda kernel, tokens: kernel.weighted_lcs(tokens, 1.0),
    "skips": lambda kernel, tokens: kernel.skip_bigram_matches(tokens, -1),
    "skips of 4": lambda kernel, tokens: kernel.skip_bigram_matches(tokens, 4),
    "bags": lambda kernel, tokens: kernel.bag_matches(tokens),
    "sets": lambda kernel, tokens: kernel.bag_matches(tokens, as_sets=True),
    "edits": lambda kernel, tokens: kernel.translation_edits(tokens),
}


@pytest.mark.parametrize("name", COUNTS)
@few
@given(segments)
def test_compiled_counts_are_plain_counts(compiled, name, segments):
    count = COUNTS[name]
    assert listed(count(compiled, tokens_of(compiled, segments))) == listed(count(plain, tokens_of(plain, segments)))


UNIONS = {
    "lcs": lambda kernel, tokens: kernel.union_lcs(tokens),
    "lcs, texts": lambda kernel, tokens: kernel.union_lcs(tokens, "texts"),
    "weighted": lambda kernel, tokens: kernel.union_weighted_lcs(tokens, 1.2),
    "weighted, texts": lambda kernel, tokens: kernel.union_weighted_lcs(tokens, 3.0, "texts"),
}


@pytest.mark.parametrize("name", UNIONS)
@few
@given(cut_segments())
def test_compiled_unions_are_plain_unions(compiled, name, segments):
    counts = [listed(UNIONS[name](kernel, tokens_of_sentences(kernel, segments))) for kernel in (compiled, plain)]
    assert counts[0] == counts[1]


@few
@given(segments)
def test_compiled_paths_are_plain_paths(compiled, segments):
    for pair in pairs_of(segments):
        left, right = (np.array(text, np.uint32) for text in pair)
        assert listed(compiled.lcs_path(left, right)) == listed(plain.lcs_path(left, right))


def rare(random, n, n_kinds):
    """A text of few frequent tokens and many rare ones: the kernel keeps bits of the first and places of the others.

    The first of the rare ones, with which it begins, is in all texts.
    """
    tokens = np.where(random.random(n) < 0.2, random.integers(0, 8, n), random.integers(0, n_kinds, n))
    return [n_kinds, *tokens[1:].tolist()]


@pytest.mark.parametrize(("sizes", "n_kinds"), [((900, 700), 40), ((300, 1600), 500), ((400, 1500), 3000)])
def test_compiled_paths_of_long_texts_are_plain_paths(compiled, sizes, n_kinds):
    random = np.random.default_rng(n_kinds)
    left, right = (np.array(rare(random, n, n_kinds), np.uint32) for n in sizes)
    assert listed(compiled.lcs_path(left, right)) == listed(plain.lcs_path(left, right))


@pytest.mark.parametrize("n_kinds", [pytest.param(500, marks=pytest.mark.slow), 3000])
def test_compiled_unions_of_long_sentences_are_plain_unions(compiled, n_kinds):
    random = np.random.default_rng(n_kinds)
    sizes = ((1500, 200), (200, 1500))
    segments = [[[rare(random, m, n_kinds) for m in (n, n + 1)] for n in pair] for pair in sizes]
    counts = [listed(kernel.union_lcs(tokens_of_sentences(kernel, segments))) for kernel in (compiled, plain)]
    assert counts[0] == counts[1]


def path_by_table(left, right):
    """Lin (2004), section 3.1: matches first, and a token of the left is dropped only if that loses nothing."""
    cells = np.zeros((len(right) + 1, len(left) + 1), np.int16)
    for i, token in enumerate(right, 1):
        cells[i, 1:] = np.maximum.accumulate(np.maximum(cells[i - 1, 1:], cells[i - 1, :-1] + (left == token)))
    i, j, path = len(right), len(left), []
    while i and j:
        if right[i - 1] == left[j - 1]:
            i, j = i - 1, j - 1
            path.append([j, i])
        elif cells[i, j - 1] > cells[i - 1, j]:
            j -= 1
        else:
            i -= 1
    return path[::-1]


def test_the_path_of_texts_whose_states_are_made_twice(compiled):
    """Of more than 2**19 words of bits only every so many-th row is kept."""
    random = np.random.default_rng(7)
    left, right = (np.array(rare(random, n, 300), np.uint32) for n in (6500, 6400))
    assert listed(compiled.lcs_path(left, right)) == path_by_table(left, right)


@pytest.mark.parametrize("call", ["union_lcs", "union_weighted_lcs"])
def test_unions_need_sentences_and_known_limits(kernel, call):
    more = (1.2,) if "weighted" in call else ()
    with pytest.raises(ValueError, match="sentences"):
        getattr(kernel, call)(tokens_of(kernel, [[[1], [1]]]), *more)
    with pytest.raises(ValueError, match="sentences"):
        kernel.pair_counts(tokens_of(kernel, [[[1], [1]]]), np.array([1, -1], np.int32))
    with pytest.raises(ValueError, match="limits"):
        getattr(kernel, call)(tokens_of_sentences(kernel, [[[[1]], [[1]]]]), *more, limits="lines")


@pytest.mark.parametrize("call", ["ngram_matches", "matched_orders"])
def test_orders_begin_at_1(kernel, call):
    with pytest.raises(ValueError, match="max_order"):
        getattr(kernel, call)(tokens_of(kernel, [[[1], [1]]]), 0)


def test_no_segments(kernel):
    tokens = tokens_of(kernel, [])
    assert len(tokens) == 0
    assert listed(kernel.ngram_matches(tokens, 4)) == []
    assert listed(kernel.bag_matches(tokens)) == []
    assert listed(kernel.pair_counts(tokens, np.array([1, 0], np.int32))) == []
