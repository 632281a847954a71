"""The tokens that a union over sentences has marked, counted by rouge_score and by ROUGE-1.5.5."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..ragged import IntArray, lengths_of, offsets_of
from .bits import Flags
from .groups import Groups, Sides, sorted_groups
from .marks import union_marks, weighted_union_marks
from .weighted import Floats


def union_lcs_hits(groups: Groups, sides: Sides, limits: IntArray | None = None) -> IntArray:
    """Count, per segment, the tokens of ROUGE-Lsum's union LCS; the texts of `sides` are sentences.

    A reference token is marked where one LCS of its sentence with any hypothesis sentence
    touches it; over all sentences a token counts at most as often as the hypothesis has it.

    Parameters
    ----------
    limits : int64, shape (n_groups,), optional
        How often the tokens of each group can count instead.

    Returns
    -------
    int64, shape (n_segments,)

    References
    ----------
    Lin (2004), ROUGE, section 3.2.
    """
    if len(groups) == 0:
        return np.zeros(sides.n_segments, np.int64)
    is_marked = union_marks(groups, sides)[groups.positions].astype(np.int64)
    hits = np.minimum(np.add.reduceat(is_marked, groups.opens[:-1]), groups.sizes[0] if limits is None else limits)
    return np.bincount(groups.segments(sides), hits, minlength=sides.n_segments).astype(np.int64)


def weighted_union_hits(groups: Groups, sides: Sides, weight: float, limits: IntArray | None = None) -> Floats:
    """Sum, per segment, the weights of the runs of marked tokens; the texts of `sides` are sentences.

    Reference tokens are marked where the weighted LCS of their sentence with any hypothesis
    sentence touches them. From the left, a marked token counts while both sides still have
    an uncounted one of its kind. A run of k counted tokens adds k^weight when the token
    behind it is unmarked or the sentence ends; a marked token that does not count neither
    adds to a run nor ends it.

    Parameters
    ----------
    limits : int64, shape (n_groups,), optional
        How often the tokens of each group can count; else as often as both sides have them.

    Returns
    -------
    float64, shape (n_segments,)

    References
    ----------
    ROUGE-1.5.5.pl, wlcs; Lin (2004), ROUGE, section 4, has no union.
    """
    hits = np.zeros(sides.n_segments)
    if len(groups) == 0:
        return hits
    marked = weighted_union_marks(groups, sides, weight)
    allowed = np.minimum(*groups.sizes) if limits is None else limits
    counted = _counted(marked, groups, allowed)
    text_of = sides.text_of
    ends = np.ones(len(marked), bool)
    ends[:-1] = ~marked[1:] | (text_of[1:] != text_of[:-1])
    closes = np.flatnonzero(counted & ends)
    before = offsets_of(counted)
    # A run holds what was counted since the last one closed, within its sentence.
    opens = offsets_of(np.bincount(text_of))[text_of[closes]]
    opens[1:] = np.maximum(opens[1:], closes[:-1] + 1)
    runs = before[closes + 1] - before[opens]
    hits += np.bincount(sides.segment_of[closes], runs.astype(np.float64) ** weight, minlength=sides.n_segments)
    return hits


def _counted(marked: Flags, groups: Groups, limits: IntArray) -> Flags:
    """Keep the first marked tokens of every group, as many as its limit."""
    counted = np.zeros(len(marked), bool)
    is_marked = marked[groups.positions]
    ranks = offsets_of(is_marked)
    rank = ranks[:-1] - np.repeat(ranks[groups.opens[:-1]], lengths_of(groups.opens))
    counted[groups.positions[is_marked & (rank < np.repeat(limits, lengths_of(groups.opens)))]] = True
    return counted


def limits_elsewhere(groups: Groups, sides: Sides, other: Groups, other_sides: Sides) -> IntArray:
    """Return how often the tokens of each group stand on both sides of other texts of the same segments.

    Returns
    -------
    int64, shape (n_groups,)
    """
    limits = np.zeros(len(groups), np.int64)
    values = np.concatenate((_values(groups, sides), _values(other, other_sides)))
    segments = np.concatenate((groups.segments(sides), other.segments(other_sides)))
    _, kinds = np.unique(values, return_inverse=True)
    order, is_new = sorted_groups(segments * (int(kinds.max(initial=0)) + 1) + kinds)
    found = np.flatnonzero(~is_new)
    limits[order[found - 1]] = np.minimum(*other.sizes)[order[found] - len(groups)]
    return limits


def _values(groups: Groups, sides: Sides) -> npt.NDArray[np.uint64]:
    """Return the token that each group has in common."""
    return sides.values[groups.positions[groups.splits]]
