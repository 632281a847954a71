import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.weighted import union_hits, wlcs
from textgauge.counts import Sides, limits_elsewhere, marks, unigram_groups, weighted, weighted_lcs, weighted_union_hits
from textgauge.ragged import Ragged

tokens = st.one_of(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 30), max_size=40))
sentences = st.lists(tokens, min_size=1, max_size=4)
weights = st.sampled_from([1.0, 1.2, 1.5, 2.0])


def sides_of(hyps, refs):
    return Sides.of(Ragged.from_rows(hyps), Ragged.from_rows(refs), np.arange(len(refs) + 1))


def joined(texts):
    return [sum(text, []) for text in texts]


def summaries_of(hyps, refs):
    sides = sides_of(joined(hyps), joined(refs))
    return unigram_groups(sides), sides.cut(*(Ragged.from_rows(sum(side, [])) for side in (hyps, refs)))


@pytest.fixture(
    params=[(1, 1, 1), (weighted.DIAGONAL, weighted.KEPT, marks.BLOCK)], ids=["single", "batch"], scope="module"
)
def sizes(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weighted, "DIAGONAL", request.param[0])
        patch.setattr(weighted, "KEPT", request.param[1])
        patch.setattr(marks, "BLOCK", request.param[2])
        yield


@settings(deadline=None)
@given(st.lists(st.tuples(tokens, tokens), min_size=1, max_size=12), weights)
def test_wlcs_is_that_of_the_full_table(sizes, pairs, weight):
    hyps, refs = [h for h, _ in pairs], [r for _, r in pairs]
    sides = sides_of(hyps, refs)
    expected = [wlcs(r, h, weight) for h, r in pairs]
    assert weighted_lcs(unigram_groups(sides), sides, weight).tolist() == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=8), weights)
def test_union_is_walked_as_the_script_does(sizes, pairs, weight):
    hyps, refs = [h for h, _ in pairs], [r for _, r in pairs]
    expected = [union_hits(r, h, weight) for h, r in pairs]
    assert weighted_union_hits(*summaries_of(hyps, refs), weight).tolist() == pytest.approx(expected, abs=1e-9)


few = st.sampled_from([[0], [1], [0, 1], [0, 1, 9], [0, 9, 1], [1, 0, 1], [8, 1], [1, 8], [1, 8, 1], []])


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.lists(few, min_size=1, max_size=9)] * 2), min_size=1, max_size=4), weights)
def test_union_of_sentences_that_come_again(sizes, pairs, weight):
    hyps, refs = [h for h, _ in pairs], [r for _, r in pairs]
    expected = [union_hits(r, h, weight) for h, r in pairs]
    assert weighted_union_hits(*summaries_of(hyps, refs), weight).tolist() == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(sentences, sentences, tokens, tokens), min_size=1, max_size=5))
def test_tokens_count_as_often_as_other_texts_have_them(corpus):
    hyps, refs, hyp_words, ref_words = (list(column) for column in zip(*corpus, strict=True))
    groups, sides = summaries_of(hyps, refs)
    other = sides_of(hyp_words, ref_words)
    limits = limits_elsewhere(groups, sides, unigram_groups(other), other)
    expected = [union_hits(r, h, 1.2, rw, hw) for h, r, hw, rw in corpus]
    assert weighted_union_hits(groups, sides, 1.2, limits).tolist() == pytest.approx(expected, abs=1e-9)


def test_long_sentences_take_no_quadratic_memory():
    rng = np.random.default_rng(1)
    hyp, ref = (rng.integers(0, 300, 3000).tolist() for _ in range(2))
    groups, sides = summaries_of([[hyp]], [[ref]])
    tracemalloc.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weighted, "KEPT", 1 << 16)
        hits = weighted_union_hits(groups, sides, 1.2)[0]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert hits > 100
    # One byte for each of the 9 million cells would be more.
    assert peak < 6e6
