"""What people pass in, as Arrow columns: every element is checked, none is turned into text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa

from .checks import fail, shown
from .ragged import IntArray, offsets_of

# A chunk and what is computed from it should stay in a core's cache.
CHUNK_BYTES = 1 << 18
TEXT = "a str"
TEXTS = "a list or column of str"
REFERENCE = "a str or a non-empty list of str"
REFERENCES = "a column with a str or a list of str for every segment"


@dataclass(frozen=True)
class Corpus:
    """Hypotheses and their references, segment by segment.

    Attributes
    ----------
    hypotheses : large_string array, one text per segment
    references : large_string array, all references of all segments
    reference_offsets : int64, shape (n_segments + 1,)
        The references of segment i are ``references[offsets[i]:offsets[i + 1]]``.
    """

    hypotheses: pa.LargeStringArray
    references: pa.LargeStringArray
    reference_offsets: IntArray

    def __len__(self) -> int:
        return len(self.hypotheses)

    def chunks(self, n_bytes: int = CHUNK_BYTES) -> Iterator[Corpus]:
        """Yield consecutive pieces of about `n_bytes` of text each, without copying any."""
        ends = _text_ends(self.hypotheses)[1:] + _text_ends(self.references)[self.reference_offsets[1:]]
        cuts = np.searchsorted(ends, np.arange(n_bytes, int(ends[-1]) if len(ends) else 0, n_bytes)) + 1
        for start, stop in pairwise([0, *np.unique(cuts[cuts < len(self)]).tolist(), len(self)]):
            first, last = int(self.reference_offsets[start]), int(self.reference_offsets[stop])
            if stop > start:
                yield Corpus(
                    self.hypotheses.slice(start, stop - start),
                    self.references.slice(first, last - first),
                    self.reference_offsets[start : stop + 1] - first,
                )


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
    predictions : sequence of str
        A list, tuple, NumPy or Arrow array, pandas Series or datasets column.
    references : sequence of str, or sequence of sequences of str
        One text or a non-empty list of texts for every prediction.

    Raises
    ------
    TypeError
        If an element is not text, naming its position.
    ValueError
        If the lengths differ or a segment has no reference.
    """
    hypotheses = text_column(predictions, "predictions")
    texts, offsets = reference_column(references, "references")
    if len(hypotheses) != len(offsets) - 1:
        allowed = f"as many segments as predictions ({len(hypotheses)})"
        fail(ValueError, "references", allowed, str(len(offsets) - 1))
    return Corpus(hypotheses, texts, offsets)


def text_column(values: Any, argument: str) -> pa.LargeStringArray:
    """Return a column of texts, none of them null."""
    array = _to_arrow(values, argument, TEXTS)
    if array is not None and len(array) == 0:
        return pa.array([], pa.large_string())
    if array is None or array.null_count or not _is_text(array.type):
        _blame(values if array is None else array, argument, nested=False)
    return array.cast(pa.large_string())


def reference_column(values: Any, argument: str) -> tuple[pa.LargeStringArray, IntArray]:
    """Return all references in one column and the offsets of the segments."""
    array = _to_arrow(values, argument, REFERENCES)
    if array is not None and len(array) == 0:
        return pa.array([], pa.large_string()), np.zeros(1, np.int64)
    if array is None or array.null_count or not (_is_text(array.type) or _is_texts(array.type)):
        _blame(values if array is None else array, argument, nested=True)
    if _is_text(array.type):
        return array.cast(pa.large_string()), np.arange(len(array) + 1, dtype=np.int64)
    lists = array.cast(pa.large_list(pa.large_string()))
    lengths = np.asarray(lists.value_lengths(), np.int64)
    texts = lists.flatten()
    if texts.null_count or not lengths.all():
        _blame(array, argument, nested=True)
    return texts, offsets_of(lengths)


def _to_arrow(values: Any, argument: str, allowed: str) -> pa.Array | None:
    """Bring a column to Arrow in one call; None where Arrow cannot hold it."""
    if isinstance(values, (str, bytes, dict)) or not isinstance(values, Iterable):
        fail(TypeError, argument, allowed, shown(values))
    if isinstance(values, pa.Array):
        return values
    if not isinstance(values, pa.ChunkedArray):
        if not hasattr(values, "__len__"):
            fail(TypeError, argument, allowed + " with a length", shown(values))
        try:
            values = pa.array(values)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            return None
    if isinstance(values, pa.ChunkedArray):
        # Plain string offsets have 32 bits: several chunks together may not fit them.
        kind = pa.large_string() if _is_text(values.type) else values.type
        return pa.concat_arrays([chunk.cast(kind) for chunk in values.chunks] or [pa.array([], kind)])
    return values


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_texts(kind: pa.DataType) -> bool:
    types = pa.types
    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return bool(is_list and _is_text(kind.value_type))


def _blame(values: Any, argument: str, *, nested: bool) -> NoReturn:
    """Find the first element that is not text and name its position."""
    first_kind: type | None = None
    for position, value in enumerate(values):
        value = value.as_py() if isinstance(value, pa.Scalar) else value
        where = f"{argument}[{position}]"
        if not nested or not isinstance(value, (list, tuple, np.ndarray)):
            _check_text(value, where, REFERENCE if nested else TEXT)
        elif len(value) == 0:
            fail(ValueError, where, "at least one reference", "an empty list")
        else:
            for index, text in enumerate(value):
                _check_text(text, f"{where}[{index}]", TEXT)
        kind = str if isinstance(value, str) else list
        first_kind = first_kind or kind
        if kind is not first_kind:
            fail(TypeError, where, f"{first_kind.__name__} as in the segments before", shown(value))
    fail(TypeError, argument, REFERENCES if nested else TEXTS, shown(values))


def _check_text(value: Any, where: str, allowed: str) -> None:
    if not isinstance(value, str):
        fail(TypeError, where, allowed, shown(value))
    try:
        value.encode()
    except UnicodeEncodeError as error:
        got = f"a lone surrogate at character {error.start}: {shown(value[error.start])}"
        fail(ValueError, where, "text that UTF-8 can hold", got)
