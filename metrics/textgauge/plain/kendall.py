"""Kendall's counts of concordant and discordant pairs, of weighted observations."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from .integers import check_size

# Products of two weights are summed in 64 bits.
MOST_WEIGHT = 2**31 - 1


def kendall_sums(first: Any, second: Any, segment_of: Any, weights: Any, n_threads: int = 1) -> list[list[int]]:  # noqa: ARG001
    """Sum the products of the weights of all pairs that agree about the order, that disagree, that are not tied.

    Parameters
    ----------
    first, second : int64, shape (n,), in [0, n)
        Two ranks of every observation.
    segment_of : int64, shape (n,), in [0, n_segments)
        An observation has the weight of its segment; one of weight w is w equal ones.
    weights : int64, shape (n_resamples, n_segments), at least 0
        Those of all observations together are below 2**31.
    n_threads : int

    Returns
    -------
    int64, shape (n_resamples, 3)
        Concordant pairs less discordant ones, pairs that differ in the first rank, and in the second.

    Raises
    ------
    ValueError
        If the lengths differ, or a number is beyond these limits.

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
    check_size(len(weights), 3)
    weights = [list(map(int, of_segments)) for of_segments in weights]
    _check(first, second, segments, weights)
    # By pair of segments, whose weights all pairs of their observations have.
    sums: dict[tuple[int, int], list[int]] = {}
    for i, j in combinations(range(len(first)), 2):
        of_pair = sums.setdefault((segments[i], segments[j]), [0, 0, 0])
        by_first, by_second = _sign(first[i] - first[j]), _sign(second[i] - second[j])
        of_pair[0] += by_first * by_second
        of_pair[1] += abs(by_first)
        of_pair[2] += abs(by_second)
    found = []
    for weight in weights:
        found.append([sum(weight[s] * weight[t] * one[k] for (s, t), one in sums.items()) for k in range(3)])
    return found


def _check(first: list[int], second: list[int], segments: list[int], weights: list[list[int]]) -> None:
    """Raise for what the compiled kernel refuses."""
    for name, ranks in (("first", first), ("second", second)):
        if not all(0 <= rank < len(first) for rank in ranks):
            raise ValueError(f"{name}: expected ranks below the number of observations")
    if not all(0 <= segment < len(weight) for weight in weights for segment in segments):
        raise ValueError("segment_of: expected segments")
    if not len(first) == len(second) == len(segments):
        raise ValueError("first, second, segment_of: expected as many of each")
    for weight in weights:
        of_observations = [weight[segment] for segment in segments]
        if min(of_observations, default=0) < 0 or sum(of_observations) > MOST_WEIGHT:
            raise ValueError("weights: expected at least 0, below 2**31 in all")


def _sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)
