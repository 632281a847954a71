"""The drop-in import of sacreBLEU against it: numbers, text, signatures, errors, warnings."""

import json
import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from strategies import corpora, segment
from textgauge.compat import sacrebleu

theirs = pytest.importorskip("sacrebleu")
slow = settings(max_examples=examples(60))

FIELDS = {
    "BLEU": ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio", "prec_str", "name"),
    "CHRF": ("score", "char_order", "word_order", "beta", "name"),
    "TER": ("score", "num_edits", "ref_length", "name"),
}
OPTIONS = {
    "BLEU": st.fixed_dictionaries(
        {},
        optional={
            "lowercase": st.booleans(),
            "tokenize": st.sampled_from(["13a", "none", "char", "intl", "zh"]),
            "smooth_method": st.sampled_from(["exp", "none", "floor", "add-k"]),
            "smooth_value": st.sampled_from([None, 0, 0.1, 1, 2.5]),
            "max_ngram_order": st.integers(1, 6),
            "effective_order": st.booleans(),
        },
    ),
    "CHRF": st.fixed_dictionaries(
        {},
        optional={
            "char_order": st.integers(1, 8),
            "word_order": st.integers(0, 3),
            "beta": st.integers(0, 3),
            "lowercase": st.booleans(),
            "whitespace": st.booleans(),
            "eps_smoothing": st.booleans(),
        },
    ),
    "TER": st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(["normalized", "no_punct", "asian_support", "case_sensitive"], st.booleans()),
    ),
}
NAMES = sorted(FIELDS)
EXACT = 1e-12


def same(found, expected):
    """Fields, text and JSON."""
    kind = type(expected).__name__.removesuffix("Score")
    for field in FIELDS[kind]:
        ours, original = getattr(found, field), getattr(expected, field)
        assert ours == original or ours == pytest.approx(original, rel=EXACT, abs=EXACT), field
    for options in ({}, {"width": 4}, {"score_only": True}, {"signature": "a:b|c:d"}):
        assert found.format(**options) == expected.format(**options)
    as_json = {"is_json": True, "signature": "a:b|c:d", "width": 3}
    assert found.format(**as_json) == expected.format(**as_json)
    assert (str(found), repr(found)) == (str(expected), repr(expected))


def without_version(signature):
    return [(name, str(value)) for name, value in signature.info.items() if name != "version"]


def same_signatures(ours, original):
    found, expected = ours.get_signature(), original.get_signature()
    assert without_version(found) == without_version(expected)
    for short in (False, True):
        assert found.format(short=short).rpartition(":")[0] == expected.format(short=short).rpartition(":")[0]
    assert str(found).rpartition(":")[2].startswith("textgauge-")


@pytest.mark.parametrize("name", NAMES)
@slow
@given(data=st.data())
def test_a_text(name, data):
    options = data.draw(OPTIONS[name])
    hypothesis, references = data.draw(st.tuples(segment, st.lists(segment, min_size=1, max_size=3)))
    metrics = [getattr(kind, name)(**options) for kind in (sacrebleu, theirs)]
    same(*(metric.sentence_score(hypothesis, references) for metric in metrics))
    same_signatures(*metrics)


def streams(corpus):
    """References as sacreBLEU takes them: one list per reference, None where a segment has fewer."""
    most = max(len(references) for _, references in corpus)
    return [[refs[i] if i < len(refs) else None for _, refs in corpus] for i in range(most)]


@pytest.mark.parametrize("name", NAMES)
@slow
@given(data=st.data(), corpus=corpora, n_bootstrap=st.sampled_from([1, 1, 30]), cached=st.booleans())
def test_a_corpus(name, data, corpus, n_bootstrap, cached):
    options = data.draw(OPTIONS[name])
    hypotheses, references = [text for text, _ in corpus], streams(corpus)
    metrics = []
    for kind in (sacrebleu, theirs):
        known = {"references": references} if cached else {}
        metrics.append(getattr(kind, name)(**options, **known))
    given_here = None if cached else references
    found = metrics[0].corpus_score(hypotheses, given_here, n_bootstrap=n_bootstrap)
    try:
        same(found, metrics[1].corpus_score(hypotheses, given_here, n_bootstrap=n_bootstrap))
    except TypeError as error:
        # Where some of its resamples are float and others float32, sacreBLEU takes no mean of them.
        if "coerce" not in str(error):
            raise
    else:
        same_signatures(*metrics)


FUNCTIONS = [
    "corpus_bleu",
    "raw_corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
]


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=examples(15))
@given(corpus=corpora)
def test_a_function(name, corpus):
    texts = corpus[0] if name.startswith("sentence") else ([text for text, _ in corpus], streams(corpus))
    same(*(getattr(kind, name)(*texts) for kind in (sacrebleu, theirs)))


def test_functions_take_the_same_positional_options():
    texts = ["The cat, sat"], [["a cat sat on the mat"]]
    for name, options in {
        "corpus_bleu": ("add-k", 0.5, True, True, "intl", True),
        "corpus_chrf": (4, 2, 3, False, True),
        "corpus_ter": (True, True, True, True),
    }.items():
        same(*(getattr(kind, name)(*texts, *options) for kind in (sacrebleu, theirs)))


@pytest.mark.parametrize("seed", ["7", "12345"])
def test_the_seed_of_resamples_comes_from_the_environment(monkeypatch, seed):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    hypotheses, references = ["the cat sat", "a dog barks", "x"] * 5, [["the cat sat down", "dogs bark", "x"] * 5]
    for name in NAMES:
        metrics = [getattr(kind, name)() for kind in (sacrebleu, theirs)]
        same(*(metric.corpus_score(hypotheses, references, n_bootstrap=50) for metric in metrics))
        assert f"bs:50|seed:{seed}" in str(metrics[0].get_signature())
        same_signatures(*metrics)


@pytest.mark.parametrize("name", NAMES)
def test_lone_surrogates_are_characters(name):
    texts = ["a \ud800b c\udc00 d e", ["a \ud800b c\udc01 d e", "\udfff"]]
    for options in ({}, {"tokenize": "intl"}, {"tokenize": "char"}) if name == "BLEU" else ({},):
        metrics = [getattr(kind, name)(**options) for kind in (sacrebleu, theirs)]
        same(*(metric.sentence_score(*texts) for metric in metrics))
        same(*(metric.corpus_score(texts[:1], [[text] for text in texts[1]]) for metric in metrics))


def test_surplus_segments_of_one_side_are_left_out():
    metrics = [kind.BLEU() for kind in (sacrebleu, theirs)]
    for texts in ((["a b c d", "x"], [["a b c d"]]), (["a b c d"], [["a b c d", "y"], ["z z", "z"]])):
        same(*(metric.corpus_score(*texts) for metric in metrics))


def test_counts_of_bleu_stay_as_they_are():
    correct, total = [4, 2, 1, 0], [6, 5, 4, 3]
    for method in ("exp", "floor", "add-k", "none"):
        for value in (None, 0.5):
            found = sacrebleu.BLEU.compute_bleu(correct, total, 6, 7, method, value)
            same(found, theirs.BLEU.compute_bleu(correct[:], total[:], 6, 7, method, value))
    assert (correct, total) == ([4, 2, 1, 0], [6, 5, 4, 3])


@pytest.mark.parametrize(
    ("options", "call"),
    [
        ({}, lambda metric: metric.sentence_score("a b", ["a b"])),
        ({}, lambda metric: metric.corpus_score(["a ."] * 100, [["a ."] * 100])),
        ({"force": True}, lambda metric: metric.corpus_score(["a ."] * 100, [["a ."] * 100])),
        ({"trg_lang": "zh", "tokenize": "13a"}, lambda metric: None),
        ({"trg_lang": "ja", "tokenize": "13a"}, lambda metric: None),
        ({"trg_lang": "ko", "tokenize": "char"}, lambda metric: None),
        ({"trg_lang": "zh"}, lambda metric: None),
    ],
)
def test_the_same_warnings_on_the_same_logger(caplog, options, call):
    said = []
    for kind in (sacrebleu, theirs):
        caplog.clear()
        with caplog.at_level(logging.WARNING, "sacrebleu"):
            call(kind.BLEU(**options))
        said.append([(record.name, record.getMessage()) for record in caplog.records])
    assert said[0] == said[1]


BAD = [
    ("sentence_score", (1, ["a"]), TypeError),
    ("sentence_score", (["a"], ["a"]), TypeError),
    ("sentence_score", ("a", "a"), TypeError),
    ("sentence_score", ("a", 5), TypeError),
    ("sentence_score", ("a", [5]), TypeError),
    ("sentence_score", ("a", []), IndexError),
    ("corpus_score", (5, [["a"]]), TypeError),
    ("corpus_score", ([5], [["a"]]), TypeError),
    ("corpus_score", (["a", None], [["a", "b"]]), TypeError),
    ("corpus_score", ([], [["a"]]), IndexError),
    ("corpus_score", (["a"], 5), TypeError),
    ("corpus_score", (["a"], [5]), TypeError),
    ("corpus_score", (["a"], [[5]]), TypeError),
    ("corpus_score", (["a"], None), RuntimeError),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("method", "texts", "error"), BAD)
def test_bad_arguments_raise_the_same_errors_as_the_original(name, method, texts, error):
    messages = []
    for kind in (sacrebleu, theirs):
        with pytest.raises(error) as raised:
            getattr(getattr(kind, name)(), method)(*texts)
        messages.append(str(raised.value))
    assert messages[0] == messages[1]


@pytest.mark.parametrize(
    ("options", "error"), [({"smooth_method": "x"}, AssertionError), ({"tokenize": "x"}, KeyError)]
)
def test_bad_options_raise_the_same_errors_as_the_original(options, error):
    for kind in (sacrebleu, theirs):
        with pytest.raises(error):
            kind.BLEU(**options)


@pytest.mark.parametrize("name", NAMES)
def test_a_segment_without_references_is_refused_by_name(name):
    with pytest.raises(ValueError, match=r"refs\[1\]"):
        getattr(sacrebleu, name)().corpus_score(["a", "b"], [["a", None]])
    with pytest.raises(ValueError, match="refs"):
        getattr(sacrebleu, name)().sentence_score("a", [None])


def test_a_signature_needs_a_score():
    for kind in (sacrebleu, theirs):
        with pytest.raises(ValueError, match="evaluate the metric first"):
            kind.BLEU().get_signature()


def test_json_without_a_signature_is_json():
    assert json.loads(sacrebleu.sentence_bleu("a b c d", ["a b c d"]).format(is_json=True))["score"] == 100


def test_their_significance_tests_take_our_metrics():
    significance = pytest.importorskip("sacrebleu.significance")
    systems = [("base", ["the cat sat", "a dog", "x y z w"] * 4), ("new", ["the cat sat down", "dogs", "x y z w"] * 4)]
    references = [["the cat sat down", "a dog barks", "x y z w"] * 4]
    found = []
    for kind in (sacrebleu, theirs):
        metrics = {name: getattr(kind, name)(references=references) for name in NAMES}
        for test in ("bs", "ar"):
            paired = significance.PairedTest(systems, metrics, None, test, 50)()
            found.append({name: list(map(str, results)) for name, results in paired[1].items()})
    assert found[:2] == found[2:]
