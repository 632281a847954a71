"""Skip-bigrams: pairs of tokens in their order, with tokens allowed between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..ragged import IntArray, lengths_of, offsets_of
from .groups import Groups, Sides
from .once import Once

# Pairs and cells that are held at once: larger texts take more passes, not more memory.
BLOCK = 1 << 18


def skip_bigram_totals(lengths: IntArray, gap: int | None) -> IntArray:
    """Count the skip-bigrams of texts with these numbers of tokens: int64, same shape.

    Examples
    --------
    >>> skip_bigram_totals(np.array([0, 1, 4]), None)
    array([0, 0, 6])
    >>> skip_bigram_totals(np.array([4]), 0)
    array([3])
    """
    width = np.maximum(lengths - 1, 0)
    if gap is not None:
        width = np.minimum(width, gap + 1)
    return width * lengths - width * (width + 1) // 2


def skip_bigram_matches(groups: Groups, sides: Sides, gap: int | None) -> IntArray:
    """Count, per segment, the skip-bigrams that its two texts share.

    A pair of tokens seen h times in the hypothesis and r times in the reference counts
    min(h, r) times. Time grows with the number of pairs, n^2 / 2 for texts of n tokens
    without a limit; memory does not: pairs are counted in blocks of left tokens.

    Parameters
    ----------
    groups : Groups
        The unigrams of `sides`.
    sides : Sides
        With one reference per segment.
    gap : int or None
        How many tokens may stand between the two, None for any number.

    Returns
    -------
    int64, shape (n_segments,)

    References
    ----------
    Lin (2004), ROUGE, section 5.

    Examples
    --------
    >>> from textgauge.ragged import Ragged
    >>> from textgauge.counts.groups import unigram_groups
    >>> reference = Ragged.from_rows([[0, 1, 2, 3]])    # police killed the gunman
    >>> hypothesis = Ragged.from_rows([[0, 4, 2, 3]])   # police kill the gunman
    >>> sides = Sides.of(hypothesis, reference, np.array([0, 1]))
    >>> skip_bigram_matches(unigram_groups(sides), sides, None)
    array([3])
    """
    once = Once.of(groups, sides)
    matches = once.matches(gap)
    segments = groups.segments(sides)
    has_repeats = np.bincount(segments[~once.is_once], minlength=sides.n_segments) > 0
    is_both = once.is_once & has_repeats[segments]
    for lefts, rights in ((~once.is_once, np.ones(len(groups), bool)), (is_both, ~once.is_once)):
        if lefts.any() and rights.any():
            matches += _listed(groups.where(lefts), groups.where(rights), sides, gap)
    return matches


def _listed(lefts: Groups, rights: Groups, sides: Sides, gap: int | None) -> IntArray:
    """Count the pairs with a left token of some groups and a right one of others; none is without the other."""
    matches = np.zeros(sides.n_segments, np.int64)
    pairs, segments = _Pairs.of(lefts, rights, sides, gap), lefts.segments(sides)
    for first, last in pairs.blocks():
        per_group = pairs.clipped(first, last)
        matches += np.bincount(segments[first:last], per_group, minlength=sides.n_segments).astype(np.int64)
    return matches


@dataclass(frozen=True)
class _Pairs:
    """Tokens of some groups as left halves of pairs, those of others as right halves.

    Attributes
    ----------
    kinds : int64, shape (n_right_tokens,)
        The right group of every right token, in the order of the texts.
    lefts, n_rights : int64, shape (n_left_tokens,)
        Group by group: the index in `kinds` of the first right token behind each left one,
        and how many from there on can be its right half.
    is_reference : int64 of 0 and 1, shape (n_left_tokens,)
    opens : int64, shape (n_left_groups + 1,)
        Where each group lies in `lefts`.
    rows : int64, shape (n_left_groups + 1,)
        Where the row of each left group starts in a table with a column for every right group
        of the same segment.
    first_columns : int64, shape (n_left_groups,)
        The right group that the first column of each row stands for.
    """

    kinds: IntArray
    lefts: IntArray
    n_rights: IntArray
    is_reference: IntArray
    opens: IntArray
    rows: IntArray
    first_columns: IntArray

    @classmethod
    def of(cls, lefts: Groups, rights: Groups, sides: Sides, gap: int | None) -> _Pairs:
        kind_at = np.full(len(sides.values), -1, np.int64)
        kind_at[rights.positions] = rights.group_of
        is_right = kind_at >= 0
        rank_at = offsets_of(is_right)
        positions = lefts.positions
        stops = offsets_of(np.bincount(sides.text_of))[1:][sides.text_of[positions]]
        if gap is not None:
            stops = np.minimum(stops, positions + gap + 2)
        segments = lefts.segments(sides)
        widths = np.bincount(rights.segments(sides), minlength=sides.n_segments)
        first = rank_at[positions + 1]
        return cls(
            kind_at[is_right],
            first,
            rank_at[stops] - first,
            (positions >= sides.n_hypothesis_tokens).astype(np.int64),
            lefts.opens,
            offsets_of(widths[segments]),
            offsets_of(widths)[:-1][segments],
        )

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield consecutive groups with about `BLOCK` pairs and cells together."""
        costs = offsets_of(self.n_rights)[self.opens] + self.rows
        first = 0
        while first < len(self.rows) - 1:
            last = max(int(np.searchsorted(costs, costs[first] + BLOCK, "right")) - 1, first + 1)
            yield first, last
            first = last

    def clipped(self, first: int, last: int) -> IntArray:
        """Sum min(hypothesis count, reference count) over the pairs with these left groups: one per group."""
        n_cells = int(self.rows[last] - self.rows[first])
        counts = np.zeros(2 * n_cells, np.int64)
        starts = np.repeat(
            self.rows[first:last] - self.rows[first] - self.first_columns[first:last],
            lengths_of(self.opens[first : last + 1]),
        )
        starts += n_cells * self.is_reference[self.opens[first] : self.opens[last]]
        for start, stop in self._slices(int(self.opens[first]), int(self.opens[last])):
            n_rights = self.n_rights[start:stop]
            ends = offsets_of(n_rights)
            rights = np.repeat(self.lefts[start:stop] - ends[:-1], n_rights) + np.arange(ends[-1])
            cells = np.repeat(starts[start - self.opens[first] : stop - self.opens[first]], n_rights)
            counts += np.bincount(cells + self.kinds[rights], minlength=2 * n_cells)
        both = np.minimum(counts[:n_cells], counts[n_cells:])
        return np.add.reduceat(both, self.rows[first:last] - self.rows[first])

    def _slices(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield consecutive left tokens with about `BLOCK` pairs together."""
        ends = offsets_of(self.n_rights[start:stop])
        first = 0
        while first < stop - start:
            last = max(int(np.searchsorted(ends, ends[first] + BLOCK, "right")) - 1, first + 1)
            yield start + first, start + last
            first = last
