"""The figures by their definitions, pair by pair in plain Python; scipy and the toolkit of WMT give the same."""

from itertools import combinations, product
from math import isnan, nan, sqrt
from operator import mul
from statistics import fmean

import numpy as np


def sign(x):
    return (x > 0) - (x < 0)


def pearson(xs, ys):
    if len({*xs}) < 2 or len({*ys}) < 2:
        return nan
    x, y = fmean(xs), fmean(ys)
    top = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
    return top / sqrt(sum((a - x) ** 2 for a in xs) * sum((b - y) ** 2 for b in ys))


def kendall(xs, ys):
    signs = [(sign(a[0] - b[0]), sign(a[1] - b[1])) for a, b in combinations(zip(xs, ys, strict=True), 2)]
    top, left, right = (
        (sum(one) for one in zip(*((a * b, a * a, b * b) for a, b in signs), strict=True)) if signs else (0, 0, 0)
    )
    return top / sqrt(left * right) if left and right else nan


def mean(values):
    kept = [value for value in values if not isnan(value)]
    return fmean(kept) if kept else nan


def columns(human, metric):
    """The scores of every system, and of every segment, that people judged."""
    rows = [[(h, m) for h, m in zip(*both, strict=True) if not isnan(h)] for both in zip(human, metric, strict=True)]
    by_segment = [
        [(h[s], m[s]) for h, m in zip(human, metric, strict=True) if not isnan(h[s])] for s in range(len(human[0]))
    ]
    return rows, by_segment


def apart(pairs):
    return [p[0] for p in pairs], [p[1] for p in pairs]


def accuracy_with_ties(human, metric, digits=20):
    """The best of all thresholds that are a difference."""
    _, by_segment = columns(human, metric)
    pairs = [[(a[0] - b[0], round(a[1] - b[1], digits)) for a, b in combinations(one, 2)] for one in by_segment]
    pairs = [one for one in pairs if one]
    if not pairs:
        return nan

    def accuracy(threshold):
        return fmean(fmean(sign(h) == (0 if abs(m) <= threshold else sign(m)) for h, m in one) for one in pairs)

    return max(accuracy(threshold) for threshold in {0.0, *(abs(m) for one in pairs for _, m in one)})


def figures(human, metric):
    return {**of_systems(human, metric), **of_outputs(human, metric), "acc_eq": accuracy_with_ties(human, metric)}


def of_systems(human, metric):
    means = [[mean(row) for row in side] for side in (human, metric)]
    if any(isnan(one) for side in means for one in side):
        return dict.fromkeys(("system_pearson", "system_spearman", "pairwise_accuracy"), nan)
    orders = [tuple(sign(side[i] - side[j]) for side in means) for i, j in combinations(range(len(human)), 2)]
    ranks = [[sum(b < a for b in side) + (sum(b == a for b in side) + 1) / 2 for a in side] for side in means]
    return {
        "system_pearson": pearson(*means),
        "system_spearman": pearson(*ranks),
        "pairwise_accuracy": fmean(a == b for a, b in orders) if orders else nan,
    }


def of_outputs(human, metric):
    rows, by_segment = columns(human, metric)
    both = [pair for row in rows for pair in row]
    return {
        part.format(name): mean([of(*apart(group)) for group in groups])
        for (name, of), (part, groups) in product(
            (("pearson", pearson), ("kendall", kendall)),
            (("segment_{}", [both]), ("{}_by_segment", by_segment), ("{}_by_system", rows)),
        )
    }


def signs_of_the_toolkit(n_segments):
    """The exchanges that mt-metrics-eval draws, which are the same for all metrics."""
    drawn = np.random.default_rng(4).random((1000, n_segments), dtype=np.float32)
    return [[1 if number > 0.5 else -1 for number in row] for row in drawn.tolist()]


def soft_accuracy(human, metric):
    """Of scores whose sums are exact in 32 bits."""
    judged = [s for s in range(len(human[0])) if not any(isnan(row[s]) for row in human)]
    if not judged or len(human) < 2:
        return nan
    signs = signs_of_the_toolkit(len(judged))

    def p(side, i, j):
        differences = [side[i][s] - side[j][s] for s in judged]
        by_chance = [sum(map(mul, one, differences)) for one in signs]
        return fmean(one >= sum(differences) for one in by_chance)

    pairs = list(combinations(range(len(human)), 2))
    return 1 - fmean(abs(p(human, i, j) - p(metric, i, j)) for i, j in pairs)
