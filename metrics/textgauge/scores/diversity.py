"""The diversity of a set of texts from its counts."""

from __future__ import annotations

import math
import zlib

import numpy as np

from ..arrays import Counts, FloatArray, IntArray
from .sums import ratio

_GZIP = 16 + zlib.MAX_WBITS
_PIECE = 1 << 18


def distinct(n_distinct: Counts, n_ngrams: Counts) -> FloatArray:
    """Return the share of n-grams that are distinct, 0 without n-grams: distinct-n of every order.

    As most programs do; the paper divides by the number of tokens.

    References
    ----------
    Li, Galley, Brockett, Gao and Dolan (2016), A diversity-promoting objective function.
    """
    return ratio(n_distinct, n_ngrams)


def self_repetition(in_others: IntArray) -> float:
    """Return the mean of ln(1 + n), for n-grams of a text that other texts have, each once per other text.

    Parameters
    ----------
    in_others : int64, shape (n_texts,)
        For each kind of n-gram of a text the number of other texts that have it, summed.

    References
    ----------
    Salkar, Trikalinos, Wallace and Nenkova (2022), Self-repetition in abstractive neural summarizers,
    as Shaib et al. (2024) compute it.

    Examples
    --------
    >>> self_repetition(np.array([0, 0])), round(self_repetition(np.array([1, 1])), 4)
    (0.0, 0.6931)
    """
    return math.fsum(np.log(in_others + 1.0)) / len(in_others)


def compressed_size(data: bytes) -> int:
    """Return the size that gzip at its highest level makes of bytes, with gzip's 18 bytes around it.

    References
    ----------
    Shaib, Barrow, Sun, Siu, Wallace and Nenkova (2024), Standardizing the measurement of text diversity.
    Their program compresses twice.

    Examples
    --------
    >>> compressed_size(b"a cat " * 100) < 40
    True
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, _GZIP)
    # Piece by piece, so that Ctrl-C is heard between two of them.
    pieces = (data[start : start + _PIECE] for start in range(0, len(data), _PIECE))
    return sum(len(packer.compress(piece)) for piece in pieces) + len(packer.flush())
