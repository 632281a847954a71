"""Token keys to integers per segment: n-gram matches, longest common subsequences."""

from .groups import Groups, Sides, unigram_groups
from .lcs import lcs_lengths, union_lcs_hits
from .masks import Masks
from .ngrams import ngram_matches, ngram_totals

__all__ = [
    "Groups",
    "Masks",
    "Sides",
    "lcs_lengths",
    "ngram_matches",
    "ngram_totals",
    "unigram_groups",
    "union_lcs_hits",
]
