"""Perplexity from its statistics."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray

COLUMNS = ("nll", "n_tokens", "n_bytes", "n_words")


class PerplexityScore(NamedTuple):
    """Perplexity and bits, each with the leading axes of the statistics; NaN is undefined."""

    perplexity: FloatArray
    bits_per_token: FloatArray
    bits_per_byte: FloatArray
    bits_per_word: FloatArray


def perplexity_score(statistics: npt.NDArray[np.float64]) -> PerplexityScore:
    """Compute perplexity, exp(nll / n_tokens), and bits per unit, nll / (n_units ln 2).

    At least 1, unbounded, lower is better. Without tokens the perplexity is undefined, without
    bytes or words the bits per byte or word are: NaN. A token of probability 0 makes both
    infinite.

    Parameters
    ----------
    statistics : float64, shape (..., 4)
        Negative log-likelihood in nats, then the numbers of tokens, bytes and words; bytes and
        words are NaN if the texts are unknown. Additive: the sum over a corpus yields the corpus
        perplexity.

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
    per_unit = nats_per_unit(np.broadcast_to(nll, units.shape), units)
    bits = per_unit / np.log(2)
    with np.errstate(over="ignore"):
        perplexity = np.exp(per_unit[..., 0])
    return PerplexityScore(perplexity, bits[..., 0], bits[..., 1], bits[..., 2])


def nats_per_unit(nll: FloatArray, n_units: npt.NDArray[np.number]) -> FloatArray:
    """Divide nats by numbers of units of the same shape; NaN without units."""
    return np.divide(nll, n_units, out=np.full(np.shape(nll), np.nan), where=np.asarray(n_units) > 0)
