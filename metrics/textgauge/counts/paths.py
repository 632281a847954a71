"""Which tokens match: the clipped n-grams and the longest common subsequence, token by token."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

import numpy as np
import numpy.typing as npt

from ..ragged import IntArray
from .groups import Groups, Sides, longer_groups, unigram_groups
from .ngrams import largest_counts, run_opens


def matched_orders(sides: Sides, orders: int) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Return, for every token, the highest order of the matched n-grams that it is in.

    Of an n-gram that occurs h times in the hypothesis and r times in a reference, the first
    min(h, r) occurrences match: as many as `ngram_matches` counts.

    Returns
    -------
    order_of : int64, shape (n_tokens,)
        0 for tokens that match nothing.
    joins : bool, shape (n_tokens,)
        Whether a matched n-gram goes on with the next token.

    References
    ----------
    Papineni et al. (2002), BLEU, section 2.1.

    Examples
    --------
    >>> from textgauge.ragged import Ragged
    >>> hypothesis, reference = Ragged.from_rows([[7, 1, 2, 7]]), Ragged.from_rows([[1, 2, 7, 5]])
    >>> order_of, joins = matched_orders(Sides.of(hypothesis, reference, np.array([0, 1])), orders=2)
    >>> order_of.tolist(), joins.tolist()
    ([1, 2, 2, 2, 2, 2, 2, 0], [False, True, True, False, True, True, False, False])
    """
    order_of, joins = np.zeros(len(sides.values), np.int64), np.zeros(len(sides.values), bool)
    groups = unigram_groups(sides)
    for order in range(1, orders + 1):
        if order > 1:
            groups = longer_groups(groups, sides)
        if len(groups) == 0:
            break
        tokens = _clipped_starts(groups, sides)[:, None] + np.arange(order)
        order_of[tokens] = order
        joins[tokens[:, :-1]] = True
    return order_of, joins


def _clipped_starts(groups: Groups, sides: Sides) -> IntArray:
    """Return where the n-grams start that match: the first ones of each text."""
    in_hypothesis, in_reference = groups.sizes[0], largest_counts(groups, sides)
    index = np.arange(len(groups.positions))
    rank = index - np.maximum.accumulate(np.where(run_opens(groups, sides), index, 0))
    is_hypothesis = groups.positions < sides.n_hypothesis_tokens
    allowed = np.where(is_hypothesis, in_reference[groups.group_of], in_hypothesis[groups.group_of])
    return groups.positions[rank < allowed]


def lcs_path(hypothesis: Sequence[int], reference: Sequence[int]) -> list[tuple[int, int]]:
    """Return one longest common subsequence as ascending pairs of positions.

    The tie-breaking is that of `rouge_score` (`rouge_scorer._backtrack_norec`): from the
    end, a match is taken; else the hypothesis token is dropped where the LCS has grown at
    this reference token, else the reference token. The states before every so many tokens
    are kept and those between recomputed: memory grows with the square root of the text.

    References
    ----------
    Hyyro (2004), Bit-parallel LCS-length computation revisited, figure 1.

    Examples
    --------
    >>> lcs_path("police kill the gunman".split(), "police killed the gunman".split())
    [(0, 0), (2, 2), (3, 3)]
    """
    masks = dict.fromkeys(hypothesis, 0)
    for position, token in enumerate(reference):
        if token in masks:
            masks[token] |= 1 << position
    full = (1 << len(reference)) - 1
    stride = max(isqrt(len(hypothesis)), 64)
    kept = [full]
    for start in range(stride, len(hypothesis), stride):
        kept.append(_states(kept[-1], [masks[token] for token in hypothesis[start - stride : start]], full)[-1])
    path: list[tuple[int, int]] = []
    last = len(reference) - 1
    for block in reversed(range(len(kept))):
        start = block * stride
        matches = [masks[token] for token in hypothesis[start : start + stride]]
        states = _states(kept[block], matches, full)
        for i in reversed(range(len(states))):
            # The walk goes down the reference to the first token that matches or where the LCS has grown.
            stops = (matches[i] | (states[i] ^ full)) & ((1 << (last + 1)) - 1)
            last = stops.bit_length() - 1
            if last < 0:
                return path[::-1]
            if matches[i] >> last & 1:
                path.append((start + i, last))
                last -= 1
    return path[::-1]


def _states(state: int, matches: Sequence[int], full: int) -> list[int]:
    """Return the state after each token: a bit is 0 where the LCS grows."""
    states = []
    for mask in matches:
        matched = mask & state
        state = ((state + matched) | (state ^ matched)) & full
        states.append(state)
    return states
