"""Clipped n-gram matches: Papineni et al. (2002), BLEU; Lin (2004), ROUGE, section 2."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

from .tokens import Ids, Tokens

T = TypeVar("T", bound=Hashable)

# The compiled kernel's rows have a limited size.
LARGEST_ORDER = 0xFFFF


# Which length counts among those of several references; the compiled kernel has the same order.
SHORTEST, CLOSEST, AVERAGE = range(3)


def bleu_rows(
    tokens: Tokens, max_order: int, least: int = 0, which: int = CLOSEST, n_threads: int = 1
) -> list[list[float]]:
    """Count, in every segment, the hypothesis n-grams that occur in the references (clipped counts), and all n-grams.

    An n-gram with h occurrences in the hypothesis and at most r in any one reference counts
    min(h, r) times: the numerator of BLEU's modified precision.

    Parameters
    ----------
    tokens : Tokens
    max_order : int
        The orders 1 to `max_order` are counted.
    least : int
        The least number of n-grams of an order.
    which : int
        The length that counts among those of several references: `SHORTEST`, `CLOSEST` to that of the hypothesis,
        of equally close ones the shorter, or `AVERAGE`.

    Returns
    -------
    int64, or float64 for `AVERAGE`, shape (n_segments, 2 max_order + 2)
        Matches, then n-grams of every order; the length of the hypothesis, that of the references. Additive: the
        corpus count is the sum.

    References
    ----------
    Papineni et al. (2002), BLEU, sections 2.1, example 2, and 2.2.

    Examples
    --------
    >>> the, cat, is_, on, mat, there, a = range(7)
    >>> hypothesis = [the] * 7
    >>> references = [the, cat, is_, on, the, mat], [there, is_, a, cat, on, the, mat]
    >>> bleu_rows(Tokens([*hypothesis, *references[0], *references[1]], [0, 7, 13, 20], [0, 3]), 2)
    [[2, 0, 7, 6, 7, 7]]
    """
    check_order(max_order)
    if not SHORTEST <= which <= AVERAGE:
        raise ValueError(f"which: expected {SHORTEST} to {AVERAGE}")
    rows: list[list[float]] = []
    for hypothesis, *references in tokens.texts_of_segments():
        n = len(hypothesis)
        totals = [max(n - order, least) for order in range(max_order)]
        length = _length_of(references, n, which)
        rows.append([*matches_by_order(hypothesis, references, max_order), *totals, n, length])
    return [[*map(float, row)] for row in rows] if which == AVERAGE else rows


def _length_of(references: Sequence[Ids], n: int, which: int) -> float:
    """Return the length that counts, 0 without references."""
    lengths = [len(reference) for reference in references] or [0]
    if which == AVERAGE:
        return sum(lengths) / len(lengths)
    return min(lengths, key=lambda length: (abs(length - n) if which == CLOSEST else 0, length))


def matches_by_order(hypothesis: Ids, references: Sequence[Ids], max_order: int) -> list[int]:
    """Return the clipped matches of every order: shape (max_order,)."""
    matches = [0] * max_order
    for order in range(1, max_order + 1):
        matches[order - 1] = clipped_matches(hypothesis, references, order)
        # Where no n-gram matches, no longer one does.
        if matches[order - 1] == 0:
            break
    return matches


def clipped_matches(hypothesis: Ids, references: Sequence[Ids], order: int) -> int:
    """Sum min(count in the hypothesis, largest count in one reference) over the n-grams of one order."""
    return (ngrams(hypothesis, order) & largest_counts(references, order)).total()


def ngrams(text: Sequence[T], order: int) -> Counter[tuple[T, ...]]:
    """Count the n-grams of one order."""
    return Counter(tuple(text[i : i + order]) for i in range(len(text) - order + 1))


def largest_counts(texts: Sequence[Ids], order: int) -> Counter[tuple[int, ...]]:
    """Return the largest count of every n-gram in any one text."""
    most: Counter[tuple[int, ...]] = Counter()
    for text in texts:
        most |= ngrams(text, order)
    return most


def check_order(max_order: int) -> None:
    """Raise for an order that the compiled kernel has no rows for."""
    if not 1 <= max_order <= LARGEST_ORDER:
        raise ValueError(f"max_order: expected 1 to {LARGEST_ORDER}, got {max_order}")


def matched_orders(tokens: Tokens, max_order: int, n_threads: int = 1) -> tuple[list[int], list[int]]:
    """Return, for every token, the highest order of a matched n-gram that contains it.

    If an n-gram occurs h times in the hypothesis and r times in a reference, its first min(h, r)
    occurrences match. For the hypothesis r is the largest count in one reference, so that the
    matches are those of `ngram_matches`.

    Parameters
    ----------
    tokens : Tokens
    max_order : int

    Returns
    -------
    order_of : uint16, shape (n_tokens,)
        0 for tokens without a match.
    joins : uint8, shape (n_tokens,)
        1 if a matched n-gram contains the token and the next one.

    References
    ----------
    Papineni et al. (2002), BLEU, section 2.1.

    Examples
    --------
    >>> matched_orders(Tokens([0, 1, 2, 0, 1, 2, 0, 3], [0, 4, 8], [0, 2]), 2)
    ([1, 2, 2, 2, 2, 2, 2, 0], [0, 1, 1, 0, 1, 1, 0, 0])
    """
    check_order(max_order)
    order_of, joins = [0] * len(tokens.ids), [0] * len(tokens.ids)
    for first, (hypothesis, *references) in zip(tokens.segments, tokens.texts_of_segments(), strict=False):
        for order in range(1, max_order + 1):
            found, most = ngrams(hypothesis, order), largest_counts(references, order)
            if not found & most:
                break
            for t, text in enumerate([hypothesis, *references]):
                for start in _firsts(text, order, found if t else most):
                    i = tokens.offsets[first + t] + start
                    order_of[i : i + order] = [order] * order
                    joins[i : i + order - 1] = [1] * (order - 1)
    return order_of, joins


def _firsts(text: Ids, order: int, allowed: Counter[tuple[int, ...]]) -> Iterator[int]:
    """Yield the positions of the first `allowed` occurrences of every n-gram."""
    left = Counter(allowed)
    for start in range(len(text) - order + 1):
        gram = tuple(text[start : start + order])
        if left[gram] > 0:
            left[gram] -= 1
            yield start
