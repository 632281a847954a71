"""Longest common subsequences: Lin (2004), ROUGE, section 3.1, by the bit-parallel algorithm of Hyyrö (2004)."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from math import isqrt

from .integers import Integers, integers
from .tokens import Ids, Tokens

# Reference tokens per strip: masks of a whole long text would take quadratic memory.
STRIP = 1 << 13


def lcs_lengths(tokens: Tokens, n_threads: int = 1) -> list[int]:
    """Return, per pair, the length of the longest common subsequence of its two texts.

    Parameters
    ----------
    tokens : Tokens

    Returns
    -------
    int64, shape (n_pairs,)

    References
    ----------
    Lin (2004), ROUGE, section 3.1.

    Examples
    --------
    >>> police, killed, the, gunman, kill = range(5)
    >>> lcs_lengths(Tokens([police, kill, the, gunman, police, killed, the, gunman], [0, 4, 8], [0, 2]))
    [3]
    >>> lcs_lengths(Tokens([the, gunman, kill, police, police, killed, the, gunman], [0, 4, 8], [0, 2]))
    [2]
    """
    return [lcs_length(hypothesis, reference) for hypothesis, reference in tokens.pairs()]


def lcs_length(hypothesis: Ids, reference: Ids) -> int:
    """Return the length of the longest common subsequence of two texts."""
    carries = [0] * len(hypothesis)
    length = 0
    for start in range(0, len(reference), STRIP):
        strip = reference[start : start + STRIP]
        masks = masks_of(strip)
        full = (1 << len(strip)) - 1
        matches = [masks.get(token, 0) for token in hypothesis]
        length += len(strip) - _last_state(full, matches, full, carries).bit_count()
    return length


def masks_of(reference: Ids) -> dict[int, int]:
    """Return the positions of every token of a text, as the bits of an integer."""
    masks = dict.fromkeys(reference, 0)
    for position, token in enumerate(reference):
        masks[token] |= 1 << position
    return masks


def states(state: int, matches: Iterable[int], full: int, carries: list[int]) -> Iterator[int]:
    """Yield the state after each hypothesis token: bit j is 0 where the LCS grows at reference token j.

    Parameters
    ----------
    state : int
        The state before the first token; `full` at the start of the text.
    matches : iterable of int, shape (n_hypothesis_tokens,)
        For each hypothesis token, the bits of the reference tokens that equal it.
        full : int
        A bit for every reference token.
    carries : list of int, shape (n_hypothesis_tokens,)
        The carries out of the strip before, 0 or 1; replaced by the carries out of this one.

    References
    ----------
    Hyyrö (2004), Bit-parallel LCS-length computation revisited, figure 1.
    """
    for i, mask in enumerate(matches):
        matched = mask & state
        total = state + matched + carries[i]
        carries[i] = int(total > full)
        state = (total | (state ^ matched)) & full
        yield state


def _last_state(state: int, matches: Sequence[int], full: int, carries: list[int]) -> int:
    return deque(states(state, matches, full, carries), 1).pop() if matches else state


def walk_back(matches: Sequence[int], n_reference_tokens: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of positions of one longest common subsequence, from the last to the first.

    Ties are broken as in `rouge_score` (`rouge_scorer._backtrack_norec`) and ROUGE-1.5.5.pl:
    from the ends of both texts, equal tokens match; else the hypothesis token is dropped if
    the LCS has grown at this reference token, else the reference token.

    The states before every `stride`-th token are stored, and those between recomputed.

    Parameters
    ----------
    matches : sequence of int, shape (n_hypothesis_tokens,)
        For each hypothesis token, the bits of the reference tokens that equal it.
        n_reference_tokens : int
    """
    full = (1 << n_reference_tokens) - 1
    stride = max(isqrt(len(matches)), 64)
    kept = [full]
    for start in range(stride, len(matches), stride):
        kept.append(_last_state(kept[-1], matches[start - stride : start], full, [0] * stride))
    below = full
    for block in reversed(range(len(kept))):
        start = block * stride
        rows = list(states(kept[block], matches[start : start + stride], full, [0] * stride))
        for i in reversed(range(len(rows))):
            # Back along the reference, to a token that equals this one or where the LCS has grown.
            stop = ((matches[start + i] | (rows[i] ^ full)) & below).bit_length()
            below = (1 << stop) - 1
            if stop and matches[start + i] >> (stop - 1) & 1:
                yield start + i, stop - 1
                below >>= 1
            if not below:
                return


def lcs_path(hypothesis: Integers, reference: Integers) -> list[tuple[int, int]]:
    """Return one longest common subsequence as ascending pairs of positions; ties as in `walk_back`.

    Parameters
    ----------
    hypothesis, reference : uint32, shape (n_hypothesis_tokens,), (n_reference_tokens,)

    Returns
    -------
    int64, shape (length, 2)
        Positions in the hypothesis and in the reference.

    References
    ----------
    Lin (2004), ROUGE, section 3.1.

    Examples
    --------
    >>> police, killed, the, gunman, kill = range(5)
    >>> lcs_path([police, kill, the, gunman], [police, killed, the, gunman])
    [(0, 0), (2, 2), (3, 3)]
    """
    masks = masks_of(integers(reference))
    matches = [masks.get(token, 0) for token in integers(hypothesis)]
    return list(walk_back(matches, len(reference)))[::-1]
