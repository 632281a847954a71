"""Matches of a hypothesis with each of its references, in several units at once: Lin (2004), ROUGE."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from .integers import Integers, integers
from .lcs import lcs_length
from .ngrams import LARGEST_ORDER, matches_by_order
from .tokens import Tokens
from .union_lcs import union_lcs

UNIT_LCS, UNIT_UNION_LCS = 0, -1


def pair_counts(tokens: Tokens, units: Integers, drops_last: bool = False, n_threads: int = 1) -> list[list[list[int]]]:
    """Count the matches and the units of both sides, for every pair.

    Parameters
    ----------
    tokens : Tokens
        With sentences if `UNIT_UNION_LCS` is among the units.
    units : int32, shape (n_units,)
        n >= 1 for n-grams of that order, whose matches are clipped; `UNIT_LCS` for the tokens of the
        LCS, `UNIT_UNION_LCS` for those of `union_lcs`.
    drops_last : bool
        Omit the last token of every text, but not of its sentences, as ROUGE-1.5.5.pl does for the
        unigrams of ROUGE-SU.

    Returns
    -------
    int64, shape (n_pairs, n_units, 3)
        Matches, units of the hypothesis, units of the reference; additive.

    References
    ----------
    Lin (2004), ROUGE, sections 2 and 3.

    Examples
    --------
    >>> police, killed, the, gunman, kill = range(5)
    >>> tokens = Tokens([police, kill, the, gunman, police, killed, the, gunman], [0, 4, 8], [0, 2])
    >>> pair_counts(tokens, [1, 2, UNIT_LCS])
    [[[3, 4, 4], [1, 3, 3], [3, 4, 4]]]
    >>> pair_counts(tokens, [1], drops_last=True)
    [[[2, 3, 3]]]
    """
    units = integers(units)
    if not all(UNIT_UNION_LCS <= one <= LARGEST_ORDER for one in units):
        raise ValueError(f"units: expected numbers from {UNIT_UNION_LCS} to {LARGEST_ORDER}")
    hits = union_lcs(tokens) if UNIT_UNION_LCS in units else []
    sentences = list(tokens.pairs_of_sentences()) if hits else []
    rows = []
    for pair, texts in enumerate(tokens.pairs()):
        left, right = (text[:-1] if drops_last else text for text in texts)
        matches = matches_by_order(left, [right], max((0, *units)))
        row = []
        for one in units:
            if one == UNIT_UNION_LCS:
                row.append([hits[pair], *(sum(map(len, side)) for side in sentences[pair])])
            elif one == UNIT_LCS:
                row.append([lcs_length(left, right), len(left), len(right)])
            else:
                row.append([matches[one - 1], max(len(left) - one + 1, 0), max(len(right) - one + 1, 0)])
        rows.append(row)
    return rows
