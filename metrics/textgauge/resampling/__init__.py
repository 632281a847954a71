"""Confidence intervals and paired significance tests from additive columns.

draws           what is drawn at random: sums of segments, exchanged or with replacement, and weights of spread rows
intervals       bootstrap scores and percentile intervals
comparison      paired tests of two, several or all systems; p-values, Holm's correction, rank ranges and clusters
rouge_programs  the averages of the reference `rouge` module and of the ROUGE-1.5.5 script
compare         all of these for the texts of systems, by the name of a metric; the others know neither
"""

from .comparison import (
    AllPairs,
    Comparison,
    PairedOptions,
    Ranking,
    compare_all,
    compare_systems,
    holm,
    options_for_pairs,
    paired_bootstrap,
    paired_permutation,
    ranking,
)
from .draws import exchanged_sums, poisson_weights, resampled_sums
from .intervals import (
    BootstrapOptions,
    bootstrap_interval,
    bootstrap_scores,
    interval_options,
    mean_intervals,
    percentile_interval,
)
from .rouge_programs import median_of_bootstrap_means

__all__ = [
    "AllPairs", "BootstrapOptions", "Comparison", "PairedOptions", "Ranking", "bootstrap_interval",
    "bootstrap_scores", "compare_all", "compare_systems", "exchanged_sums", "holm", "interval_options",
    "mean_intervals", "median_of_bootstrap_means", "options_for_pairs", "paired_bootstrap", "paired_permutation",
    "percentile_interval", "poisson_weights", "ranking", "resampled_sums",
]  # fmt: skip
