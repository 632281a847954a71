"""Weighted longest common subsequences: Lin (2004), ROUGE, section 4, and their union in ROUGE-1.5.5.pl."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence

from .lcs import DROP_HYPOTHESIS, DROP_REFERENCE, MATCH, walk_back
from .tokens import Ids, Tokens
from .union_lcs import allowed_counts


def weighted_lcs(tokens: Tokens, weight: float, n_threads: int = 1) -> list[float]:
    """Return, per pair, the weight of the weighted LCS of its two texts.

    A run of k consecutive matches has the weight f(k) = k^weight, so consecutive matches count
    more. Time is proportional to the product of both lengths.

    Parameters
    ----------
    tokens : Tokens
    weight : float
        At least 1.

    Returns
    -------
    float64, shape (n_pairs,)

    References
    ----------
    Lin (2004), ROUGE, section 4.

    Examples
    --------
    >>> a, b, c, d, e, f, g, h, i, k = range(10)
    >>> one, two = [a, b, c, d, h, i, k], [a, h, b, k, c, i, d]
    >>> reference = [a, b, c, d, e, f, g]
    >>> weighted_lcs(Tokens(one + reference + two + reference, [0, 7, 14, 21, 28], [0, 2, 4]), 2)
    [16.0, 4.0]
    """
    return [best_weight(hypothesis, reference, weight) for hypothesis, reference in tokens.pairs()]


def best_weight(hypothesis: Ids, reference: Ids, weight: float) -> float:
    """Return the weight of the weighted LCS of two texts."""
    last = deque(_rows_of_table(hypothesis, reference, weight), 1)
    return last[0][0][-1] if last else 0.0


def _rows_of_table(hypothesis: Ids, reference: Ids, weight: float) -> Iterator[tuple[list[float], bytearray]]:
    """Yield, for every reference token, its row of the table and the moves of the walk back.

    Both have a first column for no hypothesis tokens: shape (n_hypothesis_tokens + 1,).
    """
    steps = [float(k) ** weight for k in range(min(len(hypothesis), len(reference)) + 2)]
    above, runs_above = [0.0] * (len(hypothesis) + 1), [0] * (len(hypothesis) + 1)
    for token in reference:
        row, runs, moves = [0.0], [0], bytearray([DROP_REFERENCE])
        for j, other in enumerate(hypothesis):
            run, move = 0, MATCH
            if other == token:
                run = runs_above[j] + 1
                # The order of additions of ROUGE-1.5.5.pl, so that rounding breaks ties in the same way.
                score = above[j] + steps[run] - steps[run - 1]
            elif above[j + 1] >= row[j]:
                score, move = above[j + 1], DROP_REFERENCE
            else:
                score, move = row[j], DROP_HYPOTHESIS
            row.append(score)
            runs.append(run)
            moves.append(move)
        yield row, moves
        above, runs_above = row, runs


def union_weighted_lcs(tokens: Tokens, weight: float, limits: str = "sentences", n_threads: int = 1) -> list[float]:
    """Return, per pair, the sum of the weights of runs on the union of the weighted LCS of its sentences.

    A reference token is marked if the weighted LCS of its sentence with any hypothesis sentence
    contains it: from the ends of both, equal tokens match; else the reference token is dropped if
    that loses nothing, else the hypothesis token. From the left, a marked token counts while both
    sides still have an uncounted equal token. A run of k counted tokens adds k^weight when the next
    token is unmarked or the sentence ends. A marked token that does not count neither adds to a run
    nor ends it; a run still open after it at the end of a sentence is lost.

    Parameters
    ----------
    tokens : Tokens with sentences
    weight : float
        At least 1.
    limits : "sentences" or "texts"
        As in `union_lcs`.

    Returns
    -------
    float64, shape (n_pairs,)

    Raises
    ------
    ValueError
        If there are no sentences, or `limits` is unknown.

    References
    ----------
    ROUGE-1.5.5.pl, `wlcs`; Lin (2004), ROUGE, section 4, has no union.

    Examples
    --------
    >>> w1, w2, w3, w4, w5, w6, w7, w8, w9 = range(9)
    >>> ids = [w1, w2, w6, w7, w8, w1, w3, w8, w9, w5, w1, w2, w3, w4, w5]
    >>> union_weighted_lcs(Tokens(ids, [0, 10, 15], [0, 2], ids, [0, 5, 10, 15], [0, 2, 3]), 2)
    [10.0]
    """
    return [
        weight_of_runs(hypothesis, reference, allowed, weight)
        for (hypothesis, reference), allowed in zip(
            tokens.pairs_of_sentences(), allowed_counts(tokens, limits), strict=True
        )
    ]


def weight_of_runs(hypothesis: Sequence[Ids], reference: Sequence[Ids], left: Counter[int], weight: float) -> float:
    """Sum what the runs of counted tokens weigh; `left`, how often each token may count, is used up."""
    hits = 0.0
    for sentence in reference:
        marked = {i for other in hypothesis for i in _marked(other, sentence, weight)}
        run = 0
        for i in sorted(marked):
            if left[sentence[i]] == 0:
                continue
            left[sentence[i]] -= 1
            run += 1
            if i + 1 not in marked:
                hits += float(run) ** weight
                run = 0
    return hits


def _marked(hypothesis: Ids, reference: Ids, weight: float) -> Iterator[int]:
    """Yield the reference positions on one weighted LCS."""
    return (i for _, i in walk_back([moves for _, moves in _rows_of_table(hypothesis, reference, weight)]))
