"""Parquet files as columns of texts, by Arrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from ..arrays import offsets_of
from ..arrow import WIDE_TEXT, WIDE_TEXTS, is_text, is_texts, texts_of
from ..checks import fail
from .files import STDIN, check_unpacked, damaged, open_binary, shown_name
from .messages import InputError
from .reading import Column, Field, blame, check_fields

BATCH_ROWS = 1 << 14
# Arrow raises any of these for damaged files.
_DAMAGED = (pa.ArrowException, OSError, ValueError, KeyError)


def parquet_columns(path: str, fields: Sequence[Field]) -> list[Column]:
    """Read columns of a Parquet file."""
    name = shown_name(path)
    if path == STDIN:
        fail(InputError, name, "a format that can be read from its beginning", "Parquet")
    with open_binary(path) as raw:
        try:
            file, n_bytes = _opened(raw, [field.name for field in fields])
            schema = file.schema_arrow
        except _DAMAGED as error:
            fail(InputError, name, "a Parquet file", " ".join(str(error).split()))
        check_fields(name, fields, schema.names)
        check_unpacked(name, raw, n_bytes)
        readers = [_ColumnReader(name, field, schema.field(field.name).type) for field in fields]
        batches = file.iter_batches(batch_size=BATCH_ROWS, columns=[field.name for field in fields])
        while True:
            try:
                batch = next(batches, None)
            except _DAMAGED as error:
                raise damaged(name, error) from error
            if batch is None:
                return [reader.column() for reader in readers]
            for reader in readers:
                values = reader.checked(batch.column(reader.field.name))
                n_bytes += _size_of_text(values)
                check_unpacked(name, raw, n_bytes)
                reader.add(values)


class _ColumnReader:
    """Collects the batches of one column."""

    def __init__(self, name: str, field: Field, kind: pa.DataType) -> None:
        self.name, self.field = name, field
        self.parts: list[pa.Array] = []
        self.n_rows = 0
        self.kind = WIDE_TEXT if is_text(kind) else WIDE_TEXTS if field.may_hold_lists and is_texts(kind) else None

    def place(self, row: int) -> str:
        return f"{self.name}, row {self.n_rows + row + 1}, field {self.field.name!r}"

    def checked(self, values: pa.Array) -> pa.Array:
        if self.kind is None:
            blame(values.to_pylist(), self.place, self.field)
        try:
            values.validate(full=True)
        except pa.ArrowInvalid as error:
            _blame_utf8(values, self.place)
            raise damaged(self.name, error) from error
        return values

    def add(self, values: pa.Array) -> None:
        column = values.cast(self.kind)
        if not _is_complete(column):
            blame(values.to_pylist(), self.place, self.field)
        self.parts.append(column)
        self.n_rows += len(column)

    def column(self) -> Column:
        array = pa.concat_arrays([pa.array([], self.kind), *self.parts])
        if self.kind == WIDE_TEXT:
            return Column.of(texts_of(array))
        return Column(texts_of(array.flatten()), offsets_of(np.asarray(array.value_lengths(), np.int64)))


def _is_complete(column: pa.Array) -> bool:
    """Return whether no text is null and no list of texts is empty."""
    if column.null_count or not pa.types.is_large_list(column.type):
        return not column.null_count
    return not column.flatten().null_count and bool(column.value_lengths().to_numpy().all())


def _opened(raw: BinaryIO, fields: Sequence[str]) -> tuple[pyarrow.parquet.ParquetFile, int]:
    """Open a file, and return the size of the indices into its dictionaries: four bytes per text.

    Repeated text stays a dictionary, whose unpacked size is known before it is unpacked.
    """
    file = pyarrow.parquet.ParquetFile(raw)
    metadata = file.metadata
    columns = [file.schema.column(i) for i in range(len(file.schema))]
    own = [i for i, one in enumerate(columns) if any(f"{one.path}.".startswith(f"{field}.") for field in fields)]
    texts = [columns[i].path for i in own if columns[i].physical_type == "BYTE_ARRAY"]
    n_texts = sum(metadata.row_group(g).column(i).num_values for g in range(metadata.num_row_groups) for i in own)
    return pyarrow.parquet.ParquetFile(raw, metadata=metadata, read_dictionary=texts), 4 * n_texts


def _size_of_text(values: pa.Array) -> int:
    """Return the bytes of all texts; a dictionary's texts count once per use."""
    texts = values.flatten() if is_texts(values.type) else values
    if not pa.types.is_dictionary(texts.type):
        return int(texts.nbytes)
    lengths = pc.binary_length(texts.dictionary.cast(WIDE_TEXT)).take(texts.indices)
    return pc.sum(lengths).as_py() or 0


def _blame_utf8(values: pa.Array, place: Callable[[int], str]) -> None:
    """Raise for the first row with bytes that are not UTF-8, if there is one."""
    texts = values.flatten() if is_texts(values.type) else values
    if pa.types.is_dictionary(texts.type):
        largest = pc.max(texts.indices).as_py()
        if largest is None or largest >= len(texts.dictionary) or pc.min(texts.indices).as_py() < 0:
            return
    for row in range(len(values)):
        try:
            values[row].as_py()
        except UnicodeDecodeError as error:
            fail(InputError, place(row), "UTF-8", f"the byte 0x{error.object[error.start]:02x}")
