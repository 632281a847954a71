"""What people pass in, as Arrow columns: every element is checked, none is turned into text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from .arrow import WIDE_TEXT, WIDE_TEXTS, wide_array
from .checks import fail, shown
from .elements import REFERENCES, TEXTS, blame, is_group
from .ragged import IntArray, offsets_of

# A chunk and what is computed from it should stay in a core's cache.
CHUNK_BYTES = 1 << 21


@dataclass(frozen=True)
class Corpus:
    """Hypotheses and their references, segment by segment.

    Attributes
    ----------
    hypotheses : large_string array, one text per segment
    references : large_string array, all references of all segments
    reference_offsets : int64, shape (n_segments + 1,)
        The references of segment i are ``references[offsets[i]:offsets[i + 1]]``.
    first : int
        Where the first segment stood in what was passed in.
    """

    hypotheses: pa.LargeStringArray
    references: pa.LargeStringArray
    reference_offsets: IntArray
    first: int = 0

    def __len__(self) -> int:
        return len(self.hypotheses)

    def chunks(self, n_bytes: int = CHUNK_BYTES) -> Iterator[Corpus]:
        """Yield consecutive pieces of about the same size, at most about `n_bytes` of text each, without copying any.

        From half of that on there are two at least, so that two threads can share them.
        """
        ends = _text_ends(self.hypotheses)[1:] + _text_ends(self.references)[self.reference_offsets[1:]]
        size = int(ends[-1]) if len(ends) else 0
        n_chunks = 1 if size < n_bytes // 2 else 2 * -(-size // (2 * n_bytes))
        if n_chunks > 1:
            _keep_freed_memory()
        cuts = np.searchsorted(ends, size * np.arange(1, n_chunks) // n_chunks) + 1
        for start, stop in pairwise([0, *np.unique(cuts[cuts < len(self)]).tolist(), len(self)]):
            first, last = int(self.reference_offsets[start]), int(self.reference_offsets[stop])
            if stop > start:
                yield Corpus(
                    self.hypotheses.slice(start, stop - start),
                    self.references.slice(first, last - first),
                    self.reference_offsets[start : stop + 1] - first,
                    self.first + start,
                )

    def place(self, side: int, row: int) -> str:
        """Name a hypothesis (side 0) or a reference (side 1) as it was passed in.

        Examples
        --------
        >>> corpus = corpus_of(["a", "b"], [["x"], ["y", "z"]])
        >>> corpus.place(0, 1), corpus.place(1, 0), corpus.place(1, 2)
        ('predictions[1]', 'references[0]', 'references[1][1]')
        """
        if side == 0:
            return f"predictions[{self.first + row}]"
        segment = int(np.searchsorted(self.reference_offsets, row, side="right")) - 1
        start, stop = self.reference_offsets[segment : segment + 2].tolist()
        return f"references[{self.first + segment}]" + (f"[{row - start}]" if stop - start > 1 else "")


def _keep_freed_memory() -> None:
    """Let the C library keep what a chunk frees for the next one.

    glibc hands freed memory back to the system, and gets it again page by page, unless the
    largest block ever freed was larger: a fifth of the time of a BLEU. The block is not
    written to, so it takes no memory.
    """
    np.empty(31 << 20, np.uint8)


def _text_ends(column: pa.LargeStringArray) -> IntArray:
    """Return the number of bytes up to every text and up to the end: int64, one longer than the column."""
    if len(column) == 0:
        return np.zeros(1, np.int64)
    offsets = np.frombuffer(column.buffers()[1], np.int64)[column.offset : column.offset + len(column) + 1]
    return offsets - offsets[0]


def corpus_of(predictions: Any, references: Any) -> Corpus:
    """Check both sides and bring them to Arrow, one call per column.

    Parameters
    ----------
    predictions : iterable of str
        A list, tuple, generator, NumPy or Arrow array, pandas Series or datasets column.
    references : iterable of str, or of sequences of str
        One text or a non-empty sequence of texts for every prediction.

    Raises
    ------
    TypeError
        If an element is not text, naming its position.
    ValueError
        If the lengths differ, a segment has no reference, or UTF-8 cannot hold a text.

    Examples
    --------
    >>> corpus_of(["a", "b"], [["x", "y"], ["z"]]).reference_offsets
    array([0, 2, 3])
    """
    hypotheses = text_column(predictions, "predictions")
    texts, offsets = reference_column(references, "references")
    if len(hypotheses) != len(offsets) - 1:
        fail(ValueError, "references", *_lengths_differ(len(hypotheses), np.diff(offsets)))
    return Corpus(hypotheses, texts, offsets)


def _lengths_differ(n_predictions: int, n_references: IntArray) -> tuple[str, str]:
    """Word the mismatch, and tell people who pass sacreBLEU's list of streams."""
    allowed = f"as many segments as predictions ({n_predictions})"
    transposed = len(n_references) and n_predictions > 1 and (n_references == n_predictions).all()
    hint = f" lists of {n_predictions}: one list per segment is wanted, not one per reference" if transposed else ""
    return allowed, f"{len(n_references)}{hint}"


def text_column(values: Any, argument: str) -> pa.LargeStringArray:
    """Return a column of texts, none of them null."""
    values = _column(values, argument, TEXTS)
    array = wide_array(values)
    if array is not None and len(array) == 0:
        return pa.array([], WIDE_TEXT)
    if array is None or array.null_count or array.type != WIDE_TEXT:
        blame(values, argument, nested=False)
    return array


def reference_column(values: Any, argument: str) -> tuple[pa.LargeStringArray, IntArray]:
    """Return all references in one column and the offsets of the segments."""
    values = _column(values, argument, REFERENCES)
    apart = _taken_apart(values)
    if apart is not None:
        return apart
    array = wide_array(values)
    if array is None:
        values = [list(value) if is_group(value) else value for value in values]
        array = wide_array(values)
    if array is not None and len(array) == 0:
        return pa.array([], WIDE_TEXT), np.zeros(1, np.int64)
    if array is None or array.null_count or array.type not in (WIDE_TEXT, WIDE_TEXTS):
        blame(values, argument, nested=True)
    if array.type == WIDE_TEXT:
        return array, np.arange(len(array) + 1, dtype=np.int64)
    lengths = np.asarray(array.value_lengths(), np.int64)
    texts = array.flatten()
    if texts.null_count or not lengths.all() or _holds_others(values):
        blame(values, argument, nested=True)
    return texts, offsets_of(lengths)


def _taken_apart(values: Any) -> tuple[pa.LargeStringArray, IntArray] | None:
    """Give plain lists of texts as one list to Arrow, which takes a third of the time; None for all else."""
    if not isinstance(values, (list, tuple)) or not set(map(type, values)) <= {list, tuple}:
        return None
    texts = list(chain.from_iterable(values))
    lengths = np.fromiter(map(len, values), np.int64, len(values))
    if not lengths.all() or not set(map(type, texts)) <= {str}:
        return None
    try:
        return pa.array(texts, WIDE_TEXT), offsets_of(lengths)
    except (pa.ArrowException, ValueError):
        return None


def _holds_others(values: Any) -> bool:
    """Say whether bytes stand among texts: Arrow's inference asks only the first of each list."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return False
    return not all(issubclass(kind, (str, pa.Scalar)) for kind in set(map(type, chain.from_iterable(values))))


def _column(values: Any, argument: str, allowed: str) -> Any:
    """Refuse what is no column, and list what can be walked through only once."""
    # Asked of the type: a Series answers for the labels of its index.
    is_table = hasattr(type(values), "columns") or hasattr(type(values), "column_names")
    is_unordered = isinstance(values, (Mapping, set, frozenset))
    is_text = isinstance(values, (str, bytes, bytearray, memoryview))
    if is_text or is_unordered or is_table or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0:
        fail(TypeError, argument, allowed, shown(values))
    if not hasattr(values, "__len__") or getattr(values, "ndim", 1) != 1:
        return list(values)
    is_from_datasets = type(values).__module__.partition(".")[0] == "datasets"
    return _dataset_column(values) if is_from_datasets else values


def _dataset_column(column: Any) -> Any:
    """Give a column of a `datasets.Dataset` as Arrow, with the selection that lies over it."""
    source = column.source
    # A column inside a column is no table, and a transform of the user's own makes other values.
    if not hasattr(source, "data") or source.format["type"] == "custom":
        return list(column)
    values = source.data.column(column.column_name)
    if source._indices is None:
        return values
    # `Dataset.with_format("arrow")[:]` applies a shuffled selection row by row: minutes.
    array = wide_array(values)
    return list(column) if array is None else array.take(source._indices.column(0))
