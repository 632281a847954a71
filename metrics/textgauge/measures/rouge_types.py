"""The types of ROUGE by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..checks import fail, real_number, shown

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
    kind : "N", "L", "Lsum", "W", "S" or "SU"
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
    kind: str
    order: int = 0
    weight: float = 1.0
    gap: int | None = None


def type_of(name: Any, weight: float, argument: str) -> RougeType:
    """Parse the name of a type; `weight` is for "rougeW" without a weight in its name.

    Examples
    --------
    >>> type_of("rougeSU4", 1.2, "rouge_types[0]")
    RougeType(name='rougeSU4', kind='SU', order=0, weight=1.0, gap=4)
    """
    match = _NAME.fullmatch(name) if isinstance(name, str) else None
    if not match:
        part = _PART.fullmatch(name) if isinstance(name, str) else None
        allowed = f"{part[1]!r}, of which `detailed=True` returns precision, recall and fmeasure" if part else _ALLOWED
        fail(ValueError, argument, allowed, shown(name))
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
