"""Token borders and token keys straight from the UTF-8 bytes of a column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..ragged import IntArray

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Keys = npt.NDArray[np.uint64]

PADDING = 8
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MARKS = np.array([0xF8 + n for n in range(8)], np.uint64) << np.uint64(56)
_BODY = np.array([(1 << 8 * n) - 1 for n in range(8)], np.uint64)


def text_bytes(column: pa.LargeStringArray) -> tuple[Bytes, IntArray]:
    """Return the bytes of all texts and the int64 offsets that cut them, slices respected."""
    if len(column) == 0:
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    _, offset_buffer, data = column.buffers()
    offsets = np.frombuffer(offset_buffer, np.int64)[column.offset : column.offset + len(column) + 1]
    if data is None:
        return np.zeros(0, np.uint8), offsets - offsets[0]
    return np.frombuffer(data, np.uint8)[offsets[0] : offsets[-1]], offsets - offsets[0]


@dataclass(frozen=True)
class Spans:
    """Where the tokens of a column are.

    Attributes
    ----------
    data : uint8, shape (n_bytes,)
    starts, ends : int64, shape (n_tokens,)
        Token i is ``data[starts[i]:ends[i]]``.
    offsets : int64, shape (n_texts + 1,)
        The tokens of text t are ``offsets[t]`` to ``offsets[t + 1]``.
    """

    data: Bytes
    starts: IntArray
    ends: IntArray
    offsets: IntArray


def spans(data: Bytes, text_offsets: IntArray, first: Flags, last: Flags) -> Spans:
    """Cut tokens from flags that say which byte is the first or last one of a token."""
    starts = np.flatnonzero(first)
    return Spans(data, starts, np.flatnonzero(last) + 1, np.searchsorted(starts, text_offsets))


def shifted(classes: Bytes, text_offsets: IntArray) -> tuple[Bytes, Bytes]:
    """Return the class of the byte before and after each byte, 0 beyond a text's borders."""
    before, after = np.zeros_like(classes), np.zeros_like(classes)
    before[1:], after[:-1] = classes[:-1], classes[1:]
    borders = text_offsets[1:-1]
    before[borders[borders < len(classes)]] = 0
    after[borders[borders > 0] - 1] = 0
    return before, after


def keys_of(tokens: Spans) -> Keys:
    """Give every token a 64-bit key; equal keys are equal tokens.

    Up to 8 bytes the token is its own key. UTF-8 has no byte above 0xF7, so the top byte
    0xF8 + length marks shorter tokens and 0xF8 marks a hash of a longer one, whose
    equality is verified byte by byte.
    """
    lengths = tokens.ends - tokens.starts
    data = np.concatenate((tokens.data, np.zeros(PADDING, np.uint8)))
    # Reads 8 bytes at any byte position.
    words = np.ndarray((len(tokens.data) + 1,), np.dtype("<u8"), data, strides=(1,))
    keys = words[tokens.starts].astype(np.uint64, copy=False)
    short = np.minimum(lengths, 8) % 8
    keys = np.where(lengths < 8, (keys & _BODY[short]) | _MARKS[short], keys)
    long = np.flatnonzero(lengths > 8)
    if len(long):
        keys[long] = _long_keys(words, tokens.starts[long], lengths[long])
    return keys


def _long_keys(words: Keys, starts: IntArray, lengths: IntArray) -> Keys:
    """Hash tokens of more than 8 bytes and prove that no two different ones share a hash."""
    hashes = _hashes(words, starts, lengths)
    order = np.argsort(hashes)
    # Each token equals the first one of its group exactly if all its words do.
    opens = np.flatnonzero(np.diff(hashes[order], prepend=hashes[order[:1]] ^ np.uint64(1)))
    first = np.repeat(order[opens], np.diff(opens, append=len(order)))
    if _equal(words, starts, lengths, order, first):
        return _MARKS[0] | (hashes & _BODY[7])
    # Two tokens collide: number the distinct ones instead.
    data = memoryview(words.base)  # type: ignore[arg-type]
    texts = [bytes(data[s : s + n]) for s, n in zip(starts, lengths, strict=True)]
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
    return hashes & _BODY[7]


def _equal(words: Keys, starts: IntArray, lengths: IntArray, left: IntArray, right: IntArray) -> bool:
    differs = left != right
    left, right = left[differs], right[differs]
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
