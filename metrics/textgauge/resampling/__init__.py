"""Confidence intervals and paired significance tests from additive columns.

draws           what is drawn at random: sums of segments, exchanged or with replacement, and weights of spread rows
units           which segments are drawn together, such as those of a document
intervals       bootstrap scores and percentile intervals
power           which differences so many segments find, and how many a difference needs
comparison      paired tests of two systems, or of several with the first; p-values
many_systems    paired tests of every two systems; Holm's correction, rank ranges and clusters
rouge_programs  the averages of the reference `rouge` module and of the ROUGE-1.5.5 script
compare, plan, pass_at_k  the calls of users, for texts and the name of a metric; the others know neither
"""

from .comparison import Comparison, PairedOptions, compare_systems, paired_bootstrap, paired_permutation
from .draws import exchanged_sums, poisson_weights, resampled_sums
from .intervals import (
    BootstrapOptions,
    bootstrap_interval,
    bootstrap_scores,
    interval_options,
    percentile_interval,
)
from .many_systems import AllPairs, Ranking, compare_all, holm, options_for_pairs, ranking
from .rouge_programs import median_of_bootstrap_means
from .units import Units, units_of

__all__ = [
    "AllPairs", "BootstrapOptions", "Comparison", "PairedOptions", "Ranking", "bootstrap_interval",
    "bootstrap_scores", "compare_all", "compare_systems", "exchanged_sums", "holm", "interval_options",
    "median_of_bootstrap_means", "options_for_pairs", "paired_bootstrap", "paired_permutation",
    "percentile_interval", "poisson_weights", "ranking", "resampled_sums", "Units", "units_of",
]  # fmt: skip
