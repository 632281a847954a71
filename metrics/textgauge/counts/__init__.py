"""Token keys to integers per segment: n-gram matches, longest common subsequences."""

from .groups import Groups, Sides, unigram_groups
from .lcs import lcs_lengths, union_lcs_hits
from .lengths import reference_lengths
from .masks import Masks
from .ngrams import ngram_matches, ngram_totals
from .paths import lcs_path, matched_orders
from .whole_texts import distinct, equal_texts

__all__ = [
    "Groups",
    "Masks",
    "Sides",
    "distinct",
    "equal_texts",
    "lcs_lengths",
    "lcs_path",
    "matched_orders",
    "ngram_matches",
    "ngram_totals",
    "reference_lengths",
    "unigram_groups",
    "union_lcs_hits",
]
