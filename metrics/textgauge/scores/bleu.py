"""BLEU from its statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..checks import fail, flag, non_negative_float, one_of, positive_int, shown
from .rouge import FloatArray, share
from .smoothing import DIVIDES_BY_VALUE, LOOKS_ONE_ORDER_HIGHER, SMOOTHINGS, NgramCounts

REFERENCE_LENGTHS = ("shortest", "closest", "average")
COUNTINGS = ("plain", "sacrebleu", "mteval", "nltk")
# The order that nltk's methods 5 and 7 put behind the highest one, whatever that is.
NLTK_NEXT_ORDER = 5


@dataclass(frozen=True)
class BleuOptions:
    """What can move a BLEU score once the text is tokens.

    Attributes
    ----------
    max_order : int
        The highest n-gram order.
    smoothing : str
        What stands in for a precision of 0. With m matches of t n-grams of one order:

        - "none": m / t, so one order without a match makes BLEU 0;
        - "add-one": (m + 1) / (t + 1) at every order (Lin and Och 2004, as `smooth=True`);
        - "add-k", also "chen-cherry-2": (m + k) / (t + k) above unigrams, k = 1;
        - "floor", also "chen-cherry-1": 0.1 / t for m = 0;
        - "exp", also "chen-cherry-3": 1/2t, 1/4t, ... for the first, second, ... order with m = 0;
        - "epsilon": 1e-10 for m = 0;
        - "chen-cherry-4": as exp, times ln(hypothesis length) / K, K = 5;
        - "chen-cherry-5": the mean of a precision and its two neighbours;
        - "chen-cherry-6": from order 3 on drawn towards p(n-1)^2 / p(n-2) with weight alpha = 5;
        - "chen-cherry-7": 5 after 4.

        Only "add-one" credits a hypothesis that shares no token with its references.
    smooth_value : float or None
        The number in the list above (k, 0.1, 1e-10, K or alpha); None is the one there.
    effective_order : bool
        Leave out the orders of which the hypothesis has no n-gram, and share their weight.
    weights : sequence of float or None
        One weight per order; None is 1 / max_order each.
    reference_length : "shortest", "closest" or "average"
        Which of several references the brevity penalty looks at. "shortest" is what the
        reference `bleu` module (tensorflow/nmt) does; Papineni's paper, mteval and
        sacreBLEU take the closest, of equally close ones the shorter.
    counting : "plain", "sacrebleu", "mteval" or "nltk"
        What counts where there is nothing to count.

        - "plain": an order without n-grams has precision 0, references without tokens give 0;
        - "sacrebleu": of these only the first, a match with such references has no penalty;
        - "mteval": an order without n-grams has precision 1, and text that shares no token
          is smoothed like any other;
        - "nltk": every segment has at least one n-gram of every order; orders with a smoothed
          precision of 0 are left out; references without tokens as in "sacrebleu"; in a
          corpus, methods 5 to 7 look at the last segment's n-grams.

    References
    ----------
    Chen and Cherry (2014), A systematic comparison of smoothing techniques for
    sentence-level BLEU, section 2, as nltk's `SmoothingFunction` reads it.
    """

    max_order: int = 4
    smoothing: str = "none"
    smooth_value: float | None = None
    effective_order: bool = False
    weights: Sequence[float] | None = None
    reference_length: str = "shortest"
    counting: str = "plain"

    def __post_init__(self) -> None:
        """Check every option."""
        positive_int("max_order", self.max_order)
        one_of("smoothing", self.smoothing, SMOOTHINGS)
        flag("effective_order", self.effective_order)
        one_of("reference_length", self.reference_length, REFERENCE_LENGTHS)
        one_of("counting", self.counting, COUNTINGS)
        default = SMOOTHINGS[self.smoothing].value
        if self.smooth_value is None:
            object.__setattr__(self, "smooth_value", default)
        elif default is None:
            fail(
                ValueError, "smooth_value", f"None: smoothing {self.smoothing!r} has no value", shown(self.smooth_value)
            )
        elif non_negative_float("smooth_value", self.smooth_value) == 0 and self.smoothing in DIVIDES_BY_VALUE:
            fail(ValueError, "smooth_value", f"a number above 0 for {self.smoothing!r}", shown(self.smooth_value))
        if self.weights is not None:
            object.__setattr__(self, "weights", self._checked_weights())

    def _checked_weights(self) -> tuple[float, ...]:
        weights = np.asarray(self.weights, np.float64)
        if weights.shape != (self.max_order,):
            fail(ValueError, "weights", f"{self.max_order} weights, one per order", shown(self.weights))
        if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
            fail(ValueError, "weights", "finite weights of at least 0, not all of them 0", shown(self.weights))
        return tuple(weights.tolist())

    @property
    def counted_orders(self) -> int:
        """The orders that the statistics hold: some smoothing looks above `max_order`."""
        if self.smoothing not in LOOKS_ONE_ORDER_HIGHER:
            return self.max_order
        return max(self.max_order, NLTK_NEXT_ORDER) if self.counting == "nltk" else self.max_order + 1


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

    BLEU = BP exp(sum of w_n log p_n), 0 if any p_n with a weight is 0; BP is 1 for a
    hypothesis longer than its reference, else exp(1 - reference / hypothesis length),
    and 0 for a hypothesis without tokens.

    Parameters
    ----------
    statistics : shape (..., 2 * options.counted_orders + 2)
        Matches of every order, totals of every order, hypothesis and reference length.
    options : BleuOptions
    last : shape (2 * options.counted_orders + 2,) or None
        The row of a corpus' last segment, which counting="nltk" looks at; None where the
        statistics are those of single segments.

    References
    ----------
    Papineni et al. (2002), BLEU, section 2.3.
    """
    counts = _ngram_counts(statistics, options, statistics if last is None else last)
    method = SMOOTHINGS[options.smoothing]
    precisions = method.precisions(counts, options.smooth_value or 0.0)
    if options.counting == "mteval":
        precisions = np.where(counts.totals > 0, precisions, 1.0)
    elif options.smoothing != "add-one":
        # As sacreBLEU and nltk do before they smooth.
        precisions = np.where(counts.matches[..., :1] > 0, precisions, 0.0)
    has_ngrams = (counts.totals > 0) | (method.adds_to_totals and options.smooth_value != 0)
    mean = _geometric_mean(precisions, has_ngrams, options)
    hyp_length, ref_length = statistics[..., -2], statistics[..., -1]
    penalty = _brevity_penalty(hyp_length, ref_length)
    nothing = (precisions == 0).all(axis=-1)
    if options.counting in ("plain", "mteval"):
        # Smoothing alone would credit a comparison with nothing.
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
    order = options.max_order
    weights = np.full(order, 1 / order) if options.weights is None else np.asarray(options.weights)
    used = weights > 0
    precisions, weights = precisions[..., used], weights[used]
    if options.effective_order:
        kept = weights * has_ngrams[..., used]
        weights = share(kept * weights.sum(), kept.sum(axis=-1, keepdims=True))
    left_out = precisions == 0 if options.counting == "nltk" else weights == 0
    with np.errstate(divide="ignore"):
        logs = np.log(np.where(left_out, 1.0, precisions))
    mean: FloatArray = np.exp((logs * weights).sum(axis=-1))
    return np.where((np.zeros_like(logs) + weights).any(axis=-1), mean, 0.0)


def _brevity_penalty(hyp_length: npt.NDArray[np.number], ref_length: npt.NDArray[np.number]) -> FloatArray:
    hyp_length, ref_length = np.asarray(hyp_length), np.asarray(ref_length)
    ratio = np.full(hyp_length.shape, np.inf)
    np.divide(ref_length, hyp_length, out=ratio, where=hyp_length > 0)
    return np.exp(np.minimum(1 - ratio, 0.0))
