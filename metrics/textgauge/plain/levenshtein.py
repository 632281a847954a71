"""Levenshtein distances with their edits: Levenshtein (1966); Morris et al. (2004), From WER and RIL to MER and WIL."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from .integers import Integers, integers
from .ngram_index import check_group, check_range
from .tokens import Ids, Tokens

# Whose edits are taken where several lists of them are equally short; the compiled kernel has the same order.
JIWER, SCLITE, KALDIALIGN, KALDIALIGN_SCLITE = range(4)
# Whose edits cost what: a token for another, a token that one side lacks.
WEIGHTS = {JIWER: (1, 1), SCLITE: (4, 3), KALDIALIGN: (1, 1), KALDIALIGN_SCLITE: (4, 3)}
# The edits, in the order of their counts.
HIT, SUBSTITUTION, DELETION, INSERTION = EDITS = " sdi"


def levenshtein_edits(tokens: Tokens, aligner: int = JIWER, n_threads: int = 1) -> list[list[int]]:
    """Count, per pair, the edits that turn the reference into the hypothesis.

    Parameters
    ----------
    tokens : Tokens
    aligner : int
        `JIWER`, `SCLITE`, `KALDIALIGN` or `KALDIALIGN_SCLITE`; see `levenshtein_path`.

    Returns
    -------
    int64, shape (n_pairs, 4)
        Hits, substitutions, deletions (of tokens of the reference), insertions. Additive.

    References
    ----------
    Myers (1999), A Fast Bit-Vector Algorithm for Approximate String Matching Based on Dynamic Programming; Hyyrö
    (2003), A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances.

    Examples
    --------
    >>> a, quick, slow, fox, red = range(5)
    >>> levenshtein_edits(Tokens([a, slow, red, fox, a, quick, fox], [0, 4, 7], [0, 2]))
    [[2, 1, 0, 1]]
    """
    check_aligner(aligner)
    paths = (levenshtein_path(hypothesis, reference, aligner) for hypothesis, reference in tokens.pairs())
    return [[path.count(edit) for edit in EDITS] for path in paths]


def levenshtein_path(hypothesis: Integers, reference: Integers, aligner: int = JIWER) -> str:
    """Return the edits that `levenshtein_edits` counts for one pair.

    Of equally short lists of edits jiwer, which calls rapidfuzz, finds this one: tokens that both texts begin with are
    hits, then those that both end with; between them, from the end, a token of the reference is deleted if the table
    grows by it (D[i][j] = D[i-1][j] + 1); else a token of the hypothesis is inserted if it is not the first one
    and the table falls for one token less of it (D[i][j-1] = D[i-1][j-1] - 1); else one stands for the other.
    Above a table of about 2,000 times 2,000 tokens rapidfuzz cuts it in two, and may find others.

    sclite's edits have weights, 4 for a substitution and 3 for the others, so that there may be more of them; from the
    end a token stands for another if that costs no more, else one is deleted if that costs less than an insertion.

    kaldialign, with weights of 1 or those of sclite, takes a token for another only if that costs less than both
    others, and deletes one only if that costs less than an insertion.

    Parameters
    ----------
    hypothesis, reference : uint32, shape (n_hypothesis_tokens,), (n_reference_tokens,)
    aligner : int
        As for `levenshtein_edits`.

    Returns
    -------
    str
        From the left: " " equal tokens, "s" a substitution, "d" a reference token that the hypothesis lacks, "i" a
        hypothesis token that the reference lacks.

    Raises
    ------
    ValueError
        If there is no such aligner.

    References
    ----------
    NIST SCTK 2.4, `net_dp.c`; rapidfuzz-cpp 3, `Levenshtein.hpp`; kaldialign 0.12, `kaldi_align.cpp`.

    Examples
    --------
    >>> a, quick, slow, fox, red = range(5)
    >>> levenshtein_path([a, slow, red, fox], [a, quick, fox])
    ' is '
    >>> levenshtein_path([1, 2], [0, 1]), levenshtein_path([1, 2], [0, 1], SCLITE)
    ('ss', 'd i')
    """
    check_aligner(aligner)
    left, right = integers(hypothesis), integers(reference)
    if aligner != JIWER:
        return _walk_back(left, right, aligner)
    n_first = _n_common(left, right)
    left, right = left[n_first:], right[n_first:]
    n_last = _n_common(left[::-1], right[::-1])
    between = _walk_back(left[: len(left) - n_last], right[: len(right) - n_last], aligner)
    return HIT * n_first + between + HIT * n_last


def _n_common(left: Ids, right: Ids) -> int:
    n = 0
    while n < min(len(left), len(right)) and left[n] == right[n]:
        n += 1
    return n


def _walk_back(hypothesis: Ids, reference: Ids, aligner: int) -> str:
    exchanged, left_out = WEIGHTS[aligner]
    # Shape (n_hypothesis_tokens + 1, n_reference_tokens + 1).
    table = [[left_out * i for i in range(len(reference) + 1)]]
    for token in hypothesis:
        above, row = table[-1], [table[-1][0] + left_out]
        for i, other in enumerate(reference):
            row.append(min(above[i] + (exchanged if other != token else 0), above[i + 1] + left_out, row[i] + left_out))
        table.append(row)
    path = []
    i, j = len(reference), len(hypothesis)
    while i and j:
        before, row = table[j - 1], table[j]
        is_equal = hypothesis[j - 1] == reference[i - 1]
        if aligner == JIWER:
            is_deletion = row[i] == row[i - 1] + 1
            is_insertion = not is_deletion and j > 1 and before[i] == before[i - 1] - 1
        else:
            other = before[i - 1] + (0 if is_equal else exchanged)
            without, more = row[i - 1] + left_out, before[i] + left_out
            is_diagonal = other < min(without, more) + (aligner == SCLITE)
            is_deletion = not is_diagonal and without < more
            is_insertion = not is_diagonal and not is_deletion
        path.append(DELETION if is_deletion else INSERTION if is_insertion else HIT if is_equal else SUBSTITUTION)
        i -= not is_insertion
        j -= not is_deletion
    return INSERTION * j + DELETION * i + "".join(reversed(path))


def check_aligner(aligner: int) -> None:
    """Raise ValueError for a number that is no aligner."""
    if aligner not in WEIGHTS:
        raise ValueError("aligner: expected 0 to 3")


class LevenshteinIndex:
    """The texts of a group, for the edits of every one with every other.

    Parameters
    ----------
    tokens : Tokens
        Of one segment, which has all texts.
    aligner : int
        As for `levenshtein_edits`.

    Raises
    ------
    ValueError
        If there are several segments, or there is no such aligner.

    Examples
    --------
    >>> LevenshteinIndex(Tokens([0, 1, 2, 0, 2], [0, 3, 5], [0, 2])).edits(0, 1, 0, 2)
    [[[3, 0, 0, 0], [2, 0, 0, 1]]]
    """

    def __init__(self, tokens: Tokens, aligner: int = JIWER) -> None:
        check_group(tokens)
        check_aligner(aligner)
        self._texts, self._aligner = next(tokens.texts_of_segments()), aligner

    def edits(self, first_row: int, last_row: int, first_column: int, last_column: int) -> list[list[list[int]]]:
        """Return the counts of every hypothesis in one range of texts with every reference in another.

        Returns
        -------
        int32, shape (last_row - first_row, last_column - first_column, 4)

        Raises
        ------
        ValueError
            If a range is not one of the texts.
        """
        for first, last in ((first_row, last_row), (first_column, last_column)):
            check_range(first, last, 0, len(self._texts))
        columns = self._texts[first_column:last_column]
        rows = self._texts[first_row:last_row]
        paths = [[levenshtein_path(row, column, self._aligner) for column in columns] for row in rows]
        return [[[path.count(edit) for edit in EDITS] for path in row] for row in paths]
