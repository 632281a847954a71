"""The coordinates of drawings: heights, places, ticks, markers."""

import numpy as np
import pytest
from textgauge.columns import corpus_of
from textgauge.measures.registry import METRICS, score_named
from textgauge.report.breakdowns import Group, by_frequency, by_length
from textgauge.report.charts import BOTTOM, HEIGHT, LEFT, WIDTH, Bars, Histogram, interval_axis
from textgauge.report.content import Content, System
from textgauge.resampling import BootstrapOptions
from textgauge.text import TOKENIZERS

FLOOR = HEIGHT - BOTTOM


def heights(chart, series):
    return [bin.bars[series].height for bin in chart.bins]


def test_histogram_of_scores():
    chart = Histogram.of_scores(
        ["a", "b"], [np.array([0.0, 0.02, 0.5, 1.0]), np.array([0.97, 0.99, 0.99, 0.99])], "score"
    )
    counted = [2, *[0] * 9, 1, *[0] * 8, 1]
    unit = (FLOOR - 12) / 4
    assert heights(chart, 0) == pytest.approx([unit * n for n in counted], abs=0.01)
    assert heights(chart, 1) == pytest.approx([*[0] * 19, unit * 4], abs=0.01)
    for bin in chart.bins:
        assert all(bar.y + bar.height == pytest.approx(FLOOR, abs=0.01) for bar in bin.bars)
        assert all(bin.x <= bar.x and bar.x + bar.width <= bin.x + bin.width + 0.01 for bar in bin.bars)
        first, second = bin.bars
        assert first.x + first.width == pytest.approx(second.x, abs=0.011)
    assert [tick.label for tick in chart.x_ticks] == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert [tick.at for tick in chart.x_ticks] == pytest.approx(np.linspace(LEFT, WIDTH - 8, 6), abs=0.01)
    assert [(tick.label, tick.at) for tick in chart.y_ticks] == [
        (str(n), pytest.approx(FLOOR - unit * n, abs=0.01)) for n in range(5)
    ]
    assert chart.bins[10].label == "0.50 to 0.55 score: a 1, b 0"


def test_histogram_of_scores_without_a_bound_keeps_those_far_off_in_its_last_bar():
    values = np.array([*np.linspace(0, 1.3, 199), 40.0])
    chart = Histogram.of_scores(["a"], [values], "score", float("inf"))
    assert [tick.label for tick in chart.x_ticks] == ["0", "0.3", "0.6", "0.9", "1.2", "1.5"]
    assert chart.x_ticks[-1].at == WIDTH - 8
    assert chart.bins[-1].label == "1.43 and more score: a 1"
    unit = max(heights(chart, 0)) / max(np.histogram(values, np.linspace(0, 1.5, 21))[0])
    assert sum(heights(chart, 0)) == pytest.approx(200 * unit, abs=0.2)


def test_a_score_above_its_bound_is_in_the_last_bar():
    chart = Histogram.of_scores(["a"], [np.array([0.1, 1.2])], "score")
    assert [i for i, height in enumerate(heights(chart, 0)) if height] == [2, 19]


def test_histogram_of_lengths():
    chart = Histogram.of_lengths(["a", None], [np.array([0, 3, 3]), np.array([39])], "tokens")
    assert [bin.label for bin in chart.bins][:2] == [
        "0 to 1 tokens: a 1, references 0",
        "2 to 3 tokens: a 2, references 0",
    ]
    assert [i for i, height in enumerate(heights(chart, 1)) if height] == [19]
    assert [tick.label for tick in chart.x_ticks] == ["0", "10", "20", "30", "40"]


def test_intervals_on_one_axis():
    axis = interval_axis([(0.4, (0.3, 0.5)), (0.7, None)])
    # A quarter of the span on both sides.
    assert [tick.label for tick in axis.ticks] == ["0.200", "0.500", "0.800"]
    assert [tick.at for tick in axis.ticks] == [0, 50, 100]
    first, second = axis.rows
    assert (first.low, first.at, first.high) == pytest.approx((16.67, 33.33, 50), abs=0.01)
    assert (second.low, second.at, second.high) == pytest.approx((83.33,) * 3, abs=0.01)
    assert interval_axis([(0.0, None), (1.0, None)]).ticks[-1].label == "1.000"
    assert interval_axis([(0.9, None), (1.4, None)], 0.0, float("inf")).ticks[-1].label == "1.525"
    # A score above its bound is shown.
    assert interval_axis([(0.9, None), (1.4, None)]).rows[1].at == 100


def test_differences_are_drawn_with_their_zero():
    axis = interval_axis([(0.02, (0.01, 0.03)), (0.04, (-0.01, 0.05))], -np.inf, np.inf, shows_zero=True)
    assert axis.zero == pytest.approx(100 * 0.025 / 0.09, abs=0.01)
    assert axis.rows[0].low > axis.zero > axis.rows[1].low
    assert interval_axis([(0.02, (0.01, 0.03))], -np.inf, np.inf, shows_zero=True).zero > 0


def test_bars_of_groups():
    chart = Bars.of([Group("1 to 3", "5", [0.5, 0.25]), Group("4", "6", [1.0, 0.0])])
    scale = FLOOR - 24
    assert [[bar.height for bar in column.bars] for column in chart.columns] == [
        pytest.approx([0.5 * scale, 0.25 * scale]), pytest.approx([scale, 0]),
    ]  # fmt: skip
    assert [column.at for column in chart.columns] == pytest.approx([LEFT + 127, LEFT + 381])
    assert [tick.label for tick in chart.ticks] == ["0", "0.25", "0.5", "0.75", "1"]
    assert [tick.at for tick in chart.ticks] == pytest.approx([FLOOR - scale * v for v in (0, 0.25, 0.5, 0.75, 1)])
    high = Bars.of([Group("1", "1", [1.6])])
    assert [tick.label for tick in high.ticks] == ["0", "0.5", "1", "1.5", "2"]
    assert high.columns[0].bars[0].height == pytest.approx(0.8 * scale)


def test_scores_by_length_are_those_of_the_segments_alone():
    lengths = np.repeat([2.0, 5.0, 9.0], [6, 6, 8])
    refs = [" ".join("abcdefghi"[: int(n)]) for n in lengths]
    hyps = [ref if i % 2 else ref + " x" for i, ref in enumerate(refs)]
    for name in ("bleu", "rouge1", "ter"):
        named = score_named(name)
        measure = named.start().update_corpus(corpus_of(hyps, refs))
        groups = by_length(lengths, [measure], named.key)
        assert [(group.label, group.more) for group in groups] == [("2", "6"), ("5", "6"), ("9", "8")]
        for group, part in zip(groups, (slice(0, 6), slice(6, 12), slice(12, 20)), strict=True):
            alone = named.start().update_corpus(corpus_of(hyps[part], refs[part])).observed_scores()[named.key]
            assert group.values == pytest.approx([float(alone)])
    assert by_length(lengths[:9], [measure], "ter") == []


def test_f1_of_words_by_frequency():
    # "the" five times in the references, "cat" twice, the others once.
    refs = ["the cat sat", "the cat ran", "the dog", "the the bird"]
    hyps = ["the cat", "the dog ran", "a dog dog", "the the the bird"]
    groups = by_frequency([corpus_of(hyps, refs), corpus_of(refs, refs)], TOKENIZERS["whitespace"])
    assert [(group.label, group.more) for group in groups] == [("once", "4"), ("2 to 3", "2"), ("4 to 9", "5")]
    # Once: sat, ran, dog, bird; predicted ran, dog x 3, bird, of which ran, dog, bird match.
    assert groups[0].values == pytest.approx([2 * 3 / (4 + 5), 1])
    assert groups[1].values == pytest.approx([2 * 1 / (2 + 1), 1])
    assert groups[2].values == pytest.approx([2 * 4 / (5 + 5), 1])


@pytest.mark.parametrize("name", [name for name in METRICS if METRICS[name].is_paired])
def test_markers_of_significance(name):
    refs = ["the cat sat on the mat", "a dog ran away now", "so it is said here"] * 8
    worse = [ref.replace("a", "o") for ref in refs]
    alike = [worse[0] + " x", *worse[1:]]
    bootstrap = BootstrapOptions(0.95, 200)
    named = score_named(METRICS[name].named_scores()[0])
    systems = [
        System.of(n, corpus_of(h, refs), named, {}, bootstrap) for n, h in (("a", worse), ("b", refs), ("c", alike))
    ]
    [scored] = Content(named.key, systems, bootstrap).scores
    better, same = scored.differences
    assert (better.is_significant, better.verdict) == (True, "better")
    assert (same.is_significant, same.verdict) == (False, "")
    assert (better.result.stat > 0) == scored.measure.higher_is_better
    assert any("differ in only" in warning for warning in scored.warnings)
    # Intervals that leave out 0 leave it out in the picture.
    row = scored.difference_axis.rows[0]
    assert (row.low > scored.difference_axis.zero) == scored.measure.higher_is_better
