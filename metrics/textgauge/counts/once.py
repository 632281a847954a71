"""Skip-bigrams of the tokens that both texts of a segment have exactly once, by bit masks.

A pair of such tokens matches where both texts have it in the same order, so what counts is,
for every token, how many of those before it in the hypothesis also stand before it in the
reference: with one bit per token, by its rank in the reference, the bits of the former are
a sum, and the latter are the lower bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ragged import IntArray, offsets_of
from .bits import ONE, WORD, Flags, popcount
from .groups import Groups, Sides


@dataclass(frozen=True)
class Once:
    """Tokens that stand once on either side, in the order of the hypotheses.

    Attributes
    ----------
    is_once : bool, shape (n_groups,)
        The groups that are in here: none of a segment that has more of them than a word has bits.
    hypotheses, references : int64, shape (n_tokens,)
        Their positions, in the numbering of `Sides`.
    segments : int64, shape (n_tokens,)
    widths : int64, shape (n_segments,)
        How many each segment has.
    """

    is_once: Flags
    hypotheses: IntArray
    references: IntArray
    segments: IntArray
    widths: IntArray

    @classmethod
    def of(cls, groups: Groups, sides: Sides) -> Once:
        """Pick them out of the unigrams of `sides`."""
        in_hypothesis, in_reference = groups.sizes
        segments = groups.segments(sides)
        is_once = (in_hypothesis == 1) & (in_reference == 1)
        widths = np.bincount(segments[is_once], minlength=sides.n_segments)
        is_once &= widths[segments] <= WORD
        widths[widths > WORD] = 0
        chosen = np.flatnonzero(is_once)
        reference_at = np.full(sides.n_hypothesis_tokens, -1, np.int64)
        reference_at[groups.positions[groups.opens[chosen]]] = groups.positions[groups.splits[chosen]]
        hypotheses = np.flatnonzero(reference_at >= 0)
        return cls(is_once, hypotheses, reference_at[hypotheses], sides.segment_of[hypotheses], widths)

    def matches(self, gap: int | None) -> IntArray:
        """Count, per segment, the pairs in the same order with at most `gap` tokens between: int64."""
        before = offsets_of(self.widths)
        n_before = before[self.segments]
        ranks = self._ranks(self.references, self.references)
        bits = ONE << (ranks - n_before).astype(np.uint64)
        first = n_before
        lower = bits - ONE
        if gap is not None:
            reach = gap + 1
            first = np.maximum(self._ranks(self.hypotheses, self.hypotheses - reach), n_before)
            lowest = np.maximum(self._ranks(self.references, self.references - reach), n_before) - n_before
            lower &= ~((ONE << lowest.astype(np.uint64)) - ONE)
        # Bits of a segment are different: their sum has them all, and modulo 2^64 differences are exact.
        sums = np.zeros(len(bits) + 1, np.uint64)
        np.cumsum(bits, out=sums[1:])
        matches = popcount((sums[:-1] - sums[first]) & lower)
        return np.bincount(self.segments, matches, minlength=len(self.widths)).astype(np.int64)

    @staticmethod
    def _ranks(positions: IntArray, at: IntArray) -> IntArray:
        """Count, for some places, the positions before them."""
        lowest = int(positions.min(initial=0))
        is_there = np.zeros(int(positions.max(initial=0)) + 2 - lowest, bool)
        is_there[positions - lowest] = True
        return offsets_of(is_there)[np.maximum(at - lowest, 0)]
