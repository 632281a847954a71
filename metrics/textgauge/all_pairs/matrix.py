"""Scores of texts against texts, block by block: by counts of texts that are cut once, or pair by pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from .. import threads
from ..arrays import FloatArray, IntArray
from ..checks import fail
from ..input.columns import Corpus
from ..metric.inputs import refuse_unused
from ..metric.layout import Rows
from ..metric.metric import Metric
from ..plain import Texts
from .counts import PairCounts, Roles

# The texts of a side that are counted together: an index of their n-grams takes 50 times as much.
CHUNK_BYTES = 1 << 21
# Pairs of a block of several rows, whose intermediate results the second cache holds, and the most of one row;
# and where pairs are counted one by one.
N_PAIRS, N_PAIRS_OF_ROW, N_SINGLE_PAIRS = 1 << 14, 1 << 16, 1 << 16
# The bytes of a block's predictions, multiplied by those of its references: an LCS takes 0.1 s for these.
_MOST_WORK = 1 << 37
_Made = TypeVar("_Made")


class Block:
    """The scores of a range of predictions against a range of references.

    Attributes
    ----------
    rows, columns : slice
        Their places in the matrix.
    scores : float64, shape (n_rows, n_columns)
    swapped : float64, shape (n_columns, n_rows), or None
        The scores of the other half, where the texts are compared with themselves and `half` is set.
    """

    __slots__ = ("columns", "rows", "scores", "swapped")

    def __init__(self, rows: slice, columns: slice, scores: FloatArray, swapped: FloatArray | None = None) -> None:
        """Store them."""
        self.rows, self.columns, self.scores, self.swapped = rows, columns, scores, swapped


class Matrix:
    """The scores of all texts of one column against those of another, or of one column against itself.

    Attributes
    ----------
    shape : tuple of int
    is_own : bool
        Whether a column is compared with itself.
    is_counted_at_once : bool
        Whether its texts were cut together; known when they are.
    """

    def __init__(
        self, metric: Metric, key: str, rows: Texts, columns: Texts | None, notes: Any = None,
        n_threads: int | None = None, *, sources: Texts | None = None,
    ) -> None:  # fmt: skip
        """Take checked texts, what those of the rows translate, and a metric for the scores of single segments.

        `notes` of the caller collect what there is to warn of; without them, `blocks` warns.
        """
        self.metric, self._key = metric, key
        self._rows, self._columns, self.is_own = rows, rows if columns is None else columns, columns is None
        self._sources = sources
        self.shape = len(self._rows), len(self._columns)
        self._notes, self._warns = notes or metric.notes(), notes is None
        self._n_threads = n_threads
        self.is_counted_at_once = False

    @property
    def higher_is_better(self) -> bool:
        """The direction of the score."""
        return self.metric.scores.of(self._key).higher_is_better

    def blocks(self, *, half: bool = False) -> Iterator[Block]:
        """Yield the scores of all pairs, block by block, then warn.

        With `half`, of a column against itself: only blocks of the upper half, with the scores of the other
        half, where one count serves both.
        """
        return self.made_of_blocks(lambda block: block, half=half)

    def made_of_blocks(
        self, made: Callable[[Block], _Made], *, half: bool = False, in_threads: Any = threads.in_threads
    ) -> Iterator[_Made]:
        """Yield what a function makes of each of the `blocks`, on the thread that scores it, in their order.

        `in_threads` is a function of `threads`.
        """
        inputs = self.metric.inputs
        if not inputs.used(["references"]):
            who = inputs.reader(self.metric.name)
            fail(ValueError, "metric", "a metric that compares texts with others", f"{who}, which does not")
        learned_from = self._by_reference()
        refuse_unused([self.metric], learned_from.given)
        self.metric = self.metric.fitted(learned_from)
        half = half and self.is_own
        for first_row, rows in _chunks(self._rows):
            for first_column, columns in _chunks(self._columns):
                if half and first_column < first_row:
                    continue
                part = self._part((first_row, rows), (first_column, columns), half=half)
                if part is None:
                    yield from map(made, self._pairs_by_block())
                    return self._warn()
                yield from in_threads(*part.work(made, self._n_threads))
        self._warn()

    def _part(self, rows: tuple[int, Texts], columns: tuple[int, Texts], *, half: bool) -> _Part | None:
        """Cut predictions and references together, if the metric can count so."""
        is_own = self.is_own and rows[0] == columns[0]
        # References that are other texts come behind the predictions.
        texts = rows[1] if is_own else rows[1] + columns[1]
        roles = Roles(len(rows[1]), 0 if is_own else len(rows[1]), sources=self._sources_of(rows, columns))
        counts = self.metric.all_pairs(texts, roles, self._notes)
        self.is_counted_at_once = counts is not None
        return None if counts is None else _Part(self, counts, roles, rows, columns, half=half)

    def _sources_of(self, rows: tuple[int, Texts], columns: tuple[int, Texts]) -> Texts | None:
        """Return what texts that are cut together translate: where all are predictions, also those of the columns."""
        if self._sources is None:
            return None
        of_sides = [self._sources.slice(first, first + len(texts)) for first, texts in (rows, columns)]
        is_one = not self.is_own or rows[0] == columns[0]
        return of_sides[0] if is_one else of_sides[0] + of_sides[1]

    def averaged(self, weights: FloatArray) -> FloatArray | None:
        """Score every prediction against the sum of all references, weighted: shape (n_rows,), or None."""
        n_rows = self.shape[0]
        texts = self._rows if self.is_own else self._rows + self._columns
        roles = Roles(n_rows, 0 if self.is_own else n_rows, weights)
        counts = self.metric.all_pairs(texts, roles, self._notes)
        self.is_counted_at_once = counts is not None
        if counts is None:
            return None
        self._warn()
        return self.values(counts.block(slice(0, n_rows), slice(0, 1)).rows(self.metric.layout))[:, 0].copy()

    def _warn(self) -> None:
        if self._warns:
            self._notes.warn()

    def _by_reference(self) -> Corpus:
        """Return a corpus in which every reference occurs once: a metric may learn how rare words are from these."""
        n_rows, n = self.shape
        sources = None if self._sources is None else self._sources.take(np.arange(n) % n_rows)
        return Corpus(self._columns, self._columns, np.arange(n + 1), sources=sources)

    def _zipped(self) -> Corpus:
        """Return a corpus in which every text occurs, as far as possible once."""
        n_rows, n_columns = self.shape
        places = np.arange(max(n_rows, n_columns))
        rows, columns, offsets = places % n_rows, places % n_columns, np.arange(len(places) + 1)
        if self.is_own and n_rows > 1:
            # Of an odd number the last one is another reference.
            n = n_rows // 2
            rows, columns, offsets = places[:n], places[n:], np.r_[places[:n], n_rows - n]
        sources = None if self._sources is None else self._sources.take(rows)
        return Corpus(self._rows.take(rows), self._columns.take(columns), offsets, sources=sources)

    def _pairs_by_block(self) -> Iterator[Block]:
        # For what there is to warn of; the pairs themselves have the same texts again and again.
        self.metric.rows(self._zipped(), self._notes)
        for rows, columns in _tiles(self.shape, N_SINGLE_PAIRS, N_SINGLE_PAIRS):
            n_rows, n_columns = rows.stop - rows.start, columns.stop - columns.start
            places = np.repeat(np.arange(rows.start, rows.stop), n_columns)
            left, sources = self._rows.take(places), None if self._sources is None else self._sources.take(places)
            right = self._columns.take(np.tile(np.arange(columns.start, columns.stop), n_rows))
            # Not the first texts: those were looked at.
            corpus = Corpus(left, right, np.arange(n_rows * n_columns + 1), first=1, sources=sources)
            scores = [self._of_pairs(chunk) for chunk in corpus.chunks()]
            yield Block(rows, columns, np.concatenate(scores).reshape(n_rows, n_columns))

    def _of_pairs(self, corpus: Corpus) -> FloatArray:
        return self.values(self.metric.rows(corpus, self.metric.notes()))

    def values(self, rows: Rows) -> FloatArray:
        """Score rows."""
        scores, scale = np.asarray(self.metric.formula(rows)[self._key], np.float64), self.metric.scores.scale
        return scores if scale == 1 else scores * scale


class _Part:
    """Predictions and references that are cut together, and the places of the first of them."""

    def __init__(
        self, matrix: Matrix, counts: PairCounts, roles: Roles, rows: tuple[int, Texts], columns: tuple[int, Texts],
        *, half: bool,
    ) -> None:  # fmt: skip
        self._matrix, self._counts, self._roles, self._half = matrix, counts, roles, half
        (self._first_row, self._rows), (self._first_column, self._columns) = rows, columns

    def work(self, made: Callable[[Block], _Made], n_threads: int | None) -> tuple[Any, Any, int]:
        """Return what is to be done with each tile, the tiles, and the number of threads."""
        shape = len(self._rows), len(self._columns)
        work = self._rows.n_bytes / shape[0] * self._columns.n_bytes / shape[1]
        most = max(1, int(_MOST_WORK / max(work, 1)))
        half = self._half and self._roles.first_reference == 0
        tiles = [*_tiles(shape, min(N_PAIRS, most), min(N_PAIRS_OF_ROW, most), half=half)]
        if n_threads is None:
            n_threads = threads.threads_for(len(tiles), 4 * shape[0] * shape[1])
        return lambda tile: made(self._block(tile)), tiles, n_threads

    def _block(self, tile: tuple[slice, slice]) -> Block:
        rows, columns = tile
        matrix, layout = self._matrix, self._matrix.metric.layout
        counts = self._counts.block(rows, _moved(columns, self._roles.first_reference))
        scores = matrix.values(counts.rows(layout))
        # A block of the same texts on both sides has both halves.
        is_whole = rows == columns and self._roles.first_reference == 0
        swapped = matrix.values(counts.swapped(layout)) if self._half and not is_whole else None
        return Block(_moved(rows, self._first_row), _moved(columns, self._first_column), scores, swapped)


def _tiles(
    shape: tuple[int, int], n_pairs: int, n_pairs_of_row: int, *, half: bool = False
) -> Iterator[tuple[slice, slice]]:
    """Yield ranges of rows and columns of at most so many pairs; with `half`, those of the upper half."""
    n_rows, n_columns = shape
    height = max(1, n_pairs // n_columns)
    for row in range(0, n_rows, height):
        rows = slice(row, min(row + height, n_rows))
        for column in range(row if half else 0, n_columns, n_pairs_of_row):
            yield rows, slice(column, min(column + n_pairs_of_row, n_columns))


def _chunks(texts: Texts) -> Iterator[tuple[int, Texts]]:
    """Yield consecutive texts of at most about `CHUNK_BYTES`, with the place of the first."""
    ends = np.cumsum(np.asarray(texts.lengths(), np.int64))
    start = 0
    while start < len(texts):
        most = CHUNK_BYTES + (int(ends[start - 1]) if start else 0)
        stop = max(start + 1, int(np.searchsorted(ends, most, side="right")))
        yield start, texts.slice(start, stop)
        start = stop


def _moved(part: slice, by: int) -> slice:
    return slice(part.start + by, part.stop + by)


def filled(matrix: Matrix, result: FloatArray) -> FloatArray:
    """Write all scores into an array of the shape of the matrix."""

    def write(block: Block) -> None:
        result[block.rows, block.columns] = block.scores
        if block.swapped is not None:
            result[block.columns, block.rows] = block.swapped

    for _ in matrix.made_of_blocks(write, half=matrix.is_own, in_threads=threads.all_in_threads):
        pass
    return result


def best_of_rows(matrix: Matrix, n_best: int) -> tuple[FloatArray, IntArray]:
    """Return the best scores of every row, the best first, and their columns; of equal ones the first.

    A column against itself: without the score of a text and itself.

    Returns
    -------
    float64 and int64, shape (n_rows, n_best)
    """
    sign = 1.0 if matrix.higher_is_better else -1.0
    best = np.full((matrix.shape[0], n_best), -np.inf)
    places = np.full(best.shape, -1, np.int64)
    for block in matrix.blocks():
        signed = sign * block.scores
        if matrix.is_own:
            at = np.arange(max(block.rows.start, block.columns.start), min(block.rows.stop, block.columns.stop))
            signed[at - block.rows.start, at - block.columns.start] = -np.inf
        columns = np.broadcast_to(np.arange(block.columns.start, block.columns.stop), signed.shape)
        signed = np.concatenate((best[block.rows], signed), axis=1)
        columns = np.concatenate((places[block.rows], columns), axis=1)
        chosen = _first_of_largest(signed, n_best)
        best[block.rows] = np.take_along_axis(signed, chosen, axis=1)
        places[block.rows] = np.take_along_axis(columns, chosen, axis=1)
    return sign * best, places


def mean_of_rows(matrix: Matrix, weights: FloatArray | None) -> FloatArray:
    """Return the mean score of every row, weighted: float64, shape (n_rows,)."""
    sums = np.zeros(matrix.shape[0])

    def summed(block: Block) -> tuple[slice, FloatArray]:
        scores = block.scores if weights is None else block.scores * weights[block.columns]
        return block.rows, scores.sum(axis=1)

    for rows, part in matrix.made_of_blocks(summed, in_threads=threads.all_in_threads):
        sums[rows] += part
    return sums / matrix.shape[1] if weights is None else sums


def _first_of_largest(values: FloatArray, n_best: int) -> IntArray:
    """Return the places of the largest values of every row, descending, of equal ones the first.

    Examples
    --------
    >>> _first_of_largest(np.array([[1.0, 3.0, 1.0, 2.0]]), 3)
    array([[1, 3, 0]])
    """
    smallest = np.partition(values, -n_best, axis=1)[:, -n_best, None]
    n_equal = n_best - (values > smallest).sum(axis=1, keepdims=True)
    is_equal = values == smallest
    is_chosen = (values > smallest) | (is_equal & (np.cumsum(is_equal, axis=1) <= n_equal))
    places: IntArray = np.nonzero(is_chosen)[1].reshape(-1, n_best)
    order = np.argsort(-np.take_along_axis(values, places, axis=1), axis=1, kind="stable")
    return np.take_along_axis(places, order, axis=1)
