"""chrF, TER and the sacrebleu face against sacreBLEU: corpora, segments, intervals, tests, signatures, every option."""

import re

import pytest
import textgauge
from hypothesis import example, given, settings
from hypothesis import strategies as st
from quick import examples
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from strategies import split, text
from textgauge.text.tercom import Tercom

words = st.lists(
    st.sampled_from(
        ["the", "The", "cat", "(the)", "cats.", "3,5", "5-4", "it's", "&quot;", "&amp;lt;", "!", "\u732b",
         "\u304b\u306a", "\u3002", "\uff01", "a-b", "x.", ".y", "\n-", "{a}~", "\u1100\u3300"]
    ),
    max_size=14,
).map(" ".join)  # fmt: skip
lines = st.one_of(text, words)
# sacreBLEU takes the same number of references for every segment.
corpora = st.integers(1, 3).flatmap(
    lambda n: st.lists(st.tuples(lines, st.lists(lines, min_size=n, max_size=n)), min_size=1, max_size=5)
)
CHRF_OPTIONS = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 8), "word_order": st.integers(0, 3), "beta": st.integers(0, 4),
        "lowercase": st.booleans(), "whitespace": st.booleans(), "eps_smoothing": st.booleans(),
    }
)  # fmt: skip
TER_OPTIONS = st.fixed_dictionaries(
    dict.fromkeys(("normalized", "no_punct", "asian_support", "case_sensitive"), st.booleans())
)


def streams(references):
    return list(zip(*references, strict=True))


def same(ours, theirs):
    assert ours == pytest.approx(theirs, rel=0, abs=1e-12 * 100)


@settings(max_examples=examples(150))
@given(corpora, CHRF_OPTIONS)
def test_chrf_is_sacrebleus(corpus, options):
    hyps, refs = split(corpus)
    official = CHRF(**options)
    ours = textgauge.chrf(hyps, refs, per_segment=True, signature=True, **options)
    same(ours["chrf"], official.corpus_score(hyps, streams(refs)).score)
    for hyp, group, score in zip(hyps, refs, ours["segment_chrf"], strict=True):
        same(score, official.sentence_score(hyp, group).score)
    check_signature(ours["signature"], official)
    # The name in tables and pages; that of the key is the same for all.
    title = official.corpus_score(hyps, streams(refs)).name
    assert textgauge.Chrf(**options).metric.about.title == title
    assert textgauge.explain(hyps, refs, metric=textgauge.Chrf(**options)).title == title
    face = textgauge.load("chrf").compute(predictions=hyps, references=refs, **options)
    assert face["score"] == ours["chrf"]
    assert [repr(face[key]) for key in ("char_order", "word_order", "beta")] == [
        repr(options[key]) for key in ("char_order", "word_order", "beta")
    ]


@settings(max_examples=examples(150))
@given(corpora, TER_OPTIONS)
@example([("0", ["..0"])], {"normalized": True, "no_punct": False, "asian_support": False, "case_sensitive": False})
def test_ter_is_sacrebleus(corpus, options):
    hyps, refs = split(corpus)
    official = TER(**options)
    expected = official.corpus_score(hyps, streams(refs))
    ours = textgauge.ter(hyps, refs, per_segment=True, signature=True, **options)
    same(ours["ter"], expected.score)
    assert (ours["num_edits"], ours["ref_length"]) == (expected.num_edits, pytest.approx(expected.ref_length))
    for hyp, group, score in zip(hyps, refs, ours["segment_ter"], strict=True):
        same(score, official.sentence_score(hyp, group).score)
    check_signature(ours["signature"], official)
    of_hub = {"no_punct": "ignore_punct", "asian_support": "support_zh_ja_chars"}
    face = textgauge.load("ter").compute(
        predictions=hyps, references=refs, **{of_hub.get(name, name): value for name, value in options.items()}
    )
    assert face == {"score": ours["ter"], "num_edits": ours["num_edits"], "ref_length": ours["ref_length"]}


def check_signature(ours, official):
    ours, theirs = (
        dict(part.split(":", 1) for part in line.split("|")) for line in (ours, str(official.get_signature()))
    )
    extra = {key: ours.pop(key) for key in ("beta",) if key in ours}
    assert extra in ({}, {"beta": str(getattr(official, "beta", None))})
    assert list(ours) == list(theirs)
    assert {**ours, "version": ""} == {**theirs, "version": ""}


@settings(max_examples=examples(300))
@given(lines, TER_OPTIONS)
def test_text_is_cut_as_tercom_cuts(line, options):
    assert Tercom(**options)(line) == TercomTokenizer(**options)(line.rstrip()).split()


ENDS_OF_RANGES = [
    [chr(end + more) for end in ends for more in (-1, 0, 1)]
    for ends in ((0x2E80, 0x2EFF, 0x31C0, 0x31EF, 0x3200, 0x9FFF, 0xF900, 0xFAFF, 0xFE30, 0xFE4F),
                 (0x3002, 0x3008, 0x3011, 0x3014, 0x301F, 0x30FB, 0xFF61, 0xFF65, 0xFF01, 0xFF08, 0xFF0C, 0xFF0E,
                  0xFF1A, 0xFF1F))
]  # fmt: skip


@pytest.mark.parametrize("asian_support", [False, True])
@pytest.mark.parametrize("no_punct", [False, True])
@pytest.mark.parametrize("normalized", [False, True])
def test_marks_are_cut_as_tercom_cuts(normalized, no_punct, asian_support):
    options = {"normalized": normalized, "no_punct": no_punct, "asian_support": asian_support}
    for line in (
        "a\u3001b\u3002c\uff01", "\u732b\u3001\u72ac\uff08\u304b\u306a\uff09", "\u300c\u732b\u300d\uff1f ok",
        "\u30fb\uff61\uff65",
        # The ends of the ranges of letters and marks, and what is beside them.
        *map(" ".join, ENDS_OF_RANGES), *map("a".join, ENDS_OF_RANGES), *map("5".join, ENDS_OF_RANGES),
        *(f"a{chr(code)}b5{chr(code)}6 {chr(code)}s" for code in range(1, 0x80)),
        'He said: "(3,5-4)!" it\'s; a.b 5. .5', "&quot;a&quot; &amp; &lt;b&gt; &apos;",
        "A-B c-\nd <skipped>e", "x. y, z? {w}~ [v]",
    ):  # fmt: skip
        for case_sensitive in (False, True):
            cuts = (kind(**options, case_sensitive=case_sensitive) for kind in (Tercom, TercomTokenizer))
            ours, theirs = (cut(line) for cut in cuts)
            assert ours == theirs.split()


@settings(max_examples=examples(60))
@given(
    corpora,
    st.fixed_dictionaries(
        {},
        optional={
            "smooth_method": st.sampled_from(["none", "floor", "add-k", "exp"]), "lowercase": st.booleans(),
            "use_effective_order": st.booleans(), "tokenize": st.sampled_from(["13a", "intl", "char", "none", "zh"]),
        },
    ),
)  # fmt: skip
def test_the_sacrebleu_face_is_sacrebleu(corpus, options):
    hyps, refs = split(corpus)
    of_package = {"use_effective_order": "effective_order"}
    official = BLEU(**{of_package.get(name, name): value for name, value in options.items()})
    expected = official.corpus_score(hyps, streams(refs))
    ours = textgauge.load("sacrebleu").compute(predictions=hyps, references=refs, force=True, **options)
    assert set(ours) == {"score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"}
    same(ours["score"], expected.score)
    same(ours["precisions"], expected.precisions)
    same(ours["bp"], expected.bp)
    ours_by_name = {"smooth_method": "smoothing", "use_effective_order": "effective_order", "tokenize": "tokenizer"}
    function = textgauge.sacrebleu(
        hyps, refs, **{ours_by_name.get(name, name): value for name, value in options.items()}
    )
    assert (function["sacrebleu"], function["precisions"]) == (ours["score"], ours["precisions"])
    assert [ours[key] for key in ("counts", "totals", "sys_len", "ref_len")] == [
        expected.counts, expected.totals, expected.sys_len, expected.ref_len,
    ]  # fmt: skip


def test_a_face_warns_of_tokenized_text():
    texts = ["the cat sat ."] * 100
    metric = textgauge.load("sacrebleu")
    with pytest.warns(UserWarning, match=r"^100 predictions end in ' \.'.*force=True"):
        metric.compute(predictions=texts, references=texts)
    assert metric.compute(predictions=texts, references=texts, force=True)["score"] == pytest.approx(100)


def test_no_orders_are_refused():
    with pytest.raises(ValueError, match="^char_order: .*`word_order=0`.*got 0"):
        textgauge.chrf(["a"], ["a"], char_order=0)


def test_squad_has_the_keys_of_the_script():
    predictions = [{"id": "b", "prediction_text": "in 1889"}, {"id": "a", "prediction_text": "Paris"}]
    references = [
        {"id": "a", "answers": {"text": ["paris", "Paris, France"], "answer_start": [0, 0]}},
        {"id": "b", "answers": {"text": ["1889"], "answer_start": [3]}},
    ]
    metric = textgauge.load("squad")
    assert metric.compute(predictions=predictions, references=references) == textgauge.squad(predictions, references)
    assert metric.compute(predictions=predictions, references=references) == {
        "exact_match": 50.0,
        "f1": pytest.approx(100 * (1 + 2 / 3) / 2),
    }
    for prediction, reference in zip(reversed(predictions), references, strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert metric.compute()["exact_match"] == 50.0


def test_counts_of_large_corpora_are_shown_in_full():
    metric = textgauge.Ter().metric
    for edits, words, note in ((2.1e7, 3e7, "21,000,000 edits for 30,000,000 words"), (3.0, 26.5, "3 edits for 26.5 ")):
        [found] = metric.summary({"ter": 70.0, "num_edits": edits, "ref_length": words}).below
        assert found.startswith(note)


@pytest.mark.parametrize(("name", "order"), [("chrf+", 1), ("chrF++", 2), ("chrF2+", 1), ("chrf2++", 2)])
def test_a_name_of_papers_is_answered_with_the_option(name, order):
    answer = f"expected the name of a metric (it is 'chrf(word_order={order})' here), got {name!r} (str)"
    for call in (
        lambda **metric: textgauge.segment_scores(predictions=["a"], references=["b"], **metric),
        lambda **metric: textgauge.compare([["a"], ["b"]], ["b"], **metric),
    ):
        with pytest.raises(ValueError, match=f"{re.escape(answer)}$"):
            call(metric=name)


def test_ter_average_lengths():
    words = ["the", "cat", "sat", "on", "a", "mat", "while", "it", "rained"]
    hyps = [" ".join(words[i % 4 : i % 7 + 2]) for i in range(40)]
    refs = [[" ".join(words[: 1 + (i * k) % 9]) for k in (1, 2, 4)] for i in range(40)]
    official = TER().corpus_score(hyps, [list(column) for column in zip(*refs, strict=True)]).score
    assert textgauge.ter(hyps, refs)["ter"] == official
    parts = textgauge.Ter()
    for start in range(0, 40, 7):
        parts.update(hyps[start : start + 7], refs[start : start + 7])
    assert parts.score()["ter"] == official
