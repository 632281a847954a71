"""Clipped n-gram matches of every text of a group with every other: Papineni et al. (2002), BLEU."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

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
        check_sides(tokens, max_order, n_rows, first_column)
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


def weighted_ngram_matches(
    tokens: Tokens, max_order: int, n_rows: int, first_column: int, weights: Sequence[float]
) -> list[list[float]]:
    """Count the n-grams of every row that a weighted sum of all columns has.

    An n-gram counts min(count, sum of weight times count over the columns).

    Parameters
    ----------
    tokens, max_order, n_rows, first_column
        As for `NgramIndex`.
    weights : float64, shape (n_columns,)

    Returns
    -------
    float64, shape (n_rows, max_order)
        Sums from the first column to the last, and from the first n-gram of a row to the last.

    Raises
    ------
    ValueError
        As for `NgramIndex`; if there is not one weight for every column.

    References
    ----------
    DeNero et al. (2009), Fast Consensus Decoding over Translation Forests, section 3; Vamvas and Sennrich (2024),
    Linear-time Minimum Bayes Risk Decoding with Reference Aggregation, section 3.

    Examples
    --------
    >>> the, cat, sat = range(3)
    >>> weighted_ngram_matches(Tokens([the, the, cat, the, sat], [0, 2, 3, 5], [0, 3]), 1, 1, 1, [0.25, 0.75])
    [[0.75]]
    """
    check_sides(tokens, max_order, n_rows, first_column)
    texts = next(tokens.texts_of_segments())
    if len(weights) != len(texts) - first_column:
        raise ValueError("weights: expected one for every column")
    rows = [[0.0] * max_order for _ in range(n_rows)]
    for order in range(1, max_order + 1):
        sums: dict[tuple[int, ...], float] = {}
        for text, weight in zip(texts[first_column:], weights, strict=True):
            for ngram, n in ngrams(text, order).items():
                sums[ngram] = sums.get(ngram, 0.0) + float(weight) * n
        for row, text in zip(rows, texts, strict=False):
            for ngram, n in ngrams(text, order).items():
                row[order - 1] += min(n, sums.get(ngram, 0.0))
    return rows


def _matches(left: Counter[tuple[int, ...]], right: Counter[tuple[int, ...]]) -> int:
    return (left & right).total()


def check_sides(tokens: Tokens, max_order: int, n_rows: int, first_column: int) -> None:
    """Raise ValueError for several segments and for numbers that are out of range."""
    check_group(tokens)
    if not 1 <= max_order <= LARGEST_ORDER:
        raise ValueError(f"max_order: expected 1 to {LARGEST_ORDER}, got {max_order}")
    if not (0 <= n_rows <= len(tokens.offsets) - 1 and 0 <= first_column <= len(tokens.offsets) - 1):
        raise ValueError("n_rows, first_column: expected at most the number of texts")


def check_group(tokens: Tokens) -> None:
    """Raise ValueError unless the tokens are of one segment."""
    if len(tokens) != 1:
        raise ValueError("tokens: expected one segment")


def check_range(first: int, last: int, low: int, high: int) -> None:
    """Raise ValueError unless first to last is a range within low to high that is not empty."""
    if not low <= first < last <= high:
        raise ValueError("rows, columns: expected non-empty ranges of the rows and columns of the index")
