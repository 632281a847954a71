"""All types of ROUGE and all rules for several references, against their definitions."""

import itertools

import numpy as np
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from textgauge.plain.scores import f_measure, weighted_f


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 100))
def test_alpha_is_equivalent_to_beta(precision, recall, beta):
    alpha = 1 / (1 + beta**2)
    assert weighted_f(precision, recall, alpha) == pytest.approx(f_measure(precision, recall, beta), abs=1e-9)


def test_worked_example_of_the_paper():
    # Lin (2004), section 4: two candidates with the same LCS of the reference A B C D E F G.
    weighted = textgauge.rouge(
        ["A B C D H I K", "A H B K C I D"], ["A B C D E F G"] * 2, rouge_types=["rougeL", "rougeW-2"],
        use_aggregator=False,
    )  # fmt: skip
    assert weighted["rougeL"] == pytest.approx([4 / 7, 4 / 7])
    assert weighted["rougeW-2"] == pytest.approx([4 / 7, 2 / 7])


def test_stop_words_before_stems(tmp_path):
    (tmp_path / "noun.exc").write_text("mice mouse\nwent mouse\n")
    (tmp_path / "verb.exc").write_text("went go wend\nran run\n")
    (tmp_path / "stop.txt").write_text("running\nthe\n\n")
    hyps, refs = ["the running went ran"], ["go run"]
    stems = {"use_stemmer": True, "exceptions": tmp_path}

    def f1(**options):
        return textgauge.rouge(hyps, refs, rouge_types=["rouge1"], **options)["rouge1"]

    assert f1() == 0
    # The last file's first base form counts; tokens of three letters and less are not looked up: "ran" stays.
    assert f1(**stems) == pytest.approx(2 / 3)
    assert f1(**stems, stopwords=tmp_path / "stop.txt") == pytest.approx(0.5)
    assert f1(**stems, stopwords={"running", "the"}) == pytest.approx(0.5)


def test_ties_drop_tokens_of_references():
    # Of "b a" and "a b c" either word is a longest common subsequence: from the end that of the prediction stays.
    texts = ["b a\nb c"], ["a b c"]
    # With "b c" all three words are marked, in one run; the script weighs the length of the reference twice.
    [p, r, _] = textgauge.rouge(*texts, rouge_types=["rougeW-2"], preset="rouge-1.5.5", detailed=True)[
        "rougeW-2"
    ].values()
    assert (p, r) == (0.75, pytest.approx(1 / 3, abs=1e-5))
    for options in ({}, {"preset": "rouge-1.5.5"}):
        found = textgauge.rouge(*texts, rouge_types=["rougeLsum"], detailed=True, **options)["rougeLsum"]
        assert (found["precision"], found["recall"]) == (0.75, 1)
    # The other way round "b" is marked in both sentences, and counts once.
    found = textgauge.rouge(*texts[::-1], rouge_types=["rougeLsum"], detailed=True)["rougeLsum"]
    assert (found["precision"], found["recall"]) == (2 / 3, 0.5)
    [match] = textgauge.matches(["b a"], ["a b"], metric="rougeL")
    assert [one.start for one in match.prediction if one.is_common] == [2]


@pytest.mark.parametrize(
    ("options", "recall"), [({}, 2 / 3), ({"max_words": 3}, 1), ({"max_words": 4}, 2 / 3), ({"max_bytes": 8}, 0.5)]
)
def test_limits_truncate_references_too(options, recall):
    # Eight bytes without the newline are "one two" and the first of "three".
    found = textgauge.rouge(
        ["one two three"], ["one two\nthree four"], rouge_types=["rouge2"], detailed=True, **options
    )
    assert found["rouge2"]["recall"] == pytest.approx(recall)


def test_text_of_stop_words_warns():
    with pytest.warns(UserWarning, match="1 text is not empty but has no token .* that is no stop word and scores 0"):
        textgauge.rouge(["the"], ["the cat"], stopwords=["the"])


def test_counts_of_averaged_references_cannot_be_summed():
    averaged = textgauge.Rouge(multi_reference="average").update(["a"], [["a", "b"]])
    with pytest.raises(ValueError, match="^aggregator: .*got rouge-1.5.5-per-token"):
        averaged.score(aggregator="rouge-1.5.5-per-token")


def test_signature_of_weights_and_references():
    def said(**options):
        line = textgauge.rouge(["a"], [["a", "b"]], rouge_types=["rougeW"], signature=True, **options)["signature"]
        return [part for part in line.split("|") if part.startswith(("weight", "refs", "jackknife"))]

    heads = [
        textgauge.Rouge(rouge_types=["rouge1"], **one).metric.summary({"rouge1": 1.0}).heads
        for one in ({}, {"alpha": 0.5}, {"alpha": 0.3}, {"beta": 2})
    ]
    assert heads == [("F",), ("F",), ("F (alpha 0.3)",), ("F (beta 2)",)]
    # Its tokenizer is in lower case anyway.
    assert textgauge.Rouge(lowercase=True).metric.settings() == textgauge.Rouge().metric.settings()
    assert said() == ["weight:1.20"]
    assert said(weight=30) == ["weight:30.00"]
    assert said(jackknife=True) == ["weight:1.20", "refs:best", "jackknife:yes"]
    assert said(multi_reference="average") == ["weight:1.20", "refs:average", "jackknife:no"]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "of_the_script", "of_rouge_score"),
    [
        ("the agreements were dying", "the agreement was dyed", 0.75, 0.5),
        ("professional replacements skies", "professor replace sky", 0.33333, 2 / 3),
        ("happily news agreement", "happili new agreem", 1.0, 1 / 3),
    ],
)
def test_the_preset_alone_has_the_stemmer_of_the_script(hypothesis, reference, of_the_script, of_rouge_score):
    """Figures of the script with -m and without irregular forms, and of rouge_score."""
    for preset, expected in (("rouge-1.5.5", of_the_script), (None, of_rouge_score)):
        found = textgauge.rouge([hypothesis], [reference], preset=preset, use_stemmer=True, rouge_types=["rouge1"])
        assert found["rouge1"] == pytest.approx(expected)


@pytest.mark.parametrize("rule", ["best", "pooled"])
def test_a_jackknife_of_one_reference_is_its_score(rule):
    """By hand: of two references, with 2 and with 1 of 3 words, each is left out once, so that the other counts."""
    texts = ["a b c"] * 2, [["a b x"], ["a b x", "c y z"]]
    found = textgauge.rouge(*texts, rouge_types=["rouge1"], jackknife=True, multi_reference=rule, use_aggregator=False)
    assert found == {"rouge1": [2 / 3, (1 / 3 + 2 / 3) / 2]}
    alone = textgauge.rouge(["a b c"], [["a b x"]], rouge_types=["rouge1"], jackknife=True, multi_reference=rule)
    assert alone == {"rouge1": 2 / 3}


@pytest.mark.parametrize("n_references", [2, 3, 4])
def test_a_jackknife_leaves_out_one_of_equally_good_references(n_references):
    """The mean over the references that are left out of the best of the others: equal ones are still there."""
    scores = {"a b": 1.0, "b a": 1.0, "a x": 0.5, "x y": 0.0}
    groups = [*itertools.product(scores, repeat=n_references)]
    options = {"rouge_types": ["rouge1"], "jackknife": True, "multi_reference": "best", "use_aggregator": False}
    found = textgauge.rouge(["a b"] * len(groups), [[*group] for group in groups], **options)["rouge1"]
    expected = [
        np.mean([max(scores[other] for j, other in enumerate(group) if j != i) for i in range(n_references)])
        for group in groups
    ]
    assert found == pytest.approx(expected)
