"""The best threshold for ties of a metric: the largest of running sums, for many resamples."""

from __future__ import annotations

from itertools import accumulate
from typing import Any


def most_gained(gains: Any, segment_of: Any, ends: Any, weights: Any, n_threads: int = 1) -> list[float]:  # noqa: ARG001
    """Return the largest sum of the first gains, over all ends, where segments have weights.

    Parameters
    ----------
    gains : float64, shape (n,), finite
    segment_of : int64, shape (n,), in [0, n_segments)
        A gain counts as often as its segment.
    ends : int64, shape (n_ends,), ascending, in [0, n], at least one
        How many of the gains may be taken.
    weights : float64, shape (n_resamples, n_segments)
    n_threads : int

    Returns
    -------
    float64, shape (n_resamples,)
        The gains are added in their order.

    Raises
    ------
    ValueError
        If a number is beyond these limits.

    Examples
    --------
    >>> most_gained([0.5, -1.0, 2.0], [0, 1, 1], [0, 1, 3], [[1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    [1.5, 1.0, 0.5]
    """
    gains, segments, ends = list(map(float, gains)), list(map(int, segment_of)), list(map(int, ends))
    rows = [list(map(float, row)) for row in weights]
    if len(segments) != len(gains) or not all(0 <= segment < len(row) for row in rows for segment in segments):
        raise ValueError("segment_of: expected a segment for each gain")
    _check_ends(ends, len(gains))
    return [_largest([row[segments[i]] * gains[i] for i in range(len(gains))], ends) for row in rows]


class SwappedGains:
    """Gains of two metrics that swap their scores of some outputs.

    Two outputs have four differences. That with the number 4 * pair + 2 * a + b is of the first output's score by the
    second metric if a is 1, else by the first; and of the second output's score by the second metric if b is 1.

    Parameters
    ----------
    gains : float64, shape (n,), finite
    differences : int64, shape (n,), in [0, 4 * n_pairs)
        A gain counts where a metric has this difference.
    ends : int64, as in `most_gained`
    outputs : int64, shape (n_pairs, 2), in [0, n_outputs)
    n_outputs : int

    Raises
    ------
    ValueError
        If a number is beyond these limits.

    Examples
    --------
    >>> gains = SwappedGains([0.25, 1.0], [0, 3], [0, 1, 2], [[0, 1]], 2)
    >>> gains.most([[0, 0], [1, 1], [0, 1]])
    [[0.25, 1.0], [1.0, 0.25], [0.0, 0.0]]
    """

    def __init__(self, gains: Any, differences: Any, ends: Any, outputs: Any, n_outputs: int) -> None:
        """Check the numbers."""
        self._gains, self._differences = list(map(float, gains)), list(map(int, differences))
        self._ends, self._n_outputs = list(map(int, ends)), n_outputs
        self._outputs = [list(map(int, pair)) for pair in outputs]
        if len(self._differences) != len(self._gains) or not all(
            0 <= number < 4 * len(self._outputs) for number in self._differences
        ):
            raise ValueError("differences: expected four by pair, one for each gain")
        if not all(len(pair) == 2 and 0 <= min(pair) <= max(pair) < n_outputs for pair in self._outputs):
            raise ValueError("outputs: expected two outputs of every pair")
        _check_ends(self._ends, len(self._gains))

    def most(self, swaps: Any, n_threads: int = 1) -> list[list[float]]:  # noqa: ARG002
        """Return the largest sum of the first gains, over all ends, of both metrics after swaps.

        Parameters
        ----------
        swaps : uint8, shape (n_resamples, n_outputs)
            Not 0 where the metrics exchange their scores.
        n_threads : int

        Returns
        -------
        float64, shape (n_resamples, 2)
        """
        found = []
        for row in swaps:
            if len(row) != self._n_outputs:
                raise ValueError("swaps: expected a number for each output")
            # Which of its four differences a pair has by the first metric.
            taken = [4 * pair + 2 * bool(row[a]) + bool(row[b]) for pair, (a, b) in enumerate(self._outputs)]
            sides = {*taken}, {4 * (number // 4) + 3 - number % 4 for number in taken}
            found.append([self._largest_of(side) for side in sides])
        return found

    def _largest_of(self, differences: set[int]) -> float:
        pairs = zip(self._gains, self._differences, strict=True)
        return _largest([gain if number in differences else 0.0 for gain, number in pairs], self._ends)


def _largest(gains: list[float], ends: list[int]) -> float:
    sums = list(accumulate(gains, initial=0.0))
    return max(sums[end] for end in ends)


def _check_ends(ends: list[int], n: int) -> None:
    if not ends or ends != sorted(ends) or ends[0] < 0 or ends[-1] > n:
        raise ValueError("ends: expected ascending numbers of gains")
