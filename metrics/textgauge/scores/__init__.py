"""From statistics to scores: formulas over counts, for any leading axes."""

from .bleu import BleuScore, bleu_score
from .bleu_options import BleuOptions
from .perplexity import PerplexityScore, perplexity_score
from .rouge import best_rows, f_measure, five_decimals, precision_recall_f, share, weighted_f
from .rouge_options import RougeOptions

__all__ = [
    "BleuOptions", "BleuScore", "PerplexityScore", "RougeOptions", "best_rows", "bleu_score", "f_measure",
    "five_decimals", "perplexity_score", "precision_recall_f", "share", "weighted_f",
]  # fmt: skip
