"""What the page of each metric offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..measures.ngram_probabilities import SMOOTHINGS
from ..scores.bleu_options import REFERENCE_LENGTHS
from ..scores.rouge_types import DEFAULT_TYPES
from ..text import NORMALIZERS, TOKENIZERS


@dataclass(frozen=True)
class Choice:
    """An option of a metric on its page.

    Attributes
    ----------
    label, hint : str
    default : bool, int or str
        Its type says what the page shows: a box to tick, a number, or one of `choices`.
    choices : tuple
        Names, or the smallest and the largest number.
    """

    label: str
    hint: str
    default: Any
    choices: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Settings:
    """The page of a metric.

    Attributes
    ----------
    title, intro : str
    scores : tuple of str
        The scores whose texts can be shown.
    options : mapping
        By the keyword of the module.
    sample : str
        The part of the sample that the page offers.
    fixed : mapping
        Keywords of `compute` that make the result complete.
    sides : two pairs of str
        What the boxes for the texts are called, and what goes in.
    is_paired : bool
        Whether every text of the first side has one of the second.
    """

    title: str
    intro: str
    scores: tuple[str, ...]
    options: Mapping[str, Choice]
    sample: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    sides: tuple[tuple[str, str], tuple[str, str]] = (
        ("Predictions", "One segment per line."),
        ("References", "One segment per line; several references of a segment on one line, with tabs between them."),
    )
    is_paired: bool = True


def _tokenizer(default: str) -> Choice:
    names = tuple(TOKENIZERS)
    hint = "How text becomes tokens; unicode or character for scripts beyond a-z."
    return Choice("Tokenizer", hint, default, names)


SETTINGS = {
    "bleu": Settings(
        "BLEU",
        "How much of a translation, in runs of one to several words, also stands in its references? "
        "From 0 to 1, higher is better.",
        ("bleu",),
        {
            "tokenizer": _tokenizer("13a"),
            "max_order": Choice("Highest order", "The longest word sequences that count.", 4, (1, 8)),
            "reference_length": Choice(
                "Reference length", "Which of several references the brevity penalty looks at.",
                REFERENCE_LENGTHS[0], REFERENCE_LENGTHS,
            ),
            "smooth": Choice("Smooth", "Add one to matches and totals of every order.", False),
        },
        "translations",
    ),
    "rouge": Settings(
        "ROUGE",
        "How much of a reference summary, in words, pairs of words and the longest common sequence, also stands "
        "in a generated one? From 0 to 1, higher is better.",
        DEFAULT_TYPES,
        {
            "tokenizer": _tokenizer("rouge"),
            "use_stemmer": Choice("Stem", "Compare Porter stems instead of words; default tokenizer only.", False),
            "split_summaries": Choice(
                "Split sentences", "For rougeLsum, at end marks; without it only at newlines.", True
            ),
        },
        "summaries",
        {"detailed": True},
    ),
    "perplexity": Settings(
        "Perplexity",
        "How surprised is a language model by a text? At least 1, lower is better: the number of equally likely "
        "words that would surprise as much.",
        ("perplexity",),
        {
            "model_id": Choice(
                "Language model", "Name or path of a causal model of transformers; empty: n-grams of the texts to "
                "learn from.", "",
            ),
            "order": Choice("Order", "Longest n-grams of the n-gram model.", 3, (1, 6)),
            "smoothing": Choice("Smoothing", "Of the n-gram model.", "kneser-ney", SMOOTHINGS),
        },
        "translations",
        sides=(
            ("Texts", "One text per line."),
            ("Texts to learn from", "One text per line, for the n-gram model; empty if a language model is named."),
        ),
        is_paired=False,
    ),
    "token_f1": Settings(
        "Token F1",
        "How many words does a short answer share with the best of its reference answers? From 0 to 1, higher is "
        "better.",
        ("token_f1",),
        {
            "normalizer": Choice(
                "Normalizer", "What is done to answers first; squad drops case, punctuation and a, an, the.",
                "squad", tuple(NORMALIZERS),
            ),
            "tokenizer": _tokenizer("whitespace"),
        },
        "translations",
    ),
}  # fmt: skip
