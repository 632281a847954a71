"""Edits of words with times, of which only words that overlap in time are compared."""

from __future__ import annotations

from typing import Any

from .integers import check_offsets


def timed_edits(ids: Any, offsets: Any, times: Any, n_hypotheses: int, n_threads: int = 1) -> list[list[int]]:  # noqa: ARG001
    """Count the edits that turn references into hypotheses, for all pairs of them.

    A word may be matched with, or substituted by, another one only if their times overlap: each starts before the other
    ends. Of several equally short lists of edits that of kaldialign counts: from the right a pair if it is better
    than a deletion and an insertion, then a deletion if it is better than an insertion.

    Parameters
    ----------
    ids : uint32, shape (n_words,)
    offsets : int64, shape (n_texts + 1,)
        Text t is ``ids[offsets[t]:offsets[t + 1]]``.
    times : float64, shape (2 * n_words,)
        The start and the end of every word.
    n_hypotheses : int
        How many texts are hypotheses, which stand first; the others are references.
    n_threads : int

    Returns
    -------
    int64, shape (n_references * n_hypotheses, 4)
        Hits, substitutions, deletions and insertions, reference by reference.

    Raises
    ------
    ValueError
        If offsets do not ascend to the number of words, or there are not two times for each word.

    References
    ----------
    von Neumann et al. (2023), MeetEval: A Toolkit for Computation of Word Error Rates for Meeting Transcription
    Systems.

    Examples
    --------
    >>> timed_edits([0, 1, 0, 1], [0, 2, 4], [0, 1, 5, 6, 0, 1, 1, 2], 1)       # the second word is heard too late
    [[1, 0, 1, 1]]
    """
    ids, offsets, times = [*map(int, ids)], [*map(int, offsets)], [*map(float, times)]
    check_offsets("offsets", offsets, len(ids))
    if len(times) != 2 * len(ids):
        raise ValueError("times: expected two for every word")
    if not 0 <= n_hypotheses < len(offsets):
        raise ValueError("n_hypotheses: expected at most the number of texts")
    words = [(word, times[2 * i], times[2 * i + 1]) for i, word in enumerate(ids)]
    texts = [words[first:last] for first, last in zip(offsets, offsets[1:], strict=False)]
    return [_edits(one, other) for other in texts[n_hypotheses:] for one in texts[:n_hypotheses]]


def _edits(hypothesis: list[tuple[int, float, float]], reference: list[tuple[int, float, float]]) -> list[int]:
    # Hits, substitutions, deletions and insertions of beginnings of both.
    row = [[0, 0, 0, j] for j in range(len(hypothesis) + 1)]
    for i, (word, start, end) in enumerate(reference, 1):
        above, row = row, [[0, 0, i, 0]]
        for j, (other, first, last) in enumerate(hypothesis):
            diagonal, up, left = above[j], above[j + 1], row[j]
            least = min(sum(up[1:]), sum(left[1:])) + 1
            is_other = word != other
            if start < last and end > first and sum(diagonal[1:]) + is_other < least:
                row.append([diagonal[0] + (not is_other), diagonal[1] + is_other, *diagonal[2:]])
            elif sum(up[1:]) < sum(left[1:]):
                row.append([*up[:2], up[2] + 1, up[3]])
            else:
                row.append([*left[:3], left[3] + 1])
    return row[-1]
