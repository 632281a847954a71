"""Targets: comparisons of two systems, by counting resamples one by one."""

from fractions import Fraction

import numpy as np
import pytest
import textgauge
from hypothesis import strategies as st
from oracles import resampling as twin
from strategies import corpora, split
from textgauge.resampling import exchanged_sums, paired_bootstrap, paired_permutation, resampled_sums

COUNTED = {"two-sided": twin.two_sided, "one-sided": twin.one_sided, "sacrebleu": twin.moses}


def drawn_differences(gains, is_permutation, n_resamples, seed):
    """What every draw makes of the difference of the means, without rounding."""
    draws = exchanged_sums if is_permutation else resampled_sums
    rows = np.concatenate(list(draws(np.eye(len(gains), dtype=int), n_resamples, seed))).astype(int).tolist()
    weights = [[1 - 2 * swapped for swapped in row] for row in rows] if is_permutation else rows
    return [Fraction(sum(w * g for w, g in zip(row, gains, strict=True)), len(gains)) for row in weights]


def paired(pairs, is_permutation, p_value, n_resamples, seed):
    """p is the share of the resamples that say so; the same again, mirrored, and 1 for equal systems."""
    first, second = (list(column) for column in zip(*pairs, strict=True))
    p_value = "two-sided" if is_permutation and p_value == "sacrebleu" else p_value
    compare = paired_permutation if is_permutation else paired_bootstrap
    options = {"n_resamples": n_resamples, "seed": seed, "p_value": p_value}
    found = compare(first, second, **options)
    gains = [b - a for a, b in pairs]
    drawn = drawn_differences(gains, is_permutation, n_resamples, seed)
    observed = Fraction(sum(gains), len(gains))
    if not is_permutation and p_value != "sacrebleu":
        drawn = [d - observed for d in drawn]
    assert found.p == pytest.approx(float(COUNTED[p_value](drawn, observed)), abs=1e-12)
    assert 0 < found.p <= 1
    assert compare(first, second, **options) == found
    assert compare(first, first, **options).p == 1
    mirrored(found, compare(second, first, **options), p_value)


def mirrored(there, back, p_value):
    """An exchange of the two systems changes sides and signs."""
    assert (back.stat, back.score1, back.score2) == (-there.stat, there.score2, there.score1)
    assert back.wins == there.wins[::-1]
    assert sum(there.wins) <= 1 + 1e-12
    assert back.p == there.p or p_value == "one-sided"
    low, high = there.confidence_interval
    assert low <= high
    assert back.confidence_interval == pytest.approx([-high, -low], abs=1e-9)
    assert back.confidence_interval1 == pytest.approx(there.confidence_interval2)


def floats(rows, is_permutation, seed):
    """Any numbers yield a probability or an error of our form."""
    compare = paired_permutation if is_permutation else paired_bootstrap
    first, second = (list(column) for column in zip(*rows, strict=True))
    found = compare(first, second, n_resamples=50, seed=seed)
    assert 0 < found.p <= 1
    assert compare(first, first, n_resamples=50, seed=seed).p == 1
    scaled = compare([8 * a for a in first], [8 * b for b in second], n_resamples=50, seed=seed)
    assert (scaled.p, scaled.wins) == (found.p, found.wins)
    mirrored(found, compare(second, first, n_resamples=50, seed=seed), "two-sided")


def texts(corpus, metric, test, shift):
    """Two systems of texts, and their mirror image."""
    hyps, refs = split(corpus)
    others = [(group[0] if (i + shift) % 2 else hyp) for i, (hyp, group) in enumerate(zip(hyps, refs, strict=True))]
    options = {"metric": metric, "test": test, "n_resamples": 30}
    [there], [back] = (textgauge.compare(pair, refs, **options) for pair in ([hyps, others], [others, hyps]))
    mirrored(there, back, "two-sided")
    [same] = textgauge.compare([hyps, list(hyps)], refs, **options)
    assert same.p == 1
    assert same.wins == [0, 0]


whole = st.integers(-9, 9) | st.integers(-1000, 1000)
real = st.floats(-1e6, 1e6).map(lambda value: value if abs(value) > 1e-6 else 0.0) | st.sampled_from([0.0, 0.5, 1.0])
TARGETS = {
    "paired": (
        paired,
        st.tuples(
            st.lists(st.tuples(whole, whole), min_size=2, max_size=80),
            st.booleans(),
            st.sampled_from(list(COUNTED)),
            st.integers(1, 90),
            st.integers(0, 2**70),
        ),
    ),
    "paired floats": (
        floats,
        st.tuples(st.lists(st.tuples(real, real), min_size=2, max_size=80), st.booleans(), st.integers(0, 99)),
    ),
    "compare": (
        texts,
        st.tuples(
            corpora.filter(lambda corpus: len(corpus) > 1),
            st.sampled_from(["bleu", "rouge1", "rougeL", "rougeW", "rougeSU4", "token_f1", "token_f1_exact_match"]),
            st.sampled_from(["bootstrap", "permutation"]),
            st.integers(0, 1),
        ),
    ),
}
