"""Bad input: an error of the right type with argument, position, what is allowed and what came."""

import array
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import textgauge
from textgauge.modules.module import ArgumentError

TEXT, GROUP = "a str", "a str or a non-empty list of str"
JOIN = "a str (join tokens with spaces, and give `tokenizer='whitespace'` where there is such an option)"
OK = ["one text", "another text"]

# Messages are short however long the input.
LONG = "long " * 400_000
# name: predictions, references, type of the error, argument with position, allowed, got
INPUT = {
    "unequal lengths": (OK, ["a"], ValueError, "references", "as many segments as predictions (2)", "1"),
    "streams of references": (OK, [OK, OK, OK], ValueError, "references", "as many segments", "3 lists of 2: pass one"),
    "no prediction": (None, OK, TypeError, "predictions", "a list or column of str", "None"),
    "no reference": (OK, None, TypeError, "references", "texts, which", "None"),
    "empty corpus": ([], [], ValueError, "predictions", "at least one segment", "none"),
    "empty array": (pa.array([], pa.string()), [], ValueError, "predictions", "at least one segment", "none"),
    "empty array of numbers": (np.array([]), np.array([]), ValueError, "predictions", "at least one segment", "none"),
    "empty Series": (pd.Series([], dtype=float), [], ValueError, "predictions", "at least one segment", "none"),
    "empty array of nulls": (pa.array([]), pa.array([]), ValueError, "predictions", "at least one segment", "none"),
    "bare string": ("one text", OK, TypeError, "predictions", "a list or column of str", "'one text' (str)"),
    "bare reference": (OK, "one text", TypeError, "references", "a column with", "'one text' (str)"),
    "bytes": (b"ab", OK, TypeError, "predictions", "a list or column", "b'ab' (bytes)"),
    "number": (5, OK, TypeError, "predictions", "a list or column", "5 (int)"),
    "dict": ({"a": 1, "b": 2}, OK, TypeError, "predictions", "a list or column", "(dict)"),
    "set": ({"a", "b"}, OK, TypeError, "predictions", "a list or column", "(set)"),
    "frame": (pd.DataFrame({"a": OK, "b": OK}), OK, TypeError, "predictions", "a list or column", "(DataFrame)"),
    "table": (OK, pa.table({"a": OK}), TypeError, "references", "a column with", "(Table)"),
    "array without axis": (np.array("ab"), OK, TypeError, "predictions", "a list or column", "(ndarray)"),
    "matrix": (np.array([OK, OK]), OK, TypeError, "predictions[0]", TEXT, "(list)"),
    "None in row 1": (["a", None], OK, TypeError, "predictions[1]", TEXT, "None (NoneType)"),
    "NaN in row 1": (["a", float("nan")], OK, TypeError, "predictions[1]", TEXT, "nan (float)"),
    "bytes in row 1": (["a", b"b"], OK, TypeError, "predictions[1]", TEXT, "b'b' (bytes)"),
    "number in row 1": (["a", 2], OK, TypeError, "predictions[1]", TEXT, "2 (int)"),
    "only numbers": ([1, 2], OK, TypeError, "predictions[0]", TEXT, "1 (int)"),
    "array of numbers": (array.array("l", [1, 2]), OK, TypeError, "predictions[0]", TEXT, "1 (int)"),
    "tokens as prediction": ([["a", "b"], ["c"]], OK, TypeError, "predictions[0]", JOIN, "['a', 'b'] (list)"),
    "passages": ([["a b", "c"]], ["a"], TypeError, "predictions[0]",
                 "a str (join several texts to one, such as by line breaks)", "['a b', 'c'] (list)"),
    "tokens in row 1": (["a", ["c"]], OK, TypeError, "predictions[1]", JOIN, "['c'] (list)"),
    "tokens in Arrow": (pa.array([["a"], ["b"]]), OK, TypeError, "predictions[0]", JOIN, "['a'] (list)"),
    "tokens as references": (OK, [[["a", "b"]], [["c"]]], TypeError, "references[0][0]", JOIN, "['a', 'b'] (list)"),
    "null in Arrow": (pa.array(["a", None]), OK, TypeError, "predictions[1]", TEXT, "None (NoneType)"),
    "null in a chunk": (pa.chunked_array([["a"], [None]]), OK, TypeError, "predictions[1]", TEXT, "None (NoneType)"),
    "binary in Arrow": (pa.array([b"a", b"b"]), OK, TypeError, "predictions[0]", TEXT, "b'a' (bytes)"),
    "null in a Series": (pd.Series(["a", np.nan], [7, 3], object), OK, TypeError, "predictions[1]", TEXT, "(float)"),
    "NA in a Series": (pd.Series(["a", pd.NA], dtype="string"), OK, TypeError, "predictions[1]", TEXT, "(NAType)"),
    "generator with None": ((x for x in ["a", None]), OK, TypeError, "predictions[1]", TEXT, "None (NoneType)"),
    "surrogate": (["a", "b\ud800"], OK, ValueError, "predictions[1]", "UTF-8", "character 1: '\\ud800'"),
    "surrogate in NumPy": (np.array(["a", "b\ud800"]), OK, ValueError, "predictions[1]", "UTF-8", "'\\ud800'"),
    "None as reference": (OK, ["a", None], TypeError, "references[1]", GROUP, "None (NoneType)"),
    "number as reference": (OK, ["a", 3], TypeError, "references[1]", GROUP, "3 (int)"),
    "None among references": (OK, [["a"], ["b", None]], TypeError, "references[1][1]", TEXT, "None (NoneType)"),
    "bytes among references": (OK, [["a"], ["b", b"c"]], TypeError, "references[1][1]", TEXT, "b'c' (bytes)"),
    "only bytes among references": (OK, [[b"a"], [b"b"]], TypeError, "references[0][0]", TEXT, "b'a' (bytes)"),
    "NaN among references": (OK, [["a"], [float("nan")]], TypeError, "references[1][0]", TEXT, "nan (float)"),
    "surrogate among references": (OK, [["a"], ["b", "\udfff"]], ValueError, "references[1][1]", "UTF-8", "'\\udfff'"),
    "nested too deep": (OK, [[["a"]], [["b"]]], TypeError, "references[0][0]", TEXT, "['a'] (list)"),
    "nested too deep in row 1": (OK, [["a"], [["b"]]], TypeError, "references[1][0]", TEXT, "['b'] (list)"),
    "dicts as references": (OK, [{"a": 1}, {"a": 2}], TypeError, "references[0]", GROUP, "{'a': 1} (dict)"),
    "segment without reference": (OK, [["a"], []], ValueError, "references[1]", "at least one", "an empty list"),
    "no segment has a reference": (OK, [[], []], ValueError, "references[0]", "at least one reference", "an empty"),
    "str and list mixed": (OK, ["a", ["b"]], TypeError, "references[1]", "a str as in the segments", "['b'] (list)"),
    "list and str mixed": (OK, [["a"], "b"], TypeError, "references[1]", "a list of str as in", "'b' (str)"),
    "null list in Arrow": (OK, pa.array([["a"], None]), TypeError, "references[1]", GROUP, "None (NoneType)"),
    "null in an Arrow list": (OK, pa.array([["a"], ["b", None]]), TypeError, "references[1][1]", TEXT, "None"),
    "long text": (LONG, OK, TypeError, "predictions", "a list or column of str", "'long long"),
    "long bytes": (["a", LONG.encode()], OK, TypeError, "predictions[1]", TEXT, "b'long"),
    "long surrogate": (["a", LONG + "\ud800"], OK, ValueError, "predictions[1]", "UTF-8", "character 2000000"),
    "long tokens": (["a", LONG.split()], OK, TypeError, "predictions[1]", TEXT, "['long'"),
    "a million references": (OK, ["a"] * 1_000_000, ValueError, "references", "as many segments", "1000000"),
}  # fmt: skip

RESULT = "tokenizer: result for predictions"
BLEU_OPTIONS = {
    "unknown tokenizer": ({"tokenizer": "14a"}, ValueError, "tokenizer", "'13a'", "'14a' (str)"),
    "long tokenizer": ({"tokenizer": LONG}, ValueError, "tokenizer", "'13a'", "'long"),
    "many weights": ({"weights": [1.0] * 100_000}, ValueError, "weights", "4 weights", "[1.0"),
    "long tokens": ({"tokenizer": lambda text: [LONG.split()]}, TypeError, f"{RESULT}[0]", "hashable", "['long"),
    "tokenizer of no type": ({"tokenizer": 3}, TypeError, "tokenizer", "'13a'", "3 (int)"),
    "order 1.5": ({"max_order": 1.5}, TypeError, "max_order", "a whole number of at least 1", "1.5 (float)"),
    "weights of a million orders": (
        {"max_order": 10**6, "weights": [1e-6] * 10**6}, ValueError, "max_order", "at most 1,000", "1000000 (int)"
    ),
    "a billion resamples": ({"confidence": 0.9, "n_resamples": 10**9}, ValueError, "n_resamples", "1,000,000", "1000"),
    "negative weight": ({"weights": [1, 1, 1, -1]}, ValueError, "weights", "at least 0", "[1, 1, 1, -1] (list)"),
    "unknown length": ({"reference_length": "longest"}, ValueError, "reference_length", "'closest'", "'longest' (str)"),
    "per_segment 1": ({"per_segment": 1}, TypeError, "per_segment", "True or False", "1 (int)"),
    "callable gives a str": ({"tokenizer": str}, TypeError, f"{RESULT}[0]", "a list of", "(str)"),
}  # fmt: skip

ROUGE_OPTIONS = {
    "rouge0": ({"rouge_types": ["rouge1", "rouge0"]}, ValueError, "rouge_types[1]", "from 1 to 1000", "'rouge0' (str)"),
    "rouge100000": ({"rouge_types": ["rouge100000"]}, ValueError, "rouge_types[0]", "from 1 to 1000", "'rouge100000'"),
    "order of 5,000 digits": ({"rouge_types": ["rouge" + "9" * 5000]}, ValueError, "rouge_types[0]", "1 to 100", "'r"),
    "gap of 5,000 digits": ({"rouge_types": ["rougeSU" + "9" * 5000]}, ValueError, "rouge_types[0]", "nine", "'rou"),
    "recall alone": ({"rouge_types": ["rouge1_recall"]}, ValueError, "rouge_types[0]", "detailed=True", "'rouge1_rec"),
    "unknown type": ({"rouge_types": ["rougeX"]}, ValueError, "rouge_types[0]", "'rougeL'", "'rougeX' (str)"),
    "text in place of a type": ({"rouge_types": "rougeX"}, ValueError, "rouge_types[0]", "'rougeL'", "'rougeX' (str)"),
    "no type": ({"rouge_types": []}, TypeError, "rouge_types", "a list of", "[] (list)"),
    "unknown tokenizer": ({"tokenizer": "14a"}, ValueError, "tokenizer", "'rouge'", "'14a' (str)"),
    "negative beta": ({"beta": -1}, ValueError, "beta", "at least 0", "-1 (int)"),
    "beta NaN": ({"beta": float("nan")}, ValueError, "beta", "at least 0", "nan (float)"),
    "stemmer 1": ({"use_stemmer": 1}, TypeError, "use_stemmer", "True or False", "1 (int)"),
    "negative gap": ({"rouge_types": ["rougeS-1"]}, ValueError, "rouge_types[0]", "up to nine digits", "'rougeS-1'"),
    "type in a list": ({"rouge_types": [["rouge1"]]}, ValueError, "rouge_types[0]", "'rougeL'", "['rouge1'] (list)"),
    "light weight": ({"rouge_types": ["rougeW-0.5"]}, ValueError, "rouge_types[0]", "a weight from 1", "0.5 (float)"),
    "alpha and beta": ({"alpha": 0.5, "beta": 1.0}, ValueError, "alpha", "one of `alpha` and `beta`", "both"),
    "unknown rule": ({"multi_reference": "worst"}, ValueError, "multi_reference", "'pooled'", "'worst' (str)"),
    "jackknife 1": ({"jackknife": 1}, TypeError, "jackknife", "True or False", "1 (int)"),
    "two limits": ({"max_words": 5, "max_bytes": 50}, ValueError, "max_bytes", "one of `max_words` and", "both"),
    "unknown preset": ({"preset": "rouge-1.4"}, ValueError, "preset", "'rouge-1.5.5'", "'rouge-1.4' (str)"),
    "no such list": ({"stopwords": "no-such-file"}, ValueError, "stopwords", "a readable file", "no-such-file"),
    "stop word 3": ({"stopwords": ["a", 3]}, TypeError, "stopwords[1]", "a str", "3 (int)"),
    "stop words once": ({"stopwords": iter(["a"])}, TypeError, "stopwords", "a list or set", "(list_iterator)"),
    "stop words 3": ({"stopwords": 3}, TypeError, "stopwords", "the path of a file", "3 (int)"),
    "no such folder": ({"exceptions": "no-such-folder"}, ValueError, "exceptions", "*.exc", "'no-such-folder' (str)"),
    "exceptions in a list": ({"exceptions": ["a"]}, TypeError, "exceptions", "the path of", "['a'] (list)"),
    "unknown aggregator": ({"aggregator": "median"}, ValueError, "aggregator", "'mean'", "'median' (str)"),
}  # fmt: skip
OPTIONS = [("bleu", *case) for case in BLEU_OPTIONS.values()] + [("rouge", *case) for case in ROUGE_OPTIONS.values()]
CALLS = {
    "bleu": textgauge.bleu,
    "rouge": textgauge.rouge,
    "evaluate bleu": lambda p, r, **o: textgauge.load("bleu").compute(predictions=p, references=r, **o),
    "evaluate rouge": lambda p, r, **o: textgauge.load("rouge").compute(predictions=p, references=r, **o),
}


def refused(call, error, argument, allowed, got):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    message = str(caught.value)
    where, _, rest = message.partition(": expected ")
    expected, _, came = rest.rpartition(", got ")
    # `compute` of evaluate raises an error of both kinds.
    assert type(caught.value) in (error, ArgumentError), message
    assert isinstance(caught.value, error), message
    assert where == argument or (argument.endswith("'") and where.startswith(argument)), message
    assert allowed in expected, message
    assert got in came, message
    assert len(message) < 600
    # One traceback, not that of an error inside as well.
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize("case", INPUT.values(), ids=INPUT)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_bad_input_names_argument_position_allowed_and_got(call, case):
    predictions, references, *expected = case
    if not isinstance(predictions, (list, str)) and hasattr(predictions, "__next__"):
        predictions = (x for x in ["a", None])
    refused(lambda: call(predictions, references), *expected)


@pytest.mark.parametrize("case", OPTIONS, ids=[*BLEU_OPTIONS, *ROUGE_OPTIONS])
@pytest.mark.parametrize("prefix", ["", "evaluate "])
def test_bad_options_name_argument_allowed_and_got(prefix, case):
    name, options, *expected = case
    refused(lambda: CALLS[prefix + name](OK, OK, **options), *expected)


@pytest.mark.parametrize("prefix", ["", "evaluate "])
def test_a_conflict_is_a_sentence(prefix):
    message = "^`tokenizer` cannot be given with `preset='rouge-1.5.5'`, which has its own$"
    with pytest.raises(ValueError, match=message):
        CALLS[f"{prefix}rouge"](OK, OK, preset="rouge-1.5.5", tokenizer="unicode")


class Shy:
    def __repr__(self):
        raise RuntimeError("no name")


@pytest.mark.parametrize("value", [Shy(), 10**5000, [[[[[["deep"]]]]]], bytearray(b"ab"), memoryview(b"ab")], ids=type)
def test_strange_values_are_refused_by_position(value):
    refused(lambda: textgauge.bleu(["a", value], OK), TypeError, "predictions[1]", TEXT, f"({type(value).__name__})")
    groups = [["a"], ["b", value]]
    refused(lambda: textgauge.bleu(OK, groups), TypeError, "references[1][1]", TEXT, f"({type(value).__name__})")


@pytest.mark.parametrize("name", CALLS)
def test_nul_is_a_character_like_others(name):
    result = CALLS[name](["a\0b the cat sat", "x"], ["a\0b the cat sat", "y"])
    assert (result["rouge1"] == 0.5) if "rouge" in name else (result["precisions"][3] == 1)


HUGE = "x" * 10_000_000, "a b c d e f g h i j " * 500_000


SCALAR, ARRAY = np.array("ab"), np.array(["13a", "zh"])
SCORES = np.ones((2, 3))


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: textgauge.token_f1(OK, SCALAR), "references"),
        (lambda: textgauge.cuad(SCALAR, OK), "predictions"),
        (lambda: textgauge.bleu(OK, OK, weights=np.array(0.5)), "weights"),
        (lambda: textgauge.bleu(OK, OK, tokenizer=ARRAY), "tokenizer"),
        (lambda: textgauge.bleu(OK, OK, tokenizer=""), "tokenizer"),
        (lambda: textgauge.sari(OK, OK, sources=OK, tokenizer=ARRAY), "tokenizer"),
        (lambda: textgauge.tokenize(OK, ARRAY), "tokenizer"),
        (lambda: textgauge.cider(OK, OK, idf=SCALAR), "idf"),
        (lambda: textgauge.cider(OK, OK, idf=ARRAY[:0]), "idf"),
        (lambda: textgauge.meteor15(OK, OK, paraphrases=ARRAY), "paraphrases"),
        (lambda: textgauge.teds(OK, OK, ignored_tags=SCALAR), "ignored_tags"),
        (lambda: textgauge.rouge(OK, OK, stopwords=SCALAR), "stopwords"),
        (lambda: textgauge.diversity(OK, groups=SCALAR), "groups"),
        (lambda: textgauge.perplexity(probs=[SCALAR]), r"probs\[0\]"),
        (lambda: textgauge.pass_at_k([1, 0], ["a", "b"], k=SCALAR), "k"),
        (lambda: textgauge.agreement(SCALAR, SCALAR), "human"),
        (lambda: textgauge.agreement({"a": SCALAR}, {"m": {"a": [1]}}), r"human\['a'\]"),
        (lambda: textgauge.agreement(SCORES, {"m": SCORES}, columns=SCALAR), "columns"),
        (lambda: textgauge.win_rates([], columns=ARRAY), "columns"),
        (lambda: textgauge.coco(OK, OK, meteor=ARRAY), "meteor"),
        (lambda: textgauge.pairwise(OK, metric="chrf", dtype=pd.Series(OK)), "dtype"),
        (lambda: textgauge.register("chrf"), "metric"),
    ],
    ids=range(22),
)
def test_arrays_in_the_place_of_lists_and_names_are_refused(call, argument):
    """An array without an axis is an Iterable that has nothing to iterate over, and others have no truth value."""
    with pytest.raises((TypeError, ValueError), match=f"^{argument}: expected "):
        call()
    # One in the place of a text is that text.
    assert textgauge.cuad([SCALAR], ["ab"])["f1"] == 100 == textgauge.chrf(["ab"], [SCALAR])["chrf"]


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_ten_megabytes_without_a_space_or_of_words(name):
    result = CALLS[name]([HUGE[0], HUGE[0] + "y"], [HUGE[0]] * 2)
    assert (result["rouge1"] if "rouge" in name else result["precisions"][0]) == 0.5
    result = CALLS[name]([HUGE[1], "a b"], ["a b", HUGE[1]])
    if "rouge" in name:
        assert result["rougeL"] == pytest.approx(2 * 2 / 5_000_002, abs=1e-15)
    else:
        assert (result["translation_length"], result["reference_length"]) == (5_000_002, 5_000_002)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("n", [1, pytest.param(300_000, marks=pytest.mark.slow)])
def test_predictions_of_an_untrained_model_score_0(name, n):
    result = CALLS[name](["", "  ", "\n"] * n, ["a text", "another", ""] * n)
    assert result["rougeLsum" if "rouge" in name else "bleu"] == 0


def test_text_that_loses_all_tokens_scores_0_with_one_warning():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = textgauge.rouge(["猫が座った", "", "..."] * 9000, ["猫が座った", "the cat", "!"] * 9000)
    assert set(result.values()) == {0.0}
    assert [str(w.message)[:30] for w in caught] == ["36000 texts are not empty but "]
    assert "tokenizer='unicode'" in str(caught[0].message)


@pytest.mark.parametrize(("hyps", "refs"), [(["a"], [["b"], ["c"]]), (OK, [OK, ["a"], ["b"]])])
def test_ordinary_references_are_not_taken_for_streams(hyps, refs):
    with pytest.raises(ValueError, match=rf"^references: expected as many segments .*, got {len(refs)}$"):
        textgauge.bleu(hyps, refs)


# What is refused elsewhere than in the tables above.
REFUSED_LONG = {
    "nested": lambda: textgauge.bleu(["a", [["x" * 10_000_000] * 50] * 50], OK),
    "types": lambda: textgauge.rouge(OK, OK, rouge_types=[LONG] * 3),
    "other options": lambda: textgauge.Rouge(rouge_types=[f"rouge{i}" for i in range(1, 101)]) + textgauge.Rouge(),
    "tokens that are none": lambda: textgauge.bleu([LONG], ["a"], tokenizer=lambda text: text),
    "normalized to nothing": lambda: textgauge.token_f1([LONG], ["a"], normalizer=lambda text: None),
    "unknown id": lambda: textgauge.token_f1(
        [{"id": LONG, "prediction_text": "a"}], [{"id": "a", "answers": {"text": ["a"]}}]
    ),
    "module": lambda: textgauge.load(LONG[:3000]),
}


@pytest.mark.parametrize("name", REFUSED_LONG)
def test_messages_are_short_however_long_the_input(name):
    with pytest.raises((TypeError, ValueError)) as caught:
        REFUSED_LONG[name]()
    assert len(str(caught.value)) < (300 if name == "nested" else 2_000)
