"""Agreement of metrics with people, by the figures of the WMT metrics task, from arrays of scores.

correlations  Pearson, Spearman and Kendall's tau-b, of scores and of their resamples
accuracy      accuracy of pairs: of outputs, with calibrated ties; of systems, hard and soft
judgements    people's scores as an array, from tables of any form
figures       all of these for a metric, with intervals
permutations  PERM-BOTH: does one metric agree better than another?
agreement     `textgauge.agreement`, for texts and names of metrics; the others know neither
reliability   Krippendorff's alpha and kappas of raters, exactly, and of resamples
raters        `textgauge.raters`, for ratings of any form
win_rates     `textgauge.win_rates`, for verdicts on two answers
"""

from .figures import FIGURES, OF_CLASSES, SYSTEM_LEVEL, Figures, Human, MetricScores, Pooled
from .judgements import Judgements, judgements_of, metric_scores, texts_by_output
from .permutations import TESTED, Difference, perm_both

__all__ = [
    "FIGURES", "OF_CLASSES", "SYSTEM_LEVEL", "TESTED", "Difference", "Figures", "Human", "Judgements",
    "MetricScores", "Pooled", "judgements_of", "metric_scores", "perm_both", "texts_by_output",
]  # fmt: skip
