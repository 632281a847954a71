"""Options of a metric in calls that have options of the same name: those of the metric are part of its value."""

import datasets
import numpy as np
import pytest
import textgauge
from textgauge.rewards import Reward

TEXTS = ["the cat sat on the mat", "a cat sat on the mat", "dogs bark", "the cat sat"]
COLUMNS = {"prediction_column": "hyp", "reference_column": "ref"}
FIRST = [0.5, 0.5, 0, 0]


def test_weights_of_references_and_of_orders_are_told_apart():
    of_references = textgauge.mbr(TEXTS, metric="bleu", weights=FIRST)
    assert of_references.scores.tolist() == (
        textgauge.pairwise(TEXTS, metric="bleu") @ np.array(FIRST)
    ).tolist()  # fmt: skip
    of_orders = textgauge.mbr(TEXTS, metric="bleu(weights=[0.5, 0.5, 0, 0])")
    matrix = textgauge.pairwise(TEXTS, metric=textgauge.Bleu(weights=FIRST))
    assert of_orders.scores.tolist() == (matrix.sum(axis=1) / 4).tolist() != of_references.scores.tolist()


def test_types_of_numbers_are_those_of_the_call():
    assert textgauge.pairwise(TEXTS, metric="bleu", dtype="float16").dtype == np.float16


def test_sizes_of_batches_are_those_of_the_call():
    rows = datasets.Dataset.from_dict({"hyp": TEXTS, "ref": TEXTS})
    assert textgauge.score_dataset(rows, "bleu", batch_size=2, **COLUMNS)["bleu"] == 1


def test_tokenizer_is_an_option():
    with pytest.raises(TypeError, match="^tokenizer: .*got 'character'"):
        Reward("bleu", tokenizer="character")
    reward = Reward("bleu(tokenizer='character')")
    assert reward(completions=["the cat"], answer=["the cap"]) != Reward("bleu")(
        completions=["the cat"], answer=["the cap"]
    )
