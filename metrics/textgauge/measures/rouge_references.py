"""Several references: one set of counts per segment, or several whose scores are averaged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ragged import FloatArray, IntArray, Ragged, lengths_of, offsets_of
from ..scores.rouge import best_rows
from .rouge_pairs import Counts

Merits = Callable[[Counts], FloatArray]


def over_references(
    counts: Counts, offsets: IntArray, rule: str, *, jackknife: bool, merits: Merits
) -> tuple[Counts, IntArray]:
    """Bring the counts of several references together.

    Parameters
    ----------
    counts : shape (n_pairs, n_types, 3)
    offsets : int64, shape (n_segments + 1,)
        The pairs of every segment.
    rule : "best", "average" or "pooled"
    jackknife : bool
    merits : callable
        From counts to what the best reference has most of: float64, shape (n_pairs, n_types).

    Returns
    -------
    counts : shape (n_trials, n_types, 3)
    n_trials : int64, shape (n_segments,)
        A segment's score is the mean over its trials: one, unless references are averaged
        or left out in turn.
    """
    n_references = lengths_of(offsets)
    if len(counts) == len(n_references):
        return counts, n_references
    if rule == "average":
        # Leaving out each in turn gives every one the same share in the mean.
        return counts, n_references
    trials = Ragged(np.arange(len(counts)), offsets)
    n_trials = np.ones(len(n_references), np.int64)
    if jackknife:
        trials, n_trials = _leaving_one_out(n_references, offsets)
    if rule == "pooled":
        return np.add.reduceat(counts[trials.values], trials.offsets[:-1]), n_trials
    return best_rows(counts[trials.values], merits(counts)[trials.values], trials.offsets), n_trials


def _leaving_one_out(n_references: IntArray, offsets: IntArray) -> tuple[Ragged, IntArray]:
    """Return the pairs of every trial and the number of trials per segment; a single reference stays."""
    n_members = np.repeat(np.maximum(n_references - 1, 1), n_references)
    ends = offsets_of(n_members)
    rank = np.arange(ends[-1]) - np.repeat(ends[:-1], n_members)
    left_out = np.arange(offsets[-1]) - np.repeat(offsets[:-1], n_references)
    is_single = np.repeat(n_references == 1, n_references)
    member = rank + ((rank >= np.repeat(left_out, n_members)) & ~np.repeat(is_single, n_members))
    first = np.repeat(np.repeat(offsets[:-1], n_references), n_members)
    return Ragged(first + member, ends), n_references
