"""Confidence intervals and paired significance tests from additive columns.

draws       sums of segments that are drawn, or exchanged, at random
poisson     bootstrap weights for rows spread over machines, from a key of each row
intervals   bootstrap scores and percentile intervals
p_values    from resampled differences to p-values; Holm's correction
comparison  several systems compared with the first
all_pairs   every two of several systems
clusters    rank ranges and clusters of systems
paired      paired bootstrap and paired permutation of two systems
aggregates  the aggregate of the reference `rouge` module
script      the averages of the ROUGE-1.5.5 script
It uses columns of numbers, a seed and a score function, never a metric or text.
"""

from .aggregates import median_of_bootstrap_means
from .all_pairs import AllPairs, compare_all, options_for_pairs
from .clusters import Ranking, ranking
from .comparison import Comparison, PairedOptions, compare_systems
from .draws import exchanged_sums, resampled_sums
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

__all__ = [
    "AllPairs", "BootstrapOptions", "Comparison", "PairedOptions", "Ranking", "bootstrap_interval",
    "bootstrap_scores", "compare_all", "compare_systems", "exchanged_sums", "holm", "interval_options",
    "mean_intervals", "median_of_bootstrap_means", "options_for_pairs", "paired_bootstrap", "paired_permutation",
    "percentile_interval", "poisson_weights", "ranking", "resampled_sums",
]  # fmt: skip
