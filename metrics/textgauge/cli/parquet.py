"""Parquet files as columns of texts, by Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from ..arrow import WIDE_TEXT, WIDE_TEXTS, is_text, is_texts, reference_array
from ..checks import fail
from .files import STDIN, check_unpacked, damaged, is_packed, open_binary, shown_name
from .messages import InputError
from .reading import Column, Field, Rows, check_fields, refuse_wrong

BATCH_ROWS = 1 << 14
# Arrow raises any of these for damaged files.
_DAMAGED = (pa.ArrowException, OSError, ValueError, KeyError)


def parquet_columns(path: str, fields: Sequence[Field]) -> list[Column]:
    """Read columns of a Parquet file."""
    name = shown_name(path)
    if path == STDIN:
        fail(InputError, name, "a format that can be read from its beginning", "Parquet")
    if is_packed(path):
        fail(InputError, name, "Parquet as it is, which packs its text itself", "a name that ends in .gz")
    with open_binary(path) as raw:
        try:
            file, n_bytes = _opened(raw, [field.name for field in fields])
            names = file.schema_arrow.names
        except _DAMAGED as error:
            fail(InputError, name, "a Parquet file", " ".join(str(error).split()))
        check_fields(name, fields, names)
        check_unpacked(name, raw, n_bytes)
        columns = []
        try:
            for field in fields:
                parts: list[pa.Array] = []
                for rows in _batches(file, name, field):
                    n_bytes += _size_of_text(_texts_in(rows.values))
                    check_unpacked(name, raw, n_bytes)
                    parts.append(rows.values.cast(WIDE_TEXTS if is_texts(rows.values.type) else WIDE_TEXT))
                array = pa.concat_arrays(parts or [pa.array([], WIDE_TEXT)])
                found = reference_array(array)
                columns.append(
                    refuse_wrong(_rows(name, 0, array.to_pylist()), field) if found is None else Column(*found)
                )
        except _DAMAGED as error:
            raise damaged(name, error) from error
    return columns


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


def _rows(name: str, first: int, values: Sequence[object]) -> Rows:
    return Rows(name, "row", range(first + 1, first + 1 + len(values)), values)


def _batches(file: pyarrow.parquet.ParquetFile, name: str, field: Field) -> Iterator[Rows]:
    """Yield the values of a column as arrays; refuse another type, and name the first row that is not UTF-8."""
    first = 0
    for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=[field.name]):
        values = batch.column(field.name)
        rows = _rows(name, first, values.cast(WIDE_TEXT) if field.is_key and not is_text(values.type) else values)
        first += len(rows.numbers)
        if not (is_text(rows.values.type) or (field.may_hold_lists and is_texts(rows.values.type))):
            refuse_wrong(rows._replace(values=rows.values.to_pylist()), field)
        try:
            rows.values.validate(full=True)
        except pa.ArrowInvalid:
            _blame_utf8(rows, field)
            raise
        yield rows


def _texts_in(values: pa.Array) -> pa.Array:
    return values.flatten() if is_texts(values.type) else values


def _size_of_text(texts: pa.Array) -> int:
    """Return the bytes of all texts; a dictionary's texts count once per use."""
    if not pa.types.is_dictionary(texts.type):
        return int(texts.nbytes)
    lengths = pc.binary_length(texts.dictionary.cast(WIDE_TEXT)).take(texts.indices)
    return pc.sum(lengths).as_py() or 0


def _blame_utf8(rows: Rows, field: Field) -> None:
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
            fail(InputError, rows.place(row, field), "UTF-8", f"the byte 0x{error.object[error.start]:02x}")
