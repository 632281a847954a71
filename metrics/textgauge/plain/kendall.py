"""Kendall's counts of concordant and discordant pairs, of weighted observations."""

from __future__ import annotations

from itertools import combinations
from typing import Any


def kendall_sums(first: Any, second: Any, segment_of: Any, weights: Any, n_threads: int = 1) -> list[list[int]]:  # noqa: ARG001
    """Sum the products of the weights of all pairs that agree about the order, that disagree, that are not tied.

    Parameters
    ----------
    first, second : int64, shape (n,), at least 0
        Two ranks of every observation.
    segment_of : int64, shape (n,), in [0, n_segments)
        An observation has the weight of its segment; one of weight w is w equal ones.
    weights : int64, shape (n_resamples, n_segments), at least 0
    n_threads : int

    Returns
    -------
    int64, shape (n_resamples, 3)
        Concordant pairs less discordant ones, pairs that differ in the first rank, and in the second.

    References
    ----------
    Kendall (1945), The Treatment of Ties in Ranking Problems; Knight (1966), A Computer Method for Calculating
    Kendall's Tau with Ungrouped Data.

    Examples
    --------
    >>> kendall_sums([0, 1, 2], [0, 2, 1], [0, 0, 0], [[1]])
    [[1, 3, 3]]
    """
    first, second, segments = (list(map(int, values)) for values in (first, second, segment_of))
    # By pair of segments, whose weights all pairs of their observations have.
    sums: dict[tuple[int, int], list[int]] = {}
    for i, j in combinations(range(len(first)), 2):
        of_pair = sums.setdefault((segments[i], segments[j]), [0, 0, 0])
        by_first, by_second = _sign(first[i] - first[j]), _sign(second[i] - second[j])
        of_pair[0] += by_first * by_second
        of_pair[1] += abs(by_first)
        of_pair[2] += abs(by_second)
    found = []
    for of_segments in weights:
        weight = list(map(int, of_segments))
        found.append([sum(weight[s] * weight[t] * one[k] for (s, t), one in sums.items()) for k in range(3)])
    return found


def _sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)
