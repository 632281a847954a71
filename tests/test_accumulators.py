"""What all accumulators share: adding needs equal options, and one call takes the options of both its parts."""

import inspect
import re

import pytest
import textgauge


def upper(text):
    return text.upper().split()


def other_upper(text):
    return [text.upper()]


other_upper.__name__ = "upper"

DIFFERENT = {
    "lowercase": (textgauge.Bleu(), textgauge.Bleu(lowercase=True), "lowercase, False (bool), got True (bool)"),
    "smoothing": (textgauge.Bleu(), textgauge.Bleu(smooth=True), "smoothing, 'none' (str), got 'add-one' (str)"),
    "tokenizer": (textgauge.Bleu(), textgauge.Bleu(tokenizer="char"), "tokenizer, '13a', got 'char'"),
    "types": (
        textgauge.Rouge(rouge_types=["rougeL"]),
        textgauge.Rouge(rouge_types=["rouge1"]),
        "types, ('rougeL',) (tuple), got ('rouge1',) (tuple)",
    ),
    "stems": (textgauge.Rouge(), textgauge.Rouge(use_stemmer=True), "tokenizer, 'rouge', got 'rouge+porter'"),
    "same name": (
        textgauge.Rouge(tokenizer=upper),
        textgauge.Rouge(tokenizer=other_upper),
        "tokenizer, 'upper', got another 'upper'",
    ),
    "counting": (
        textgauge.TokenF1(),
        textgauge.TokenF1(counting="set"),
        "counting, 'multiset' (str), got 'set' (str)",
    ),
    "normalizer": (textgauge.TokenF1(), textgauge.TokenF1(normalizer="none"), "normalizer, 'squad', got 'none'"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_adding_says_what_differs_and_nothing_else(name):
    left, right, message = DIFFERENT[name]
    with pytest.raises(ValueError, match=re.escape(message) + "$") as caught:
        left + right
    assert str(caught.value) == f"other: expected the same {message}"


@pytest.mark.parametrize("kind", [textgauge.Bleu, textgauge.Rouge, textgauge.TokenF1, textgauge.Perplexity])
@pytest.mark.parametrize("other", [3, None, "text"])
def test_only_accumulators_of_one_kind_add(kind, other):
    with pytest.raises(TypeError, match=f"other: expected another {kind.__name__}, got {other!r}"):
        kind() + other
    with pytest.raises(TypeError, match="other: expected another (Bleu|Rouge), got"):
        (textgauge.Rouge if kind is textgauge.Bleu else textgauge.Bleu)() + kind()


def test_a_sum_leaves_its_parts_as_they_were():
    first, second = (textgauge.Rouge().update([text], [text]) for text in ("a b", "c"))
    assert len((first + second).update(["d"], ["d"]).statistics) == 3
    assert (len(first.statistics), len(second.statistics)) == (1, 1)


@pytest.mark.parametrize("name", ["bleu", "rouge", "token_f1", "perplexity"])
def test_one_call_shows_the_options_of_both_its_parts(name):
    kind = {"bleu": "Bleu", "rouge": "Rouge", "token_f1": "TokenF1", "perplexity": "Perplexity"}[name]
    shown = inspect.signature(getattr(textgauge, name)).parameters
    accumulator = getattr(textgauge, kind)
    for part in (accumulator, accumulator.score):
        for parameter in inspect.signature(part).parameters.values():
            if parameter.name != "self":
                assert shown[parameter.name].default == parameter.default
                assert shown[parameter.name].kind is parameter.KEYWORD_ONLY


@pytest.mark.parametrize(
    ("name", "option", "hint"),
    [
        ("bleu", "smothing", "Bleu (nearest: smoothing, smooth, "),
        ("bleu", "per_segmant", "Bleu (nearest: per_segment)"),
        ("rouge", "stemmer", "Rouge (nearest: use_stemmer)"),
        ("token_f1", "qqqq", "TokenF1 (counting, normalizer, tokenizer, per_segment, signature, confidence, "),
    ],
)
def test_an_unknown_option_is_named_with_the_nearest_ones(name, option, hint):
    with pytest.raises(TypeError) as caught:
        getattr(textgauge, name)(["a"], ["a"], **{option: True})
    assert str(caught.value).startswith(f"{option}: expected an option of {hint}")
    assert str(caught.value).endswith(", got an unknown keyword")
