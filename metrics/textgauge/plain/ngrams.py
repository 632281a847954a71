"""Clipped n-gram matches: Papineni et al. (2002), BLEU; Lin (2004), ROUGE, section 2."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

from .tokens import Ids, Tokens

# The compiled kernel's rows have a limited size.
LARGEST_ORDER = 0xFFFF


def ngram_matches(tokens: Tokens, max_order: int, n_threads: int = 1) -> list[list[int]]:
    """Count, in every segment, the hypothesis n-grams that occur in the references (clipped counts).

    An n-gram with h occurrences in the hypothesis and at most r in any one reference counts
    min(h, r) times: the numerator of BLEU's modified precision.

    Parameters
    ----------
    tokens : Tokens
    max_order : int
        The orders 1 to `max_order` are counted.

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
    """Count the clipped n-gram matches of a hypothesis with each of its references, as in ROUGE-N.

    Parameters
    ----------
    tokens : Tokens
    max_order : int
    drops_last : bool
        Omit the last token of every text, as ROUGE-1.5.5.pl does for the unigrams of ROUGE-SU.

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
    """Return the sum of min(count in the hypothesis, largest count in one reference) for every order."""
    matches = [0] * max_order
    for order, (grams, *others) in enumerate(_orders([hypothesis, *references], max_order)):
        found, most = Counter(grams), _largest_counts(others)
        matches[order] = sum(min(found[gram], most[gram]) for gram in found.keys() & most.keys())
        if matches[order] == 0:
            break
    return matches


def _largest_counts(texts: Sequence[Ids]) -> Counter[int]:
    """Return the largest count of every n-gram in any one text."""
    most = Counter(texts[0]) if texts else Counter()
    for text in texts[1:]:
        most |= Counter(text)
    return most


def _orders(texts: Sequence[Ids], max_order: int) -> Iterator[list[Ids]]:
    """Yield the n-grams of texts as ids, order by order; equal n-grams of any text have equal ids.

    An n-gram is identified by the id of its first n - 1 tokens and its last token, so the time for
    an order does not depend on n.
    """
    if not 1 <= max_order <= LARGEST_ORDER:
        raise ValueError(f"max_order: expected 1 to {LARGEST_ORDER}, got {max_order}")
    grams = list(texts)
    yield grams
    for order in range(1, max_order):
        number: dict[tuple[int, int], int] = {}
        fresh = count()
        # A new n-gram gets the next fresh number.
        grams = [
            list(map(number.setdefault, zip(gram, text[order:], strict=False), fresh))
            for gram, text in zip(grams, texts, strict=True)
        ]
        yield grams


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
    order_of, joins = [0] * len(tokens.ids), [0] * len(tokens.ids)
    for first, texts in zip(tokens.segments, tokens.texts_of_segments(), strict=False):
        for order, grams in enumerate(_orders(texts, max_order), 1):
            found, most = Counter(grams[0]), _largest_counts(grams[1:])
            if not found.keys() & most.keys():
                break
            for t, numbers in enumerate(grams):
                done = 0
                for start in _firsts(numbers, found if t else most, tokens.offsets[first + t]):
                    # Overlaps are written once: else long n-grams of equal tokens take quadratic time.
                    begin, end = max(start, done), start + order
                    order_of[begin:end] = [order] * (end - begin)
                    begin, end = max(start, done - 1), start + order - 1
                    joins[begin:end] = [1] * (end - begin)
                    done = start + order
    return order_of, joins


def _firsts(grams: Ids, allowed: Counter[int], offset: int) -> Iterator[int]:
    """Yield the positions of the first `allowed` occurrences of every n-gram."""
    left = Counter(allowed)
    for start, gram in enumerate(grams, offset):
        if left[gram] > 0:
            left[gram] -= 1
            yield start
