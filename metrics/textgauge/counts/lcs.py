"""Longest common subsequences: their length, and the union over sentences."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..ragged import IntArray, Ragged


def lcs_lengths(hypotheses: Ragged, references: Ragged) -> IntArray:
    """Return the length of the longest common subsequence of every pair of rows.

    Bit-parallel: bit i of `state` is 0 where the LCS grows at reference token i.

    Returns
    -------
    int64, shape (n_pairs,)

    References
    ----------
    Hyyro (2004), Bit-parallel LCS-length computation revisited, figure 1.

    Examples
    --------
    >>> reference = Ragged.from_rows([[0, 1, 2, 3]])    # the quick brown fox
    >>> lcs_lengths(Ragged.from_rows([[0, 2, 1, 3]]), reference)
    array([3])
    """
    lengths = np.zeros(len(references), np.int64)
    for pair in range(len(references)):
        hyp = hypotheses.values[hypotheses.offsets[pair] : hypotheses.offsets[pair + 1]].tolist()
        ref = references.values[references.offsets[pair] : references.offsets[pair + 1]].tolist()
        lengths[pair] = _lcs_columns(hyp, ref)[-1].bit_count() if hyp else 0
    return lengths


def _masks(ref: list[int]) -> dict[int, int]:
    masks: dict[int, int] = {}
    for i, token in enumerate(ref):
        masks[token] = masks.get(token, 0) | 1 << i
    return masks


def _lcs_columns(hyp: list[int], ref: list[int]) -> list[int]:
    """Return, after each hypothesis token, the bits of the reference tokens where the LCS grows."""
    masks = _masks(ref)
    full = (1 << len(ref)) - 1
    state = full
    columns = []
    for token in hyp:
        matched = state & masks.get(token, 0)
        state = ((state + matched) | (state - matched)) & full
        columns.append(state ^ full)
    return columns


def union_lcs_hits(hypotheses: list[list[list[int]]], references: list[list[list[int]]]) -> IntArray:
    """Count the tokens of ROUGE-Lsum's union LCS, per pair of texts given as sentences.

    Every reference sentence is marked where one LCS with any hypothesis sentence touches
    it; a marked token counts as often as the hypothesis has it.

    References
    ----------
    Lin (2004), ROUGE, section 3.2.
    """
    return np.array([_union_hits(h, r) for h, r in zip(hypotheses, references, strict=True)], np.int64)


def _union_hits(hypothesis: list[list[int]], reference: list[list[int]]) -> int:
    marked: Counter[int] = Counter()
    for ref in reference:
        masks = _masks(ref)
        union = 0
        for hyp in hypothesis:
            union |= _marks(hyp, masks, _lcs_columns(hyp, ref))
        marked.update(token for i, token in enumerate(ref) if union >> i & 1)
    available = Counter(token for hyp in hypothesis for token in hyp)
    return sum(min(n, available[token]) for token, n in marked.items())


def _marks(hyp: list[int], masks: dict[int, int], columns: list[int]) -> int:
    """Trace one LCS back through the reference, with the tie-breaking of `rouge_score`.

    From the end: a match is taken; else the hypothesis token is dropped if the LCS grows
    at this reference token (`rouge_scorer._backtrack_norec`), else the reference token.
    """
    marks = 0
    below = -1
    for token, grows in zip(reversed(hyp), reversed(columns), strict=True):
        matches = masks.get(token, 0)
        candidates = (matches | grows) & below
        if not candidates:
            break
        top = 1 << (candidates.bit_length() - 1)
        if matches & top:
            marks |= top
            below = top - 1
        else:
            below = (top << 1) - 1
    return marks
