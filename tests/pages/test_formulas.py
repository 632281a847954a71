"""Formulas of sums as MathML."""

import re

import pytest
from textgauge.report.formulas import drawn

LINES = [
    ("2 × 3 / (4 + 5)", "frac(2×3|4+5)"), ("100 × 5 / 6", "frac(100×5|6)"), ("5/6 × 0/3", "frac(5|6)×frac(0|3)"),
    ("(5/6 × 3/5)^(1/4)", "sup((frac(5|6)×frac(3|5))|1/4)"), ("(5/6)^0.3 × 2", "sup((frac(5|6))|0.3)×2"),
    ("e^(1 − 7/6)", "sup(e|1−7/6)"), ("2^(6 / 3)", "sup(2|6/3)"), ("(1 + 2²) × 3", "(1+sup(2|2))×3"),
    ("1/(2 × 3)", "frac(1|2×3)"), ("(2 of 7)^(1/1.2)", "sup((2 of 7)|1/1.2)"), ("0.75 > 0.5", "0.75>0.5"),
    ("1,000 × 2e-05", "1,000×2e-05"), ("3 / 4^2", "frac(3|sup(4|2))"),
    ("2 / 3 / 4", "frac(frac(2|3)|4)"), ("2/3/4", "frac(frac(2|3)|4)"),
]  # fmt: skip
WORDS = [
    "taken as", "", "0.5", "2 of 3", "sum of these / 5", "(1", "1 × ", "100, as there are edits but no words", "< & >",
]  # fmt: skip


def shape(math):
    """The elements of MathML in short."""
    math = re.sub(r"</?m(row|n|o|text)>", "", math).replace("&gt;", ">").replace("\u00a0", " ")
    while (shorter := re.sub(r"<m(frac|sup)>([^<]*)</m\1>", r"\1(\2)", math)) != math:
        math = shorter
    return math


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_drawn_formula(line, expected):
    parts = re.fullmatch(
        '<math displaystyle="true" alttext="([^"]*)">(.*)</math><span [^>]*>([^<]*)</span>', drawn(line)
    )
    assert parts[1] == parts[3] == line.replace(">", "&gt;")
    # The two sides of a fraction or a power are two elements.
    math = re.sub(r"(</m(?:row|n|frac|sup)>)(<m(?:row|n|frac|sup)>)", r"\1|\2", parts[2])
    assert shape(math) == expected


@pytest.mark.parametrize("line", ["2 / 3 of words", "(1 + 2) / 3 !", "1 × 2 and 3"])
def test_a_formula_that_is_read_in_part_stays_text(line):
    assert drawn(line) == line


@pytest.mark.parametrize("line", WORDS)
def test_words_stay_words(line):
    assert drawn(line) == line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def test_words_before_a_formula_stay_before_it():
    whole = drawn("smoothed (exp): 1/(2 × 3)")
    assert whole.startswith("smoothed (exp): <math ")
    assert whole.count("smoothed") == 1
