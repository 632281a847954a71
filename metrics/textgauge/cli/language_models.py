"""Flags in place of options that take Python objects: n-gram models, the dtype of a language model, prefixes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..options import Option, options_of
from .interrupts import quiet_imports
from .messages import refuse, spelled

if TYPE_CHECKING:
    from ..measures.measure import Measure

_ORDER = 3
# In place of an option `model`, which takes an object: the options of an n-gram model.
_OF_NGRAMS = (
    Option(
        "ngram_train", None, "Instead of --model-id: train an n-gram model on this file of texts.", "words", (), True
    ),
    Option("order", _ORDER, "Order of the n-gram model.", "whole", (), False),
    Option("tokenizer", None, "Tokenizer of the n-gram model.", "tokenizer", (), True, none_means="13a"),
)
# In place of `model_kwargs`.
_OF_ARGUMENTS = (
    Option("dtype", None, "Number type that the model computes with.", "choice",
           ("auto", "float32", "bfloat16", "float16"), True, none_means="that of transformers"),
)  # fmt: skip
# For every metric without references.
_OF_TEXTS = (
    Option(
        "prefixes", None, "A file with a context before each text: the model sees it, but it is not scored.",
        "words", (), True,
    ),
    Option("prefix_field", None, "Column of --prefixes.", "text", (), True, none_means="prefix"),
)  # fmt: skip
_FILES = ("prefixes", "prefix_field")


def _python_options(measure: type[Measure]) -> set[str]:
    return {one.name for one in options_of(measure.options_type) if one.kind == "python"}


def extra_options(measure: type[Measure]) -> tuple[Option, ...]:
    """Return the options of the command line in place of those that take Python objects."""
    of_python = _python_options(measure)
    return (
        *(_OF_NGRAMS if "model" in of_python else ()),
        *(_OF_ARGUMENTS if "model_kwargs" in of_python else ()),
        *(() if measure.is_paired else _OF_TEXTS),
    )


def check(measure: type[Measure], given: Mapping[str, Any], shared: set[str]) -> None:
    """Refuse a missing or a second model, and flags of the other kind of model.

    Parameters
    ----------
    measure : class
    given : mapping
        The flags on the command line.
    shared : set of str
        The flags that another metric of the same call takes.
    """
    if "prefix_field" in given and "prefixes" not in given:
        refuse("--prefix-field needs --prefixes")
    if "model" not in _python_options(measure):
        return
    if "ngram_train" in given and "model_id" in given:
        refuse("--ngram-train and --model-id both name a model; give one of them")
    if "ngram_train" not in given and "model_id" not in given:
        refuse(f"{measure.name} needs a model: --ngram-train with a file of texts, or --model-id")
    ngrams = {one.name for one in _OF_NGRAMS}
    of_a_model = {one.name for one in options_of(measure.options_type)} | {"dtype", *_FILES}
    wrong = (of_a_model - ngrams) if "ngram_train" in given else ngrams
    for name in given:
        if name in wrong and name not in shared:
            refuse(
                f"{spelled(name)} has no effect with {spelled('ngram_train' if 'ngram_train' in given else 'model_id')}"
            )


def made(measure: type[Measure], given: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that take Python objects, made from the parsed `options` of `extra_options`."""
    of_python = _python_options(measure)
    more: dict[str, Any] = {}
    if "model" in of_python and "ngram_train" in given:
        with quiet_imports():
            from ..measures.ngram_model import NgramModel

        tokenizer = options.get("tokenizer", "13a")
        more["model"] = NgramModel(options.get("order", _ORDER), tokenizer=tokenizer).fit(given["ngram_train"])
    if "model_kwargs" in of_python and "dtype" in options:
        more["model_kwargs"] = {"dtype": options["dtype"]}
    return more
