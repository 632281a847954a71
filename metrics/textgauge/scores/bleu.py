"""BLEU from its counts."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ..arrays import Counts, FloatArray
from .ratios import ratio
from .smoothing import LOOKS_ONE_ORDER_HIGHER, SMOOTHINGS, NgramCounts, SmoothingName

# The order that nltk's methods 5 and 7 use as the next after the highest, whatever that is.
NLTK_NEXT_ORDER = 5


class Row(Protocol):
    """Named counts with any leading axes."""

    def __getitem__(self, field: str, /) -> Any: ...


def bleu_score(
    rows: Row,
    last: Row | None = None,
    *,
    max_order: int,
    smoothing: SmoothingName = "none",
    smooth_value: float | None = None,
    weights: FloatArray | None = None,
    effective_order: bool = False,
    counting: str = "plain",
) -> dict[str, FloatArray]:
    """Compute BLEU from matches and totals per order and the two lengths.

    BLEU = BP exp(sum of w_n log p_n), 0 if any p_n with w_n > 0 is 0; BP is 1 for a
    hypothesis longer than its reference, else exp(1 - reference length / hypothesis length),
    and 0 for a hypothesis without tokens.

    Parameters
    ----------
    rows : named counts
        ``matches``, ``totals``, shape (..., n_orders), of at least `max_order` orders;
        ``translation_length``, ``reference_length``, shape (...,).
    last : named counts of the last segment of a corpus, without leading axes
        What counting="nltk" uses; None if the rows are those of single segments.
    max_order, smoothing, smooth_value, effective_order, counting
        See the options of `Bleu`.
    weights : float64, shape (max_order,), optional
        By default 1 / max_order each.

    Returns
    -------
    dict
        ``bleu``, ``brevity_penalty``, ``length_ratio`` and both lengths, shape (...,), and ``precisions``, shape (...,
        max_order). For who explains the score, ``mean``, the geometric mean, shape (...,), and ``weights``, those of
        the precisions in it, shape (max_order,), or (..., max_order) with `effective_order`.

    References
    ----------
    Papineni et al. (2002), BLEU, section 2.3.
    """
    every = rows["matches"], rows["totals"]
    length, reference_length = rows["translation_length"], rows["reference_length"]
    counts = NgramCounts(every[0][..., :max_order], every[1][..., :max_order], length)
    if counting == "nltk":
        counts = _of_nltk(counts, rows if last is None else last, smoothing)
    elif smoothing in LOOKS_ONE_ORDER_HIGHER:
        counts = counts._replace(next_precision=_precision(*every, max_order + 1))
    method = SMOOTHINGS[smoothing]
    precisions = method.precisions(counts, smooth_value or 0.0)
    if counting == "mteval":
        precisions = np.where(counts.totals > 0, precisions, 1.0)
    elif smoothing not in ("none", "add-one"):
        # As in sacreBLEU and nltk, before smoothing.
        precisions = np.where(counts.matches[..., :1] > 0, precisions, 0.0)
    has_ngrams = None
    if effective_order:
        is_added = method.adds_to_totals and smooth_value != 0
        has_ngrams = np.ones_like(counts.totals, bool) if is_added else counts.totals > 0
    mean, weights = _geometric_mean(precisions, weights, has_ngrams, skips_zeros=counting == "nltk")
    penalty = _brevity_penalty(length, reference_length)
    bleu = mean * penalty
    if counting in ("plain", "mteval"):
        # Else smoothing would credit a match with nothing.
        bleu = bleu * (reference_length > 0)
    return {
        "bleu": bleu, "precisions": precisions, "brevity_penalty": penalty,
        "length_ratio": ratio(length, reference_length), "translation_length": length,
        "reference_length": reference_length, "mean": mean, "weights": weights,
    }  # fmt: skip


def _of_nltk(counts: NgramCounts, last: Row, smoothing: SmoothingName) -> NgramCounts:
    """Add what nltk's smoothing takes from the last segment."""
    n_tokens = np.asarray(last["translation_length"])[..., None]
    counts = counts._replace(hypothesis_totals=np.maximum(n_tokens - np.arange(counts.totals.shape[-1]), 0))
    if smoothing not in LOOKS_ONE_ORDER_HIGHER:
        return counts
    return counts._replace(next_precision=_precision(last["matches"], last["totals"], NLTK_NEXT_ORDER))


def _precision(matches: Counts, totals: Counts, order: int) -> FloatArray:
    return ratio(matches[..., order - 1], totals[..., order - 1])


def _geometric_mean(
    precisions: FloatArray, weights: FloatArray | None, has_ngrams: npt.NDArray[np.bool_] | None, *, skips_zeros: bool
) -> tuple[FloatArray, FloatArray]:
    """Return exp of the weighted mean of logarithms, 0 with a precision of 0 unless these are skipped, and the weights.

    With `has_ngrams` orders without n-grams are left out, and their weights distributed over the others.
    """
    is_zero = precisions == 0 if skips_zeros else None
    precisions = precisions if is_zero is None else np.where(is_zero, 1.0, precisions)
    used = None if weights is None else weights > 0
    if weights is None or used is None:
        weights = _equal_weights(precisions.shape[-1])
    else:
        # Not `[..., used]`, which lays out the orders of a row apart: sums of 8 or more would add in another order.
        precisions, weights = np.compress(used, precisions, axis=-1), weights[used]
        has_ngrams = None if has_ngrams is None else np.compress(used, has_ngrams, axis=-1)
    if has_ngrams is not None:
        kept = weights * has_ngrams
        of_kept = np.add.reduce(kept, axis=-1, keepdims=True)
        weights = ratio(kept * np.add.reduce(weights), of_kept)
        precisions = np.where(has_ngrams, precisions, 1.0)
    with np.errstate(divide="ignore"):
        # The logarithm of 0 is minus infinity, whose exp is 0.
        mean = np.exp(np.add.reduce(np.log(precisions) * weights, axis=-1))
    if has_ngrams is not None:
        mean = mean * (of_kept[..., 0] > 0)
    if used is not None:
        every = np.zeros((*weights.shape[:-1], len(used)))
        every[..., used] = weights
        weights = every
    return (mean if is_zero is None else np.where(is_zero.all(axis=-1), 0.0, mean)), weights


@cache
def _equal_weights(n_orders: int) -> FloatArray:
    return np.full(n_orders, 1 / n_orders)


def _brevity_penalty(length: Counts, reference_length: Counts) -> FloatArray:
    # Lengths are 0 or at least 1.
    penalty = np.exp(np.minimum(1 - reference_length / np.maximum(length, 1), 0.0))
    return penalty * (length > 0)
