"""Segments that belong together are drawn, exchanged and counted as one."""

import warnings

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from textgauge import resampling, sample
from textgauge.accumulation.accumulator import accumulator_of, additive, corpus_scores
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.resampling import (
    PairedOptions,
    bootstrap_scores,
    compare_systems,
    paired_bootstrap,
    units_of,
)
from textgauge.resampling.intervals import small_sample_factor
from textgauge.resampling.units import warn_of_unused

HYPS, GROUPS = sample.columns("translations")
REFS = [texts[0] for texts in GROUPS]
BETTER = [*REFS[:9], *HYPS[9:]]
# 24 segments of 12 documents, which stand in pieces.
DOCS = [f"d{i % 12}" for i in range(len(HYPS))]


@given(st.lists(st.integers(0, 5), min_size=1), st.integers(0, 2**32 - 1))
def test_rows_of_a_unit_are_summed(labels, seed):
    rows = np.random.default_rng(seed).integers(-9, 9, (len(labels), 2, 3))
    units = units_of(labels)
    expected = {label: sum(row for row, own in zip(rows, labels, strict=True) if own == label) for label in labels}
    assert units.labels == list(expected)
    assert units.summed(rows).tolist() == [sums.tolist() for sums in expected.values()]
    assert units.sizes.tolist() == [labels.count(label) for label in expected]


@pytest.mark.parametrize("column", [list, tuple, np.array, pa.array, lambda x: pa.chunked_array([x[:3], x[3:]]), iter,
                                    lambda x: [*np.array(x)]])  # fmt: skip
def test_labels_come_in_any_column(column):
    assert units_of(column(["b", "a", "b", "c"])).of_segment.tolist() == [0, 1, 0, 2]


def test_numbers_of_numpy_are_labels():
    assert units_of([np.int64(7), np.int64(9), 7, np.float32(9)]).of_segment.tolist() == [0, 1, 0, 1]
    with pytest.raises(TypeError, match=r"^unit\[1\]: "):
        units_of([np.int64(7), np.True_])


def test_a_column_of_pandas_has_its_name():
    pandas = pytest.importorskip("pandas")
    assert units_of(pandas.Series([1, 1, 2], name="doc_id")).name == "doc_id"
    assert units_of([1, 1, 2]).name == "given"


@pytest.mark.parametrize(
    ("labels", "error"),
    [
        ("doc_id", "^unit: .*got 'doc_id'"),
        (3, "^unit: .*got 3"),
        (["a", None], r"^unit\[1\]: "),
        ([1.0, float("nan")], r"^unit\[1\]: "),
        ([["a"], ["b"]], r"^unit\[0\]: .*got \['a'\]"),
    ],
)
def test_wrong_labels_are_named(labels, error):
    with pytest.raises(TypeError, match=error):
        units_of(labels)


def test_wrong_units_are_refused():
    with pytest.raises(ValueError, match=r"^unit: .*\(3\).*got 2"):
        paired_bootstrap([1, 2, 3], [2, 3, 4], unit=["a", "b"])
    with pytest.raises(ValueError, match=r"^unit: .*got 1 \(given\)"):
        textgauge.chrf(HYPS, REFS, confidence=0.9, unit=["a"] * len(HYPS))
    with pytest.raises(ValueError, match="`unit` has no effect without `confidence`"):
        textgauge.chrf(HYPS, REFS, unit=DOCS)


@pytest.mark.filterwarnings("ignore:two systems", "ignore:p and interval")
def test_few_units_are_warned_of_with_their_number():
    nine = [f"d{i % 9}" for i in range(len(HYPS))]
    with pytest.warns(UserWarning, match=r"only 9 units \(given\) are drawn: with fewer than 10 even") as caught:
        textgauge.chrf(HYPS, REFS, confidence=0.9, unit=nine)
    assert len(caught) == 1
    with pytest.warns(UserWarning, match="only 9 units") as caught:
        textgauge.compare([HYPS, BETTER], REFS, unit=nine)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        textgauge.compare([HYPS, BETTER], REFS, unit=DOCS)
        textgauge.chrf(HYPS, REFS, confidence=0.9, unit=DOCS)


@pytest.mark.parametrize("n", [99, 100])
def test_below_a_hundred_units_equal_systems_are_compared_by_permutation(n):
    """They and segments have the same figures; those of 100 have no correction; of units the bootstrap warns."""
    first, second = np.random.default_rng(2).normal([[0], [0.2]], 1, (2, n))
    unit = list(range(n))
    without = {name: compare_systems([first, second], test=name)[0] for name in ("bootstrap", "permutation")}
    [found] = compare_systems([first, second], unit=unit)
    is_few = n < 100
    assert found.p == without["permutation" if is_few else "bootstrap"].p
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        asked = paired_bootstrap(first, second, unit=unit)
    assert asked.p == without["bootstrap"].p
    assert [str(one.message) for one in caught] == [
        "p of the bootstrap is too small with fewer than 100 units: 99 (given) are drawn; take the permutation test."
    ] * is_few
    [low, high], [old_low, old_high] = asked.confidence_interval, without["bootstrap"].confidence_interval
    assert (low, high) == (old_low, old_high)
    [alone] = compare_systems([first, second])
    assert alone == found == without["permutation" if is_few else "bootstrap"]
    drawn = resampling.bootstrap_scores((second - first)[:, None], lambda sums: sums[:, 0] / n, n_resamples=1000)
    [plain_low, plain_high], factor = np.quantile(drawn, (0.025, 0.975)), small_sample_factor(n, 0.95)
    assert high - low == pytest.approx((factor if is_few else 1) * (plain_high - plain_low), rel=1e-9)
    for options in (PairedOptions(unit=unit), PairedOptions()):
        assert options._replace(p_value="sacrebleu").chosen(n).test == "bootstrap"
        assert options.chosen(n)[:2] == (("permutation", 10_000) if is_few else ("bootstrap", 1000))


@pytest.mark.filterwarnings("ignore:only 6 units")
def test_corrected_intervals_stay_within_the_scale():
    right = ["yes"] * 11 + ["no"]
    answers = textgauge.exact_match(right, ["yes"] * 12, confidence=0.95, unit=[i // 2 for i in range(12)])
    low, high = answers["confidence_intervals"]["exact_match"]
    assert 0 <= low < 0.75
    assert high == 1.0
    [found] = textgauge.compare([["no"] * 11 + ["yes"], right], ["yes"] * 12, metric="exact_match", unit=range(12))
    assert found.confidence_interval[1] <= 1.0
    assert found.confidence_interval1[0] == 0.0


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "rouge", "token_f1", "squad_v2", "wer", "sari"])
def test_an_interval_draws_sums_of_units(metric):
    """A unit contributes its sum and its number of segments, for pooled and for averaged metrics."""
    sources = {"sources": HYPS} if metric == "sari" else {}
    rows = [{"id": str(i), "prediction_text": text} for i, text in enumerate(HYPS)]
    gold = [{"id": str(i), "answers": {"text": [text], "answer_start": [0]}} for i, text in enumerate(REFS)]
    columns = (rows, gold) if metric == "squad_v2" else (HYPS, REFS)
    found = getattr(textgauge, metric)(
        *columns, confidence=0.9, unit=DOCS, n_resamples=50, seed=3, signature=True, **sources
    )
    counted = accumulator_of(METRICS[metric])().update(*columns, **sources)
    of_segments = additive(counted)
    key = counted.metric.scores.keys[0]
    sums = np.array(
        [sum(row for row, own in zip(of_segments, DOCS, strict=True) if own == d) for d in dict.fromkeys(DOCS)]
    )
    drawn = bootstrap_scores(sums, lambda s: corpus_scores(counted, s)[key], n_resamples=50, seed=3)
    middle, factor = np.median(drawn), small_sample_factor(12, 0.9)
    low, high = (middle + factor * (np.quantile(drawn, (0.05, 0.95)) - middle)) * counted.metric.scores.scale
    bounds = found["confidence_intervals"][key]
    assert bounds == pytest.approx([max(low, 0), high], rel=1e-12)
    assert "|bs:50|seed:3|unit:given|units:12|" in found["signature"]


@pytest.mark.filterwarnings("ignore:p of the bootstrap", "ignore:two systems", "ignore:p and interval")
@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
@pytest.mark.parametrize("metric", ["bleu", "rougeL", "ter"])
def test_a_comparison_of_units_is_that_of_their_sums(metric, test):
    [found] = textgauge.compare([HYPS, BETTER], REFS, metric=metric, unit=DOCS, test=test, n_resamples=99, seed=5)
    named = NamedScore.of(metric)
    counted = [named.start().update(texts, REFS) for texts in (HYPS, BETTER)]
    sums = [units_of(DOCS).summed(additive(one)) for one in counted]
    sign = 1 if counted[0].metric.scores.of(named.key).higher_is_better else -1
    factor = sign * counted[0].metric.scores.scale
    [expected] = compare_systems(
        sums, score=lambda s: factor * corpus_scores(counted[0], s)[named.key], test=test, n_resamples=99, seed=5,
        unit=range(12),
    )  # fmt: skip
    assert found.p == expected.p
    assert found.stat == pytest.approx(sign * expected.stat, rel=1e-12)
    assert sorted(sign * b for b in found.confidence_interval) == pytest.approx(expected.confidence_interval, rel=1e-12)


@pytest.mark.filterwarnings("ignore:p of the bootstrap", "ignore:two systems", "ignore:p and interval")
def test_units_of_one_segment_change_nothing():
    hyps, better, refs = HYPS * 5, BETTER * 5, REFS * 5
    alone = list(range(len(hyps)))
    for metric in ("bleu", "rouge1"):
        with_units = textgauge.compare([hyps, better], refs, metric=metric, unit=alone)
        assert with_units == textgauge.compare([hyps, better], refs, metric=metric)
    ranked = textgauge.compare([hyps, better, refs], refs, metric="bleu", unit=alone, all_pairs=True)
    assert ranked == textgauge.compare([hyps, better, refs], refs, metric="bleu", all_pairs=True)


@pytest.mark.filterwarnings("ignore:only 8 units")
def test_unit_without_tokens():
    texts = ["the cat", "", "a dog sat", "", "", "", "it rains here", "so it goes"] * 2
    units = [0, 0, 1, 1, 2, 2, 3, 4] + [5, 5, 5, 6, 6, 6, 7, 7]
    found = textgauge.perplexity(texts, ngram_train=texts, confidence=0.9, unit=units)
    low, high = found["confidence_interval"]
    assert low < found["corpus_perplexity"] < high


def test_names_that_say_units_are_pointed_at():
    with pytest.warns(UserWarning, match="those of one 'speaker' are alike, they are too narrow and too small; use it"):
        warn_of_unused(["text", "speaker"], "use it")
    warn_of_unused(["text", "docs", "problems to solve", "system"], "use it")
    for name in ("doc", "Document", "DOC_ID", "docId", "problem_id", "SpeakerID", "session"):
        with pytest.warns(UserWarning, match=f"those of one '{name}' are alike"):
            warn_of_unused(["text", name], "use it")


def test_options_of_a_test_have_the_units():
    options = PairedOptions(unit=["a", "b", "a"]).check()
    assert options.unit is not None
    assert len(options.unit) == 2
