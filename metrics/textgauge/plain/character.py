"""Edits of characters after shifts of words: CharacTER, Wang et al. (2016), as the package `cer` has them."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .integers import Integers
from .texts import Texts, checked_bounds, texts_of_segments


def character_edits(
    hypotheses: Texts, references: Texts, reference_offsets: Integers | None, n_threads: int = 1
) -> list[list[float]]:
    """Count what makes every hypothesis each of its references: shifts of words, then edits of characters.

    As long as it brings the words nearer to the reference, a run of words that the reference has, too, goes to the
    place that it has there; see `shifted`. A shift costs as many characters as its words have on average. The rest
    is the Levenshtein distance of the characters, with one space between two words.

    Parameters
    ----------
    hypotheses, references : Texts, n_segments and n_references of them
        Words are what white space separates.
    reference_offsets : int64, shape (n_segments + 1,), or None: one reference each

    Returns
    -------
    float64, shape (n_references, 2)
        Edits, which are no whole number after shifts, and characters of the hypothesis.

    Raises
    ------
    ValueError
        If offsets do not fit the texts.

    References
    ----------
    Wang et al. (2016), CharacTer: Translation Edit Rate on Character Level, section 3; the package `cer`, 1.2.

    Examples
    --------
    >>> character_edits(Texts(["sat the cat"]), Texts(["the cat sat", "the cat sits"]), [0, 2])
    [[3.0, 11.0], [5.0, 11.0]]
    """
    bounds = checked_bounds(reference_offsets, len(hypotheses), len(references))
    return [
        _edits(hypothesis.split(), reference.split())
        for hypothesis, *others in texts_of_segments(hypotheses, references, bounds)
        for reference in others
    ]


def _edits(hypothesis: list[str], reference: list[str]) -> list[float]:
    words = shifted(hypothesis, reference)
    characters = " ".join(words)
    edits = levenshtein_distance(characters, " ".join(reference)) + _shift_cost(words, hypothesis)
    return [float(edits), float(len(characters))]


def shifted(hypothesis: list[str], reference: list[str]) -> list[str]:
    """Return the words after all shifts.

    A run that both have is longest from its two first words on. All of these are tried whose places differ; of those
    that save most edits of words, per word of the reference, the one whose result comes last in the order of lists
    of strings is made. Savings are differences of rounded quotients, as the package has them.

    Examples
    --------
    >>> shifted("sat the cat".split(), "the cat sat".split())
    ['the', 'cat', 'sat']
    """
    if not reference:
        return hypothesis
    rate = levenshtein_distance(hypothesis, reference) / len(reference)
    while rate:
        trials = [*_trials(hypothesis, reference)]
        if not trials:
            break
        saved, best = max((rate - levenshtein_distance(words, reference) / len(reference), words) for words in trials)
        if saved <= 0:
            break
        hypothesis, rate = best, rate - saved
    return hypothesis


def _trials(hypothesis: list[str], reference: list[str]) -> Iterator[list[str]]:
    for start, first in enumerate(hypothesis):
        for place, other in enumerate(reference):
            if first != other or start == place:
                continue
            n = _n_equal(hypothesis[start:], reference[place:])
            others = hypothesis[:start] + hypothesis[start + n :]
            yield others[:place] + hypothesis[start : start + n] + others[place:]


def _n_equal(left: Sequence[str], right: Sequence[str]) -> int:
    """Return how many words two texts begin with in common."""
    n = 0
    while n < min(len(left), len(right)) and left[n] == right[n]:
        n += 1
    return n


def _shift_cost(words: list[str], before: list[str]) -> float:
    """Return what shifts cost, found by a comparison of the words with those before.

    From the left, a word that has another one in its place is looked for further on; the run that goes on there as
    it did before was shifted, and the comparison goes on behind as many words.
    """
    cost, i = 0.0, 0
    while i < len(words):
        if before[i] != words[i]:
            place = next((k for k in range(i + 1, len(words)) if words[k] == before[i]), None)
            if place is not None:
                n = _n_equal(before[i:], words[place:])
                cost += sum(map(len, before[i : i + n])) / n
                i += n - 1
        i += 1
    return cost


def levenshtein_distance(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the fewest insertions, deletions and substitutions that make one sequence the other."""
    row = list(range(len(right) + 1))
    for i, token in enumerate(left, 1):
        above, row = row, [i]
        for j, other in enumerate(right, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (token != other)))
    return row[-1]
