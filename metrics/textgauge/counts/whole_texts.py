"""Texts as wholes: equal ones, and their tokens as sets."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..ragged import IntArray, Ragged, offsets_of

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def equal_texts(left: Ragged, right: Ragged) -> npt.NDArray[np.bool_]:
    """Say which rows have the same tokens in the same order.

    Parameters
    ----------
    left, right : Ragged of token keys, n_rows rows each

    Returns
    -------
    bool, shape (n_rows,)

    Examples
    --------
    >>> equal_texts(Ragged.from_rows([[1, 2], [1, 2]]), Ragged.from_rows([[2, 1], [1, 2]]))
    array([False,  True])
    """
    equal = left.lengths == right.lengths
    rows = np.flatnonzero(equal)
    pairs = left.take(rows)
    differs = pairs.values != right.take(rows).values
    equal[rows[pairs.row_of[differs]]] = False
    return equal


def equal_rows(texts: Ragged) -> IntArray:
    """Name, for every row, a row that has the same tokens in the same order.

    Rows with the same answer are equal. Equal rows have the same answer, their first, unless
    another row shares their hash: what is computed once per answer is exact either way.

    Parameters
    ----------
    texts : Ragged of non-negative token keys or -1

    Returns
    -------
    int64, shape (n_rows,)

    Examples
    --------
    >>> equal_rows(Ragged.from_rows([[1, 2], [2, 1], [1, 2], []]))
    array([0, 1, 0, 3])
    """
    lengths = texts.lengths
    powers = np.full(int(lengths.max(initial=0)) + 1, _MULTIPLIER)
    powers = np.multiply.accumulate(powers)
    place = np.arange(len(texts.values)) - np.repeat(texts.offsets[:-1], lengths)
    sums = np.zeros(len(texts.values) + 1, np.uint64)
    np.cumsum((texts.values.astype(np.uint64) + np.uint64(2)) * powers[place], out=sums[1:])
    order = np.argsort(sums[texts.offsets[1:]] - sums[texts.offsets[:-1]], kind="stable")
    is_new = np.ones(len(order), bool)
    is_new[1:] = ~equal_texts(texts.take(order[1:]), texts.take(order[:-1]))
    first = np.zeros(len(order), np.int64)
    first[order] = order[np.maximum.accumulate(np.where(is_new, np.arange(len(order)), 0))]
    return first


def distinct(texts: Ragged) -> Ragged:
    """Keep one token of every kind in every text, the tokens of a text ascending.

    Parameters
    ----------
    texts : Ragged of token keys

    Examples
    --------
    >>> distinct(Ragged.from_rows([[5, 3, 5], [], [5]])).values
    array([3, 5, 5])
    """
    order = np.lexsort((texts.values, texts.row_of))
    values, rows = texts.values[order], texts.row_of[order]
    is_new = np.ones(len(values), bool)
    is_new[1:] = (values[1:] != values[:-1]) | (rows[1:] != rows[:-1])
    return Ragged(values[is_new], offsets_of(np.bincount(rows[is_new], minlength=len(texts))))
