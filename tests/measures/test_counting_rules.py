"""Exact match, Google BLEU, NIST, SARI, CharacTER and CharCut: the tools on drawn texts, deviations, faces."""

import math
import re
import time
import unicodedata

import datasets
import numpy as np
import pytest
import textgauge
from growing import BOUND, FACTOR, growth
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.sari import corpus_sari
from quick import examples
from textgauge.input import columns
from textgauge.measures import charcut_mt

few = settings(max_examples=examples(40))
word = st.sampled_from(["the", "cat", "a", "sat", "dog.", "b", "\u00e9t\u00e9", "\u732b", "cats"])
line = st.lists(word, min_size=1, max_size=9).map(" ".join)
lines = st.lists(st.tuples(line, st.lists(line, min_size=1, max_size=3)), min_size=1, max_size=4)
letters = st.text(st.sampled_from("aab cd,.\n\u00e9"), max_size=25).map(str.strip)


def sides(corpus):
    return [text for text, _ in corpus], [group for _, group in corpus]


@few
@given(st.lists(st.tuples(line, line, st.lists(line, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_sari_is_the_loop_of_the_module(corpus):
    sources, predictions, references = map(list, zip(*corpus, strict=True))
    found = textgauge.sari(predictions, references, sources=sources)["sari"]
    assert math.isclose(found, corpus_sari(sources, predictions, references), rel_tol=1e-14)


@few
@given(lines, st.integers(1, 4), st.integers(0, 2))
def test_google_bleu_is_nltks(corpus, least, more):
    gleu = pytest.importorskip("nltk.translate.gleu_score", reason="nltk is not installed")
    predictions, references = sides(corpus)
    theirs = gleu.corpus_gleu(
        [[text.split() for text in group] for group in references], [text.split() for text in predictions],
        min_len=least, max_len=least + more,
    )  # fmt: skip
    ours = textgauge.google_bleu(predictions, references, tokenizer="whitespace", min_len=least, max_len=least + more)
    assert ours["google_bleu"] == theirs


@pytest.mark.filterwarnings("ignore:no prediction is long enough:UserWarning")
@few
@given(lines, st.integers(1, 3))
def test_nist_is_nltks(corpus, n):
    nist = pytest.importorskip("nltk.translate.nist_score", reason="nltk is not installed")
    predictions, references = sides(corpus)
    cut = textgauge.text.TOKENIZERS["nist"]
    try:
        theirs = nist.corpus_nist([[*map(cut, group)] for group in references], [*map(cut, predictions)], n)
    except ZeroDivisionError:
        return
    assert math.isclose(textgauge.nist_mt(predictions, references, n=n)["nist_mt"], theirs, rel_tol=1e-12)


@few
@given(lines)
def test_character_is_that_of_the_package(corpus):
    cer = pytest.importorskip("cer", reason="the package cer is not installed")
    if not hasattr(cer, "calculate_cer"):
        pytest.skip("the package cer is not installed: this is the folder of our module")
    predictions, references = sides(corpus)
    theirs = [
        min(cer.calculate_cer(text.split(), reference.split()) for reference in group)
        for text, group in zip(predictions, references, strict=True)
    ]
    assert textgauge.character(predictions, references, per_segment=True)["segment_character"] == theirs


@few
@given(letters, letters, st.integers(1, 4), st.booleans())
def test_charcut_is_that_of_the_package(prediction, reference, size, alt_norm):
    charcut = pytest.importorskip("charcut.charcut", reason="the package charcut is not installed")
    styled = charcut.compare_segments(prediction, reference, size)
    cost, characters = charcut.score_pair(prediction, reference, *styled, alt_norm)
    found = textgauge.charcut_mt([prediction], [reference], match_size=size, alt_norm=alt_norm, counts=True)
    assert found["counts"] == {"cost": cost, "characters": characters}
    assert found["charcut_mt"] == (cost / characters if characters else 0)


@few
@given(st.lists(st.sampled_from(["the", "cat", "thecat", "a", "中文", "(x)", "..."]), max_size=9), st.integers(0, 40))
def test_charcut_of_long_common_parts(words, at):
    charcut = pytest.importorskip("charcut.charcut", reason="the package charcut is not installed")
    reference = " ".join(words)
    prediction = (reference[at:] + reference[: at // 2]).strip()
    cost, characters = charcut.score_pair(
        prediction, reference, *charcut.compare_segments(prediction, reference, 3), False
    )
    found = textgauge.charcut_mt([prediction], [reference], counts=True)["counts"]
    assert found == {"cost": cost, "characters": characters}


def test_charcut_of_a_copy_is_soon_done():
    words = " ".join(str(i * i) for i in range(2_000))
    start = time.process_time()
    assert textgauge.charcut_mt([words], [words])["charcut_mt"] == 0
    # It was more than an hour when every common substring was a candidate.
    assert time.process_time() - start < 20


@pytest.mark.slow
def test_charcut_of_loops_is_linear():
    """It took 6 s for 2,000 repeated characters, and hours for the long ones here."""

    def compared(n):
        noise = "".join(chr(0x4E00 + i * i % 977) for i in range(n))
        for loop in ("a", "ab", "I am happy. "):
            part = loop * (n // len(loop))
            # Beside other text much is free, of which nothing matches.
            textgauge.charcut_mt([part, part + noise], [part[: -n // 9], noise[::-1] + part])

    assert growth(compared, 1_000, FACTOR * 1_000) < BOUND


@pytest.mark.parametrize(
    ("prediction", "reference", "counts"),
    [
        ("a" * 300, "a" * 250, (50, 550)),
        ("ab" * 100, "ba" * 100, (2, 400)),
        ("aaab" * 40, "a" * 100, (260 - 2 * 99, 260)),
    ],
)
def test_charcut_of_loops_by_hand(prediction, reference, counts):
    found = textgauge.charcut_mt([prediction], [reference], counts=True)["counts"]
    assert (found["cost"], found["characters"]) == counts


@few
@given(st.lists(st.sampled_from([1, 1, 2, 3]), max_size=40))
def test_suffixes_are_sorted_with_what_they_have_in_common(numbers):
    # From 0, and with an end that is there once.
    ids = [sorted({*numbers}).index(one) for one in numbers]
    ids.append(len({*numbers}))
    order, alike = map(list, charcut_mt._suffixes(np.array(ids)))
    assert order == sorted(range(len(ids)), key=lambda i: ids[i:])
    assert alike == [0] + [
        next(n for n in range(len(ids)) if ids[a + n] != ids[b + n]) for a, b in zip(order, order[1:], strict=False)
    ]


def test_a_long_shift_of_charcut_is_a_shift():
    """charcut raises OverflowError."""
    shifted, rest = "".join(chr(0x4E00 + i) for i in range(800)), "".join(chr(0x6000 + i) for i in range(900))
    found = textgauge.charcut_mt([f"{shifted} {rest}"], [f"{rest} {shifted}"], counts=True)["counts"]
    assert found["cost"] == 800 + 2


# Case by case what the cards say of the Hub's module, and what ours does.
DEVIATIONS = {
    "wider lower case": ("exact_match", ["\u0130zmir 1"], ["\u0130zmir 2"], {"ignore_case": True}, 0.0),
    "own lower case": ("exact_match", ["\u0130stanbul"], ["\u0130stanbul".lower()], {"ignore_case": True}, 1.0),
    "NUL": ("exact_match", ["a\0"], ["a"], {"ignore_case": True}, 0.0),
    "no patterns": ("exact_match", ["a", "b"], ["a", "c"], {"regexes_to_ignore": []}, 0.5),
    "one pattern": ("exact_match", ["the hat"], ["hat"], {"regexes_to_ignore": "the "}, 1.0),
    "several references": ("exact_match", ["a"], [["b", "a"]], {}, 1.0),
    "short texts": ("nist_mt", ["a b c d"], ["a b c d"], {}, 2.0),
    "no words": ("nist_mt", [""], [""], {}, 0.0),
    "an empty reference": ("character", ["a"], [""], {}, 1.0),
    "two empty texts": ("character", [""], [""], {}, 0.0),
    "a newline": ("charcut_mt", ["a\nb"], ["a\nb"], {"match_size": 1}, 0.0),
    "lines of other segments": ("charcut_mt", ["aaa\nbbb", "ccc"], ["aaa", "bbb\nccc"], {}, 8 / 20),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("case", DEVIATIONS)
def test_where_the_module_of_the_hub_is_not_followed(case):
    name, predictions, references, options, expected = DEVIATIONS[case]
    assert getattr(textgauge, name)(predictions, references, **options)[name] == expected


def test_exact_matches_of_wiki_split_are_a_percentage():
    texts = ["a cat sat", "a dog", "it rained", "we went"]
    module, columns = textgauge.load("wiki_split"), {"sources": texts, "predictions": texts}
    for references, share in (
        (texts, 100.0), ([texts[0], *"bcd"], 25.0), (["The cat  sat!", "Dog", "It rained.", "We WENT"], 100.0),
    ):  # fmt: skip
        assert module.compute(references=references, **columns)["exact"] == share


def test_warnings_say_what_is_undefined():
    with pytest.warns(UserWarning, match=r"3-gram: orders from 3 on add 0 .* pass `n=2`"):
        textgauge.nist_mt(["a b"], ["a b"])
    with pytest.warns(UserWarning, match="2 references have no words"):
        textgauge.character(["a", "b"], ["", " "])
    textgauge.nist_mt(["a b"], ["a b"], n=2)
    textgauge.character([""], ["b"])


def test_empty_references_of_all_chunks_are_counted(monkeypatch):
    monkeypatch.setattr(columns, "FEW", 0)
    monkeypatch.setattr(columns.Corpus.chunks, "__defaults__", (1, 0))
    with pytest.warns(UserWarning, match="^3 references have no words") as told:
        textgauge.character(["a b"] * 5, ["", "a", " ", "b", ""])
    assert len(told) == 1


@pytest.mark.parametrize(
    ("options", "predictions", "references", "n"),
    [
        ({"ignore_punctuation": True}, ["?", "a", "?"], ["!", "a", "?"], "1 segment counts"),
        ({"ignore_punctuation": True}, ["?", "a", "..."], [["!", "a"], ["a"], ["!", "..."]], "1 segment counts"),
        ({"ignore_punctuation": True}, ["?", "?"], [["!", "."], ["!", "?"]], "1 segment counts"),
        ({"normalizer": "squad"}, ["", "the", "x"], ["A", "an", "y"], "2 segments count"),
        ({"ignore_numbers": True}, ["1"] * 3, ["2"] * 3, "3 segments count"),
        ({"regexes_to_ignore": ".*"}, ["1"], ["2"], "1 segment counts"),
        ({"normalizer": lambda text: ""}, ["1"], ["2"], "1 segment counts"),
    ],
)
def test_segments_of_which_nothing_is_left_are_counted(monkeypatch, options, predictions, references, n):
    for n_bytes in (columns.CHUNK_BYTES, 1):
        monkeypatch.setattr(columns, "FEW", 0)
        monkeypatch.setattr(columns.Corpus.chunks, "__defaults__", (n_bytes, 0))
        with pytest.warns(UserWarning, match=f"^{n} as equal though the texts differ") as told:
            assert textgauge.exact_match(predictions, references, **options)["exact_match"] > 0
        assert len(told) == 1


def test_exact_match_is_silent():
    textgauge.exact_match(["?", "", "a?"], ["?", "", "a!"], ignore_punctuation=True)
    textgauge.exact_match(["?"], ["a"], ignore_punctuation=True)
    textgauge.exact_match(["cafe\u0301"], ["caf\u00e9"], normalizer=lambda text: unicodedata.normalize("NFC", text))


REFUSED = {
    "no references": (lambda: textgauge.sari(["a"], [[]], sources=["a"]), "^references.0.: .*got an empty list"),
    "no sources": (lambda: textgauge.sari(["a"], ["a"]), "^sources: .*got None"),
    "F of deletion": (lambda: textgauge.Sari(deletion="f1"), "^deletion: .*'precision'.*got 'f1'"),
    "orders": (lambda: textgauge.GoogleBleu(min_len=3, max_len=2), "^max_len: .*`min_len=3`.*got 2"),
    "mixed references": (lambda: textgauge.google_bleu(["a", "b"], ["a", ["b"]]), r"^references.1.: .*got \['b'\]"),
    "a pattern": (lambda: textgauge.ExactMatch(regexes_to_ignore=["("]), "^regexes_to_ignore.0.: "),
    "no list": (lambda: textgauge.ExactMatch(regexes_to_ignore=5), "^regexes_to_ignore: .*got 5"),
    "no text": (lambda: textgauge.ExactMatch(regexes_to_ignore=[3]), "^regexes_to_ignore.0.: "),
    "a preset": (lambda: textgauge.Cer(preset="jiwer-3", whitespace=False), "`preset` cannot be given with `white"),
    "a function": (lambda: textgauge.Sari(counting="easse-legacy", tokenizer=str.split), "^tokenizer: .*got <method"),
    "mteval": (lambda: textgauge.NistMt(counting="mteval", western_lang=False), "^western_lang: .*got False"),
    "an aggregate": (lambda: textgauge.load("character", aggregate="max"), "^aggregate: .*got 'max'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    call, message = REFUSED[case]
    with pytest.raises((TypeError, ValueError), match=message):
        call()


@pytest.mark.parametrize(
    ("predictions", "references", "sources", "place"),
    [
        (["a", "bad"], ["a", "a"], ["s", "s"], "predictions[1]"),
        (["a", "a"], ["a", "a"], ["s", "bad"], "sources[1]"),
        (["a", "a"], ["a", "bad"], ["s", "s"], "references[1]"),
        (["a", "a"], [["a", "a"], ["bad"]], ["s", "s"], "references[1]"),
        (["a", "a"], [["a"], ["a", "bad"]], ["s", "s"], "references[1][1]"),
        (["a", "a"], [["a"], ["bad", "a"]], ["s", "s"], "references[1][0]"),
    ],
)
def test_wrong_tokenizer_result_has_a_place(predictions, references, sources, place):
    def cut(text):
        return "no list" if text == "bad" else text.split()

    with pytest.raises(TypeError, match=re.escape(f"tokenizer: result for {place}: ") + ".*got .no list."):
        textgauge.sari(predictions, references, sources=sources, tokenizer=cut)


def test_options_that_mean_the_same_have_one_signature():
    one, several = (
        textgauge.exact_match(["ab"], ["b"], regexes_to_ignore=given, signature=True) for given in ("a", ["a"])
    )
    assert one == several
    assert one["exact_match"] == 1
    both = [textgauge.ExactMatch(regexes_to_ignore=given).update(["ab"], ["b"]) for given in ("a", ["a"])]
    assert sum(both).score()["exact_match"] == 1
    with pytest.warns(UserWarning, match="no prediction is long enough"):
        cased, lower = (
            textgauge.nist_mt(["A"], ["a"], western_lang=False, lowercase=given, signature=True)
            for given in (False, True)
        )
    assert cased == lower
    assert "|case:mixed|" in lower["signature"]
    assert lower["nist_mt"] == 0


@pytest.mark.filterwarnings("ignore:no prediction is long enough:UserWarning")
def test_nist_weights_name_references():
    signatures = {
        textgauge.nist_mt(["a", "a"], references, signature=True)["signature"]
        for references in (["ab ", "c"], ["ab", " c"], ["ab ", "d"])
    }
    assert len(signatures) == 3


@pytest.mark.parametrize(("options", "prediction", "reference", "expected"), [
    # Regular expressions, case, punctuation, numbers, then the normalizer.
    ({"regexes_to_ignore": "The ", "normalizer": "lower"}, "The cat", "cat", 1),
    ({"regexes_to_ignore": "the ", "normalizer": "lower"}, "The cat", "cat", 0),
    ({"regexes_to_ignore": "the$", "normalizer": "squad"}, "cat, the.", "cat the", 1),
    ({"regexes_to_ignore": r"\.", "ignore_punctuation": True}, "a.b", "ab", 1),
    ({"regexes_to_ignore": "1$", "ignore_punctuation": True}, "b1.", "b", 0),
    ({"ignore_numbers": True, "normalizer": "squad"}, "a1 cat", "cat", 1),
    ({"ignore_numbers": True, "regexes_to_ignore": "[0-9]x"}, "a1x", "a", 1),
    ({"ignore_punctuation": True, "normalizer": lambda text: text.replace("a-b", "c")}, "a-b", "c", 0),
    ({"ignore_case": True, "normalizer": lambda text: text.replace("A", "c")}, "A", "c", 0),
])  # fmt: skip
def test_exact_match_normalizes_last(options, prediction, reference, expected):
    assert textgauge.exact_match([prediction], [reference], **options) == {"exact_match": expected}


def test_exact_match_explains_compared_texts():
    whole = textgauge.explain(
        ["The Cat!"], ["the cat"], metric="exact_match(ignore_case=True, ignore_punctuation=True)"
    )
    assert "The Cat" not in str(whole).split("\n\n")[1]
    assert whole.score == 1


@pytest.mark.filterwarnings("ignore:no prediction is long enough:UserWarning")
def test_nist_wants_all_references_at_once():
    first = textgauge.NistMt().update(["a cat"], ["the cat"])
    with pytest.raises(ValueError, match="^metric: .*got 'nist_mt'"):
        first.update(["a dog"], ["the dog"])
    with pytest.raises(ValueError, match=r"counted apart \(textgauge.nist_mt takes all of them in one call\)"):
        first + textgauge.NistMt().update(["a dog"], ["the dog"])
    rows = datasets.Dataset.from_dict({"hyp": ["a", "b"], "ref": ["a", "c"]})
    with pytest.raises(ValueError, match="^metric: .*got 'nist_mt'"):
        textgauge.score_dataset(rows, "nist_mt", batch_size=1, prediction_column="hyp", reference_column="ref")
    both = textgauge.nist_mt(["a cat", "a dog"], ["a cat", "the dog"], n=1, confidence=0.9, per_segment=True)
    assert both["confidence_interval"][0] <= both["nist_mt"] <= both["confidence_interval"][1]
    assert both["segment_nist_mt"][0] > both["segment_nist_mt"][1]
    with pytest.raises(TypeError):
        textgauge.nist_mt(["a"], ["a"], lower=True)


TEXTS = {"sources": ["the big cat sat"] * 3, "predictions": ["the cat sat", "a big cat", "we"],
         "references": [["a cat sat"], ["a cat", "the cat sat"], ["we sat"]]}  # fmt: skip


@pytest.mark.parametrize("counting", ["hub", "easse", "easse-paper", "easse-legacy", "xu", "tensor2tensor"])
def test_every_counting_of_sari_adds_up(counting):
    whole = textgauge.sari(**TEXTS, counting=counting, per_segment=True, detailed=True, confidence=0.9)
    kind = textgauge.Sari(counting=counting)
    parts = [
        kind.without_segments().update(**{name: texts[i : i + 1] for name, texts in TEXTS.items()}) for i in range(3)
    ]
    assert sum(parts).score()["sari"] == whole["sari"]
    assert textgauge.Sari.from_arrow(sum(parts).to_arrow()).score()["sari"] == whole["sari"]
    assert whole["sari"] == pytest.approx(sum(whole[part] for part in ("keep", "delete", "add")) / 3, rel=1e-12)
    segments = textgauge.segment_scores(textgauge.Sari(counting=counting), **TEXTS)
    assert segments.tolist() == whole["segment_sari"]


def test_two_exact_matches_have_two_names():
    texts = ["The tower!", "a hat"], ["tower", "the cat"]
    assert textgauge.segment_scores("exact_match", *texts).tolist() == [0, 0]
    assert textgauge.segment_scores("exact_match(normalizer='squad')", *texts).tolist() == [1, 0]
    assert textgauge.segment_scores("token_f1_exact_match", *texts).tolist() == [1, 0]
    rows = datasets.Dataset.from_dict({"hyp": texts[0], "ref": texts[1]})
    columns = {"prediction_column": "hyp", "reference_column": "ref"}
    for name, expected in (("exact_match", 0.0), ("token_f1_exact_match", 0.5)):
        assert textgauge.score_dataset(rows, name, **columns)["exact_match"] == expected


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("charcut_mt", {"matches": ("the cat",), "shifts": ("sat ",), "deleted": (), "inserted": (" ", "down")}),
        ("google_bleu", {"1-grams": ("sat", "the", "cat"), "2-grams": ("the cat",), "3-grams": ()}),
    ],
)
def test_an_explanation_lists_what_was_found(metric, expected):
    whole = textgauge.explain(["sat the cat"], ["the cat sat down"], metric=metric)
    listed = {step.label: step.examples for step in whole.steps if step.examples is not None}
    assert listed == expected
    assert whole.score == getattr(textgauge, metric)(["sat the cat"], ["the cat sat down"])[metric]


def test_sari_explains_what_was_kept_deleted_and_added():
    whole = textgauge.explain(["a small cat"], [["a little cat sat"]], sources=["a big cat sat"], metric="sari")
    found = {step.label: (step.examples, step.unmatched) for step in whole.steps if step.examples is not None}
    assert found == {"to keep": (("a", "cat"), ()), "to delete": (("big",), ("sat",)), "to add": ((), ("small",))}
    [aligned] = textgauge.matches(["a small cat"], [["a little cat sat"]], sources=["a big cat sat"], metric="sari")
    assert [match[:2] for match in aligned.prediction] == [(0, 1), (8, 11)]


def test_sari_explains_several_references():
    # Deleted rightly: what any reference lacks; kept and added rightly: what any has.
    found = textgauge.explain(
        ["a cat now"], [["a big cat sat", "the cat sat now"]], sources=["a big red cat sat"], metric="sari"
    )
    assert {step.label: (step.examples, step.unmatched) for step in found.steps if step.examples is not None} == {
        "to keep": (("a", "cat"), ()),
        "to delete": (("big", "red"), ("sat",)),
        "to add": (("now",), ()),
    }


@pytest.mark.filterwarnings("ignore:no prediction is long enough:UserWarning")
def test_nist_is_explained_with_the_weights_of_all_references():
    texts = ["a cat", "the dog"], ["a cat", "a dog"]
    whole = textgauge.explain(*texts, metric="nist_mt")
    assert whole.score == textgauge.nist_mt(*texts)["nist_mt"]
    segments = textgauge.nist_mt(*texts, per_segment=True)["segment_nist_mt"]
    assert [one.score for one in whole.segments] == segments


def test_charcut_marks_characters_that_match():
    [aligned] = textgauge.matches([" sat the cat"], ["the cat sat"], metric="charcut_mt")
    text = " sat the cat"
    assert "".join(text[one.start : one.end] for one in aligned.prediction if one.is_common) == "the cat"
    assert "".join(text[one.start : one.end] for one in aligned.prediction if not one.is_common) == "sat"


def test_reference_without_ngrams_is_no_choice():
    """As in nltk, where such a reference has no counts: the other one's fill the pool, though neither matches."""
    found = textgauge.google_bleu(["a", "x y"], [["a", "c d e"], ["x y"]], min_len=2, max_len=2)
    assert found["google_bleu"] == 1 / 3
