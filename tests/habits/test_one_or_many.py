"""One name where a list of names is taken, and texts before their tokenizer."""

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
