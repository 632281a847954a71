"""Files whose rows belong together: of systems, of references, and of sources, documents or prefixes beside them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from ..arrays import lengths_of, offsets_of
from ..checks import fail, in_number, listed, warn_user
from ..input.columns import Corpus, known_texts
from ..input.sessions import OfUtterances
from ..lazy import lazy
from ..plain import Texts
from . import rows
from .file import InputFile, Part
from .joined import Joined, names_of_ids
from .json_lines import read_json
from .lines import FileError, Limits, Progress, is_packed, open_binary, shown_name
from .long_table import LongTable
from .marked_up import MARKED_UP, SUBTITLES
from .plain_text import warn_of_both
from .rows import KEY, BadRows, Blocks, NamedColumn, TextBlock, TextLists, as_json, joined, joined_texts, same_texts

# The format of rows that are matched by their ids.
SQUAD = "squad"
# What a column may hold, by the option that sets its name, and its name by default.
_ROLES = ("prediction", "reference", "document", "prefix", "source", "unit", "context")
ROLES = {f"{role}_field": role for role in _ROLES}
# The roles of columns that stand in any file, unless a file of their own is given.
_OF_ANY_FILE = ("unit", "document", "context")
# Those of the extras of segments.
_OF_EXTRAS = (*_OF_ANY_FILE, "prefix")
# How many bytes are looked at for carriage returns.
_LOOKED_AT = 1 << 16
# The options of columns of labels, which may be numbers.
_OF_LABELS = ("unit_field", "context_field")
# The options of columns that may hold lists, where none, all or only those of references may.
_OF_LISTS: Mapping[bool | None, Sequence[str]] = {
    False: (), True: ("prediction_field", "reference_field"), None: ("reference_field",),
}  # fmt: skip


def flag_of(name: str) -> str:
    """Return how an option is typed."""
    return "--" + name.replace("_", "-")


def fields_of(options: Mapping[str, Any], option: str, *, of_lists: bool | None = None) -> list[NamedColumn]:
    """Return the columns that an option names, or the default one; those of references may hold lists by default."""
    names, may_hold_lists = options.get(option) or ROLES[option], option in _OF_LISTS[of_lists]
    is_key = option in _OF_LABELS
    return [
        NamedColumn(name, flag_of(option), ROLES[option], may_hold_lists=may_hold_lists, is_key=is_key)
        for name in ([names] if isinstance(names, str) else names)
    ]


class Segments(NamedTuple):
    """Segments of every system.

    Attributes
    ----------
    corpora : sequence of Corpus
        One for every system.
    extras : mapping
        The texts of other columns by their role, "document", "prefix", "unit" or "context".
    kept : mapping
        The values of kept columns by their names, as JSON.
    ids : sequence
        Those of rows in the form of SQuAD.
    """

    corpora: Sequence[Corpus]
    extras: Mapping[str, Texts] = {}
    kept: Mapping[str, Texts] = {}
    ids: Sequence[Any] = ()


@dataclass(frozen=True, eq=False, repr=False)
class ParallelFiles:
    """The files to read.

    Attributes
    ----------
    systems, references : sequences of str
        Files; `references` may be empty if the file of one system has them.
    file_format : one of `FORMATS`, `SQUAD`, or None for the format of each name's suffix
    fields : mapping
        The given columns, by the option that sets them; several for references.
    has_references : bool
        Whether there are references at all.
    of_lists : bool or None
        Which columns may hold lists: those of predictions and references, none, or by default those of references.
    extras : mapping
        Files with one more text per segment: its "source", its "document", its "prefix" or its "unit".
    metrics : sequence of class
        Those of the scores, of which some read rows of SQUAD in their own way.
    bad, progress : BadRows, Progress
        Get the bad rows of `blocks`, and how far they are.
    keep : sequence of str
        Columns of the first system that are returned beside its segments.
    limits : Limits
    quoting : one of `QUOTINGS`, or None for that of each format
    key : str or None
        The column by which rows of several files are joined; None: "id", where at least two of them have it.
    by_position : bool
        Whether rows belong together by their numbers, whatever their ids.
    table : LongTable or None
        The systems of the one file, if their rows stand in one column.
    utterances : OfUtterances or None
        If the rows of all files are utterances of sessions: for predictions and references.
    """

    systems: Sequence[str]
    references: Sequence[str]
    file_format: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    has_references: bool = True
    of_lists: bool | None = None
    extras: Mapping[str, str] = field(default_factory=dict)
    metrics: Sequence[Any] = ()
    bad: BadRows = field(default_factory=BadRows)
    progress: Progress = field(default_factory=Progress)
    keep: Sequence[str] = ()
    limits: Limits = Limits()
    quoting: str | None = None
    key: str | None = None
    by_position: bool = False
    table: LongTable | None = None
    utterances: OfUtterances | None = None

    @lazy
    def inputs(self) -> list[InputFile]:
        """The files with their columns: those of the systems, of references, and those of `extras`."""
        has_both = self.has_references and not self.references
        parts: list[Part | None] = [None] if self.table is None else self.table.parts()
        of_system = ["prediction_field", *["reference_field"] * has_both]
        of_files = [(path, [*of_system]) for path in self.systems for _ in parts]
        # The file of the first system may have what is translated; of a long table the rows of all systems have it.
        for _, options in of_files[: len(parts)]:
            options.extend(["source_field"] * ("source_field" in self.fields and "source" not in self.extras))
        of_files += [(path, ["reference_field"]) for path in self.references]
        of_files += [(path, [f"{role}_field"]) for role, path in self.extras.items()]
        for role in _OF_ANY_FILE:
            if (option := f"{role}_field") in self.fields and role not in self.extras:
                of_files[self._place_of(option, [path for path, _ in of_files])][1].append(option)
        kept = [NamedColumn(name, "--keep", "kept", is_json=True, may_be_absent=True) for name in self.keep]
        files: list[InputFile] = []
        for (path, options), part in zip_longest(of_files, parts):
            fields: list[NamedColumn] = []
            for option in options:
                fields += fields_of(self.fields, option, of_lists=self.of_lists)
            own = [] if files else kept
            files.append(InputFile(path, fields + own, self.file_format, self.limits, self.quoting, part=part))
        if self.utterances is not None:
            return self._of_sessions(files, self.utterances)
        return files if self.by_position else keyed(files, self.key)

    def _of_sessions(self, files: Sequence[InputFile], of: OfUtterances) -> list[InputFile]:
        """Return files of utterances, whose sessions are joined by name where there are several files."""
        key = NamedColumn(of.session, "--session-field", KEY) if of.session is not None and len(files) > 1 else None
        every = []
        for file in files:
            sides = [int(field.role == "reference") for field in file.fields]
            chosen = [
                names and [names[min(side, len(names) - 1)] for side in sides]
                for names in (of.speakers, of.starts, of.ends)
            ]
            own = OfUtterances(chosen[0], of.session, *chosen[1:])
            every.append(replace(file, key=key, utterances=own))
        return every

    def _place_of(self, option: str, paths: Sequence[str]) -> int:
        """Return the place of the first file that has the column of an option, or else the first that has columns."""
        with_columns = [i for i, path in enumerate(paths) if InputFile(path, (), self.file_format).has_columns]
        having = [i for i in with_columns if self.fields[option] in self.names(paths[i])]
        return (*having, *with_columns, 0)[0]

    def names(self, path: str) -> list[str]:
        """Return the names of the columns of a file; none of plain text, nor of what is read once."""
        file = InputFile(path, (), self.file_format, self.limits, self.quoting)
        return [] if self.file_format == SQUAD or file.is_read_once or not file.has_columns else file.names()

    def blocks(self) -> Iterator[Segments]:
        """Yield consecutive segments of all files, without the bad rows if these are skipped.

        Raises
        ------
        FileError
            At the end: for bad rows that are not skipped, and if files differ in length, or are empty.
        """
        if self.file_format == SQUAD:
            yield _squad_segments(self)
            return
        inputs = self.inputs
        if self.has_references and not self.references and not inputs[0].has_columns:
            raise FileError(f"no references: {shown_name(inputs[0].path)} is plain text, which has no column for them")
        self.progress.expect(chain.from_iterable([file.shards for file in inputs]))
        lengths, n_read = [0] * len(inputs), 0
        readers = [file.blocks(self.bad, self.progress) for file in inputs]
        ids = _joining(inputs, self.bad)
        for blocks in aligned(inputs, readers, lengths, ids):
            if self.bad.n_rows and not self.bad.is_skipped:
                continue
            if n_read == 0:
                self._warn_of_both(blocks)
                _warn_of_same(inputs)
            segments = self._segments(blocks, n_read)
            if n_rows := len(segments.corpora[0]):
                n_read += n_rows
                yield segments
        self.bad.check(n_read=lengths[0])
        if ids is None or not ids.has_reordered:
            check_lengths(inputs, lengths)
        if n_read == 0:
            every = in_number(lengths[0], f"[the only row is|all {lengths[0]:,} rows are]")
            raise FileError(f"{shown_name(inputs[0].path)}: {every} bad; {self.bad.first}")

    def _warn_of_both(self, blocks: Sequence[TextBlock]) -> None:
        """Warn of what stands before the words in plain text and subtitles, of a system and of references."""
        if self.file_format is not None:
            return
        of_role: dict[str, list[tuple[str, Texts]]] = {"prediction": [], "reference": []}
        for file, block in zip(self.inputs, blocks, strict=True):
            if file.format in ("text", *SUBTITLES) and file.fields[0].role in of_role:
                of_role[file.fields[0].role].append((file.path, block.columns[0].texts))
        are_sessions = any(map(attrgetter("inputs.are_sessions"), self.metrics))
        for references, of_references in of_role["reference"][:1]:
            for predictions, texts in of_role["prediction"]:
                warn_of_both(predictions, references, texts, of_references, are_sessions=are_sessions)

    def read(self) -> Segments:
        """Read all segments at once."""
        return joined_segments(list(self.blocks()))

    def _segments(self, blocks: Sequence[TextBlock], first: int) -> Segments:
        """Return the same rows of all files as segments, of which the first has the number `first`."""
        bad = sorted({row for block in blocks for row in block.bad})
        of_role: dict[str, list[TextLists]] = {}
        for i, (file, block) in enumerate(zip(self.inputs, blocks, strict=True)):
            is_shared = i > 0 and file.part is not None
            for place, (column, texts) in enumerate(zip(file.fields, block.columns, strict=True)):
                if is_shared and column.role != "prediction":
                    self._check_shared(i, column, texts, blocks[0].columns[place], bad)
                else:
                    of_role.setdefault(column.role, []).append(texts)
        n_rows = blocks[0].n_rows
        references, offsets = _merged(of_role.get("reference", []), n_rows)
        # No list is empty: as many texts as rows are one for each.
        offsets_of_lists = None if len(references) == n_rows else offsets
        # What warns looks at the beginning of a corpus, which later blocks are not.
        of_source = of_role.get("source")
        sources = of_source[0].texts if of_source else None
        corpora = [
            Corpus(column.texts, references, offsets_of_lists, first, sources=sources)
            for column in of_role["prediction"]
        ]
        extras = {role: columns[0].texts for role, columns in of_role.items() if role in _OF_EXTRAS}
        kept = {name: column.texts for name, column in zip(self.keep, of_role.get("kept", []), strict=True)}
        if bad:
            start = first + len(self.bad.skipped)
            self.bad.skipped += [start + row for row in bad]
            good = np.delete(np.arange(n_rows), bad)
            corpora = [replace(corpus.take(good), first=first) for corpus in corpora]
            extras, kept = ({name: column.take(good) for name, column in texts.items()} for texts in (extras, kept))
        return Segments(corpora, extras, kept)

    def _check_shared(
        self, i: int, column: NamedColumn, texts: TextLists, of_first: TextLists, bad: Sequence[int]
    ) -> None:
        """Refuse rows of a long table whose references or sources are not those of the first system."""
        if texts.offsets.tolist() == of_first.offsets.tolist() and same_texts(texts.texts, of_first.texts):
            return
        for row, (own, first) in enumerate(zip(texts.lists(), of_first.lists(), strict=True)):
            if own != first and row not in bad:
                names = [file.title for file in (self.inputs[0], self.inputs[i])]
                differ = " and ".join(as_json(value[0] if len(value) == 1 else value) for value in (first, own))
                raise FileError(
                    f"{listed(names)} have different texts in {column.name!r} for one segment: {differ} "
                    "(references and sources may stand in a file of their own, with -r and -s)"
                )


def keyed(files: Sequence[InputFile], key: str | None) -> list[InputFile]:
    """Return files with the column by which their rows are joined, where at least two of them may have one."""
    may_have = [file.format != "text" for file in files]
    if sum(may_have) < 2:
        return [*files]
    named = [key] * len(files) if key is not None else names_of_ids(files)
    columns = [
        None if name is None else NamedColumn(name, "--id-field", KEY, is_key=True, is_optional=key is None)
        for name in named
    ]
    return [
        replace(file, key=column) if it_may else file
        for file, it_may, column in zip(files, may_have, columns, strict=True)
    ]


def _joining(files: Sequence[InputFile], bad: BadRows) -> Joined | None:
    """Return what joins rows by their ids, or None if no file may have ids."""
    return Joined(files, bad) if any(map(attrgetter("key"), files)) else None


def aligned(
    files: Sequence[InputFile], readers: Sequence[Blocks], lengths: list[int], ids: Joined | None
) -> Iterator[list[TextBlock]]:
    """Yield the same rows of all files, until one of them ends; count the rows of each to its end.

    Rows are the same by their ids where two files have them. What may have no end, such as a pipe, is left alone once
    it is much longer than others.
    """
    left: list[Any] = [next(reader, None) for reader in readers]
    by_ids = ids if ids is not None and None not in left and ids.start(left) else None
    n_yielded = 0
    while None not in left:
        sizes = [block.n_rows for block in left]
        n_rows = min(rows.BLOCK_ROWS, *sizes)
        blocks = [block if size == n_rows else block.slice(0, n_rows) for block, size in zip(left, sizes, strict=True)]
        if by_ids is not None and not by_ids.are_alike(blocks):
            break
        yield blocks if ids is None else ids.without_ids(blocks)
        n_yielded += n_rows
        left = [
            block.slice(n_rows, size) if n_rows < size else next(reader, None)
            for block, size, reader in zip(left, sizes, readers, strict=True)
        ]
    lengths[:] = [n_yielded + (0 if block is None else block.n_rows) for block in left]
    if by_ids is not None and any(block is not None for block in left):
        rest = [[] if block is None else [block, *reader] for block, reader in zip(left, readers, strict=True)]
        lengths[:] = [n_yielded + sum(block.n_rows for block in of_file) for of_file in rest]
        yield from by_ids.in_order(rest)
        return
    most = 2 * min(lengths) + rows.BLOCK_ROWS
    for i, reader in enumerate(readers):
        while lengths[i] < most or not files[i].is_read_once:
            if (block := next(reader, None)) is None:
                break
            lengths[i] += block.n_rows


def _unit_of(file: InputFile) -> str:
    """Return what segments of a file are called."""
    if file.has_columns:
        return "rows"
    return "segments" if file.format in MARKED_UP else "lines"


def check_lengths(inputs: Sequence[InputFile], lengths: Sequence[int]) -> None:
    """Refuse files without rows, and of different lengths."""
    for file, length in zip(inputs, lengths, strict=True):
        if length == 0:
            raise FileError(f"{file.title}: the file is empty")
        if length != lengths[0]:
            unit, of_first = (_unit_of(input_file) for input_file in (file, inputs[0]))
            other = "" if unit == of_first else f" {of_first}"
            allowed = f"as many {unit} as {inputs[0].title} has{other} ({lengths[0]})"
            longer = file if length > lengths[0] else inputs[0]
            hint = f"; the last line of {longer.title} is empty" if _ends_in_empty_line(longer) else ""
            shorter = file if longer is inputs[0] else inputs[0]
            if min(length, lengths[0]) == 1 and _has_returns(shorter):
                hint = f"; {shorter.title} has carriage returns, but no newlines, between its lines"
            fail(FileError, file.title, allowed, str(length) + hint)


def _warn_of_same(inputs: Sequence[InputFile]) -> None:
    """Warn of two systems that are one file, and of the only system where its file has the references, too."""
    places: dict[str, list[tuple[str, str]]] = {"prediction": [], "reference": []}
    for file in inputs:
        column = file.fields[0]
        if column.role not in places or file.part is not None:
            continue
        place = os.path.realpath(file.path), column.name * file.has_columns
        own = places[column.role]
        if column.role == "prediction" and place in own and not file.is_read_once:
            warn_user(f"{file.title} is given twice: two systems with the same texts cannot differ")
            return
        if column.role == "reference" and places["prediction"] == [place] and not file.is_read_once:
            warn_user(f"{file.title} has both the predictions and the references: texts are compared with themselves")
            return
        own.append(place)


def _has_returns(file: InputFile) -> bool:
    """Return whether a file of one line of plain text has carriage returns in it, as far as that can be looked up."""
    if not _may_be_looked_up(file):
        return False
    with open_binary(file.shards[0]) as line:
        return b"\r" in line.read(_LOOKED_AT).strip()


def _may_be_looked_up(file: InputFile) -> bool:
    return file.format == "text" and not (file.is_read_once or is_packed(file.shards[-1]))


def _ends_in_empty_line(file: InputFile) -> bool:
    """Return whether a file of plain text ends in an empty line, as far as that can be looked up."""
    if not _may_be_looked_up(file):
        return False
    with open_binary(file.shards[-1]) as end:
        end.seek(max(0, os.path.getsize(file.shards[-1]) - 4))
        return end.read().replace(b"\r", b"").endswith(b"\n\n")


def columns_of(files: Sequence[InputFile]) -> list[list[TextLists]]:
    """Read all rows of files that belong together: the columns of each."""
    bad, lengths = BadRows(), [0] * len(files)
    ids = _joining(files, bad)
    parts = [*aligned(files, [file.blocks(bad) for file in files], lengths, ids)]
    bad.check()
    if ids is None or not ids.has_reordered:
        check_lengths(files, lengths)
    return [
        [joined([blocks[i].columns[column] for blocks in parts]) for column in range(len(file.fields))]
        for i, file in enumerate(files)
    ]


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
    extras, kept = (
        {name: joined_texts([of_part[name] for of_part in every]) for name in every[0]}
        for every in ([part.extras for part in parts], [part.kept for part in parts])
    )
    return Segments(corpora, extras, kept)


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
    of_file = {path: _squad_rows(path, files.limits) for path in (*files.systems, *files.references)}
    answers = of_file[[*files.systems, *files.references][-1]]
    corpora = []
    for path in files.systems:
        try:
            corpora.append(read(of_file[path], answers))
        except (TypeError, ValueError) as error:
            raise FileError(f"{shown_name(path)}: {error}") from error
    return Segments(corpora, ids=[row["id"] for row in answers])


def _squad_rows(path: str, limits: Limits) -> Sequence[dict[str, Any]]:
    """Return the rows of JSON Lines, or of SQuAD's own files."""
    from ..input.squad_rows import is_official, official_rows

    name = shown_name(path)
    rows = [row for block in read_json(path, limits) for row in block.values]
    if not rows:
        raise FileError(f"{name}: the file is empty")
    if len(rows) > 1 or not is_official(rows[0]):
        return rows
    try:
        return official_rows(rows[0])
    except (AttributeError, KeyError, TypeError) as error:
        raise FileError(f"{name}: not a file of SQuAD: {type(error).__name__} {error}") from error
