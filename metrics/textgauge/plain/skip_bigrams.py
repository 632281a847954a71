"""Skip-bigrams, pairs of tokens in their order: Lin (2004), ROUGE, section 5."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections import Counter

from .tokens import Ids, Tokens


def skip_bigram_matches(tokens: Tokens, gap: int, n_threads: int = 1) -> list[int]:
    """Count, per pair, the common skip-bigrams of its two texts.

    A pair of tokens with h occurrences in the hypothesis and r in the reference counts min(h, r)
    times. Time is proportional to the number of pairs: n^2 / 2 for n tokens without a limit.

    Parameters
    ----------
    tokens : Tokens
    gap : int
        The most tokens between the two; -1 for any number.

    Returns
    -------
    int64, shape (n_pairs,)

    References
    ----------
    Lin (2004), ROUGE, section 5.

    Examples
    --------
    >>> police, killed, the, gunman, kill = range(5)
    >>> reference = [police, killed, the, gunman]
    >>> one, two, three = [police, kill, the, gunman], [the, gunman, kill, police], [the, gunman, police, killed]
    >>> ids = one + reference + two + reference + three + reference
    >>> skip_bigram_matches(Tokens(ids, range(0, 28, 4), [0, 2, 4, 6]), -1)
    [3, 1, 2]
    """
    return [_matches(hypothesis, reference, gap) for hypothesis, reference in tokens.pairs()]


def _matches(hypothesis: Ids, reference: Ids, gap: int) -> int:
    """Count the common pairs, one left token at a time: all pairs of a long text would need too much memory."""
    in_hypothesis, in_reference = _positions(hypothesis), _positions(reference)
    matches = 0
    for token in in_hypothesis.keys() & in_reference.keys():
        left = _rights(hypothesis, in_hypothesis[token], gap)
        right = _rights(reference, in_reference[token], gap)
        matches += sum(min(n, right[other]) for other, n in left.items())
    return matches


def _positions(text: Ids) -> dict[int, list[int]]:
    positions: dict[int, list[int]] = {token: [] for token in text}
    for position, token in enumerate(text):
        positions[token].append(position)
    return positions


def _rights(text: Ids, positions: list[int], gap: int) -> Counter[int]:
    """Count the tokens after each of some positions, within the gap."""
    rights: Counter[int] = Counter()
    for position in positions:
        rights.update(text[position + 1 :] if gap < 0 else text[position + 1 : position + gap + 2])
    return rights
