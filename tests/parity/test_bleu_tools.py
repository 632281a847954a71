"""The BLEU of other tools: presets and options, live against the tools."""

import math

import numpy as np
import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from oracles.bleu_tools import mteval_bleu, mteval_tokens, multi_bleu
from quick import examples
from sacrebleu.metrics import BLEU
from strategies import assigned_corpora, split

TOLERANCE = 1e-11


def streams(refs):
    """The references as sacreBLEU takes them: None where a segment has fewer."""
    return [[r[i] if i < len(r) else None for r in refs] for i in range(max(map(len, refs)))]


@st.composite
def sacrebleu_options(draw):
    smooth = draw(st.sampled_from(["none", "floor", "add-k", "exp"]))
    takes_value = smooth in ("floor", "add-k")
    return {
        "smooth_method": smooth,
        "smooth_value": draw(st.one_of(st.none(), st.floats(0, 3))) if takes_value else None,
        "max_ngram_order": draw(st.integers(1, 6)),
        "tokenize": draw(st.sampled_from(["13a", "intl", "zh", "char", "none"])),
        "lowercase": draw(st.booleans()),
        "effective_order": draw(st.booleans()),
    }


def ours_of(options):
    names = {"smooth_method": "smoothing", "max_ngram_order": "max_order", "tokenize": "tokenizer"}
    return {names.get(key, key): value for key, value in options.items()}


@settings(max_examples=examples(300))
@given(assigned_corpora, sacrebleu_options())
def test_preset_sacrebleu(corpus, options):
    hyps, refs = split(corpus)
    metric = BLEU(**options, force=True)
    official = metric.corpus_score(hyps, streams(refs))
    statistics = textgauge.Bleu(preset="sacrebleu", **ours_of(options)).update(hyps, refs)
    result = statistics.score(per_segment=True, signature=True)
    assert result["bleu"] == official.score / 100
    assert [p * 100 for p in result["precisions"]] == pytest.approx(official.precisions, abs=1e-9)
    assert (result["translation_length"], result["reference_length"]) == (official.sys_len, official.ref_len)
    if official.sys_len:
        assert result["brevity_penalty"] == official.bp
    added = statistics.options.smooth_value if options["smooth_method"] == "add-k" and any(official.counts) else 0
    n = options["max_ngram_order"]
    total = statistics.total()
    counted = np.stack((total["matches"], total["totals"])) + [0, *[added] * (n - 1)]
    if official.totals[0] or not added:
        assert counted.tolist() == [official.counts, official.totals]
    of_sentences = BLEU(**{**options, "effective_order": True}, force=True)
    sentences = [of_sentences.sentence_score(hyp, group).score for hyp, group in corpus]
    assert result["segment_bleu"] == [score / 100 for score in sentences]
    percents = textgauge.sacrebleu(hyps, refs, per_segment=True, **ours_of(options))
    assert (percents["sacrebleu"], percents["precisions"]) == (official.score, official.precisions)
    assert percents["segment_sacrebleu"] == sentences


@pytest.mark.parametrize("smooth", ["none", "floor", "add-k", "exp"])
@pytest.mark.parametrize("options", [{}, {"lowercase": True, "tokenize": "intl"}, {"effective_order": True}])
@pytest.mark.parametrize("refs", [[["a b", "c"], ["d", "e"]], [["a", "b"], ["c"]]])
def test_signature_is_sacrebleus(smooth, options, refs):
    metric = BLEU(smooth_method=smooth, **options)
    metric.corpus_score(["a b c", "d"], streams(refs))
    ours = textgauge.bleu(
        ["a b c", "d"], refs, preset="sacrebleu", smoothing=smooth, signature=True, **ours_of(options)
    )["signature"]
    assert ours.rpartition("|version:")[0] == str(metric.get_signature()).rpartition("|version:")[0]


words = st.lists(st.sampled_from("aabbcde"), max_size=9)
token_corpora = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=4)


@st.composite
def nltk_options(draw):
    n = draw(st.integers(1, 6))
    weights = draw(st.one_of(st.none(), st.lists(st.floats(0.01, 1), min_size=n, max_size=n)))
    return n, weights, draw(st.integers(0, 7)), draw(st.none() | st.floats(0.01, 8))


# What each method's value is called in nltk.
NLTK_VALUES = {1: "epsilon", 4: "k", 6: "alpha", 7: "k"}


@settings(max_examples=examples(300))
@given(token_corpora, nltk_options())
def test_preset_nltk(corpus, options):
    n, weights, method, value = options
    hyps, refs = split(corpus)
    named = {NLTK_VALUES[method]: value} if method in NLTK_VALUES and value is not None else {}
    smoothing = getattr(SmoothingFunction(**named), f"method{method}")
    ours = {"preset": "nltk", "max_order": n, "weights": weights}
    if method:
        ours |= {"smoothing": f"chen-cherry-{method}", "smooth_value": value if named else None}
    sides = [" ".join(h) for h in hyps], [[" ".join(r) for r in group] for group in refs]
    result = textgauge.bleu(*sides, per_segment=True, **ours)
    # Without a method the rows are smoothed: what nltk gives without one is the score of a corpus of one.
    rows = result["segment_bleu"] if method else one_by_one(*sides, **ours)
    weights = weights or [1 / n] * n
    expected = [result["bleu"], *rows]
    calls = [(corpus_bleu, refs, hyps), *((sentence_bleu, r, h) for h, r in corpus)]
    for score, (function, references, hypotheses) in zip(expected, calls, strict=True):
        try:
            official = function(references, hypotheses, weights, smoothing)
        except (AssertionError, IndexError):
            # Method 6 raises without a common trigram; the card defines the score.
            assert method == 6
            assert math.isfinite(score)
        else:
            if method < 5:
                assert score == float(official)
            # The others compute with fractions.
            # With a small alpha and a short last segment, nltk's method 6 has no bound.
            assert score == pytest.approx(float(official), abs=TOLERANCE, rel=1e-13)


def one_by_one(hyps, refs, **options):
    return [textgauge.bleu([hyp], [group], **options)["bleu"] for hyp, group in zip(hyps, refs, strict=True)]


@given(assigned_corpora)
def test_preset_mteval(corpus):
    # XML, which the script reads, has no U+001C to U+001F.
    no_separators = {code: None for code in range(0x1C, 0x20)}
    hyps, refs = split(corpus)
    hyps = [h.translate(no_separators) for h in hyps]
    refs = [[r.translate(no_separators) for r in group] for group in refs]
    result = textgauge.bleu(hyps, refs, preset="mteval-v13a")
    # The script divides by a reference length of 0.
    if result["reference_length"]:
        assert result["bleu"] == mteval_bleu(hyps, refs)
    for score, hyp, group in zip(one_by_one(hyps, refs, preset="mteval-v13a"), hyps, refs, strict=True):
        if all(map(mteval_tokens, group)):
            assert score == mteval_bleu([hyp], [group])


@given(assigned_corpora)
def test_preset_moses(corpus):
    hyps, refs = split(corpus)
    result = textgauge.bleu(hyps, refs, preset="moses")
    assert result["bleu"] == multi_bleu(hyps, refs)
    assert one_by_one(hyps, refs, preset="moses") == [multi_bleu([h], [r]) for h, r in corpus]
