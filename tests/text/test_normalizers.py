import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import token_f1 as twin
from strategies import text
from textgauge.columns import corpus_of, text_column
from textgauge.text import NORMALIZERS, normalizer_of
from textgauge.text.vocabulary import token_column

LANGUAGES = ("en", "es", "de", "ar", "hi", "vi", "zh")
TWINS = {
    "squad": twin.squad,
    "lower": lambda answer: answer.lower(),
    "none": lambda answer: answer,
    **{f"mlqa:{language}": lambda answer, language=language: twin.mlqa(answer, language) for language in LANGUAGES},
}
# Letters, articles and word borders of every language, and characters that only Unicode's tables distinguish.
PIECES = [
    "the", "a", "an", "The", "A", "AN", "einen", "DER", "des", "los", "Una", "của", "Cái", "là", "ال", "الكتاب", "ا",
    "ل", "北京", "京", "龥", "龦", "㐀", "𠀀", "é", "É", "É", "ΑΣ", "Σ", "σς", "İ", "K", "ẞ", "Ⱥ", "Ǆ", "’", "—", "،",
    "।", "„", "“", "«", "»", "_", ".", "-", "!", "'", ",", "(", ")", "٣", "5", "x", "Z", "́", "\u200d", "\ufeff",
    "\x00", "\x1b", "\x7f", "🎉", "Ａ", "ａ", "＿", "．", " ", "  ", "\t", "\n", "\x1c", "\x85", "\u00a0", "\u2028",
    "\u3000",
]  # fmt: skip
pieces = st.sampled_from(PIECES)
answers = st.one_of(st.lists(pieces, max_size=9).map("".join), text)


def column_of(texts):
    return text_column(texts, "texts")


def test_every_normalizer_has_a_twin():
    assert set(NORMALIZERS) == set(TWINS)


@pytest.mark.parametrize("name", NORMALIZERS)
@given(texts=st.lists(answers, max_size=6), start=st.integers(0, 2))
def test_columns_and_texts_are_normalized_as_the_twin_does(name, texts, start):
    normalizer = NORMALIZERS[name]
    expected = [TWINS[name](answer) for answer in texts]
    assert [normalizer(answer) for answer in texts] == expected
    assert normalizer.column(column_of(texts).slice(start, len(texts))).tolist() == expected[start:]


@pytest.mark.parametrize("name", [name for name in NORMALIZERS if name not in ("lower", "none")])
@given(texts=st.lists(answers, min_size=1, max_size=6))
def test_words_are_those_of_the_normalized_text(name, texts):
    expected = [TWINS[name](answer).split() for answer in texts]
    words, offsets = token_column(NORMALIZERS[name].words, column_of(texts))
    assert words.to_pylist() == [word for row in expected for word in row]
    assert np.diff(offsets).tolist() == [len(row) for row in expected]
    numbers = {}
    tokens = NORMALIZERS[name].words.cut(corpus_of(texts[:1], [texts[1:] or [""]]))
    assert list(tokens.ids) == [numbers.setdefault(word, len(numbers)) for row in expected for word in row]


@pytest.mark.parametrize(
    ("name", "answer", "expected"),
    [
        ("squad", "The U.S.A.’s “the” state-of-the-art", "usa’s “ ” stateoftheart"),
        ("mlqa:en", "The U.S.A.’s “the” café", "usas café"),
        ("mlqa:es", "¿Los Andes, una cordillera?", "andes cordillera"),
        ("mlqa:de", "Die „Straße“ des Jahres", "straße jahres"),
        ("mlqa:ar", "الكتاب، والقلم", "كتاب و قلم"),
        ("mlqa:hi", "दिल्ली।", "दिल्ली"),
        ("mlqa:vi", "Những ngôi nhà của là", "ngôi nhà"),
        ("mlqa:zh", "北京2008年（奥运会）", "北 京 2008 年 奥 运 会"),
    ],
)
def test_languages(name, answer, expected):
    assert NORMALIZERS[name](answer) == expected
    assert NORMALIZERS[name].column(column_of([answer])).tolist() == [expected]


def test_a_callable_is_called_once_for_each_distinct_text():
    asked = []
    normalizer = normalizer_of(lambda answer: asked.append(answer) or answer.strip())
    assert normalizer.column(column_of([" a", "b ", " a", ""])).tolist() == ["a", "b", "a", ""]
    assert sorted(asked) == ["", " a", "b "]


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        (None, TypeError, r"normalizer: result for 'x' \(str\): expected a str, got None"),
        ("\ud800", ValueError, "lone"),
    ],
)
def test_results_of_a_callable_are_checked(result, error, message):
    with pytest.raises(error, match=message):
        normalizer_of(lambda answer: result).column(column_of(["x"]))


def test_names_are_checked():
    with pytest.raises(ValueError, match="normalizer: expected one of 'squad', .*'mlqa:zh', got 'mlqa:fr'"):
        normalizer_of("mlqa:fr")
    with pytest.raises(TypeError, match="normalizer"):
        normalizer_of(3)


@pytest.mark.parametrize("name", NORMALIZERS)
def test_a_pickled_normalizer_is_equal(name):
    assert pickle.loads(pickle.dumps(NORMALIZERS[name])) == NORMALIZERS[name]


@pytest.mark.slow
def test_lower_casing_twice_changes_nothing():
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    lowered = {character for text in map(str.lower, characters) for character in text}
    assert {character for character in lowered if character.lower() != character} == set()
    assert "\u03a3" not in lowered
