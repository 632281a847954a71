"""Normalizers of speech that read data: Whisper's of English, replacements, and numbers as words."""

import gzip
import importlib.util
import json
import pickle
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from strategies import text
from textgauge.text import whisper
from textgauge.text.replacements import numbers_of, replacements_of
from textgauge.text.speech import speech_normalizer_of, whisper_english, with_replacements

SPELLINGS = {"colour": "color", "neighbour": "neighbor"}
WRITTEN = json.dumps(SPELLINGS)


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A function that makes a package have a list of spellings; none is installed otherwise."""
    found = {}

    def add(package, content=WRITTEN):
        place = tmp_path / package / "normalizers"
        place.mkdir(parents=True)
        (place / "english.json").write_text(content)
        found[package] = SimpleNamespace(submodule_search_locations=[str(place.parent)])

    monkeypatch.setattr(whisper, "find_spec", found.get)
    whisper.installed_spellings.cache_clear()
    yield add
    whisper.installed_spellings.cache_clear()


@pytest.mark.parametrize("package", ["whisper", "whisper_normalizer"])
def test_the_list_of_either_package_is_read_and_named(packages, package):
    packages(package)
    result = textgauge.wer(["the colour"], ["The color!"], normalizer="whisper-english", signature=True)
    assert result["wer"] == 0
    assert f"|norm:whisper-english-2[{whisper.spellings_name(SPELLINGS)[2:-1]}]|" in result["signature"]


def test_a_list_that_is_absent_or_damaged_is_told(packages):
    with pytest.raises(ValueError, match="pip install whisper_normalizer"):
        textgauge.wer(["colour"], ["color"], normalizer="whisper-english")
    packages("whisper", "{")
    with pytest.raises(ValueError, match="undamaged list of spellings in .*english.json"):
        textgauge.cer(["colour"], ["color"], normalizer="whisper-english")


@pytest.mark.parametrize(("written", "normal"), [
    # Rules that one package changed: these are OpenAI's.
    ("kinda sorta dunno 'cause", "kinda sorta dunno cause"),
    ("Mr. O'Neill won't pay twenty-five dollars, um, for the colour.", "mister 0 neill will not pay $25 for the color"),
    ("[noise] <unk> (laughs) uh hmm a", "a"), ("y'all ain't gonna", "you all aint going to"),
    ("he'd been, she's gone, it's got", "he had been she has gone it has got"),
    ("Caf\u00e9 \u00c6on \u0142", "cafe aeon l"),
    ("one", "one"), ("one hundred and one", "101"), ("two and a half million", "2500000"), ("and a half", ""),
    ("twenty twenty one", "2021"), ("nineteen ninety nine", "1999"), ("double oh seven", "007"), ("triple one", "111"),
    ("double the price", "double the price"), ("first second third fifth twelfth", "1st 2nd 3rd 5th 12th"),
    ("sixes and sevens", "6s and 7s"), ("the twenties", "the 20s"), ("thirtieth", "30th"), ("two hundredth", "200th"),
    ("minus five", "-5"), ("minus the", "minus the"), ("three point one four", "3.14"), ("point of", "point of"),
    ("$2 and seven cents", "$2.07"), ("zero point five dollars", "\u00a25"), ("fifty percent", "50%"),
    ("five per cent of", "5% of"), ("five per week", "5 per week"), ("percent", "percent"), ("1,000,000", "1000000"),
    ("127.0.0.1", "127.0.0 one"), ("3 thousand", "3000"), ("1.5 thousand", "1500"), ("1.2345 hundred", "one.2345 100"),
    ("1960s 274th 5 th", "1960s 274th 5th"), ("b2b", "b 2 b"), ("hundred point hundred", "10000"), ("\u0663", "3"),
])  # fmt: skip
def test_english_as_whisper_writes_it(packages, written, normal):
    packages("whisper")
    assert whisper_english(written) == normal


@pytest.fixture(scope="session")
def official():
    """OpenAI's normalizer, without the rest of its package."""
    found = importlib.util.find_spec("whisper")
    pytest.importorskip("more_itertools")
    pytest.importorskip("regex")
    if found is None:
        pytest.skip("openai-whisper is not installed")
    folder = Path(found.submodule_search_locations[0], "normalizers")
    about = importlib.util.spec_from_file_location(
        "openai_normalizers", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    sys.modules["openai_normalizers"] = module = importlib.util.module_from_spec(about)
    about.loader.exec_module(module)
    return module.EnglishTextNormalizer()


WORDS = sorted(
    {*whisper._NUMBER_WORDS, *whisper._WRITTEN_OUT, "a", "half", "x", "colour", "$5", "3.5", "2,000", "\u00bd"}
)
SIGNS = [*"$%\u00a3\u20ac\u00a2.,-'()[]<> 017", "and a half", "\n", "0.5", "\u00e9", "\u0301", "\u00f8", "uh"]


@settings(max_examples=examples(300))
@given(st.lists(st.sampled_from(WORDS) | st.sampled_from(SIGNS) | text, max_size=9), st.sampled_from([" ", "", "  "]))
def test_english_is_that_of_openai(official, parts, between):
    written = between.join(parts)
    assert whisper_english(written) == official(written)


def leaderboard_lists(lists):
    """The leaderboard's own lists as replacements: what it takes out of Whisper's spellings stays."""
    compounds = {pattern.replace(r"\b", "").replace(r"\s+", " "): new for pattern, new in lists["compounds"].items()}
    changes = {old: new or old for old, new in lists["spelling_changes"].items() if " " not in old}
    return {**compounds, **changes, **lists["names"]}


@pytest.mark.filterwarnings("ignore")
def test_texts_and_rates_are_those_of_the_leaderboard(shared):
    if not any(importlib.util.find_spec(package) for package in ("whisper", "whisper_normalizer")):
        pytest.skip("no package with Whisper's list of spellings")
    recorded = json.loads(gzip.decompress((shared / "oracles/asr/asr-given.json.gz").read_bytes()))
    lists = json.loads((shared / "oracles/asr/lists.json").read_bytes())
    replaced = leaderboard_lists(lists)
    normalizer = with_replacements(speech_normalizer_of("open-asr-english"), replacements_of(replaced))
    rows = [row for row in recorded["rows"] if row["kind"] == "en"]
    for row in rows:
        assert [normalizer(row[side]) for side in ("reference", "hypothesis")] == row["official"]["texts"]
    sides = [[row[side] for row in rows] for side in ("hypothesis", "reference")]
    options = {"normalizer": "open-asr-english", "replacements": replaced, "aligner": "kaldialign", "join": True}
    assert textgauge.wer(*sides, **options)["wer"] == recorded["corpus"]["en"]["err_rate"]


def test_long_numbers_are_words(packages):
    packages("whisper")
    number = "9" * 5000
    assert whisper_english(f"{number} thousand") == f"{number} 1000"


REPLACED = {"wi fi": "wifi", "wi": "why", "kathryn": "catherine", "uh": "", "a b c": "d"}


@pytest.mark.parametrize(("written", "replaced"), [
    ("kathryn has wi fi", "catherine has wifi"), ("wi  fi", "wifi"), ("wi is", "why is"),
    ("Kathryn kathryns", "Kathryn kathryns"), ("uh a  b uh", "a  b"), (" uh ", " "), ("a b uh c", "a b c"),
    ("a b c a b", "d a b"), ("", ""), (" x\ty ", " x\ty "),
])  # fmt: skip
def test_words_and_phrases_are_replaced_once(written, replaced):
    assert replacements_of(REPLACED)(written) == replaced


def test_replacements_of_a_file_are_those_of_a_dict(tmp_path):
    lines = "".join(f"{old}\t{new}\r\n" for old, new in REPLACED.items())
    (tmp_path / "a.tsv").write_bytes(b"\xef\xbb\xbf" + lines.encode() + b"\n")
    (tmp_path / "a.json").write_text(json.dumps(REPLACED))
    read = [replacements_of(given) for given in (REPLACED, tmp_path / "a.tsv", str(tmp_path / "a.json"))]
    assert read[0] == read[1] == read[2] == pickle.loads(pickle.dumps(read[0]))
    result = textgauge.wer(["kathryn has wi fi"], ["Catherine has WiFi"], lowercase=True, normalizer="basic",
                           replacements=tmp_path / "a.tsv", signature=True)  # fmt: skip
    assert result["wer"] == 0
    assert f"|replacements:{read[0].signature}|" in result["signature"]
    assert read[0].signature != replacements_of(REPLACED | {"x": "y"}).signature
    for name, key in (("exact_match", "exact_match"), ("token_f1", "f1"), ("squad", "f1")):
        result = getattr(textgauge, name)(
            ["the wi fi"], ["wifi"], normalizer="squad", replacements=REPLACED, signature=True
        )
        assert result[key] in (1, 100)
        assert "replacements:5[" in result["signature"]
    assert textgauge.cer(["wi fi"], ["wifi"], replacements=REPLACED)["cer"] == 0


@pytest.mark.parametrize(("content", "said"), [
    ("a\tb\nc\n", "line 2: .*phrase.*got 'c'"), ("a\tb\tc\n", "line 1: .*got 'a"),
    ("\tb\n", "line 1: .*got ''"),
    ("a\tb\na\tc\n", "line 2: .*'b'.*got 'c'"), ("\n", "at least one"),
])  # fmt: skip
def test_lines_without_two_columns_are_refused(tmp_path, content, said):
    (tmp_path / "a.tsv").write_text(content)
    with pytest.raises(ValueError, match=f"replacements.*{said}"):
        textgauge.wer(["a"], ["a"], replacements=tmp_path / "a.tsv")


@pytest.mark.parametrize(("given", "error"), [
    ("absent.tsv", ValueError), (7, TypeError), ({1: "a"}, TypeError), ({"a": None}, TypeError), ({}, ValueError),
])  # fmt: skip
def test_what_is_no_replacement_is_refused(given, error):
    with pytest.raises(error, match="^replacements.*: "):
        textgauge.token_f1(["a"], ["a"], replacements=given)


def test_numbers_are_written_as_words():
    pytest.importorskip("num2words")
    texts = ["im jahr zweitausend 200 leute zehntausend"], ["Im Jahr 2000 200 Leute, 10 000"]
    result = textgauge.wer(*texts, normalizer="basic", numbers="de", signature=True)
    assert result["wer"] == 0
    assert "|numbers:de-num2words-" in result["signature"]
    # Two numbers in a row stay two.
    assert textgauge.cer(["dos mil veinte"], ["2000 20"], numbers="es")["cer"] == 0
    # Parts of a number with a sign in it are none.
    assert numbers_of("en")("3.5 1,000.00 24.12.2019 5, 6. 7") == "3.5 1,000.00 24.12.2019 five, six. seven"
    assert textgauge.wer(["12 345 6"], ["doce mil trescientos cuarenta y cinco seis"], numbers="es")["wer"] > 0
    with pytest.raises(ValueError, match="^numbers: .*got 'xx'"):
        textgauge.wer(["a"], ["a"], numbers="xx")


@pytest.mark.parametrize(("language", "number"), [("am", "10000019"), ("am", "9" * 100), ("bn", "9" * 310)])
def test_numbers_that_num2words_cannot_write_stay(language, number):
    """Of Amharic it never ends, of Bengali it has an error of its own."""
    pytest.importorskip("num2words")
    assert textgauge.wer([number], [number + " 1"], numbers=language)["hits"] == 1
    assert numbers_of(language)(f"{number} a") == f"{number} a"


def test_a_missing_num2words_is_told(monkeypatch):
    from textgauge.text import replacements

    replacements._spelled.cache_clear()
    monkeypatch.setitem(sys.modules, "num2words", None)
    with pytest.raises(ValueError, match=r'pip install "textgauge\[numbers\]"'):
        textgauge.wer(["a"], ["a"], numbers="de")
    replacements._spelled.cache_clear()


def test_a_normalizer_with_data_travels(packages):
    packages("whisper")
    normalizer = speech_normalizer_of("whisper-english").followed_by(replacements_of(REPLACED))
    assert pickle.loads(pickle.dumps(normalizer))("Wi Fi colour") == "wifi color"
