"""Sentences at their end marks: abbreviations and initials end none."""

import unicodedata

import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from textgauge.input.columns import text_column
from textgauge.text.sentences import _ASCII_END, _sentence_end, has_sentences, lines_of_sentences, placed_sentences

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
    # Danda, Urdu, Arabic, Armenian, Ethiopic, Burmese, Khmer, Tibetan.
    "वे घर गए। बारिश हुई।": ["वे घर गए।", "बारिश हुई।"],
    "धर्मक्षेत्रे॥समवेता": ["धर्मक्षेत्रे॥", "समवेता"],
    "وہ گیا۔ بارش ہوئی۔": ["وہ گیا۔", "بارش ہوئی۔"],
    "هل ذهب؟ نعم": ["هل ذهب؟", "نعم"],
    "Նա գնաց։ անձրև": ["Նա գնաց։", "անձրև"],
    "እሱ ሄደ። ዝናብ፧ ዘነበ": ["እሱ ሄደ።", "ዝናብ፧", "ዘነበ"],
    "သူသွား။မိုးရွာ။": ["သူသွား။", "မိုးရွာ။"],
    "គាត់ទៅ។ ភ្លៀង": ["គាត់ទៅ។", "ភ្លៀង"],
    "བོད་ཡིག།  དབུས": ["བོད་ཡིག།", "དབུས"],
    "წავიდა. წვიმდა": ["წავიდა.", "წვიმდა"],
    # Half-width, wide and double signs.
    "ﾊｲ｡ｲｲｴ": ["ﾊｲ｡", "ｲｲｴ"],
    "３．５は数。これは文である．次に": ["３．５は数。", "これは文である．", "次に"],
    # Marks of direction, and how an emoji looks, belong to the end (SB5 of UAX #29).
    "Yes\u203c\ufe0f No": ["Yes\u203c\ufe0f", "No"],
    "\u05e9\u05dd.\u200f \u05e2\u05dd": ["\u05e9\u05dd.\u200f", "\u05e2\u05dd"],
    "\u0642\u0627\u0644\u061f\u200f\u202c \u062b\u0645": ["\u0642\u0627\u0644\u061f\u200f\u202c", "\u062b\u0645"],
    "2.\u200e5 a.\u200fb. C": ["2.\u200e5 a.\u200fb.", "C"],
    "Was‼ Wo⁉ Da": ["Was‼", "Wo⁉", "Da"],
    "\u597d\uff01\uff01\uff1f\u8d70\uff1f! \u597d": ["\u597d\uff01\uff01\uff1f", "\u8d70\uff1f!", "\u597d"],
    # What closes a sentence, and what opens the next one.
    "「好。」他说。“走！”『好』": ["「好。」", "他说。", "“走！”", "『好』"],
    "他说。“走！”": ["他说。", "“走！”"],
    "Er sagte „Nein.“ Sie ging": ["Er sagte „Nein.“", "Sie ging"],
    "Il dit « non. » Puis il part": ["Il dit « non. »", "Puis il part"],
    "Er kam. »Ja«, sagte er": ["Er kam.", "»Ja«, sagte er"],
    # Small letters and initials of any script.
    "В 1812 г. император ушёл. Он пришёл": ["В 1812 г. император ушёл.", "Он пришёл"],
    "А. С. Пушкин жил. Он писал": ["А. С. Пушкин жил.", "Он писал"],
    "Έφυγε. έτσι. Ναι": ["Έφυγε. έτσι.", "Ναι"],
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


@pytest.mark.parametrize("text", CUT)
def test_sentences_in_another_order_are_the_same(text):
    first, *others = CUT[text]
    texts = [" ".join((*others, first))], ["\n".join(CUT[text])]
    assert (
        textgauge.rouge(*texts, tokenizer="unicode", split_summaries=True, rouge_types=["rougeLsum"])["rougeLsum"] == 1
    )


def test_marks_are_those_of_unicode():
    """In the Unicode of `regex`; the two shads of Tibetan are ours."""
    regex = pytest.importorskip("regex")
    ends = regex.compile(r"\p{Sentence_Terminal}|\u0f0d|\u0f0e")
    letters = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code))[0] == "P"]
    found = [c for c in letters if _sentence_end().fullmatch(f"{c} ")]
    assert found == [c for c in letters if ends.match(c)]
    assert all(has_sentences(f"a{c} A") for c in found)


@given(st.text(st.sampled_from(" \nab.!?\"')]}"), max_size=12))
def test_ascii_has_an_expression_of_its_own(text):
    found, expected = ([end.span() for end in one.finditer(text)] for one in (_ASCII_END, _sentence_end()))
    assert found == expected


def test_lines_and_sentences_have_their_places():
    text = "a b\n\nc. D"
    assert [*placed_sentences(text, at_end_marks=False)] == [(0, "a b"), (5, "c. D")]
    assert [*placed_sentences(text, at_end_marks=True)] == [(0, "a b"), (5, "c. "), (8, "D")]


@pytest.mark.parametrize("text", ["", "a b", "a b.", "a.b", "a!b?c", "Dr. A"])
def test_a_single_sentence(text):
    assert not has_sentences(text)
    assert sentences(text) == [text]
