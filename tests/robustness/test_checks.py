"""Errors and warnings: input is escaped, numbers have ranges, names have hints."""

import inspect
import pickle
import sys
import traceback
from decimal import Decimal

import numpy as np
import pytest
import textgauge
from textgauge import engine
from textgauge.checks import CountWarning, Message, Tally, fail, message_in, nearest, printable, shown, warn_user
from textgauge.text import sacrebleu_tokenizers
from warned import warned

HYPS, REFS = ["a b c d e", "x y"], ["a b c d f", "x z"]
# Colour, carriage return, 8-bit CSI, delete, right-to-left override, isolate, line separator, lone surrogate.
UNSAFE = "\x1b[31m\r\x9b31m\x7f\u202e\u2066\u2028\udcff"
ESCAPED = r"\x1b[31m\r\x9b31m\x7f\u202e\u2066\u2028\udcff"


def test_control_characters_are_escaped_once():
    assert printable(UNSAFE) == ESCAPED
    assert printable(ESCAPED) == ESCAPED
    assert printable("Größe 猫 \U0001f600 e\u0301\u00a0\u200d") == "Größe 猫 \U0001f600 e\u0301\u00a0\u200d"


class Painted:
    def __repr__(self):
        return UNSAFE


def test_errors_and_warnings_are_printable():
    assert shown(Painted()) == f"{ESCAPED} (Painted)"
    with pytest.raises(ValueError, match="^place") as caught:
        fail(ValueError, f"place {UNSAFE}", f"none of {UNSAFE}", UNSAFE)
    assert str(caught.value) == f"place {ESCAPED}: expected none of {ESCAPED}, got {ESCAPED}"
    assert warned(warn_user, UNSAFE) == [ESCAPED]


def bleu(**options):
    return textgauge.bleu(HYPS, REFS, **options)


def rouge(**options):
    return textgauge.rouge(HYPS, REFS, **options)


NUMBERS = {
    "max_order": lambda value: bleu(max_order=value),
    "smooth_value": lambda value: bleu(smoothing="floor", smooth_value=value),
    "weights[1]": lambda value: bleu(weights=[1, value, 1, 1]),
    "n_resamples": lambda value: bleu(confidence=0.9, n_resamples=value),
    "confidence": lambda value: bleu(confidence=value),
    "beta": lambda value: rouge(beta=value),
    "alpha": lambda value: rouge(alpha=value),
    "weight": lambda value: rouge(rouge_types=["rougeW"], weight=value),
    "max_words": lambda value: rouge(max_words=value),
    "k": lambda value: textgauge.NgramModel(2, "add-k", k=value),
}


OTHERS = [10**400, -(10**400), Decimal("sNaN"), np.array([1.0, 2.0]), "1", True, "[1]"]


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", OTHERS, ids=lambda value: f"{type(value).__name__} {str(value)[:5]}")
def test_what_no_float_can_hold_and_what_numpy_would_convert_is_refused_by_name(name, value):
    # Arrays and decimals are not weights.
    with pytest.raises((TypeError, ValueError), match=rf"^{name.partition('[')[0]}(\[1\])?: expected ") as caught:
        NUMBERS[name](value)
    assert caught.type is TypeError or type(value) not in (str, bool)


BOUNDS = {
    "max_order": (1, 1000), "smooth_value": (0, 1e100), "n_resamples": (1, None), "beta": (0, 1e100),
    "alpha": (0, 1), "weight": (1, 30), "max_words": (1, 10**12), "weights[1]": (0, None),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:the interval of bleu has no width")
@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_themselves_are_allowed(name):
    low, high = BOUNDS[name]
    NUMBERS[name](low)
    with pytest.raises(ValueError, match=f"^{name.partition('[')[0]}.*: expected "):
        NUMBERS[name](low - 1)
    if high is not None:
        NUMBERS[name](high)
        with pytest.raises(ValueError, match=f"^{name}: expected "):
            NUMBERS[name](high * 1.01 if isinstance(high, float) else high + 1)


@pytest.mark.parametrize(
    ("smoothings", "wrong", "bound", "message"),
    [
        (("chen-cherry-4", "chen-cherry-7"), (0, 1e-320, 1e-101), 1e-100, "a number of at least 1e-100 for"),
        (("floor", "epsilon", "add-k"), (1e101,), 1e100, r"a number of at most 1e\+100, got"),
    ],
)
def test_smoothing_beyond_a_float_is_refused(smoothings, wrong, bound, message):
    for smoothing in smoothings:
        for value in wrong:
            with pytest.raises(ValueError, match=f"^smooth_value: expected {message}"):
                bleu(smoothing=smoothing, smooth_value=value)
        assert 0 < bleu(smoothing=smoothing, smooth_value=bound)["bleu"] < float("inf")


@pytest.mark.parametrize(
    ("weight", "options"),
    [
        (1.0, {"smoothing": "chen-cherry-7", "smooth_value": 1e-100}),
        (1e5, {"smoothing": "chen-cherry-5"}),
        (3.0, {"smoothing": "epsilon", "smooth_value": 1e100}),
    ],
)
def test_weights_keep_bleu_in_the_range_of_a_float(weight, options):
    with pytest.raises(ValueError, match="^weights: expected weights whose sum keeps BLEU in the range of a float"):
        bleu(weights=[weight] * 4, **options)
    assert bleu(weights=[0.25] * 4, **options)["bleu"] < float("inf")
    assert bleu(weights=[1e300] * 4)["bleu"] == 0


@pytest.mark.parametrize(
    ("call", "near"),
    [
        (lambda: bleu(smoothing="flor"), "floor"),
        (lambda: bleu(tokenizer="13A"), "13a"),
        (lambda: textgauge.compare([HYPS, HYPS], REFS, metric="ROUGE-L"), "rougeL"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(call, near):
    with pytest.raises(ValueError, match=rf"expected (one of .*; |the name of a metric \()did you mean '{near}'\?"):
        call()


def test_names_of_other_tools_are_answered_with_ours():
    for name, ours in {"max_n": "max_order", "max_ngram_order": "max_order", "smooth_method": "smoothing"}.items():
        with pytest.raises(TypeError, match=rf"^{name}: expected an option of Bleu \(nearest: {ours}\), got"):
            bleu(**{name: 2})
    with pytest.raises(TypeError, match=r"^max_n: expected an option of Rouge \(rouge_types, "):
        rouge(max_n=2)


def test_a_message_keeps_its_parts_on_the_way_to_another_process():
    with pytest.raises(ValueError, match="max_order") as caught:
        textgauge.Bleu(max_order=0)
    message = message_in(pickle.loads(pickle.dumps(caught.value)))
    assert message == str(caught.value)
    assert (message.argument, message.allowed, message.got) == (
        "max_order", "a whole number of at least 1", "0 (int)"
    )  # fmt: skip
    assert Message("weights[2]", "a number", "'x'").option == "weights"
    assert message_in(ValueError("max_order: expected a number, got 'x'")) is None
    assert message_in(ValueError()) is None


MISSING = {
    "torch": lambda: textgauge.perplexity(["a"], model_id="gpt2"),
    "sentencepiece": lambda: textgauge.bleu(["a"], ["a"], tokenizer="spm"),
}


@pytest.mark.parametrize("package", MISSING)
def test_a_missing_package_shows_one_traceback(package, monkeypatch):
    sacrebleu_tokenizers._loaded.cache_clear()
    monkeypatch.delitem(sys.modules, "sacrebleu.tokenizers.tokenizer_spm", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match="pip install") as caught:
        MISSING[package]()
    assert "".join(traceback.format_exception(caught.value)).count("Traceback") == 1


def test_faces_leave_the_value_of_the_user_as_it_is():
    with pytest.raises(ValueError, match="got '`smoothing`' ") as caught:
        textgauge.load("sacrebleu").compute(predictions=["a"], references=[["a"]], smooth_method="`smoothing`")
    assert str(caught.value).startswith("smooth_method: expected one of ")


def test_the_advice_without_a_kernel_says_what_to_repeat(monkeypatch):
    monkeypatch.setattr(engine, "must_warn", True)
    monkeypatch.setattr(engine, "_reason", "", raising=False)
    with pytest.warns(UserWarning, match="without its compiled kernel.*repeat the `pip install` .* --no-deps[.]$"):
        engine.warn_if_plain()


@pytest.mark.parametrize("name", ["compare", "pairwise", "mbr", "explain", "matches"])
def test_a_metric_by_place_is_told_to_be_a_keyword(name):
    call = getattr(textgauge, name)
    places = [one.name for one in inspect.signature(call).parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    message = rf"^metric: expected a keyword, as in {name}\({', '.join(places)}, metric=...\), got 'chrf' \(str\)$"
    with pytest.raises(TypeError, match=message):
        call(*[["a b"]] * len(places), "chrf")


def test_what_is_near_a_short_name_begins_as_it_does():
    assert nearest("wer", ["ter", "bleu"]) == []
    assert nearest("tre", ["ter", "bleu"]) == ["ter"]
    assert nearest("Wer", ["wer", "ter"]) == ["wer"]


def test_warnings_of_batches_are_told_when_they_first_come_and_once():
    tally, found = Tally(), []
    for texts in (
        ["one"],
        ["one", CountWarning(2, "[text is|texts are] empty")],
        [CountWarning(1, "[text is|texts are] empty")],
    ):
        with tally.collecting():
            for text in texts:
                warn_user(text)
        found.append(warned(tally.warn_of_new))
    assert found == [["one"], ["some texts are empty"], []]
    assert tally.texts() == ["one", "3 texts are empty"]


def test_messages_name_the_type_and_the_model_that_were_meant():
    with pytest.raises(ValueError, match=r"rouge_types\[0\]: .*; did you mean 'rougeLsum'\?$"):
        textgauge.rouge(HYPS, REFS, rouge_types=["rougeLSum"])
    with pytest.raises(ValueError, match="model_id: expected .*`ngram_train` with texts to learn from"):
        textgauge.perplexity(HYPS)
