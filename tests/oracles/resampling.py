"""Resampling by its definitions: sums of drawn rows, p-values by counting, Holm's steps one by one."""

from fractions import Fraction


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


def holm(p_values):
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for step, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(p_values) - step) * p_values[i]))
        corrected[i] = largest
    return corrected
