"""Diversity of sets of texts: against definitions, the recorded figures of other tools, and our own sentence BLEU."""

import gzip
import json
import math
import pickle
from operator import itemgetter

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from growing import BOUND, FACTOR, growth
from hypothesis import given
from hypothesis import strategies as st
from oracles.diversity import distinct, ngram_diversity, self_repetition
from strategies import overlapping, segment, words
from textgauge.accumulation.accumulator import summary_of
from textgauge.accumulation.named_score import NamedScore
from textgauge.measures.chrf import ChrfMetric
from textgauge.measures.diversity import Diversity, compressed_size
from textgauge.measures.self_bleu import VARIANTS, closest_others

pytestmark = pytest.mark.filterwarnings("ignore:.*")
CATS = ["the cat sat on the mat", "the cat sat on the mat", "a dog barks", "", "the the the"]
SETS = st.lists(st.one_of(overlapping, segment, words), min_size=2, max_size=6).flatmap(
    lambda texts: st.sampled_from([texts, [*texts, texts[0]], [*texts, ""]])
)


def cases(shared):
    recorded = json.loads(gzip.decompress((shared / "oracles/diversity.json.gz").read_bytes()))["cases"]
    for case in recorded:
        texts = case.get("texts")
        if texts is None:
            lines = gzip.decompress((shared / "data" / case["data"]).read_bytes()).splitlines()
            rows = map(json.loads, lines[case["first"] : case["first"] + case["n"]])
            texts = list(map(itemgetter(case["field"]), rows))
        yield texts, case["expected"]


def test_figures_are_those_of_the_package_and_of_nltk(shared):
    for texts, expected in cases(shared):
        for order, value in expected["self_bleu_nltk_method1"].items():
            assert textgauge.self_bleu(texts, max_order=int(order)) == pytest.approx(value, rel=1e-14, abs=1e-15)
        found = textgauge.diversity(texts)
        assert found["self_bleu"] == pytest.approx(expected["self_bleu_nltk_method1"]["4"], rel=1e-14)
        assert [found[f"distinct_{n}"] for n in range(1, 5)] == list(expected["distinct"].values())
        assert found["self_repetition"] == pytest.approx(expected["self_repetition_4"], rel=1e-14)
        assert round(found["ngram_diversity"], 3) == expected["ngram_diversity_4"]


def test_homogenization_is_that_of_the_package(shared):
    for texts, expected in cases(shared):
        found = textgauge.diversity(texts, homogenization="rougeL")["homogenization"]
        assert round(found, 3) == expected["homogenization_rougeL"]


@pytest.mark.parametrize(
    ("metric", "options"), [("rougeL", {"use_stemmer": True}), ("chrf", {}), ("bleu", {}), ("ter", {})]
)
def test_homogenization_in_blocks(metric, options, monkeypatch):
    texts = ["the cats sat", "a cat sat here", "dogs bark", "the dog barks here", "it rains"]
    named = NamedScore(metric, options)
    matrix = textgauge.pairwise(texts, texts, metric=named)
    mean = (matrix.sum() - matrix.trace()) / 20
    chosen = {"homogenization": str(named)}
    assert textgauge.diversity(texts, **chosen)["homogenization"] == pytest.approx(mean, rel=1e-14)
    for name, value in (("N_PAIRS", 12), ("N_PAIRS", 4), ("N_SINGLE_PAIRS", 4), ("CHUNK_BYTES", 30)):
        monkeypatch.setattr(f"textgauge.all_pairs.matrix.{name}", value)
        assert textgauge.diversity(texts, **chosen)["homogenization"] == pytest.approx(mean, rel=1e-14)


def test_homogenization_cuts_every_text_once(monkeypatch):
    cut, all_pairs = [], ChrfMetric.all_pairs

    def counted(self, texts, *rest):
        cut.append(len(texts))
        return all_pairs(self, texts, *rest)

    monkeypatch.setattr(ChrfMetric, "all_pairs", counted)
    textgauge.diversity([f"text {i}" for i in range(2000)], homogenization="chrf")
    assert cut == [2000]


@given(SETS, st.sampled_from(sorted(VARIANTS)), st.integers(1, 5))
def test_self_bleu_is_bleu_of_others(texts, variant, max_order):
    options = {**VARIANTS[variant], "max_order": max_order, "tokenizer": "whitespace", "strip": False}
    others = [texts[:i] + texts[i + 1 :] for i in range(len(texts))]
    accumulator = textgauge.Bleu(**options, reference_length="closest").update(texts, others)
    mean = math.fsum(accumulator.segment_values()["bleu"]) / len(texts)
    expected = accumulator.score()["bleu"] if variant == "corpus" else mean
    assert textgauge.self_bleu(texts, variant=variant, max_order=max_order) == expected


@given(SETS, st.integers(1, 5))
def test_counts_are_those_of_the_definitions(texts, max_order):
    tokens, found = list(map(str.split, texts)), textgauge.diversity(texts, max_order=max_order)
    assert [found[f"distinct_{n}"] for n in range(1, max_order + 1)] == [
        distinct(tokens, n) for n in range(1, max_order + 1)
    ]
    assert found["ngram_diversity"] == pytest.approx(ngram_diversity(tokens, max_order), rel=1e-14)
    assert found["self_repetition"] == pytest.approx(self_repetition(tokens, max_order), rel=1e-14)
    assert found["compression_ratio"] == len(" ".join(texts).encode()) / len(gzip.compress(" ".join(texts).encode()))


@pytest.mark.slow
def test_the_size_is_that_of_gzip_for_long_texts():
    data = np.random.default_rng(0).choice(np.frombuffer(b"ab cd", np.uint8), 600_000).tobytes()
    assert compressed_size(data) == len(gzip.compress(data))


@given(SETS)
def test_the_single_blanks_of_the_package_can_be_had(texts):
    found = textgauge.diversity(texts, tokenizer=lambda text: text.split(" "))["ngram_diversity"]
    joined = " ".join(texts).split(" ")
    assert found == pytest.approx(ngram_diversity([joined], 4), rel=1e-14)


@given(st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=6), max_size=4))
def test_the_closest_other_length(groups):
    offsets = np.cumsum([0, *map(len, groups)])
    found = closest_others(np.array([n for group in groups for n in group], np.int64), offsets)
    expected = [
        min(group[:i] + group[i + 1 :], key=lambda other: (abs(other - n), other))
        for group in groups for i, n in enumerate(group)
    ]  # fmt: skip
    assert found.tolist() == expected


def test_equal_texts_and_texts_that_share_nothing():
    assert textgauge.self_bleu(["a b c d"] * 3) == 1
    assert textgauge.self_bleu(["a b c d", "e f g h"]) == 0
    found = textgauge.diversity(["a b c d", "e f g h"])
    assert [found[name] for name in ("distinct_1", "ngram_diversity", "self_repetition")] == [1, 4, 0]


def test_self_bleu_of_empty_texts():
    found = textgauge.diversity(["", "", ""])
    assert [value for key, value in found.items() if key != "compression_ratio"] == [0] * 7
    assert textgauge.self_bleu(["a b", "a b", ""], max_order=2) == 2 / 3


@pytest.mark.parametrize("make", [tuple, iter, np.array, pa.array])
def test_columns_of_any_kind(make):
    assert textgauge.diversity(make(CATS)) == textgauge.diversity(CATS)


def test_groups_are_lists_or_keys():
    keys = ["x", 2, "x", 2, "x"]
    lists = [[CATS[0], CATS[2], CATS[4]], [CATS[1], CATS[3]]]
    own = list(map(textgauge.diversity, lists))
    asked = {"per_segment": True, "confidence": 0.9, "counts": True, "signature": True}
    found = textgauge.diversity(lists, **asked)
    assert found == textgauge.diversity(CATS, groups=keys, **asked)
    assert found == textgauge.diversity(pa.array(CATS), groups=pa.array(["x", "y", "x", "y", "x"]), **asked)
    for key in own[0]:
        assert found[f"segment_{key}"] == [group[key] for group in own]
        assert found[key] == pytest.approx((own[0][key] + own[1][key]) / 2, rel=1e-15)
        low, high = found["confidence_intervals"][key]
        # Two groups are few: what is drawn lies within.
        assert low <= min(found[f"segment_{key}"]) <= max(found[f"segment_{key}"]) <= high
    assert found["counts"]["n_texts"] == 5
    assert found["signature"].startswith("bs:1000|seed:12345|case:mixed|tok:whitespace|order:4|selfbleu:nltk|version:")
    assert textgauge.self_bleu(lists) == found["self_bleu"] == textgauge.self_bleu(CATS, groups=keys)
    assert textgauge.diversity([CATS]) == textgauge.diversity(CATS)


def test_groups_add_up_and_are_stored():
    parts = [Diversity(max_order=2).update(texts) for texts in (CATS, CATS[1:])]
    whole = Diversity(max_order=2).update([CATS, CATS[1:]])
    assert (parts[0] + parts[1]).score() == whole.score() == pickle.loads(pickle.dumps(whole)).score()
    assert Diversity.from_arrow(whole.to_arrow()).score() == whole.score()
    assert [line.key for line in summary_of(whole, whole.score()).lines] == list(whole.score())


def test_text_without_spaces_and_case():
    texts = ["猫が座った", "猫が寝た"]
    with pytest.warns(UserWarning, match="does not split text without spaces"):
        assert textgauge.diversity(texts)["distinct_1"] == 1
    assert textgauge.diversity(texts, tokenizer="character")["distinct_1"] == 6 / 9
    assert textgauge.diversity(["A b", "a B"], lowercase=True)["distinct_1"] == 0.5


@pytest.mark.parametrize(
    ("predictions", "options", "message"),
    [
        ([], {}, "^predictions: .*got 0"),
        (["a"], {}, "^predictions: .*got 1"),
        ([["a", "b"], ["c"]], {}, r"^predictions\[1\]: .*got 1"),
        ([["a", "b"], []], {}, r"^predictions\[1\]: .*got an empty list"),
        (["a", "b", "c"], {"groups": ["x", "y", "x"]}, "^groups: .*got 1 of 'y'"),
        (["a", "b"], {"groups": ["x"]}, r"^groups: .*\(2\).*got 1"),
        (["a", "b"], {"groups": [[], []]}, r"^groups\[0\]: .*got \[\]"),
        (["a", "b"], {"groups": "xx"}, "^groups: .*got 'xx'"),
        (["a", "b"], {"groups": ["x", None]}, r"^groups\[1\]: .*got None"),
        (["a", "b"], {"groups": [float("nan"), 1]}, r"^groups\[0\]: .*got nan"),
        ([["a", "b"]], {"groups": ["x"]}, r"^predictions\[0\]: .*got \['a', 'b'\]"),
        (["a", 3], {}, r"^predictions\[1\]: .*got 3"),
        ("ab", {}, "^predictions: .*got 'ab'"),
        (["a", "b"], {"confidence": 0.9}, "^confidence: .*got 0.9"),
        (["a", "b"], {"variant": "nlkt"}, "did you mean 'nltk'"),
        (["a", "b"], {"max_ordr": 1}, "nearest: max_order"),
        (["a", "b"], {"homogenization": "rougel"}, "homogenization: expected .*did you mean 'rougeL'"),
        (["a", "b"], {"homogenization": "perplexity"}, "^homogenization: .*got 'perplexity'"),
        ([["a", "b"], ["c"]], {"homogenization": "rouge1(jackknife=True)"}, "^jackknife: .*got True"),
    ],
)
def test_wrong_input_is_refused(predictions, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        textgauge.diversity(predictions, **options)


@pytest.mark.slow
def test_the_time_grows_with_the_tokens():
    random = np.random.default_rng(0)
    texts = [" ".join(map(str, random.zipf(1.3, 60) % 30_000)) for _ in range(FACTOR * 1_000)]
    assert growth(textgauge.self_bleu, texts[:1_000], texts) < BOUND


@given(SETS, st.integers(1, 4))
def test_self_bleu_is_the_mean_of_nltk(texts, max_order):
    nltk = pytest.importorskip("nltk.translate.bleu_score")
    smoothing, weights = nltk.SmoothingFunction().method1, [1 / max_order] * max_order
    tokens = list(map(str.split, texts))
    others = (tokens[:i] + tokens[i + 1 :] for i in range(len(tokens)))
    pairs = zip(others, tokens, strict=True)
    scores = [float(nltk.sentence_bleu(*pair, weights, smoothing)) for pair in pairs]
    found = textgauge.self_bleu(texts, max_order=max_order)
    assert found == pytest.approx(math.fsum(scores) / len(texts), rel=1e-13, abs=1e-15)


def test_a_group_of_one_text_is_named_whatever_gives_the_keys():
    for groups in ("bba", iter("bba"), (key for key in "bba")):
        with pytest.raises(ValueError, match="groups: expected at least 2 texts of every key, got 1 of 'a'"):
            textgauge.self_bleu(["a b", "b c", "c"], groups=[*groups] if isinstance(groups, str) else groups)
