"""PERM-BOTH, which tests whether one metric agrees better with people than another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import engine, threads
from ..arrays import FloatArray
from ..resampling.comparison import ROUNDING
from .accuracy import Gains, SystemPairs, blocks, p_values, pairwise_accuracy, soft_accuracy
from .correlations import BoolArray, of_order_one, pearson
from .figures import Human

# To which standardized differences are told apart.
_DIGITS = 10
# The figures that can be tested.
TESTED = ("system_pearson", "pairwise_accuracy", "soft_pairwise_accuracy", "acc_eq")


class Difference(NamedTuple):
    """Whether the first of two metrics agrees better.

    Attributes
    ----------
    stat : float
        The figure of the first less that of the second.
    p, p_reversed : float
        One-sided p-values, in (0, 1]: of "the first agrees better", and of "the second agrees better". nan where
        the figure is not defined.
    """

    stat: float
    p: float
    p_reversed: float


class _Swapped(NamedTuple):
    """Two metrics, standardized; the figures of both after some of their scores are swapped."""

    first: FloatArray
    second: FloatArray
    human: Human

    def differences(self, name: str) -> Callable[[BoolArray], FloatArray]:
        """Return a function from swaps, shape (n, n_systems, n_segments), to differences of a figure: shape (n,)."""
        if name == "acc_eq":
            return _Ties.of(self.human.pairs, self.first, self.second).differences
        if name == "soft_pairwise_accuracy":
            return self._soft
        of = pearson if name == "system_pearson" else pairwise_accuracy
        people = self.human.of_systems[0]
        return lambda swaps: np.subtract(*(of(people, means) for means in self._means(swaps)))

    def _means(self, swaps: BoolArray) -> tuple[FloatArray, FloatArray]:
        """Return the scores of systems by both metrics, shape (n, n_systems) each."""
        has = ~np.isnan(self.first) & ~np.isnan(self.second)
        n = has.sum(axis=1)
        moved = np.where(has, self.second - self.first, 0.0)
        sums = np.matmul(swaps.transpose(1, 0, 2).astype(np.float64), moved[:, :, None])[..., 0].T
        first, second = (side.sum(axis=1, where=has) for side in (self.first, self.second))
        return (first + sums) / n, (second - sums) / n

    def _soft(self, swaps: BoolArray) -> FloatArray:
        judged = self.human.judged
        swaps, people = swaps[:, :, judged], self.human.p_values[:1]
        sides = [(self.first, self.second), (self.second, self.first)]
        both = [np.where(swaps, b[:, judged], a[:, judged]) for a, b in sides]
        first, second = (soft_accuracy(people, p_values(side, self.human.signs)) for side in both)
        return first - second


class _Ties(NamedTuple):
    """Accuracy with calibrated ties of swapped metrics.

    A pair of outputs has four differences: of the scores of one metric, of the other, and of one of each. Sorted once
    for all resamples, a swap selects one of the four.

    Attributes
    ----------
    gains : SwappedGains
        Of the kernel: what is right where only equal scores are ties, then what a higher threshold changes.
    n_gains : int
    n_judged : int
        The number of segments with pairs.
    """

    gains: Any
    n_gains: int
    n_judged: int

    @classmethod
    def of(cls, pairs: SystemPairs, first: FloatArray, second: FloatArray) -> _Ties:
        n = len(pairs.segment)
        sides = [(a, b) for a in (first, second) for b in (first, second)]
        gaps = [a[pairs.first, pairs.segment] - b[pairs.second, pairs.segment] for a, b in sides]
        # Each difference as a pair of its own, in a segment of its own: its index is 4 times the pair, and the kind.
        each = np.arange(4 * n)
        alone = SystemPairs(each, each, each, np.repeat(pairs.human, 4), np.repeat(pairs.weight, 4), 4 * n)
        # Equal differences are no longer equal in their last bits after standardizing.
        changes = Gains.of(alone, np.round(np.stack(gaps, axis=1).reshape(-1), _DIGITS))
        right = np.flatnonzero(changes.as_is)
        gains = np.r_[changes.as_is[right], changes.gain]
        outputs = np.stack([side * pairs.n_segments + pairs.segment for side in (pairs.first, pairs.second)], axis=1)
        made = engine.kernel.SwappedGains(
            gains, np.r_[right, changes.segment], len(right) + np.r_[0, changes.last + 1], outputs, first.size
        )
        return cls(made, len(gains), int(pairs.judged.sum()))

    def differences(self, swaps: BoolArray) -> FloatArray:
        """Return the accuracy of the first less that of the second, for each of several swaps."""
        # A gain costs about as much as a byte of text.
        n_threads = threads.threads_for(len(swaps), len(swaps) * self.n_gains)
        most = self.gains.most(swaps.reshape(len(swaps), -1).view(np.uint8), n_threads)
        first, second = np.asarray(most, np.float64).T
        return np.asarray((first - second) / self.n_judged)


def perm_both(
    human: Human, first: FloatArray, second: FloatArray, names: Sequence[str], n_resamples: int, seed: int
) -> dict[str, Difference]:
    """Test whether one of two metrics agrees better with people, by swapping their scores at random.

    Both metrics are standardized; under the null hypothesis their scores of an output can be exchanged. Every
    resample swaps each of them with probability one half, those of a system in one unit together. With d the observed
    difference and d* that after the swaps, p is (1 + the number of d* >= d) / (1 + n_resamples).

    Parameters
    ----------
    human : Human
    first, second : float64, shape (n_systems, n_segments)
        Higher is better.
    names : sequence of str
        Figures, of `TESTED`.
    n_resamples, seed : int

    Returns
    -------
    dict from str to Difference

    References
    ----------
    Deutsch, Dror and Roth (2021), A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
    Methods, section 4.2.
    """
    both = _Swapped(_standardized(first, human.known), _standardized(second, human.known), human)
    generator = np.random.default_rng(seed)
    shape = human.scores.shape
    n_drawn = shape[1] if human.unit_of is None else int(human.unit_of.max()) + 1
    of = {name: both.differences(name) for name in names if is_defined(human, name)}
    none = np.zeros((1, *shape), bool)
    observed = {name: float(differences(none)[0]) for name, differences in of.items()}
    reached = {name: np.zeros(2) for name in of}
    for block in blocks(n_resamples, human.scores.size):
        n = min(block.stop, n_resamples) - block.start
        swaps = generator.integers(0, 2, (n, shape[0], n_drawn), dtype=np.bool_)
        swaps = swaps if human.unit_of is None else swaps[:, :, human.unit_of]
        for name, differences in of.items():
            drawn, stat = differences(swaps), observed[name]
            # A figure that is not defined after a swap cannot say that this one is larger.
            with np.errstate(invalid="ignore"):
                reached[name] += [(~(drawn < stat - ROUNDING)).sum(), (~(drawn > stat + ROUNDING)).sum()]
    tests = dict.fromkeys(names, Difference(np.nan, np.nan, np.nan))
    for name, stat in observed.items():
        p = (1 + reached[name]) / (1 + n_resamples)
        tests[name] = Difference(stat, *(p.tolist() if np.isfinite(stat) else (np.nan, np.nan)))
    return tests


def is_defined(human: Human, name: str) -> bool:
    """Return whether there are two systems, and segments, to compute a figure from."""
    enough = {"acc_eq": len(human.pairs.segment), "soft_pairwise_accuracy": len(human.judged)}
    return len(human.scores) > 1 and enough.get(name, 1) > 0


def _standardized(scores: FloatArray, known: BoolArray) -> FloatArray:
    scores = of_order_one(scores)
    spread = scores[known].std()
    return np.asarray((scores - scores[known].mean()) / (spread if spread > 0 else 1.0))
