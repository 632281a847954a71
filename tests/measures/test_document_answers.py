"""VQA accuracy and relaxed accuracy: official figures, the rules one by one, and what is defined where they fail."""

import gzip
import json
import re

import pytest
import textgauge
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from textgauge.text.vqa_rules import prepared_for_textvqa, rewritten, tidied

RECORDED = ROOT.parent / "shared/oracles/documents/documents-given.json.gz"
FEW = "ignore:.*fewer than 4 people", "ignore:.*all people give the same one", "ignore:.*counts? as equal"
pytestmark = [pytest.mark.filterwarnings(*FEW, "ignore:.*differ in", "ignore:.*equal but for white space")]
words = st.sampled_from(
    ["two", "The", "a", "isnt", "1,000", "$5", "red-blue", "red- blue", "Joe's", "3.5", "U.S.", "?", "none", "\t", "\n"]
)
answers = st.lists(words, max_size=3).map(" ".join)
numbers = st.sampled_from(
    ["0", "0.0", "1", "1.05", "1.0499", "5%", "0.05", "-1", "inf", "nan", "1e3", "1_000", "x", "X "]
)


@pytest.fixture(scope="module")
def recorded():
    if not RECORDED.exists():
        pytest.skip("no ../shared/oracles")
    rows = json.loads(gzip.decompress(RECORDED.read_bytes()))["answers"]
    assert len(rows) > 40
    return rows


def found(metric, rows, **options):
    texts = [row["prediction"] for row in rows], [row["references"] for row in rows]
    return getattr(textgauge, metric)(*texts, **options, per_segment=True)[f"segment_{metric}"]


@pytest.mark.parametrize("rule", ["vqa", "textvqa"])
def test_figures_of_vqa(recorded, rule):
    # MMF refuses other numbers of people than ten.
    rows = [row for row in recorded if type(row["official"][rule]) is not str]
    scores = found("vqa_accuracy", rows, rule=rule)
    # The script of VQA returns percent, which it rounds.
    shown = [round(100 * score, 12) for score in scores] if rule == "vqa" else scores
    assert shown == [row["official"][rule] for row in rows]


def test_figures_of_chartqa(recorded):
    assert [100 * score for score in found("relaxed_accuracy", recorded)] == [
        row["official"]["chartqa"] for row in recorded
    ]


def by_the_script(answer, people, is_rewritten):
    """The script of VQA, each sign in turn."""
    if is_rewritten:
        answer, *people = map(in_turn, [answer, *people])
    total = 0.0
    for left_out in range(len(people)):
        others = [one for i, one in enumerate(people) if i != left_out]
        total += min(1, others.count(answer) / 3)
    return total / len(people)


def in_turn(text):
    out = text
    for sign in ';/[]"{}()=+\\_-><@`,?!':
        is_dropped = sign + " " in text or " " + sign in text or re.search(r"\d,\d", text)
        out = out.replace(sign, "" if is_dropped else " ")
    out = re.sub(r"\.(?!\d)", "", out, count=32).lower()
    table = {"two": "2", "none": "0", "isnt": "isn't"}
    return " ".join(table.get(word, word) for word in out.split() if word not in ("a", "an", "the"))


@given(st.lists(st.tuples(answers, st.lists(answers, min_size=1, max_size=6)), min_size=1, max_size=4), st.booleans())
def test_drawn_answers(rows, rewrites_all):
    result = textgauge.vqa_accuracy(
        [answer for answer, _ in rows], [people for _, people in rows], rewrite_all=rewrites_all, per_segment=True
    )
    expected = []
    for answer, people in rows:
        answer, *people = map(tidied, [answer, *people])
        expected.append(by_the_script(answer, people, rewrites_all or len({*people}) > 1))
    assert result["segment_vqa_accuracy"] == expected
    by_mmf = textgauge.vqa_accuracy(
        [answer for answer, _ in rows], [people for _, people in rows], rule="textvqa", per_segment=True
    )
    changed = [[prepared_for_textvqa(text) for text in (answer, *people)] for answer, people in rows]
    assert by_mmf["segment_vqa_accuracy"] == [by_the_script(answer, people, True) for answer, *people in changed]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("The red-brown dogs, isnt it?", "red brown dogs isn't it"),
        ("red- brown", "red brown"),
        ("$1,000-5", "$10005"),
        ("ten no wont none", "10 no won't 0"),
        ("3.5 p.m.", "3.5 pm"),
        ("." * 40 + "a", "." * 8 + "a"),
        ("somebody'd youdve y'alldve twas", "somebodyd youdve y'alldve 'twas"),
        ("an A The", ""),
        ("a\u00a0cat", "cat"),
    ],
)
def test_rewriting(text, changed):
    assert rewritten(text) == changed


@pytest.mark.parametrize("sign", ';/[]"{}()=+\\_-><@`,?!')
def test_every_sign_goes_by_what_is_around_it(sign):
    for text in (
        "x{}y", "x{}y{} z", "x{}y {}z", "x{}y{}", "{}x{}y", "1,5 x{}y", "1,000 x{}y", "1, 5 x{}y", "x, 5 x{}y",
    ):  # fmt: skip
        text = text.replace("{}", sign)
        assert rewritten(text) == " ".join(in_turn(text).split()), text


@pytest.mark.parametrize(
    ("answer", "people", "scores"),
    [
        ("yes", ["yes"] * 10, (1, 1)),
        ("Yes.", ["yes"] * 10, (0, 1)),
        ("Yes.", ["yes"] * 9 + ["no"], (1, 1)),
        ("Yes", ["yes", "yes ", "yes", "yes"], (0, 1)),
        ("red", ["red", *["blue"] * 9], (0.3, 0.3)),
        ("Joe's", ["Joe 's"] * 4 + ["x"] * 6, (0, 1)),
        ("", ["a"] * 5 + ["b"] * 5, (1, 1)),
        ("", ["unanswerable"] * 10, (0, 0)),
        ("cat", ["cat"], (0, 0)),
        ("cat", ["cat"] * 3, (2 / 3, 2 / 3)),
    ],
)
def test_rules_differ(answer, people, scores):
    for rule, score in zip(("vqa", "textvqa"), scores, strict=True):
        assert textgauge.vqa_accuracy([answer], [people], rule=rule)["vqa_accuracy"] == pytest.approx(score, abs=1e-15)


@pytest.mark.parametrize(
    ("answer", "people", "text"),
    [
        ("cat", ["cat"] * 3, "^1 right answer scores less than 1, since fewer than 4 people were asked"),
        ("", ["a"] * 5 + ["b"] * 5, "^1 answer counts as equal to another text"),
        ("Yes.", ["yes"] * 10, "^1 answer scores 0, though all people .*`rewrite_all=True`"),
    ],
)
def test_what_is_told(answer, people, text):
    with pytest.warns(UserWarning, match=text) as told:
        textgauge.vqa_accuracy([answer, "b"], [people, ["b"] * 4])
    assert len(told) == 1


@pytest.mark.filterwarnings("error")
def test_no_warning_without_a_cause():
    textgauge.vqa_accuracy(["cat", "", "Dog", "x"], [["dog"], ["", "b", "c"], ["a dog"], ["a"] * 10])
    textgauge.vqa_accuracy(["Yes."], [["yes"] * 10], rewrite_all=True)


def test_what_a_rule_does_anyway_is_refused():
    with pytest.raises(ValueError, match="`rewrite_all` cannot be given with `rule='textvqa'`"):
        textgauge.vqa_accuracy(["a"], ["a"], rule="textvqa", rewrite_all=True)


def by_pix2struct(prediction, reference, tolerance):
    def number(text):
        try:
            return float(text.rstrip("%")) / 100 if text.endswith("%") else float(text)
        except ValueError:
            return None

    found, expected = number(prediction), number(reference)
    if found is not None and expected:
        return abs(found - expected) / abs(expected) <= tolerance
    return prediction.lower() == reference.lower()


@given(st.lists(st.tuples(numbers, st.lists(numbers, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_drawn_numbers(rows):
    texts = [prediction for prediction, _ in rows], [references for _, references in rows]
    for tolerance in (0.05, 0, 2):
        result = textgauge.relaxed_accuracy(*texts, tolerance=tolerance, per_segment=True)
        assert result["segment_relaxed_accuracy"] == [
            max(by_pix2struct(prediction, reference, tolerance) for reference in references)
            for prediction, references in rows
        ]


@pytest.mark.parametrize("tolerance", [0.05, 0.1, 0.3])
def test_numbers_at_the_end_of_the_tolerance(tolerance):
    # What is divided and what is multiplied round to either side of it.
    references = [f"{i / 8:g}" for i in range(1, 300)]
    for factor in (1 + tolerance, 1 - tolerance):
        predictions = [repr(float(text) * factor) for text in references]
        result = textgauge.relaxed_accuracy(predictions, references, tolerance=tolerance, per_segment=True)
        assert result["segment_relaxed_accuracy"] == [
            by_pix2struct(*pair, tolerance) for pair in zip(predictions, references, strict=True)
        ]


def test_the_reference_that_is_right_is_shown():
    for references in (["200", "100"], ["100", "200"], ["abc", "100", "200"]):
        assert "0.04 of the reference" in str(textgauge.explain(["104"], [references], metric="relaxed_accuracy"))


def test_calculations_are_shown():
    shown = str(textgauge.explain(["the red"], [["red"] * 3 + ["blue"] * 7], metric="vqa_accuracy"))
    assert "(3 × 2/3 + 7 × 1) / 10" in shown
    assert "3 of 10" in shown
    shown = str(textgauge.explain(["104"], [["100", "abc"]], metric="relaxed_accuracy"))
    assert "0.04 of the reference" in shown
    assert "as texts" in str(textgauge.explain(["Norway"], ["norway"], metric="relaxed_accuracy"))


@pytest.mark.parametrize("sign", ["%", "%%", "%%%"])
def test_signs_at_the_end_are_one_hundredth(sign):
    """However many there are, as in the script."""
    assert textgauge.relaxed_accuracy([f"5{sign}", "5"], ["0.05", f"500{sign}"])["relaxed_accuracy"] == 1


@pytest.mark.parametrize("n_people", [1, 2, 3])
def test_only_several_people_can_all_give_another_form(recwarn, n_people):
    assert textgauge.vqa_accuracy(["Yes."], [["yes"] * n_people])["vqa_accuracy"] == 0
    assert ["in another form" in str(one.message) for one in recwarn] == [True] * (n_people > 1)
