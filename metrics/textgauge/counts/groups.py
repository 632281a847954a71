"""Occurrences of equal n-grams brought together by one sort of packed integers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..ragged import IntArray, Ragged

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Sides:
    """The tokens of both sides in one numbering: hypotheses first, then all references.

    Attributes
    ----------
    values : uint64, shape (n_tokens,)
    segment_of, text_of : int64, shape (n_tokens,)
        Reference texts are numbered behind the hypotheses.
    n_hypothesis_tokens, n_segments : int
    """

    values: npt.NDArray[np.uint64]
    segment_of: IntArray
    text_of: IntArray
    n_hypothesis_tokens: int
    n_segments: int

    @classmethod
    def of(cls, hypotheses: Ragged, references: Ragged, reference_offsets: IntArray) -> Sides:
        """Join both sides; the references of segment i lie between its two offsets."""
        segment_of_reference = np.repeat(np.arange(len(hypotheses)), np.diff(reference_offsets))
        hyp_row, ref_row = hypotheses.row_of, references.row_of
        return cls(
            np.concatenate((hypotheses.values, references.values)).astype(np.uint64, copy=False),
            np.concatenate((hyp_row, segment_of_reference[ref_row])),
            np.concatenate((hyp_row, ref_row + len(hypotheses))),
            len(hypotheses.values),
            len(hypotheses),
        )


@dataclass(frozen=True)
class Groups:
    """Occurrences sorted by group; inside a group by position, so hypotheses stand first.

    Attributes
    ----------
    positions : int64, shape (n_occurrences,)
        The token at which the n-gram starts, in the numbering of `Sides`.
    opens : int64, shape (n_groups + 1,)
        Group g is ``positions[opens[g]:opens[g + 1]]``.
    """

    positions: IntArray
    opens: IntArray

    def matched(self, n_hypothesis_tokens: int) -> Groups:
        """Keep the groups that have occurrences on both sides."""
        if len(self.positions) == 0:
            return self
        first = self.positions[self.opens[:-1]]
        last = self.positions[self.opens[1:] - 1]
        keep = (first < n_hypothesis_tokens) & (last >= n_hypothesis_tokens)
        sizes = np.diff(self.opens)
        opens = np.zeros(int(keep.sum()) + 1, np.int64)
        np.cumsum(sizes[keep], out=opens[1:])
        return Groups(self.positions[np.repeat(keep, sizes)], opens)


def unigram_groups(sides: Sides) -> Groups:
    """Bring equal tokens of the same segment together.

    The sort key packs (segment, hash of the token, position) into 64 bits; that equal
    hashes are equal tokens is verified, and where it fails an exact sort takes over.
    """
    n = len(sides.values)
    position_bits, segment_bits = n.bit_length(), max(sides.n_segments - 1, 1).bit_length()
    hash_bits = 64 - position_bits - segment_bits
    if hash_bits >= 16:
        hashes = (sides.values ^ (sides.values >> np.uint64(32))) * _MULTIPLIER
        packed = (hashes >> np.uint64(64 - hash_bits)) << np.uint64(position_bits)
        packed |= sides.segment_of.astype(np.uint64) << np.uint64(64 - segment_bits)
        packed |= np.arange(n, dtype=np.uint64)
        packed.sort()
        positions = (packed & np.uint64((1 << position_bits) - 1)).astype(np.int64)
        keys = packed >> np.uint64(position_bits)
        is_new = keys[1:] != keys[:-1]
        values = sides.values[positions]
        if not np.any(~is_new & (values[1:] != values[:-1])):
            return Groups(positions, _opens(is_new, n))
    positions = np.lexsort((sides.values, sides.segment_of))
    values, segments = sides.values[positions], sides.segment_of[positions]
    is_new = (values[1:] != values[:-1]) | (segments[1:] != segments[:-1])
    return Groups(positions, _opens(is_new, n))


def longer_groups(shorter: Groups, sides: Sides) -> Groups:
    """From matched groups of order n - 1, bring equal n-grams together.

    An n-gram can match only where both its (n-1)-grams do, and these two name it exactly.
    """
    n_groups = len(shorter.opens) - 1
    group_at = np.full(len(sides.values) + 1, -1, np.int64)
    group_at[shorter.positions] = np.repeat(np.arange(n_groups), np.diff(shorter.opens))
    starts = np.flatnonzero((group_at[:-1] >= 0) & (group_at[1:] >= 0))
    starts = starts[sides.text_of[starts] == sides.text_of[starts + 1]]
    pairs = group_at[starts] * n_groups + group_at[starts + 1]
    return _grouped(pairs, starts)


def _grouped(keys: IntArray, positions: IntArray) -> Groups:
    """Group positions by exact non-negative keys; `positions` ascend."""
    n = len(keys)
    if n == 0:
        return Groups(positions, np.zeros(1, np.int64))
    index_bits = n.bit_length()
    if int(keys.max()).bit_length() + index_bits <= 63:
        packed = (keys << index_bits) | np.arange(n)
        packed.sort()
        order = packed & ((1 << index_bits) - 1)
        keys = packed >> index_bits
    else:
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
    return Groups(positions[order], _opens(keys[1:] != keys[:-1], n))


def _opens(is_new: npt.NDArray[np.bool_], n: int) -> IntArray:
    if n == 0:
        return np.zeros(1, np.int64)
    return np.concatenate(([0], np.flatnonzero(is_new) + 1, [n]))
