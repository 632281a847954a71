"""Statistics to scores: formulas over integers, for any leading axes."""

from .bleu import BleuOptions, BleuScore, bleu_score
from .rouge import f_measure, precision_recall_f, share

__all__ = ["BleuOptions", "BleuScore", "bleu_score", "f_measure", "precision_recall_f", "share"]
