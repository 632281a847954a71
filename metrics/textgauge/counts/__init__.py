"""Token keys to integers: clipped n-gram matches and longest common subsequences."""

from .lcs import lcs_lengths, union_lcs_hits
from .ngrams import ngram_matches, ngram_totals

__all__ = ["lcs_lengths", "ngram_matches", "ngram_totals", "union_lcs_hits"]
