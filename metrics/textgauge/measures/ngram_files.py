"""A model of perplexity from files, for the command line, where Python has objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..checks import fail
from ..options import Option

if TYPE_CHECKING:
    from ..plain import Texts

_ORDER, _TOKENIZER = 3, "13a"
OPTIONS = (
    Option("ngram_train", None, "Instead of `model_id`: train an n-gram model on this file of texts.", "words", (),
           True),
    Option("order", _ORDER, "Order of the n-gram model.", "whole", (), False, at_least=1),
    Option("tokenizer", None, "Tokenizer of the n-gram model.", "tokenizer", (), True, none_means=f'"{_TOKENIZER}"'),
    Option("dtype", None, "Number type that the model computes with.", "choice",
           ("auto", "float32", "bfloat16", "float16"), True, none_means="that of transformers"),
    Option("prefixes", None, "A file with a context before each text: the model sees it, but it is not scored.",
           "words", (), True),
    Option("prefix_field", None, "Column of `prefixes`.", "text", (), True, none_means="prefix"),
)  # fmt: skip
_NAMES = frozenset(one.name for one in OPTIONS)


def check(given: Mapping[str, Any]) -> None:
    """Refuse a missing or a second model, and options of n-grams without n-grams."""
    if ("ngram_train" in given) == ("model_id" in given):
        allowed = "`ngram_train` with a file of texts, or `model_id`"
        fail(ValueError, "model", allowed, "both" if "model_id" in given else "neither")
    for one in OPTIONS:
        one.checked(given.get(one.name, one.default))
    for name in ("order", "tokenizer"):
        if name in given and "ngram_train" not in given:
            fail(ValueError, name, "None without `ngram_train`", "a value")


def with_model(given: Mapping[str, Any], texts_of: Callable[[str], Texts | list[str]]) -> dict[str, Any]:
    """Return the options of the measure: a file of texts becomes a model; files of other texts are left out.

    Parameters
    ----------
    given : mapping
        Checked options.
    texts_of : callable
        Reads a file.
    """
    options = {name: value for name, value in given.items() if name not in _NAMES}
    if "ngram_train" in given:
        from .ngram_model import NgramModel

        model = NgramModel(given.get("order", _ORDER), tokenizer=given.get("tokenizer", _TOKENIZER))
        options["model"] = model.fit(texts_of(given["ngram_train"]))
    if "dtype" in given:
        options["model_kwargs"] = {"dtype": given["dtype"]}
    return options
