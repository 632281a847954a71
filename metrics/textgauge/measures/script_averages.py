"""The averages that the ROUGE-1.5.5 script prints."""

from __future__ import annotations

import numpy as np

from .. import engine
from ..arrays import Counts, FloatArray
from ..resampling.script import N_RESAMPLES, Interval, interval, resampled_sums


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
    sums = resampled_sums(scores.reshape(len(scores), -1), n_resamples)
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
    sums = resampled_sums(counts.reshape(len(counts), -1).astype(np.float64), n_resamples)
    samples = engine.kernel.f_scores(sums, [1.0] * counts.shape[1], alpha=alpha)
    return _rounded(interval(np.asarray(samples), confidence), counts.shape[1:])


def _rounded(parts: Interval, shape: tuple[int, ...]) -> Interval:
    return Interval(*(np.reshape(engine.kernel.five_decimals(part.reshape(-1)), shape) for part in parts))
