"""A corpus of which only sums are left: exact, in any order and in any number of parts."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from ..checks import fail
from ..resampling import percentile_interval
from ..scores.exact_sums import rounded
from .averages import AveragedScores

# What `score` reports without the segments.
REPORTS = ("all_orders", "detailed", "signature")


def summands(measure: Any) -> FloatArray:
    """Return what the scores of a corpus are made of, and a 1 for each segment.

    Parameters
    ----------
    measure : an accumulator of `measures`

    Returns
    -------
    float64, shape (n_segments, n_columns + 1)
        Counts for BLEU; for a measure that averages, the scores of the segments.

    Raises
    ------
    ValueError
        For options that look at the last segment: sums have none.
    """
    is_averaged = isinstance(measure, AveragedScores)
    columns = measure.segment_scores() if is_averaged else measure.additive
    return np.column_stack((columns.reshape(len(columns), -1), np.ones(len(columns))))


def summed(measure: Any, sums: npt.NDArray[np.object_], n_references: frozenset[int]) -> Any:
    """Return a copy of an empty measure whose `score` is that of the summed segments.

    Equal to the score of a measure that took all the segments, to the last bit.

    Parameters
    ----------
    measure : an accumulator of `measures`
    sums : whole numbers as `from_digits` gives them, shape (n_columns + 1,)
        Of `summands`.
    n_references : frozenset of int
        What `reference_counts` gave for the batches, united.
    """
    one = copy.copy(measure)
    one._n_references = n_references
    if isinstance(one, AveragedScores):
        means = rounded(sums[:-1], int(rounded(sums[-1:])[0]))
        one._means = means.reshape(_axes(one, means.size))
        return one
    row = rounded(sums[:-1])
    # Only the average of reference lengths is no whole number.
    one._batches = [row[None] if one.options.reference_length == "average" else row[None].astype(np.int64)]
    return one


def intervals(measure: Any, sums: FloatArray, confidence: float, *, detailed: bool = False) -> dict[str, Any]:
    """Return the percentile intervals that `score` has, from resampled sums of `summands`.

    Parameters
    ----------
    sums : float64, shape (n_resamples, n_columns + 1)
        A resample without any segment has no score and is left out.
    """
    sums = sums[sums[:, -1] > 0]
    if len(sums) == 0:
        fail(ValueError, "n_resamples", "enough for one that draws any of so few segments", "none that does")
    is_averaged = isinstance(measure, AveragedScores)
    if is_averaged:
        means = sums[:, :-1] / sums[:, -1:]
        means = means.reshape(-1, *_axes(measure, means.shape[1]))
        form = {"detailed": True} if detailed else {}
        return {"confidence_intervals": measure.by_name(percentile_interval(means, confidence).tolist(), **form)}
    scores = measure.corpus_scores(sums[:, :-1])["bleu"]
    return {"confidence_interval": percentile_interval(scores, confidence).tolist()}


def _axes(measure: AveragedScores, n_columns: int) -> tuple[int, ...]:
    """Return the shape of the scores of a segment: one figure for every name, or several."""
    n_names = len(measure.score_names)
    return (n_names,) if n_columns == n_names else (n_names, n_columns // n_names)
