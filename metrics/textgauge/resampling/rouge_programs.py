"""The averages of two ROUGE programs, draw for draw: the reference `rouge` module, and the script ROUGE-1.5.5."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .. import engine
from ..arrays import Counts, FloatArray
from .draws import seed_of
from .intervals import N_RESAMPLES

_BLOCK = 1 << 21
_WORD = 1 << 32
_MULTIPLIER, _INCREMENT = np.uint64(0x5DEECE66D), np.uint64(0xB)
_MODULUS = 1 << 48
_SEED_LOW = 0x330E


def median_of_bootstrap_means(scores: FloatArray, seed: int | None) -> FloatArray:
    """Return the aggregate of the reference `rouge` module for the same seed.

    Parameters
    ----------
    scores : float64, shape (n_segments, n_types, 3)
    seed : int or None
        See `seed_of`; seeds NumPy's legacy generator, which the reference uses and which takes 32
        bits. A larger seed, which the reference refuses, is passed as an array of 32-bit words.

    Returns
    -------
    float64, shape (n_types, 3)
        The median over 1,000 resamples of the mean of each score.
    """
    generator = np.random.RandomState(_words(seed_of(seed)))
    n_segments, n_types, n_parts = scores.shape
    medians = np.zeros((n_types, n_parts))
    block = max(1, _BLOCK // n_segments)
    for i in range(n_types):
        means = np.zeros((N_RESAMPLES, n_parts))
        for start in range(0, N_RESAMPLES, block):
            drawn = generator.randint(0, n_segments, (min(block, N_RESAMPLES - start), n_segments))
            for part in range(n_parts):
                means[start : start + block, part] = _sums_in_order(scores[:, i, part], drawn) / n_segments
        medians[i] = np.percentile(means, 50, axis=0)
    return medians


def _sums_in_order(scores: FloatArray, drawn: npt.NDArray[np.integer]) -> FloatArray:
    """Sum resamples sequentially, as the reference does: equal to the last bit.

    NumPy adds pairwise along a contiguous axis, so draws are columns here, and there are at least
    two.
    """
    columns = np.ascontiguousarray(np.broadcast_to(drawn, (max(2, len(drawn)), drawn.shape[1])).T)
    return np.add.reduce(scores[columns], axis=0)[: len(drawn)]


def _words(seed: int) -> int | list[int]:
    if seed < _WORD:
        return seed
    return [seed // _WORD**i % _WORD for i in range(-(-seed.bit_length() // 32))]


class Interval(NamedTuple):
    """An average and its interval, which the script prints with five decimals."""

    average: FloatArray
    low: FloatArray
    high: FloatArray


def sums_of_script(rows: FloatArray, n_resamples: int = N_RESAMPLES) -> FloatArray:
    """Return the sums of the resamples that the script draws, added in the order of the draws.

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
    >>> [round(float(part[0]), 5) for part in interval(sums_of_script(rows) / 4)]
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


def average_of_scores(scores: FloatArray, n_resamples: int = N_RESAMPLES, confidence: float = 95.0) -> Interval:
    """Average scores over evaluations (-t 0).

    Parameters
    ----------
    scores : float64, shape (n_segments, n_types, 3)

    Returns
    -------
    Interval
        Each part float64, shape (n_types, 3).
    """
    sums = sums_of_script(scores.reshape(len(scores), -1), n_resamples)
    return _rounded(interval(sums / max(len(scores), 1), confidence), scores.shape[1:])


def average_of_counts(
    counts: Counts, alpha: float, n_resamples: int = N_RESAMPLES, confidence: float = 95.0
) -> Interval:
    """Score counts summed over evaluations (-t 1); the weights of ROUGE-W are not converted back to lengths.

    Parameters
    ----------
    counts : shape (n_segments, n_types, 3)
        Matches, hypothesis units and reference units.

    Returns
    -------
    Interval
        Each part float64, shape (n_types, 3): precision, recall and F.
    """
    sums = sums_of_script(counts.reshape(len(counts), -1).astype(np.float64), n_resamples)
    samples = engine.kernel.f_scores(sums, [1.0] * counts.shape[1], alpha=alpha)
    return _rounded(interval(np.ascontiguousarray(np.transpose(samples)), confidence), counts.shape[1:])


def _rounded(parts: Interval, shape: tuple[int, ...]) -> Interval:
    return Interval(*(np.reshape(engine.kernel.five_decimals(part.reshape(-1)), shape) for part in parts))
