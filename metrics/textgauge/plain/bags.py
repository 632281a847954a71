"""Bags of tokens, for token F1: Rajpurkar et al. (2016), SQuAD, section 6.1."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections import Counter

from .tokens import Ids, Tokens


def bag_matches(tokens: Tokens, as_sets: bool = False, n_threads: int = 1) -> list[list[int]]:
    """Count, per pair, the tokens that occur in both texts, in any order.

    Parameters
    ----------
    tokens : Tokens
    as_sets : bool
        Count every distinct token once; else a token that occurs twice on both sides matches twice.

    Returns
    -------
    int64, shape (n_pairs, 4)
        Matches, hypothesis tokens, reference tokens; 1 if both texts have the same tokens in the
        same order, else 0.

    References
    ----------
    Rajpurkar et al. (2016), SQuAD: 100,000+ Questions for Machine Comprehension of Text, section 6.1.

    Examples
    --------
    >>> red, blue = range(2)
    >>> tokens = Tokens([red, red, blue, red, blue, blue], [0, 3, 6], [0, 2])
    >>> bag_matches(tokens), bag_matches(tokens, as_sets=True)
    ([[2, 3, 3, 0]], [[2, 2, 2, 0]])
    """
    return [_counts(hypothesis, reference, as_sets) for hypothesis, reference in tokens.pairs()]


def _counts(hypothesis: Ids, reference: Ids, as_sets: bool) -> list[int]:
    bags = [Counter(set(text) if as_sets else text) for text in (hypothesis, reference)]
    matches = (bags[0] & bags[1]).total()
    return [matches, bags[0].total(), bags[1].total(), int(hypothesis == reference)]
