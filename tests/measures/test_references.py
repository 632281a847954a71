"""Rules for several references."""

import numpy as np
import pytest
import textgauge
from textgauge.measures.layout import Field, Layout
from textgauge.measures.references import References, over_references
from textgauge.measures.summary import scaled

OFFSETS = np.array([0, 2, 3])
LAYOUT = Layout([Field("matches"), Field("length", is_whole=False, over="mean"), Field("exact", over="max")])


def rows():
    return LAYOUT.filled(3, matches=[1, 3, 2], length=[4, 6, 7], exact=[1, 0, 0])


@pytest.mark.parametrize(
    ("references", "matches"),
    [
        (References("best"), [3, 2]),
        (References("pooled"), [4, 2]),
        (References("average"), [1, 3, 2]),
        (References("best", True), [3, 1, 2]),
        (References("pooled", True), [3, 1, 2]),
    ],
)
def test_fields_that_no_rule_chooses_are_over_all_references(references, matches):
    found = over_references(rows(), OFFSETS, references, lambda pairs: pairs["matches"].astype(float))
    assert found["matches"].tolist() == matches
    first = [5.0, 7.0] if len(matches) == 2 else [5.0, 5.0, 7.0]
    assert found["length"].tolist() == first
    assert found["exact"].tolist() == ([1, 0] if len(matches) == 2 else [1, 1, 0])


def test_matches_are_with_the_reference_that_is_scored():
    # One edit against the first, four against the second, whose own rate is lower.
    sides = ["a b"], [["a", "a b c d e f"]]
    assert textgauge.ter(*sides)["num_edits"] == 1
    assert [one.best for one in textgauge.matches(*sides, metric="ter")] == [0]
    # The script chooses by recall.
    sides, options = (["a b q q q q"], [["a b c d e f", "a"]]), {"preset": "rouge-1.5.5", "multi_reference": "best"}
    assert textgauge.rouge(*sides, rouge_types=["rouge1"], detailed=True, **options)["rouge1"]["recall"] == 1.0
    assert [one.best for one in textgauge.matches(*sides, metric="rouge1", metric_options=options)] == [1]


def test_keys_without_a_scale_have_none_in_segments_and_intervals():
    result = {
        "x": 0.5,
        "n": 2,
        "segment_x": [0.5],
        "segment_n": [2],
        "confidence_intervals": {"x": [0, 1], "n": [1, 2]},
    }
    assert scaled(result, 100, {"n"}) == {
        "x": 50.0, "n": 2, "segment_x": [50.0], "segment_n": [2], "confidence_intervals": {"x": [0, 100], "n": [1, 2]},
    }  # fmt: skip
