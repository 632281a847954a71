"""Parallel files: those of one or several systems, of their references, and of documents or prefixes by segment."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from ..arrays import IntArray, lengths_of, offsets_of
from ..checks import fail, in_number
from ..columns import Corpus, known_texts, without_references
from ..plain import Texts
from .blocks import BadRows, Block, Column, Field, joined, joined_texts
from .files import STDIN, Progress, shards_of, shown_name
from .json_rows import read_json
from .messages import InputError, listed, refuse
from .reading import SUFFIXES, format_of, read_blocks

SQUAD = "squad"
# The default name of each column, by the option that sets it.
DEFAULT_FIELDS = {
    "prediction_field": "prediction", "reference_field": "reference", "document_field": "document",
    "prefix_field": "prefix",
}  # fmt: skip


def flag_of(name: str) -> str:
    """Return how an option is typed."""
    return "--" + name.replace("_", "-")


class Segments(NamedTuple):
    """The segments of every system, and the document or the prefix of each segment, and its id in rows of SQUAD."""

    corpora: Sequence[Corpus]
    documents: Texts | None
    prefixes: Texts | None
    ids: Sequence[Any] | None = None


@dataclass(frozen=True)
class Sides:
    """The files to read.

    Attributes
    ----------
    systems, references : sequences of str
        Files; `references` may be empty if the file of one system has them.
    kind : one of `FORMATS`, `SQUAD`, or None for the format of each name's suffix
    fields : mapping
        The given columns, by the option that sets them; several for references.
    has_references : bool
        Whether there are references at all.
    documents, prefixes : str or None
        Files with one more text per segment.
    measures : sequence of class
        The metrics, of which some read rows of SQUAD in their own way.
    bad : BadRows
        Gets the bad rows of `blocks`.
    """

    systems: Sequence[str]
    references: Sequence[str]
    kind: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    has_references: bool = True
    documents: str | None = None
    prefixes: str | None = None
    measures: Sequence[Any] = ()
    bad: BadRows = field(default_factory=BadRows)

    def check(self) -> None:
        """Refuse a wrong combination of files and flags, before any file is opened."""
        if not self.has_references and (self.references or "reference_field" in self.fields):
            name = "--references" if self.references else "--reference-field"
            refuse(f"{name} has no effect: none of these metrics uses references")
        if self.kind == SQUAD:
            self._check_squad()
            return
        if self.has_references and not self.references:
            self._check_one_file()
        files = {
            "prediction_field": self.systems, "reference_field": self.references or self.systems,
            "document_field": [self.documents], "prefix_field": [self.prefixes],
        }  # fmt: skip
        for name in self.fields:
            paths = [path for path in files[name] if path is not None]
            if not paths:
                refuse(f"{flag_of(name)} has no effect without {'--documents' if 'doc' in name else '--prefixes'}")
            if all(self._format(path) == "text" for path in paths):
                refuse(f"{flag_of(name)} has no effect: plain text has no columns")

    def _check_squad(self) -> None:
        for name in self.fields:
            refuse(f"{flag_of(name)} has no effect with --format squad, whose columns have fixed names")
        if self.documents is not None:
            refuse("--documents cannot be used with --format squad, whose rows are matched by their ids")
        if len(self.references) > 1:
            refuse("--format squad takes one file of references, whose rows hold all answers")

    def _check_one_file(self) -> None:
        if len(self.systems) > 1:
            refuse("several systems need a file of references: give --references")
        if self._format(self.systems[0]) == "text":
            name = shown_name(self.systems[0])
            refuse(
                f"no references: {name} is plain text, which has no column for them; "
                "give --references, or -i - to score standard input against it"
            )
        names = [one.name for option in ("prediction_field", "reference_field") for one in self._fields(option)]
        if len(set(names)) < len(names):
            refuse(f"--prediction-field and --reference-field name the same column: {', '.join(map(repr, names))}")

    def _format(self, path: str) -> str:
        """Return the format of a file, or of the files that a name stands for."""
        formats = {self.kind or format_of(shard): shard for shard in self._shards(path)}
        if len(formats) > 1:
            fail(InputError, shown_name(path), "files of one format", listed(list(map(shown_name, formats.values()))))
        return next(iter(formats))

    def _shards(self, path: str) -> list[str]:
        known = (
            SUFFIXES if self.kind is None else [s for s in SUFFIXES if format_of(s) == self.kind] or [f".{self.kind}"]
        )
        return shards_of(path, in_folders=known)

    def _fields(self, option: str) -> list[Field]:
        given = self.fields.get(option, DEFAULT_FIELDS[option])
        names = [given] if isinstance(given, str) else given
        return [Field(name, flag_of(option), may_hold_lists=option == "reference_field") for name in names]

    def blocks(self, progress: Progress | None = None) -> Iterator[Segments]:
        """Yield consecutive segments of all files, without the bad rows if these are skipped.

        Parameters
        ----------
        progress : Progress, optional
            That of the files of `tracked`.

        Raises
        ------
        InputError
            At the end: for bad rows that are not skipped, and if files differ in length, or are empty.
        """
        if self.kind == SQUAD:
            corpora, ids = _squad_corpora(self.systems, self.references, self.measures)
            yield Segments(corpora, None, None, ids)
            return
        first = self._fields("prediction_field")
        has_both = self.has_references and not self.references
        sides = [(path, first + self._fields("reference_field") if has_both else first) for path in self.systems]
        sides += [(path, self._fields("reference_field")) for path in self.references]
        more = {"document_field": self.documents, "prefix_field": self.prefixes}
        sides += [(path, self._fields(option)) for option, path in more.items() if path is not None]
        paths = [path for path, _ in sides]
        tracked = self.tracked()
        readers = [self._blocks_of(path, fields, progress if path == tracked else None) for path, fields in sides]
        lengths = [0] * len(paths)
        n_read = 0
        for blocks in _aligned(readers, lengths):
            if self.bad.n_rows and not self.bad.is_skipped:
                continue
            segments = self._segments(blocks, n_read)
            n_read += len(segments.corpora[0])
            if len(segments.corpora[0]):
                yield segments
        self.bad.check()
        self._check_lengths(paths, lengths)
        if n_read == 0:
            every = in_number(lengths[0], f"[the only row is|all {lengths[0]:,} rows are]")
            raise InputError(f"{shown_name(paths[0])}: {every} bad")

    def tracked(self) -> str:
        """Return the name of the files by which progress is known: the first that are no standard input."""
        return next((path for path in (*self.systems, *self.references) if path != STDIN), STDIN)

    def progress(self) -> Progress:
        """Return the progress of `blocks`, before it has begun."""
        return Progress([] if self.kind == SQUAD else self._shards(self.tracked()))

    def read(self) -> Segments:
        """Read all segments at once."""
        return joined_segments(list(self.blocks()))

    def _blocks_of(self, path: str, fields: Sequence[Field], progress: Progress | None) -> Iterator[Block]:
        kind = self._format(path)
        for shard in self._shards(path):
            yield from read_blocks(shard, kind, fields, self.bad, progress)

    def _segments(self, blocks: Sequence[Block], first: int) -> Segments:
        """Return the same rows of all files as segments, of which the first has the number `first`."""
        bad = sorted({row for block in blocks for row in block.bad})
        start = first + self.bad.n_skipped
        self.bad.skipped += [start + row for row in bad]
        good = np.delete(np.arange(blocks[0].n_rows), bad) if bad else None
        columns = [block.columns for block in blocks]
        n_systems, n_texts = len(self.systems), len(self.systems) + len(self.references)
        sides = [*columns[0][1:], *(column for of_file in columns[n_systems:n_texts] for column in of_file)]
        references = _merged(sides) if sides else None
        extra = iter(
            [of_file[0].texts if good is None else of_file[0].texts.take(good) for of_file in columns[n_texts:]]
        )
        corpora = [_corpus(of_file[0].texts, references, good, first) for of_file in columns[:n_systems]]
        documents, prefixes = (None if path is None else next(extra) for path in (self.documents, self.prefixes))
        return Segments(corpora, documents, prefixes)

    def _check_lengths(self, paths: Sequence[str], lengths: Sequence[int]) -> None:
        for path, length in zip(paths, lengths, strict=True):
            if length == 0:
                raise InputError(f"{shown_name(path)}: the file is empty")
            if length != lengths[0]:
                unit, of_first = ("lines" if self._format(one) == "text" else "rows" for one in (path, paths[0]))
                other = "" if unit == of_first else f" {of_first}"
                allowed = f"as many {unit} as {shown_name(paths[0])} has{other} ({lengths[0]})"
                fail(InputError, shown_name(path), allowed, str(length))


@dataclass(frozen=True)
class TypedTexts(Sides):
    """Texts of the command line instead of files: one of every system, and the references of the one segment."""

    texts: Sequence[str] = ()
    against: Sequence[str] = ()

    def check(self) -> None:
        """Refuse texts without references, references for metrics that use none, and options of files."""
        of_files = (["--format"] if self.kind else []) + [flag_of(name) for name in self.fields]
        if of_files:
            refuse(f"{of_files[0]} has no effect with --text")
        if self.has_references and not self.against:
            refuse("--text needs a reference to be compared with: give --against")
        if self.against and not self.has_references:
            refuse("--against has no effect: none of these metrics uses references")

    def progress(self) -> Progress:
        """Return the progress of no files."""
        return Progress([])

    def blocks(self, progress: Progress | None = None) -> Iterator[Segments]:  # noqa: ARG002
        """Yield one segment of every system."""
        texts = [known_texts([text]) for text in self.texts]
        if not self.has_references:
            yield Segments([without_references(text) for text in texts], None, None)
            return
        references, offsets = known_texts([*self.against]), np.array([0, len(self.against)])
        yield Segments([Corpus(text, references, offsets) for text in texts], None, None)


def _aligned(readers: Sequence[Iterator[Block]], lengths: list[int]) -> Iterator[list[Block]]:
    """Yield the same rows of all files, until one of them ends; count the rows of each to its end."""
    counted = [_counted(reader, lengths, i) for i, reader in enumerate(readers)]
    left = [next(reader, None) for reader in counted]
    while True:
        blocks = [block for block in left if block is not None]
        if len(blocks) < len(left):
            break
        sizes = [block.n_rows for block in blocks]
        n_rows = min(sizes)
        yield [block if size == n_rows else block.slice(0, n_rows) for block, size in zip(blocks, sizes, strict=True)]
        left = [
            block.slice(n_rows, size) if size > n_rows else next(reader, None)
            for block, size, reader in zip(blocks, sizes, counted, strict=True)
        ]
    for reader in counted:
        deque(reader, maxlen=0)


def _counted(reader: Iterator[Block], lengths: list[int], i: int) -> Iterator[Block]:
    for block in reader:
        lengths[i] += block.n_rows
        if block.n_rows:
            yield block


def joined_segments(parts: Sequence[Segments]) -> Segments:
    """Concatenate blocks."""
    if len(parts) == 1:
        return parts[0]
    corpora = [_joined_corpora(of_system) for of_system in zip(*(part.corpora for part in parts), strict=True)]
    every = ([getattr(part, name) for part in parts] for name in ("documents", "prefixes"))
    documents, prefixes = (None if one[0] is None else joined_texts(one) for one in every)
    return Segments(corpora, documents, prefixes)


def all_texts(path: str, kind: str | None, fields: Mapping[str, Any]) -> Texts:
    """Read a file of texts in the form of the predictions."""
    own = {name: value for name, value in fields.items() if name == "prediction_field"}
    return Sides([path], [], kind, own, has_references=False).read().corpora[0].hypotheses


def _corpus(texts: Texts, references: Column | None, good: IntArray | None, first: int) -> Corpus:
    corpus = without_references(texts) if references is None else Corpus(texts, *references)
    # What warns looks at the beginning of a corpus, which later blocks are not.
    return replace(corpus if good is None else corpus.take(good), first=first)


def _joined_corpora(corpora: Sequence[Corpus]) -> Corpus:
    hypotheses = joined_texts([corpus.hypotheses for corpus in corpora])
    if len(corpora[0].references) == 0:
        return without_references(hypotheses)
    return Corpus(hypotheses, *joined([Column(corpus.references, corpus.reference_offsets) for corpus in corpora]))


def _merged(columns: Sequence[Column]) -> Column:
    """Concatenate the references of every segment, column by column."""
    if len(columns) == 1:
        return columns[0]
    n_references = [lengths_of(column.offsets) for column in columns]
    segment_of = np.concatenate([np.repeat(np.arange(len(lengths)), lengths) for lengths in n_references])
    texts = joined_texts([column.texts for column in columns]).take(np.argsort(segment_of, kind="stable"))
    return Column(texts, offsets_of(np.sum(n_references, axis=0)))


def _squad_corpora(
    systems: Sequence[str], references: Sequence[str], measures: Sequence[Any]
) -> tuple[list[Corpus], list[Any]]:
    """Read rows with "id" and "prediction_text", and with "id" and "answers", in one file or several; also ids."""
    from ..squad_rows import reader_of

    read = reader_of(measures)
    rows = {path: _squad_rows(path) for path in (*systems, *references)}
    corpora = []
    for path in systems:
        try:
            corpora.append(read(rows[path], rows[[*systems, *references][-1]]))
        except (TypeError, ValueError) as error:
            raise InputError(f"{shown_name(path)}: {error}") from error
    return corpora, [row["id"] for row in rows[[*systems, *references][-1]]]


def _squad_rows(path: str) -> Sequence[dict[str, Any]]:
    """Return the rows of JSON Lines, or of SQuAD's own files."""
    from ..squad_rows import is_official, official_rows

    name = shown_name(path)
    rows = [row for block in read_json(path) for row in block.values]
    if not rows:
        raise InputError(f"{name}: the file is empty")
    if len(rows) > 1 or not is_official(rows[0]):
        return rows
    try:
        return official_rows(rows[0])
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"{name}: not a file of SQuAD: {type(error).__name__} {error}") from error
