import inspect
import json
import math
import sys
import weakref
from functools import partial

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from oracles.perplexity import probabilities_loop
from textgauge.models.loading import ModelCache

pytestmark = pytest.mark.filterwarnings("ignore:the interval.* no width")

probability = st.floats(1e-30, 1.0)
rows = st.lists(st.lists(probability, min_size=1, max_size=6), min_size=1, max_size=5)


@given(rows)
def test_probabilities_give_the_definition(probs):
    per_row, corpus = probabilities_loop(probs)
    result = textgauge.perplexity(probs=probs)
    assert result["perplexities"] == pytest.approx(per_row, rel=1e-12)
    assert result["mean_perplexity"] == pytest.approx(sum(per_row) / len(per_row), rel=1e-12)
    assert result["corpus_perplexity"] == pytest.approx(corpus, rel=1e-12)


@given(rows)
def test_every_base_gives_the_same(probs):
    expected = textgauge.perplexity(probs=probs, per_segment=True)
    for base, log in (("e", np.log), (2, np.log2), (10, np.log10)):
        result = textgauge.perplexity(log_probs=[log(row).tolist() for row in probs], base=base, per_segment=True)
        assert result == {key: pytest.approx(value, rel=1e-9, abs=1e-12) for key, value in expected.items()}


def test_worked_example():
    result = textgauge.perplexity(probs=[[1 / 2, 1 / 4, 1 / 8]], texts=["the cat sleeps"])
    assert result["perplexities"] == [4.0]
    assert result["nll"] == pytest.approx(6 * math.log(2))
    assert (result["n_tokens"], result["bits_per_token"]) == (3, pytest.approx(2.0))
    assert result["bits_per_word"] == pytest.approx(2.0)
    assert result["bits_per_byte"] == pytest.approx(6 / 14)
    for text, units in (("", []), (" ", ["byte"]), ("a", ["byte", "word"])):
        found = textgauge.perplexity(probs=[[0.5]], texts=[text])
        assert [unit for unit in ("byte", "word") if f"bits_per_{unit}" in found] == units


def test_bits_per_byte_need_all_texts():
    one = textgauge.Perplexity().update(probs=[[0.5]], texts=["a"]).update(probs=[[0.5]])
    assert "bits_per_byte" not in one.score()


def test_a_row_without_tokens_has_no_perplexity():
    with pytest.warns(UserWarning, match="1 text has no token to score"):
        result = textgauge.perplexity(probs=[[], [0.25]], texts=["", "a"])
    assert result["perplexities"] == [None, 4.0]
    assert result["mean_perplexity"] == result["corpus_perplexity"] == 4.0
    assert json.loads(json.dumps(result)) == result
    with pytest.raises(ValueError, match="at least one token to score, got none in 2 segments"):
        textgauge.perplexity(probs=[[], []])
    with pytest.raises(ValueError, match="at least one segment"):
        textgauge.perplexity(probs=[])


def test_overflow_is_infinite():
    assert textgauge.perplexity(log_probs=[[-1000.0]])["corpus_perplexity"] == math.inf


@pytest.mark.parametrize(
    "given_rows",
    [
        np.array([[0.5, 0.25]]),
        [np.array([0.5, 0.25], np.float32)],
        pa.array([[0.5, 0.25]]),
        pa.chunked_array([[[0.5, 0.25]]]),
        ((0.5, 0.25),),
        [[np.float64(0.5), np.float32(0.25)]],
    ],
)
def test_columns_of_numbers(given_rows):
    assert textgauge.perplexity(probs=given_rows)["nll"] == pytest.approx(3 * math.log(2))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"probs": [[0.5], [0.5, 0.0]]}, ValueError, r"^probs\[1\]\[1\]: .*got 0.0"),
        ({"probs": [[], [1.5]]}, ValueError, r"probs\[1\]\[0\]"),
        ({"probs": [[float("nan")]]}, ValueError, "got nan"),
        ({"log_probs": [[-1.0, 0.1]]}, ValueError, r"log_probs\[0\]\[1\]: .* at most 0, got 0.1"),
        ({"log_probs": [[-math.inf]]}, ValueError, "finite"),
        ({"log_probs": [[float("nan")]]}, ValueError, "got nan"),
        ({"log_probs": [[-1.0], [None, -1.0]]}, TypeError, r"^log_probs\[1\]\[0\]: .*got None"),
        ({"log_probs": [["-1"]]}, TypeError, r"^log_probs\[0\]\[0\]: .*got '-1'"),
        ({"log_probs": [[True]]}, TypeError, r"^log_probs\[0\]\[0\]: .*got True"),
        ({"log_probs": [-1.0]}, TypeError, r"^log_probs\[0\]: .*got -1.0"),
        ({"log_probs": -1.0}, TypeError, "one list of numbers per text"),
        ({"log_probs": [[-1.0]], "probs": [[0.5]]}, ValueError, "one of the two, got both"),
        ({}, ValueError, "one of the two, got none"),
        ({"log_probs": [[-1.0]], "base": 3}, ValueError, "^base: .*'e'.*10"),
        ({"log_probs": [[-1.0]], "base": True}, ValueError, "^base: .*'e'.*10"),
        ({"probs": [[0.5]], "base": 2}, ValueError, "base"),
        ({"probs": [[0.5]], "texts": ["a", "b"]}, ValueError, r"^texts: .*\(1\).*got 2"),
        ({"probs": [[0.5]], "model_id": "gpt2"}, ValueError, "model_id"),
        ({"probs": [[0.5]], "prefixes": ["a"]}, ValueError, "prefixes"),
        ({"probs": [[0.5]], "colour": 1}, TypeError, "^colour: .*got an unknown keyword"),
        ({"texts": ["a"], "base": 2}, ValueError, "base"),
        ({"probs": [[0.5]], "confidence": 95}, ValueError, "^confidence: .*got 95"),
        ({"texts": ["a"], "prefixes": []}, ValueError, r"^prefixes: .*\(1\).*got 0"),
    ],
)
def test_bad_input_is_refused_by_position(options, error, message):
    with pytest.raises(error, match=message):
        textgauge.perplexity(**options)


def test_ngram_models_score_texts():
    model = textgauge.NgramModel(2).fit(["the cat sat", "the dog sat"])
    texts = ["the cat", "dog"]
    assert textgauge.perplexity(texts=texts, model=model) == model.score(texts)
    with pytest.raises(ValueError, match="`stride` cannot be given with an NgramModel"):
        textgauge.perplexity(texts=texts, model=model, stride=2)
    with pytest.raises(ValueError, match="prefixes"):
        textgauge.perplexity(texts=texts, model=model, prefixes=texts)


def test_an_option_trains_a_model_of_ngrams():
    learned, texts = ["the cat sat", "a dog"], ["the dog sat", "a cat"]
    for options, model in (
        ({}, textgauge.NgramModel()),
        (
            {"ngram_order": 2, "ngram_smoothing": "add-k", "tokenizer": "character"},
            textgauge.NgramModel(2, "add-k", tokenizer="character"),
        ),
    ):
        expected = model.fit(learned).score(texts, signature=True)
        assert textgauge.perplexity(texts, ngram_train=learned, signature=True, **options) == expected
        accumulator = textgauge.Perplexity().update_texts(texts, ngram_train=iter(learned), **options)
        assert accumulator.score(signature=True) == expected
    with pytest.raises(ValueError, match="`device` cannot be given with `ngram_train`"):
        textgauge.perplexity(texts, ngram_train=learned, device="cpu")
    with pytest.raises(TypeError, match=r"^ngram_train\[1\]: .*got 3"):
        textgauge.perplexity(texts, ngram_train=["a", 3])


def test_signatures_say_what_was_computed():
    line = textgauge.perplexity(probs=[[0.5]], signature=True)["signature"]
    assert line == f"model:probabilities|version:textgauge-{textgauge.__version__}"
    texts = ["the cat sat"]
    add_k = textgauge.NgramModel(1, "add-k", k=0.1, tokenizer="whitespace").fit(texts)
    line = add_k.score(texts, signature=True)["signature"]
    assert line.startswith("model:ngrams|order:1|smooth:add-k[0.10]|mincount:1|pad:text|tok:whitespace|version:")
    one = textgauge.Perplexity().update(probs=[[0.5]])
    assert (one + one).signature == one.signature
    assert (one + textgauge.Perplexity().update_texts(texts, model=add_k)).signature.startswith("model:var|version:")


def test_intervals_resample_texts_with_tokens():
    probs = [[0.5], [0.25, 0.125]]
    with pytest.warns(UserWarning, match="1 text has no token"):
        result = textgauge.perplexity(probs=[*probs, []], confidence=0.95)
    assert result["confidence_interval"] == textgauge.perplexity(probs=probs, confidence=0.95)["confidence_interval"]
    assert textgauge.perplexity(log_probs=[[-1000.0], [-900.0]], confidence=0.95)["confidence_interval"][1] == math.inf
    with pytest.raises(ValueError, match="^confidence: .*got 0.95"):
        textgauge.perplexity(probs=[[0.5]], confidence=0.95)
    plain = textgauge.NgramModel(1, "mle").fit(["a"])
    with pytest.raises(ValueError, match="`confidence` cannot be given with tokens of probability 0"):
        plain.score(["b", "c", "a"], confidence=0.95)


@pytest.mark.parametrize("missing", ["torch", "transformers"])
def test_missing_torch_names_the_line_to_install(missing, monkeypatch):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=r'pip install "textgauge\[perplexity\]"'):
        textgauge.perplexity(texts=["a"], model_id="gpt2")


@pytest.mark.parametrize("given", [{"log_probs": [[-1.0, -(10**400)]]}, {"probs": [[0.5, 10**400]]}])
def test_huge_probabilities_are_refused(given):
    with pytest.raises(ValueError, match=r"probs\[0\]\[1\]: .*float"):
        textgauge.perplexity(**given)


ROWS = [[0.5, 0.25, 0.125], [1.0], [1e-300, 0.3]]


@pytest.mark.parametrize(
    ("kind", "given", "of"),
    [("probs", {}, lambda p: p), ("log_probs", {}, math.log), ("log2_probs", {"base": 2}, math.log2),
     ("log10_probs", {"base": 10}, math.log10)],
)  # fmt: skip
def test_numbers_in_texts_are_those_of_lists(kind, given, of):
    rows = [[of(p) for p in row] for row in ROWS]
    expected = textgauge.perplexity(**{"probs" if kind == "probs" else "log_probs": rows}, **given, signature=True)
    for shape in ("{}", "word={}", "a=b={}"):
        for between in (" ", ", "):
            texts = [between.join(shape.format(repr(number)) for number in row) for row in rows]
            assert textgauge.perplexity(texts, own_numbers=kind, signature=True) == expected
            assert textgauge.perplexity([f"[{text}]" for text in texts], own_numbers=kind, signature=True) == expected
    whole = textgauge.explain(rows, metric=textgauge.Perplexity(own_numbers=kind))
    assert whole.score == expected["corpus_perplexity"]
    assert [one.score for one in whole.segments] == expected["perplexities"]


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        (["0.5", "0.5 cat"], {}, r"^predictions\[1\]: .*'the=0.5'.*got 'cat' \(str\)"),
        (["0.5", "0.5 1.5"], {}, r"^probs\[1\]\[1\]: .*got 1.5"),
        (["nan"], {}, r"^probs\[0\]\[0\]: .*got nan"),
        (["0.5"], {"stride": 4}, "`stride` cannot be given with `own_numbers`"),
        (["0.5"], {"ngram_train": ["a"]}, "`ngram_train` cannot be given with `own_numbers`"),
    ],
)
def test_wrong_numbers_in_texts_are_refused(texts, options, message):
    with pytest.raises(ValueError, match=message):
        textgauge.perplexity(texts, own_numbers="probs", **options)
    with pytest.raises(TypeError, match=r"^predictions\[0\]: .*got \['0.5'\]"):
        textgauge.explain([["0.5"]], metric="perplexity(own_numbers='probs')")


def test_derivation_of_perplexity():
    whole = textgauge.explain(["the=0.5 cat=0.25 sleeps=0.125"], metric="perplexity(own_numbers='probs')")
    steps = {step.label: step for step in whole.steps}
    assert steps["surprise"].examples == ("the=0.5 1.0", "cat=0.25 2.0", "sleeps=0.125 3.0")
    assert (steps["sum"].cells, steps["tokens"].cells) == (("6 bits",), ("3",))
    assert (steps["mean"].formula, steps["mean"].value) == ("6 / 3", 2)
    assert (steps["Perplexity"].formula, whole.score) == ("2^2", 4)


def test_one_model_of_a_class_is_loaded_at_a_time():
    """Another place or other options drop the one before; other tests keep more."""
    get, cache, alive, loads = inspect.unwrap(ModelCache.get), ModelCache(), weakref.WeakSet(), []

    class Model:
        pass

    def load(*key):
        loads.append((*key, len(alive)))
        alive.add(model := Model())
        return model

    for key in (("A", 1), ("B", 1), ("A", 1), ("A", 1), ("A", 2)):
        get(cache, "class", key, partial(load, *key))
    assert loads == [("A", 1, 0), ("B", 1, 0), ("A", 1, 0), ("A", 2, 0)]
