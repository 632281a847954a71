import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.skips import matches, skip_bigrams
from textgauge.counts import Sides, skip_bigram_matches, skip_bigram_totals, skips, unigram_groups
from textgauge.ragged import Ragged

tokens = st.one_of(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 30), max_size=40))
gaps = st.one_of(st.none(), st.integers(0, 45))


def sides_of(hyps, refs):
    return Sides.of(Ragged.from_rows(hyps), Ragged.from_rows(refs), np.arange(len(refs) + 1))


@pytest.mark.parametrize("block", [1, 50, skips.BLOCK])
@settings(deadline=None)
@given(corpus=st.lists(st.tuples(tokens, tokens), min_size=1, max_size=8), gap=gaps)
def test_matches_are_those_of_the_listed_pairs_whatever_the_block(block, corpus, gap):
    hyps, refs = [h for h, _ in corpus], [r for _, r in corpus]
    sides = sides_of(hyps, refs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(skips, "BLOCK", block)
        found = skip_bigram_matches(unigram_groups(sides), sides, gap)
    assert found.tolist() == [matches(h, r, gap) for h, r in corpus]


@settings(deadline=None)
@given(st.integers(0, 40), gaps)
def test_totals_are_the_number_of_listed_pairs(length, gap):
    expected = sum(skip_bigrams(list(range(length)), gap).values())
    assert skip_bigram_totals(np.array([length]), gap).tolist() == [expected]


@pytest.mark.parametrize("n_kinds", [1, 50, 100_000])
def test_two_million_pairs_take_no_quadratic_memory(n_kinds):
    rng = np.random.default_rng(0)
    hyp, ref = (rng.integers(0, n_kinds, 2000).tolist() for _ in range(2))
    ref = ref[:1000] + hyp[1000:]
    sides = sides_of([hyp], [ref])
    groups = unigram_groups(sides)
    tracemalloc.start()
    found = skip_bigram_matches(groups, sides, None)[0]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == matches(hyp, ref)
    assert peak < 25e6
