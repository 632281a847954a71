"""The summary-level LCS: Lin (2004), ROUGE, section 3.2, counted as in `rouge_score` and ROUGE-1.5.5.pl."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from .lcs import lcs_path
from .tokens import Ids, Tokens

LIMITS = ("sentences", "texts")


def union_lcs(tokens: Tokens, limits: str = "sentences", n_threads: int = 1) -> list[int]:
    """Count, per pair, the tokens of the union LCS of its sentences: the matches of ROUGE-Lsum.

    A reference token is marked if the LCS of its sentence with any hypothesis sentence contains it;
    `lcs_path` chooses one LCS. `limits` says how often a marked token counts at most.

    Parameters
    ----------
    tokens : Tokens with sentences
    limits : "sentences" or "texts"
        The clipped count of the token in the sentences of both sides, or in both texts, which a byte
        limit of ROUGE-1.5.5.pl may leave shorter than their sentences.

    Returns
    -------
    int64, shape (n_pairs,)

    Raises
    ------
    ValueError
        If there are no sentences, or `limits` is unknown.

    References
    ----------
    Lin (2004), ROUGE, section 3.2; the limits are those of the programs.

    Examples
    --------
    >>> w1, w2, w3, w4, w5, w6, w7, w8, w9 = range(9)
    >>> ids = [w1, w2, w6, w7, w8, w1, w3, w8, w9, w5, w1, w2, w3, w4, w5]
    >>> union_lcs(Tokens(ids, [0, 10, 15], [0, 2], ids, [0, 5, 10, 15], [0, 2, 3]))
    [4]
    """
    return [
        (marked_tokens(*sentences) & allowed).total()
        for sentences, allowed in zip(tokens.pairs_of_sentences(), allowed_counts(tokens, limits), strict=True)
    ]


def marked_tokens(hypothesis: Sequence[Ids], reference: Sequence[Ids]) -> Counter[int]:
    """Count the marked tokens of the sentences of a reference."""
    marked: Counter[int] = Counter()
    for sentence in reference:
        places = {i for other in hypothesis for _, i in lcs_path(other, sentence)}
        marked.update(sentence[i] for i in places)
    return marked


def allowed_counts(tokens: Tokens, limits: str) -> Iterator[Counter[int]]:
    """Yield, per pair, how often every token counts at most.

    Raises
    ------
    ValueError
        If `limits` is unknown.
    """
    if limits not in LIMITS:
        raise ValueError(f"limits: expected one of {LIMITS}, got {limits!r}")
    if limits == "texts":
        for left, right in tokens.pairs():
            yield Counter(left) & Counter(right)
    else:
        for hypothesis, reference in tokens.pairs_of_sentences():
            yield Counter(chain.from_iterable(hypothesis)) & Counter(chain.from_iterable(reference))
