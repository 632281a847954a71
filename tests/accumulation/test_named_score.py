"""A score with its options: text to value and back, and what stands in no text."""

import pickle

import numpy as np
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from option_values import drawn
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.options import options_of

EVERY = [(name, one) for name, kind in METRICS.items() for one in options_of(kind.options_type)]


@pytest.mark.parametrize(("name", "one"), EVERY, ids=[f"{name}.{one.name}" for name, one in EVERY])
def test_every_option_of_every_metric_is_written_and_read(name, one):
    value = NamedScore(name, {one.name: {"any": [1]}} if one.kind == "python" else drawn(name, one))
    assert str(value) == str(NamedScore.of(str(value)))
    assert value == NamedScore.of(str(value)) == pickle.loads(pickle.dumps(value)) == NamedScore.of(value)
    assert len({value, NamedScore.of(str(value))}) == 1
    written = [given for given in (option.name for option in options_of(METRICS[name].options_type))
               if f"{given}=" in value.brackets]  # fmt: skip
    assert [*value.options] == [given for given in written if given in value.options]


@pytest.mark.parametrize("name", METRICS)
def test_options_with_their_defaults_are_left_out(name):
    options = {one.name: one.default for one in options_of(METRICS[name].options_type)}
    assert str(NamedScore(name, options)) == name == str(NamedScore(name))
    assert NamedScore(name, options) == NamedScore(name)


literals = st.recursive(
    st.text() | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(literals)
def test_any_literal_is_written_and_read(value):
    # An option that takes any object.
    score = NamedScore("perplexity", {"model": value})
    if "(model=<" in str(score):
        assert len(repr(value)) > 900
    else:
        assert NamedScore.of(str(score)) == score


@given(st.text() | st.text("chrf(word_order=2,'\"[]{}) \\\n#*").map("chrf({}".format))
def test_no_text_breaks_the_reader(text):
    message = ""
    try:
        assert NamedScore.of(str(value := NamedScore.of(text))) == value
    except (TypeError, ValueError) as error:
        message = str(error)
    assert message.isprintable()
    assert message.startswith("metric" if message else "")


def test_text_and_object_are_equal():
    text = NamedScore.of("chrf(beta=3,  word_order=2)")
    assert str(text) == "chrf(word_order=2, beta=3.0)" == str(NamedScore.of(textgauge.Chrf(beta=3, word_order=2)))
    assert text == NamedScore("chrf", {"beta": np.float64(3), "word_order": np.int64(2)})
    assert NamedScore("chrf", {"beta": 2}) == NamedScore("chrf", {"beta": 2.0}) == NamedScore("chrf")
    assert NamedScore("chrf", {"beta": 3}) == NamedScore("chrf", {"beta": 3.0}) != NamedScore("chrf", {"beta": 3.5})
    assert text != NamedScore("chrf", {"word_order": 2})
    assert str(NamedScore.of("rouge(rouge_types=('rougeL',))")) == "rouge(rouge_types=['rougeL'])"
    assert NamedScore.of("rouge(rouge_types=('rougeL',))") == NamedScore.of('rouge(rouge_types=["rougeL"])')
    assert str(NamedScore.of(" chrf ()")) == "chrf"


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        ("sacrebleu(tokenizer=char)", "sacrebleu(tokenizer='char')"),
        ("bleu(tokenizer=13a, smoothing = add-k , strip=True)", "bleu(tokenizer='13a', smoothing='add-k', strip=True)"),
        ("rouge(preset=rouge-1.5.5, rouge_types=[rouge1,rougeL])",
         "rouge(preset='rouge-1.5.5', rouge_types=['rouge1', 'rougeL'])"),
        ("bleurt(model_id=../a/b-1.0, encoder=~/c)", "bleurt(model_id='../a/b-1.0', encoder='~/c')"),
        ("comet(model_id=Unbabel/XCOMET-XL)", "comet(model_id='Unbabel/XCOMET-XL')"),
        ("chrf(beta=.5)", "chrf(beta=0.5)"),
        ("math_answer(extract='a=b, (c=d)')", 'math_answer(extract="a=b, (c=d)")'),
    ],
)  # fmt: skip
def test_a_bare_word_is_text(words, quoted):
    assert NamedScore.of(words) == NamedScore.of(quoted)
    assert NamedScore.of(words).options


def test_value_without_literal():
    def words(text):
        return text.split()

    value = NamedScore.of(textgauge.Bleu(tokenizer=words))
    assert str(value) == "bleu(tokenizer=<words>)"
    assert value == NamedScore("bleu", {"tokenizer": words}) != NamedScore("bleu", {"tokenizer": lambda text: [text]})
    assert len(str(NamedScore("perplexity", {"ngram_train": ["a text"] * 1000}))) < 50


TEXTS = {
    "chrf(2)": "^metric, character 6: .*word_order.*got '2'",
    "chrf(**2)": "^metric, character 6: .*got '2'",
    "chrf(wrod_order=2)": "^metric, character 6, wrod_order: .*word_order.*got an unknown keyword",
    "chrf(beta=2, word_order=-1)": "^metric, character 14, word_order: .*got -1",
    "bleu(lowercase='yes')": "^metric, character 6, lowercase: .*got 'yes'",
    "chrf(word_order=2, word_order=3)": "^metric, character 20: .*word_order.*got twice",
    "bleu(zh)": "^metric, character 6: .*got 'zh'",
    "bleu(strip=true)": "^metric, character 12: .*got 'true'",
    "bleu(tokenizer=open('x'))": "^metric, character 16: .*literal",
    "bleu(tokenizer=13a, lowercase=no)": "^metric, character 21, lowercase: .*got 'no'",
    "bleu(tokenizer='zh)": "^metric, character 16: .*brackets",
    "chrf(word_order=2": r"^metric, character 5: .*got 'chrf\(word_order=2'",
    "chrf((word_order=2))": r"^metric, character 7: .*got 'chrf\(\(word_order=2\)\)'",
    "chrf(word_order=2)(beta=2)": r"^metric: .*nothing.*got 'chrf\(word_order",
    "chrf(word_order=2) + 1": "and nothing behind them",
    "chrf(word_order=2)#)": "and nothing behind them",
    "crhf(word_order=2)": "^metric: .*got 'crhf'",
    "": r"got '' \(str\)$",
    "chrf++": r"it is 'chrf\(word_order=2\)' here",
    "rougeL(rouge_types=['rouge1'])": "^metric, character 8, rouge_types: ",
    "chrf(" + "(" * 5000: "metric",
    "chrf(word_order=" + "-" * 9000 + "1)": "metric",
    "chrf(word_order=\n2)": "in one line",
    "chrf(\x1b[31m=2)": r"\\x1b\[31m",
}


@pytest.mark.parametrize(("text", "message"), TEXTS.items(), ids=[text[:30] for text in TEXTS])
def test_a_wrong_text_is_refused_with_its_place(text, message):
    with pytest.raises((TypeError, ValueError), match=message):
        NamedScore.of(text)


def test_an_object_with_segments_is_refused():
    with pytest.raises(ValueError, match=r"^metric: .*got <Chrf\(\): 1 segment>"):
        NamedScore.of(textgauge.Chrf().update(["a"], ["a"]))
    with pytest.raises(TypeError, match="^metric: .*'chrf.word_order=2.'.*got <function chrf"):
        NamedScore.of(textgauge.chrf)


def test_one_score_of_several_is_the_only_one():
    assert NamedScore.of("rouge(rouge_types=['rougeL'])").key == "rougeL"
    with pytest.raises(ValueError, match="metric: expected one score of rouge"):
        _ = NamedScore.of("rouge(rouge_types=['rougeL', 'rouge1'])").key
    compared = textgauge.compare([["a b", "c"]] * 2, ["a b", "d"], metric=textgauge.Rouge(rouge_types=["rouge1"]))
    assert compared[0].score1 == 0.5


def test_places_are_of_characters_and_not_of_bytes():
    with pytest.raises(TypeError, match="^metric, character 21, lowercas: "):
        NamedScore.of('bleu(tokenizer="é", lowercas=True)')


def test_own_options_override_shared_ones():
    shared = {"word_order": 0, "lowercase": True}
    assert NamedScore.of("chrf(word_order=2)", shared=shared).options == {"word_order": 2, "lowercase": True}
    assert NamedScore.of(textgauge.Chrf(word_order=1), shared=shared).options["word_order"] == 1
