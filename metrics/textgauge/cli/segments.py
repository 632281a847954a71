"""Files to read: one in any format; parallel ones of systems, references, and sources, documents or prefixes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ..arrays import lengths_of, offsets_of
from ..checks import fail, in_number
from ..input.columns import Corpus, known_texts
from ..lazy import lazy
from ..plain import Texts
from . import reading
from .files import Progress, shards_of, shown_name, suffix_of
from .messages import InputError, listed, refuse
from .process import quiet_imports
from .reading import (
    BadRows,
    Blocks,
    NamedColumn,
    TextBlock,
    TextLists,
    delimited_blocks,
    joined,
    joined_texts,
    json_blocks,
    names_in_header,
    names_in_json,
    read_json,
    text_blocks,
)

SQUAD = "squad"
FORMATS = ("text", "jsonl", "csv", "tsv", "parquet")
_FORMAT_OF_SUFFIX = {".ndjson": "jsonl", ".json": "jsonl", ".pq": "parquet"} | {f".{name}": name for name in FORMATS}
# Those of files that count in a folder.
_SUFFIXES: dict[str | None, list[str]] = {None: sorted(_FORMAT_OF_SUFFIX.keys() - {".text"})}
_SUFFIXES |= {kind: sorted(suffix for suffix, own in _FORMAT_OF_SUFFIX.items() if own == kind) for kind in FORMATS}
_DELIMITERS = {"csv": ",", "tsv": "\t"}
# The default name of each column, by the option that sets it.
DEFAULT_FIELDS = {
    "prediction_field": "prediction", "reference_field": "reference", "document_field": "document",
    "prefix_field": "prefix", "source_field": "source",
}  # fmt: skip
# Those that may hold lists, where none, all or only those of references may.
_OF_LISTS: Mapping[bool | None, Sequence[str]] = {
    False: (), True: ("prediction_field", "reference_field"), None: ("reference_field",),
}  # fmt: skip


def flag_of(name: str) -> str:
    """Return how an option is typed."""
    return "--" + name.replace("_", "-")


def kept(name: str) -> str:
    """Return what a column of --keep is called beside segments, where others have names of ours."""
    return f"--keep {name}"


def fields_of(given: Mapping[str, Any], option: str, *, of_lists: bool | None = None) -> list[NamedColumn]:
    """Return the columns that an option names, or the default one; those of references may hold lists by default."""
    names = given.get(option) or DEFAULT_FIELDS[option]
    may_hold_lists = option in _OF_LISTS[of_lists]
    return [
        NamedColumn(name, flag_of(option), may_hold_lists) for name in ([names] if isinstance(names, str) else names)
    ]


def check_columns(flags: Sequence[str], inputs: Sequence[InputFile]) -> None:
    """Refuse flags of columns for files that have none."""
    for flag in flags:
        formats = {file.format for file in inputs if flag in [field.flag for field in file.fields]}
        if not formats:
            refuse(f"{flag} has no effect without {'--documents' if 'doc' in flag else '--prefixes'}")
        if formats == {"text"}:
            refuse(f"{flag} has no effect: plain text has no columns")


def format_of(path: str) -> str:
    """Return the format for a file name: plain text unless its suffix is that of another format.

    Examples
    --------
    >>> format_of("scored.jsonl.gz"), format_of("newstest.de")
    ('jsonl', 'text')
    """
    return _FORMAT_OF_SUFFIX.get(suffix_of(path), "text")


@dataclass(frozen=True, eq=False, repr=False)
class InputFile:
    """A file, or the files that a folder or a pattern of names stands for, and what to read from it.

    Attributes
    ----------
    path : str
        "-" is standard input.
    fields : sequence of NamedColumn
        The columns; plain text has one, whatever its name.
    kind : one of `FORMATS`, or None for the format of the suffix
    """

    path: str
    fields: Sequence[NamedColumn]
    kind: str | None = None

    @lazy
    def shards(self) -> list[str]:
        """The files."""
        return shards_of(self.path, in_folders=_SUFFIXES[self.kind])

    @lazy
    def format(self) -> str:
        """Their format."""
        formats = {self.kind or format_of(shard): shown_name(shard) for shard in self.shards}
        if len(formats) > 1:
            fail(InputError, shown_name(self.path), "files of one format", listed([*formats.values()]))
        return next(iter(formats))

    def names(self) -> list[str]:
        """Return the names of the columns of the first file: those of its first row."""
        name, path = shown_name(self.path), self.shards[0]
        if self.format == "text":
            fail(InputError, name, f"{listed(FORMATS[1:], 'or')}, which have columns", "plain text")
        if self.format == "parquet":
            with quiet_imports():
                from .parquet import names_in

            return names_in(path)
        if self.format == "jsonl":
            return names_in_json(path)
        return names_in_header(path, _DELIMITERS[self.format])

    def blocks(self, bad: BadRows, progress: Progress | None = None) -> Blocks:
        """Yield consecutive rows; `bad` gets those that have no texts in these columns."""
        blocks_of = _READERS[self.format]
        for shard in self.shards:
            yield from blocks_of(shard, self.fields, bad, progress)

    def columns(self) -> list[TextLists]:
        """Read all rows at once."""
        bad = BadRows(can_be_skipped=False)
        blocks = list(self.blocks(bad))
        bad.check()
        if not any(block.n_rows for block in blocks):
            raise InputError(f"{shown_name(self.path)}: the file is empty")
        return [joined([block.columns[i] for block in blocks]) for i in range(len(self.fields))]


def _parquet_blocks(path: str, fields: Sequence[NamedColumn], bad: BadRows, progress: Progress | None) -> Blocks:
    # Imported here: Arrow takes 0.1 s to import.
    with quiet_imports():
        from .parquet import parquet_blocks

    return parquet_blocks(path, fields, bad, progress)


_READERS: Mapping[str, Callable[[str, Sequence[NamedColumn], BadRows, Progress | None], Blocks]] = {
    "text": text_blocks, "jsonl": json_blocks, "parquet": _parquet_blocks,
    **{kind: partial(delimited_blocks, delimiter=delimiter) for kind, delimiter in _DELIMITERS.items()},
}  # fmt: skip


class Segments(NamedTuple):
    """Segments of every system, with the texts of `ParallelFiles.beside`, and ids in rows of SQUAD."""

    corpora: Sequence[Corpus]
    beside: Mapping[str, Texts] = {}
    ids: Sequence[Any] = ()


@dataclass(frozen=True, eq=False, repr=False)
class ParallelFiles:
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
    of_lists : bool or None
        Which columns may hold lists: those of predictions and references, none, or by default those of references.
    beside : mapping
        Files with one more text per segment: its "source", its "document" or its "prefix".
    metrics : sequence of class
        Those of the scores, of which some read rows of SQUAD in their own way.
    bad, progress : BadRows, Progress
        Get the bad rows of `blocks`, and how far they are.
    texts, against : sequence of str
        Texts of the command line instead of files: one of every system, and the references of the one segment.
    keep : sequence of str
        Columns of the first system that are returned as JSON beside its segments, by `kept` of their names.
    """

    systems: Sequence[str]
    references: Sequence[str]
    kind: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    has_references: bool = True
    of_lists: bool | None = None
    beside: Mapping[str, str] = field(default_factory=dict)
    metrics: Sequence[Any] = ()
    bad: BadRows = field(default_factory=BadRows)
    progress: Progress = field(default_factory=Progress)
    texts: Sequence[str] = ()
    against: Sequence[str] = ()
    keep: Sequence[str] = ()

    def check(self) -> None:
        """Refuse a wrong combination of files and flags, before any file is opened."""
        if self.texts:
            self._check_typed()
            return
        if not self.has_references and (self.references or "reference_field" in self.fields):
            name = "--references" if self.references else "--reference-field"
            refuse(f"{name} has no effect: none of these metrics uses references")
        if self.sources_flag and not any("sources" in metric.inputs.names for metric in self.metrics):
            names = [metric.name for metric in self.metrics]
            # sacreBLEU's -s is the method of smoothing.
            is_method = self.beside.get("source") in ("exp", "floor", "add-k", "none")
            hint = "; smoothing is --smoothing" if is_method else ""
            uses = in_number(len(names), "[uses|use]")
            refuse(f"{self.sources_flag} has no effect: {listed(names)} {uses} no sources{hint}")
        if self.kind == SQUAD:
            self._check_squad()
            return
        if self.has_references and not self.references:
            self._check_one_file()
        check_columns([*map(flag_of, self.fields), *["--keep"] * bool(self.keep)], self.inputs)

    @property
    def sources_flag(self) -> str:
        """The flag that asks for sources; empty if there are none."""
        return "--sources" if "source" in self.beside else "--source-field" * ("source_field" in self.fields)

    def _check_typed(self) -> None:
        if self.sources_flag:
            refuse(f"{self.sources_flag} has no effect with --text: texts with sources are lines of files")
        if of_files := ["--format"] * (self.kind is not None) + [*map(flag_of, self.fields)]:
            refuse(f"{of_files[0]} has no effect with --text")
        if self.has_references and not self.against:
            refuse("--text needs a reference to be compared with: give --against")
        if self.against and not self.has_references:
            refuse("--against has no effect: none of these metrics uses references")

    def _check_squad(self) -> None:
        if not all(metric.inputs.has_references for metric in self.metrics):
            refuse("--format squad is for metrics with references")
        if self.bad.is_skipped:
            refuse("--skip-bad has no effect with --format squad, whose rows are matched by their ids")
        for name in self.fields:
            refuse(f"{flag_of(name)} has no effect with --format squad, whose columns have fixed names")
        if self.keep:
            refuse("--keep has no effect with --format squad, whose ids are written")
        for name in ("document", "source"):
            if name in self.beside:
                refuse(f"--{name}s cannot be used with --format squad, whose rows are matched by their ids")
        if len(self.references) > 1:
            refuse("--format squad takes one file of references, whose rows hold all answers")

    def _check_one_file(self) -> None:
        if len(self.systems) > 1:
            refuse(
                "several systems need a file of references: give --references, each file its own -r; "
                "parts of one system are a folder, or a quoted pattern"
            )
        file = self.inputs[0]
        if file.format == "text":
            refuse(
                f"no references: {shown_name(file.path)} is plain text, which has no column for them; "
                "give --references, or -i - to score standard input against it"
            )
        names = [field.name for field in file.fields if field.flag != "--keep"]
        if len(set(names)) < len(names):
            others = "--reference-field" + " or --source-field" * self._has_own_sources
            refuse(f"--prediction-field and {others} name the same column: {', '.join(map(repr, names))}")

    @property
    def _has_own_sources(self) -> bool:
        """Whether the file of the first system has what is translated."""
        return self.sources_flag == "--source-field"

    @lazy
    def inputs(self) -> list[InputFile]:
        """The files with their columns: those of the systems, of references, and those of `beside`."""
        has_both = self.has_references and not self.references
        asked = [(path, ["prediction_field", *["reference_field"] * has_both]) for path in self.systems]
        asked += [(path, ["reference_field"]) for path in self.references]
        asked += [(path, [f"{name}_field"]) for name, path in self.beside.items()]
        asked[0][1].extend(["source_field"] * self._has_own_sources)
        options = [options for _, options in asked]
        columns = {option: fields_of(self.fields, option, of_lists=self.of_lists) for option in chain(*options)}
        every = [[*chain(*(columns[option] for option in options))] for _, options in asked]
        every[0] += [NamedColumn(name, "--keep", is_json=True) for name in self.keep]
        return [InputFile(path, fields, self.kind) for (path, _), fields in zip(asked, every, strict=True)]

    def blocks(self) -> Iterator[Segments]:
        """Yield consecutive segments of all files, without the bad rows if these are skipped.

        Raises
        ------
        InputError
            At the end: for bad rows that are not skipped, and if files differ in length, or are empty.
        """
        if self.texts:
            references = known_texts([*self.against]), np.array([0, len(self.against)])
            yield Segments([Corpus(known_texts([text]), *references) for text in self.texts])
            return
        if self.kind == SQUAD:
            yield _squad_segments(self)
            return
        inputs = self.inputs
        self.progress.expect(chain(*(file.shards for file in inputs)))
        lengths, n_read = [0] * len(inputs), 0
        for blocks in aligned([file.blocks(self.bad, self.progress) for file in inputs], lengths):
            if self.bad.n_rows and not self.bad.is_skipped:
                continue
            segments = self._segments(blocks, n_read)
            n_read += len(segments.corpora[0])
            if len(segments.corpora[0]):
                yield segments
        self.bad.check()
        check_lengths(inputs, lengths)
        if n_read == 0:
            every = in_number(lengths[0], f"[the only row is|all {lengths[0]:,} rows are]")
            raise InputError(f"{shown_name(inputs[0].path)}: {every} bad")

    def read(self) -> Segments:
        """Read all segments at once."""
        return joined_segments(list(self.blocks()))

    def _segments(self, blocks: Sequence[TextBlock], first: int) -> Segments:
        """Return the same rows of all files as segments, of which the first has the number `first`."""
        bad = sorted({row for block in blocks for row in block.bad})
        start = first + self.bad.n_skipped
        self.bad.skipped += [start + row for row in bad]
        n_systems, n_texts = len(self.systems), len(self.systems) + len(self.references)
        n_own = len(blocks[0].columns) - len(self.keep)
        references = [*blocks[0].columns[1:n_own], *chain(*(block.columns for block in blocks[n_systems:n_texts]))]
        translated = references.pop(n_own - 2).texts if self._has_own_sources else None
        beside = [block.columns[0].texts for block in blocks[n_texts:]]
        names = [*self.beside]
        if "source" in names:
            translated = beside.pop(names.index("source"))
            names.remove("source")
        corpora = [
            Corpus(block.columns[0].texts, *_merged(references, block.n_rows), sources=translated)
            for block in blocks[:n_systems]
        ]
        beside += [column.texts for column in blocks[0].columns[n_own:]]
        if bad:
            good = np.delete(np.arange(blocks[0].n_rows), bad)
            corpora, beside = [one.take(good) for one in corpora], [texts.take(good) for texts in beside]
        # What warns looks at the beginning of a corpus, which later blocks are not.
        corpora = [replace(corpus, first=first) for corpus in corpora]
        return Segments(corpora, dict(zip([*names, *map(kept, self.keep)], beside, strict=True)))


def aligned(readers: Sequence[Blocks], lengths: list[int]) -> Iterator[list[TextBlock]]:
    """Yield the same rows of all files, until one of them ends; count the rows of each to its end."""
    counted = [_counted(reader, lengths, i) for i, reader in enumerate(readers)]
    left: list[Any] = [next(reader, None) for reader in counted]
    while None not in left:
        n_rows = min(reading.BLOCK_ROWS, *(block.n_rows for block in left))
        yield [block.slice(0, n_rows) for block in left]
        left = [
            block.slice(n_rows, block.n_rows) if n_rows < block.n_rows else next(reader, None)
            for block, reader in zip(left, counted, strict=True)
        ]
    for reader in counted:
        deque(reader, maxlen=0)


def _counted(reader: Blocks, lengths: list[int], i: int) -> Blocks:
    for block in reader:
        lengths[i] += block.n_rows
        if block.n_rows:
            yield block


def check_lengths(inputs: Sequence[InputFile], lengths: Sequence[int]) -> None:
    """Refuse files without rows, and of different lengths."""
    for file, length in zip(inputs, lengths, strict=True):
        if length == 0:
            raise InputError(f"{shown_name(file.path)}: the file is empty")
        if length != lengths[0]:
            unit, of_first = ("lines" if one.format == "text" else "rows" for one in (file, inputs[0]))
            other = "" if unit == of_first else f" {of_first}"
            allowed = f"as many {unit} as {shown_name(inputs[0].path)} has{other} ({lengths[0]})"
            fail(InputError, shown_name(file.path), allowed, str(length))


def joined_segments(parts: Sequence[Segments]) -> Segments:
    """Concatenate blocks."""
    if len(parts) == 1:
        return parts[0]
    corpora = []
    for of_system in zip(*(part.corpora for part in parts), strict=True):
        references = joined([TextLists(corpus.references, corpus.reference_offsets) for corpus in of_system])
        sources = [corpus.sources for corpus in of_system if corpus.sources is not None]
        corpora.append(
            Corpus(
                joined_texts([corpus.hypotheses for corpus in of_system]), *references,
                sources=joined_texts(sources) if sources else None,
            )
        )  # fmt: skip
    beside = {name: joined_texts([part.beside[name] for part in parts]) for name in parts[0].beside}
    return Segments(corpora, beside)


def _merged(columns: Sequence[TextLists], n_rows: int) -> TextLists:
    """Concatenate the references of every segment, column by column."""
    if not columns:
        return TextLists(known_texts([]), np.zeros(n_rows + 1, np.int64))
    if len(columns) == 1:
        return columns[0]
    n_references = [lengths_of(column.offsets) for column in columns]
    segment_of = np.concatenate([np.repeat(np.arange(n_rows), lengths) for lengths in n_references])
    texts = joined_texts([column.texts for column in columns]).take(np.argsort(segment_of, kind="stable"))
    return TextLists(texts, offsets_of(np.sum(n_references, axis=0)))


def _squad_segments(files: ParallelFiles) -> Segments:
    """Read rows with "id" and "prediction_text", and with "id" and "answers", in one file or several."""
    from ..input.squad_rows import reader_of

    read = reader_of(files.metrics)
    rows = {path: _squad_rows(path) for path in (*files.systems, *files.references)}
    answers = rows[[*files.systems, *files.references][-1]]
    corpora = []
    for path in files.systems:
        try:
            corpora.append(read(rows[path], answers))
        except (TypeError, ValueError) as error:
            raise InputError(f"{shown_name(path)}: {error}") from error
    return Segments(corpora, ids=[row["id"] for row in answers])


def _squad_rows(path: str) -> Sequence[dict[str, Any]]:
    """Return the rows of JSON Lines, or of SQuAD's own files."""
    from ..input.squad_rows import is_official, official_rows

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
