"""From numbers to scores, where no counts of overlap are: diversity, perplexity, n-gram models; exact sums."""

from .perplexity import PerplexityScore, perplexity_score
from .ratios import ratio

__all__ = ["PerplexityScore", "perplexity_score", "ratio"]
