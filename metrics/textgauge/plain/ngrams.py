"""Clipped n-gram matches: Papineni et al. (2002), BLEU; Lin (2004), ROUGE, section 2."""

# `n_threads` is there for the kernel, whose arguments are the same.
# ruff: noqa: ARG001

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

from .tokens import Ids, Tokens

# The kernel's rows have a size.
LARGEST_ORDER = 0xFFFF


def ngram_matches(tokens: Tokens, max_order: int, n_threads: int = 1) -> list[list[int]]:
    """Count, in every segment, the hypothesis n-grams that the references together also have.

    An n-gram seen h times in the hypothesis and at most r times in any one reference counts
    min(h, r) times: BLEU's modified-precision numerator.

    Parameters
    ----------
    tokens : Tokens
    max_order : int
        All orders from 1 to it are counted.

    Returns
    -------
    int64, shape (n_segments, max_order)
        Additive: the corpus count is the sum.

    References
    ----------
    Papineni et al. (2002), BLEU, section 2.1, example 2.

    Examples
    --------
    >>> the, cat, is_, on, mat, there, a = range(7)
    >>> hypothesis = [the] * 7
    >>> references = [the, cat, is_, on, the, mat], [there, is_, a, cat, on, the, mat]
    >>> ngram_matches(Tokens([*hypothesis, *references[0], *references[1]], [0, 7, 13, 20], [0, 3]), 2)
    [[2, 0]]
    """
    return [_clipped(hypothesis, references, max_order) for hypothesis, *references in tokens.texts_of_segments()]


def pair_ngram_matches(tokens: Tokens, max_order: int, drops_last: bool = False, n_threads: int = 1) -> list[list[int]]:
    """Count the n-grams that a hypothesis shares with each of its references: ROUGE-N's match.

    Parameters
    ----------
    tokens : Tokens
    max_order : int
    drops_last : bool
        Leave out the last token of every text, as ROUGE-1.5.5.pl does for the unigrams of ROUGE-SU.

    Returns
    -------
    int64, shape (n_pairs, max_order)

    References
    ----------
    Lin (2004), ROUGE, section 2.

    Examples
    --------
    >>> police, killed, the, gunman, kill = range(5)
    >>> tokens = Tokens([police, kill, the, gunman, police, killed, the, gunman], [0, 4, 8], [0, 2])
    >>> pair_ngram_matches(tokens, 3)
    [[3, 1, 0]]
    >>> pair_ngram_matches(tokens, 1, drops_last=True)
    [[2]]
    """
    end = -1 if drops_last else None
    return [_clipped(hypothesis[:end], [reference[:end]], max_order) for hypothesis, reference in tokens.pairs()]


def _clipped(hypothesis: Ids, references: Sequence[Ids], max_order: int) -> list[int]:
    """Sum min(count in the hypothesis, largest count in one reference), order by order."""
    matches = [0] * max_order
    for order, (grams, *others) in enumerate(_orders([hypothesis, *references], max_order)):
        found, most = Counter(grams), _largest_counts(others)
        matches[order] = sum(min(found[gram], most[gram]) for gram in found.keys() & most.keys())
        if matches[order] == 0:
            break
    return matches


def _largest_counts(texts: Sequence[Ids]) -> Counter[int]:
    """Count how often every n-gram stands in the text that has it most often."""
    most = Counter(texts[0]) if texts else Counter()
    for text in texts[1:]:
        most |= Counter(text)
    return most


def _orders(texts: Sequence[Ids], max_order: int) -> Iterator[list[Ids]]:
    """Yield the n-grams of texts as numbers, order by order; the number of an n-gram is the same in all texts.

    An n-gram is its first n - 1 tokens, whose number is known, and its last token: so an order
    takes the same time whatever n is.
    """
    if not 1 <= max_order <= LARGEST_ORDER:
        raise ValueError(f"max_order: expected 1 to {LARGEST_ORDER}, got {max_order}")
    grams = list(texts)
    yield grams
    for order in range(1, max_order):
        number: dict[tuple[int, int], int] = {}
        fresh = count()
        # An n-gram has the number that was fresh when it was first seen.
        grams = [
            list(map(number.setdefault, zip(gram, text[order:], strict=False), fresh))
            for gram, text in zip(grams, texts, strict=True)
        ]
        yield grams


def matched_orders(tokens: Tokens, max_order: int, n_threads: int = 1) -> tuple[list[int], list[int]]:
    """Return, for every token, the highest order of the matched n-grams that it is in.

    Of an n-gram that occurs h times in the hypothesis and r times in a reference, the first
    min(h, r) occurrences match; in the hypothesis r is the largest count in one reference, so
    that as many match as `ngram_matches` counts.

    Parameters
    ----------
    tokens : Tokens
    max_order : int

    Returns
    -------
    order_of : uint16, shape (n_tokens,)
        0 for tokens that match nothing.
    joins : uint8, shape (n_tokens,)
        1 where a matched n-gram goes on with the next token.

    References
    ----------
    Papineni et al. (2002), BLEU, section 2.1.

    Examples
    --------
    >>> matched_orders(Tokens([0, 1, 2, 0, 1, 2, 0, 3], [0, 4, 8], [0, 2]), 2)
    ([1, 2, 2, 2, 2, 2, 2, 0], [0, 1, 1, 0, 1, 1, 0, 0])
    """
    order_of, joins = [0] * len(tokens.ids), [0] * len(tokens.ids)
    for first, texts in zip(tokens.segments, tokens.texts_of_segments(), strict=False):
        for order, grams in enumerate(_orders(texts, max_order), 1):
            found, most = Counter(grams[0]), _largest_counts(grams[1:])
            if not found.keys() & most.keys():
                break
            for t, numbers in enumerate(grams):
                done = 0
                for start in _firsts(numbers, found if t else most, tokens.offsets[first + t]):
                    # What overlaps is written once, or long n-grams of equal tokens would take quadratic time.
                    begin, end = max(start, done), start + order
                    order_of[begin:end] = [order] * (end - begin)
                    begin, end = max(start, done - 1), start + order - 1
                    joins[begin:end] = [1] * (end - begin)
                    done = start + order
    return order_of, joins


def _firsts(grams: Ids, allowed: Counter[int], offset: int) -> Iterator[int]:
    """Yield where the first occurrences of every n-gram stand, as many as are allowed."""
    left = Counter(allowed)
    for start, gram in enumerate(grams, offset):
        if left[gram] > 0:
            left[gram] -= 1
            yield start
