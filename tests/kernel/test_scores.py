"""Formulas of both kernels against the tools', from the same counts: equal to the last bit."""

import itertools
import math
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.translate import bleu_score as nltk_bleu
from rouge_score.scoring import fmeasure
from sacrebleu.metrics import BLEU, CHRF, TER
from textgauge.plain import scores

from kernel.material import many

PARTS = ("bleu", "brevity_penalty", "length_ratio", "mean")


@st.composite
def bleu_rows(draw, max_order=6, least=0):
    """The order, and matches, totals and lengths as lists: of texts, of corpora, with few and with no matches."""
    random = Random(draw(st.integers(0, 2**32)))
    n, size = draw(st.integers(1, max_order)), draw(st.sampled_from([3, 9, 60, 10**5]))
    length, reference = random.randint(least, size), random.randint(least, size)
    totals = [max(length - i, 0) for i in range(n)]
    matches = [*itertools.accumulate(totals, lambda most, total: random.randint(0, min(most, total)))]
    if random.random() < 0.5:
        matches[0] = random.randint(0, totals[0])
    matches = [*itertools.accumulate(matches, min)]
    return n, matches, totals, length, reference


def row_of(matches, totals, *lengths):
    return np.array([*matches, *totals, *lengths])


def parts_of(found, n):
    return dict(zip(PARTS, found, strict=False)) | {"precisions": found[4 : 4 + n], "weights": found[4 + n :]}


@many
@given(drawn=bleu_rows(), value=st.floats(0, 9), is_default=st.booleans(), effective_order=st.booleans())
@pytest.mark.parametrize(
    ("method", "code"), [("none", scores.NONE), ("floor", scores.FLOOR), ("add-k", scores.ADD_K), ("exp", scores.EXP)]
)
def test_bleu_of_sacrebleu(kernel, method, code, drawn, value, is_default, effective_order):
    n, matches, totals, *lengths = drawn
    value = BLEU.SMOOTH_DEFAULTS[method] if is_default else value
    # It changes the counts.
    official = BLEU.compute_bleu([*matches], [*totals], *lengths, method, value, effective_order, n)
    how = {"effective_order": effective_order, "counting": scores.SACREBLEU}
    row = row_of(matches, totals, *lengths)
    parts = parts_of(kernel.bleu_scores(row, n, code, float(value or 0), percent=True, **how), n)
    assert (parts["bleu"], parts["precisions"]) == (official.score, official.precisions)
    assert parts["length_ratio"] == official.ratio
    if lengths[0]:
        assert parts["brevity_penalty"] == official.bp
    shares = kernel.bleu_scores(row, n, code, float(value or 0), **how)
    assert shares[0] == official.score / 100


def bleu_of_evaluate(n, matches, totals, length, reference, smooth):
    """As in `nmt_bleu.py`, which the `bleu` module calls."""
    precisions = [0.0] * n
    for i in range(n):
        if smooth:
            precisions[i] = (matches[i] + 1.0) / (totals[i] + 1.0)
        elif totals[i] > 0:
            precisions[i] = float(matches[i]) / totals[i]
    mean = math.exp(sum((1.0 / n) * math.log(p) for p in precisions)) if min(precisions) > 0 else 0.0
    ratio = float(length) / reference
    penalty = 1.0 if ratio > 1.0 else math.exp(1 - 1.0 / ratio)
    return mean * penalty, precisions, penalty, ratio


@many
@given(drawn=bleu_rows(least=1), smooth=st.booleans())
def test_bleu_of_evaluate(kernel, drawn, smooth):
    n, *counts = drawn
    found = parts_of(kernel.bleu_scores(row_of(*counts), n, scores.ADD_ONE if smooth else scores.NONE), n)
    names = ("bleu", "precisions", "brevity_penalty", "length_ratio")
    assert tuple(found[name] for name in names) == bleu_of_evaluate(n, *counts, smooth)


def bleu_of_scripts(n, matches, totals, length, reference, *, is_smoothed):
    """As multi-bleu.perl and mteval-v13a.pl: one logarithm after the other is added."""
    logs, halves = 0.0, 1
    for match, total in zip(matches, totals, strict=True):
        if is_smoothed and total and not match:
            halves *= 2
            logs += math.log(1 / (halves * total))
        elif match:
            logs += math.log(match / total)
        elif not is_smoothed:
            return 0.0
    return math.exp(logs / n) * (math.exp(1 - reference / length) if length < reference else 1)


@many
@given(drawn=bleu_rows(least=1), is_smoothed=st.booleans())
def test_bleu_of_the_scripts(kernel, drawn, is_smoothed):
    n, *counts = drawn
    code, counting = (scores.EXP, scores.MTEVAL) if is_smoothed else (scores.NONE, scores.MOSES)
    found = kernel.bleu_scores(row_of(*counts), n, code, counting=counting)
    assert found[0] == bleu_of_scripts(n, *counts, is_smoothed=is_smoothed)


def bleu_of_coco(n, matches, totals, length, reference):
    """pycocoevalcap, `bleu_scorer.py`, `compute_score` with the closest length."""
    bleu = 1.0
    for match, total in zip(matches, totals, strict=True):
        bleu *= float(match + 1e-15) / (total + 1e-9)
    ratio = (length + 1e-15) / (reference + 1e-9)
    return bleu ** (1.0 / n) * (math.exp(1 - 1 / ratio) if ratio < 1 else 1)


@many
@given(drawn=bleu_rows())
def test_bleu_of_captions(kernel, drawn):
    n, *counts = drawn
    assert kernel.bleu_scores(row_of(*counts), n, counting=scores.COCO)[0] == bleu_of_coco(n, *counts)


@st.composite
def words(draw):
    return Random(draw(st.integers(0, 2**32))).choices("abcd", k=draw(st.integers(5, 60)))


NLTK = {
    "0": (scores.EPSILON, 2.2250738585072014e-308), "1": (scores.FLOOR, 0.1), "2": (scores.ADD_K, 1.0),
    "3": (scores.EXP, 0.0), "4": (scores.METHOD_4, 5.0),
}  # fmt: skip


@many
@given(hypothesis=words(), reference=words(), weights=st.none() | st.lists(st.floats(0.01, 1), min_size=4, max_size=4))
@pytest.mark.parametrize("method", NLTK)
def test_bleu_of_nltk(kernel, method, hypothesis, reference, weights):
    smoothing = getattr(nltk_bleu.SmoothingFunction(), f"method{method}")
    official = nltk_bleu.sentence_bleu([reference], hypothesis, weights or (0.25,) * 4, smoothing)
    shares = [nltk_bleu.modified_precision([reference], hypothesis, n) for n in range(1, 5)]
    counts = [one.numerator for one in shares], [one.denominator for one in shares], len(hypothesis), len(reference)
    found = kernel.bleu_scores(row_of(*counts), 4, *NLTK[method], weights=weights or (), counting=scores.NLTK)
    assert found[0] == float(official)


@st.composite
def chrf_rows(draw):
    """For every order the n-grams of both sides, and those in common."""
    random = Random(draw(st.integers(0, 2**32)))
    n, size = draw(st.integers(1, 9)), draw(st.sampled_from([2, 30, 10**6]))
    rows = [[random.randint(0, size), random.randint(0, size)] for _ in range(n)]
    return [(h if r else 0, r, random.randint(0, min(h, r))) for h, r in rows]


@many
@given(drawn=chrf_rows(), beta=st.sampled_from([1, 2, 3]) | st.floats(0, 5), eps_smoothing=st.booleans())
def test_chrf_of_sacrebleu(kernel, drawn, beta, eps_smoothing):
    official = CHRF(len(drawn), 0, beta, eps_smoothing=eps_smoothing)._compute_f_score(
        [n for row in drawn for n in row]
    )
    row = np.array(drawn).T.reshape(-1)
    [score] = kernel.chrf_scores(row, float(beta), eps_smoothing, percent=True)
    assert score == official
    assert kernel.chrf_scores(row, float(beta), eps_smoothing, True, parts=True)[0] == official


@many
@given(edits=st.integers(0, 99), words=st.sampled_from([0.0, 3.0, 10 / 3, 1e6]))
def test_ter_of_sacrebleu(kernel, edits, words):
    [rate] = kernel.ter_scores(np.array([edits, words]))
    assert 100 * rate == TER()._compute_score_from_stats([edits, words]).score


shares = st.tuples(st.integers(0, 400), st.integers(0, 400), st.integers(0, 400)).map(
    lambda sizes: (min(sizes), *sizes[1:])
)


@many
@given(drawn=shares)
def test_f_of_rouge_score(kernel, drawn):
    matches, *sizes = drawn
    expected = [matches / size if size else 0.0 for size in sizes]
    assert kernel.f_scores(np.array(drawn)) == [*expected, fmeasure(*expected)]


@many
@given(drawn=shares, alpha=st.sampled_from([0.0, 0.5, 0.8, 1.0]), weight=st.sampled_from([1.0, 1.2]))
def test_f_of_the_rouge_script(kernel, drawn, alpha, weight):
    matches, *sizes = drawn
    precision, recall = (float(f"{(matches / size if size else 0) ** (1 / weight):.5f}") for size in sizes)
    below = (1 - alpha) * precision + alpha * recall
    expected = float(f"{precision * recall / below if below else 0:.5f}")
    assert kernel.f_scores(np.array(drawn), (weight,), alpha=alpha, rounded=True) == [precision, recall, expected]


# Ties, values next to ties, and those that multiplying by 100,000 moves onto one or off it.
near_ties = st.builds(
    lambda tie, ulps: tie + ulps * math.ulp(tie),
    st.one_of(st.integers(1, 2**12).map(lambda n: n / 2**12), st.integers(0, 10**5 - 1).map(lambda n: (n + 0.5) / 1e5)),
    st.integers(-3, 3),
)


@many
@given(st.one_of(near_ties, st.floats(0, 1)))
def test_five_decimals_are_those_of_printf(kernel, value):
    assume(value <= 1)
    expected = float(f"{value:.5f}")
    assert kernel.f_scores(np.array([value, 1.0, 1.0]), rounded=True)[0] == expected
    assert [*kernel.five_decimals(np.array([value]))] == [expected]


def test_rows_of_any_shape(kernel):
    rows = np.arange(48).reshape(2, 2, 12)
    calls = (
        lambda rows: kernel.bleu_scores(rows, 5), kernel.chrf_scores, lambda rows: kernel.f_scores(rows, (1.0, 1.0)),
        lambda rows: kernel.ter_scores(rows[..., :2]), lambda rows: kernel.meteor_scores(rows[..., :4]),
    )  # fmt: skip
    for call in calls:
        for kind in (np.int64, np.float64):
            every = np.asarray(call(rows.astype(kind)))
            assert every.shape[1:] == (2, 2)
            assert np.moveaxis(every, 0, -1).tolist() == [[call(row) for row in block] for block in rows]
            assert np.asarray(call(rows[:0].astype(kind))).size == 0


def test_numbers_behind_the_types_stay(kernel):
    assert kernel.f_scores(np.array([1, 2, 2, 7]))[3:] == [7.0]


@pytest.mark.parametrize("n", range(1, 64, 2))
def test_halves_of_a_fifth_decimal_go_to_the_even_number(kernel, n):
    # 1/64 is 0.015625: of these a sixth decimal is a 5, and the last one, without rounding.
    assert [*kernel.five_decimals(np.array([n / 64]))] == [float(f"{n / 64:.5f}")]
    assert [*kernel.five_decimals(np.array([1 / 64, 3 / 64]))] == [0.01562, 0.04688]


def test_adding_nothing_leaves_the_effective_order(kernel):
    # Two tokens: no n-grams of orders 3 and 4.
    row = np.array([2, 1, 0, 0, 2, 1, 0, 0, 2, 2])
    none, one = (kernel.bleu_scores(row, 4, scores.ADD_K, value, effective_order=True) for value in (0.0, 1.0))
    assert none[0] == 1
    assert none[-4:] == [0.5, 0.5, 0, 0]
    assert one[-4:] == [0.25] * 4


@pytest.mark.parametrize(
    ("counting", "expected"), [(scores.PLAIN, 0), (scores.MTEVAL, 0), (scores.MOSES, 0), (scores.SACREBLEU, 1)]
)
def test_an_empty_reference_is_matched_only_where_the_tool_says_so(kernel, counting, expected):
    # No text has such counts, but smoothing makes precisions of none.
    row = np.array([5, 4, 3, 2, 5, 4, 3, 2, 5, 0])
    assert round(kernel.bleu_scores(row, 4, scores.EXP, 0.0, counting=counting)[0], 12) == expected


def test_shares_of_weights_do_not_exceed_1(kernel):
    """Sums of weights are rounded: those of the matches may be more than that of the whole in their last bit."""
    more = np.nextafter(7.0, 8.0)
    assert np.asarray(kernel.f_scores(np.array([more, 7.0, 7.0]), [1.2])).tolist() == [1.0, 1.0, 1.0]
    assert np.asarray(kernel.f_scores(np.array([7.0, more, 7.0]), [0.5]))[1] == 1.0
    assert np.asarray(kernel.f_scores(np.array([more, 7.0, 14.0]), [0.5]))[0] == 1.0
