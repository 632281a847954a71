"""Sides that belong together: columns of several files as one corpus, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any

import click
import numpy as np
import pyarrow as pa

from ..arrays import IntArray, offsets_of
from ..arrow import texts_of
from ..checks import fail
from ..columns import Corpus
from .files import STDIN, InputError, shown_name
from .options import spelled
from .reading import Source, format_of, source_of
from .squad import SQUAD, SquadRows

DEFAULT_FIELDS: dict[str, Any] = {"prediction_field": "prediction", "reference_field": "reference"}
PREFIX_FIELD = "prefix"


def open_sides(
    stack: ExitStack,
    predictions: str,
    references: Sequence[str],
    kind: str | None,
    fields: Mapping[str, Any],
    *,
    is_paired: bool = True,
) -> list[Source]:
    """Open the files of both sides: the first has the predictions, and the references if it is alone.

    Parameters
    ----------
    stack : ExitStack
        Closes the files.
    kind : one of `FORMATS`, `SQUAD`, or None for the format that each name stands for
    fields : mapping
        "prediction_field", a name, and "reference_field", one or several, as far as they were given.
    is_paired : bool
        Whether there are references at all.
    """
    paths = [predictions, *references]
    if not is_paired:
        _check_unpaired(references, fields)
        return [stack.enter_context(closing(open_texts(predictions, kind, fields)))]
    if kind == SQUAD:
        _check_stdin(paths)
        return [open_squad(stack, [predictions], references, fields)]
    kinds = [kind or format_of(path) for path in paths]
    _check_sides(paths, kinds, fields)
    hypothesis = fields.get("prediction_field", DEFAULT_FIELDS["prediction_field"])
    reference = list(fields.get("reference_field", [DEFAULT_FIELDS["reference_field"]]))
    first = source_of(predictions, kinds[0], [hypothesis, *(() if references else reference)], 1)
    sources = [stack.enter_context(closing(first))]
    for path, its_kind in zip(references, kinds[1:], strict=True):
        sources.append(stack.enter_context(closing(source_of(path, its_kind, reference, 0))))
    return sources


def open_squad(
    stack: ExitStack, systems: Sequence[str], references: Sequence[str], fields: Mapping[str, Any]
) -> Source:
    """Open files with rows of SQuAD."""
    for name in fields:
        fail(click.UsageError, spelled(name), "another format than squad, which has names of its own", "both")
    return stack.enter_context(closing(SquadRows(systems, references)))


def open_texts(path: str, kind: str | None, fields: Mapping[str, Any]) -> Source:
    """Open a file of texts in the form of the predictions."""
    its_kind = kind or format_of(path)
    if "prediction_field" in fields and its_kind == "text":
        fail(click.UsageError, "--prediction-field", "a file with columns", "plain text")
    return source_of(path, its_kind, [fields.get("prediction_field", DEFAULT_FIELDS["prediction_field"])], 1)


def all_texts(path: str, kind: str | None, fields: Mapping[str, Any]) -> pa.LargeStringArray:
    """Read a file of texts in the form of the predictions."""
    with closing(open_texts(path, kind, fields)) as source:
        columns = [column for [column] in source.batches()]
    if not sum(map(len, columns)):
        fail(InputError, source.name, "at least one text", "none: the file is empty")
    return pa.concat_arrays(columns)


def open_prefixes(stack: ExitStack, path: str, kind: str | None, field: str | None) -> Source:
    """Open the file of what stands before each text."""
    its_kind = kind or format_of(path)
    if field is not None and its_kind == "text":
        fail(click.UsageError, "--prefix-field", "a file with columns", "plain text")
    return stack.enter_context(closing(source_of(path, its_kind, [field or PREFIX_FIELD], 1)))


def _check_unpaired(references: Sequence[str], fields: Mapping[str, Any]) -> None:
    if references or "reference_field" in fields:
        name = "--references" if references else "--reference-field"
        fail(click.UsageError, name, "a metric that has references", "perplexity alone")


def _check_stdin(paths: Sequence[str]) -> None:
    if paths.count(STDIN) > 1:
        fail(click.UsageError, "--references", "standard input for one side only", "'-' twice")


def _check_sides(paths: Sequence[str], kinds: Sequence[str], fields: Mapping[str, Any]) -> None:
    first_kind, others = kinds[0], kinds[1:]
    _check_stdin(paths)
    if not others and first_kind == "text":
        got = f"none, and {shown_name(paths[0])} is plain text, which holds one side only"
        fail(click.UsageError, "--references", "a file", got)
    sides = {"prediction_field": [first_kind], "reference_field": others or [first_kind]}
    for name in fields:
        if set(sides[name]) == {"text"}:
            fail(click.UsageError, spelled(name), "a file with columns", "plain text")
    names = [fields.get("prediction_field", "prediction")] if not others else []
    names += fields.get("reference_field", ["reference"])
    if len(set(names)) < len(names):
        fail(click.UsageError, "--reference-field", "every column once", ", ".join(map(repr, names)))


def corpora(sources: Sequence[Source]) -> Iterator[Corpus]:
    """Yield the segments of all files; the first column is the predictions, the others are references.

    Raises
    ------
    InputError
        If the files differ in length, or are empty: at the end, when all lengths are known.
    """
    return (corpus for corpus, _ in corpora_and_prefixes(sources, has_prefixes=False))


def corpora_and_prefixes(
    sources: Sequence[Source], *, has_prefixes: bool
) -> Iterator[tuple[Corpus, pa.LargeStringArray | None]]:
    """Yield the segments of all files, of which there may be no references, and what stands before them.

    With `has_prefixes` the last column is the prefixes; else see `corpora`.
    """
    for columns in aligned(sources):
        prefixes = columns.pop() if has_prefixes else None
        predictions, *references = columns
        texts, offsets = predictions.slice(0, 0), np.zeros(len(predictions) + 1, np.int64)
        if references:
            texts, offsets = merged_references(references)
        yield Corpus(texts_of(predictions), texts_of(texts), offsets), prefixes


def aligned(sources: Sequence[Source]) -> Iterator[list[pa.Array]]:
    """Yield the columns of all files, equally long; raise as `corpora` does."""
    streams = [source.batches() for source in sources]
    pending: list[list[pa.Array] | None] = [next(stream, None) for stream in streams]
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
            pending[index] = next(streams[index], None) if is_used_up else [c.slice(n_ready) for c in columns]
    rest = [len(columns[0]) if columns else 0 for columns in pending]
    lengths = [n_segments + n + sum(len(columns[0]) for columns in s) for n, s in zip(rest, streams, strict=True)]
    _check_lengths(sources, lengths)


def _check_lengths(sources: Sequence[Source], lengths: Sequence[int]) -> None:
    for source, length in zip(sources, lengths, strict=True):
        if length == 0:
            fail(InputError, source.name, "at least one segment", "none: the file is empty")
        if length != lengths[0]:
            unit = "" if source.unit == sources[0].unit else f" {sources[0].unit}"
            allowed = f"as many {source.unit} as {sources[0].name} has{unit} ({lengths[0]})"
            fail(InputError, source.name, allowed, str(length))


def merged_references(columns: Sequence[pa.Array]) -> tuple[pa.LargeStringArray, IntArray]:
    """Put the references of every segment behind each other, column by column."""
    texts = [column.flatten() if pa.types.is_large_list(column.type) else column for column in columns]
    lengths = [_lengths(column) for column in columns]
    offsets = offsets_of(np.sum(lengths, axis=0))
    if len(columns) == 1:
        return texts[0], offsets
    segment_of = np.concatenate([np.repeat(np.arange(len(n)), n) for n in lengths])
    return pa.concat_arrays(texts).take(pa.array(np.argsort(segment_of, kind="stable"))), offsets


def _lengths(column: pa.Array) -> IntArray:
    """Return the number of texts per segment: int64."""
    if pa.types.is_large_list(column.type):
        return np.asarray(column.value_lengths(), np.int64)
    return np.ones(len(column), np.int64)
