"""Answers of mathematics by the rules of the tools, against recorded figures; boxes; what a rule does to a text."""

import gzip
import json
from pathlib import Path

import pytest
import textgauge
from growing import BOUND, FACTOR, growth
from hypothesis import given
from hypothesis import strategies as st
from quick import first
from textgauge.text.extract import boxed, boxed_or_all, extractor
from textgauge.text.latex import as_latex
from textgauge.text.math_rules import RULES, GaveUp, rewritten, steps_of

PIECES = [
    "0.5", ".5", "1/2", "12", "\\frac", "\\frac12", "\\frac1{72}", "\\dfrac{3}{4}", "\\sqrt", "\\sqrt2",
    "\\text{ cm}", "%", "\\%", "\\$", "$", "^\\circ", "^{\\circ}", "x=", "=", " ", ".", "{.", "{", "}", "\\\\",
    "\\!", "\n", "\\left(", "/", "a", "1,000", "an ", "ways", "\\text{s}", "\\boxed{3}", "\\textbf{a}", "frac12",
    "sqrt3", "\u0661", "",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)


@pytest.fixture(scope="module")
def recorded(request):
    place = request.getfixturevalue("shared") / "oracles/answers/math.json.gz"
    if not place.is_file():
        pytest.skip("the recorded figures of mathematics are not beside the project")
    with gzip.open(place, "rt") as file:
        return json.load(file)


@pytest.mark.parametrize(("rule", "key"), [("hendrycks", "hendrycks"), ("lm-eval", "lm_eval")])
def test_every_recorded_pair(recorded, rule, key):
    columns = [[row[side] for row in recorded] for side in ("prediction", "reference")]
    found = textgauge.segment_scores(textgauge.MathAnswer(rule=rule), *columns)
    assert [bool(score) for score in found] == [row[key] for row in recorded]


def test_every_recorded_box(recorded):
    # Where there is none the tool raises.
    rows = [row for row in recorded if isinstance(row["boxed"], str)]
    assert [boxed(row["solution"]) for row in rows] == [row["boxed"] for row in rows]
    solutions, answers = ([row[key] for row in rows] for key in ("solution", "boxed"))
    assert textgauge.math_answer(solutions, answers, extract=r"\boxed{}") == {"math_answer": 1.0}
    assert all(boxed(row["solution"]) is None or "fbox" in row["solution"] for row in recorded if row not in rows)


@pytest.mark.parametrize(
    ("rule", "text", "found"),
    [
        # Commas go between thousands only, and units leave commands alone.
        ("minerva", "1,2", "1,2"),
        ("minerva", "3,5,7", "3,5,7"),
        ("minerva", "-1,000", "-1000"),
        ("minerva", r"[0,\infty)", r"[0,\infty)"),
        ("minerva", r"2\pi cm", r"2\pi"),
        ("minerva", r"\sqrt[3]8", r"\sqrt[3]{8}"),
        ("minerva", "x = 1 + 1 = 2", "2"),
        ("minerva", r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        ("minerva", "x = an 100,000 dollars", "100000"),
        ("minerva", r"\text{odd}, \text{and}", "odd,"),
        ("minerva", r"so $\frac12$ of it", r"\frac{1}{2}"),
        ("minerva", "so $3$ and $4$", "3"),
        ("minerva", r"\mbox{cm}^2", ""),
        ("minerva", r"\boxed{\sqrt3}", r"\sqrt{3}"),
        ("minerva", "1,000x", "1,000x"),
        ("hendrycks", "\\dfrac1{2}\n", r"\frac{1}{2}"),
        ("hendrycks", r"k = 10\text{ cm}", "10"),
        ("hendrycks", r"abc = 1", "abc=1"),
        ("hendrycks", r"{.5}", "{0.5}"),
        ("hendrycks", r"\frac1", r"\frac1"),
        ("hendrycks", r"\frac12+\frac1", r"\frac12+\frac1"),
        ("lm-eval", r"\frac12+\frac1", r"\frac12+\frac1"),
        ("hendrycks", r"\\\%%", ""),
        ("hendrycks", "x / 2", "x/2"),
        ("lm-eval", "x / 2", None),
        ("lm-eval", "01/2", "01/2"),
        ("hendrycks", r"3\sqrt", None),
        ("hendrycks", r"a\text{ b}\text{ c}", None),
        ("hendrycks", r"1\frac", None),
        ("hendrycks", "", ""),
    ],
)
def test_what_a_rule_makes_of_a_text(rule, text, found):
    assert rewritten(text, rule) == found


def without(steps, place, text):
    try:
        for _, mark, change in (*steps[:place], *steps[place + 1 :]):
            if mark in text:
                text = text.replace(mark, change) if isinstance(change, str) else change(text)
    except GaveUp:
        return None
    return text


@pytest.mark.parametrize("rule", ["lm-eval", "minerva"])
def test_every_step_of_lm_evaluation_harness(rule):
    """`tests/data/record_math.py` has recorded what the tool makes of each text; no step can be left out."""
    texts = dict(json.loads((Path(__file__).parent.parent / "data/math_rules.json").read_text())[rule])
    assert {text: rewritten(text, rule) for text in texts} == texts
    steps = RULES[rule]
    for place, step in enumerate(steps):
        assert any(without(steps, place, text) != texts[text] for text in texts), step


def test_steps_of_hendrycks():
    """The steps of both copies are the same, but for fractions that are none of integers."""
    texts = dict(json.loads((Path(__file__).parent.parent / "data/math_rules.json").read_text())["lm-eval"])
    given_up = {text for text, found in texts.items() if found is None and rewritten(text, "hendrycks") is not None}
    assert all("/" in text for text in given_up)
    assert {text: rewritten(text, "hendrycks") for text in texts if text not in given_up} == {
        text: found for text, found in texts.items() if text not in given_up
    }
    assert given_up


@given(TEXTS, st.sampled_from([*RULES]))
def test_shown_steps_compare(text, rule):
    steps = [*steps_of(text, rule)]
    gave_up = bool(steps) and "gives up" in steps[-1][0]
    found = rewritten(text, rule)
    assert (found is None) == gave_up
    assert gave_up or found == (steps[-1][1] if steps else text)


@given(TEXTS, TEXTS, st.sampled_from([*RULES]))
def test_equality_laws(one, other, rule):
    assert textgauge.math_answer([one], [one], rule=rule)["math_answer"] == 1
    assert textgauge.math_answer([one], [other], rule=rule) == textgauge.math_answer([other], [one], rule=rule)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"\boxed{1} then \boxed{ \frac{a}{b} }.", r" \frac{a}{b} "),
        (r"\boxed{\boxed{3}}", "3"),
        (r"$\boxed 7$ and $8$", "7"),
        (r"\boxed{1}, no: $\boxed 2$", "2"),
        (r"\boxed 7", "7"),
        (r"\boxed 3$ but \boxed{4}", "4"),
        (r"\fbox{x} and \boxed{7}", "7"),
        (r"\fbox{x}", "x"),
        (r"\boxed{1", None),
        (r"\boxed", None),
        (r"\boxed}{1}", None),
        (r"\boxed{}", ""),
        ("", None),
    ],
)
def test_what_a_box_holds(text, found):
    assert boxed(text) == found
    assert boxed_or_all(text) == (text if found is None else found)
    assert extractor(r"\boxed{}")(text) == (None if found is None else found.strip())


@given(st.text(st.sampled_from("\\boxedf{} $1"), max_size=30))
def test_a_box_never_raises(text):
    found = boxed(f"\\boxed{text}")
    assert found is None or found in text


def long_texts(mark):
    """Makers of long texts in which a mark stands often, or once, with what may end it or not."""
    yield from (lambda n, end=end: mark * n + end for end in ("", "}", "$", "]", "\n"))
    yield lambda n: f"{'x' * n}{mark}"
    yield lambda n: f"{mark}{'x' * n}"


@pytest.mark.parametrize("rule", first(2, RULES))
def test_every_rule_takes_linear_time(rule):
    marks = {step.mark for step in RULES[rule] if step.mark} | set("${}[],/=1")
    for mark in sorted(marks):
        for text in long_texts(mark):
            assert growth(lambda given: rewritten(given, rule), text(2_000), text(2_000 * FACTOR)) < BOUND, mark


@pytest.mark.parametrize("find", [boxed, boxed_or_all, extractor("\\boxed{}"), extractor("<a>...</a>")])
@pytest.mark.parametrize("mark", ["\\boxed{", "\\boxed ", "\\boxed{}", "\\fbox{", "{", "}", "$", "<a>", "</a>", "x"])
def test_every_extraction_takes_linear_time(find, mark):
    for text in long_texts(mark):
        assert growth(find, text(4_000), text(4_000 * FACTOR)) < BOUND


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # What has marks stays between them; a text without any is between dollar signs.
        ("The value $x^2$", "The value $x^2$"),
        (r"so \(x\)", r"so \(x\)"),
        ("x+1", "$x+1$"),
        (" x\n+ 1 ", "$x + 1$"),
        ("$7.$", "$7$"),
        (r"\$7", "$7$"),
        (r"\boxed 7.", r"\boxed{7}."),
        (r"The answer is \boxed{2√3}", r"The answer is \boxed{2\sqrt{3}}"),
        ("The answer is: 3/4.", "$3/4$"),
        ("answer:", "$\\text{answer:}$"),
        # Words are words.
        ("CAB", r"$\text{CAB}$"),
        ("B, A", r"$\text{B, A}$"),
        ("B; A", r"$\text{B; A}$"),
        ("B A C", r"$\text{B A C}$"),
        ("a b", "$a b$"),
        ("\u20ac10", "$10$"),
        ("10.5 \u00a3", "$10.5$"),
        ("5\\ ", "$5$"),
        ("5\\\\", "$5$"),
        ("H2O", r"$\text{H2O}$"),
        ("(B)", "$(B)$"),
        ("2xyz + sin(x)", "$2xyz + sin(x)$"),
        ("net + 1", r"$\text{net} + 1$"),
        ("5 apples", r"$5 \text{apples}$"),
        ("1 hour 30 minutes", r"$\text{1 hour 30 minutes}$"),
        ("2 pears and 3 apples", r"$2 \text{pears} and 3 \text{apples}$"),
        # Signs are commands.
        ("√12 + ∛x·√{y}", r"$\sqrt{12} + \sqrt[3]{x}\cdot \sqrt{y}$"),
        ("x₁²³ ≠ −2½", r"$x_{1}^{23} \ne -2\frac{1}{2}$"),
        ("１０⁄４ ÷ ∞", r"$10/4 \div \infty$"),
        ("10⁻³ ± 90°", r"$10^{-3} \pm 90^\circ$"),
    ],
)
def test_what_an_engine_reads(text, found):
    assert as_latex(text) == found


@pytest.mark.parametrize(
    "mark", ["√", "√(", "√ ", "²", "½", "\\boxed ", "\\boxed .", "7.", "$", "ab", "a ,", "a1", "answer is "]
)
def test_what_an_engine_reads_takes_linear_time(mark):
    for text in long_texts(mark):
        assert growth(as_latex, text(2_000), text(2_000 * FACTOR)) < BOUND
