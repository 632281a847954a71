"""One name where a list of names is taken, and texts before their tokenizer."""

import re

import numpy as np
import pytest
import textgauge
from textgauge.trainer import compute_metrics
from toys import Words

HYPS, REFS = ["a cat sat", "dogs bark"], ["a cat sat down", "dogs bark"]


def test_one_metric_of_a_trainer():
    ids = np.array([[1, 2, 3]]), np.array([[1, 2, 0]])
    one = compute_metrics(Words(*"abc"), "rouge1")(ids)
    assert one == compute_metrics(Words(*"abc"), ["rouge1"])(ids) == {"rouge1": 0.8, "gen_len": 3.0}


def test_one_type_of_rouge():
    alone = textgauge.rouge(HYPS, REFS, rouge_types="rougeL")
    assert alone == textgauge.rouge(HYPS, REFS, rouge_types=["rougeL"])
    assert textgauge.load("rouge").compute(predictions=HYPS, references=REFS, rouge_types="rougeL") == alone
    assert textgauge.Rouge(rouge_types="rougeL").signature == textgauge.Rouge(rouge_types=["rougeL"]).signature


def test_texts_come_first():
    assert textgauge.tokenize("Don't!", tokenizer="13a") == textgauge.tokenize("Don't!") == ["Don't", "!"]
    assert textgauge.tokenize(["a-b", ""], tokenizer="rouge") == [["a", "b"], []]
    assert textgauge.tokenize(np.array(["a b", "c"]), str.split) == [["a", "b"], ["c"]]
    assert textgauge.tokenize("13a", "13a") == ["13a"]


def test_texts_are_lower_cased_as_metrics_do():
    assert textgauge.tokenize("The CAT, ÉTÉ", lowercase=True) == ["the", "cat", ",", "été"]
    assert textgauge.tokenize(["The ÉTÉ"], str.split, lowercase="ascii") == [["the", "ÉtÉ"]]
    with pytest.raises(ValueError, match="^lowercase: .*'ascii'.*got 'yes'"):
        textgauge.tokenize("a", lowercase="yes")


@pytest.mark.parametrize("tokenizer", ["13a", str.split])
def test_the_former_order_is_refused(tokenizer):
    with pytest.raises(TypeError, match="^texts: .*tokenizer"):
        textgauge.tokenize(tokenizer, "Don't panic")


def test_texts_to_tokenize_are_checked():
    with pytest.raises(TypeError, match=r"^texts\[1\]: .*got 1"):
        textgauge.tokenize(["a", 1])
    with pytest.raises(ValueError, match="tokenizer: expected one of .*did you mean 'rouge'"):
        textgauge.tokenize(["a"], "roug")
    with pytest.raises(ValueError, match="^texts: .*got a lone surrogate"):
        textgauge.tokenize("\ud800")


IN_DATA_SET = "prediction_column: score_dataset(dataset, metric, prediction_column=...)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("Rouge().score(HYPS, REFS)", "predictions: Rouge(...).update(predictions, references).score(), got ['a cat"),
        ("Perplexity().score(HYPS)", "predictions: Perplexity(...).update(predictions).score(), got ['a cat"),
        ("Rouge('rouge1')", "Rouge: Rouge(rouge_types=...), got 'rouge1'"),
        ("rewards.Reward('chrf', 'target')", "reference: Reward(metric, reference=...), got 'target'"),
        ("score_dataset([], 'chrf')", f"{IN_DATA_SET}, got none"),
        ("score_dataset([], 'chrf', 'p')", f"{IN_DATA_SET}, got 'p'"),
        ("scorer('chrf', 'p')", "prediction_column: scorer(metric, prediction_column=...), got 'p'"),
        ("pairwise(HYPS, REFS)", "metric: pairwise(predictions, references, metric=...), got none"),
        ("mbr(HYPS)", "metric: mbr(candidates, metric=...), got none"),
        ("mbr(HYPS, 'chrf')", "metric: mbr(candidates, metric=...), got 'chrf'"),
        ("segment_scores(HYPS, REFS, 'chrf')", "metric: segment_scores('chrf', predictions, references), got ['a cat"),
        ("plan([HYPS, REFS], REFS)", "system1: plan(system1, system2, references, metric=...), got [['a cat"),
        ("plan({'a': HYPS, 'b': REFS}, REFS)", "system1: plan(system1, system2, references, metric=...), got {'a'"),
        ("load('rouge').compute(HYPS, REFS)", "predictions: compute(predictions=..., references=...), got ['a cat"),
        ("load('squad').add_batch(HYPS, REFS)", "predictions: add_batch(predictions=..., references=...), got ['a cat"),
        ("load('squad').add('a', 'b')", "prediction: add(prediction=..., reference=...), got 'a'"),
        ("load('token_f1').add('a', 'b')", "prediction: add(prediction=..., reference=...), got 'a'"),
        ("load('chrf').add('a', 'b')", "prediction: add(prediction=..., reference=...), got 'a'"),
        ("load('paired_bootstrap').compute(HYPS)", "predictions1: compute(predictions1=..., predictions2=...), got ["),
        ("load('paired_bootstrap').add_batch(HYPS)", "predictions1: add_batch(predictions1=..., predictions2=...), g"),
        ("load('paired_bootstrap').add('a')", "prediction1: add(prediction1=..., prediction2=...), got 'a'"),
    ],
)
def test_an_argument_by_place_is_answered_with_the_call(call, message):
    argument, _, shown = message.partition(": ")
    with pytest.raises(TypeError, match=f"^{argument}: expected .*, as in {re.escape(shown)}"):
        eval(f"textgauge.{call}")


def test_other_names_of_columns_are_told_before_what_is_missing():
    with pytest.raises(TypeError, match=r"^refs: expected an option of compare \(nearest: references\)"):
        textgauge.compare([["a"], ["b"]], refs=["a"])
    with pytest.raises(TypeError, match=r"^lowercase: expected an option of compare \(nearest: metric\)"):
        textgauge.compare([["a"], ["b"]], ["a"], lowercase=True)


@pytest.mark.filterwarnings("ignore:.*(too few|of 2 systems)")
def test_iterators_are_read_once_for_all_metrics():
    systems, refs = [["a b", "c d e"], ["a", "c d f"]], ["a b", "c d g"]
    human = {"x": [1, 2], "y": [2, 1]}
    for metric in ("chrf", ["chrf", "ter"]):
        expected = textgauge.compare(systems, refs, metric=metric, n_resamples=100)
        assert textgauge.compare([*map(iter, systems)], iter(refs), metric=metric, n_resamples=100) == expected
        assert textgauge.plan(*map(iter, systems), iter(refs), metric=metric) == textgauge.plan(
            *systems, refs, metric=metric
        )
    named = dict(zip("xy", systems, strict=True))
    options = {"confidence": None, "significance": ()}
    expected = textgauge.agreement(human, ["chrf", "ter"], predictions=named, references=refs, **options)
    iterators = {name: iter(texts) for name, texts in named.items()}
    assert (
        textgauge.agreement(human, ["chrf", "ter"], predictions=iterators, references=iter(refs), **options) == expected
    )
