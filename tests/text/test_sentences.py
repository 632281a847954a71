"""Sentences at their end marks: abbreviations and initials end none."""

import pytest
from textgauge.input.columns import text_column
from textgauge.text.sentences import has_sentences, lines_of_sentences, placed_sentences

ABBREVIATIONS = [
    "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "vs", "etc", "e.g", "i.e", "No", "Jr", "Sr", "Inc", "Ltd", "Co", "U.S", "J",
]  # fmt: skip
# A text, and where its sentences are cut.
CUT = {
    "It rains. We go.": ["It rains.", "We go."],
    "It rains! we go? Yes": ["It rains! we go?", "Yes"],
    'He said "no." She left.': ['He said "no."', "She left."],
    "(It rains.) We go.": ["(It rains.)", "We go."],
    "It costs 5.5 euros.  5 more.": ["It costs 5.5 euros.", "5 more."],
    "Is it?! Yes... No": ["Is it?!", "Yes...", "No"],
    "\u4e0b\u96e8\u3002\u6211\u4eec\uff01\u597d": ["\u4e0b\u96e8\u3002", "\u6211\u4eec\uff01", "\u597d"],
    "Amr. Hill": ["Amr.", "Hill"],
    "AB. Hill": ["AB.", "Hill"],
}  # fmt: skip


def sentences(text):
    return [line.strip() for line in lines_of_sentences(text_column([text], "texts")).tolist()[0].split("\n")]


@pytest.mark.parametrize("word", ABBREVIATIONS)
def test_abbreviations_end_no_sentence(word):
    text = f"He saw {word}. Hill there. We go."
    assert sentences(text) == [f"He saw {word}. Hill there.", "We go."]
    assert not has_sentences(f"He saw {word}. Hill there.")
    # At the very beginning, and as the end of a longer word.
    assert sentences(f"{word}. Hill sat") == [f"{word}. Hill sat"]
    assert sentences(f"x{word.lower()}. Hill sat") == [f"x{word.lower()}.", "Hill sat"]


@pytest.mark.parametrize("text", CUT)
def test_end_marks(text):
    assert sentences(text) == CUT[text]
    assert has_sentences(text)
    placed = list(placed_sentences(text, at_end_marks=True))
    assert [one.strip() for _, one in placed] == CUT[text]
    assert [text[start : start + len(one)] for start, one in placed] == [one for _, one in placed]


def test_lines_and_sentences_have_their_places():
    text = "a b\n\nc. D"
    assert [*placed_sentences(text, at_end_marks=False)] == [(0, "a b"), (5, "c. D")]
    assert [*placed_sentences(text, at_end_marks=True)] == [(0, "a b"), (5, "c. "), (8, "D")]


@pytest.mark.parametrize("text", ["", "a b", "a b.", "a.b", "a!b?c", "Dr. A"])
def test_a_single_sentence(text):
    assert not has_sentences(text)
    assert sentences(text) == [text]
