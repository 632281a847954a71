"""Words of 64 bits as sets of reference tokens, and the LCS recurrence on them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ..ragged import IntArray, lengths_of

Words = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

WORD = 64
ONE, FULL = np.uint64(1), np.uint64(2**64 - 1)
_BITS_OF_BYTE = np.array([i.bit_count() for i in range(256)], np.uint8)


def popcount(words: Words) -> IntArray:
    """Count the bits of every word."""
    return bit_counts(words).astype(np.int64)


def bit_counts(words: Words) -> npt.NDArray[np.uint8]:
    """Do the same in bytes (NumPy has `bitwise_count` from 2.0 on)."""
    if hasattr(np, "bitwise_count"):
        return np.bitwise_count(words)
    return _BITS_OF_BYTE[np.ascontiguousarray(words)[..., None].view(np.uint8)].sum(axis=-1, dtype=np.uint8)


def steps(starts: IntArray, lengths: IntArray) -> tuple[IntArray, Iterator[IntArray]]:
    """Walk through all rows at once.

    Returns
    -------
    int64, shape (n_rows,)
        The rows, longest first, so that those still going are always a prefix.
    iterator of int64, shape (n_going,)
        For k = 0, 1, ..., the index of the k-th token of each row that has one.
    """
    order = np.argsort(-lengths, kind="stable")
    index = starts[order]
    going = len(order) - np.cumsum(np.bincount(lengths, minlength=1))
    return order, (index[:n] + k for k, n in enumerate(going[: int(lengths.max(initial=0))].tolist()))


def lcs_run(masks: Words, offsets: IntArray, *, keep: bool = False) -> tuple[IntArray, Words]:
    """Return the LCS length of every row of masks, for references of at most 64 bits.

    Parameters
    ----------
    masks : uint64, shape (n_tokens,)
        Per hypothesis token the reference bits that it matches.
    offsets : int64, shape (n_rows + 1,)
    keep : bool
        Also return the bits where the LCS has grown up to each token.

    Returns
    -------
    int64, shape (n_rows,)
    uint64, shape (n_tokens,), or (0,) without `keep`

    References
    ----------
    Hyyro (2004), Bit-parallel LCS-length computation revisited, figure 1.
    """
    order, walk = steps(offsets[:-1], lengths_of(offsets))
    state = np.full(len(order), FULL)
    grown = np.zeros(len(masks) if keep else 0, np.uint64)
    for tokens in walk:
        going = state[: len(tokens)]
        matched = going & masks[tokens]
        going[:] = (going + matched) | (going ^ matched)
        if keep:
            grown[tokens] = ~going
    lengths = np.zeros(len(order), np.int64)
    lengths[order] = popcount(~state)
    return lengths, grown
