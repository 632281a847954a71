"""Clipped n-gram matches of every text of a group with every other: Papineni et al. (2002), BLEU."""

from __future__ import annotations

from collections import Counter

from .ngrams import LARGEST_ORDER, ngrams
from .tokens import Tokens


class NgramIndex:
    """The n-grams of a group of texts, of which the first are rows of a matrix and the last ones columns.

    Parameters
    ----------
    tokens : Tokens
        Of one segment, which has all texts.
    max_order : int
    n_rows : int
        The texts before are rows.
    first_column : int
        The texts from here on are columns; a text may be both.

    Raises
    ------
    ValueError
        If there are several segments, or numbers are out of range.

    Examples
    --------
    >>> the, cat, sat, dog = range(4)
    >>> index = NgramIndex(Tokens([the, cat, sat, the, dog, the, the], [0, 3, 5, 7], [0, 3]), 2, 3, 0)
    >>> index.matches(0, 1, 0, 3)
    [[[3, 1, 1], [2, 0, 0]]]
    """

    def __init__(self, tokens: Tokens, max_order: int, n_rows: int, first_column: int) -> None:
        check_group(tokens)
        if not 1 <= max_order <= LARGEST_ORDER:
            raise ValueError(f"max_order: expected 1 to {LARGEST_ORDER}, got {max_order}")
        if not (0 <= n_rows <= len(tokens.offsets) - 1 and 0 <= first_column <= len(tokens.offsets) - 1):
            raise ValueError("n_rows, first_column: expected at most the number of texts")
        self._n_rows, self._first_column = n_rows, first_column
        self._max_order = max_order
        texts = next(tokens.texts_of_segments())
        self._texts = [[ngrams(text, order) for order in range(1, max_order + 1)] for text in texts]

    def matches(self, first_row: int, last_row: int, first_column: int, last_column: int) -> list[list[list[int]]]:
        """Sum min(count, count) over the n-grams of every row and every column in ranges of texts.

        Returns
        -------
        int32, shape (last_row - first_row, max_order, last_column - first_column)

        Raises
        ------
        ValueError
            If a range is not one of rows, or of columns.
        """
        check_range(first_row, last_row, 0, self._n_rows)
        check_range(first_column, last_column, self._first_column, len(self._texts))
        columns = self._texts[first_column:last_column]
        return [
            [[_matches(row[order], column[order]) for column in columns] for order in range(self._max_order)]
            for row in self._texts[first_row:last_row]
        ]


def _matches(left: Counter[tuple[int, ...]], right: Counter[tuple[int, ...]]) -> int:
    return (left & right).total()


def check_group(tokens: Tokens) -> None:
    """Raise ValueError unless the tokens are of one segment."""
    if len(tokens) != 1:
        raise ValueError("tokens: expected one segment")


def check_range(first: int, last: int, low: int, high: int) -> None:
    """Raise ValueError unless first to last is a range within low to high that is not empty."""
    if not low <= first < last <= high:
        raise ValueError("rows, columns: expected non-empty ranges of the rows and columns of the index")
