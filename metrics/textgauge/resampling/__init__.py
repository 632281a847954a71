"""Confidence intervals and paired significance tests from additive columns.

weights     bootstrap weights of segments; masks of exchanged segments
poisson     bootstrap weights for rows spread over machines, from a key of each row
intervals   bootstrap scores and percentile intervals
p_values    from resampled differences to p-values; Holm's correction
comparison  several systems compared with the first
paired      paired bootstrap and paired permutation of two systems
aggregates  the aggregate of the reference `rouge` module
It uses columns of numbers, a seed and a score function, never a metric or text.
"""

from .aggregates import median_of_bootstrap_means
from .comparison import Comparison, PairedOptions, compare_systems
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
