"""Warnings: one per call, at the caller's line, and none without a reason."""

import json
import os
import subprocess
import sys
import warnings

import pytest
import textgauge

pytestmark = pytest.mark.filterwarnings("error")
SENTENCES = ["The dam broke. Nobody was hurt."], ["Nobody was hurt. The dam broke."]
EMPTY_ORDER = (
    "BLEU is 0 because no prediction is long enough for a {}-gram: pass `effective_order=True`, `max_order={}` or"
)
ONE_LINE = "rougeLsum equals rougeL here, since .* pass `split_summaries=True`, or put each sentence on its own line"


@pytest.mark.parametrize(("text", "order"), [("yes", 2), ("a cat", 3), ("a cat sat", 4)])
def test_bleu_warns_of_the_order_that_makes_short_texts_score_0(text, order):
    with pytest.warns(UserWarning, match=EMPTY_ORDER.format(order, order - 1)) as told:
        assert textgauge.bleu([text], [text], all_orders=True, per_segment=True)["bleu"] == 0.0
    assert len(told) == 1
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match="BLEU is 0") as told:
        textgauge.load("bleu").compute(predictions=[text], references=[text])
    assert len(told) == 1
    for options in ({"effective_order": True}, {"max_order": order - 1}, {"smooth": True}):
        assert textgauge.bleu([text], [text], **options)["bleu"] > 0


@pytest.mark.parametrize(
    ("hyps", "refs", "options"),
    [
        (["a cat sat here"], ["a cat sat"], {}),
        (["a dog"], ["the cat"], {}),
        ([""], ["the cat"], {}),
        (["one two", "a cat sat down here"], ["one two", "a cat sat down here"], {}),
        (["a cat"], ["a cat"], {"weights": [0.5, 0.5, 0, 0]}),
    ],
)
def test_bleu_does_not_warn_if_length_is_not_the_cause_of_0(hyps, refs, options):
    textgauge.bleu(hyps, refs, **options)


def test_nltk_warns_of_an_order_without_a_match():
    with pytest.warns(UserWarning, match="the predictions share no 3-gram with their references, so BLEU is almost 0"):
        textgauge.bleu(["a cat sat"], ["a cat sits"], preset="nltk", max_order=3)


def test_rows_scored_one_by_one_raise_no_warning():
    score = textgauge.scorer("bleu", prediction_column="p", reference_column="r")
    assert score({"p": ["a"], "r": ["a"]})["bleu"].tolist() == [0.0]


@pytest.mark.parametrize("options", [{}, {"rouge_types": ["rougeLsum"]}, {"max_words": 8}, {"use_stemmer": True}])
def test_rouge_lsum_of_sentences_in_one_line_raises_one_warning(options):
    with pytest.warns(UserWarning, match=ONE_LINE) as told:
        textgauge.rouge(SENTENCES[0] * 3000, SENTENCES[1] * 3000, **options)
    assert len(told) == 1
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match=ONE_LINE) as told:
        textgauge.load("rouge").compute(predictions=SENTENCES[0], references=SENTENCES[1], **options)
    assert len(told) == 1


def test_warnings_of_all_batches_of_a_data_set_are_merged():
    import datasets

    datasets.disable_progress_bars()
    rows = datasets.Dataset.from_dict({"p": SENTENCES[0] * 10, "r": SENTENCES[1] * 10})
    with pytest.warns(UserWarning, match=ONE_LINE) as told:
        textgauge.score_dataset(rows, "rouge", prediction_column="p", reference_column="r", batch_size=2)
    assert len(told) == 1


@pytest.mark.parametrize(
    ("hyps", "refs", "options"),
    [
        (*SENTENCES, {"split_summaries": True}),
        (*SENTENCES, {"rouge_types": ["rougeL"]}),
        (*SENTENCES, {"preset": "rouge-1.5.5"}),
        (["The dam broke.\nNobody was hurt."], SENTENCES[1], {}),
        (SENTENCES[0] * 20, [*SENTENCES[1] * 19, "Nobody was hurt.\nThe dam broke."], {}),
        (["the dam broke"], ["The dam broke."], {}),
        (["Mr. Smith met Dr. Jones."], ["Dr. Jones was met by Mr. Smith."], {}),
        (["The dam broke"] * 3 + SENTENCES[0], ["It broke."] * 4, {}),
        ([], [], {}),
    ],
)
def test_rouge_does_not_warn_if_newlines_would_change_nothing(hyps, refs, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        textgauge.Rouge(**options).update(hyps, refs)


WITHOUT_KERNEL = """
import json, sys, warnings
sys.modules["textgauge._kernel"] = None
import textgauge
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    textgauge.set_num_threads(2)
    before = len(told)
    results = [textgauge.rouge(["a cat sat"], ["the cat sat"]), textgauge.bleu(["a b c d e"], ["a b c d"])]
    results += [textgauge.token_f1(["a b"], ["b c"])]
says = [[str(one.message), one.filename, one.category.__name__] for one in told]
print(json.dumps([textgauge.kernel_in_use(), before, says, results]))
"""


def test_without_a_kernel_the_first_score_says_so_once_and_all_are_the_same():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_KERNEL], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    kernel, before, [[message, place, category]], results = json.loads(done.stdout)
    assert (kernel, before, place, category) == ("plain Python", 0, "<string>", "UserWarning")
    assert "C++ compiler" in message
    assert "pip install" in message
    assert results == [
        textgauge.rouge(["a cat sat"], ["the cat sat"]),
        textgauge.bleu(["a b c d e"], ["a b c d"]),
        textgauge.token_f1(["a b"], ["b c"]),
    ]
