"""What of a costly test the quick run takes; all of it runs under `--all`."""

from itertools import product

import pytest
from hypothesis import settings


def examples(n):
    """So many examples of a property under `--all`, a fifth of them in the quick run, but three."""
    return max(3, n * settings.default.max_examples // 100)


def covering(*axes):
    """Every combination of values; in the quick run a few, in which every value occurs."""
    taken = {tuple(i % len(axis) for axis in axes) for i in range(max(map(len, axes)))}
    return [
        pytest.param(*values, marks=() if places in taken else pytest.mark.slow)
        for places, values in zip(product(*(range(len(axis)) for axis in axes)), product(*axes), strict=True)
    ]
