"""Parallel files: those of one or several systems, of their references, and of documents or prefixes by segment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..arrays import IntArray, offsets_of
from ..checks import fail
from ..columns import Corpus, known_texts
from ..plain import Texts
from .files import STDIN, shown_name
from .messages import InputError, refuse, spelled
from .reading import Column, Field, JsonLines, Source, format_of, source_of, texts_at

SQUAD = "squad"
# The default name of each column, by the flag that sets it.
DEFAULT_FIELDS = {
    "prediction_field": "prediction", "reference_field": "reference", "document_field": "document",
    "prefix_field": "prefix",
}  # fmt: skip


@dataclass(frozen=True)
class Sides:
    """The files to read.

    Attributes
    ----------
    systems, references : sequences of str
        Files; `references` may be empty if the file of one system has them.
    kind : one of `FORMATS`, `SQUAD`, or None for the format of each name's suffix
    fields : mapping
        The given columns, by the name of their flag; several for references.
    is_paired : bool
        Whether there are references at all.
    documents, prefixes : str or None
        Files with one more text per segment.
    """

    systems: Sequence[str]
    references: Sequence[str]
    kind: str | None
    fields: Mapping[str, Any] = field(default_factory=dict)
    is_paired: bool = True
    documents: str | None = None
    prefixes: str | None = None

    def check(self) -> None:
        """Refuse a wrong combination of files and flags, before any file is opened."""
        others = [path for path in (self.documents, self.prefixes) if path is not None]
        if [*self.systems, *self.references, *others].count(STDIN) > 1:
            refuse("standard input ('-') can be read for one file only")
        if not self.is_paired:
            self._check_unpaired()
        elif self.kind == SQUAD:
            self._check_squad()
        elif not self.references:
            self._check_one_file()
        if self.kind != SQUAD:
            self._check_fields()

    def _check_unpaired(self) -> None:
        if self.references or "reference_field" in self.fields:
            name = "--references" if self.references else "--reference-field"
            refuse(f"{name} has no effect: none of these metrics uses references")
        if self.kind == SQUAD:
            refuse("--format squad is for metrics with references")

    def _check_squad(self) -> None:
        for name in self.fields:
            refuse(f"{spelled(name)} has no effect with --format squad, whose columns have fixed names")
        if self.documents is not None:
            refuse("--documents cannot be used with --format squad, whose rows are matched by their ids")
        if len(self.references) > 1:
            refuse("--format squad takes one file of references, whose rows hold all answers")

    def _check_one_file(self) -> None:
        if len(self.systems) > 1:
            refuse("several systems need a file of references: give --references")
        if (self.kind or format_of(self.systems[0])) == "text":
            name = shown_name(self.systems[0])
            refuse(f"no references: {name} is plain text, which has no column for them; give --references")
        names = [self._names("prediction_field")[0], *self._names("reference_field")]
        if len(set(names)) < len(names):
            refuse(f"--prediction-field and --reference-field name the same column: {', '.join(map(repr, names))}")

    def _check_fields(self) -> None:
        files = {
            "prediction_field": self.systems, "reference_field": self.references or self.systems,
            "document_field": [self.documents], "prefix_field": [self.prefixes],
        }  # fmt: skip
        for name in self.fields:
            paths = [path for path in files[name] if path is not None]
            if not paths:
                refuse(f"{spelled(name)} has no effect without {'--documents' if 'doc' in name else '--prefixes'}")
            if all((self.kind or format_of(path)) == "text" for path in paths):
                refuse(f"{spelled(name)} has no effect: plain text has no columns")

    def _names(self, flag: str) -> list[str]:
        given = self.fields.get(flag, DEFAULT_FIELDS[flag])
        return [given] if isinstance(given, str) else list(given)

    def _fields(self, flag: str) -> list[Field]:
        return [Field(name, flag, may_hold_lists=flag == "reference_field") for name in self._names(flag)]

    def open(self, stack: ExitStack) -> Opened:
        """Open the files; `stack` closes them."""
        self.check()
        if self.kind == SQUAD:
            rows = stack.enter_context(closing(SquadRows(self.systems, self.references)))
            return Opened([rows], len(self.systems), has_documents=False, has_prefixes=False)
        sources = []
        sides = [(self.systems, "prediction_field"), (self.references, "reference_field")]
        sides += [([self.documents], "document_field"), ([self.prefixes], "prefix_field")]  # type: ignore[list-item]
        for paths, flag in sides:
            fields = self._fields(flag)
            if flag == "prediction_field" and self.is_paired and not self.references:
                fields += self._fields("reference_field")
            for path in (path for path in paths if path is not None):
                source = source_of(path, self.kind or format_of(path), fields)
                sources.append(stack.enter_context(closing(source)))
        return Opened(
            sources, len(self.systems), has_documents=self.documents is not None,
            has_prefixes=self.prefixes is not None,
        )  # fmt: skip


@dataclass(frozen=True)
class Opened:
    """Open files whose rows are the same segments."""

    sources: Sequence[Source]
    n_systems: int
    has_documents: bool
    has_prefixes: bool

    def batches(self) -> Iterator[tuple[list[Corpus], Texts | None]]:
        """Yield the segments of every system, and their documents or prefixes.

        Raises
        ------
        InputError
            If the files differ in length, or are empty: at the end, when all lengths are known.
        """
        for columns in aligned(self.sources):
            more = columns.pop().texts if self.has_documents or self.has_prefixes else None
            references = columns[self.n_systems :]
            n_segments = len(columns[0])
            texts, offsets = known_texts([]), np.zeros(n_segments + 1, np.int64)
            if references:
                texts, offsets = merged_references(references)
            yield [Corpus(column.texts, texts, offsets) for column in columns[: self.n_systems]], more


def open_sides(
    stack: ExitStack, predictions: str, references: Sequence[str], kind: str | None, fields: Mapping[str, Any]
) -> Opened:
    """Open the files of both sides of one system; see `Sides`."""
    return Sides([predictions], references, kind, fields).open(stack)


def corpora(opened: Opened) -> Iterator[Corpus]:
    """Yield the segments of one system."""
    return (texts[0] for texts, _ in opened.batches())


def all_texts(path: str, kind: str | None, fields: Mapping[str, Any]) -> Texts:
    """Read a file of texts in the form of the predictions."""
    own = {name: value for name, value in fields.items() if name == "prediction_field"}
    with ExitStack() as stack:
        opened = Sides([path], [], kind, own, is_paired=False).open(stack)
        columns = [columns[0].texts for columns in opened.sources[0].batches()]
        if not sum(map(len, columns)):
            raise InputError(f"{opened.sources[0].name}: the file is empty")
    return joined_texts(columns)


def aligned(sources: Sequence[Source]) -> Iterator[list[Column]]:
    """Yield the columns of all files, equally long; raise as `Opened.batches` does."""
    streams = [source.batches() for source in sources]
    pending: list[list[Column] | None] = [next(stream, None) for stream in streams]
    n_segments = 0
    while ready := [columns for columns in pending if columns is not None]:
        if len(ready) < len(sources):
            break
        n_ready = min(len(columns[0]) for columns in ready)
        if n_ready:
            yield [column.slice(0, n_ready) for columns in ready for column in columns]
        n_segments += n_ready
        for index, columns in enumerate(ready):
            is_used_up = len(columns[0]) == n_ready
            rest = [column.slice(n_ready, len(column)) for column in columns]
            pending[index] = next(streams[index], None) if is_used_up else rest
    left = [len(columns[0]) if columns else 0 for columns in pending]
    lengths = [n_segments + n + sum(len(columns[0]) for columns in s) for n, s in zip(left, streams, strict=True)]
    _check_lengths(sources, lengths)


def _check_lengths(sources: Sequence[Source], lengths: Sequence[int]) -> None:
    for source, length in zip(sources, lengths, strict=True):
        if length == 0:
            raise InputError(f"{source.name}: the file is empty")
        if length != lengths[0]:
            unit = "" if source.unit == sources[0].unit else f" {sources[0].unit}"
            allowed = f"as many {source.unit} as {sources[0].name} has{unit} ({lengths[0]})"
            fail(InputError, source.name, allowed, str(length))


def merged_references(columns: Sequence[Column]) -> tuple[Texts, IntArray]:
    """Concatenate the references of every segment, column by column."""
    offsets = offsets_of(np.sum([column.lengths for column in columns], axis=0))
    if len(columns) == 1:
        return columns[0].texts, offsets
    segment_of = np.concatenate([np.repeat(np.arange(len(column)), column.lengths) for column in columns])
    return joined_texts([column.texts for column in columns]).take(np.argsort(segment_of, kind="stable")), offsets


def joined_texts(columns: Sequence[Texts]) -> Texts:
    """Concatenate columns of texts."""
    if len(columns) == 1:
        return columns[0]
    parts = [column.join() for column in columns]
    lengths = np.concatenate([np.diff(np.asarray(offsets, np.int64)) for offsets, _ in parts])
    return texts_at(offsets_of(lengths), b"".join(bytes(data) for _, data in parts))


def joined_corpus(parts: Sequence[Corpus]) -> Corpus:
    """Concatenate the segments of batches."""
    n_references = np.concatenate([np.diff(part.reference_offsets) for part in parts])
    hypotheses, references = (
        joined_texts(side) for side in ([p.hypotheses for p in parts], [p.references for p in parts])
    )
    return Corpus(hypotheses, references, offsets_of(n_references))


class SquadRows:
    """JSON Lines with "id" and "prediction_text", and with "id" and "answers", in one file or several; see `_rows`."""

    unit = "rows"

    def __init__(self, systems: Sequence[str], references: Sequence[str]) -> None:
        """Open the files of the systems and the file of answers, unless a single system's file has them."""
        self._files = [JsonLines(path, []) for path in (*systems, *references)]
        self._n_systems = len(systems)
        self.name, self.done = self._files[0].name, self._files[0].done

    def batches(self) -> Iterator[list[Column]]:
        """Yield the predictions of every system and the lists of answers, in the order of the answers."""
        from ..squad_rows import answer_corpus_of

        sides = [_rows(file) for file in self._files]
        columns = []
        for file, rows in zip(self._files[: self._n_systems], sides, strict=False):
            try:
                corpus = answer_corpus_of(rows, sides[-1])
            except (TypeError, ValueError) as error:
                raise InputError(f"{file.name}: {error}") from error
            columns.append(Column(corpus.hypotheses))
        yield [*columns, Column(corpus.references, corpus.reference_offsets)]

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()


def _rows(file: JsonLines) -> list[dict[str, Any]]:
    """Return the rows of JSON Lines, or of SQuAD's own files."""
    from ..squad_rows import is_official, official_rows

    rows = [row for _, block in file.rows() for row in block]
    if not rows:
        raise InputError(f"{file.name}: the file is empty")
    if len(rows) > 1 or not is_official(rows[0]):
        return rows
    try:
        return official_rows(rows[0])
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"{file.name}: not a file of SQuAD: {type(error).__name__} {error}") from error
