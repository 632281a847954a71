"""Agreement of metrics with people, by the figures of the WMT metrics task, from arrays of scores.

correlations  Pearson, Spearman and Kendall's tau-b, of scores and of their resamples
ties          accuracy of pairs with calibrated ties
systems       accuracy of pairs of systems, hard and soft
figures       all of these for a metric, with intervals
permutations  PERM-BOTH: does one metric agree better than another?
It knows numbers of systems and segments, never a metric or text.
"""

from .figures import FIGURES, Figures, Human, MetricScores, Pooled
from .permutations import TESTED, perm_both

__all__ = ["FIGURES", "TESTED", "Figures", "Human", "MetricScores", "Pooled", "perm_both"]
