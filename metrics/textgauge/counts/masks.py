"""Clipped n-gram matches and LCS lengths of short texts by bit masks.

Each hypothesis token has a mask of the tokens of a reference that equal it. The n-gram that
starts at a token stands in the reference where the masks of its n tokens, each shifted by
its place in the n-gram, have a bit in common: the masks of order n are those of order n - 1
and their right neighbours', shifted by one. The hypothesis against itself tells in the same
way how many equal n-grams stand before each, and the n-gram counts while these are fewer
than the reference has. Segments of about the same length stand side by side, so that every
step is one operation on whole rows, without an index.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..lazy import lazy
from ..ragged import IntArray, Ragged, lengths_of
from .bits import FULL, ONE, WORD, Words, bit_counts, popcount
from .groups import Groups, Sides, unigram_groups

_WIDTHS = np.array([8, 16, 24, 32, 48, WORD])
# What one block compares should stay in a core's cache.
_COMPARISONS = 1 << 20
# One step of a batch costs about as much as one step of this many texts in plain Python.
BATCH_PAYS_FROM = 8
_LOWEST = np.array([(1 << n) - 1 for n in range(WORD + 1)], np.uint64)


@dataclass(frozen=True)
class Block:
    """Segments side by side: row i of a mask belongs to the i-th token of each hypothesis.

    Attributes
    ----------
    segments : int64, shape (n_segments,)
        Those with the most references first.
    repeats : uint64, shape (n_rows, n_segments)
        The tokens before it in the hypothesis that equal it.
    references : list of uint64, shape (n_rows, n_segments_with_it)
        The tokens that equal it in the first reference of every segment, in the second of
        those that have one, ...
    """

    segments: IntArray
    repeats: Words
    references: list[Words]

    @classmethod
    def of(cls, sides: Sides, segments: IntArray) -> Block:
        """Compare every token of the hypotheses with every other and with those of the references."""
        hypotheses, lengths = _side_by_side(sides.hypotheses, segments)
        n_rows = int(lengths.max())
        rows = np.arange(n_rows)[:, None]
        block = cls(segments, _equal(hypotheses[:n_rows], hypotheses) & _LOWEST[rows], [])
        is_token = np.where(rows < lengths, FULL, np.uint64(0))
        n_references = lengths_of(sides.reference_offsets)[segments]
        for index in range(int(n_references[0])):
            n = int(np.searchsorted(-n_references, -index))
            references, lengths = _side_by_side(sides.references, sides.reference_offsets[segments[:n]] + index)
            masks = _equal(hypotheses[:n_rows, :n], references)
            masks &= is_token[:, :n]
            masks &= _LOWEST[lengths]
            block.references.append(masks)
        return block

    def matches(self, orders: int) -> IntArray:
        """Count clipped matches: int64, shape (n_segments, orders)."""
        counts = np.zeros((len(self.segments), orders), np.int64)
        repeats, references = self.repeats, self.references
        for order in range(min(orders, len(repeats))):
            if order:
                repeats, references = _longer(repeats), [_longer(masks) for masks in references]
            n_before = bit_counts(repeats)
            is_match = np.zeros(n_before.shape, bool)
            for masks in references:
                n = masks.shape[1]
                is_match[:, :n] |= bit_counts(masks) > n_before[:, :n]
            if not is_match.any():
                break
            counts[:, order] = is_match.view(np.uint8).sum(axis=0, dtype=np.uint8)
        return counts

    def lcs_lengths(self) -> IntArray:
        """Return the LCS length of every hypothesis and its first reference: int64, shape (n_segments,).

        References
        ----------
        Hyyro (2004), Bit-parallel LCS-length computation revisited, figure 1.
        """
        masks = self.references[0]
        if len(self.segments) < BATCH_PAYS_FROM:
            return np.array([_lcs_length(column) for column in masks.T.tolist()], np.int64)
        states = np.full(len(self.segments), FULL)
        for equal in masks:
            matched = states & equal
            states = (states + matched) | (states ^ matched)
        return popcount(~states)


@dataclass(frozen=True)
class Masks:
    """All segments of `sides` in blocks, but for those with a text too long to compare token by token.

    Attributes
    ----------
    sides : Sides
    blocks : list of Block
    wide : int64, shape (n_wide,)
        The other segments.
    """

    sides: Sides
    blocks: list[Block]
    wide: IntArray

    @classmethod
    def of(cls, sides: Sides) -> Masks:
        """Build the masks of all segments that are not too long."""
        n_references = lengths_of(sides.reference_offsets)
        longest = sides.hypotheses.lengths
        filled = np.flatnonzero(n_references)
        if len(filled):
            of_references = np.maximum.reduceat(sides.references.lengths, sides.reference_offsets[filled])
            longest[filled] = np.maximum(longest[filled], of_references)
        kinds = np.searchsorted(_WIDTHS, longest)
        order = np.lexsort((-n_references, kinds))
        bounds = np.searchsorted(kinds[order], np.arange(len(_WIDTHS) + 1)).tolist()
        blocks = [
            Block.of(sides, segments)
            for width, start, stop in zip(_WIDTHS.tolist(), bounds, bounds[1:], strict=False)
            for segments in _pieces(order[start:stop], width)
        ]
        return cls(sides, blocks, np.sort(order[bounds[-1] :]))

    @lazy
    def wide_sides(self) -> Sides:
        """The texts of the wide segments."""
        return self.sides.take(self.wide)

    @lazy
    def wide_unigrams(self) -> Groups:
        """Those of `wide_sides`."""
        return unigram_groups(self.wide_sides)


def _pieces(segments: IntArray, width: int) -> Iterator[IntArray]:
    step = max(1, _COMPARISONS // width**2)
    for first in range(0, len(segments), step):
        yield segments[first : first + step]


def _side_by_side(texts: Ragged, rows: IntArray) -> tuple[npt.NDArray[np.uint64], IntArray]:
    """Return token i of each text in row i, and the lengths of the texts.

    Behind the end of a text stands anything; the rows are as many as fill whole bytes.
    """
    starts = texts.offsets[rows]
    lengths = texts.offsets[rows + 1] - starts
    index = starts + np.arange(-(-int(lengths.max()) // 8) * 8)[:, None]
    return np.take(texts.values, index, mode="clip").astype(np.uint64, copy=False), lengths


def _equal(left: npt.NDArray[np.uint64], right: npt.NDArray[np.uint64]) -> Words:
    """Compare all tokens of every two texts: bit j of row i says whether token i left equals token j right.

    Parameters
    ----------
    left : shape (n_left, n_texts)
    right : shape (8 * n_bytes, n_texts)

    Returns
    -------
    uint64, shape (n_left, n_texts)
    """
    n_left, n_texts = left.shape
    n_bytes = len(right) // 8
    equal = (left[:, None] == right).reshape(n_left, n_bytes, 8, n_texts).view(np.uint8)
    packed = equal[:, :, 7].copy()
    for bit in range(6, -1, -1):
        # Adding is vectorised for bytes, shifting is not.
        packed += packed
        packed |= equal[:, :, bit]
    masks = np.zeros((n_left, n_texts, 8), np.uint8)
    for byte in range(n_bytes):
        masks[:, :, byte] = packed[:, byte]
    return masks.view("<u8")[..., 0].astype(np.uint64, copy=False)


def _longer(masks: Words) -> Words:
    """From the masks of order n - 1 make those of order n, for one row fewer."""
    return masks[:-1] & (masks[1:] >> ONE)


def _lcs_length(masks: list[int]) -> int:
    """Return the LCS length of one pair of texts."""
    state = full = int(FULL)
    for equal in masks:
        matched = state & equal
        state = (state + matched | (state ^ matched)) & full
    return (full ^ state).bit_count()
