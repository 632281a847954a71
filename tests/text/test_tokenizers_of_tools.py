"""Tokenizers: sacreBLEU's, ours and those that it runs; over columns, with equal ids for equal tokens of a segment."""

import pickle
import sys
from functools import partial
from itertools import groupby, pairwise

import numpy as np
import pytest
import sentencepiece
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from oracles.nist import NISTTokenizer
from quick import holds
from sacrebleu.metrics.bleu import _get_tokenizer
from sacrebleu.tokenizers import tokenizer_spm
from strategies import HARD_TEXTS, assigned, overlapping, text
from textgauge.input import columns
from textgauge.input.columns import corpus_of
from textgauge.text import STEMMED_ROUGE, TOKENIZERS, Tokenizer, prepared, sacrebleu_tokenizers, tokenizer_of
from textgauge.text.tokenizers import text_lengths
from textgauge.text.vocabulary import token_column

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
@pytest.mark.parametrize("text", ["." * 10**5, "カ" * 10**5, "a" + "я" * 10_001, "1" * 10_001, "x" * 30_000 + "猫"])
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


PREPARED = [
    prepared(TOKENIZERS[name], lowercase=lowercase, strip=strip)
    for name, lowercase, strip in [("13a", "ascii", False), ("intl", True, True), ("unicode", "ascii", True)]
]
STOPPED = TOKENIZERS["rouge"].with_options(stop_words=frozenset({"the", "cat"}), stemmer="porter155", irregular=())
ALL = [*TOKENIZERS.values(), STEMMED_ROUGE, STOPPED, *PREPARED]


def numbered(rows):
    """Tokens as numbers in the order of first appearance."""
    known = {}
    return [[known.setdefault(token, len(known)) for token in row] for row in rows]


def ids_of(tokens):
    """The numbers of every text, one list per text."""
    ids, offsets = np.asarray(tokens.ids).tolist(), np.asarray(tokens.offsets).tolist()
    return [ids[start:stop] for start, stop in zip(offsets, offsets[1:], strict=False)]


def sentences_of(tokens):
    """The numbers of every sentence, one list of lists per text."""
    ids, offsets = np.asarray(tokens.sentence_ids).tolist(), np.asarray(tokens.sentence_offsets).tolist()
    bounds = np.asarray(tokens.text_sentences).tolist()
    rows = [ids[start:stop] for start, stop in zip(offsets, offsets[1:], strict=False)]
    return [rows[start:stop] for start, stop in zip(bounds, bounds[1:], strict=False)]


def expected_of(tokenizer, corpus, others=None):
    """Segment by segment: ids of texts, and of their lines or those of other texts."""
    texts, lines = [], []
    for (hyp, refs), (hyp_lines, ref_lines) in zip(corpus, others or corpus, strict=True):
        whole = [tokenizer(t) for t in (hyp, *refs)]
        parts = [[tokenizer(line) for line in t.split("\n") if line] for t in (hyp_lines, *ref_lines)]
        numbers = iter(numbered([*whole, *(line for part in parts for line in part)]))
        texts += [next(numbers) for _ in whole]
        lines += [[next(numbers) for _ in part] for part in parts]
    return texts, lines


texts_and_starts = st.tuples(st.lists(text, max_size=5), st.integers(0, 2))
segments = st.lists(st.tuples(text, st.lists(text, min_size=1, max_size=2)), min_size=1, max_size=4)


@pytest.mark.parametrize("tokenizer", ALL, ids=lambda t: t.name)
def test_columns_are_cut_as_single_texts_are(tokenizer):
    cut_as_single_texts(tokenizer, [(one, [other]) for one, other in pairwise(HARD_TEXTS)])
    holds(segments, 50, partial(cut_as_single_texts, tokenizer))


def cut_as_single_texts(tokenizer, corpus):
    checked = columns.corpus_of([hyp for hyp, _ in corpus], [refs for _, refs in corpus])
    # The same rules as a function of the user's take another way to the numbers.
    as_function = Tokenizer("function", function=lambda text: tokenizer(text))
    texts, lines = expected_of(tokenizer, corpus)
    for cutting in (tokenizer, as_function):
        assert ids_of(cutting.cut(checked)) == texts
        assert len(cutting.cut(checked)) == len(corpus)
        # Only BLEU strips texts, and it has no sentences.
        if not tokenizer.strip:
            for own in (None, (checked.hypotheses, checked.references)):
                with_sentences = cutting.cut(checked, sentences=True, lines=own)
                assert (ids_of(with_sentences), sentences_of(with_sentences)) == (texts, lines)


@pytest.mark.parametrize("tokenizer", ALL, ids=lambda t: t.name)
def test_columns_of_tokens_hold_the_tokens(tokenizer):
    holds(texts_and_starts, 100, lambda drawn: hold_the_tokens(tokenizer, *drawn))


def hold_the_tokens(tokenizer, texts, start):
    column = columns.text_column(texts, "texts")
    tokens, offsets = token_column(tokenizer, column.slice(start, len(texts)))
    expected = [tokenizer(t) for t in texts[start:]]
    assert tokens.to_pylist() == [token for row in expected for token in row]
    assert np.diff(offsets).tolist() == [len(row) for row in expected]


def test_unstemmed_tokens():
    forms = (("mice", "mouse"), ("went", "go"), ("running", "sprinting"), ("ran", "run"), ("skies", "heaven"))
    tokenizer = TOKENIZERS["rouge"].with_options(stop_words=frozenset({"went"}), stemmer="porter", irregular=forms)
    assert tokenizer.unstemmed("Mice went running") == ["mice", "running"]
