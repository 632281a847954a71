"""Token keys to the keys of their stems, each distinct word stemmed once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ragged import IntArray, offsets_of
from .bytes import BODY, Bytes, Keys, Spans, keys_of, marked_length
from .porter import IRREGULAR, stem
from .stems import FRONT, Words, stem_in_place

# Longer words are too rare to widen the matrix of all others for them.
WIDEST = 32
SLOT_BITS = 16
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class _Memo:
    """The stems of recent words, one per slot; what shares a slot drives the other out.

    A word of at most 8 bytes is its key, so a hit is exact. Never changed, only replaced as a
    whole: other threads may be reading it, and Ctrl-C may come in between.
    """

    words: Keys
    stems: Keys

    def with_stems(self, words: Keys, stems: Keys) -> _Memo:
        """Return one that knows these words too."""
        memo = _Memo(self.words.copy(), self.stems.copy())
        slots = _slots(words)
        memo.words[slots] = words
        memo.stems[slots] = stems
        return memo


_memo = _Memo(np.zeros(1 << SLOT_BITS, np.uint64), np.zeros(1 << SLOT_BITS, np.uint64))


def stem_keys(tokens: Spans, keys: Keys) -> Keys:
    """Return the keys of the stems; tokens of at most three letters stay as they are."""
    lengths = tokens.ends - tokens.starts
    stems = keys.copy()
    short = np.flatnonzero((lengths > 3) & (lengths <= 8))
    stems[short] = _short_stems(keys[short])
    long = np.flatnonzero(lengths > 8)
    if len(long):
        _, first, word_of = np.unique(keys[long], return_index=True, return_inverse=True)
        distinct = long[first]
        stems[long] = _long_stems(tokens.data, tokens.starts[distinct], lengths[distinct])[word_of]
    return stems


def _slots(words: Keys) -> Keys:
    return (words * _MULTIPLIER) >> np.uint64(64 - SLOT_BITS)


def _short_stems(keys: Keys) -> Keys:
    global _memo
    memo, slots = _memo, _slots(keys)
    stems = memo.stems[slots]
    missing = np.flatnonzero(memo.words[slots] != keys)
    if len(missing):
        words, word_of = np.unique(keys[missing], return_inverse=True)
        new = _stems_of_keys(words)
        stems[missing] = new[word_of]
        _memo = memo.with_stems(words, new)
    return stems


def _stems_of_keys(keys: Keys) -> Keys:
    """Stem words that are their own keys."""
    lengths = marked_length(keys)
    letters = np.zeros((len(keys), FRONT + 8), np.uint8)
    letters[:, FRONT:] = (keys & BODY[lengths]).astype("<u8").view(np.uint8).reshape(-1, 8)
    words = Words(letters, lengths)
    stem_in_place(words)
    stems = keys_of(words.spans)
    for word, irregular in _IRREGULAR_KEYS:
        stems[keys == word] = irregular
    return stems


def _long_stems(data: Bytes, starts: IntArray, lengths: IntArray) -> Keys:
    """Stem words of more than 8 bytes; their keys are consistent within one call."""
    is_wide = lengths > WIDEST
    narrow = np.flatnonzero(~is_wide)
    columns = np.arange(int(lengths[narrow].max(initial=0)))
    letters = np.zeros((len(narrow), FRONT + len(columns)), np.uint8)
    # Letters behind a word's end may be anything, if only they are in the buffer.
    index = np.minimum(starts[narrow][:, None] + columns, len(data) - 1)
    letters[:, FRONT:] = data[index]
    words = Words(letters, lengths[narrow])
    stem_in_place(words)
    wide = [
        stem(data[s : s + n].tobytes().decode()).encode()
        for s, n in zip(starts[is_wide], lengths[is_wide], strict=True)
    ]
    bounds = offsets_of([len(text) for text in wide]) + letters.size
    joined = np.frombuffer(letters.tobytes() + b"".join(wide) + bytes(8), np.uint8)
    stem_starts, stem_ends = np.zeros(len(starts), np.int64), np.zeros(len(starts), np.int64)
    stem_starts[narrow], stem_ends[narrow] = words.spans.starts, words.spans.ends
    stem_starts[is_wide], stem_ends[is_wide] = bounds[:-1], bounds[1:]
    return keys_of(Spans(joined, stem_starts, stem_ends, np.array([0, len(starts)])))


def _keys_of_words(words: list[str]) -> Keys:
    ends = offsets_of([len(word) for word in words])
    data = np.frombuffer("".join(words).encode() + bytes(8), np.uint8)
    return keys_of(Spans(data, ends[:-1], ends[1:], ends[[0, -1]]))


_IRREGULAR_KEYS = list(zip(_keys_of_words(list(IRREGULAR)), _keys_of_words(list(IRREGULAR.values())), strict=True))
