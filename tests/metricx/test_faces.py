"""What MetricX alone has: lower is better, and the columns are those of the form."""

import re

import numpy as np
import pytest
import textgauge
from textgauge.rewards import Reward
from warned import warned

from .conftest import options_of

HYPS = ["the cat sat on the mat", "a dog", "one, two: three!", "sat on", "cat and dog", "mat"]
REFS = ["a cat sat on a mat", "the dog barks", "one two", "mat", "a dog", "cat"]
SRCS = ["cat mat", "dog", "two three", "cat", "b", "c"]


def test_the_lowest_reference_counts(usual):
    groups = [[reference, "the cat", hyp] for reference, hyp in zip(REFS, HYPS, strict=True)]
    each = [
        textgauge.segment_scores(textgauge.Metricx(**usual), HYPS, [one[i] for one in groups], sources=SRCS)
        for i in range(3)
    ]
    found = textgauge.segment_scores(textgauge.Metricx(**usual), HYPS, groups, sources=SRCS)
    assert found == pytest.approx(np.min(each, axis=0), abs=5e-5)
    assert np.abs(np.ptp(each, axis=0)).max() > 0.1


@pytest.mark.filterwarnings("ignore:`sources` are not given")
def test_columns_are_those_of_the_form(usual, qe, saved):
    only = options_of(saved("23")[0])
    with pytest.raises(ValueError, match="^sources: .*references.*got None"):
        textgauge.metricx(HYPS, **usual)
    with pytest.raises(ValueError, match="^sources: expected a text for every prediction, with which"):
        textgauge.metricx(HYPS, **qe)
    with pytest.raises(ValueError, match="^`references` cannot be given, since .*23-qe.* does not use references"):
        textgauge.metricx(HYPS, REFS, sources=SRCS, **qe)
    with pytest.raises(ValueError, match="^`sources` cannot be given, since .* does not use sources"):
        textgauge.metricx(HYPS, REFS, sources=SRCS, **only)
    for options, given in (
        (usual, {"references": REFS}), (usual, {"sources": SRCS}), (only, {"references": REFS}),
        (qe, {"sources": SRCS}),
    ):  # fmt: skip
        assert 0 <= textgauge.metricx(HYPS, **given, **options)["metricx"] <= 25


def test_what_is_warned_of(usual, qe, monkeypatch):
    assert warned(textgauge.metricx, ["", " ", "cat"], ["a", "b", "cat " * 1600], **usual) == [
        "2 predictions are empty; MetricX scores such a text like any other.",
        f"1 segment is longer than the 1536 tokens that {usual['model_id']} takes, and was cut.",
        f"`sources` are not given: {usual['model_id']} was trained with sources, and may judge worse without.",
    ]
    textgauge.metricx(["cat"], ["a"], sources=["b"], **usual)
    textgauge.metricx(["cat"], sources=["b"], **qe)


def test_a_signature_says_what_moves_scores(usual, qe):
    of_both = textgauge.Metricx(**usual).update(HYPS, REFS, sources=SRCS).signature
    assert re.match(r"nrefs:1\|model:.*\|sha256:[0-9a-f]{12}\|form:24\|dtype:float32\|src:yes\|version:", of_both)
    assert "|form:23-qe|dtype:float32|src:yes|" in textgauge.Metricx(**qe).update(HYPS, sources=SRCS).signature
    half = textgauge.Metricx(**usual, dtype="bfloat16").update(HYPS, REFS, sources=SRCS).signature
    assert "|dtype:bfloat16|" in half


def test_the_lowest_reward_is_the_highest_score(usual):
    reward = Reward(textgauge.Metricx(**usual), source="src", scale="metric")
    assert reward.lowest == 25.0
    assert reward(completions=["", None], answer=REFS[:2], src=SRCS[:2])[1] == 25.0


def test_the_card_says_what_happens(saved, run_card):
    folder, _ = saved("24")
    assert run_card("metricx", {"metricx-24-tiny": folder, "mt5": folder.parent / "mt5"}) == 4
