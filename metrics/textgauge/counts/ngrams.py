"""Clipped n-gram matches and n-gram totals, per segment and order."""

from __future__ import annotations

import numpy as np

from ..ragged import IntArray, Ragged
from .groups import Groups, Sides, longer_groups, unigram_groups


def ngram_matches(hypotheses: Ragged, references: Ragged, reference_offsets: IntArray, orders: int) -> IntArray:
    """Count, in every segment, the hypothesis n-grams that the references also have.

    An n-gram seen h times in the hypothesis and at most r times in any one reference of
    the segment counts min(h, r) times: BLEU's modified-precision numerator and, with one
    reference per segment, ROUGE-N's match.

    Parameters
    ----------
    hypotheses, references : Ragged of token keys, n_segments and n_references rows
    reference_offsets : int64, shape (n_segments + 1,)
    orders : int
        The highest order; all orders from 1 to it are counted.

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
    >>> ngram_matches(the, refs, np.array([0, 2]), orders=2)
    array([[2, 0]])
    """
    sides = Sides.of(hypotheses, references, reference_offsets)
    counts = np.zeros((len(hypotheses), orders), np.int64)
    groups = unigram_groups(sides).matched(sides.n_hypothesis_tokens)
    for order in range(orders):
        if order:
            groups = longer_groups(groups, sides).matched(sides.n_hypothesis_tokens)
        if len(groups.positions) == 0:
            break
        counts[:, order] = clipped(groups, sides)
    return counts


def clipped(groups: Groups, sides: Sides) -> IntArray:
    """Sum min(hypothesis count, largest count in one reference) over the groups of a segment."""
    is_hyp = groups.positions < sides.n_hypothesis_tokens
    texts = sides.text_of[groups.positions]
    # Runs of one text inside one group: the hypothesis first, then each reference.
    is_new = np.ones(len(texts), bool)
    is_new[1:] = texts[1:] != texts[:-1]
    is_new[groups.opens[:-1]] = True
    runs = np.flatnonzero(is_new)
    sizes = np.diff(runs, append=len(texts))
    first_run = np.searchsorted(runs, groups.opens[:-1])
    in_hypothesis = sizes[first_run]
    sizes = np.where(is_hyp[runs], 0, sizes)
    in_reference = np.maximum.reduceat(sizes, first_run)
    segments = sides.segment_of[groups.positions[groups.opens[:-1]]]
    weights = np.minimum(in_hypothesis, in_reference)
    return np.bincount(segments, weights, minlength=sides.n_segments).astype(np.int64)


def ngram_totals(texts: Ragged, orders: int) -> IntArray:
    """Count the n-grams of every text: int64, shape (n_texts, orders)."""
    return np.maximum(texts.lengths[:, None] - np.arange(orders), 0)
