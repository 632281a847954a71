"""BLEU from its statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..checks import fail, flag, one_of, positive_int, shown
from .rouge import FloatArray, share

REFERENCE_LENGTHS = ("shortest", "closest", "average")


@dataclass(frozen=True)
class BleuOptions:
    """What can move a BLEU score, apart from the tokenizer.

    Attributes
    ----------
    max_order : int
        The highest n-gram order.
    smooth : bool
        Add one to matches and totals of every order (Lin and Och 2004).
    reference_length : "shortest", "closest" or "average"
        Which of several references the brevity penalty looks at. "shortest" is what the
        reference `bleu` module (tensorflow/nmt) does; Papineni's paper, mteval and
        sacreBLEU take the closest, of equally close ones the shorter.
    weights : sequence of float or None
        One weight per order; None is 1 / max_order each.
    """

    max_order: int = 4
    smooth: bool = False
    reference_length: str = "shortest"
    weights: Sequence[float] | None = None

    def __post_init__(self) -> None:
        """Check every option."""
        positive_int("max_order", self.max_order)
        flag("smooth", self.smooth)
        one_of("reference_length", self.reference_length, REFERENCE_LENGTHS)
        if self.weights is None:
            return
        weights = np.asarray(self.weights, np.float64)
        if weights.shape != (self.max_order,):
            fail(ValueError, "weights", f"{self.max_order} weights, one per order", shown(self.weights))
        if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
            fail(ValueError, "weights", "finite weights of at least 0, not all of them 0", shown(self.weights))


class BleuScore(NamedTuple):
    """BLEU and its parts, each with the leading axes of the statistics."""

    bleu: FloatArray
    precisions: FloatArray
    brevity_penalty: FloatArray
    length_ratio: FloatArray


def bleu_score(statistics: npt.NDArray[np.number], options: BleuOptions) -> BleuScore:
    """Compute BLEU from matches and totals per order and the two lengths.

    BLEU = BP exp(sum of w_n log p_n), 0 if any p_n with a weight is 0; BP is 1 for a
    hypothesis longer than its reference, else exp(1 - reference / hypothesis length),
    and 0 for a hypothesis without tokens. References without tokens give 0.

    Parameters
    ----------
    statistics : shape (..., 2 * max_order + 2)
        Matches of every order, totals of every order, hypothesis and reference length.
    options : BleuOptions

    References
    ----------
    Papineni et al. (2002), BLEU, section 2.3; Lin and Och (2004), ORANGE, section 3.
    """
    order = options.max_order
    matches, totals = statistics[..., :order], statistics[..., order : 2 * order]
    hyp_length, ref_length = statistics[..., -2], statistics[..., -1]
    if options.smooth:
        matches, totals = matches + 1.0, totals + 1.0
    precisions = share(matches, totals)
    weights = np.full(order, 1 / order) if options.weights is None else np.asarray(options.weights, np.float64)
    used = weights > 0
    with np.errstate(divide="ignore"):
        log_mean = (np.log(precisions[..., used]) * weights[used]).sum(axis=-1)
    penalty = _brevity_penalty(hyp_length, ref_length)
    # Smoothing alone would credit a comparison with nothing.
    bleu = np.where(np.asarray(ref_length) > 0, np.exp(log_mean) * penalty, 0.0)
    return BleuScore(bleu, precisions, penalty, share(hyp_length, ref_length))


def _brevity_penalty(hyp_length: npt.NDArray[np.number], ref_length: npt.NDArray[np.number]) -> FloatArray:
    hyp_length, ref_length = np.asarray(hyp_length), np.asarray(ref_length)
    ratio = np.full(hyp_length.shape, np.inf)
    np.divide(ref_length, hyp_length, out=ratio, where=hyp_length > 0)
    return np.exp(np.minimum(1 - ratio, 0.0))
