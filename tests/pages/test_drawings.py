"""The drawings of a page: heights, places, ticks, markers."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from declared import PAIRED
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.input.columns import corpus_of
from textgauge.metric.metric import with_defaults
from textgauge.report import Report
from textgauge.report.charts import Axis, Group, GroupBars, Histogram, by_frequency
from textgauge.report.pages import drawings
from textgauge.resampling import PairedOptions
from textgauge.text import TOKENIZERS

LEFT, RIGHT, FLOOR = 44, 552, 160
INF = float("inf")


class Drawn:
    """The bars of a drawing by series, its ticks and labels."""

    def __init__(self, name, *args):
        svg = ET.fromstring(str(getattr(drawings(), name)(*args)).replace(" hidden>", ">"))
        self.groups = [node for node in svg.iter("g")]
        self.labels = [node.get("aria-label") for node in self.groups]
        self.bars = [
            [{key: float(bar.get(key)) for key in ("x", "y", "width", "height")} for bar in group.iter("rect")
             if bar.get("class").startswith("bar")]
            for group in self.groups
        ]  # fmt: skip
        ticks = [(n.text, float(n.get("x")), float(n.get("y"))) for n in svg.iter("text") if n.get("class") == "tick"]
        self.y_ticks = [(text, y - 4) for text, x, y in ticks if x == 38]
        self.x_ticks = [(text, x) for text, x, y in ticks if x != 38]

    def heights(self, series):
        return [bars[series]["height"] for bars in self.bars]


def histogram(chart):
    return Drawn("histogram", chart, "id", "title", "caption", 0)


def test_histogram_of_scores():
    scores = [np.array([0.0, 0.02, 0.5, 1.0]), np.array([0.97, 0.99, 0.99, 0.99])]
    chart = histogram(Histogram.of_scores(["a", "b"], scores))
    unit = (FLOOR - 12) / 4
    assert chart.heights(0) == pytest.approx([unit * n for n in [2, *[0] * 9, 1, *[0] * 8, 1]], abs=0.01)
    assert chart.heights(1) == pytest.approx([*[0] * 19, unit * 4], abs=0.01)
    step = (RIGHT - LEFT) / 20
    for i, (first, second) in enumerate(chart.bars):
        assert first["y"] + first["height"] == pytest.approx(FLOOR, abs=0.01)
        assert LEFT + i * step <= first["x"]
        assert first["x"] + first["width"] == pytest.approx(second["x"], abs=0.011)
        assert second["x"] + second["width"] <= LEFT + (i + 1) * step + 0.01
    expected = zip(("0", "0.2", "0.4", "0.6", "0.8", "1"), np.linspace(LEFT, RIGHT, 6), strict=True)
    assert chart.x_ticks == [(label, pytest.approx(at, abs=0.01)) for label, at in expected]
    assert chart.y_ticks == [(str(n), pytest.approx(FLOOR - unit * n, abs=0.01)) for n in range(5)]
    assert chart.labels[10] == "0.50 to 0.55 score: a 1, b 0"


def test_histogram_without_bound():
    values = np.array([*np.linspace(0, 1.3, 199), 40.0])
    chart = histogram(Histogram.of_scores(["a"], [values], INF))
    assert [label for label, _ in chart.x_ticks] == ["0", "0.3", "0.6", "0.9", "1.2", "1.5"]
    assert chart.x_ticks[-1][1] == RIGHT
    assert chart.labels[-1] == "1.43 and more score: a 1"
    unit = max(chart.heights(0)) / max(np.histogram(values, np.linspace(0, 1.5, 21))[0])
    assert sum(chart.heights(0)) == pytest.approx(200 * unit, abs=0.2)


@pytest.mark.parametrize("scale", [1, 100])
def test_score_at_start_of_bar(scale):
    edges = scale * np.arange(21) / 20
    for values in (edges[:20], np.nextafter(edges[:20], scale), np.nextafter(edges[:20], 0)):
        chart = histogram(Histogram.of_scores(["a"], [values], 1.0, scale))
        assert [label.partition(": ")[2] for label in chart.labels] == ["a 1"] * 20
    assert chart.labels[0].startswith(("0.00 to 0.05", "0 to 5"))


def test_histogram_of_lengths():
    chart = histogram(Histogram.of_lengths(["a", None], [np.array([0, 3, 3]), np.array([39])], "token"))
    assert chart.labels[:2] == ["0 to 1 tokens: a 1, references 0", "2 to 3 tokens: a 2, references 0"]
    assert [i for i, height in enumerate(chart.heights(1)) if height] == [19]
    assert [label for label, _ in chart.x_ticks] == ["0", "10", "20", "30", "40"]
    chart = histogram(Histogram.of_lengths(["a"], [np.array([0, 1, 2])], "token"))
    assert chart.labels == ["0 tokens: a 1", "1 token: a 1", "2 tokens: a 1"]


def test_intervals_on_one_axis():
    axis = Axis.of([(0.4, (0.3, 0.5)), (0.7, None)], 0, 1)
    # A quarter of the span on both sides.
    assert axis.labels == ("0.200", "0.800")
    assert [axis.at(value) for value in (0.3, 0.4, 0.5, 0.7)] == pytest.approx([16.67, 33.33, 50, 83.33], abs=0.01)
    assert Axis.of([(0.0, None), (1.0, None)], 0, 1).labels[1] == "1.000"
    assert Axis.of([(0.9, None), (1.4, None)], 0, INF).labels[1] == "1.525"
    assert Axis.of([(40.0, (30.0, 50.0))], 0, 100, unit=100).labels == ("25.0", "55.0")
    # A score above its bound is shown.
    assert Axis.of([(0.9, None), (1.4, None)], 0, 1).at(1.4) == 100


def test_bars_of_groups():
    groups = GroupBars.of([Group("1 to 3", 5, [0.5, 0.25]), Group("4", 6, [1.0, 0.0])])
    chart = Drawn("bars", groups, ["a", "b"], "id", "title", "caption", "segments")
    scale = FLOOR - 24
    assert [[bar["height"] for bar in bars] for bars in chart.bars] == [
        pytest.approx([0.5 * scale, 0.25 * scale]), pytest.approx([scale, 0]),
    ]  # fmt: skip
    assert chart.labels[0] == "1 to 3 (5 segments): a 0.50, b 0.25"
    assert chart.x_ticks == [("1–3", LEFT + 127), ("4", LEFT + 381)]
    shares = (("0", 0), ("0.25", 0.25), ("0.5", 0.5), ("0.75", 0.75), ("1", 1))
    assert chart.y_ticks == [(label, pytest.approx(FLOOR - scale * v)) for label, v in shares]
    high = Drawn("bars", GroupBars.of([Group("1", 1, [1.2]), Group("2", 1, [0.1])]), ["a"], "id", "", "", "words")
    assert high.y_ticks[-1][0] == "1.5"
    assert GroupBars.of([Group("1", 1, [1.2])]) is None
    assert high.bars[0][0]["height"] == pytest.approx(0.8 * scale)


def test_f1_of_words_by_frequency():
    # "the" five times in the references, "cat" twice, the others once.
    refs = ["the cat sat", "the cat ran", "the dog", "the the bird"]
    hyps = ["the cat", "the dog ran", "a dog dog", "the the the bird"]
    groups = by_frequency([corpus_of(hyps, refs), corpus_of(refs, refs)], TOKENIZERS["whitespace"]).groups
    assert [(group.label, group.size) for group in groups] == [("once", 4), ("2 to 3", 2), ("4 to 9", 5)]
    # Once: sat, ran, dog, bird; predicted ran, dog x 3, bird, of which ran, dog, bird match.
    assert groups[0].values == pytest.approx([2 * 3 / (4 + 5), 1])
    assert groups[1].values == pytest.approx([2 * 1 / (2 + 1), 1])
    assert groups[2].values == pytest.approx([2 * 4 / (5 + 5), 1])


# No text of the first and the last system is equal to a reference, so scores of right and wrong do not differ.
WHOLE = {"vqa_accuracy", *(name for name in PAIRED if with_defaults(METRICS[name]).scores[0].is_binary)}


@pytest.mark.parametrize("name", [name for name in PAIRED if name not in WHOLE])
def test_markers_of_significance(name):
    refs = ["the cat sat on the mat", "a dog ran away now", "so it is said here"] * 8
    worse = [ref.replace("a", "o") for ref in refs]
    alike = [worse[0] + " x", *worse[1:]]
    named = NamedScore.of(METRICS[name].scores.names[0])
    corpora = [corpus_of(hyps, refs) for hyps in (worse, refs, alike)]
    [section] = Report.of("abc", corpora, [(named.start(), named.key)], PairedOptions(n_resamples=200)).sections
    better, same = section.differences
    assert better.verdict == "better"
    assert same.verdict == ""
    assert (better.result.stat > 0) == section.about_score.higher_is_better
    assert any("differ in only" in warning for warning in section.warnings)
    # What is significant alone, and no longer after the correction, has no verdict.
    after = section.corrected([0.0499, 0.0501])
    assert [difference.verdict for difference in after] == ["better", ""]
    assert [difference.verdict for difference in section.corrected([0.15, 1.0])] == ["", ""]
    # Intervals that leave out 0 leave it out in the picture.
    axis = section.difference_axis
    assert (axis.at(better.result.confidence_interval[0]) > axis.at(0)) == section.about_score.higher_is_better
    assert (axis.first < 0) & (axis.last > 0)


def test_the_last_bin_of_scores_without_a_largest_is_open():
    found = Histogram.of_scores([None], [np.array([0.1, 0.2, 3.0])], largest=float("inf"))
    assert found.spans[:2] == ["0.00 to 0.15 score", "0.15 to 0.30 score"]
    assert found.spans[-1] == "2.85 and more score"
    assert Histogram.of_scores([None], [np.array([0.1, 1.0])]).spans[-1] == "0.95 to 1.00 score"


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_every_score_is_in_a_bar_of_a_histogram(scale):
    for values in ([-0.5, 0.5], [-1, -1], [0, 1], [0.0], [-0.01, 1.2]):
        few = np.array([0.5, 0.7]) * scale
        for series in ([np.array(values) * scale, few], [few, np.array(values) * scale]):
            shown = Histogram.of_scores(["a", "b"], series, 1.0, scale)
            assert np.sum(shown.counts, axis=0).tolist() == [*map(len, series)]
            assert (shown.edges[0], shown.x_ticks[0][0]) == (min(0, *values) * scale,) * 2
