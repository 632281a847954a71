"""Texts as wholes: equal ones, and their tokens as sets."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..ragged import Ragged, offsets_of


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
