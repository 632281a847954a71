"""Tokens and their keys straight from the UTF-8 bytes of a column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..ragged import IntArray, lengths_of

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Keys = npt.NDArray[np.uint64]

# Behind the last text: eight bytes can be read at once wherever a token starts.
PADDING = b" " * 9
LONGEST_HASHED = 4096
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MARKS = np.array([0xF8 + n for n in range(8)] + [0], np.uint64) << np.uint64(56)
BODY = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)


def text_bytes(column: pa.LargeStringArray) -> tuple[Bytes, IntArray]:
    """Return the bytes of all texts, one behind the other, and the number of bytes of each."""
    _, offset_buffer, data = column.buffers()
    if len(column) == 0 or data is None:
        return np.zeros(0, np.uint8), np.zeros(len(column), np.int64)
    offsets = np.frombuffer(offset_buffer, np.int64)[column.offset : column.offset + len(column) + 1]
    return np.frombuffer(data, np.uint8)[offsets[0] : offsets[-1]], lengths_of(offsets)


def joined(column: pa.LargeStringArray) -> tuple[bytes, IntArray]:
    """Return the bytes of all texts with one space before each, and where texts start.

    The space makes text borders token borders; the int64 starts are one longer than the
    column.
    """
    if len(column) == 0:
        return PADDING, np.ones(1, np.int64)
    lists = pa.ListArray.from_arrays(pa.array([0, len(column)], pa.int32()), column)
    # Made here: the first scalar makes Arrow import pandas where it is installed.
    raw = pc.binary_join(lists, pa.scalar(" ", pa.large_string()))[0].as_buffer().to_pybytes()
    starts = np.ones(len(column) + 1, np.int64)
    np.cumsum(text_bytes(column)[1] + 1, out=starts[1:])
    starts[1:] += 1
    return b" " + raw + PADDING, starts


@dataclass(frozen=True)
class Spans:
    """Where the tokens of a column are.

    Attributes
    ----------
    data : uint8, shape (n_bytes,)
        With at least 8 bytes behind the last token.
    starts, ends : int64, shape (n_tokens,)
        Token i is ``data[starts[i]:ends[i]]``.
    offsets : int64, shape (n_texts + 1,)
        The tokens of text t are ``offsets[t]`` to ``offsets[t + 1]``.
    """

    data: Bytes
    starts: IntArray
    ends: IntArray
    offsets: IntArray


def runs(data: Bytes, inside: Flags, text_starts: IntArray) -> Spans:
    """Take every run of bytes that are `inside` as a token; the first and last byte are not."""
    borders = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = np.ascontiguousarray(borders[::2]), np.ascontiguousarray(borders[1::2])
    return Spans(data, starts, ends, np.searchsorted(starts, text_starts))


def cut_runs(data: Bytes, inside: Flags, opens: Flags, text_starts: IntArray) -> Spans:
    """Take runs as `runs` does, cut before every byte that `opens` says."""
    outside = ~inside
    starts = np.flatnonzero(inside[1:] & (outside[:-1] | opens[1:])) + 1
    ends = np.flatnonzero(inside[:-1] & (outside[1:] | opens[1:])) + 1
    return Spans(data, starts, ends, np.searchsorted(starts, text_starts))


def keys_of(tokens: Spans) -> Keys:
    """Give every token a 64-bit key; equal keys are equal tokens.

    Up to 8 bytes the token is its own key. UTF-8 has no byte above 0xF7, so the top byte
    0xF8 + length marks shorter tokens and 0xF8 marks a hash of a longer one, whose
    equality is verified byte by byte.
    """
    lengths = tokens.ends - tokens.starts
    words = _words(tokens.data)
    keys = np.take(words, tokens.starts).astype(np.uint64, copy=False)
    short = np.minimum(lengths, 8)
    keys &= BODY[short]
    keys |= _MARKS[short]
    long = np.flatnonzero(lengths > 8)
    if len(long):
        keys[long] = _long_keys(tokens.data, tokens.starts[long], lengths[long])
    return keys


def marked_length(keys: Keys) -> IntArray:
    """Return the bytes of tokens that are their own keys."""
    top = (keys >> np.uint64(56)).astype(np.int64)
    return np.where(top > 0xF8, top - 0xF8, 8)


def _words(data: Bytes) -> Keys:
    """View the bytes as 8-byte words, one at every position."""
    return np.ndarray((len(data) - 7,), np.dtype("<u8"), data, strides=(1,))


def _long_keys(data: Bytes, starts: IntArray, lengths: IntArray) -> Keys:
    """Hash tokens of more than 8 bytes and prove that no two different ones share a hash."""
    # One step per word of the longest token: a text without any space would take minutes.
    if int(lengths.max()) > LONGEST_HASHED:
        return _numbered(data, starts, lengths)
    words = _words(data)
    hashes = _hashes(words, starts, lengths)
    # Sorting values is several times faster than sorting indices.
    index_bits = np.uint64(len(starts).bit_length())
    order = (hashes << index_bits) | np.arange(len(starts), dtype=np.uint64)
    order.sort()
    kinds = order >> index_bits
    index = (order & ((np.uint64(1) << index_bits) - np.uint64(1))).astype(np.int64)
    # All tokens of a kind are equal exactly if each equals the one before it.
    same = np.flatnonzero(kinds[1:] == kinds[:-1])
    if _equal(words, starts, lengths, index[same], index[same + 1]):
        return _MARKS[0] | (hashes & BODY[7])
    return _numbered(data, starts, lengths)


def _numbered(data: Bytes, starts: IntArray, lengths: IntArray) -> Keys:
    """Give distinct tokens distinct numbers, where a hash will not do."""
    texts = [data[s : s + n].tobytes() for s, n in zip(starts, lengths, strict=True)]
    ids = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    return _MARKS[0] | np.array([ids[text] for text in texts], np.uint64)


def _word_at(words: Keys, starts: IntArray, lengths: IntArray, depth: int) -> Keys:
    """Return the 8 bytes at `depth`, moved back so that the last word ends with the token."""
    return words[starts + np.minimum(depth, lengths - 8)].astype(np.uint64, copy=False)


def _hashes(words: Keys, starts: IntArray, lengths: IntArray) -> Keys:
    hashes = lengths.astype(np.uint64) * _MULTIPLIER
    live = np.arange(len(starts))
    depth = 0
    while len(live):
        hashes[live] = (hashes[live] ^ _word_at(words, starts[live], lengths[live], depth)) * _MULTIPLIER
        hashes[live] ^= hashes[live] >> np.uint64(29)
        depth += 8
        live = live[lengths[live] > depth]
    return hashes & BODY[7]


def _equal(words: Keys, starts: IntArray, lengths: IntArray, left: IntArray, right: IntArray) -> bool:
    if not np.array_equal(lengths[left], lengths[right]):
        return False
    depth = 0
    while len(left):
        a = _word_at(words, starts[left], lengths[left], depth)
        b = _word_at(words, starts[right], lengths[right], depth)
        if not np.array_equal(a, b):
            return False
        depth += 8
        live = lengths[left] > depth
        left, right = left[live], right[live]
    return True
