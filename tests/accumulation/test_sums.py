"""Scores from sums, without Spark."""

import numpy as np
import pytest
import textgauge
from declared import COUNTED, adds_up, sources_of
from quick import first
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.registry import METRICS
from textgauge.accumulation.running import RunningScore, intervals, summands
from textgauge.resampling import BootstrapOptions

pytestmark = pytest.mark.filterwarnings("ignore:the interval.* no width")

TEXTS = ["a cat sat here", "the dog", "a bird sings"], [["a cat sat", "cats"], ["the dog"], ["birds sing"]]
MEASURES = [
    (textgauge.Bleu, {"smooth": True, "reference_length": "average"}),
    (textgauge.Bleu, {"preset": "nltk", "smoothing": "floor"}),
    (textgauge.Rouge, {"use_stemmer": True}),
    (textgauge.TokenF1, {"counting": "set"}),
]


@pytest.mark.parametrize("name", filter(adds_up, COUNTED))
def test_a_score_that_runs_is_at_any_time_that_of_all_before(name):
    kind, (hyps, refs) = accumulator_of(METRICS[name]), TEXTS
    running, whole = RunningScore(kind()), kind()
    for row in range(len(hyps)):
        texts = {"predictions": hyps[row : row + 1], "references": refs[row : row + 1], **sources_of(name, hyps[:1])}
        running.update_corpus(METRICS[name].inputs.read(**texts))
        whole.update(**texts)
        expected = whole.score()
        for key, value in running.score().items():
            assert value == pytest.approx(expected[key], rel=1e-12, nan_ok=True), key
        assert running.n_segments == row + 1


@pytest.mark.parametrize(("kind", "options"), MEASURES)
def test_resamples_without_a_segment_are_left_out(kind, options):
    empty = kind(**options)
    sums = summands(kind(**options).update(*TEXTS)).sum(axis=0)
    with_nothing = np.stack((sums, np.zeros_like(sums), sums))
    bounds = intervals(empty, with_nothing, 9, BootstrapOptions(0.9))
    assert bounds == intervals(empty, sums[None], 9, BootstrapOptions(0.9))
    with pytest.raises(ValueError, match="^n_resamples: .*got only empty ones"):
        intervals(empty, with_nothing[1:2], 9, BootstrapOptions(0.9))


def test_a_resample_with_a_score_of_0_is_kept():
    sums = summands(textgauge.Rouge(rouge_types=["rouge1"]).update(["x"], ["y"]))
    bounds = intervals(textgauge.Rouge(rouge_types=["rouge1"]), sums, 9, BootstrapOptions(0.9))
    assert bounds == {"confidence_intervals": {"rouge1": [0.0, 0.0]}}


def test_scores_by_last_segment_have_no_sums():
    with pytest.raises(
        ValueError, match="a method that does not depend on the last segment, for intervals, comparisons and sums"
    ):
        summands(textgauge.Bleu(preset="nltk", smoothing="chen-cherry-5").update(*TEXTS))


@pytest.mark.parametrize(
    ("smoothing", "n_segments"),
    first(1, [("chen-cherry-5", 1_200), ("chen-cherry-5", 3_001), ("exp", 2_000), ("exp", 3_001)]),
)
def test_sums_of_pieces_score_as_segments_that_are_kept(smoothing, n_segments):
    # The highest order is counted in pieces of about 1,000 rows.
    hyps = [f"{i} {i % 7} {i % 5} a b c" for i in range(n_segments)]
    refs = [hyp.replace("3", "4") for hyp in hyps]
    options = {"preset": "nltk", "smoothing": smoothing, "max_order": 1000}
    expected = textgauge.Bleu(**options).update(hyps, refs)
    reports = {"counts": True, "signature": True}
    assert textgauge.bleu(hyps, refs, **options, **reports) == expected.score(**reports)
    found = textgauge.bleu(hyps, refs, **options, per_segment=True)
    assert found["segment_bleu"] == expected.score(per_segment=True)["segment_bleu"]
