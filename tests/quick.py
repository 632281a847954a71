"""The share of a costly test in the quick run; `--all` runs all of it."""

from itertools import product

import pytest
from hypothesis import settings


def examples(n):
    """`n` examples of a property under `--all`; in the quick run a tenth of them, at least three."""
    return max(3, n * settings.default.max_examples // 100)


def first(n, values):
    """All values, or tuples of values; in the quick run the first `n`."""
    rows = (value if isinstance(value, tuple) else (value,) for value in values)
    return [pytest.param(*row, marks=() if i < n else pytest.mark.slow) for i, row in enumerate(rows)]


def covering(*axes):
    """Every combination of values; in the quick run, a few in which every value occurs."""
    taken = {tuple(i % len(axis) for axis in axes) for i in range(max(map(len, axes)))}
    return [
        pytest.param(*values, marks=() if places in taken else pytest.mark.slow)
        for places, values in zip(product(*(range(len(axis)) for axis in axes)), product(*axes), strict=True)
    ]
