"""Matches of a hypothesis with each of its references, in several units at once: Lin (2004), ROUGE."""

from __future__ import annotations

from .integers import Integers, integers
from .lcs import lcs_lengths
from .ngrams import pair_ngram_matches
from .tokens import Tokens
from .union_lcs import union_lcs

UNIT_LCS, UNIT_UNION_LCS = 0, -1


def pair_counts(tokens: Tokens, units: Integers, n_threads: int = 1) -> list[list[list[int]]]:
    """Count the matches and the units of both sides, for every pair.

    Parameters
    ----------
    tokens : Tokens
        With sentences if `UNIT_UNION_LCS` is among the units.
    units : int32, shape (n_units,)
        n >= 1 for n-grams of that order, `UNIT_LCS` for the tokens of `lcs_lengths`,
        `UNIT_UNION_LCS` for those of `union_lcs`.

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
    """
    units = integers(units)
    highest = max((0, *units))
    ngrams = pair_ngram_matches(tokens, highest, n_threads=n_threads) if highest else []
    lengths = lcs_lengths(tokens, n_threads=n_threads) if UNIT_LCS in units else []
    hits = union_lcs(tokens, n_threads=n_threads) if UNIT_UNION_LCS in units else []
    sizes = [(len(left), len(right)) for left, right in tokens.pairs()]
    sentence_sizes = (
        [(sum(map(len, left)), sum(map(len, right))) for left, right in tokens.pairs_of_sentences()] if hits else []
    )
    counts: list[list[list[int]]] = []
    for pair, (n_left, n_right) in enumerate(sizes):
        row = []
        for unit in units:
            if unit == UNIT_UNION_LCS:
                row.append([hits[pair], *sentence_sizes[pair]])
            elif unit == UNIT_LCS:
                row.append([lengths[pair], n_left, n_right])
            else:
                row.append([ngrams[pair][unit - 1], max(n_left - unit + 1, 0), max(n_right - unit + 1, 0)])
        counts.append(row)
    return counts
