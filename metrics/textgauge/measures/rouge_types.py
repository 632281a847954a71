"""The types of ROUGE: their names, and what each counts in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..checks import did_you_mean, fail, quantity, real_number, shown
from ..metric import Explanation

DEFAULT_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
DEFAULT_WEIGHT = 1.2
# Beyond it, k^(2 w) exceeds the range of a float for texts of 100,000 tokens.
MAX_WEIGHT = 30.0
_NAME = re.compile(r"rouge(?:([1-9][0-9]{0,2}|1000)|(Lsum|L)|W(?:-([0-9]+(?:\.[0-9]+)?))?|(SU|S)([0-9]{1,9})?)")
# What other tools call one part of a score.
_PART = re.compile(f"({_NAME.pattern})_(?:precision|recall|fmeasure|f1?|p|r)")
_ALLOWED = (
    "'rouge' and an order from 1 to 1000, 'rougeL', 'rougeLsum', 'rougeW' or 'rougeW-' and a weight, "
    "'rougeS' or 'rougeSU' and optionally a gap of up to nine digits"
)


@dataclass(frozen=True)
class RougeType:
    """A type of ROUGE.

    Attributes
    ----------
    name : str
        The name as given, which is the key of the result.
    family : "N", "L", "Lsum", "W", "S" or "SU"
        n-grams, longest common subsequence of the texts, union of those of their sentences,
        weighted LCS, skip-bigrams, skip-bigrams and unigrams.
    order : int
        The order of "N", else 0.
    weight : float
        The exponent of run lengths in "W", else 1.
    gap : int or None
        The largest number of tokens between the two of a skip-bigram, None for any.
    """

    name: str
    family: str
    order: int = 0
    weight: float = 1.0
    gap: int | None = None


def type_of(name: Any, weight: float, argument: str) -> RougeType:
    """Parse the name of a type; `weight` is for "rougeW" without a weight in its name.

    Examples
    --------
    >>> type_of("rougeSU4", 1.2, "rouge_types[0]")
    RougeType(name='rougeSU4', family='SU', order=0, weight=1.0, gap=4)
    """
    match = _NAME.fullmatch(name) if isinstance(name, str) else None
    if not match:
        part = _PART.fullmatch(name) if isinstance(name, str) else None
        allowed = f"{part[1]!r}, of which `detailed=True` returns precision, recall and fmeasure" if part else _ALLOWED
        near = did_you_mean(name, DEFAULT_TYPES) if isinstance(name, str) and not part else ""
        fail(ValueError, argument, allowed, shown(name) + near)
    order, lcs, own_weight, skips, gap = match.groups()
    if order:
        return RougeType(name, "N", order=int(order))
    if lcs:
        return RougeType(name, lcs)
    if skips:
        return RougeType(name, skips, gap=int(gap) if gap else None)
    return RougeType(name, "W", weight=checked_weight(float(own_weight), argument) if own_weight else weight)


def is_rouge_type(name: str) -> bool:
    """Return whether `name` is that of a type."""
    return _NAME.fullmatch(name) is not None


def checked_weight(weight: Any, argument: str) -> float:
    """Return the weight of ROUGE-W if it is valid."""
    allowed = f"a weight from 1 to {MAX_WEIGHT:g}"
    checked = real_number(argument, weight, allowed)
    if not 1 <= checked <= MAX_WEIGHT:
        fail(ValueError, argument, allowed, shown(weight))
    return checked


_F = (
    "F balances the two (the harmonic mean, unless beta gives recall another weight) and is the score of a segment; "
    "the score on top is the mean over segments."
)
_CAUTION = (
    "The score compares words, not meaning: a good paraphrase scores low, and a fluent falsehood that shares its words "
    "with the reference scores high. Read the worst segments before you trust the number."
)


EVERY_TYPE: Explanation = Explanation(
    "ROUGE",
    "How many words, pairs of words, and words in the same order do prediction and reference share?",
    ("Every type counts other parts of the texts, and has its own precision, recall and F.", _F),
    _CAUTION,
)


def explanation_of_type(key: str) -> Explanation:
    """Explain a type of ROUGE.

    Examples
    --------
    >>> [explanation_of_type(key).title for key in ("rouge2", "rougeL", "rougeSU4")]
    ['ROUGE-2', 'ROUGE-L', 'ROUGE-SU4']
    >>> for key in ("rouge1", "rouge2", "rouge3"):
    ...     print(explanation_of_type(key).question)
    How many single words do prediction and reference share?
    How many pairs of neighbouring words do prediction and reference share?
    How many runs of 3 words do prediction and reference share?
    """
    rouge_type = type_of(key, DEFAULT_WEIGHT, "key")
    question, steps = {"N": _explained_ngrams, "S": _explained_skips, "SU": _explained_skips}.get(
        rouge_type.family, _explained_lcs
    )(rouge_type)
    return Explanation("ROUGE-" + key.removeprefix("rouge"), question, (*steps, _F), _CAUTION)


def _explained_ngrams(rouge_type: RougeType) -> tuple[str, tuple[str, ...]]:
    name = {1: "single words", 2: "pairs of neighbouring words"}.get(
        rouge_type.order, f"runs of {rouge_type.order} words"
    )
    return (
        f"How many {name} do prediction and reference share?",
        (
            f"Both texts are cut into {name}. Those in both match, each at most as often as either text has it.",
            "Precision is the share of the prediction that matches, recall the share of the reference.",
        ),
    )


def _explained_lcs(rouge_type: RougeType) -> tuple[str, tuple[str, ...]]:
    union = ", sentence by sentence" if rouge_type.family == "Lsum" else ""
    question = "How long is the longest series of words that both texts have in the same order, gaps allowed?"
    found = f"The longest common subsequence is found between prediction and reference{union}; it is underlined."
    if rouge_type.family == "W":
        return (
            question[:-1].replace("How long is", "What is the weight of") + ", where words in a row count more?",
            (
                f"{found} The scored series is one of high weight, which may differ from the longest.",
                f"A run of k matching words has the weight k to the power of {rouge_type.weight:g}. Precision divides "
                "the weight of all runs by that of the whole prediction as one run, recall by that of the whole "
                "reference; the root of each quotient undoes the power.",
            ),
        )
    return question, (found, "Precision is its share of the prediction, recall its share of the reference.")


def _explained_skips(rouge_type: RougeType) -> tuple[str, tuple[str, ...]]:
    gap = {None: "any number of words", 0: "no word"}.get(
        rouge_type.gap, f"up to {quantity(rouge_type.gap or 0, 'word')}"
    )
    also, units = (" and single words", "pairs and words") if rouge_type.family == "SU" else ("", "pairs")
    return (
        f"How many pairs of words in the same order{also} do prediction and reference share?",
        (
            f"A pair is two words of a text in their order, with {gap} between them (a skip-bigram). Pairs in both "
            "texts match, each at most as often as either text has it; the words of matching pairs are underlined."
            + (" Single words in both texts match as well." if also else ""),
            f"Precision is the share of the prediction's {units} that match, recall the share of the reference's. A "
            "text has far more pairs than words, so the share of underlined words is not the score.",
        ),
    )
