"""A file in any format, or several that a folder or a pattern of names stands for."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from ..arrays import IntArray
from ..checks import fail, listed
from ..input.columns import known_texts
from ..input.sessions import OfUtterances, Utterances
from ..lazy import lazy
from .delimited import DELIMITERS, delimited_blocks, names_in_header
from .json_lines import json_blocks, names_in_json
from .lines import STDIN, FileError, Limits, Progress, shards_of, shown_name, suffix_of
from .marked_up import MARKED_UP, marked_up_blocks
from .plain_text import TIMES, TIMES_TO_TEXT, text_blocks, transcript_blocks, warn_of_ids
from .rows import BadRows, Blocks, NamedColumn, OwnRows, Reading, Records, TextBlock, TextLists, joined
from .session_files import session_blocks

OF_SESSIONS = ("stm", "seglst")
OF_LINES = ("text", "trn", "kaldi", *OF_SESSIONS, *MARKED_UP)
# Lines that begin or end with an id may stand beside columns with these ids, so that a suffix counts.
_OF_IDS = ("trn", "kaldi")
FORMATS = (*OF_LINES, "jsonl", "csv", "tsv", "parquet")
_FORMAT_OF_SUFFIX = {".ndjson": "jsonl", ".json": "jsonl", ".pq": "parquet"} | {f".{name}": name for name in FORMATS}
# Those of files that count in a folder.
_SUFFIXES: dict[str | None, list[str]] = {None: sorted(_FORMAT_OF_SUFFIX.keys() - {".text", ".kaldi"})}
_SUFFIXES |= {name: sorted(suffix for suffix, own in _FORMAT_OF_SUFFIX.items() if own == name) for name in FORMATS}


class Part(NamedTuple):
    """The rows of a file that belong to one system: those of `codes` that are one of `own`."""

    name: str
    codes: IntArray
    own: Sequence[int]


@dataclass(frozen=True, eq=False, repr=False)
class InputFile:
    """A file, or the files that a folder or a pattern of names stands for, and the columns to read.

    Attributes
    ----------
    path : str
        "-" is standard input.
    fields : sequence of NamedColumn
        The columns; those of `OF_LINES` have one, whatever its name.
    file_format : one of `FORMATS`, or None for the format of the suffix
        That of transcripts, "trn" and "kaldi", is for files whose suffix has none.
    limits : Limits
    quoting : one of `QUOTINGS`, or None for that of the format
        Of CSV and TSV.
    key : NamedColumn or None
        By which rows are joined with those of other files: the last column of blocks where the file has it.
    part : Part or None
        The rows to read, if these are not all.
    utterances : OfUtterances or None
        If rows are utterances, whose sessions are to be read.
    """

    path: str
    fields: Sequence[NamedColumn]
    file_format: str | None = None
    limits: Limits = Limits()
    quoting: str | None = None
    key: NamedColumn | None = None
    part: Part | None = None
    utterances: OfUtterances | None = None

    @property
    def title(self) -> str:
        """What messages call the file."""
        name = shown_name(self.path)
        return name if self.part is None else f"system {self.part.name!r} of {name}"

    @lazy
    def shards(self) -> list[str]:
        """The files."""
        return shards_of(self.path, in_folders=_SUFFIXES[self.file_format])

    @lazy
    def format(self) -> str:
        """Their format: that of their suffix, or plain text.

        Examples
        --------
        >>> InputFile("scored.jsonl.gz", ()).format, InputFile("newstest.de", ()).format
        ('jsonl', 'text')
        """
        formats = {}
        for shard in self.shards:
            suffix = suffix_of(shard)
            if suffix in TIMES and self.file_format is None:
                fail(FileError, shown_name(shard), f"a text with each utterance ({TIMES_TO_TEXT})", suffix)
            own = _FORMAT_OF_SUFFIX.get(suffix, "text")
            formats[own if self.file_format in _OF_IDS and own != "text" else self.file_format or own] = shard
        if len(formats) > 1:
            fail(FileError, shown_name(self.path), "files of one format", listed([*map(shown_name, formats.values())]))
        return next(iter(formats))

    @property
    def is_read_once(self) -> bool:
        """Whether the file can be read only once, such as standard input or a pipe."""
        return self.path == STDIN or not all(map(os.path.isfile, self.shards))

    @property
    def has_columns(self) -> bool:
        """Whether columns have names."""
        return self.format not in OF_LINES

    def names(self) -> list[str]:
        """Return the names of the columns of the first file: those of its first row."""
        name, path = shown_name(self.path), self.shards[0]
        if self.is_read_once and (path == STDIN or os.path.exists(path)):
            fail(FileError, name, "a file that can be read twice, whose columns are looked up first", "a stream")
        self._check_columns()
        if self.format == "parquet":
            from .parquet import names_in

            return names_in(path)
        if self.format == "jsonl":
            return names_in_json(path, self.limits)
        return names_in_header(path, self.format, self.quoting, self.limits)

    def blocks(self, bad: BadRows, progress: Progress | None = None) -> Blocks:
        """Yield blocks of consecutive rows, none empty; `bad` gets those that have no texts in these columns."""
        if self.utterances is not None:
            sessions = self._sessions(self.utterances, bad, progress)
            if sessions.n_rows:
                yield sessions
            return
        own_rows = None if self.part is None else OwnRows(self.part.codes, self.part.own)
        blocks_of, reading = _READERS[self.format], Reading(bad, progress or Progress(), self.limits, own_rows)
        if self.format in DELIMITERS:
            blocks_of = partial(blocks_of, quoting=self.quoting)
        fields, n_columns = [*self.fields, *([] if self.key is None else [self.key])], 0
        for shard in self.shards:
            for i, block in enumerate(blocks_of(shard, fields, reading)):
                if i == 0:
                    self._check_first(shard, block, n_columns)
                    n_columns = len(block.columns)
                if block.n_rows:
                    yield block

    def _sessions(self, of: OfUtterances, bad: BadRows, progress: Progress | None) -> TextBlock:
        """Return the texts of the sessions of all rows, and their names where there is a key."""
        fields = [NamedColumn(field.name, field.flag, field.role, is_json=True) for field in self.fields]
        for what, names in of.columns().items():
            fields += [NamedColumn(name, f"--{what}-field", is_json=True) for name in names]
        utterances, rows = Utterances(len(self.fields)), replace(self, fields=fields, key=None, utterances=None)
        for block in rows.blocks(bad, progress):
            if block.bad:
                continue
            every = zip(fields, block.columns, strict=True)
            values = {field.name: [*map(json.loads, column.texts.tolist())] for field, column in every}
            place = shown_name(self.path) if block.places is None else block.places.place
            for side, field in enumerate(self.fields):
                try:
                    utterances.add_rows(side, values[field.name], of, values, place)
                except (TypeError, ValueError) as error:
                    raise FileError(str(error)) from None
        texts = utterances.texts()
        columns_of = [TextLists.of(known_texts([*side.values()])) for side in texts]
        if self.key is not None:
            columns_of.append(TextLists.of(known_texts([*texts[0]])))
        return TextBlock(columns_of, (), Records(shown_name(self.path), "session", range(1, len(texts[0]) + 1), ()))

    def _check_first(self, shard: str, first: TextBlock, n_columns: int) -> None:
        """Check the first block of a shard: raise if only some shards have the key; warn of plain text that has ids."""
        if n_columns and n_columns != len(first.columns) and self.key is not None:
            allowed = f"a field {self.key.name!r} in all files of {shown_name(self.path)}, or in none"
            fail(FileError, shown_name(shard), allowed, "a file that differs from others")
        if self.format == "text" and self.file_format is None:
            warn_of_ids(shown_name(shard), first.columns[0].texts)

    def _check_columns(self) -> None:
        if not self.has_columns:
            allowed = f"{listed(FORMATS[len(OF_LINES) :], 'or')}, which have columns"
            fail(FileError, shown_name(self.path), allowed, "plain text")

    def columns(self) -> list[TextLists]:
        """Read all rows at once."""
        if len(self.fields) > 1:
            self._check_columns()
        bad = BadRows()
        blocks = list(self.blocks(bad))
        bad.check()
        if not any(block.n_rows for block in blocks):
            raise FileError(f"{shown_name(self.path)}: the file is empty")
        return [joined([block.columns[i] for block in blocks]) for i in range(len(self.fields))]


def _parquet_blocks(path: str, fields: Sequence[NamedColumn], reading: Reading) -> Blocks:
    # Imported here: Arrow takes 0.1 s to import.
    from .parquet import parquet_blocks

    return parquet_blocks(path, fields, reading)


_READERS: Mapping[str, Callable[..., Blocks]] = {
    "text": text_blocks, "jsonl": json_blocks, "parquet": _parquet_blocks,
    **{name: partial(delimited_blocks, format_name=name) for name in DELIMITERS},
    "trn": partial(transcript_blocks, is_trn=True), "kaldi": partial(transcript_blocks, is_trn=False),
    **{name: partial(session_blocks, form=name) for name in OF_SESSIONS},
    **{name: partial(marked_up_blocks, form=name) for name in MARKED_UP},
}  # fmt: skip
