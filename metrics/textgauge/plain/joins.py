"""Edits of words that may be joined: "to day" for "today"."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

from .cutter import Cutter, cut
from .integers import Integers
from .levenshtein import DELETION, HIT, INSERTION, KALDIALIGN, KALDIALIGN_SCLITE, SUBSTITUTION, WEIGHTS
from .texts import Texts, checked_bounds, texts_of_segments
from .tokens import Tokens

# What `joined_paths` has beside the edits: a word of the reference, or of the hypothesis, that is joined with the one
# behind it, and the last pair of a join.
JOINED_REFERENCE, JOINED_HYPOTHESIS, JOIN = "rhj"


def joined_edits(
    cutter: Cutter,
    hypotheses: Texts,
    references: Texts,
    reference_offsets: Integers | None,
    aligner: int = KALDIALIGN,
    n_threads: int = 1,
) -> tuple[Tokens, list[list[int]]]:
    """Cut texts and count, per pair, the edits that turn the reference into the hypothesis; words may be joined.

    Parameters
    ----------
    cutter : Cutter
    hypotheses, references : Texts, n_segments and n_pairs of them
    reference_offsets : int64, shape (n_segments + 1,), or None
        Segment s has the references ``reference_offsets[s]`` to ``reference_offsets[s + 1]``, exclusive; None: one.
    aligner : int
        `KALDIALIGN` or `KALDIALIGN_SCLITE`; see `joined_paths`.

    Returns
    -------
    tokens : Tokens
        As of `cut`.
    counts : int64, shape (n_pairs, 4)
        Hits, substitutions, deletions (of words of the reference), insertions. Additive. The words of a join are hits,
        as many as the reference has.

    Raises
    ------
    ValueError
        If the offsets do not fit the texts, or there is no such aligner.

    Examples
    --------
    >>> sides = Texts(["it is to day", "therapist"]), Texts(["it was today", "the rapist"])
    >>> joined_edits(Cutter("spaces"), *sides, None)[1]
    [[2, 1, 0, 0], [2, 0, 0, 0]]
    """
    bounds = checked_bounds(reference_offsets, len(hypotheses), len(references))
    check_aligner(aligner)
    rows = []
    for hypothesis, *others in texts_of_segments(hypotheses, references, bounds):
        left = cutter(hypothesis)
        for right in map(cutter, others):
            path = _path(left, right, aligner)
            hits = path.count(HIT) + path.count(JOINED_REFERENCE) + path.count(JOIN)
            rows.append([hits, *(path.count(edit) for edit in (SUBSTITUTION, DELETION, INSERTION))])
    return cut(cutter, hypotheses, references, reference_offsets), rows


def joined_paths(cutter: Cutter, hypotheses: Texts, references: Texts, aligner: int = KALDIALIGN) -> list[str]:
    """Return the edits that `joined_edits` counts, for every hypothesis with one reference.

    Two or more words of one side whose letters together are a word of the other side cost nothing. From the end, such a
    join is taken if it costs less than each edit; of these kaldialign's; see `levenshtein_path`.

    Parameters
    ----------
    cutter : Cutter
    hypotheses, references : Texts, n_pairs of them
    aligner : int
        `KALDIALIGN` or `KALDIALIGN_SCLITE`.

    Returns
    -------
    list of str, shape (n_pairs,)
        As of `levenshtein_path`; "r" for a word of the reference, "h" for one of the hypothesis that is joined with the
        word behind it, "j" for the last word of both sides in a join.

    Raises
    ------
    ValueError
        If there are not as many references as hypotheses, or there is no such aligner.

    References
    ----------
    kaldialign 0.12, `kaldi_align.cpp`.

    Examples
    --------
    >>> joined_paths(Cutter("spaces"), Texts(["it is to day", "therapist"]), Texts(["it was today", "the rapist"]))
    [' shj', 'rj']
    """
    check_aligner(aligner)
    if len(hypotheses) != len(references):
        raise ValueError("references: expected one for every hypothesis")
    return [_path(cutter(left), cutter(right), aligner) for left, right in zip(hypotheses, references, strict=True)]


def _path(left: list[str], right: list[str], aligner: int) -> str:
    exchanged, left_out = WEIGHTS[aligner]
    # Shape (n_hypothesis_words + 1, n_reference_words + 1); with each cell the steps that lead to it.
    costs = [[left_out * i for i in range(len(right) + 1)]]
    steps: list[list[str]] = [["", *DELETION * len(right)]]
    for j, word in enumerate(left, 1):
        above, row, taken = costs[-1], [left_out * j], [INSERTION]
        costs.append(row)
        steps.append(taken)
        for i, other in enumerate(right, 1):
            diagonal = above[i - 1] + (exchanged if word != other else 0)
            without, more = row[i - 1] + left_out, above[i] + left_out
            # Of equal costs the first.
            ways = [(more, INSERTION), (without, DELETION), (diagonal, HIT if word == other else SUBSTITUTION)]
            ways += [(above[k], JOINED_REFERENCE * (i - 1 - k) + JOIN) for k in _joined(word, right, i)]
            ways += [(costs[k][i - 1], JOINED_HYPOTHESIS * (j - 1 - k) + JOIN) for k in _joined(other, left, j)]
            cost, step = min(ways, key=itemgetter(0))
            row.append(cost)
            taken.append(step)
    path = []
    i, j = len(right), len(left)
    while i or j:
        step = steps[j][i]
        path.append(step)
        i -= sum(letter not in (INSERTION, JOINED_HYPOTHESIS) for letter in step)
        j -= sum(letter not in (DELETION, JOINED_REFERENCE) for letter in step)
    return "".join(reversed(path))


def _joined(word: str, words: Sequence[str], end: int) -> Iterator[int]:
    """Yield the start of the fewest words, two or more, that end there and have the letters of a word together."""
    start, n_left = end, len(word)
    while start and n_left > 0:
        start -= 1
        n_left -= len(words[start])
    if n_left == 0 and end - start > 1 and "".join(words[start:end]) == word:
        yield start


def check_aligner(aligner: int) -> None:
    """Raise ValueError for a number that is no aligner with joins."""
    if aligner not in (KALDIALIGN, KALDIALIGN_SCLITE):
        raise ValueError("aligner: expected 2 or 3")
