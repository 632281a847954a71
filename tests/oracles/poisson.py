"""Poisson bootstrap, one row and one resample at a time."""

from fractions import Fraction
from math import exp, factorial

WORD = 1 << 64


def mixed(word):
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD
    return word ^ (word >> 31)


def poisson_weight(key, resample, seed, cells):
    """Draw 16 bits for a row of a resample, and look up their weight."""
    word = mixed((mixed(key ^ mixed(seed)) + (resample // 4 + 1) * 0x9E3779B97F4A7C15) % WORD)
    cell = (word >> (16 * (resample % 4))) % (1 << 16)
    weight = 0
    while cell >= cells[weight]:
        cell -= cells[weight]
        weight += 1
    return weight


def poisson_cells(n_weights):
    """The share of each weight in 65,536 cells, not rounded."""
    return [exp(-1) / factorial(weight) * 65536 for weight in range(n_weights)]


def resampled_mean(scores, weights):
    """Average without rounding until the end."""
    total = sum(Fraction(score) * weight for score, weight in zip(scores, weights, strict=True))
    return float(total) / sum(weights)
