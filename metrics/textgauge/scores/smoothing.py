"""Smoothing of BLEU's precisions where n-grams have few or no matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import Counts, FloatArray
from .ratios import ratio


class NgramCounts(NamedTuple):
    """The input of a smoothing method, with the leading axes of the statistics.

    Attributes
    ----------
    matches, totals : shape (..., max_order)
    length : shape (...,)
        Hypothesis length in tokens.
    next_precision : shape (...,)
        Precision of the order above `max_order`, for methods 5 and 7 only.
    hypothesis_totals : shape (..., max_order), or None
        The numbers of hypothesis n-grams, as method 6 counts them; None: `totals`.
    """

    matches: Counts
    totals: Counts
    length: Counts
    next_precision: Counts | float = 0.0
    hypothesis_totals: Counts | None = None


Rule = Callable[[NgramCounts, float], FloatArray]


class Smoothing(NamedTuple):
    """A smoothing method.

    Attributes
    ----------
    precisions : callable (NgramCounts, value) -> float64, shape (..., max_order)
    value : float or None
        The default of `smooth_value`; None if the method has no parameter.
    adds_to_totals : bool
        Whether orders without n-grams get a positive total, so that effective order keeps them.
    """

    precisions: Rule
    value: float | None = None
    adds_to_totals: bool = False


def _plain(counts: NgramCounts, _: float = 0.0) -> FloatArray:
    return ratio(counts.matches, counts.totals)


def _add_one(counts: NgramCounts, _: float) -> FloatArray:
    return ratio(counts.matches + 1.0, counts.totals + 1.0)


def _add_k(counts: NgramCounts, value: float) -> FloatArray:
    added = np.where(np.arange(counts.matches.shape[-1]) > 0, value, 0.0)
    return ratio(counts.matches + added, counts.totals + added)


def _floor(counts: NgramCounts, value: float) -> FloatArray:
    return np.where(counts.matches == 0, ratio(value, counts.totals), _plain(counts))


def _epsilon(counts: NgramCounts, value: float) -> FloatArray:
    return np.where(counts.matches == 0, value, _plain(counts))


def _halving(is_empty: npt.NDArray[np.bool_]) -> FloatArray:
    """Return 1/2 for the first order without a match, 1/4 for the second, and so on."""
    # Orders without n-grams, whose ratios are 0 whatever is added, are the last.
    return np.exp2(-np.add.accumulate(is_empty, axis=-1, dtype=np.float64))


def _exp(counts: NgramCounts, _: float) -> FloatArray:
    is_empty = counts.matches == 0
    return ratio(np.where(is_empty, _halving(is_empty), counts.matches), counts.totals)


def _method_4(counts: NgramCounts, k: float) -> FloatArray:
    # As in nltk, ln(length) / (2^i K); the paper multiplies by K / ln(length) at each order without matches.
    length = np.asarray(counts.length)[..., None]
    scale = np.log(np.maximum(length, 1)) / k
    is_empty = counts.matches == 0
    smoothed = ratio(_halving(is_empty) * scale, counts.totals)
    return np.where(is_empty & (length > 1), smoothed, _plain(counts))


def _averaged(precisions: FloatArray, next_precision: Counts | float) -> FloatArray:
    """Average each precision with its smoothed lower and its unsmoothed higher neighbour."""
    averaged = np.empty_like(precisions)
    below: FloatArray = precisions[..., 0] + 1
    for i in range(precisions.shape[-1]):
        above = precisions[..., i + 1] if i + 1 < precisions.shape[-1] else next_precision
        averaged[..., i] = (below + precisions[..., i] + above) / 3
        below = averaged[..., i]
    return averaged


def _method_5(counts: NgramCounts, _: float) -> FloatArray:
    return _averaged(_plain(counts), counts.next_precision)


def _method_6(counts: NgramCounts, alpha: float) -> FloatArray:
    smoothed = _plain(counts)
    totals = counts.totals if counts.hypothesis_totals is None else counts.hypothesis_totals
    for i in range(2, smoothed.shape[-1]):
        prior = ratio(smoothed[..., i - 1] ** 2, smoothed[..., i - 2])
        smoothed[..., i] = ratio(counts.matches[..., i] + alpha * prior, totals[..., i] + alpha)
    return smoothed


def _method_7(counts: NgramCounts, k: float) -> FloatArray:
    return _averaged(_method_4(counts, k), counts.next_precision)


SmoothingName = Literal[
    "none", "add-one", "add-k", "floor", "exp", "epsilon", "chen-cherry-1", "chen-cherry-2", "chen-cherry-3",
    "chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-7",
]  # fmt: skip
SMOOTHINGS: dict[SmoothingName, Smoothing] = {
    "none": Smoothing(_plain),
    "add-one": Smoothing(_add_one, adds_to_totals=True),
    "add-k": Smoothing(_add_k, 1.0, adds_to_totals=True),
    "floor": Smoothing(_floor, 0.1),
    "exp": Smoothing(_exp),
    "epsilon": Smoothing(_epsilon, 1e-10),
    "chen-cherry-1": Smoothing(_floor, 0.1),
    "chen-cherry-2": Smoothing(_add_k, 1.0, adds_to_totals=True),
    "chen-cherry-3": Smoothing(_exp),
    "chen-cherry-4": Smoothing(_method_4, 5.0),
    "chen-cherry-5": Smoothing(_method_5),
    "chen-cherry-6": Smoothing(_method_6, 5.0),
    "chen-cherry-7": Smoothing(_method_7, 5.0),
}
LOOKS_ONE_ORDER_HIGHER = ("chen-cherry-5", "chen-cherry-7")
LOOKS_AT_LAST_SEGMENT = ("chen-cherry-5", "chen-cherry-6", "chen-cherry-7")
DIVIDES_BY_VALUE = ("chen-cherry-4", "chen-cherry-7")
