"""Options of a metric in calls that have options of the same name: those of the metric are part of its value."""

import warnings

import datasets
import numpy as np
import pytest
import textgauge
from textgauge.rewards import Reward
from textgauge.trainer import compute_metrics
from toys import Words

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
    with pytest.raises(TypeError, match="tokenizer: expected a tokenizer of transformers .that of a metric is its opt"):
        Reward("bleu", tokenizer="character")
    reward = Reward("bleu(tokenizer='character')")
    assert reward(completions=["the cat"], answer=["the cap"]) != Reward("bleu")(
        completions=["the cat"], answer=["the cap"]
    )


CALLS = {
    "pairwise": lambda metric="chrf", **options: textgauge.pairwise(TEXTS, metric=metric, **options).tolist(),
    "mbr": lambda metric="chrf", **options: textgauge.mbr(TEXTS, metric=metric, **options).scores.tolist(),
    "segment_scores": lambda metric="chrf", **options: textgauge.segment_scores(
        metric, TEXTS, TEXTS[::-1], **options
    ).tolist(),
    "Reward": lambda metric="chrf", **options: Reward(metric, **options)(completions=TEXTS, answer=TEXTS[::-1]),
    "scorer": lambda metric="chrf", **options: textgauge.scorer(metric, **COLUMNS, **options)(
        {"hyp": TEXTS, "ref": TEXTS[::-1]}
    )["chrf"].tolist(),
    "score_dataset": lambda metric="chrf", **options: textgauge.score_dataset(
        datasets.Dataset.from_dict({"hyp": TEXTS, "ref": TEXTS[::-1]}), metric, **COLUMNS, **options
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_old_places_of_options_warn(name):
    call, expected = CALLS[name], CALLS[name]("chrf(word_order=2)")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert call(textgauge.Chrf(word_order=2)) == expected != call()
    new = f'{name}: options of a metric belong to its name: metric="chrf.word_order=2."'
    with pytest.warns(DeprecationWarning, match=new) as warned:
        assert call(word_order=2) == expected
    assert len(warned) == 1
    if name == "segment_scores":
        return
    with pytest.warns(DeprecationWarning, match=new) as warned:
        assert call(metric_options={"word_order": 2}) == expected
    assert len(warned) == 1
    with pytest.raises(TypeError, match="beta: expected all options of the metric in `metric_options`, got 1.0"):
        call(metric_options={"word_order": 2}, beta=1.0)
    with pytest.raises(TypeError, match="metric_options: expected a dict of options of the metric, got 3"):
        call(metric_options=3)
    with pytest.raises(TypeError, match="word_ordr"):
        call(metric_options={"word_ordr": 2})
    with pytest.raises(TypeError, match="metric, character 6, word_ordr: expected an option of chrf .nearest: word_or"):
        call("chrf(word_ordr=2)")


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        (["bleu", "chrf", "ter"], {"lowercase": True, "max_order": 2}),
        ({"bleu": {"lowercase": True, "max_order": 2}, "chrf": {"lowercase": True}, "ter": {}}, {}),
        (["bleu", "chrf", "ter"], {"metric_options": {"bleu": {"max_order": 2}, "lowercase": True}}),
    ],
    ids=["for all that have them", "by name", "both"],
)
def test_options_of_several_metrics_warn_once(metric, options):
    rows = datasets.Dataset.from_dict({"hyp": TEXTS, "ref": TEXTS[::-1]})
    several = ["bleu(lowercase=True, max_order=2)", "chrf(lowercase=True)", "ter"]
    expected = textgauge.score_dataset(rows, several, **COLUMNS)
    new = r'score_dataset: options .* metric=."bleu.max_order=2, lowercase=True.", "chrf.lowercase=True.", "ter".\.'
    with pytest.warns(DeprecationWarning, match=new) as warned:
        found = textgauge.score_dataset(rows, metric, **COLUMNS, **options)
    assert [*found.values()] == [*expected.values()]
    assert len(warned) == 1


def test_options_named_as_those_of_the_call():
    with pytest.warns(DeprecationWarning, match='Reward: options .* metric=."bleu.max_order=2, weights=.1, 0..".'):
        reward = Reward(["bleu"], bleu={"weights": [1, 0], "max_order": 2})
    assert reward(completions=["a b c"], answer=["a c b"]) == [1.0]


def test_options_of_the_trainer_warn():
    ids, new = np.array([[1, 2, 3]]), 'compute_metrics: options .* metrics=."rougeL", "bleu.max_order=2.".'
    with pytest.warns(DeprecationWarning, match=new):
        scores = compute_metrics(Words("a", "b", "c"), ["rougeL", "bleu"], options={"bleu": {"max_order": 2}})
    expected = compute_metrics(Words("a", "b", "c"), ["rougeL", "bleu(max_order=2)"])
    assert scores((ids, ids)) == expected((ids, ids))
