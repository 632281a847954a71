"""Counts of tokens: both kernels against official tools, and the compiled one against its twin."""

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles.rouge import skip_bigrams
from rouge_score import rouge_scorer

from kernel.material import (
    cut_segments,
    few,
    listed,
    pairs_of,
    rare,
    small_segments,
    tokens_of,
    tokens_of_sentences,
)

gaps = st.sampled_from([-1, 0, 1, 4, 1000])


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


@few
@given(small_segments)
def test_texts_without_tokens_are_counted(kernel, segments):
    assert tokens_of(kernel, segments).n_empty == sum(not text for segment in segments for text in segment)


def test_no_segments(kernel):
    tokens = tokens_of(kernel, [])
    assert len(tokens) == 0
    assert listed(kernel.ngram_matches(tokens, 4)) == []
    assert listed(kernel.bag_matches(tokens)) == []
    assert listed(kernel.pair_counts(tokens, np.array([1, 0], np.int32))) == []
