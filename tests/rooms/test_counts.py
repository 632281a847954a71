import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.bleu import clipped_matches
from textgauge.counts import Sides, ngram_matches
from textgauge.ragged import Ragged, offsets_of

tokens = st.lists(st.integers(0, 3), max_size=12)
# More than 64 matched tokens do not fit a mask.
wide = st.integers(0, 2**32).map(lambda seed: np.random.default_rng(seed).integers(0, 9, 40 + seed % 90).tolist())
text = tokens | wide
segments = st.lists(st.tuples(text, st.lists(text, min_size=1, max_size=3)), min_size=1, max_size=5)


@settings(deadline=None)
@given(segments, st.integers(1, 6))
def test_clipped_matches(corpus, orders):
    hyps, refs = [h for h, _ in corpus], [r for _, r in corpus]
    flat = Ragged.from_rows([ref for group in refs for ref in group])
    sides = Sides.of(Ragged.from_rows(hyps), flat, offsets_of([len(r) for r in refs]))
    counts = ngram_matches(sides, orders)
    expected = [[clipped_matches(h, r, n) for n in range(1, orders + 1)] for h, r in corpus]
    assert counts.tolist() == expected


def test_colliding_hashes_are_told_apart():
    # Multiples of 2^64 / odd constant apart: the packed sort sees equal leading bits.
    odd = 0x9E3779B97F4A7C15
    keys = np.array([pow(odd, -1, 1 << 64) * low % (1 << 64) for low in range(40)], np.uint64)
    keys ^= keys >> np.uint64(32)
    hyp, ref = Ragged(keys[:20], offsets_of([20])), Ragged(keys[20:], offsets_of([20]))
    assert ngram_matches(Sides.of(hyp, ref, np.array([0, 1])), 1).tolist() == [[0]]
    assert ngram_matches(Sides.of(hyp, hyp, np.array([0, 1])), 1).tolist() == [[20]]
