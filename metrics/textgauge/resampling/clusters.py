"""Rank ranges and clusters of systems, from which of them are significantly better than which."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray


class Ranking(NamedTuple):
    """Systems as WMT prints them.

    Attributes
    ----------
    order : list of int
        All systems, the best first.
    ranges : list of lists of 2 int
        By system: the rank 1 is the best.
    clusters : list of lists of int
        The best first; in each the best system first.
    """

    order: list[int]
    ranges: list[list[int]]
    clusters: list[list[int]]


def ranking(scores: FloatArray, is_better: npt.NDArray[np.bool_]) -> Ranking:
    """Rank systems.

    The range of a system begins behind all that are significantly better, and ends before all that are
    significantly worse. A new cluster begins where each of the systems above is significantly better than each of
    those below.

    Parameters
    ----------
    scores : float64, shape (n,)
        Higher is better.
    is_better : bool, shape (n, n)
        Whether the system of the row is significantly better than that of the column.

    References
    ----------
    Bojar et al. (2016), Findings of the 2016 Conference on Machine Translation, section 3.4.

    Examples
    --------
    >>> better = np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], bool)
    >>> ranking(np.array([0.9, 0.8, 0.1]), better)
    Ranking(order=[0, 1, 2], ranges=[[1, 2], [1, 2], [3, 3]], clusters=[[0, 1], [2]])
    """
    n = len(scores)
    order = np.argsort(-scores, kind="stable")
    ranges = np.stack([1 + is_better.sum(axis=0), n - is_better.sum(axis=1)], axis=1)
    sorted_better = is_better[np.ix_(order, order)]
    cuts = [k for k in range(1, n) if sorted_better[:k, k:].all()]
    return Ranking(order.tolist(), ranges.tolist(), [part.tolist() for part in np.split(order, cuts)])
