"""The bootstrap of the ROUGE-1.5.5 script, draw for draw, from which it computes its averages.

Resample i uses Perl's generator with the seed i, the 48-bit linear congruential generator
of POSIX (drand48).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray

N_RESAMPLES = 1000
_MULTIPLIER, _INCREMENT = np.uint64(0x5DEECE66D), np.uint64(0xB)
_MODULUS = 1 << 48
_SEED_LOW = 0x330E


class Interval(NamedTuple):
    """An average and its interval, which the script prints with five decimals."""

    average: FloatArray
    low: FloatArray
    high: FloatArray


def resampled_sums(rows: FloatArray, n_resamples: int = N_RESAMPLES) -> FloatArray:
    """Return the sums of resamples of the rows, added in the order of the draws.

    Parameters
    ----------
    rows : float64, shape (n_segments, n_columns)
        One per evaluation, in the script's order: sorted by "evaluation.peer" as strings.

    Returns
    -------
    float64, shape (n_resamples, n_columns)
    """
    state = np.arange(n_resamples, dtype=np.uint64) * np.uint64(1 << 16) + np.uint64(_SEED_LOW)
    sums = np.zeros((n_resamples, rows.shape[1]))
    for _ in range(len(rows)):
        # Overflow at 2^64 does not change the remainder modulo 2^48.
        state = (state * _MULTIPLIER + _INCREMENT) & np.uint64(_MODULUS - 1)
        sums += rows[(state.astype(np.float64) / _MODULUS * len(rows)).astype(np.int64)]
    return sums


def interval(samples: FloatArray, confidence: float = 95.0) -> Interval:
    """Return the mean of the resamples and the bounds of the middle `confidence` percent.

    As in the script, both bounds are interpolated with the fraction of the upper one, and a bound
    beyond the last resample is read as 0.

    Parameters
    ----------
    samples : float64, shape (n_resamples, n_columns)

    Examples
    --------
    >>> rows = np.array([[0.25], [0.5], [0.75], [1.0]])
    >>> [round(float(part[0]), 5) for part in interval(resampled_sums(rows) / 4)]
    [0.62587, 0.375, 0.875]
    """
    n = len(samples)
    ranked = np.sort(samples, axis=0)
    padded = np.concatenate((ranked, np.zeros((2, samples.shape[1]))))
    tail = n * ((100 - confidence) / 2.0) / 100.0
    upper, lower = int(n - tail - 1), int(tail)
    fraction = n - tail - 1 - upper
    low, high = (padded[at] + (padded[at + 1] - padded[at]) * fraction for at in (lower, upper))
    # Sequentially, smallest first, to equal the script's to the last bit.
    average = np.cumsum(ranked, axis=0)[-1] / n
    return Interval(average, low, high)
