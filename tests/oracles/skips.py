"""Skip-bigrams by listing them (Lin 2004, section 5)."""

from collections import Counter
from itertools import combinations


def skip_bigrams(tokens, gap=None):
    """All pairs in sentence order with at most `gap` tokens between them."""
    pairs = combinations(range(len(tokens)), 2)
    return Counter((tokens[i], tokens[j]) for i, j in pairs if gap is None or j - i - 1 <= gap)


def matches(hyp, ref, gap=None):
    return sum((skip_bigrams(hyp, gap) & skip_bigrams(ref, gap)).values())
