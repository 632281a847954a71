"""Naive definitions of diversity, as the papers and their programs have them."""

import math


def ngrams(tokens, order):
    return [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]


def share(grams):
    return len({*grams}) / len(grams) if grams else 0.0


def distinct(texts, order):
    """Li et al. (2016), section 4.2."""
    return share([gram for text in texts for gram in ngrams(text, order)])


def ngram_diversity(texts, max_order):
    """`ngram_diversity_score` of the package diversity 0.3.1, without its rounding."""
    joined = [token for text in texts for token in text]
    return sum(share(ngrams(joined, order)) for order in range(1, max_order + 1))


def self_repetition(texts, order):
    """`self_repetition_score` of the package diversity 0.3.1."""
    kinds = [{*ngrams(text, order)} for text in texts]
    total = 0.0
    for own in kinds:
        n = sum(sum(gram in other for other in kinds) for gram in own) - len(own)
        total += math.log(n + 1)
    return total / len(texts)
