"""Token keys to integers per segment: n-gram and skip-bigram matches, longest common subsequences.

A weighted subsequence sums powers of run lengths, so what it counts is a float.
"""

from .groups import Groups, Sides, unigram_groups
from .lcs import lcs_lengths
from .lengths import reference_lengths
from .masks import Masks
from .ngrams import ngram_matches, ngram_totals
from .paths import lcs_path, matched_orders
from .skips import skip_bigram_matches, skip_bigram_totals
from .unions import limits_elsewhere, union_lcs_hits, weighted_union_hits
from .weighted import weighted_lcs
from .whole_texts import distinct, equal_texts

__all__ = [
    "Groups", "Masks", "Sides", "distinct", "equal_texts", "lcs_lengths", "lcs_path", "limits_elsewhere",
    "matched_orders", "ngram_matches",
    "ngram_totals", "reference_lengths", "skip_bigram_matches", "skip_bigram_totals", "unigram_groups",
    "union_lcs_hits", "weighted_lcs", "weighted_union_hits",
]  # fmt: skip
