"""sacreBLEU's tokenizers: ours, and those that sacreBLEU runs."""

import pickle
import sys
from itertools import groupby

import pytest
import sentencepiece
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from oracles.nist import NISTTokenizer
from sacrebleu.metrics.bleu import _get_tokenizer
from sacrebleu.tokenizers import tokenizer_spm
from strategies import assigned, overlapping
from textgauge.input.columns import corpus_of
from textgauge.text import TOKENIZERS, prepared, sacrebleu_tokenizers, tokenizer_of
from textgauge.text.tokenizers import text_lengths

LINES = ["今日は東京で雨が降った。", "오늘 서울에는 비가 왔습니다.", "The cat sat on the mat.", "", "  5.5 %"]


@pytest.mark.parametrize("lowercase", [False, True, "ascii"])
@pytest.mark.parametrize("strip", [False, True])
@given(text=st.one_of(assigned, overlapping))
def test_lower_casing_and_stripping_with_a_tokenizer(lowercase, strip, text):
    tokens = prepared(TOKENIZERS["intl"], lowercase=lowercase, strip=strip)(text)
    text = text.rstrip() if strip else text
    expected = TOKENIZERS["intl"](text.lower() if lowercase is True else text)
    if lowercase == "ascii":
        expected = ["".join(c.lower() if c.isascii() else c for c in token) for token in expected]
    assert tokens == expected


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_tokenizers_with_dictionaries_are_sacrebleus(name):
    official = _get_tokenizer(name)()
    tokenizer = pickle.loads(pickle.dumps(tokenizer_of(name)))
    assert tokenizer == tokenizer_of(name)
    assert [tokenizer(line) for line in LINES] == [official(line).split() for line in LINES]
    lengths = text_lengths(tokenizer.cut(corpus_of(LINES, LINES)))
    assert [side.tolist() for side in lengths] == [[len(official(line).split()) for line in LINES]] * 2
    assert tokenizer.signature == official.signature()


LONG = 10_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
@pytest.mark.parametrize("text", ["." * LONG, "a" * LONG + "5" * LONG, "漢字" * LONG, " " * (2 * LONG), "😀" * LONG])
def test_long_runs_of_mecab(name, text):
    assert tokenizer_of(name)(f"猫 {text} 오늘") == _get_tokenizer(name)()(f"猫 {text} 오늘").split()


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
@pytest.mark.parametrize("text", ["." * 10**6, "カ" * 10**6, "a" + "я" * 10_001, "1" * 10_001, "x" * 30_000 + "猫"])
def test_longest_run_of_mecab(name, text):
    longest = max(len(list(same)) for _, same in groupby(text))
    where = rf"^tokenizer: references\[1\]: .*10,000.*got {longest:,} characters"
    with pytest.raises(ValueError, match=where):
        textgauge.bleu(["猫", "猫"], ["猫", text], tokenizer=name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_mecab_gives_up(name):
    text = "a1b2" * 500_000
    where = r"\]: .*got 2,000,000 characters"
    with pytest.raises(ValueError, match=rf"tokenizer: predictions\[0\]\[1{where}"):
        textgauge.diversity([["猫", text]], tokenizer=name)
    with pytest.raises(ValueError, match=rf"tokenizer: texts\[1{where}"):
        textgauge.tokenize(["猫", text], name)


def test_error_of_a_function():
    with pytest.raises(ValueError, match="^invalid literal"):
        textgauge.bleu(["a"], ["b"], tokenizer=lambda text: [int(text)])


@pytest.mark.parametrize("name", ["flores101", "flores200", "spm"])
def test_tokenizers_with_sentence_pieces_are_sacrebleus(name, tmp_path, monkeypatch):
    key = "flores101" if name == "spm" else name
    model = tmp_path / "models" / tokenizer_spm.SPM_MODELS[key]["url"].rpartition("/")[2]
    model.parent.mkdir()
    with model.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(LINES * 3), model_writer=file, vocab_size=60, hard_vocab_limit=False, minloglevel=2
        )
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    sacrebleu_tokenizers._loaded.cache_clear()
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(model))
    assert tokenizer_of(name)(LINES[2]) == pieces.encode(LINES[2], out_type=str)
    assert f"|tok:{key}|" in textgauge.bleu(["a"], ["a"], tokenizer=name, signature=True)["signature"]
    sacrebleu_tokenizers._loaded.cache_clear()


@pytest.mark.parametrize(
    ("name", "module", "install"),
    [("ja-mecab", "MeCab", r"'sacrebleu\[ja\]'"), ("ko-mecab", "mecab_ko", r"'sacrebleu\[ko\]'"),
     ("spm", "sentencepiece", "sacrebleu sentencepiece"), ("flores200", "sacrebleu", "sacrebleu sentencepiece")],
)  # fmt: skip
def test_missing_package_says_what_to_install(name, module, install, monkeypatch):
    sacrebleu_tokenizers._loaded.cache_clear()
    for loaded in [m for m in sys.modules if m.startswith("sacrebleu")]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"tokenizer: '{name}' needs packages \(pip install {install}\)"):
        textgauge.bleu(["a"], ["a"], tokenizer=name)


def test_missing_model_is_named(tmp_path, monkeypatch):
    def offline(*_):
        raise OSError("no route to host")

    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm, "download_file", offline)
    sacrebleu_tokenizers._loaded.cache_clear()
    with pytest.raises(OSError, match="^tokenizer: .*'flores200'.*no route"):
        textgauge.Bleu(tokenizer="flores200", max_order=7)


@pytest.mark.parametrize(
    "text", ["&AMP;b; &Lt;C&gt; ÄB", "<SKIPPED>É<skipped> &QUOT;É&quot;", "&amp;LT; ΑΣ İ", "U.S.-\nÑ"]
)
def test_nist_lower_cases_behind_entities(text):
    ours = prepared(TOKENIZERS["nist"], lowercase=True, strip=False)
    assert ours(text) == NISTTokenizer().tokenize(text, lowercase=True)
