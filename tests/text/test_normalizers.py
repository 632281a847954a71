import pickle

import pytest
from textgauge.input.columns import text_column
from textgauge.text import NORMALIZERS, normalizer_of


def column_of(texts):
    return text_column(texts, "texts")


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
        # The script's range ends where Unicode 1.1 did.
        ("mlqa:zh", "x一x龥x", "x 一 x 龥 x"),
        ("mlqa:zh", "x䷿x龦x㐀", "x䷿x龦x㐀"),
    ],
)
def test_languages(name, answer, expected):
    assert NORMALIZERS[name](answer) == expected
    assert NORMALIZERS[name].column(column_of([answer])).tolist() == [expected]


@pytest.mark.parametrize(
    ("name", "articles"),
    [
        ("squad", "a an the"), ("mlqa:en", "a an the"), ("mlqa:es", "un una unos unas el la los las"),
        ("mlqa:de", "ein eine einen einem eines einer der die das den dem des"),
        ("mlqa:vi", "c\u1ee7a l\u00e0 c\u00e1i chi\u1ebfc nh\u1eefng"), ("mlqa:hi", ""),
        ("mlqa:ar", ""), ("mlqa:zh", ""),
    ],
)  # fmt: skip
def test_articles_are_dropped_as_words(name, articles):
    for word in {"a", "an", "the", "un", "una", "el", "la", "los", "ein", "der", *articles.split()}:
        left = f"x{word} y" if word in articles.split() else f"x{word} {word} y"
        assert NORMALIZERS[name](f"x{word} {word.title()} y") == left


def test_calls_of_a_callable():
    asked = []
    normalizer = normalizer_of(lambda answer: asked.append(answer) or answer.strip())
    assert normalizer.column(column_of([" a", "b ", " a", ""])).tolist() == ["a", "b", "a", ""]
    assert sorted(asked) == ["", " a", "b "]


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [(None, TypeError, r"^normalizer: result for 'x' \(str\): .*got None"), ("\ud800", ValueError, "lone")],
)
def test_results_of_a_callable_are_checked(result, error, message):
    with pytest.raises(error, match=message):
        normalizer_of(lambda answer: result).column(column_of(["x"]))


def test_names_are_checked():
    with pytest.raises(ValueError, match="^normalizer: .*got 'mlqa:fr'"):
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
