"""Texts cut to a number of words or bytes, by the rules of the ROUGE-1.5.5 script."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ..ragged import IntArray, Ragged, offsets_of
from .bytes import Flags, text_bytes

_SPACE = np.zeros(256, bool)
_SPACE[list(b"\t\n\x0b\x0c\r ")] = True
_NEWLINE = ord("\n")


def first_words(column: pa.LargeStringArray, n_words: int) -> pa.LargeStringArray:
    r"""Keep the first words of every text, words being what ASCII white space separates.

    White space at the start of a line counts as one word, as in the script, which splits it
    off as an empty one.

    Examples
    --------
    >>> first_words(pa.array(["a b\nc d", "  a b"], pa.large_string()), 3).to_pylist()
    ['a b\nc ', '  a b']
    """
    data, lengths = text_bytes(column)
    offsets = offsets_of(lengths)
    is_space = _SPACE[data]
    starts = np.flatnonzero(~is_space & _follows(is_space, offsets))
    line_starts = _line_starts(data == _NEWLINE, offsets)
    line_of = line_starts[np.searchsorted(line_starts, starts, "right") - 1]
    opens_line = np.append(True, line_of[1:] != line_of[:-1])[: len(starts)]
    costs = 1 + (opens_line & (starts > line_of))
    used = offsets_of(costs)
    first = np.searchsorted(starts, offsets)
    kept = np.searchsorted(used, used[first[:-1]] + n_words, "right") - 1
    ends = np.append(starts, len(data))[np.minimum(kept, first[1:])]
    return _cut(column, np.where(kept < first[1:], ends, offsets[1:]))


def first_bytes(column: pa.LargeStringArray, n_bytes: int) -> pa.LargeStringArray:
    r"""Keep the first bytes of every text; newlines count for nothing, a character is not cut in two.

    Examples
    --------
    >>> first_bytes(pa.array(["ab\ncdef"], pa.large_string()), 4).to_pylist()
    ['ab\ncd']
    """
    data, lengths = text_bytes(column)
    offsets = offsets_of(lengths)
    counted = data != _NEWLINE
    used = offsets_of(counted)[offsets]
    positions = np.append(np.flatnonzero(counted), len(data))
    last = np.minimum(used[:-1] + n_bytes, len(positions) - 1)
    return _cut(column, np.where(used[1:] - used[:-1] > n_bytes, positions[last - 1] + 1, offsets[1:]))


def first_bytes_of_long_line(column: pa.LargeStringArray, n_bytes: int) -> pa.LargeStringArray:
    r"""Cut texts in their first line of at least so many bytes; shorter lines all pass.

    This is how the script limits what ROUGE-L and ROUGE-W read: it never adds up lines.

    Examples
    --------
    >>> first_bytes_of_long_line(pa.array(["ab\ncde\nf\nghijk\nl"], pa.large_string()), 4).to_pylist()
    ['ab\ncde\nf\nghij']
    """
    data, lengths = text_bytes(column)
    offsets = offsets_of(lengths)
    is_newline = data == _NEWLINE
    starts = _line_starts(is_newline, offsets)
    stops = np.append(np.flatnonzero(is_newline), offsets[1:])
    stops.sort()
    long = np.flatnonzero(stops - starts >= n_bytes)
    texts, first = np.unique(np.searchsorted(offsets, starts[long], "right") - 1, return_index=True)
    ends = offsets[1:].copy()
    ends[texts] = starts[long[first]] + n_bytes
    return _cut(column, ends)


def _follows(is_space: Flags, offsets: IntArray) -> Flags:
    """Say which bytes stand behind white space or open a text."""
    follows = np.ones(len(is_space), bool)
    follows[1:] = is_space[:-1]
    follows[offsets[:-1][offsets[:-1] < len(is_space)]] = True
    return follows


def _line_starts(is_newline: Flags, offsets: IntArray) -> IntArray:
    """Return where lines start, one for every newline and every text."""
    starts = np.append(np.flatnonzero(is_newline) + 1, offsets[:-1])
    starts.sort()
    return starts


def _cut(column: pa.LargeStringArray, ends: IntArray) -> pa.LargeStringArray:
    """End every text at a byte, or at the start of the character that this byte belongs to."""
    data, lengths = text_bytes(column)
    starts = offsets_of(lengths)
    is_cut = ends < starts[1:]
    if not is_cut.any():
        return column
    for _ in range(3):
        inside = is_cut & (ends > starts[:-1])
        inside[inside] = (data[ends[inside]] & 0xC0) == 0x80
        ends = ends - inside
    # Row 2 i is what stays of text i, row 2 i + 1 what goes.
    bounds = np.append(np.column_stack((starts[:-1], ends)).reshape(-1), starts[-1])
    kept = Ragged(data, bounds).take(np.arange(0, 2 * len(column), 2))
    buffers = [None, pa.py_buffer(kept.offsets), pa.py_buffer(np.ascontiguousarray(kept.values))]
    return pa.LargeStringArray.from_buffers(len(column), buffers[1], buffers[2])
