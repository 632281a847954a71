"""Parquet files as columns of texts, by Arrow."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from itertools import islice
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from ..checks import fail
from ..input.arrow import WIDE_TEXT, is_text, is_texts, reference_array
from . import rows as of_files
from .lines import STDIN, FileError, damaged, is_packed, open_binary, shown_name
from .rows import Blocks, NamedColumn, Reading, Records, TextLists, fields_in, refuse_wrong, without_bad

# Arrow raises any of these for damaged files.
_DAMAGED = (pa.ArrowException, OSError, ValueError, KeyError)

# What a text takes at most in a chunk where all are in a dictionary: its index, and its share of a small dictionary.
_BYTES_OF_INDEX = 8
# The most bytes of a batch of the longest text of a dictionary.
_MOST_OF_BATCH = 1 << 26


def parquet_blocks(path: str, fields: Sequence[NamedColumn], reading: Reading) -> Blocks:
    """Yield blocks of columns of a Parquet file."""
    name = shown_name(path)
    if path == STDIN:
        fail(FileError, name, "a format that can be read from its beginning", "Parquet")
    if is_packed(path):
        fail(FileError, name, "Parquet as it is, which packs its text itself", "a name that ends in .gz")
    with open_binary(path) as raw:
        try:
            file, n_bytes = _opened(raw, [field.name for field in fields])
            names = _names(file.schema_arrow)
        except _DAMAGED as error:
            fail(FileError, name, "a Parquet file", " ".join(str(error).split()))
        fields = fields_in(name, fields, names)
        reading.limits.check_unpacked(name, raw, n_bytes)
        first, read_names = 0, list(dict.fromkeys(field.name for field in fields))
        try:
            for batch in file.iter_batches(batch_size=of_files.BLOCK_ROWS, columns=read_names):
                rows = reading.own(Records(name, "row", range(first + 1, first + 1 + len(batch)), batch))
                for field in fields:
                    n_bytes += _checked_size(rows, field)
                    reading.limits.check_unpacked(name, raw, n_bytes)
                first += len(batch)
                reading.progress.done += os.path.getsize(path) * len(batch) / file.metadata.num_rows
                yield without_bad(
                    rows, lambda rows: [_column(rows, field) for field in fields], len(fields), reading.bad
                )
        except _DAMAGED as error:
            raise damaged(name, error) from error


def names_in(path: str) -> list[str]:
    """Return the names of the columns of a Parquet file."""
    with open_binary(path) as raw:
        try:
            names = _names(pyarrow.parquet.read_schema(raw))
        except _DAMAGED as error:
            fail(FileError, shown_name(path), "a Parquet file", " ".join(str(error).split()))
    return names


def _names(schema: pa.Schema) -> list[str]:
    """Return the names of the columns, and of those in them, as "translation.de"."""
    inner = [(field.name, part.name) for field in schema if pa.types.is_struct(field.type) for part in field.type]
    return [*schema.names, *(".".join(both) for both in inner)]


def _opened(raw: BinaryIO, fields: Sequence[str]) -> tuple[pyarrow.parquet.ParquetFile, int]:
    """Open a file, and return the size of the indices into its dictionaries: four bytes per text.

    Repeated text stays a dictionary, whose unpacked size is known before it is unpacked.
    """
    file = pyarrow.parquet.ParquetFile(raw)
    metadata = file.metadata
    columns = [file.schema.column(i) for i in range(len(file.schema))]
    own = [i for i, column in enumerate(columns) if any(f"{column.path}.".startswith(f"{field}.") for field in fields)]
    texts = [columns[i].path for i in own if columns[i].physical_type == "BYTE_ARRAY"]
    n_texts = sum(metadata.row_group(g).column(i).num_values for g in range(metadata.num_row_groups) for i in own)
    file = pyarrow.parquet.ParquetFile(raw, metadata=metadata, read_dictionary=texts)
    repeated = [columns[i].path for i in own if columns[i].path in texts and not _is_plain(file, i)]
    return pyarrow.parquet.ParquetFile(raw, metadata=metadata, read_dictionary=repeated), 4 * n_texts


def _is_plain(file: pyarrow.parquet.ParquetFile, column: int) -> bool:
    """Return whether a column is read as plain text: one whose dictionaries were given up, as most texts differ.

    Arrow would put all texts of such a chunk into one dictionary, which grows from batch to batch. A dictionary whose
    texts are so long that a batch of them may be large stays one.
    """
    metadata, path = file.metadata, file.schema.column(column).path
    chunks = [metadata.row_group(group).column(column) for group in range(metadata.num_row_groups)]
    if not any(chunk.total_uncompressed_size > _BYTES_OF_INDEX * chunk.num_values for chunk in chunks):
        return False
    for group, chunk in enumerate(chunks):
        if chunk.has_dictionary_page and chunk.num_values:
            (first,) = islice(file.iter_batches(batch_size=1, row_groups=[group], columns=[path]), 1)
            texts = first.column(0)
            if not pa.types.is_dictionary(texts.type):
                return False
            longest = pc.max(pc.binary_length(texts.dictionary)).as_py() or 0
            if longest * of_files.BLOCK_ROWS > _MOST_OF_BATCH:
                return False
    return True


def _checked_size(rows: Records, field: NamedColumn) -> int:
    """Return the bytes of the texts of a column; refuse another type, and name the first row that is not UTF-8."""
    values = _values(rows, field)
    if not (is_text(values.type) or (field.may_hold_lists and is_texts(values.type))):
        refuse_wrong(rows._replace(values=values.to_pylist()), field)
    try:
        values.validate(full=True)
    except pa.ArrowInvalid:
        _blame_utf8(rows._replace(values=values), field)
        raise
    return _size_of_text(_texts_in(values))


def _values(rows: Records, field: NamedColumn) -> pa.Array:
    """Return a column, a key as text, any value as JSON; dates and the like as text."""
    values = _column_named(rows.values, field.name)
    if field.is_json:
        return pa.array([json.dumps(value, default=str) for value in values.to_pylist()], WIDE_TEXT)
    if not field.is_key or is_text(values.type):
        if (
            is_texts(values.type)
            and not field.may_hold_lists
            and pc.all(pc.equal(pc.list_value_length(values), 1)).as_py()
        ):
            # A list of one text is that text.
            return values.flatten()
        return values
    try:
        return values.cast(WIDE_TEXT)
    except pa.ArrowException:
        return pa.array([json.dumps(value, default=str) for value in values.to_pylist()], WIDE_TEXT)


def _column_named(batch: pa.RecordBatch, name: str) -> pa.Array:
    if name in batch.schema.names:
        return batch.column(name)
    outer, _, inner = name.partition(".")
    return pc.struct_field(batch.column(outer), inner)


def _column(rows: Records, field: NamedColumn) -> TextLists:
    values = _values(rows, field)
    references = reference_array(values, field.name)
    return (
        refuse_wrong(rows._replace(values=values.to_pylist()), field) if references is None else TextLists(*references)
    )


def _texts_in(values: pa.Array) -> pa.Array:
    return values.flatten() if is_texts(values.type) else values


def _size_of_text(texts: pa.Array) -> int:
    """Return the bytes of all texts; a dictionary's texts count once per use."""
    if not pa.types.is_dictionary(texts.type):
        return int(texts.nbytes)
    lengths = pc.binary_length(texts.dictionary.cast(WIDE_TEXT)).take(texts.indices)
    return pc.sum(lengths).as_py() or 0


def _blame_utf8(rows: Records, field: NamedColumn) -> None:
    """Raise for the first row with bytes that are not UTF-8, if there is one and indices can be followed."""
    texts = _texts_in(rows.values)
    if pa.types.is_dictionary(texts.type):
        largest = pc.max(texts.indices).as_py()
        if largest is None or largest >= len(texts.dictionary) or pc.min(texts.indices).as_py() < 0:
            return
    for row, value in enumerate(rows.values):
        try:
            value.as_py()
        except UnicodeDecodeError as error:
            fail(FileError, rows.place(row, field), "UTF-8", f"the byte 0x{error.object[error.start]:02x}")
