"""Longest common subsequences of many text pairs at once, by bit-parallelism across lanes.

A lane is one reference text against one hypothesis text. Only tokens that both have can
be on a common subsequence, so a lane holds just these: the reference's get consecutive
bits, and each of the hypothesis's a mask of the bits where the reference has that token.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ragged import IntArray, Ragged, lengths_of, offsets_of
from .bits import FULL, ONE, WORD, Flags, Words, lcs_run, popcount, steps
from .groups import Groups, Sides, sorted_groups


@dataclass(frozen=True)
class Lanes:
    """Hypothesis tokens lane by lane, and the reference bits that each of them matches.

    Attributes
    ----------
    hypothesis_text, reference_text : int64, shape (n_lanes,)
        In the numbering of `Sides`; lanes ascend by reference, then hypothesis.
    offsets : int64, shape (n_lanes + 1,)
        The hypothesis tokens of each lane.
    run_of : int64, shape (n_lane_tokens,)
        The run of equal reference tokens that each hypothesis token matches.
    run_opens : int64, shape (n_runs + 1,)
        Run r is ``bits[run_opens[r]:run_opens[r + 1]]``.
    has_gap : bool, shape (n_lane_tokens,)
        Whether the token that follows in the hypothesis is missing in the lane.
    bits : int64, shape (n_reference_tokens,)
        The rank of each reference token among the matched ones of its text.
    positions, texts : int64, shape (n_reference_tokens,)
        Where each of these tokens stands, in the numbering of `Sides`.
    widths : int64, shape (n_lanes,)
        The number of bits that each lane has.
    """

    hypothesis_text: IntArray
    reference_text: IntArray
    offsets: IntArray
    run_of: IntArray
    run_opens: IntArray
    has_gap: Flags
    bits: IntArray
    positions: IntArray
    texts: IntArray
    widths: IntArray

    @classmethod
    def of(cls, groups: Groups, sides: Sides) -> Lanes:
        """Build the lanes of all pairs of texts that share a token."""
        is_ref = groups.positions >= sides.n_hypothesis_tokens
        ref_positions, hyp_positions = groups.positions[is_ref], groups.positions[~is_ref]
        hyp_counts, ref_counts = groups.sizes
        ref_text = sides.text_of[ref_positions]
        # Runs: the tokens of one group that stand in the same reference text.
        is_new = np.ones(len(ref_positions), bool)
        np.not_equal(ref_text[1:], ref_text[:-1], out=is_new[1:])
        ref_opens = offsets_of(ref_counts)
        is_new[ref_opens[:-1]] = True
        run_opens = np.append(np.flatnonzero(is_new), len(ref_positions))
        first_run = np.searchsorted(run_opens, ref_opens)
        # Every hypothesis token goes into one lane per run of its group.
        n_runs = np.repeat(lengths_of(first_run), hyp_counts)
        run_of = np.repeat(np.repeat(first_run[:-1], hyp_counts) - offsets_of(n_runs)[:-1], n_runs)
        run_of += np.arange(len(run_of))
        token = np.repeat(hyp_positions, n_runs)
        reference = ref_text[run_opens[:-1]][run_of]
        order, opens = _lane_order(reference, token, sides)
        bits, n_bits = _ranks(ref_positions, ref_text, sides)
        first, opens = order[opens], np.append(opens, len(order))
        return cls(
            sides.text_of[token[first]],
            reference[first],
            opens,
            run_of[order],
            run_opens,
            _gaps(token[order], opens, sides),
            bits,
            ref_positions,
            ref_text,
            n_bits[reference[first]],
        )

    def take(self, lanes: IntArray) -> Lanes:
        """Return some of the lanes, in that order."""
        tokens = Ragged(np.arange(len(self.run_of)), self.offsets).take(lanes)
        return replace(
            self,
            hypothesis_text=self.hypothesis_text[lanes],
            reference_text=self.reference_text[lanes],
            offsets=tokens.offsets,
            run_of=self.run_of[tokens.values],
            has_gap=self.has_gap[tokens.values],
            widths=self.widths[lanes],
        )

    def masks(self, word: int) -> Words:
        """Return the masks of the bits [64 word, 64 word + 64): shape (n_lane_tokens,)."""
        if len(self.bits) == 0:
            return np.zeros(0, np.uint64)
        bits = self.bits - WORD * word
        flags = ONE << (bits & (WORD - 1)).astype(np.uint64)
        if self.widths.max(initial=0) > WORD:
            flags[(bits < 0) | (bits >= WORD)] = 0
        return np.add.reduceat(flags, self.run_opens[:-1])[self.run_of]


def _ranks(ref_positions: IntArray, ref_text: IntArray, sides: Sides) -> tuple[IntArray, IntArray]:
    """Rank matched reference tokens within their texts, and count them per text."""
    is_matched = np.zeros(len(sides.values) - sides.n_hypothesis_tokens, bool)
    index = ref_positions - sides.n_hypothesis_tokens
    is_matched[index] = True
    counts = np.bincount(ref_text)
    return np.cumsum(is_matched)[index] - 1 - offsets_of(counts)[ref_text], counts


def _lane_order(reference: IntArray, token: IntArray, sides: Sides) -> tuple[IntArray, IntArray]:
    """Sort lane tokens by (reference text, hypothesis position); return order and where lanes open."""
    order, _ = sorted_groups(reference * max(sides.n_hypothesis_tokens, 1) + token)
    reference, hypothesis = reference[order], sides.text_of[token[order]]
    is_new = np.ones(len(order), bool)
    is_new[1:] = (reference[1:] != reference[:-1]) | (hypothesis[1:] != hypothesis[:-1])
    return order, np.flatnonzero(is_new)


def _gaps(token: IntArray, lane_offsets: IntArray, sides: Sides) -> Flags:
    """Say behind which lane tokens the hypothesis goes on with a token that the lane lacks."""
    goes_on = np.zeros(len(token), bool)
    goes_on[:-1] = token[1:] == token[:-1] + 1
    goes_on[lane_offsets[1:] - 1] = False
    following = np.minimum(token + 1, len(sides.text_of) - 1)
    return ~goes_on & (sides.text_of[following] == sides.text_of[token]) & (following > token)


def lane_lengths(lanes: Lanes) -> IntArray:
    """Return the LCS length of every lane: int64, shape (n_lanes,).

    A wide lane is run word by word; the carries of its tokens go from each word to the next.
    """
    sizes = lengths_of(lanes.offsets)
    if lanes.widths.max(initial=0) <= WORD:
        return lcs_run(lanes.masks(0), lanes.offsets)[0]
    lengths = np.zeros(len(sizes), np.int64)
    carry = np.zeros(int(lanes.offsets[-1]), bool)
    for word in range(-(-int(lanes.widths.max()) // WORD)):
        masks = lanes.masks(word)
        order, walk = steps(lanes.offsets[:-1], np.where(lanes.widths > WORD * word, sizes, 0))
        state = np.full(len(order), FULL)
        for tokens in walk:
            going = state[: len(tokens)]
            matched = going & masks[tokens]
            grows = going + matched
            overflow = grows < going
            grows += carry[tokens]
            carry[tokens] = overflow | (grows < going)
            going[:] = grows | (going ^ matched)
        lengths[order] += popcount(~state)
    return lengths


def lane_marks(lanes: Lanes) -> Words:
    """Return the reference bits on one LCS of every lane, for lanes of at most 64 bits.

    The tie-breaking is that of `rouge_score` (`rouge_scorer._backtrack_norec`): from the
    end, a match is taken; else the hypothesis token is dropped where the LCS has grown at
    this reference token, else the reference token. A token that the lane lacks matches
    nowhere, so behind a gap the walk has come down to where the LCS has grown.

    Returns
    -------
    uint64, shape (n_lanes,)
    """
    masks = lanes.masks(0)
    stops = np.where(lanes.has_gap, np.uint64(0), masks) | lcs_run(masks, lanes.offsets, keep=True)[1]
    # Backwards: token k from the end of a lane is token k of the lane in reverse.
    order, walk = steps(len(masks) - lanes.offsets[1:], lengths_of(lanes.offsets))
    marked, below = np.zeros(len(order), np.uint64), np.full(len(order), FULL)
    for reversed_tokens in walk:
        tokens = len(masks) - 1 - reversed_tokens
        n = len(tokens)
        smeared = _smear(stops[tokens] & below[:n])
        hit = (smeared ^ (smeared >> ONE)) & masks[tokens]
        marked[:n] |= hit
        below[:n] = smeared >> (hit != 0).astype(np.uint64)
    marks = np.zeros(len(order), np.uint64)
    marks[order] = marked
    return marks


def _smear(words: Words) -> Words:
    """Set every bit below the highest one."""
    for shift in (1, 2, 4, 8, 16, 32):
        words = words | (words >> np.uint64(shift))
    return words
