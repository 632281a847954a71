"""Tokens and their keys straight from the UTF-8 bytes of a column."""

from __future__ import annotations

from collections.abc import Iterator
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
BODY = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
_BEHIND = ~BODY
_HASHED = np.uint64(0xF8 << 56)


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
    # A token ends where the next one starts, or where the gap between them opens.
    ends = np.append(starts[1:], len(data))
    ends -= outside[ends - 1]
    wide_gaps = np.flatnonzero(inside[:-2] & outside[1:-1] & outside[2:]) + 1
    ends[np.searchsorted(starts, wide_gaps) - 1] = wide_gaps
    return Spans(data, starts, ends, np.searchsorted(starts, text_starts))


def keys_of(tokens: Spans) -> Keys:
    """Give every token a 64-bit key; equal keys are equal tokens.

    Up to 8 bytes the token is its own key. UTF-8 has no byte above 0xF7, so bytes 0xFF fill up
    shorter tokens, and a top byte 0xF8 marks the hash of a longer one, whose equality is
    verified byte by byte.
    """
    lengths = tokens.ends - tokens.starts
    words = _words(tokens.data)
    keys = words[tokens.starts].astype(np.uint64, copy=False)
    keys |= _BEHIND[np.minimum(lengths, 8)]
    long = np.flatnonzero(lengths > 8)
    if len(long):
        keys[long] = _Long.of(tokens.data, tokens.starts[long], lengths[long]).keys()
    return keys


def marked_length(keys: Keys) -> IntArray:
    """Return the bytes of tokens that are their own keys."""
    return (keys.astype("<u8").view(np.uint8).reshape(-1, 8) != 0xFF).sum(axis=1)


def _words(data: Bytes) -> Keys:
    """View the bytes as 8-byte words, one at every position; only indexing does not copy all of them."""
    return np.ndarray((len(data) - 7,), np.dtype("<u8"), data, strides=(1,))


@dataclass(frozen=True)
class _Long:
    """Tokens of more than 8 bytes.

    Attributes
    ----------
    data : uint8, shape (n_bytes,)
    starts, lengths : int64, shape (n_tokens,)
    first, last : uint64, shape (n_tokens,)
        Their first and last 8 bytes, which overlap in those of less than 16.
    """

    data: Bytes
    starts: IntArray
    lengths: IntArray
    first: Keys
    last: Keys

    @classmethod
    def of(cls, data: Bytes, starts: IntArray, lengths: IntArray) -> _Long:
        """Read both ends of every token."""
        words = _words(data)
        ends = (words[at].astype(np.uint64, copy=False) for at in (starts, starts + lengths - 8))
        return cls(data, starts, lengths, *ends)

    def keys(self) -> Keys:
        """Hash the tokens and prove that no two different ones share a hash."""
        # One step per word of the longest token: a text without any space would take minutes.
        if int(self.lengths.max()) > LONGEST_HASHED:
            return self._numbered()
        hashes = self._hashes()
        # Sorting values is several times faster than sorting indices.
        index_bits = np.uint64(len(hashes).bit_length())
        order = (hashes << index_bits) | np.arange(len(hashes), dtype=np.uint64)
        order.sort()
        kinds = order >> index_bits
        index = (order & ((np.uint64(1) << index_bits) - np.uint64(1))).astype(np.int64)
        # All tokens of a kind are equal exactly if each equals the one before it.
        if self._are_equal(index[1:], index[:-1], kinds[1:] == kinds[:-1]):
            return _HASHED | (hashes & BODY[7])
        return self._numbered()

    def _numbered(self) -> Keys:
        """Give distinct tokens distinct numbers, where a hash will not do."""
        texts = [self.data[s : s + n].tobytes() for s, n in zip(self.starts, self.lengths, strict=True)]
        ids = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        return _HASHED | np.array([ids[text] for text in texts], np.uint64)

    def _between(self, tokens: IntArray) -> Iterator[tuple[IntArray, Keys]]:
        """Read on from the first 8 bytes: which of `tokens` are long enough, and their next 8 bytes."""
        words, depth = _words(self.data), 8
        tokens = tokens[self.lengths[tokens] > 16]
        while len(tokens):
            # Moved back so that no word goes beyond the token.
            at = self.starts[tokens] + np.minimum(depth, self.lengths[tokens] - 8)
            yield tokens, words[at].astype(np.uint64, copy=False)
            depth += 8
            tokens = tokens[self.lengths[tokens] > depth + 8]

    def _hashes(self) -> Keys:
        hashes = _mixed(_mixed(self.lengths.astype(np.uint64), self.first), self.last)
        for tokens, words in self._between(np.arange(len(hashes))):
            hashes[tokens] = _mixed(hashes[tokens], words)
        return hashes & BODY[7]

    def _are_equal(self, left: IntArray, right: IntArray, asked: Flags) -> bool:
        """Say whether two tokens are equal wherever it is asked."""
        for part in (self.first, self.last, self.lengths):
            if np.any((part[left] != part[right]) & asked):
                return False
        asked = asked & (self.lengths[left] > 16)
        both = (self._between(left[asked]), self._between(right[asked]))
        return all(np.array_equal(a, b) for (_, a), (_, b) in zip(*both, strict=True))


def _mixed(hashes: Keys, words: Keys) -> Keys:
    mixed = (hashes ^ words) * _MULTIPLIER
    return mixed ^ (mixed >> np.uint64(29))
