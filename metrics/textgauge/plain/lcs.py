"""Longest common subsequences: Lin (2004), ROUGE, section 3.1."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from .integers import Integers, integers
from .ngram_index import check_group, check_range
from .tokens import Ids, Tokens

# The moves of the walk back through a table: a row per reference token, a column per hypothesis token.
MATCH, DROP_REFERENCE, DROP_HYPOTHESIS = range(3)


def lcs_length(hypothesis: Ids, reference: Ids) -> int:
    """Return the length of the longest common subsequence of two texts.

    Examples
    --------
    >>> police, killed, the, gunman, kill = range(5)
    >>> reference = [police, killed, the, gunman]
    >>> lcs_length([police, kill, the, gunman], reference), lcs_length([the, gunman, kill, police], reference)
    (3, 2)
    """
    last = deque(_rows_of_table(hypothesis, reference), 1)
    return last[0][0][-1] if last else 0


def _rows_of_table(hypothesis: Ids, reference: Ids) -> Iterator[tuple[list[int], bytearray]]:
    """Yield, for every reference token, its row of the table and the moves of the walk back.

    Both have a first column for no hypothesis tokens: shape (n_hypothesis_tokens + 1,).
    """
    above = [0] * (len(hypothesis) + 1)
    for token in reference:
        row, moves = [0], bytearray([DROP_REFERENCE])
        for j, other in enumerate(hypothesis):
            if other == token:
                length, move = above[j] + 1, MATCH
            elif above[j + 1] >= row[j]:
                length, move = above[j + 1], DROP_REFERENCE
            else:
                length, move = row[j], DROP_HYPOTHESIS
            row.append(length)
            moves.append(move)
        yield row, moves
        above = row


def walk_back(moves: list[bytearray]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of positions of one best common subsequence, in both texts, from the last to the first.

    From the ends of both texts, equal tokens match; else the reference token is dropped if that loses
    nothing, else the hypothesis token: as in `rouge_score` (`rouge_scorer._backtrack_norec`) and ROUGE-1.5.5.pl.

    Parameters
    ----------
    moves : list of bytearray, shape (n_reference_tokens, n_hypothesis_tokens + 1)
    """
    i, j = len(moves) - 1, len(moves[0]) - 1 if moves else 0
    while i >= 0 and j > 0:
        move = moves[i][j]
        if move == MATCH:
            yield j - 1, i
        i -= move != DROP_HYPOTHESIS
        j -= move != DROP_REFERENCE


def lcs_path(hypothesis: Integers, reference: Integers) -> list[tuple[int, int]]:
    """Return one longest common subsequence as ascending pairs of positions; ties as in `walk_back`.

    Parameters
    ----------
    hypothesis, reference : uint32, shape (n_hypothesis_tokens,), (n_reference_tokens,)

    Returns
    -------
    int64, shape (length, 2)
        Positions in the hypothesis and in the reference.

    References
    ----------
    Lin (2004), ROUGE, section 3.1.

    Examples
    --------
    >>> police, killed, the, gunman, kill = range(5)
    >>> lcs_path([police, kill, the, gunman], [police, killed, the, gunman])
    [(0, 0), (2, 2), (3, 3)]
    """
    moves = [moves for _, moves in _rows_of_table(integers(hypothesis), integers(reference))]
    return list(walk_back(moves))[::-1]


class LcsIndex:
    """The texts of a group, for the LCS of every one with every other.

    Parameters
    ----------
    tokens : Tokens
        Of one segment, which has all texts.

    Raises
    ------
    ValueError
        If there are several segments.

    Examples
    --------
    >>> police, killed, the, gunman, kill = range(5)
    >>> ids = [police, killed, the, gunman, police, kill, the, gunman, the, gunman, kill, police]
    >>> LcsIndex(Tokens(ids, [0, 4, 8, 12], [0, 3])).lengths(0, 2, 0, 3)
    [[4, 3, 2], [3, 4, 2]]
    """

    def __init__(self, tokens: Tokens) -> None:
        check_group(tokens)
        self._texts = next(tokens.texts_of_segments())

    def lengths(self, first_row: int, last_row: int, first_column: int, last_column: int) -> list[list[int]]:
        """Return the length of the LCS of every text in one range with every text in another.

        Returns
        -------
        int32, shape (last_row - first_row, last_column - first_column)

        Raises
        ------
        ValueError
            If a range is not one of the texts.
        """
        for first, last in ((first_row, last_row), (first_column, last_column)):
            check_range(first, last, 0, len(self._texts))
        columns = self._texts[first_column:last_column]
        return [[lcs_length(row, column) for column in columns] for row in self._texts[first_row:last_row]]
