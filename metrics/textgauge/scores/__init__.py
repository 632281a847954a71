"""Statistics to scores: formulas over integers, for any leading axes."""

from .bleu import BleuScore, bleu_score
from .bleu_options import BleuOptions
from .perplexity import PerplexityScore, perplexity_score
from .rouge import f_measure, precision_recall_f, share

__all__ = [
    "BleuOptions",
    "BleuScore",
    "PerplexityScore",
    "bleu_score",
    "f_measure",
    "perplexity_score",
    "precision_recall_f",
    "share",
]
