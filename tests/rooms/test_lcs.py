import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.lcs import lcs_length, union_hits
from textgauge.counts import Sides, lcs, lcs_lengths, marks, masks, unigram_groups, union_lcs_hits, wide
from textgauge.ragged import Ragged

tokens = st.lists(st.integers(0, 4), max_size=12)
wide_tokens = st.lists(st.integers(0, 9), min_size=50, max_size=300)
sentences = st.lists(st.one_of(tokens, st.lists(st.integers(0, 30), max_size=30)), min_size=1, max_size=4)

# A batch of all lanes, each lane alone, and the division that is made by size; blocks of one sentence, of few, of all.
# Alone, all masks and states of a lane are held, or few of them.
PATHS = {
    "batch": (0, 1, 2**25),
    "single": (10**9, 20, 2**25),
    "single in little memory": (10**9, 20, 0),
    "mixed": (lcs.BATCH_PAYS_FROM, marks.BLOCK, 2**12),
}


@pytest.fixture(params=PATHS, scope="module")
def path(request):
    batch_pays_from, block, held = PATHS[request.param]
    with pytest.MonkeyPatch.context() as patch:
        for module in (lcs, masks):
            patch.setattr(module, "BATCH_PAYS_FROM", batch_pays_from)
        patch.setattr(marks, "BLOCK", block)
        patch.setattr(wide, "ALL_STATES_UP_TO", held)
        patch.setattr(wide, "ALL_MASKS_UP_TO", held)
        yield request.param


def sides_of(hyps, refs):
    return Sides.of(Ragged.from_rows(hyps), Ragged.from_rows(refs), np.arange(len(refs) + 1))


def summaries_of(hyps, refs):
    flat = [[[token for sentence in text for token in sentence] for text in side] for side in (hyps, refs)]
    sides = sides_of(*flat)
    cut = [Ragged.from_rows([sentence for text in side for sentence in text]) for side in (hyps, refs)]
    return unigram_groups(sides), sides.cut(*cut)


@settings(deadline=None)
@given(st.lists(st.tuples(tokens, tokens) | st.tuples(wide_tokens, wide_tokens), min_size=1, max_size=40))
def test_lengths(path, pairs):
    hyps, refs = [h for h, _ in pairs], [r for _, r in pairs]
    sides = sides_of(hyps, refs)
    expected = [lcs_length(r, h) for h, r in pairs]
    assert lcs_lengths(sides).tolist() == expected


@settings(deadline=None)
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=20))
def test_union(path, pairs):
    hyps, refs = [h for h, _ in pairs], [r for _, r in pairs]
    expected = [union_hits(r, h) for h, r in pairs]
    assert union_lcs_hits(*summaries_of(hyps, refs)).tolist() == expected


def test_union_of_sentences_wider_than_a_word(path):
    rng = np.random.default_rng(0)
    pairs = [
        [[rng.integers(0, 30, rng.integers(60, 200)).tolist() for _ in range(2)] for _ in range(2)] for _ in range(4)
    ]
    hyps, refs = [h for h, _ in pairs], [r for _, r in pairs]
    assert union_lcs_hits(*summaries_of(hyps, refs)).tolist() == [union_hits(r, h) for h, r in pairs]


few = st.sampled_from([[0], [1], [0, 1], [0, 1, 9], [0, 9, 1], [1, 0, 1], [8, 1], [1, 8], [], list(range(70))])


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.lists(few, min_size=1, max_size=9)] * 2), min_size=1, max_size=4))
def test_union_of_sentences_that_come_again(path, pairs):
    hyps, refs = [h for h, _ in pairs], [r for _, r in pairs]
    assert union_lcs_hits(*summaries_of(hyps, refs)).tolist() == [union_hits(r, h) for h, r in pairs]


def test_many_sentences_with_one_word_in_common_take_bounded_memory():
    # 4 million pairs of sentences, all with a token in common, at 100 bytes each would be 400 MB.
    hyps, refs = ([[0, start + i] for i in range(2000)] for start in (1, 1001))
    groups, sides = summaries_of([hyps], [refs])
    tracemalloc.start()
    hits = union_lcs_hits(groups, sides).tolist()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert hits == [2000 + 1000]
    assert peak < 100e6


def test_long_documents_take_linear_memory():
    # A table of 20,000 x 20,000 cells would be 400 million of them.
    rng = np.random.default_rng(1)
    hyp, ref = (rng.integers(0, 5000, 20_000).tolist() for _ in range(2))
    sides = sides_of([hyp], [ref])
    groups = unigram_groups(sides)
    tracemalloc.start()
    length = lcs_lengths(sides)[0]
    hits = union_lcs_hits(groups, sides)[0]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert length == hits
    assert peak < 30e6


def test_nothing_in_common():
    sides = sides_of([[1, 2], []], [[3], [4]])
    groups = unigram_groups(sides)
    assert lcs_lengths(sides).tolist() == [0, 0]
    assert union_lcs_hits(groups, sides).tolist() == [0, 0]
