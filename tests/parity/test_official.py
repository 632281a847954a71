"""Figures of official tools for texts of our own, every option at least once: tests/data/official."""

import pytest
import textgauge
import tiny_meteor
from data.official import record
from textgauge import engine, plain
from textgauge.plain import ptb
from textgauge.text import meteor, punkt, speech, whisper, wordnet

# CharacTER's definition takes seconds for texts of 90 words.
SLOW = {"character-6-plain", "character-7-plain", "character-8-plain"}
CASES = [
    pytest.param(name, data["texts"][case["texts"]], case, of_python, id=case_id,
                 marks=pytest.mark.slow if case_id in SLOW else ())
    for name in record.names()
    for data in [record.read(name)]
    for i, case in enumerate(data["cases"])
    for of_python in (False, True)
    for case_id in [f"{name}-{i}{'-plain' * of_python}"]
]  # fmt: skip
# Beside the score, for tools that return more.
MORE = {"per_segment": "segment_", "detailed": "keep"}
# What is not equal to the bit, by tool or metric: sums of floats in another order; a script that prints four decimals.
CLOSE = {"easse": 1e-13, "hub_squad": 1e-15, "meteor15": 1e-15, "mteval": 5.01e-5, "nist_mt": 1e-14,
         "ruotianluo": 1e-14, "tensor2tensor": 1e-13, "xu": 1e-14}  # fmt: skip


@pytest.fixture(scope="module")
def data_of_tools(tmp_path_factory):
    """Options that name the data with which figures were recorded, without data of sentences."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meteor, "cache_folder", lambda: str(folder / "cache"))
        patch.setattr("textgauge.measures.meteor.punkt_of", lambda: None)
        yield {
            "meteor": {"wordnet": str(tiny_meteor.save_own_wordnet(folder / "wordnet"))},
            "meteor15": tiny_meteor.save_own_meteor15(folder / "meteor15"),
        }


@pytest.mark.parametrize(("name", "texts", "case", "of_python"), CASES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_figures_are_those_of_the_tool(name, texts, case, of_python, monkeypatch, data_of_tools):
    if of_python:
        monkeypatch.setattr(engine, "kernel", plain)
    options, expected = case["options"] | data_of_tools.get(name, {}), case["expected"]
    more = {option: True for option, start in MORE.items() if any(key.startswith(start) for key in expected)}
    if case["tool"] == "hub":
        found = textgauge.load(name, **options).compute(**texts)
    else:
        found = getattr(textgauge, name)(**texts, **options, **more)
    tolerance = CLOSE.get(case["tool"], CLOSE.get(name, 0))
    assert {key: found[key] for key in expected} == {
        key: pytest.approx(value, rel=tolerance, abs=tolerance) for key, value in expected.items()
    }


@pytest.fixture(scope="module")
def words_of(data_of_tools, tmp_path_factory):
    """What has, by tool, the words of a text, or what becomes of it."""
    data = meteor.EnglishData(meteor.Files(data_of_tools["meteor15"]["jar"], ""))
    synonyms = wordnet.WordNetData(data_of_tools["meteor"]["wordnet"])
    return {
        "ptb": [lambda text: textgauge.tokenize(text, "ptb"), ptb.tokens_ptb],
        "meteor15_words": [lambda text: data.words(text, normalize=True, lowercase=False, punctuation=True)],
        # The tool strips besides.
        "jiwer_standardized": [lambda text: speech.jiwer_standardized(text).strip()],
        "whisper_basic": [speech.whisper_basic],
        "whisper_english": [lambda text: whisper.english(text.lower(), {})],
        "punkt": [punkt.Punkt(str(tiny_meteor.save_own_punkt(tmp_path_factory.mktemp("punkt")))).sentences],
        "wordnet": [lambda word: sorted(synonyms.synonyms(word))],
    }


@pytest.mark.parametrize("name", record.WORDS)
def test_words_are_those_of_the_tool(name, words_of):
    texts = record.read(f"words/{name}")["texts"]
    for cut in words_of[name]:
        assert {text: cut(text) for text in texts} == texts
