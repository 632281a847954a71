"""Resampling by its definitions: sums of drawn rows, p-values by counting, Holm's steps one by one."""

from fractions import Fraction
from itertools import product


def sums_of_draws(rows, draws):
    return [[sum(rows[i][k] for i in draw) for k in range(len(rows[0]))] for draw in draws]


def two_sided(drawn, observed):
    return Fraction(1 + sum(abs(d) >= abs(observed) for d in drawn), 1 + len(drawn))


def one_sided(drawn, observed):
    return Fraction(1 + sum(d >= observed for d in drawn), 1 + len(drawn))


def moses(drawn, observed):
    sizes = [abs(d) for d in drawn]
    mean = Fraction(sum(sizes), len(sizes))
    return Fraction(1 + sum(size - mean >= abs(observed) for size in sizes), 1 + len(sizes))


def exact_permutation(scores1, scores2):
    """The share of all 2^n exchanges that reach the observed difference of the means."""
    gains = [b - a for a, b in zip(scores1, scores2, strict=True)]
    exchanges = list(product((1, -1), repeat=len(gains)))
    reached = sum(abs(sum(s * g for s, g in zip(signs, gains, strict=True))) >= abs(sum(gains)) for signs in exchanges)
    return reached / len(exchanges)


def holm(p_values):
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for step, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(p_values) - step) * p_values[i]))
        corrected[i] = largest
    return corrected
