"""Counts of tokens: both kernels against naive definitions, and against each other on longer texts."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import rouge_scorer
from textgauge import plain

from kernel import naive
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
@given(small_segments, st.integers(1, 12))
def test_ngrams(kernel, segments, max_order):
    orders = range(1, max_order + 1)
    tokens = tokens_of(kernel, segments)
    found = listed(kernel.ngram_matches(tokens, max_order))
    assert found == [[naive.clipped(segment[0], segment[1:], n) for n in orders] for segment in segments]
    found = listed(kernel.pair_ngram_matches(tokens, max_order))
    assert found == [[naive.clipped(left, [right], n) for n in orders] for left, right in pairs_of(segments)]
    found = listed(kernel.pair_ngram_matches(tokens, max_order, drops_last=True))
    assert found == [[naive.clipped(left[:-1], [right[:-1]], n) for n in orders] for left, right in pairs_of(segments)]


@few
@given(small_segments, st.integers(1, 12))
def test_matched_orders(kernel, segments, max_order):
    order_of, joins = kernel.matched_orders(tokens_of(kernel, segments), max_order)
    marks = [mark for segment in segments for mark in naive.matched_orders(segment[0], segment[1:], max_order)]
    assert listed(order_of) == [order for orders, _ in marks for order in orders]
    assert listed(joins) == [join for _, joined in marks for join in joined]


@few
@given(small_segments)
def test_lcs(kernel, segments):
    found = kernel.lcs_lengths(tokens_of(kernel, segments))
    assert listed(found) == [naive.lcs_length(right, left) for left, right in pairs_of(segments)]


@few
@given(small_segments)
def test_lcs_path_breaks_ties_as_rouge_score(kernel, segments):
    for left, right in pairs_of(segments):
        path = listed(kernel.lcs_path(np.array(left, np.uint32), np.array(right, np.uint32)))
        assert [i for _, i in path] == rouge_scorer.lcs_ind(right, left)
        assert path == naive.lcs_path(left, right)


@few
@given(small_segments, st.sampled_from(WEIGHTS))
def test_weighted_lcs(kernel, segments, weight):
    found = kernel.weighted_lcs(tokens_of(kernel, segments), weight)
    assert listed(found) == [naive.wlcs(right, left, weight) for left, right in pairs_of(segments)]


@few
@given(small_segments, gaps)
def test_skip_bigrams(kernel, segments, gap):
    found = kernel.skip_bigram_matches(tokens_of(kernel, segments), gap)
    assert listed(found) == [naive.skip_matches(left, right, gap) for left, right in pairs_of(segments)]


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
        assert count == naive.union_hits(right, left)
        total = sum(map(len, right))
        score = rouge_scorer._summary_level_lcs(right, left).recall
        assert score == (count / total if total and any(left) else 0)


@few
@given(cut_segments(st.integers(0, 9)), st.sampled_from(WEIGHTS))
def test_weighted_union(kernel, segments, weight):
    found = listed(kernel.union_weighted_lcs(tokens_of_sentences(kernel, segments), weight))
    assert found == [naive.weighted_union_hits(right, left, weight) for left, right in pairs_of(segments)]


@few
@given(cut_segments(st.integers(0, 9)), st.data())
def test_unions_can_be_limited_by_texts_that_are_cut_shorter(kernel, segments, data):
    wholes = [[whole[: data.draw(st.integers(0, 9))] for whole in map(naive.joined, segment)] for segment in segments]
    tokens = tokens_of_sentences(kernel, segments, wholes)
    pairs = list(zip(pairs_of(segments), pairs_of(wholes), strict=True))
    assert listed(kernel.union_lcs(tokens, "texts")) == [naive.union_hits(r, h, *words) for (h, r), words in pairs]
    found = listed(kernel.union_weighted_lcs(tokens, 1.2, "texts"))
    assert found == [naive.weighted_union_hits(r, h, 1.2, *words) for (h, r), words in pairs]


def expected_pair_counts(pair, wholes, unit):
    """Matches and units, from the other functions' definitions."""
    (left, right), (sentences, others) = wholes, pair
    if unit == 0:
        return [naive.lcs_length(right, left), len(left), len(right)]
    if unit == -1:
        return [naive.union_hits(others, sentences), sum(map(len, sentences)), sum(map(len, others))]
    return [naive.clipped(left, [right], unit), max(len(left) - unit + 1, 0), max(len(right) - unit + 1, 0)]


@few
@given(cut_segments(st.integers(0, 9)), st.lists(st.integers(-1, 12), min_size=1, max_size=5))
def test_several_units_at_once(kernel, segments, units):
    wholes = [list(map(naive.joined, segment)) for segment in segments]
    found = listed(kernel.pair_counts(tokens_of_sentences(kernel, segments), np.array(units, np.int32)))
    pairs = list(zip(pairs_of(segments), pairs_of(wholes), strict=True))
    assert found == [[expected_pair_counts(pair, texts, unit) for unit in units] for pair, texts in pairs]


@few
@given(cut_segments(), st.lists(st.sampled_from([-1, 0, 1, 2, 3, 4, 9, 300]), min_size=1, max_size=6))
def test_compiled_counts_units_as_plain_does(compiled, segments, units):
    wanted = np.array(units, np.int32)
    found = [listed(kernel.pair_counts(tokens_of_sentences(kernel, segments), wanted)) for kernel in (compiled, plain)]
    assert found[0] == found[1]


COUNTS = {
    "ngrams": lambda kernel, tokens: kernel.ngram_matches(tokens, 5),
    "high orders": lambda kernel, tokens: kernel.ngram_matches(tokens, 300),
    "ngrams of pairs": lambda kernel, tokens: kernel.pair_ngram_matches(tokens, 4),
    "all but the last": lambda kernel, tokens: kernel.pair_ngram_matches(tokens, 2, drops_last=True),
    "matched orders": lambda kernel, tokens: kernel.matched_orders(tokens, 4),
    "lcs": lambda kernel, tokens: kernel.lcs_lengths(tokens),
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


@pytest.mark.parametrize(("sizes", "n_kinds"), [((900, 700), 40), ((2000, 1900), 500), ((1600, 2400), 3000)])
def test_compiled_paths_of_long_texts_are_plain_paths(compiled, sizes, n_kinds):
    random = np.random.default_rng(n_kinds)
    left, right = (np.array(rare(random, n, n_kinds), np.uint32) for n in sizes)
    assert listed(compiled.lcs_path(left, right)) == listed(plain.lcs_path(left, right))


@pytest.mark.parametrize("n_kinds", [500, 3000])
def test_compiled_unions_of_long_sentences_are_plain_unions(compiled, n_kinds):
    random = np.random.default_rng(n_kinds)
    segments = [[[rare(random, n, n_kinds) for n in (1500, 1501)] for _ in range(2)]]
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


@pytest.mark.parametrize("call", ["ngram_matches", "pair_ngram_matches", "matched_orders"])
def test_orders_begin_at_1(kernel, call):
    with pytest.raises(ValueError, match="max_order"):
        getattr(kernel, call)(tokens_of(kernel, [[[1], [1]]]), 0)


def test_no_segments(kernel):
    tokens = tokens_of(kernel, [])
    assert len(tokens) == 0
    assert listed(kernel.ngram_matches(tokens, 4)) == []
    assert listed(kernel.bag_matches(tokens)) == []
    assert listed(kernel.lcs_lengths(tokens)) == []
