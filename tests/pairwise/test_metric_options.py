"""Options of a metric in calls that have options of their own: what both have is refused, unless one place says it."""

import datasets
import numpy as np
import pytest
import textgauge
from textgauge.rewards import Reward

TEXTS = ["the cat sat on the mat", "a cat sat on the mat", "dogs bark", "the cat sat"]
COLUMNS = {"prediction_column": "hyp", "reference_column": "ref"}
FIRST = [0.5, 0.5, 0, 0]


def test_weights_of_references_and_of_orders_are_told_apart():
    with pytest.raises(TypeError, match="weights: expected `metric_options` beside it, since mbr and bleu both have"):
        textgauge.mbr(TEXTS, metric="bleu", weights=FIRST)
    of_references = textgauge.mbr(TEXTS, metric="bleu", weights=FIRST, metric_options={})
    assert of_references.scores.tolist() == (
        textgauge.pairwise(TEXTS, metric="bleu") @ np.array(FIRST)
    ).tolist()  # fmt: skip
    of_orders = textgauge.mbr(TEXTS, metric="bleu", metric_options={"weights": FIRST})
    matrix = textgauge.pairwise(TEXTS, metric="bleu", metric_options={"weights": FIRST})
    assert of_orders.scores.tolist() == (matrix.sum(axis=1) / 4).tolist() != of_references.scores.tolist()
    # Other metrics have no weights.
    assert textgauge.mbr(TEXTS, metric="chrf", weights=FIRST).best in (0, 1)


def test_types_of_numbers_are_told_apart():
    with pytest.raises(TypeError, match="dtype: expected .*since pairwise and bertscore both have dtype: .*, got 'fl"):
        textgauge.pairwise(TEXTS, metric="bertscore", dtype="float16")
    assert textgauge.pairwise(TEXTS, metric="bleu", dtype="float16").dtype == np.float16


def test_sizes_of_batches_are_told_apart():
    rows = datasets.Dataset.from_dict({"hyp": TEXTS, "ref": TEXTS})
    with pytest.raises(TypeError, match="batch_size: expected .*since score_dataset and bertscore both have"):
        textgauge.score_dataset(rows, ["bleu", "bertscore"], batch_size=8, **COLUMNS)
    assert textgauge.score_dataset(rows, "bleu", batch_size=2, **COLUMNS)["bleu"] == 1


CALLS = {
    "pairwise": lambda **options: textgauge.pairwise(TEXTS, metric="chrf", **options).tolist(),
    "mbr": lambda **options: textgauge.mbr(TEXTS, metric="chrf", **options).scores.tolist(),
    "Reward": lambda **options: Reward("chrf", **options)(completions=TEXTS, answer=TEXTS[::-1]),
    "scorer": lambda **options: textgauge.scorer("chrf", **COLUMNS, **options)(
        {"hyp": TEXTS, "ref": TEXTS[::-1]}
    )["chrf"].tolist(),
    "score_dataset": lambda **options: textgauge.score_dataset(
        datasets.Dataset.from_dict({"hyp": TEXTS, "ref": TEXTS[::-1]}), "chrf", **COLUMNS, **options
    ),
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_options_stand_in_one_place(call):
    assert call(metric_options={"word_order": 2}) == call(word_order=2) != call()
    with pytest.raises(TypeError, match="beta: expected all options of the metric in `metric_options`, got 1.0"):
        call(metric_options={"word_order": 2}, beta=1.0)
    with pytest.raises(TypeError, match="metric_options: expected a dict of options of the metric, got 3"):
        call(metric_options=3)
    with pytest.raises(TypeError, match="word_ordr"):
        call(metric_options={"word_ordr": 2})
