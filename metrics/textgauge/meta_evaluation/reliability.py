"""Reliability of raters: Krippendorff's alpha, kappas and percent agreement, in fractions, and of resamples at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import exp, lcm, log, sqrt
from typing import Literal, NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray
from ..resampling.comparison import ROUNDING
from ..resampling.intervals import BootstrapOptions, t_quantile, width_of_alike
from .accuracy import blocks

LEVELS = ("nominal", "ordinal", "interval", "ratio")
WEIGHTS = ("kappa", "linear_kappa", "quadratic_kappa")
# With so many values or fewer a product with a table of counts is faster than sums by value.
_FEW_VALUES = 64
# Blocks are so many times smaller than memory allows: a block of weights that is read again is in the cache.
_IN_CACHE = 16

_Weight = Literal["kappa", "linear_kappa", "quadratic_kappa"]
# From how often each item is drawn, float64 of shape (n_resamples, n_items), to a figure: shape (n_resamples,).
Resampled = Callable[[FloatArray], FloatArray]


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


def disagreements(ratings: Ratings, level: str) -> list[Fraction | int | None]:
    """Return the sum of the disagreements of ordered pairs of ratings of every item; None for less than two ratings."""
    if level in ("ordinal", "interval"):
        x = positions(ratings, level)
        return [
            2 * (len(item) * sum(x[i] ** 2 for i in item) - sum(x[i] for i in item) ** 2) if len(item) > 1 else None
            for item in _items(ratings)
        ]
    if level == "nominal":
        return [
            sum(len(item) - item.count(code) for code in item) if len(item) > 1 else None for item in _items(ratings)
        ]

    @lru_cache(1 << 16)
    def distance(a: int, b: int) -> Fraction:
        return ratio_distance(ratings.numbers[a], ratings.numbers[b])

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
    by_size: dict[int, Fraction | int] = {}
    for n, summed in zip(ratings.n_of_item.tolist(), disagreements(ratings, level), strict=True):
        if summed:
            by_size[n] = by_size.get(n, 0) + summed
    observed = sum((Fraction(summed, n - 1) for n, summed in by_size.items()), Fraction(0))
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
    unequal = Fraction(sum(summed for summed in disagreements(ratings, "nominal") if summed))
    return 1 - unequal / n_pairs if n_pairs else None


def _counts_drawn(ratings: Ratings) -> Resampled:
    """Return what counts how often every value is drawn: shape (n_resamples, n_values)."""
    rater, item = np.nonzero(ratings.codes >= 0)
    codes, n = ratings.codes[rater, item], len(ratings.values)
    if n <= _FEW_VALUES:
        table = np.zeros((ratings.codes.shape[1], n))
        np.add.at(table, (item, codes), 1.0)
        return lambda drawn: np.asarray(drawn @ table)
    order = np.argsort(codes, kind="stable")
    present, starts = np.unique(codes[order], return_index=True)

    def counts_of(drawn: FloatArray) -> FloatArray:
        counts = np.zeros((len(drawn), n))
        for block in blocks(len(drawn), len(order)):
            counts[block, present] = np.add.reduceat(drawn[block][:, item[order]], starts, axis=1)
        return counts

    return counts_of


def _ratio_to_chance(ratings: Ratings, sums: Callable[[FloatArray], tuple[FloatArray, FloatArray]]) -> Resampled:
    """Return what computes 1 less observed by expected disagreement, nan where only one value is drawn, or none."""
    lowest = np.where(ratings.codes < 0, len(ratings.values), ratings.codes).min(axis=0)
    highest = ratings.codes.max(axis=0)
    has_several = (lowest < highest).astype(np.float64)

    def figure_of(drawn: FloatArray) -> FloatArray:
        observed, expected = sums(drawn)
        is_constant = (drawn @ has_several) == 0
        if is_constant.any():
            is_drawn = drawn[is_constant] > 0
            least = np.where(is_drawn, lowest, len(ratings.values)).min(axis=1)
            is_constant[is_constant] = np.where(is_drawn, highest, -1).max(axis=1) <= least
        return np.asarray(1 - np.divide(observed, expected, out=np.full(len(drawn), np.nan), where=~is_constant))

    return figure_of


def _disagreements_of_items(ratings: Ratings, distance: Callable[[IntArray, IntArray], FloatArray]) -> FloatArray:
    """Return the sum of the disagreements of ordered pairs of ratings of every item."""
    summed = np.zeros(ratings.codes.shape[1])
    for a, b in combinations(ratings.codes, 2):
        both = np.flatnonzero((a >= 0) & (b >= 0))
        summed[both] += 2 * distance(a[both], b[both])
    return summed


def resampled_alpha(ratings: Ratings, level: str) -> Resampled:
    """Return what computes alpha of weighted items, nan where it is not defined."""
    ratings = ratings.of_raters(range(len(ratings.codes)))
    sizes = ratings.n_of_item.astype(np.float64)
    per_pair = np.divide(1.0, sizes - 1, out=np.zeros(len(sizes)), where=sizes > 1)
    if level == "ordinal":
        return _ratio_to_chance(ratings, _ordinal_sums(ratings, per_pair))
    if level == "interval":
        x = np.array(positions(ratings, level), object)
        x = np.array([float(Fraction(int(one) - int(x[0]), max(1, int(x[-1] - x[0])))) for one in x])
        x -= (np.array(ratings.counts()) @ x) / max(1, sum(ratings.counts()))
        of_rating = np.where(ratings.codes >= 0, x[ratings.codes], 0.0)
        summed, squares = of_rating.sum(axis=0), (of_rating**2).sum(axis=0)
        columns = np.stack([sizes, 2 * (sizes * squares - summed**2) * per_pair, squares, summed], axis=1)

        def interval_sums(drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
            total, observed, squares, summed = (drawn @ columns).T
            return observed * (total - 1), 2 * (total * squares - summed**2)

        return _ratio_to_chance(ratings, interval_sums)
    x = np.array([*map(float, ratings.numbers)])
    x /= max(np.abs(x).max(initial=0.0), np.finfo(float).tiny)
    is_nominal, counts_of = level == "nominal", _counts_drawn(ratings)
    of_item = _disagreements_of_items(
        ratings, lambda a, b: (a != b).astype(np.float64) if is_nominal else _ratio_distances(x[a], x[b])
    )
    columns = np.stack([sizes, of_item * per_pair], axis=1)

    def sums_of(drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
        total, observed = (drawn @ columns).T
        counts = counts_of(drawn)
        expected = total**2 - (counts**2).sum(axis=1) if is_nominal else _ratio_sums(x, counts)
        return observed * (total - 1), expected

    return _ratio_to_chance(ratings, sums_of)


def _ratio_distances(a: FloatArray, b: FloatArray) -> FloatArray:
    total = a + b
    return np.asarray(np.divide(a - b, total, out=np.zeros(total.shape), where=total != 0) ** 2)


def _ratio_sums(x: FloatArray, counts: FloatArray) -> FloatArray:
    expected = np.zeros(len(counts))
    for block in blocks(len(x), len(x)):
        expected += ((counts @ _ratio_distances(x[:, None], x[block])) * counts[:, block]).sum(axis=1)
    return expected


def _ordinal_sums(ratings: Ratings, per_pair: FloatArray) -> Callable[[FloatArray], tuple[FloatArray, FloatArray]]:
    # Pairs of unlike ratings of an item, by their values; their table is sparse where there are many values.
    n, codes, counts_of = len(ratings.values), ratings.codes, _counts_drawn(ratings)
    first, second = np.triu_indices(len(codes), 1)
    low, high = np.minimum(codes[first], codes[second]), np.maximum(codes[first], codes[second])
    pair, item = np.nonzero((low >= 0) & (low < high))
    key = low[pair, item] * n + high[pair, item]
    order = np.argsort(key, kind="stable")
    keys, starts = np.unique(key[order], return_index=True)
    table = np.zeros((codes.shape[1], len(keys) if len(keys) <= _FEW_VALUES else 0))
    if len(keys) <= _FEW_VALUES:
        np.add.at(table, (item, np.searchsorted(keys, key)), per_pair[item])

    def sums_of(drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
        counts = counts_of(drawn)
        total = counts.sum(axis=1)
        middle = np.cumsum(counts, axis=1) - counts / 2 - total[:, None] / 2
        expected = 2 * (total * (counts * middle**2).sum(axis=1) - (counts * middle).sum(axis=1) ** 2)
        observed = np.zeros(len(drawn))
        for block in blocks(len(drawn), max(1, len(order))):
            if len(keys) <= _FEW_VALUES:
                weight = drawn[block] @ table
            else:
                weight = np.add.reduceat((drawn[block] * per_pair)[:, item[order]], starts, axis=1)
            gaps = middle[block][:, keys // n] - middle[block][:, keys % n]
            observed[block] = 2 * (weight * gaps**2).sum(axis=1)
        return observed * (total - 1), expected

    return sums_of


def resampled_kappa(ratings: Ratings, weight: _Weight) -> Resampled:
    """Return what computes kappa of two raters of weighted items, with the places of values in all items."""
    both = ratings._replace(codes=_renumbered(ratings))
    codes = both.codes
    has = (codes[0] >= 0).astype(np.float64)
    gaps = np.abs(codes[0] - codes[1]).astype(np.float64)
    of_item = {"kappa": (gaps > 0) * 1.0, "linear_kappa": gaps, "quadratic_kappa": gaps**2}[weight]
    if weight == "quadratic_kappa":
        places = np.where(codes < 0, 0, codes).astype(np.float64)
        columns = np.stack([has, of_item, (places**2).sum(axis=0), *places], axis=1)

        def quadratic_sums(drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
            total, observed, squares, first, second = (drawn @ columns).T
            return total * observed, total * squares - 2 * first * second

        return _ratio_to_chance(both, quadratic_sums)
    columns = np.stack([has, of_item], axis=1)
    counts_of = [_counts_drawn(both._replace(codes=side[None])) for side in codes]

    def sums_of(drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
        total, observed = (drawn @ columns).T
        a, b = (count(drawn) for count in counts_of)
        if weight == "kappa":
            return total * observed, total**2 - (a * b).sum(axis=1)
        a, b, n = a.cumsum(axis=1), b.cumsum(axis=1), total[:, None]
        return total * observed, (a * (n - b) + b * (n - a)).sum(axis=1)

    return _ratio_to_chance(both, sums_of)


def resampled_agreement(ratings: Ratings) -> Resampled:
    """Return what computes percent agreement of weighted items, nan where no pair is drawn."""
    sizes = ratings.n_of_item.astype(np.float64)
    unequal = _disagreements_of_items(ratings, lambda a, b: (a != b).astype(np.float64))
    columns = np.stack([sizes * (sizes - 1), unequal], axis=1)

    def figure_of(drawn: FloatArray) -> FloatArray:
        n_pairs, n_unequal = (drawn @ columns).T
        return np.asarray(1 - np.divide(n_unequal, n_pairs, out=np.full(len(drawn), np.nan), where=n_pairs > 0))

    return figure_of


def resampled_fleiss(ratings: Ratings) -> Resampled:
    """Return what computes Fleiss' kappa of weighted items."""
    ratings = ratings.complete()
    counts_of, agreement_of = _counts_drawn(ratings), resampled_agreement(ratings)

    def sums_of(drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
        counts = counts_of(drawn)
        total = counts.sum(axis=1) ** 2
        return (1 - agreement_of(drawn)) * total, total - (counts**2).sum(axis=1)

    return _ratio_to_chance(ratings, sums_of)


def resamples(n_items: int, bootstrap: BootstrapOptions) -> Iterator[FloatArray]:
    """Yield how often each item is drawn, in blocks: shape (n_in_block, n_items)."""
    generator = np.random.default_rng(bootstrap.seed)
    unit = bootstrap.unit
    n = n_items if unit is None else len(unit)
    for block in blocks(bootstrap.n_resamples, _IN_CACHE * n_items):
        size = len(range(*block.indices(bootstrap.n_resamples)))
        places = generator.integers(0, n, (size, n)) + n * np.arange(size)[:, None]
        weights = np.bincount(places.ravel(), minlength=size * n).reshape(size, n).astype(np.float64)
        yield weights if unit is None else weights[:, unit.of_segment]


def exchange_p(first: Ratings, second: Ratings, level: str, difference: float, bootstrap: BootstrapOptions) -> float:
    """Return two-sided p of a difference of alpha, of the permutation test that exchanges items, or units.

    Parameters
    ----------
    first, second : Ratings
        Those of people and of one judge each. Items are exchanged as a whole: people's ratings are the same.
    level : str
    difference : float
        Alpha of the first less that of the second.
    bootstrap : BootstrapOptions
        The number of exchanges, their seed and units.
    """
    n_items = first.codes.shape[1]
    n = n_items if bootstrap.unit is None else len(bootstrap.unit)
    # Every item twice, with the ratings of one judge and of the other: an exchange draws it once.
    both = first._replace(codes=np.concatenate((first.codes, second.codes), axis=1))
    alpha_of = resampled_alpha(both, level)
    generator = np.random.default_rng(bootstrap.seed)
    n_extreme, n_defined = 0, 0
    for block in blocks(bootstrap.n_resamples, _IN_CACHE * n_items):
        size = len(range(*block.indices(bootstrap.n_resamples)))
        stays = generator.integers(0, 2, (size, n)).astype(np.float64)
        stays = stays if bootstrap.unit is None else stays[:, bootstrap.unit.of_segment]
        gains = alpha_of(np.hstack((stays, 1 - stays))) - alpha_of(np.hstack((1 - stays, stays)))
        n_defined += int(np.isfinite(gains).sum())
        # In another order of sums the last bits differ.
        n_extreme += int((np.abs(gains) >= abs(difference) - ROUNDING).sum())
    return (1 + n_extreme) / (1 + n_defined)


def t_reach(drawn: FloatArray, n: int, confidence: float) -> float:
    """Return how far an interval of Student's t reaches, by the standard error of resamples of n units."""
    return t_quantile((1 + confidence) / 2, n - 1) * float(drawn.std()) * sqrt(n / (n - 1))


def agreement_interval(
    figure: float, drawn: FloatArray, n: int, confidence: float, by_chance: float, lowest: float
) -> list[float]:
    """Return the interval of a figure of agreement, by Student's t for the logarithm of 1 less the figure.

    The percentile interval holds the figure too rarely where units are few, and the distribution of the figure is skew:
    its logarithm is less so. What resamples are off on average, by their median, is taken back.

    Parameters
    ----------
    figure : float
        At most 1.
    drawn : float64, shape (n_resamples,)
        Those of resamples.
    n : int
        Number of units that the figure is of.
    confidence : float
    by_chance : float
        Share of pairs of ratings that differ by chance; 1 for percent agreement. Where no ratings differ resamples are
        all equal, and the interval is that of a share of 0 of units in which they do, `width_of_alike`.
    lowest : float
        The lower end of the scale.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, sections 10.6 and 12.6.
    """
    if figure >= 1:
        return [max(lowest, 1 - width_of_alike(n, confidence) / by_chance), 1.0]
    if figure <= lowest:
        return [lowest, lowest + width_of_alike(n, confidence)]
    differs = 1 - figure
    middle = 1 - float(np.median(drawn))
    off = log(middle / differs) if middle > 0 else 0.0
    reach = t_reach(drawn, n, confidence) / differs
    return [max(lowest, 1 - exp(log(differs) - off + reach)), 1 - exp(log(differs) - off - reach)]
