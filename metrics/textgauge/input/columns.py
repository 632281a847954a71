"""Input as columns of texts: every element is checked, none is converted to text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import Any, Protocol, TypeVar

import numpy as np

from .. import engine, threads
from ..arrays import IntArray, offsets_of
from ..checks import fail, quantity, shown, warn_user
from ..plain import Texts
from ..plain.contents import NOTHING, Contents
from .elements import REFERENCES, TEXTS, refuse_first_wrong

# Bounds the memory of a chunk's intermediate results, which are larger than its texts.
CHUNK_BYTES = 1 << 24
# So few segments are always one chunk.
FEW = 64
# From so many segments on it is worth asking for the number of threads that only look at texts.
MANY = 1024
_ONE = frozenset({1})
# Into so many parts rows are divided that cannot be read together.
_N_PARTS = 64
_Read = TypeVar("_Read")
_Refused = TypeVar("_Refused", bound=Exception)


class ArrowColumn(Protocol):
    """An array of PyArrow, chunked or not: its elements are no str."""

    @property
    def null_count(self) -> int:
        """The number of nulls."""


# What type checkers accept; the checks below are stricter.
TextColumn = Iterable[str] | ArrowColumn
ReferenceColumn = Iterable[str] | Iterable[Collection[str]] | ArrowColumn


@dataclass(slots=True)
class Corpus:
    """Hypotheses with their references, and their sources where a metric takes any, segment by segment.

    Attributes
    ----------
    hypotheses : Texts
        One per segment.
    references : Texts
        All references of all segments.
    offsets : int64, shape (n_segments + 1,), or None
        The references of segment i are ``references[offsets[i]:offsets[i + 1]]``; None: each has one.
    first : int
        The position of the first segment in the input.
    sources : Texts or None
        What each hypothesis translates.
    """

    hypotheses: Texts
    references: Texts
    offsets: IntArray | None = None
    first: int = 0
    sources: Texts | None = field(default=None, kw_only=True)
    # Made by a factory, since a subclass without slots would not set a default.
    _contents: tuple[Contents, Contents] | None = field(
        default_factory=type(None), init=False, repr=False, compare=False
    )

    def __len__(self) -> int:
        return len(self.hypotheses)

    @property
    def given(self) -> dict[str, Texts]:
        """The columns that the corpus has beside the hypotheses, by name."""
        columns = {"references": self.references, "sources": self.sources}
        return {name: column for name, column in columns.items() if column is not None and len(column)}

    @property
    def reference_offsets(self) -> IntArray:
        """`offsets`, also where each segment has one reference: int64, shape (n_segments + 1,)."""
        if self.offsets is None:
            self.offsets = np.arange(len(self.hypotheses) + 1)
        return self.offsets

    @property
    def contents(self) -> tuple[Contents, Contents]:
        """What hypotheses and references contain; found when it is first asked for, in one pass over each text."""
        if self._contents is None:
            n_segments = len(self.hypotheses)
            # A look is so much cheaper than a count.
            n_threads = 1 if n_segments < MANY else threads.threads_for(n_segments, self.n_bytes // 32)
            sides = engine.kernel.text_contents(self.hypotheses, self.references, n_threads)
            if sides is not None:
                return self.contain(sides)
            # Of most pairs; without a call.
            self._contents = NOTHING
        return self._contents

    def contain(self, sides: Any) -> tuple[Contents, Contents]:
        """Keep what the kernel found as `contents`, and return it."""
        self._contents = NOTHING if sides is None else (Contents(*sides[0]), Contents(*sides[1]))
        return self._contents

    @property
    def are_contents_due(self) -> bool:
        """Whether `contents` were not found so far, and texts are so many that it is better done while they are cut."""
        return self._contents is None and len(self.hypotheses) >= MANY

    @property
    def is_known_ascii(self) -> bool:
        """Whether `contents` were found, and are nothing, not even a character outside ASCII."""
        return self._contents is NOTHING

    @property
    def n_bytes(self) -> int:
        """The number of bytes of hypotheses and references."""
        return self.hypotheses.n_bytes + self.references.n_bytes

    @property
    def n_threads(self) -> int:
        """The number of threads that are worth starting for these texts."""
        # Threads share segments; the size of a single one, which takes time, changes nothing.
        if len(self.hypotheses) == 1:
            return 1
        n_bytes = self.hypotheses.n_bytes + self.references.n_bytes
        return 1 if n_bytes < 2 * threads.BYTES_OF_A_THREAD else threads.threads_for(len(self.hypotheses), n_bytes)

    @property
    def n_references(self) -> frozenset[int]:
        """The smallest and the largest number of references of a segment; empty without segments."""
        n_segments = len(self.hypotheses)
        if n_segments == 0:
            return frozenset()
        # Every segment has a reference.
        if self.offsets is None or len(self.references) == n_segments:
            return _ONE
        counts = np.diff(self.reference_offsets)
        return frozenset((int(counts.min()), int(counts.max())))

    def chunks(self, n_bytes: int = CHUNK_BYTES, row_bytes: int = 0) -> Iterable[Corpus]:
        """Return consecutive pieces of similar size, of at most about `n_bytes` of text or of statistics each.

        Nothing is copied; up to `FEW` segments are one piece. The statistics of a segment take `row_bytes`.
        """
        return (self,) if 0 < len(self.hypotheses) <= FEW else self._chunks(n_bytes, row_bytes)

    def _chunks(self, n_bytes: int, row_bytes: int) -> Iterator[Corpus]:
        if len(self) and max(self.n_bytes, len(self) * row_bytes) <= n_bytes:
            yield self
            return
        ends = offsets_of(self.hypotheses.lengths())[1:]
        ends += offsets_of(self.references.lengths())[self.reference_offsets[1:]]
        size = int(ends[-1]) if len(ends) else 0
        n_chunks = -(-max(size, len(self) * row_bytes) // n_bytes)
        if n_chunks < 2:
            return
        cuts = np.searchsorted(ends, size * np.arange(1, n_chunks) // n_chunks) + 1
        for start, stop in pairwise([0, *np.unique(cuts[cuts < len(self)]).tolist(), len(self)]):
            yield self.slice(start, stop)

    def slice(self, start: int, stop: int) -> Corpus:
        """Return consecutive segments, without a copy."""
        first, last = (start, stop) if self.offsets is None else self.offsets[[start, stop]].tolist()
        return Corpus(
            self.hypotheses.slice(start, stop),
            self.references.slice(first, last),
            None if self.offsets is None else self.offsets[start : stop + 1] - first,
            self.first + start,
            sources=None if self.sources is None else self.sources.slice(start, stop),
        )

    def take(self, segments: IntArray) -> Corpus:
        """Return the given segments, in that order, repeats allowed."""
        lengths = np.diff(self.reference_offsets)[segments]
        offsets = offsets_of(lengths)
        rows = np.arange(offsets[-1]) + np.repeat(self.reference_offsets[segments] - offsets[:-1], lengths)
        sources = None if self.sources is None else self.sources.take(segments)
        return Corpus(self.hypotheses.take(segments), self.references.take(rows), offsets, sources=sources)

    def only(self, columns: Collection[str]) -> Corpus:
        """Return the hypotheses with those of the columns "references" and "sources" that are named."""
        kept = self if "sources" in columns or self.sources is None else replace(self, sources=None)
        if "references" in columns or not len(self.references):
            return kept
        offsets = np.zeros(len(self.hypotheses) + 1, np.int64)
        return replace(kept, references=known_texts([]), offsets=offsets)

    def rewritten(self, rewrite: Callable[[Texts], Texts]) -> Corpus:
        """Return the same segments with the texts of every column changed."""
        sources = None if self.sources is None else rewrite(self.sources)
        return Corpus(rewrite(self.hypotheses), rewrite(self.references), self.offsets, self.first, sources=sources)

    def pairs(self) -> list[tuple[str, str]]:
        """Return every prediction with each of its references, segment by segment.

        Examples
        --------
        >>> corpus_of(["a", "b"], [["x"], ["y", "z"]]).pairs()
        [('a', 'x'), ('b', 'y'), ('b', 'z')]
        """
        counts = np.diff(self.reference_offsets).tolist()
        repeated = (text for text, n in zip(self.hypotheses.tolist(), counts, strict=True) for _ in range(n))
        return list(zip(repeated, self.references.tolist(), strict=True))

    def place(self, side: int, row: int) -> str:
        """Name a hypothesis (side 0), a reference (side 1) or a source (side 2) by its position in the input.

        Examples
        --------
        >>> corpus = corpus_of(["a", "b"], [["x"], ["y", "z"]])
        >>> corpus.place(0, 1), corpus.place(1, 0), corpus.place(1, 2), corpus.place(2, 1)
        ('predictions[1]', 'references[0]', 'references[1][1]', 'sources[1]')
        """
        if side != 1:
            return f"{'sources' if side else 'predictions'}[{self.first + row}]"
        segment = int(np.searchsorted(self.reference_offsets, row, side="right")) - 1
        start, stop = self.reference_offsets[segment : segment + 2].tolist()
        return f"references[{self.first + segment}]" + (f"[{row - start}]" if stop - start > 1 else "")


class _SourcesFirst(Corpus):
    """A corpus whose sources stand before the references of their segments."""

    def place(self, side: int, row: int) -> str:
        """Name a text by its position in the input."""
        if side == 0:
            return Corpus.place(self, 0, row)
        segment = int(np.searchsorted(self.reference_offsets, row, side="right")) - 1
        start, stop = self.reference_offsets[segment : segment + 2].tolist()
        if row == start:
            return f"sources[{self.first + segment}]"
        return f"references[{self.first + segment}]" + (f"[{row - start - 1}]" if stop - start > 2 else "")


def with_sources_first(corpus: Corpus) -> Corpus:
    """Return the texts of a corpus with every source before the references of its segment."""
    if corpus.sources is None:
        fail(ValueError, "sources", "a text for every prediction", "None")
    n_segments, n_references = len(corpus), len(corpus.references)
    offsets = corpus.reference_offsets + np.arange(n_segments + 1)
    is_source = np.zeros(n_segments + n_references, bool)
    is_source[offsets[:-1]] = True
    rows = np.empty(len(is_source), np.int64)
    rows[is_source], rows[~is_source] = np.arange(n_segments), n_segments + np.arange(n_references)
    return _SourcesFirst(corpus.hypotheses, (corpus.sources + corpus.references).take(rows), offsets, corpus.first)


def corpus_of(
    predictions: TextColumn, references: ReferenceColumn | None = None, *, sources: TextColumn | None = None,
    argument: str = "predictions",
) -> Corpus:  # fmt: skip
    """Check the columns of a corpus.

    Parameters
    ----------
    predictions : iterable of str
        A list, tuple, generator, NumPy or Arrow array, pandas Series or datasets column.
    references : iterable of str, or of sequences of str, optional
        One text or a non-empty sequence of texts for every prediction.
    sources : iterable of str, optional
        What every prediction is made from.
    argument : str
        What the call names the predictions.

    Raises
    ------
    TypeError
        If an element is not text; the message names its position.
    ValueError
        If the lengths differ, a segment has no reference, or UTF-8 cannot encode a text.

    Examples
    --------
    >>> corpus_of(["a", "b"], [["x", "y"], ["z"]]).reference_offsets
    array([0, 2, 3])
    """
    hypotheses = text_column(predictions, argument)
    if type(predictions) is not list or sources is not None:
        warn_of_labels({"predictions": predictions, "references": references, "sources": sources})
    if references is None:
        return without_references(hypotheses, sources)
    texts, offsets = reference_column(references, "references")
    if offsets is None and sources is None and len(hypotheses) == len(texts):
        return Corpus(hypotheses, texts)
    n_segments = len(texts) if offsets is None else len(offsets) - 1
    if len(hypotheses) != n_segments:
        lengths = np.ones(n_segments, np.int64) if offsets is None else np.diff(offsets)
        fail(ValueError, "references", *_lengths_differ(argument, len(hypotheses), lengths))
    if sources is None:
        return Corpus(hypotheses, texts, offsets)
    return Corpus(hypotheses, texts, offsets, sources=sources_of(hypotheses, sources, argument))


def samples_of(predictions: TextColumn, references: TextColumn) -> Corpus:
    """Check two samples of texts, of any two sizes, which are no pairs.

    Examples
    --------
    >>> [len(side) for side in (samples_of(["a"], ["b", "c"]).hypotheses, samples_of(["a"], ["b", "c"]).references)]
    [1, 2]
    """
    return Corpus(text_column(predictions, "predictions"), text_column(references, "references"))


def warn_of_labels(columns: Mapping[str, Any]) -> None:
    """Warn of two columns of pandas that have the same labels in another order, since they are paired by position."""
    of_pandas = [
        (name, column) for name, column in columns.items() if type(column).__module__.split(".")[0] == "pandas"
    ]
    labelled = {name: column.index for name, column in of_pandas if hasattr(column, "index")}
    for (first, labels), (other, own) in combinations(labelled.items(), 2):
        is_same = len(labels) == len(own) and labels.is_unique and labels.isin(own).all()
        if is_same and not labels.equals(own):
            warn_user(
                f"{first} and {other} have the same index labels in another order, and were paired by position; "
                f"{other}.loc[{first}.index] pairs them by label, `to_list()` of both says that positions are right"
            )
            return


def without_references(hypotheses: Texts, sources: TextColumn | None = None) -> Corpus:
    """Return a corpus for metrics without references."""
    offsets = np.zeros(len(hypotheses) + 1, np.int64)
    return Corpus(hypotheses, known_texts([]), offsets, sources=sources_of(hypotheses, sources))


def sources_of(hypotheses: Texts, sources: Any, argument: str = "predictions") -> Texts | None:
    """Check what hypotheses translate."""
    if sources is None:
        return None
    texts = text_column(sources, "sources")
    if len(texts) != len(hypotheses):
        fail(ValueError, "sources", f"as many segments as {argument} ({len(hypotheses)})", str(len(texts)))
    return texts


def _lengths_differ(argument: str, n_predictions: int, n_references: IntArray) -> tuple[str, str]:
    """Return the expected and the actual number of segments; recognise sacreBLEU's list of streams."""
    allowed = f"as many segments as {argument} ({n_predictions})"
    transposed = len(n_references) and n_predictions > 1 and (n_references == n_predictions).all()
    if transposed:
        lists = quantity(len(n_references), "list")
        return allowed, f"{lists} of {n_predictions}: pass one list per segment, not one per reference"
    return allowed, str(len(n_references))


def known_texts(values: list[str]) -> Texts:
    """Return a column of texts that are known to be valid."""
    texts = engine.kernel.texts(values)
    if isinstance(texts, int):
        fail(ValueError, "values", "texts that UTF-8 can encode", shown(values[texts]))
    return texts


def text_column(values: Any, argument: str) -> Texts:
    """Return a column of texts."""
    if type(values) is not list:
        if isinstance(values, engine.kernel.Texts):
            return values
        values = _column(values, argument, TEXTS)
    if type(values) is list or isinstance(values, (list, tuple)):
        texts = engine.kernel.texts(values)
        if not isinstance(texts, int):
            return texts
    from .arrow import WIDE_TEXT, texts_of, wide_array

    # Arrow also reads lists of Arrow scalars.
    array = wide_array(values, argument)
    if array is not None and len(array) == 0:
        return known_texts([])
    if array is None or array.null_count or array.type != WIDE_TEXT:
        refuse_first_wrong(values, argument, nested=False)
    return texts_of(array)


def reference_column(values: Any, argument: str) -> tuple[Texts, IntArray | None]:
    """Return all references in one column and the offsets of the segments; None: each has one."""
    if type(values) is not list:
        values = _column(values, argument, REFERENCES)
    if (type(values) is list or isinstance(values, (list, tuple))) and values:
        if isinstance(values[0], str):
            texts = engine.kernel.texts(values)
            if not isinstance(texts, int):
                return texts, None
        else:
            nested = engine.kernel.nested_texts(values)
            if not isinstance(nested, int):
                return nested[0], np.asarray(nested[1], np.int64)
    from .arrow import reference_array

    array = reference_array(values, argument)
    if array is None:
        refuse_first_wrong(values, argument, nested=True)
    return array


def nested_column(values: Any, argument: str) -> tuple[Texts, IntArray]:
    """Return all texts of a column of lists, and the offsets of the lists: int64, shape (n_lists + 1,)."""
    texts, offsets = reference_column(values, argument)
    return texts, np.arange(len(texts) + 1) if offsets is None else offsets


def _column(values: Any, argument: str, allowed: str) -> Any:
    """Refuse what is not a column; make a list of what can be iterated only once."""
    if type(values) in (list, tuple):
        return values
    # On the type: a Series has its index labels as attributes.
    is_table = hasattr(type(values), "columns") or hasattr(type(values), "column_names")
    is_unordered = isinstance(values, (Mapping, set, frozenset))
    is_text = isinstance(values, (str, bytes, bytearray, memoryview))
    if is_text or is_unordered or is_table or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0:
        fail(TypeError, argument, allowed, shown(values))
    if not hasattr(values, "__len__") or getattr(values, "ndim", 1) != 1:
        return list(values)
    is_from_datasets = type(values).__module__.partition(".")[0] == "datasets"
    return _dataset_column(values, argument) if is_from_datasets else values


def has_transform(dataset: Any) -> bool:
    """Return whether a data set has a user's transform, which makes other values than its table has."""
    form = getattr(dataset, "format", None)
    return isinstance(form, Mapping) and form.get("type") == "custom"


def _dataset_column(column: Any, argument: str) -> Any:
    """Return a column of a `datasets.Dataset` as Arrow, with the data set's selection applied."""
    source = column.source
    # A nested column has no table.
    if not hasattr(source, "data") or has_transform(source):
        return list(column)
    values = source.data.column(column.column_name)
    if source._indices is None:
        return values
    from .arrow import wide_array

    # `Dataset.with_format("arrow")[:]` applies a shuffled selection row by row: minutes.
    array = wide_array(values, argument)
    return list(column) if array is None else array.take(source._indices.column(0))


def readable_parts(
    rows: range, read: Callable[[range], _Read], refused: type[_Refused] | tuple[type[_Refused], ...]
) -> Iterator[tuple[range, _Read | _Refused]]:
    """Read consecutive rows in parts that can be read; a row that cannot be read is found among ever fewer.

    Parameters
    ----------
    rows : range
    read : callable
        Returns what a range of rows holds, or raises.
    refused : type of exception, or tuple of these
        What `read` raises for rows of which one cannot be read.

    Yields
    ------
    range, object
        A part with what `read` returned; or a single row with the exception.

    Examples
    --------
    >>> words = ["1", "2", "three", "4"]
    >>> parts = readable_parts(range(4), lambda part: [int(words[row]) for row in part], ValueError)
    >>> [part[0] for part, numbers in parts if isinstance(numbers, ValueError)]
    [2]
    """
    try:
        values = read(rows)
    except refused as error:
        if len(rows) == 1:
            yield rows, error
            return
    else:
        yield rows, values
        return
    step = max(1, len(rows) // _N_PARTS)
    for start in range(0, len(rows), step):
        yield from readable_parts(rows[start : start + step], read, refused)
