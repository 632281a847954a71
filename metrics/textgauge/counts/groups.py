"""Occurrences of equal n-grams on both sides, brought together by one sort of packed integers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..lazy import lazy
from ..ragged import IntArray, Ragged, lengths_of, offsets_of

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Sides:
    """The tokens of both sides in one numbering: hypotheses first, then all references.

    Attributes
    ----------
    hypotheses, references : Ragged
        One row per segment, and one per reference.
    reference_offsets : int64, shape (n_segments + 1,)
        The references of each segment.
    texts : two Ragged
        The same tokens, cut into what `text_of` numbers.
    """

    hypotheses: Ragged
    references: Ragged
    reference_offsets: IntArray
    texts: tuple[Ragged, Ragged]

    @classmethod
    def of(cls, hypotheses: Ragged, references: Ragged, reference_offsets: IntArray) -> Sides:
        """Join both sides; the references of segment i lie between its two offsets."""
        return cls(hypotheses, references, reference_offsets, (hypotheses, references))

    @property
    def n_segments(self) -> int:
        """How many segments there are."""
        return len(self.reference_offsets) - 1

    @property
    def n_hypothesis_tokens(self) -> int:
        """How many of the tokens are the hypotheses'."""
        return int(self.hypotheses.offsets[-1])

    @lazy
    def values(self) -> npt.NDArray[np.uint64]:
        """The keys of all tokens: shape (n_tokens,)."""
        return np.concatenate((self.hypotheses.values, self.references.values)).astype(np.uint64, copy=False)

    @lazy
    def segment_of(self) -> IntArray:
        """The segment of every token: shape (n_tokens,)."""
        ends = self.references.offsets[self.reference_offsets]
        return np.concatenate((self.hypotheses.row_of, Ragged(self.references.values, ends).row_of))

    @lazy
    def text_of(self) -> IntArray:
        """The text of every token: shape (n_tokens,); those of references are numbered behind the hypotheses'."""
        hypotheses, references = self.texts
        return np.concatenate((hypotheses.row_of, references.row_of + len(hypotheses)))

    def cut(self, hypotheses: Ragged, references: Ragged) -> Sides:
        """Return the same tokens, with the sentences that they stand in as their texts."""
        return replace(self, texts=(hypotheses, references))

    def take(self, segments: IntArray) -> Sides:
        """Return some of the segments, in that order."""
        rows = Ragged(np.arange(len(self.references)), self.reference_offsets).take(segments)
        return Sides.of(self.hypotheses.take(segments), self.references.take(rows.values), rows.offsets)


@dataclass(frozen=True)
class Groups:
    """Equal n-grams of one segment that occur on both sides.

    Attributes
    ----------
    positions : int64, shape (n_occurrences,)
        The token at which an n-gram starts, in the numbering of `Sides`; group by group,
        ascending inside each, so hypothesis tokens stand before reference tokens.
    opens : int64, shape (n_groups + 1,)
        Group g is ``positions[opens[g]:opens[g + 1]]``.
    splits : int64, shape (n_groups,)
        Its reference tokens start at ``positions[splits[g]]``.
    """

    positions: IntArray
    opens: IntArray
    splits: IntArray

    @classmethod
    def of(cls, positions: IntArray, is_new: npt.NDArray[np.bool_], n_hypothesis_tokens: int) -> Groups:
        """From sorted occurrences, keep the groups that both sides have.

        `is_new` says where a group opens: shape (n_occurrences,).
        """
        is_ref = positions >= n_hypothesis_tokens
        crossing = np.flatnonzero(is_ref[1:] & ~is_ref[:-1] & ~is_new[1:]) + 1
        opens = np.append(np.flatnonzero(is_new), len(positions))
        group = np.cumsum(is_new)[crossing] - 1
        starts = opens[group]
        bounds = offsets_of(opens[group + 1] - starts)
        shift = starts - bounds[:-1]
        index = np.repeat(shift, lengths_of(bounds)) + np.arange(bounds[-1])
        return cls(positions[index], bounds, crossing - shift)

    def __len__(self) -> int:
        return len(self.splits)

    @property
    def group_of(self) -> IntArray:
        """The group of every occurrence: int64, shape (n_occurrences,)."""
        return np.repeat(np.arange(len(self)), lengths_of(self.opens))

    @property
    def sizes(self) -> tuple[IntArray, IntArray]:
        """Occurrences of every group in the hypothesis and in all references."""
        return self.splits - self.opens[:-1], self.opens[1:] - self.splits

    def segments(self, sides: Sides) -> IntArray:
        """Return the segment of every group: int64, shape (n_groups,)."""
        return sides.segment_of[self.positions[self.splits]]

    def where(self, keep: npt.NDArray[np.bool_]) -> Groups:
        """Keep some of the groups: `keep` has shape (n_groups,)."""
        sizes = lengths_of(self.opens)
        opens = offsets_of(sizes[keep])
        return Groups(self.positions[np.repeat(keep, sizes)], opens, opens[:-1] + self.sizes[0][keep])

    def only(self, keep: npt.NDArray[np.bool_]) -> Groups:
        """Keep some of the occurrences, and of these the groups that both sides still have.

        `keep` has shape (n_occurrences,).
        """
        kept = offsets_of(keep)
        n_before, n_behind = kept[self.splits] - kept[self.opens[:-1]], kept[self.opens[1:]] - kept[self.splits]
        has_both = (n_before > 0) & (n_behind > 0)
        positions = self.positions[keep & np.repeat(has_both, lengths_of(self.opens))]
        opens = offsets_of((n_before + n_behind)[has_both])
        return Groups(positions, opens, opens[:-1] + n_before[has_both])


def unigram_groups(sides: Sides) -> Groups:
    """Bring equal tokens of the same segment together.

    The sort key packs (segment, hash of the token, position) into 64 bits; that equal
    hashes are equal tokens is verified, and where it fails an exact sort takes over.
    """
    n = len(sides.values)
    position_bits, segment_bits = n.bit_length(), max(sides.n_segments - 1, 1).bit_length()
    hash_bits = 64 - position_bits - segment_bits
    is_new = np.ones(n, bool)
    if hash_bits >= 16:
        packed = sides.values ^ (sides.values >> np.uint64(32))
        packed *= _MULTIPLIER
        packed >>= np.uint64(64 - hash_bits)
        packed |= sides.segment_of.astype(np.uint64) << np.uint64(hash_bits)
        packed <<= np.uint64(position_bits)
        packed |= np.arange(n, dtype=np.uint64)
        packed.sort()
        positions = (packed & np.uint64((1 << position_bits) - 1)).astype(np.int64)
        packed >>= np.uint64(position_bits)
        np.not_equal(packed[1:], packed[:-1], out=is_new[1:])
        values = sides.values[positions]
        if not np.any((values[1:] != values[:-1]) & ~is_new[1:]):
            return Groups.of(positions, is_new, sides.n_hypothesis_tokens)
    positions = np.lexsort((sides.values, sides.segment_of))
    values, segments = sides.values[positions], sides.segment_of[positions]
    is_new[1:] = (values[1:] != values[:-1]) | (segments[1:] != segments[:-1])
    return Groups.of(positions, is_new, sides.n_hypothesis_tokens)


def longer_groups(shorter: Groups, sides: Sides) -> Groups:
    """From groups of order n - 1, bring equal n-grams together.

    An n-gram can match only where both its (n-1)-grams do, and these two name it exactly.
    """
    group_at = np.full(len(sides.values) + 1, -1, np.int64)
    group_at[shorter.positions] = shorter.group_of
    starts = np.flatnonzero((group_at[:-1] >= 0) & (group_at[1:] >= 0))
    starts = starts[sides.text_of[starts] == sides.text_of[starts + 1]]
    keys = group_at[starts] * len(shorter) + group_at[starts + 1]
    order, is_new = sorted_groups(keys)
    return Groups.of(starts[order], is_new, sides.n_hypothesis_tokens)


def sorted_groups(keys: IntArray) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Return the stable order of non-negative keys and where, in that order, a new key opens."""
    n = len(keys)
    is_new = np.ones(n, bool)
    index_bits = n.bit_length()
    if n and int(keys.max()).bit_length() + index_bits <= 63:
        # Sorting values is several times faster than sorting indices.
        packed = (keys << index_bits) | np.arange(n)
        packed.sort()
        order = packed & ((1 << index_bits) - 1)
        keys = packed >> index_bits
    else:
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    return order, is_new
