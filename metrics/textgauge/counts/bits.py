"""Words of 64 bits as sets of reference tokens."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..ragged import IntArray

Words = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

WORD = 64
ONE, FULL = np.uint64(1), np.uint64(2**64 - 1)
_BITS_OF_BYTE = np.array([i.bit_count() for i in range(256)], np.uint8)


def popcount(words: Words) -> IntArray:
    """Count the bits of every word (NumPy has `bitwise_count` from 2.0 on)."""
    if hasattr(np, "bitwise_count"):
        return np.bitwise_count(words).astype(np.int64)
    return _BITS_OF_BYTE[words.view(np.uint8)].reshape(-1, 8).sum(axis=1, dtype=np.int64)
