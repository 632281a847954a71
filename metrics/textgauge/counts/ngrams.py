"""Clipped n-gram matches and n-gram totals, per segment and order."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..ragged import IntArray, Ragged
from .groups import Groups, Sides, longer_groups
from .masks import Masks


def ngram_matches(sides: Sides, orders: int, masks: Masks | None = None) -> IntArray:
    """Count, in every segment, the hypothesis n-grams that the references also have.

    An n-gram seen h times in the hypothesis and at most r times in any one reference of
    the segment counts min(h, r) times: BLEU's modified-precision numerator and, with one
    reference per segment, ROUGE-N's match.

    Parameters
    ----------
    sides : Sides
    orders : int
        The highest order; all orders from 1 to it are counted.
    masks : Masks, optional
        Those of `sides`, where they are known.

    Returns
    -------
    int64, shape (n_segments, orders)
        Additive: the corpus count is the sum.

    References
    ----------
    Papineni et al. (2002), BLEU, section 2.1.

    Examples
    --------
    >>> the = Ragged.from_rows([[0] * 7])               # the the the the the the the
    >>> refs = Ragged.from_rows([[0, 1, 2, 3, 0, 4], [5, 2, 6, 1, 3, 0, 4]])
    >>> ngram_matches(Sides.of(the, refs, np.array([0, 2])), orders=2)
    array([[2, 0]])
    """
    masks = Masks.of(sides) if masks is None else masks
    counts = np.zeros((sides.n_segments, orders), np.int64)
    for block in masks.blocks:
        counts[block.segments] = block.matches(orders)
    if len(masks.wide):
        counts[masks.wide] = _grouped_matches(masks.wide_unigrams, masks.wide_sides, orders)
    return counts


def _grouped_matches(groups: Groups, sides: Sides, orders: int) -> IntArray:
    counts = np.zeros((sides.n_segments, orders), np.int64)
    for order in range(orders):
        if order:
            groups = longer_groups(groups, sides)
        if len(groups) == 0:
            break
        counts[:, order] = clipped(groups, sides)
    return counts


def clipped(groups: Groups, sides: Sides) -> IntArray:
    """Sum min(hypothesis count, largest count in one reference) over the groups of a segment."""
    in_hypothesis, in_reference = groups.sizes
    texts = sides.text_of[groups.positions]
    several = texts[groups.splits] != texts[groups.opens[1:] - 1]
    if several.any():
        in_reference[several] = largest_counts(groups.where(several), sides)
    weights = np.minimum(in_hypothesis, in_reference)
    return np.bincount(groups.segments(sides), weights, minlength=sides.n_segments).astype(np.int64)


def run_opens(groups: Groups, sides: Sides) -> npt.NDArray[np.bool_]:
    """Say where in a group the occurrences of another text begin: shape (n_occurrences,)."""
    texts = sides.text_of[groups.positions]
    opens_run = np.ones(len(texts), bool)
    np.not_equal(texts[1:], texts[:-1], out=opens_run[1:])
    opens_run[groups.opens[:-1]] = True
    opens_run[groups.splits] = True
    return opens_run


def largest_counts(groups: Groups, sides: Sides) -> IntArray:
    """Return how often each group stands in the reference that has it most often."""
    opens_run = run_opens(groups, sides)
    runs = np.flatnonzero(opens_run)
    sizes = np.diff(runs, append=len(opens_run))
    # The first run of a group is the hypothesis.
    first = np.cumsum(opens_run)[groups.opens[:-1]] - 1
    sizes[first] = 0
    return np.maximum.reduceat(sizes, first)


def ngram_totals(texts: Ragged, orders: int) -> IntArray:
    """Count the n-grams of every text: int64, shape (n_texts, orders)."""
    return np.maximum(texts.lengths[:, None] - np.arange(orders), 0)
