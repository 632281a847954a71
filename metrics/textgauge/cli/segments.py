"""Parallel files: those of one or several systems, of their references, and of documents or prefixes by segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..arrays import lengths_of, offsets_of
from ..checks import fail
from ..columns import Corpus, known_texts, without_references
from ..plain import Texts
from .files import shown_name
from .messages import InputError, refuse
from .reading import Column, Field, format_of, joined_texts, read_columns, read_json

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
    """

    systems: Sequence[str]
    references: Sequence[str]
    kind: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    has_references: bool = True
    documents: str | None = None
    prefixes: str | None = None
    measures: Sequence[Any] = ()

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
        return self.kind or format_of(path)

    def _fields(self, option: str) -> list[Field]:
        given = self.fields.get(option, DEFAULT_FIELDS[option])
        names = [given] if isinstance(given, str) else given
        return [Field(name, flag_of(option), may_hold_lists=option == "reference_field") for name in names]

    def read(self) -> Segments:
        """Read all files.

        Raises
        ------
        InputError
            If the files differ in length, or are empty.
        """
        if self.kind == SQUAD:
            corpora, ids = _squad_corpora(self.systems, self.references, self.measures)
            return Segments(corpora, None, None, ids)
        first = self._fields("prediction_field")
        has_both = self.has_references and not self.references
        sides = [(path, first + self._fields("reference_field") if has_both else first) for path in self.systems]
        sides += [(path, self._fields("reference_field")) for path in self.references]
        more = {"document_field": self.documents, "prefix_field": self.prefixes}
        sides += [(path, self._fields(option)) for option, path in more.items() if path is not None]
        files = [read_columns(path, self._format(path), fields) for path, fields in sides]
        self._check_lengths([path for path, _ in sides], [columns[0].n_rows for columns in files])
        n_systems, n_texts = len(self.systems), len(self.systems) + len(self.references)
        columns = files[0][1:] + [column for columns in files[n_systems:n_texts] for column in columns]
        references = _merged(columns) if columns else None
        extra = iter([columns[0].texts for columns in files[n_texts:]])
        documents, prefixes = (None if path is None else next(extra) for path in more.values())
        corpora = [_corpus(columns[0].texts, references) for columns in files[:n_systems]]
        return Segments(corpora, documents, prefixes)

    def _check_lengths(self, paths: Sequence[str], lengths: Sequence[int]) -> None:
        units = ["lines" if self._format(path) == "text" else "rows" for path in paths]
        for path, length, unit in zip(paths, lengths, units, strict=True):
            if length == 0:
                raise InputError(f"{shown_name(path)}: the file is empty")
            if length != lengths[0]:
                other = "" if unit == units[0] else f" {units[0]}"
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

    def read(self) -> Segments:
        """Return one segment of every system."""
        if not self.has_references:
            return Segments([without_references(known_texts([text])) for text in self.texts], None, None)
        references, offsets = known_texts([*self.against]), np.array([0, len(self.against)])
        return Segments([Corpus(known_texts([text]), references, offsets) for text in self.texts], None, None)


def all_texts(path: str, kind: str | None, fields: Mapping[str, Any]) -> Texts:
    """Read a file of texts in the form of the predictions."""
    own = {name: value for name, value in fields.items() if name == "prediction_field"}
    return Sides([path], [], kind, own, has_references=False).read().corpora[0].hypotheses


def _corpus(texts: Texts, references: Column | None) -> Corpus:
    return without_references(texts) if references is None else Corpus(texts, *references)


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
