"""ANLS: the figures of the official programs, their rules one by one, and what is defined where they fail."""

import gzip
import json

import pytest
import textgauge
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from textgauge.plain.levenshtein import levenshtein_path

RECORDED = ROOT.parent / "shared/oracles/documents/documents-given.json.gz"
RULES = {"docvqa": ("docvqa", 1), "stvqa": ("stvqa_anls", 1), "paper": ("pix2struct_anls", 100.0)}
letters = st.text(st.sampled_from([*"aAbBß é\t 1.İ", "\u00a0"]), max_size=9)
pytestmark = pytest.mark.filterwarnings("ignore:.*differ in", "ignore:.*equal but for white space")


def n_edits(first, second):
    path = levenshtein_path([*map(ord, first)], [*map(ord, second)])
    return len(path) - path.count(" ")


def by_definition(prediction, references, rule, min_similarity=0.5):
    """The scripts, with 1 where both texts are empty."""
    shares = []
    for reference in references:
        pair = prediction.lower(), reference.lower()
        if rule == "docvqa":
            pair = [" ".join(text.split()) for text in pair]
            length = max(len(prediction.upper()), len(reference.upper()))
        else:
            pair = [text.strip() if rule == "stvqa" else text for text in pair]
            length = max(map(len, pair))
        shares.append(n_edits(*pair) / length if length else 0.0)
    best = 1 - min(shares)
    return best if (min(shares) < 1 - min_similarity if rule == "paper" else best >= min_similarity) else 0.0


@pytest.mark.skipif(not RECORDED.exists(), reason="no ../shared/oracles")
@pytest.mark.parametrize("rule", RULES)
def test_figures_of_the_official_programs(rule):
    rows = json.loads(gzip.decompress(RECORDED.read_bytes()))["answers"]
    key, scale = RULES[rule]
    figures = [row["official"][key] for row in rows]
    texts = [row["prediction"] for row in rows], [row["references"] for row in rows]
    found = textgauge.anls(*texts, rule=rule, per_segment=True)["segment_anls"]
    assert len(rows) > 40
    # Where a program divides by 0 it has no figure.
    pairs = [(scale * score, figure) for score, figure in zip(found, figures, strict=True) if type(figure) is not str]
    assert [score for score, _ in pairs] == [figure for _, figure in pairs]


@pytest.mark.parametrize("rule", RULES)
@given(st.lists(st.tuples(letters, st.lists(letters, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_drawn_texts(rule, rows):
    texts = [prediction for prediction, _ in rows], [references for _, references in rows]
    found = textgauge.anls(*texts, rule=rule, per_segment=True)["segment_anls"]
    assert found == [by_definition(*row, rule) for row in rows]


@pytest.mark.parametrize(
    ("prediction", "reference", "scores"),
    [
        ("ab", "ac", [0.5, 0.5, 0.0]),
        ("THE  Cat", "the cat", [1.0, 0.875, 0.875]),
        (" cat", "cat", [1.0, 1.0, 0.75]),
        ("cat      ", "dog", [1 - 3 / 9, 0.0, 0.0]),
        ("strasse", "straße", [1 - 2 / 7, 1 - 2 / 7, 1 - 2 / 7]),
        ("", "", [1.0, 1.0, 1.0]),
        ("", "a", [0.0, 0.0, 0.0]),
    ],
)
def test_rules_differ(prediction, reference, scores):
    assert [textgauge.anls([prediction], [reference], rule=rule)["anls"] for rule in RULES] == scores


def test_options():
    assert textgauge.anls(["cat      "], ["dog"], strip=True)["anls"] == 0
    assert textgauge.anls([" cat"], ["cat"], rule="paper", strip=True)["anls"] == 1
    assert textgauge.anls(["abcd"], ["abcx"], min_similarity=0.8)["anls"] == 0
    assert textgauge.anls(["a"], ["b"], min_similarity=0)["anls"] == 0
    assert textgauge.anls(["abcd"], ["xxxd"], min_similarity=0.25)["anls"] == 0.25
    assert "rule:paper" in textgauge.anls(["a"], ["a"], rule="paper", signature=True)["signature"]


def test_the_calculation_is_shown():
    shown = str(textgauge.explain(["Paris!"], [["paris", "Lyon"]], metric="anls"))
    assert "1 - 1 / 6" in shown
    assert "0.8333" in shown


@pytest.mark.parametrize("rule", RULES)
def test_the_sign_of_the_threshold_is_that_of_its_rule(rule):
    # One of two letters is wrong: the similarity is at the threshold.
    explained = textgauge.explain(["ab"], ["ac"], metric=f"anls(rule={rule!r})")
    counts = textgauge.anls(["ab"], ["ac"], rule=rule)["anls"] == 0.5
    assert ("≥ 0.5" in str(explained), "> 0.5" in str(explained)) == (counts, not counts)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("tenths", range(11))
def test_similarities_at_the_threshold_are_rounded_as_by_the_scripts(rule, tenths):
    """0.7 of 10 characters is less than 1 - 0.3, of which 1 less 0.7 is no less."""
    pairs = [("a" * (n - n_wrong) + "b" * n_wrong, "a" * n) for n in range(1, 13) for n_wrong in range(n + 1)]
    options = {"rule": rule, "min_similarity": tenths / 10}
    found = textgauge.anls(*map(list, zip(*pairs, strict=True)), **options, per_segment=True)["segment_anls"]
    assert found == [by_definition(one, [other], **options) for one, other in pairs]
