"""Perplexity from its statistics."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray

COLUMNS = ("nll", "n_tokens", "n_bytes", "n_words")


class PerplexityScore(NamedTuple):
    """Perplexity and its bits, each with the leading axes of the statistics; NaN is undefined."""

    perplexity: FloatArray
    bits_per_token: FloatArray
    bits_per_byte: FloatArray
    bits_per_word: FloatArray


def perplexity_score(statistics: npt.NDArray[np.float64]) -> PerplexityScore:
    """Compute perplexity, exp(nll / n_tokens), and bits per unit, nll / (n_units ln 2).

    Unbounded, at least 1, lower is better. A text without tokens has no perplexity, one
    without bytes or words no bits per byte or word: NaN. A token of probability 0 makes
    both infinite.

    Parameters
    ----------
    statistics : float64, shape (..., 4)
        Negative log-likelihood in nats, then how many tokens, bytes and words it is spread
        over; bytes and words are NaN where the texts are not known. Additive: pooled
        over a corpus the first value is the corpus perplexity.

    References
    ----------
    Jelinek et al. (1977), Perplexity: a measure of the difficulty of speech recognition
    tasks.

    Examples
    --------
    >>> statistics = np.array([-np.log(1/2 * 1/4 * 1/8), 3, 8, 2])
    >>> score = perplexity_score(statistics)
    >>> float(score.perplexity), float(score.bits_per_token), float(score.bits_per_word)
    (4.0, 2.0, 3.0)
    """
    nll = statistics[..., :1]
    units = statistics[..., 1:]
    per_unit = np.full(units.shape, np.nan)
    np.divide(nll, units, out=per_unit, where=units > 0)
    bits = per_unit / np.log(2)
    with np.errstate(over="ignore"):
        perplexity = np.exp(per_unit[..., 0])
    return PerplexityScore(perplexity, bits[..., 0], bits[..., 1], bits[..., 2])
