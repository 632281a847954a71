"""Scores from sums, without Spark."""

import numpy as np
import pytest
import textgauge
from quick import first
from textgauge.accumulation.running import intervals, summands
from textgauge.resampling import BootstrapOptions

pytestmark = pytest.mark.filterwarnings("ignore:the interval.* no width")

TEXTS = ["a cat sat here", "the dog", "a bird sings"], [["a cat sat", "cats"], ["the dog"], ["birds sing"]]
MEASURES = [
    (textgauge.Bleu, {"smooth": True, "reference_length": "average"}),
    (textgauge.Bleu, {"preset": "nltk", "smoothing": "floor"}),
    (textgauge.Rouge, {"use_stemmer": True}),
    (textgauge.TokenF1, {"counting": "set"}),
]


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
