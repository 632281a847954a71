"""What the texts of a group repeat: Zhu et al. (2018), self-BLEU; Li et al. (2016), distinct-n."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from .ngrams import check_order, ngrams
from .tokens import Ids, Tokens


def repeated_ngrams(tokens: Tokens, max_order: int, n_threads: int = 1) -> list[list[list[int]]]:
    """Count, for every text of a segment, the n-grams that all its texts, the hypothesis too, have in common.

    Linear in the tokens: what the other texts have most often is one of the two largest counts.

    Parameters
    ----------
    tokens : Tokens
    max_order : int
        The orders 1 to `max_order` are counted.

    Returns
    -------
    int64, shape (n_texts, max_order, 3)
        The n-grams that another text has too: the clipped matches with all other texts as references. The
        n-grams that stand before, in the text or in one before it: all others are distinct. For each kind of
        n-gram of the text the number of other texts that have it, summed.

    References
    ----------
    Zhu et al. (2018), Texygen: self-BLEU. Li et al. (2016), A diversity-promoting objective function: distinct-n.
    Salkar, Trikalinos, Wallace and Nenkova (2022), Self-repetition in abstractive neural summarizers.

    Examples
    --------
    >>> the, cat, sat, dog = range(4)
    >>> texts = [[the, cat, sat], [the, dog, sat], [the, the]]
    >>> repeated_ngrams(Tokens(sum(texts, []), [0, 3, 6, 8], [0, 3]), 1)
    [[[2, 0, 3]], [[2, 2, 3]], [[1, 2, 2]]]
    """
    check_order(max_order)
    rows = []
    for texts in tokens.texts_of_segments():
        by_order = [_of_order(texts, order) for order in range(1, max_order + 1)]
        rows += [list(row) for row in zip(*by_order, strict=True)]
    return rows


def _of_order(texts: Sequence[Ids], order: int) -> list[list[int]]:
    """Return the three counts of every text."""
    counts = [ngrams(text, order) for text in texts]
    counts_of = defaultdict(list)
    for own in counts:
        for gram, n in own.items():
            counts_of[gram].append(n)
    two_largest = {gram: sorted([*of_texts, 0])[-2:] for gram, of_texts in counts_of.items()}
    rows = []
    seen: set[tuple[int, ...]] = set()
    for own in counts:
        matches = 0
        for gram, n in own.items():
            second, most = two_largest[gram]
            matches += min(n, second if n == most else most)
        n_before = sum(n - (gram not in seen) for gram, n in own.items())
        seen |= own.keys()
        rows.append([matches, n_before, sum(len(counts_of[gram]) - 1 for gram in own)])
    return rows
