"""The share of a costly test in the quick run; `--all` runs all of it."""

import random
from functools import cache
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings


def examples(n):
    """`n` examples of a property under `--all`; in the quick run a tenth of them, at least three."""
    return max(3, n * settings.default.max_examples // 100)


@cache
def drawn(strategy, n):
    """`n` examples of a strategy: the quick run draws them once for all properties that hold of them."""
    found = []
    settings(max_examples=n, suppress_health_check=[*HealthCheck])(given(strategy)(lambda one: found.append(one)))()
    return found


def holds(strategy, n, law):
    """Check that a law holds of `examples(n)` of a strategy."""
    if settings.default.derandomize:
        for one in drawn(strategy, examples(n)):
            law(one)
    else:
        quiet = settings(max_examples=examples(n), suppress_health_check=[HealthCheck.too_slow])
        quiet(given(strategy)(lambda one: law(one)))()


def first(n, values):
    """All values, or tuples of values; in the quick run the first `n`."""
    rows = (value if isinstance(value, tuple) else (value,) for value in values)
    return [pytest.param(*row, marks=() if i < n else pytest.mark.slow) for i, row in enumerate(rows)]


def some(n, values, seed):
    """All values; in the quick run at most `n` of them, other ones for each seed."""
    return random.Random(seed).sample(values, min(n, len(values))) if settings.default.derandomize else values


def covering(*axes):
    """Every combination of values; in the quick run, a few in which every value occurs."""
    taken = {tuple(i % len(axis) for axis in axes) for i in range(max(map(len, axes)))}
    return [
        pytest.param(*values, marks=() if places in taken else pytest.mark.slow)
        for places, values in zip(product(*(range(len(axis)) for axis in axes)), product(*axes), strict=True)
    ]
