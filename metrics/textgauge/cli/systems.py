"""Files of several systems beside the same references, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any

import click
import pyarrow as pa

from ..arrow import texts_of
from ..checks import fail
from ..columns import Corpus
from .files import STDIN
from .options import spelled
from .reading import Source, format_of, source_of
from .segments import DEFAULT_FIELDS, aligned, merged_references, open_squad
from .squad import SQUAD

DOCUMENT_FIELD = "document"


def open_systems(
    stack: ExitStack,
    systems: Sequence[str],
    references: Sequence[str],
    documents: str | None,
    kind: str | None,
    fields: Mapping[str, Any],
) -> list[Source]:
    """Open the files of the systems, then those of the references, then that of the documents.

    Parameters
    ----------
    stack : ExitStack
        Closes the files.
    kind : one of `FORMATS`, `SQUAD`, or None for the format that each name stands for
    fields : mapping
        "prediction_field", "reference_field" and "document_field", as far as they were given.
    """
    sides = {
        "prediction_field": systems,
        "reference_field": references,
        "document_field": [] if documents is None else [documents],
    }
    if [path for paths in sides.values() for path in paths].count(STDIN) > 1:
        fail(click.UsageError, "systems", "standard input once", "'-' twice")
    if kind == SQUAD:
        if documents is not None:
            fail(click.UsageError, "--documents", "another format than squad, whose rows have ids", "both")
        return [open_squad(stack, systems, references, fields)]
    for name in fields:
        if all((kind or format_of(path)) == "text" for path in sides[name]):
            fail(click.UsageError, spelled(name), "a file with columns", "plain text")
    chosen = {"document_field": DOCUMENT_FIELD, **DEFAULT_FIELDS, **fields}
    sources = []
    for name, paths in sides.items():
        columns = chosen[name] if isinstance(chosen[name], (list, tuple)) else [chosen[name]]
        n_text = 0 if name == "reference_field" else 1
        for path in paths:
            source = source_of(path, kind or format_of(path), columns, n_text)
            sources.append(stack.enter_context(closing(source)))
    return sources


def system_corpora(
    sources: Sequence[Source], n_systems: int, *, has_documents: bool
) -> Iterator[tuple[list[Corpus], pa.Array | None]]:
    """Yield the segments of every system, and the documents that they come from.

    Raises
    ------
    InputError
        If the files differ in length, or are empty.
    """
    for columns in aligned(sources):
        documents = columns.pop() if has_documents else None
        texts, offsets = merged_references(columns[n_systems:])
        yield [Corpus(texts_of(column), texts_of(texts), offsets) for column in columns[:n_systems]], documents
