"""Clipped n-gram matches of short texts by bit masks.

For one hypothesis and one reference, each hypothesis token has a mask of the reference
tokens that equal it. The n-gram that starts at a token stands in the reference where the
masks of its n tokens, each shifted by its place in the n-gram, have a bit in common: the
masks of order n are those of order n - 1 and their right neighbours', shifted by one.
Different n-grams have disjoint masks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..ragged import IntArray, lengths_of, offsets_of
from .bits import ONE, WORD, Flags, Words, popcount
from .groups import Groups, Sides, sorted_groups


@dataclass(frozen=True)
class MatchedReferences:
    """The reference tokens that match, in the order of the text.

    Attributes
    ----------
    positions, references : int64, shape (n_matched,)
        In the numbering of `Sides`; references counted from the first one of the chunk.
    ranks : int64, shape (n_matched,)
        The number of matched tokens before it in its text.
    widths : int64, shape (n_references,)
        The number of matched tokens of each.
    """

    positions: IntArray
    references: IntArray
    ranks: IntArray
    widths: IntArray

    @classmethod
    def of(cls, groups: Groups, sides: Sides) -> MatchedReferences:
        """Collect the reference tokens of all groups."""
        is_matched = np.zeros(len(sides.values), bool)
        is_matched[groups.positions] = True
        positions = np.flatnonzero(is_matched[sides.n_hypothesis_tokens :]) + sides.n_hypothesis_tokens
        references = sides.text_of[positions] - sides.n_segments
        widths = np.bincount(references, minlength=sides.n_references)
        return cls(positions, references, np.arange(len(positions)) - offsets_of(widths)[references], widths)

    @cached_property
    def chains(self) -> Words:
        """Bit r says that matched tokens r and r + 1 are neighbours: uint64, shape (n_references,).

        Without meaning where there are more than 64 of them.
        """
        is_chained = np.zeros(len(self.positions), np.uint64)
        is_chained[:-1] = (self.positions[1:] == self.positions[:-1] + 1) & (self.ranks[1:] > 0)
        chains = np.zeros(len(self.widths), np.uint64)
        filled = np.flatnonzero(self.widths)
        if len(filled):
            starts = np.cumsum(self.widths)[filled] - self.widths[filled]
            chains[filled] = np.add.reduceat(is_chained << (self.ranks % WORD).astype(np.uint64), starts)
        return chains


@dataclass(frozen=True)
class Masks:
    """The reference tokens that each hypothesis token equals, as bits.

    Attributes
    ----------
    is_wide : bool, shape (n_segments,)
        Segments with a reference of more than 64 matched tokens: no mask can hold them, theirs are 0.
    is_repeated : bool, shape (n_hypothesis_tokens,)
        Matching tokens that the hypothesis has more than once.
    words, chains : lists of uint64, shape (n_hypothesis_tokens,)
        For the first reference of every segment, for the second of those that have one, ...:
        bit r is its r-th matched token; in `chains`, it says that the next one is its neighbour.
    """

    is_wide: Flags
    is_repeated: Flags
    words: list[Words]
    chains: list[Words]

    @classmethod
    def of(cls, groups: Groups, sides: Sides) -> Masks:
        """Build the masks from the unigrams of `sides`."""
        matched = MatchedReferences.of(groups, sides)
        n_references = lengths_of(sides.reference_offsets)
        segment_of = np.repeat(np.arange(sides.n_segments), n_references)
        is_wide = np.bincount(segment_of[matched.widths > WORD], minlength=sides.n_segments) > 0
        group_at = np.full(len(sides.values), len(groups))
        group_at[groups.positions] = groups.group_of
        group_at = group_at[: sides.n_hypothesis_tokens]
        masks = cls(is_wide, np.append(groups.sizes[0] > 1, False)[group_at], [], [])
        index_of = np.arange(len(segment_of)) - sides.reference_offsets[segment_of]
        flags, flag_at = ONE << (matched.ranks % WORD).astype(np.uint64), np.zeros(len(sides.values), np.uint64)
        if is_wide.any():
            flags[is_wide[segment_of[matched.references]]] = 0
        for index in range(int(n_references.max(initial=0)) if len(groups) else 0):
            flag_at[matched.positions] = np.where(index_of[matched.references] == index, flags, np.uint64(0))
            of_group = np.append(np.add.reduceat(flag_at[groups.positions], groups.opens[:-1]), np.uint64(0))
            references = np.flatnonzero(index_of == index)
            chain_of = np.zeros(sides.n_segments, np.uint64)
            chain_of[segment_of[references]] = matched.chains[references]
            masks.words.append(of_group[group_at])
            masks.chains.append(np.repeat(chain_of, lengths_of(sides.hypothesis_offsets)))
        return masks


def masked_matches(masks: Masks, sides: Sides, orders: int) -> IntArray:
    """Count clipped matches of all orders: int64, shape (n_segments, orders); 0 for wide segments."""
    tally = _Tally(sides, orders)
    for words, chains in zip(masks.words, masks.chains, strict=True):
        tally.add(words, masks.is_repeated, chains)
    return tally.counts()


class _Tally:
    """Matches of hypothesis tokens, over several references."""

    def __init__(self, sides: Sides, orders: int) -> None:
        self.sides = sides
        self.is_match = np.zeros((orders, sides.n_hypothesis_tokens), bool)
        self.repeats: list[list[tuple[IntArray, IntArray, IntArray]]] = [[] for _ in range(orders)]
        offsets = sides.hypothesis_offsets
        self.lasts = offsets[1:][lengths_of(offsets) > 0] - 1

    def add(self, words: Words, is_repeated: Flags, chains: Words) -> None:
        """Add what one reference of every segment has: one mask per hypothesis token."""
        for order, is_match in enumerate(self.is_match):
            if order:
                words = (words & chains if order == 1 else words) & (self._right(words) >> ONE)
                is_repeated = is_repeated & self._right(is_repeated)
            hits = words != 0
            is_match |= hits
            again = np.flatnonzero(hits & is_repeated)
            if len(again):
                again = self._add_repeats(order, words[again], again)
            is_repeated = np.zeros_like(is_repeated)
            is_repeated[again] = True

    def _right(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the value of every token's right neighbour in its text, else 0."""
        right = np.zeros_like(values)
        right[:-1] = values[1:]
        right[self.lasts] = 0
        return right

    def _add_repeats(self, order: int, words: Words, tokens: IntArray) -> IntArray:
        """Note how often n-grams occur on both sides; return the tokens of those that the hypothesis repeats."""
        # Masks are disjoint: the lowest bit names the n-gram.
        lowest = popcount((words & -words) - ONE)
        keys = self.sides.segment_of[tokens] * WORD + lowest
        order_of, is_new = sorted_groups(keys)
        opens = np.flatnonzero(is_new)
        n_times = np.diff(opens, append=len(keys))
        first = order_of[opens]
        self.repeats[order].append((tokens[first], n_times, popcount(words[first])))
        return tokens[order_of[np.repeat(n_times > 1, n_times)]]

    def counts(self) -> IntArray:
        """Return the clipped matches: shape (n_segments, orders)."""
        columns = []
        for is_match, repeats in zip(self.is_match, self.repeats, strict=True):
            before = np.zeros(len(is_match) + 1, np.int64)
            np.cumsum(is_match, out=before[1:])
            counts = lengths_of(before[self.sides.hypothesis_offsets])
            if repeats:
                # Its first token names an n-gram whichever reference has it; the most counts.
                tokens, in_hypothesis, in_reference = (np.concatenate(part) for part in zip(*repeats, strict=True))
                order, is_new = sorted_groups(tokens)
                opens = np.flatnonzero(is_new)
                most = np.maximum.reduceat(in_reference[order], opens)
                excess = np.maximum(in_hypothesis[order[opens]] - most, 0)
                segments = self.sides.segment_of[tokens[order[opens]]]
                counts -= np.bincount(segments, excess, len(counts)).astype(np.int64)
            columns.append(counts)
        return np.column_stack(columns) if columns else np.zeros((self.sides.n_segments, 0), np.int64)
