"""BLEU from its statistics."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from .bleu_options import NLTK_NEXT_ORDER, BleuOptions
from .rouge import share
from .smoothing import LOOKS_ONE_ORDER_HIGHER, NgramCounts


class BleuScore(NamedTuple):
    """BLEU and its parts, each with the leading axes of the statistics."""

    bleu: FloatArray
    precisions: FloatArray
    brevity_penalty: FloatArray
    length_ratio: FloatArray


def bleu_score(
    statistics: npt.NDArray[np.number], options: BleuOptions, last: npt.NDArray[np.number] | None = None
) -> BleuScore:
    """Compute BLEU from matches and totals per order and the two lengths.

    BLEU = BP exp(sum of w_n log p_n), 0 if any p_n with w_n > 0 is 0; BP is 1 for a
    hypothesis longer than its reference, else exp(1 - reference length / hypothesis length),
    and 0 for a hypothesis without tokens.

    Parameters
    ----------
    statistics : shape (..., 2 * options.counted_orders + 2)
        Matches of every order, totals of every order, hypothesis and reference length.
    options : BleuOptions
    last : shape (2 * options.counted_orders + 2,) or None
        The row of the last segment of a corpus, which counting="nltk" uses; None if the
        statistics are those of single segments.

    References
    ----------
    Papineni et al. (2002), BLEU, section 2.3.
    """
    counts = _ngram_counts(statistics, options, statistics if last is None else last)
    method = options.method
    precisions = method.precisions(counts, options.smooth_value or 0.0)
    if options.counting == "mteval":
        precisions = np.where(counts.totals > 0, precisions, 1.0)
    elif options.smoothing != "add-one":
        # As in sacreBLEU and nltk, before smoothing.
        precisions = np.where(counts.matches[..., :1] > 0, precisions, 0.0)
    has_ngrams = (counts.totals > 0) | (method.adds_to_totals and options.smooth_value != 0)
    mean = _geometric_mean(precisions, has_ngrams, options)
    hyp_length, ref_length = statistics[..., -2], statistics[..., -1]
    penalty = _brevity_penalty(hyp_length, ref_length)
    nothing = (precisions == 0).all(axis=-1)
    if options.counting in ("plain", "mteval"):
        # Else smoothing would credit a match with nothing.
        nothing |= np.asarray(ref_length) == 0
    return BleuScore(np.where(nothing, 0.0, mean * penalty), precisions, penalty, share(hyp_length, ref_length))


def order_statistics(
    statistics: npt.NDArray[np.number], options: BleuOptions, order: int
) -> tuple[npt.NDArray[np.number], BleuOptions]:
    """Return the statistics and options of BLEU-`order` from those of BLEU-`max_order`."""
    lower = replace(options, max_order=order)
    have, want = options.counted_orders, lower.counted_orders
    parts = (statistics[..., :want], statistics[..., have : have + want], statistics[..., -2:])
    return np.concatenate(parts, axis=-1), lower


def _ngram_counts(
    statistics: npt.NDArray[np.number], options: BleuOptions, last: npt.NDArray[np.number]
) -> NgramCounts:
    order, counted = options.max_order, options.counted_orders
    matches, totals = statistics[..., :counted], statistics[..., counted : 2 * counted]
    length = statistics[..., -2]
    hypothesis_totals, next_precision = totals[..., :order], np.zeros(())
    if options.counting == "nltk":
        hypothesis_totals = np.maximum(last[..., -2, None] - np.arange(order), 0)
    if options.smoothing in LOOKS_ONE_ORDER_HIGHER:
        source, above = (last, NLTK_NEXT_ORDER) if options.counting == "nltk" else (statistics, order + 1)
        next_precision = share(source[..., above - 1], source[..., counted + above - 1])
    return NgramCounts(matches[..., :order], totals[..., :order], length, next_precision, hypothesis_totals)


def _geometric_mean(precisions: FloatArray, has_ngrams: npt.NDArray[np.bool_], options: BleuOptions) -> FloatArray:
    weights = options.used_weights
    if options.weights is not None:
        used = np.asarray(options.weights) > 0
        precisions, has_ngrams = precisions[..., used], has_ngrams[..., used]
    is_zero = precisions == 0
    logs = np.log(np.where(is_zero, 1.0, precisions))
    if not options.effective_order:
        mean = np.exp((logs * weights).sum(axis=-1))
        return mean if options.counting == "nltk" else np.where(is_zero.any(axis=-1), 0.0, mean)
    kept = weights * has_ngrams
    shared = share(kept * weights.sum(), kept.sum(axis=-1, keepdims=True))
    mean = np.exp((logs * shared).sum(axis=-1))
    is_zero &= shared > 0
    if options.counting != "nltk":
        mean = np.where(is_zero.any(axis=-1), 0.0, mean)
    return np.where(kept.any(axis=-1), mean, 0.0)


def _brevity_penalty(hyp_length: npt.NDArray[np.number], ref_length: npt.NDArray[np.number]) -> FloatArray:
    # Lengths are 0 or at least 1.
    penalty = np.exp(np.minimum(1 - ref_length / np.maximum(hyp_length, 1), 0.0))
    return np.where(hyp_length > 0, penalty, 0.0)
