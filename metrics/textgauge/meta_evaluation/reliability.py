"""Reliability of raters: Krippendorff's alpha, kappas and percent agreement, in fractions, and of resamples at once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Literal, NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray
from .accuracy import blocks
from .correlations import BoolArray

LEVELS = ("nominal", "ordinal", "interval", "ratio")
WEIGHTS = ("kappa", "linear_kappa", "quadratic_kappa")
# With so many values or fewer a product with a table of counts is faster than sums by value.
_FEW_VALUES = 64

_Weight = Literal["kappa", "linear_kappa", "quadratic_kappa"]


class Ratings(NamedTuple):
    """Ratings of items by raters.

    Attributes
    ----------
    codes : int64, shape (n_raters, n_items)
        The place of every rating among the `values`; -1 where there is none.
    values : sequence
        The different ratings, in ascending order, or in the order of the scale.
    numbers : tuple of Fraction
        The values as numbers, exactly; for words their places.
    """

    codes: IntArray
    values: Sequence[object]
    numbers: tuple[Fraction, ...]

    @property
    def n_of_item(self) -> IntArray:
        """The number of ratings of every item: int64, shape (n_items,)."""
        return np.asarray((self.codes >= 0).sum(axis=0), np.int64)

    def of_raters(self, raters: Sequence[int]) -> Ratings:
        """Return the ratings of some raters, without those of items that only one of them rated."""
        codes = self.codes[list(raters)]
        return self._replace(codes=np.where((codes >= 0).sum(axis=0) > 1, codes, -1))

    def complete(self) -> Ratings:
        """Return the ratings of the items that all raters rated."""
        return self._replace(codes=np.where((self.codes >= 0).all(axis=0), self.codes, -1))

    def counts(self) -> list[int]:
        """Return how often every value was given."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.values)).tolist()

    def is_constant(self, weights: IntArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return which resamples have one value only, or none: shape (n_resamples,)."""
        highest = self.codes.max(axis=0)
        lowest = np.where(self.codes < 0, len(self.values), self.codes).min(axis=0)
        drawn = weights > 0
        return np.asarray(
            np.where(drawn, highest, -1).max(axis=1) <= np.where(drawn, lowest, len(self.values)).min(axis=1)
        )


def positions(ratings: Ratings, level: str) -> list[int]:
    """Return whole numbers whose squared differences are the disagreement at the level ordinal or interval."""
    if level == "ordinal":
        # Twice the midpoints of the ranks, which keeps them whole.
        counts = np.array(ratings.counts())
        return (2 * np.cumsum(counts) - counts).tolist()
    scale = lcm(*(number.denominator for number in ratings.numbers))
    return [int(number * scale) for number in ratings.numbers]


def ratio_distance(a: Fraction, b: Fraction) -> Fraction:
    """Return the disagreement of two numbers at the level ratio."""
    return ((a - b) / (a + b)) ** 2 if a + b else Fraction(0)


def _items(ratings: Ratings) -> list[list[int]]:
    return [[code for code in item if code >= 0] for item in ratings.codes.T.tolist()]


def disagreements(ratings: Ratings, level: str) -> list[Fraction | None]:
    """Return the sum of the disagreements of ordered pairs of ratings of every item; None for less than two ratings."""
    if level in ("ordinal", "interval"):
        x = positions(ratings, level)
        return [
            Fraction(2 * (len(item) * sum(x[i] ** 2 for i in item) - sum(x[i] for i in item) ** 2))
            if len(item) > 1 else None
            for item in _items(ratings)
        ]  # fmt: skip

    @lru_cache(1 << 16)
    def distance(a: int, b: int) -> Fraction:
        return Fraction(a != b) if level == "nominal" else ratio_distance(ratings.numbers[a], ratings.numbers[b])

    return [
        sum((distance(a, b) for a in item for b in item if a != b), Fraction(0)) if len(item) > 1 else None
        for item in _items(ratings)
    ]


def expected_disagreement(ratings: Ratings, level: str) -> Fraction:
    """Return the mean disagreement of all ordered pairs of ratings, whatever their items."""
    counts = ratings.counts()
    total = sum(counts)
    if level == "nominal":
        summed = Fraction(total**2 - sum(n**2 for n in counts))
    elif level == "ratio":
        used = [(n, x) for n, x in zip(counts, ratings.numbers, strict=True) if n]
        pairs = (2 * n * m * ratio_distance(a, b) for i, (n, a) in enumerate(used) for m, b in used[:i])
        summed = sum(pairs, Fraction(0))
    else:
        x = positions(ratings, level)
        pairs_of = [*zip(counts, x, strict=True)]
        summed = Fraction(2 * (total * sum(n * a**2 for n, a in pairs_of) - sum(n * a for n, a in pairs_of) ** 2))
    return summed / (total * (total - 1)) if total > 1 else Fraction(0)


def alpha(ratings: Ratings, level: str) -> Fraction | None:
    """Return Krippendorff's alpha of items with two ratings or more; None if these have one value only.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability.
    """
    ratings = ratings.of_raters(range(len(ratings.codes)))
    expected = expected_disagreement(ratings, level)
    if not expected:
        return None
    by_size: dict[int, Fraction] = {}
    for n, summed in zip(ratings.n_of_item.tolist(), disagreements(ratings, level), strict=True):
        if summed:
            by_size[n] = by_size.get(n, Fraction(0)) + summed
    observed = sum((summed / (n - 1) for n, summed in by_size.items()), Fraction(0))
    return 1 - observed / sum(ratings.counts()) / expected


def _weighted(a: int, b: int, weight: _Weight) -> int:
    return int(a != b) if weight == "kappa" else abs(a - b) if weight == "linear_kappa" else (a - b) ** 2


def _renumbered(ratings: Ratings) -> IntArray:
    """Return the codes of items that two raters both rated, counted among the values that are left."""
    codes = ratings.of_raters((0, 1)).codes
    used = np.unique(codes[codes >= 0])
    return np.where(codes < 0, -1, np.searchsorted(used, codes))


def kappa(ratings: Ratings, weight: _Weight) -> Fraction | None:
    """Return Cohen's kappa of two raters, of the items that both rated; None if these have one value only.

    Weights are differences of the places of values among those of the items that both rated, or their squares.

    References
    ----------
    Cohen (1968), Weighted kappa.
    """
    codes = _renumbered(ratings)
    first, second = codes[:, codes[0] >= 0]
    n = len(first)
    size = int(codes.max(initial=0)) + 1
    a, b = (np.bincount(side, minlength=size).tolist() for side in (first, second))
    if weight == "kappa":
        expected = n * n - sum(p * q for p, q in zip(a, b, strict=True))
    elif weight == "linear_kappa":
        below_a, below_b = (np.cumsum(side)[:-1].tolist() for side in (a, b))
        expected = sum(p * (n - q) + q * (n - p) for p, q in zip(below_a, below_b, strict=True))
    else:
        squares = sum((p + q) * i * i for i, (p, q) in enumerate(zip(a, b, strict=True)))
        expected = n * squares - 2 * sum(i * p for i, p in enumerate(a)) * sum(i * q for i, q in enumerate(b))
    observed = sum(_weighted(i, j, weight) for i, j in zip(first.tolist(), second.tolist(), strict=True))
    return 1 - Fraction(n * observed, expected) if expected else None


def fleiss_kappa(ratings: Ratings) -> Fraction | None:
    """Return Fleiss' kappa of the items that all raters rated; None if these have one value only, or there are none.

    References
    ----------
    Fleiss (1971), Measuring nominal scale agreement among many raters.
    """
    ratings = ratings.complete()
    by_chance = Fraction(sum(n * n for n in ratings.counts()), max(1, sum(ratings.counts())) ** 2)
    observed = percent_agreement(ratings)
    return None if observed is None or by_chance == 1 else (observed - by_chance) / (1 - by_chance)


def percent_agreement(ratings: Ratings) -> Fraction | None:
    """Return the share of pairs of ratings of an item that are equal; None if there is no pair."""
    sizes = ratings.n_of_item
    n_pairs = int((sizes * (sizes - 1)).sum())
    unequal = sum((summed for summed in disagreements(ratings, "nominal") if summed), Fraction(0))
    return 1 - unequal / n_pairs if n_pairs else None


def _counts_drawn(ratings: Ratings, weights: FloatArray) -> FloatArray:
    """Return how often every value is drawn: shape (n_resamples, n_values)."""
    rater, item = np.nonzero(ratings.codes >= 0)
    codes, n = ratings.codes[rater, item], len(ratings.values)
    if n <= _FEW_VALUES:
        table = np.zeros((weights.shape[1], n))
        np.add.at(table, (item, codes), 1.0)
        return weights @ table
    order = np.argsort(codes, kind="stable")
    present, starts = np.unique(codes[order], return_index=True)
    counts = np.zeros((len(weights), n))
    for block in blocks(len(weights), len(order)):
        counts[block, present] = np.add.reduceat(weights[block][:, item[order]], starts, axis=1)
    return counts


def resampled_alpha(ratings: Ratings, level: str, weights: IntArray) -> FloatArray:
    """Return alpha of weighted items, nan where it is not defined: shape (n_resamples,).

    Parameters
    ----------
    weights : int64, shape (n_resamples, n_items)
        How often each item counts.
    """
    ratings = ratings.of_raters(range(len(ratings.codes)))
    drawn, sizes = weights.astype(np.float64), ratings.n_of_item.astype(np.float64)
    per_pair = np.divide(1.0, sizes - 1, out=np.zeros(len(sizes)), where=sizes > 1)
    total = drawn @ sizes
    if level == "ordinal":
        observed, expected = _ordinal_sums(ratings, drawn, per_pair)
    elif level == "interval":
        x = np.array(positions(ratings, level), object)
        x = np.array([float(Fraction(int(one) - int(x[0]), max(1, int(x[-1] - x[0])))) for one in x])
        x -= (np.array(ratings.counts()) @ x) / max(1, sum(ratings.counts()))
        known = ratings.codes >= 0
        of_rating = np.where(known, x[ratings.codes], 0.0)
        sums, squares = of_rating.sum(axis=0), (of_rating**2).sum(axis=0)
        observed = drawn @ (2 * (sizes * squares - sums**2) * per_pair)
        expected = 2 * (total * (drawn @ squares) - (drawn @ sums) ** 2)
    else:
        of_item = [0.0 if summed is None else float(summed) for summed in disagreements(ratings, level)]
        observed = drawn @ (np.array(of_item) * per_pair)
        counts = _counts_drawn(ratings, drawn)
        expected = total**2 - (counts**2).sum(axis=1) if level == "nominal" else _ratio_sums(ratings, counts)
    return _one_less(observed * (total - 1), expected, ratings.is_constant(weights))


def _one_less(observed: FloatArray, expected: FloatArray, is_constant: BoolArray) -> FloatArray:
    return np.asarray(1 - np.divide(observed, expected, out=np.full(len(observed), np.nan), where=~is_constant))


def _ordinal_sums(ratings: Ratings, drawn: FloatArray, per_pair: FloatArray) -> tuple[FloatArray, FloatArray]:
    counts = _counts_drawn(ratings, drawn)
    middle = np.cumsum(counts, axis=1) - counts / 2
    middle -= counts.sum(axis=1, keepdims=True) / 2
    squares = (counts * middle**2).sum(axis=1)
    expected = 2 * (counts.sum(axis=1) * squares - (counts * middle).sum(axis=1) ** 2)
    # Pairs of unlike ratings of an item, by their values; their table is sparse where there are many values.
    n, codes = len(ratings.values), ratings.codes
    first, second = np.triu_indices(len(codes), 1)
    low, high = np.minimum(codes[first], codes[second]), np.maximum(codes[first], codes[second])
    pair, item = np.nonzero((low >= 0) & (low < high))
    key = low[pair, item] * n + high[pair, item]
    order = np.argsort(key, kind="stable")
    keys, starts = np.unique(key[order], return_index=True)
    observed = np.zeros(len(drawn))
    if not len(keys):
        return observed, expected
    if len(keys) <= _FEW_VALUES:
        table = np.zeros((drawn.shape[1], len(keys)))
        np.add.at(table, (item, np.searchsorted(keys, key)), per_pair[item])
    for block in blocks(len(drawn), len(order)):
        if len(keys) <= _FEW_VALUES:
            weight = drawn[block] @ table
        else:
            weight = np.add.reduceat((drawn[block] * per_pair)[:, item[order]], starts, axis=1)
        gaps = middle[block][:, keys // n] - middle[block][:, keys % n]
        observed[block] = 2 * (weight * gaps**2).sum(axis=1)
    return observed, expected


def _ratio_sums(ratings: Ratings, counts: FloatArray) -> FloatArray:
    x = np.array([*map(float, ratings.numbers)])
    x /= max(np.abs(x).max(initial=0.0), np.finfo(float).tiny)
    expected = np.zeros(len(counts))
    for block in blocks(len(x), len(x)):
        total = x[:, None] + x[block]
        share = np.divide(x[:, None] - x[block], total, out=np.zeros(total.shape), where=total != 0)
        expected += ((counts @ share**2) * counts[:, block]).sum(axis=1)
    return expected


def resampled_kappa(ratings: Ratings, weight: _Weight, weights: IntArray) -> FloatArray:
    """Return kappa of two raters of weighted items, with the places of values in all items: shape (n_resamples,)."""
    both = ratings._replace(codes=_renumbered(ratings))
    codes, drawn = both.codes, weights.astype(np.float64)
    has = (codes[0] >= 0).astype(np.float64)
    total = drawn @ has
    gaps = np.abs(codes[0] - codes[1]).astype(np.float64)
    of_item = {"kappa": (gaps > 0) * 1.0, "linear_kappa": gaps, "quadratic_kappa": gaps**2}[weight]
    if weight == "quadratic_kappa":
        places = np.where(codes < 0, 0, codes).astype(np.float64)
        sums = [drawn @ side for side in places]
        expected = total * (drawn @ (places**2).sum(axis=0)) - 2 * sums[0] * sums[1]
    else:
        a, b = (_counts_drawn(both._replace(codes=side[None]), drawn) for side in codes)
        if weight == "kappa":
            expected = total**2 - (a * b).sum(axis=1)
        else:
            a, b, n = a.cumsum(axis=1), b.cumsum(axis=1), total[:, None]
            expected = (a * (n - b) + b * (n - a)).sum(axis=1)
    return _one_less(total * (drawn @ of_item), expected, both.is_constant(weights))


def resampled_agreement(ratings: Ratings, weights: IntArray) -> FloatArray:
    """Return percent agreement of weighted items: shape (n_resamples,)."""
    sizes = ratings.n_of_item
    unequal = np.array([0.0 if summed is None else float(summed) for summed in disagreements(ratings, "nominal")])
    n_pairs = weights @ (sizes * (sizes - 1))
    return np.asarray(1 - np.divide(weights @ unequal, n_pairs, out=np.full(len(weights), np.nan), where=n_pairs > 0))


def resampled_fleiss(ratings: Ratings, weights: IntArray) -> FloatArray:
    """Return Fleiss' kappa of weighted items: shape (n_resamples,)."""
    ratings = ratings.complete()
    counts = _counts_drawn(ratings, weights.astype(np.float64))
    total = counts.sum(axis=1)
    unequal = total**2 - (counts**2).sum(axis=1)
    observed = 1 - resampled_agreement(ratings, weights)
    return _one_less(observed * total**2, unequal, ratings.is_constant(weights))
