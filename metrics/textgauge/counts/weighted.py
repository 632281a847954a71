"""Weighted longest common subsequences of many text pairs at once, diagonal by diagonal.

In the table of a pair, rows are reference tokens and columns hypothesis tokens; all cells
with the same row + column number depend only on the two diagonals before. Texts shorter
than the longest of their batch are padded in front, where a table holds zeros anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt

import numpy as np
import numpy.typing as npt

from ..ragged import IntArray, Ragged, offsets_of
from .bits import Flags
from .groups import Groups, Sides

Floats = npt.NDArray[np.float64]

# Cells of one diagonal that are held at once, and of all diagonals whose directions are kept.
DIAGONAL = 1 << 14
KEPT = 1 << 22
_NO_REFERENCE, _NO_HYPOTHESIS = -1, -2


@dataclass(frozen=True)
class Tokens:
    """What of the texts a weighted LCS can see: matched tokens, and that there are others between.

    Attributes
    ----------
    kinds : Ragged of int32, n_texts rows
        The group of every matched token, -1 for a run of unmatched ones.
    positions : int64, shape (n_kept_tokens,)
        Where each stands, in the numbering of `Sides`.
    """

    kinds: Ragged
    positions: IntArray

    @classmethod
    def of(cls, groups: Groups, sides: Sides) -> Tokens:
        """Drop all but the first token of every unmatched run: they repeat its row or column."""
        kind_at = np.full(len(sides.values), -1, np.int32)
        kind_at[groups.positions] = groups.group_of
        keep = np.ones(len(kind_at), bool)
        keep[1:] = (kind_at[1:] >= 0) | (kind_at[:-1] >= 0) | (sides.text_of[1:] != sides.text_of[:-1])
        positions = np.flatnonzero(keep)
        offsets = offsets_of(np.bincount(sides.text_of[positions]))
        return cls(Ragged(kind_at[positions], offsets), positions)

    def padded(self, texts: IntArray, missing: int) -> tuple[npt.NDArray[np.int32], IntArray]:
        """Return kinds and positions of texts as columns, padded in front: shape (longest, n_texts) each."""
        lengths = self.kinds.lengths[texts]
        index = np.arange(int(lengths.max(initial=0)))[:, None] - lengths.max(initial=0) + self.kinds.offsets[texts + 1]
        inside = index >= self.kinds.offsets[texts]
        index = np.where(inside, index, 0)
        kinds = self.kinds.values[index]
        kinds[~inside | (kinds < 0)] = missing
        return kinds, self.positions[index]


@dataclass
class _Table:
    """The last two diagonals of the tables of a batch.

    Attributes
    ----------
    references, hypotheses : int32, shape (n_rows, n_lanes), (n_columns, n_lanes)
        The latter from the last column to the first.
    steps : float64, shape (longest + 2,)
        The weight f(k) of k tokens in a run.
    scores, runs : three arrays of shape (n_rows + 1, n_lanes)
        Of diagonals d, d - 1 and d - 2 in turn, by row: the best weight, and the length of
        the run of matches that ends in the cell.
    """

    references: npt.NDArray[np.int32]
    hypotheses: npt.NDArray[np.int32]
    steps: Floats
    scores: list[Floats]
    runs: list[npt.NDArray[np.int32]]
    diagonal: int = 1

    @classmethod
    def of(cls, references: npt.NDArray[np.int32], hypotheses: npt.NDArray[np.int32], weight: float) -> _Table:
        shape = (len(references) + 1, references.shape[1])
        longest = max(len(references), len(hypotheses))
        return cls(
            references,
            np.ascontiguousarray(hypotheses[::-1]),
            np.arange(longest + 2, dtype=np.float64) ** weight,
            [np.zeros(shape) for _ in range(3)],
            [np.zeros(shape, np.int32) for _ in range(3)],
        )

    @property
    def n_diagonals(self) -> int:
        return len(self.references) + len(self.hypotheses)

    def copy(self) -> _Table:
        scores, runs = [array.copy() for array in self.scores], [array.copy() for array in self.runs]
        return _Table(self.references, self.hypotheses, self.steps, scores, runs, self.diagonal)

    def advance(self) -> tuple[int, Flags, Floats]:
        """Fill the next diagonal; return its first row, its matches, and the diagonal before."""
        self.diagonal += 1
        d, n_columns = self.diagonal, len(self.hypotheses)
        low, high = max(1, d - n_columns), min(len(self.references), d - 1)
        new, before, corner = (self.scores[(d - back) % 3] for back in range(3))
        new_runs, corner_runs = self.runs[d % 3], self.runs[(d - 2) % 3]
        np.maximum(before[low - 1 : high], before[low : high + 1], out=new[low : high + 1])
        new_runs[low : high + 1] = 0
        is_match = self.references[low - 1 : high] == self.hypotheses[n_columns - d + low : n_columns - d + high + 1]
        at = np.flatnonzero(is_match)
        run = corner_runs[low - 1 : high].reshape(-1)[at]
        # In this order of additions, as in the ROUGE-1.5.5 script: ties fall the same way.
        score = corner[low - 1 : high].reshape(-1)[at] + self.steps[run + 1] - self.steps[run]
        new[low : high + 1].reshape(-1)[at] = score
        new_runs[low : high + 1].reshape(-1)[at] = run + 1
        return low, is_match, before


def _batches(rows: IntArray, columns: IntArray) -> Iterator[IntArray]:
    """Yield lanes of similar size that fit into a batch together."""
    sizes = np.maximum(rows, columns)
    order = np.argsort(sizes, kind="stable")
    sizes = sizes[order]
    start = 0
    while start < len(order):
        stop = int(np.searchsorted(sizes, 2 * sizes[start] + 4, "right"))
        stop = min(stop, start + max(1, DIAGONAL // int(sizes[stop - 1] + 1)))
        yield order[start:stop]
        start = stop


def weighted_lcs(groups: Groups, sides: Sides, weight: float) -> Floats:
    """Return, per segment, the weighted longest common subsequence of its two texts.

    A run of k consecutive matches has the weight k^weight, so unbroken matches count more.
    Time grows with the product of both lengths, memory with the longer one.

    Parameters
    ----------
    groups : Groups
        The unigrams of `sides`.
    sides : Sides
        With one reference per segment.
    weight : float

    Returns
    -------
    float64, shape (n_segments,)

    References
    ----------
    Lin (2004), ROUGE, section 4.

    Examples
    --------
    >>> from textgauge.counts.groups import unigram_groups
    >>> reference = Ragged.from_rows([[0, 1, 2, 3, 4, 5, 6]] * 2)           # A B C D E F G
    >>> hypothesis = Ragged.from_rows([[0, 1, 2, 3, 7, 8, 9], [0, 7, 1, 9, 2, 8, 3]])
    >>> sides = Sides.of(hypothesis, reference, np.arange(3))
    >>> weighted_lcs(unigram_groups(sides), sides, 2)
    array([16.,  4.])
    """
    tokens = Tokens.of(groups, sides)
    scores = np.zeros(sides.n_segments)
    segments = np.unique(groups.segments(sides)) if len(groups) else np.zeros(0, np.int64)
    lengths = tokens.kinds.lengths
    for batch in _batches(lengths[segments + sides.n_segments], lengths[segments]):
        lanes = segments[batch]
        references, _ = tokens.padded(lanes + sides.n_segments, _NO_REFERENCE)
        table = _Table.of(references, tokens.padded(lanes, _NO_HYPOTHESIS)[0], weight)
        while table.diagonal < table.n_diagonals:
            table.advance()
        scores[lanes] = table.scores[table.diagonal % 3][-1]
    return scores


def weighted_marks(groups: Groups, sides: Sides, pairs: tuple[IntArray, IntArray], weight: float) -> IntArray:
    """Return the reference tokens on the weighted LCS of any of these pairs of texts.

    From the end of both texts: a match is taken; else the reference token is dropped if that
    loses nothing, else the hypothesis token.

    Parameters
    ----------
    pairs : int64, shape (n_lanes,) each
        Hypothesis and reference texts in the numbering of `sides`.

    Returns
    -------
    int64, shape (n_marked,)
        In the numbering of `sides`.
    """
    tokens = Tokens.of(groups, sides)
    marked = np.zeros(len(sides.values), bool)
    lengths = tokens.kinds.lengths
    hypothesis, reference = pairs
    for batch in _batches(lengths[reference], lengths[hypothesis]):
        references, positions = tokens.padded(reference[batch], _NO_REFERENCE)
        hypotheses, _ = tokens.padded(hypothesis[batch], _NO_HYPOTHESIS)
        for row, lane in _traced(_Table.of(references, hypotheses, weight)):
            marked[positions[row - 1, lane]] = True
    return np.flatnonzero(marked)


def _traced(table: _Table) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the rows and lanes of matches on the way back through all tables.

    Directions are kept for some diagonals at once; those before are filled a second time
    from tables kept at the start of each stretch.
    """
    n_rows, n_lanes = table.references.shape
    # A kept table takes 18 times the memory of one diagonal of directions.
    stretch = max(4 * isqrt(table.n_diagonals), KEPT // (n_rows * n_lanes))
    starts = [table.copy()]
    while table.diagonal + stretch < table.n_diagonals:
        for _ in range(stretch):
            table.advance()
        starts.append(table.copy())
    row, column = np.full(n_lanes, n_rows), np.full(n_lanes, table.n_diagonals - n_rows)
    for start in reversed(starts):
        yield from _traced_stretch(start, min(start.diagonal + stretch, table.n_diagonals), row, column)


def _traced_stretch(table: _Table, last: int, row: IntArray, column: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Walk back from diagonal `last` to that of the table; changes `row` and `column`."""
    first = table.diagonal
    kept = []
    for _ in range(first, last):
        low, is_match, before = table.advance()
        height = len(is_match)
        kept.append((low, is_match, before[low - 1 : low - 1 + height] >= before[low : low + height]))
    for d in range(last, first, -1):
        low, is_match, goes_up = kept.pop()
        lanes = np.flatnonzero((row + column == d) & (row > 0) & (column > 0))
        rows = row[lanes]
        hit, up = is_match[rows - low, lanes], goes_up[rows - low, lanes]
        yield rows[hit], lanes[hit]
        row[lanes] -= hit | up
        column[lanes] -= hit | ~up
