"""From counts to scores: formulas with any leading axes."""

from .chrf import chrf_score
from .perplexity import PerplexityScore, perplexity_score
from .ratios import f_measure, ratio, weighted_f
from .rouge import five_decimals, precision_recall_f

__all__ = [
    "PerplexityScore", "chrf_score", "f_measure", "five_decimals", "perplexity_score",
    "precision_recall_f", "ratio", "weighted_f",
]  # fmt: skip
