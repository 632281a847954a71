"""The meaning of BLEU's options, and their errors."""

import math
from dataclasses import asdict

import pytest
import textgauge
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from option_values import PRESETS, PRESETS_AND_SMOOTHINGS
from sacrebleu.metrics import BLEU
from textgauge.measures.bleu import SMOOTHINGS

SMOOTHED = ("none", "add-k", "floor", "exp")
HYP, REF = "the cat is on the mat", "the cat sat on the mat"
CORPUS = (["the cat is on the mat", "a dog", ""], [["the cat sat on the mat", "a cat"], ["the dog"], ["b"]])


def score(**options):
    return textgauge.bleu([HYP], [REF], **options)


@pytest.mark.parametrize("name", PRESETS)
def test_preset_is_its_options(name):
    spelled = textgauge.bleu(*CORPUS, **{**asdict(PRESETS[name]), "preset": None})
    assert textgauge.bleu(*CORPUS, preset=name) == spelled


def test_without_a_preset_it_is_the_reference_module():
    assert textgauge.bleu(*CORPUS) == textgauge.bleu(*CORPUS, preset="evaluate")


def test_explicit_options_win_over_the_preset():
    assert score(preset="sacrebleu", smoothing="none")["bleu"] == 0
    assert score(preset="nltk", smoothing="chen-cherry-4") == score(
        preset="nltk", smoothing="chen-cherry-4", smooth_value=5
    )
    assert score(preset="mteval-v13a", smooth=True)["precisions"] == score(smooth=True)["precisions"]
    upper = [HYP.upper()], [REF]
    with pytest.warns(UserWarning, match="differ in case"):
        assert textgauge.bleu(*upper, preset="mteval-v13a", lowercase=False)["precisions"][0] < 1 / 10
    assert textgauge.bleu(*upper, preset="mteval-v13a")["bleu"] == score(preset="mteval-v13a")["bleu"]


def test_every_smoothing_has_the_default_of_its_tool():
    # Matches 5, 3, 1, 0 of 6, 5, 4, 3 n-grams; with other values in tests/parity.
    tokens, nltk = ([REF.split()], HYP.split()), [f"chen-cherry-{method}" for method in range(1, 8)]
    expected = {name: BLEU(smooth_method=name).corpus_score([HYP], [[REF]]).score / 100 for name in SMOOTHED}
    expected |= {"add-one": (6 / 7 * 4 / 6 * 2 / 5 / 4) ** 0.25, "epsilon": (5 / 6 * 3 / 5 / 4 * 1e-10) ** 0.25}
    for name in nltk:
        method = getattr(SmoothingFunction(), f"method{name[-1]}")
        expected[name] = float(sentence_bleu(*tokens, smoothing_function=method))
    assert {name: score(smoothing=name)["bleu"] for name in SMOOTHINGS} == pytest.approx(expected, abs=1e-14)
    assert score(smooth=True) == score(smoothing="add-one")


def test_smooth_is_add_one_for_segments():
    spelled = score(smoothing="add-one", per_segment=True)
    assert score(smooth=True, per_segment=True) == spelled
    assert spelled["segment_bleu"] == pytest.approx([(6 / 7 * 4 / 6 * 2 / 5 / 4) ** 0.25])
    assert textgauge.Bleu(smooth=True).signature == textgauge.Bleu(smoothing="add-one").signature
    # Without a choice a segment is smoothed as in sacreBLEU.
    assert score(per_segment=True)["segment_bleu"] == score(smoothing="exp", per_segment=True)["segment_bleu"]


def test_penalties_round_as_in_tools():
    # The module divides 1 by the ratio of the lengths; other tools divide the lengths.
    of_tool = {
        "evaluate": lambda n, m: math.exp(1 - 1 / (n / m)),
        **dict.fromkeys(("sacrebleu", "nltk", "mteval-v13a", "moses"), lambda n, m: math.exp(1 - m / n)),
        "coco": lambda n, m: math.exp(1 - 1 / ((n + 1e-15) / (m + 1e-9))),
    }
    assert of_tool.keys() == PRESETS.keys()
    lengths = [(n, m) for n in range(4, 12) for m in range(n + 1, 30, 3)]
    assert any(of_tool["evaluate"](*pair) != of_tool["moses"](*pair) for pair in lengths)
    words = [f"w{i}" for i in range(30)]
    for preset, penalty in of_tool.items():
        found = [
            textgauge.bleu([" ".join(words[:n])], [" ".join(words[:m])], preset=preset)["brevity_penalty"]
            for n, m in lengths
        ]
        assert found == [penalty(*pair) for pair in lengths]


def test_three_orders_of_moses():
    prediction, reference = "a b c d e f g h i", "a b c x e f y h i"
    logs = math.log(7 / 9) + math.log(4 / 8) + math.log(1 / 7)
    assert textgauge.bleu([prediction], [reference], preset="moses", max_order=3)["bleu"] == math.exp(logs / 3)


def test_effective_order_leaves_out_what_is_too_long():
    short = ["a b"], ["a b c d"]
    assert textgauge.bleu(*short)["bleu"] == 0
    assert textgauge.bleu(*short, effective_order=True)["bleu"] == pytest.approx(math.exp(-1))
    weighted = textgauge.bleu(["a x"], ["a b"], effective_order=True, smoothing="floor", weights=[3, 1, 4, 4])
    # Weights 3 and 1 of 12 share all of it.
    assert weighted["bleu"] == pytest.approx(0.5**9 * 0.1**3)
    assert textgauge.bleu(*short, effective_order=True, weights=[0, 0, 0, 1])["bleu"] == 0


def test_a_seventh_order():
    text = "one two three four five six seven eight"
    result = textgauge.bleu([text], [text + " nine"], max_order=7, all_orders=True)
    assert result["precisions"] == [1.0] * 7
    assert result["bleu"] == pytest.approx(math.exp(1 - 9 / 8))


@pytest.mark.parametrize(("preset", "smoothing"), PRESETS_AND_SMOOTHINGS)
def test_all_orders_are_the_scores_of_each_order(preset, smoothing):
    options = {"preset": preset, "smoothing": smoothing}
    result = textgauge.bleu(*CORPUS, all_orders=True, **options)
    for order in range(1, 5):
        assert result[f"bleu{order}"] == textgauge.bleu(*CORPUS, max_order=order, **options)["bleu"]
    assert "bleu5" not in result


def test_signatures():
    assert score(signature=True)["signature"] == (
        "nrefs:1|case:mixed|eff:no|tok:13a|smooth:none|reflen:shortest|count:plain|strip:no"
        f"|version:textgauge-{textgauge.__version__}"
    )
    exact = score(preset="nltk", max_order=2, weights=[0.7, 0.3], smoothing="epsilon", signature=True)["signature"]
    assert "|smooth:epsilon[1e-10]|order:2|weights:0.7,0.3|count:nltk|strip:no|" in exact
    rouge = textgauge.load("rouge", seed=7).compute(
        predictions=[HYP] * 2, references=[[REF], [REF, HYP]], rouge_types=["rouge2", "rougeLsum"],
        aggregator="bootstrap", use_stemmer=True, signature=True,
    )  # fmt: skip
    assert rouge["signature"].startswith(
        "nrefs:var|types:rouge2,rougeLsum|beta:1.00|sent:newline|tok:rouge+porter|agg:bootstrap[7]|"
    )
    assert "|agg:none|" in textgauge.rouge([HYP], [REF], use_aggregator=False, signature=True)["signature"]
    merged = textgauge.Rouge().update([HYP], [REF]) + textgauge.Rouge().update([HYP], [[REF, REF]])
    assert merged.score(signature=True)["signature"].startswith("nrefs:var|")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"smoothing": "exp", "smooth": True}, ValueError, "^smoothing: .*`smooth=True`.*got 'exp'"),
        ({"smoothing": "exp", "smooth_value": 1}, ValueError, "^smooth_value: .*`smoothing='exp'`.*got 1.0"),
        ({"smoothing": "floor", "smooth_value": -1}, ValueError, "^smooth_value: .*got -1"),
        ({"smooth_value": "1", "smoothing": "add-k"}, TypeError, "^smooth_value: .*got '1'"),
        ({"lowercase": "unicode"}, ValueError, "^lowercase: .*'ascii'"),
        ({"lowercase": 1}, TypeError, "^lowercase: .*'ascii'"),
        ({"tokenizer": "mecab"}, ValueError, "^tokenizer: .*got 'mecab'"),
        ({"weights": [1, 2, 3, 4], "all_orders": True}, ValueError, "^weights: .*all_orders"),
    ],
)
def test_refused_options(options, error, message):
    with pytest.raises(error, match=message):
        score(**options)
    with pytest.raises(error, match=message):
        textgauge.load("bleu").compute(predictions=[HYP], references=[REF], **options)


@pytest.mark.parametrize(("smoothing", "first"), [("add-one", 2 / 3), ("add-k", 1 / 2), ("chen-cherry-2", 1 / 2)])
def test_smoothed_totals_are_effective(smoothing, first):
    # Two words have no 3-gram: (0 + 1) / (0 + 1).
    found = textgauge.bleu(["a dog"], ["a cat"], smoothing=smoothing, effective_order=True)
    assert found["precisions"] == pytest.approx([first, 1 / 2, 1, 1])
    assert found["bleu"] == pytest.approx((first / 2) ** 0.25)


def test_every_smoothing_by_hand():
    # Matches 5, 3, 1, 0 of 6, 5, 4, 3 n-grams.
    p1, p2, p3 = 5 / 6, 3 / 5, 1 / 4
    m1 = (p1 + 1 + p1 + p2) / 3
    m2 = (m1 + p2 + p3) / 3
    m3 = (m2 + p3) / 3
    prior3 = p2**2 / p1
    s3 = (1 + 5 * prior3) / 9
    method_4 = math.log(6) / (2 * 5) / 3
    n3 = (m2 + p3 + method_4) / 3
    expected = {
        "none": [p1, p2, p3, 0],
        "add-one": [6 / 7, 4 / 6, 2 / 5, 1 / 4],
        "add-k": [p1, 4 / 6, 2 / 5, 1 / 4],
        "floor": [p1, p2, p3, 0.1 / 3],
        "exp": [p1, p2, p3, 1 / 6],
        "epsilon": [p1, p2, p3, 1e-10],
        "chen-cherry-1": [p1, p2, p3, 0.1 / 3],
        "chen-cherry-2": [p1, 4 / 6, 2 / 5, 1 / 4],
        "chen-cherry-3": [p1, p2, p3, 1 / 6],
        "chen-cherry-4": [p1, p2, p3, method_4],
        "chen-cherry-5": [m1, m2, m3, m3 / 3],
        "chen-cherry-6": [p1, p2, s3, 5 * s3**2 / p2 / 8],
        "chen-cherry-7": [m1, m2, n3, (n3 + method_4) / 3],
    }
    assert list(expected) == list(SMOOTHINGS)
    for name, precisions in expected.items():
        result = score(smoothing=name)
        assert result["precisions"] == pytest.approx(precisions, abs=1e-15), name
        mean = math.prod(precisions) ** (1 / 4)
        assert result["bleu"] == pytest.approx(mean, abs=1e-14), name


def test_smoothing_that_adds_nothing_keeps_the_effective_order():
    options = {"smoothing": "add-k", "smooth_value": 0}
    assert textgauge.bleu(["a b"], ["a b"], effective_order=True, **options)["bleu"] == 1
    assert textgauge.segment_scores(textgauge.Bleu(**options), ["a b"], ["a b"]).tolist() == [1.0]


def test_an_empty_reference_is_not_matched_by_smoothed_precisions():
    assert textgauge.bleu(["a b c d e"], [""], preset="mteval-v13a")["bleu"] == 0


def test_weights_that_are_all_0_weigh_nothing():
    with pytest.raises(ValueError, match=r"^weights: .*got \[0, 0, 0, 0\]"):
        textgauge.bleu([HYP], [REF], weights=[0, 0, 0, 0])


@pytest.mark.parametrize("smoothing", ["none", "exp", "floor"])
def test_order_left_out_is_no_cause(smoothing, recwarn):
    # The penalty of so short a text is below all floats.
    assert textgauge.bleu(["a"], ["a " * 800], smoothing=smoothing, effective_order=True)["bleu"] == 0
    assert not recwarn.list


ORDERS = [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
CORPORA = [
    (["the cat sat on the mat today", "a dog barks at the old cat", "it rains a lot here"],
     ["the cat is on the mat today", "a dog barked at the old cat", "it rains here a lot"]),
    # No 4-gram matches, which is what methods 4 to 7 are for.
    (["the cat sat on mats", "a dog barks at night", "it rains a lot here now"],
     ["the cat sits on mats", "a dog barked at night", "it rains here a lot and now"]),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", range(1, 8))
@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_methods_of_chen_and_cherry_are_those_of_nltk(method, order):
    """Several depend on the last segment."""
    # nltk's method 6 refuses the other corpus.
    for corpus in CORPORA[: 1 if method == 6 else 2]:
        hyps, refs = ([side[i] for i in order] for side in corpus)
        smoothing = getattr(SmoothingFunction(), f"method{method}")
        tokens = [[text.split()] for text in refs], [text.split() for text in hyps]
        found = textgauge.bleu(hyps, refs, preset="nltk", smoothing=f"chen-cherry-{method}", tokenizer=str.split)
        assert found["bleu"] == pytest.approx(corpus_bleu(*tokens, smoothing_function=smoothing), rel=1e-15)
