"""The lengths of longest common subsequences."""

from __future__ import annotations

import numpy as np

from ..ragged import IntArray
from .bits import WORD, Flags
from .groups import Groups, Sides
from .lanes import Lanes, lane_lengths
from .masks import Masks
from .wide import Wide

# One step of a batch costs about as much as one step of this many lanes in plain Python.
BATCH_PAYS_FROM = 20


def lcs_lengths(sides: Sides, masks: Masks | None = None) -> IntArray:
    """Return, per segment, the length of the longest common subsequence of its two texts.

    Parameters
    ----------
    sides : Sides
        With one reference per segment.
    masks : Masks, optional
        Those of `sides`, where they are known.

    Returns
    -------
    int64, shape (n_segments,)

    References
    ----------
    Lin (2004), ROUGE, section 3.1.

    Examples
    --------
    >>> from textgauge.ragged import Ragged
    >>> reference = Ragged.from_rows([[0, 1, 2, 3]])    # police killed the gunman
    >>> hypothesis = Ragged.from_rows([[0, 4, 2, 3]])   # police kill the gunman
    >>> sides = Sides.of(hypothesis, reference, np.array([0, 1]))
    >>> lcs_lengths(sides)
    array([3])
    """
    masks = Masks.of(sides) if masks is None else masks
    lengths = np.zeros(sides.n_segments, np.int64)
    for block in masks.blocks:
        lengths[block.segments] = block.lcs_lengths()
    if len(masks.wide):
        lengths[masks.wide] = _lanes_lengths(masks.wide_unigrams, masks.wide_sides)
    return lengths


def _lanes_lengths(groups: Groups, sides: Sides) -> IntArray:
    lengths = np.zeros(sides.n_segments, np.int64)
    if len(groups) == 0:
        return lengths
    lanes = Lanes.of(groups, sides)
    batched = pays(lanes)
    lengths[lanes.hypothesis_text[batched]] = lane_lengths(lanes.take(np.flatnonzero(batched)))
    wide = Wide(lanes)
    for lane in np.flatnonzero(~batched).tolist():
        lengths[lanes.hypothesis_text[lane]] = wide.length(lane)
    return lengths


def pays(lanes: Lanes) -> Flags:
    """Say which lanes are worth running in a batch: shape (n_lanes,).

    Every word of 64 bits is one more pass over the lanes that have it; a lane joins
    if its share in the fixed costs of all its passes is below the cost of running alone.
    """
    words = -(-lanes.widths // WORD)
    longer = len(words) - np.cumsum(np.bincount(words, minlength=1))[:-1]
    cost = np.concatenate(([0.0], np.cumsum(BATCH_PAYS_FROM / np.maximum(longer, 1))))
    return cost[words] <= 1
