"""Chance: intervals and paired tests from additive columns, whatever they count.

weights     how often every segment is drawn; which segments two systems exchange
poisson     the same for rows spread over machines, from a key of each row
intervals   bootstrap scores and percentile intervals
p_values    from resampled differences to p-values; Holm's correction
comparing   several systems held against the first
paired      paired bootstrap and paired permutation of two systems
aggregates  the aggregate of the reference `rouge` module
This room knows columns of numbers, a seed and a score function, never a metric or text.
"""

from .aggregates import median_of_bootstrap_means
from .comparing import Comparison, PairedOptions, compare_systems
from .intervals import (
    BootstrapOptions,
    bootstrap_interval,
    bootstrap_scores,
    interval_options,
    mean_intervals,
    percentile_interval,
)
from .p_values import holm
from .paired import paired_bootstrap, paired_permutation
from .poisson import poisson_weights
from .weights import bootstrap_weights, swap_masks

__all__ = [
    "BootstrapOptions", "Comparison", "PairedOptions", "bootstrap_interval", "bootstrap_scores",
    "bootstrap_weights", "compare_systems", "holm", "interval_options", "mean_intervals", "median_of_bootstrap_means",
    "paired_bootstrap", "paired_permutation", "percentile_interval", "poisson_weights", "swap_masks",
]  # fmt: skip
