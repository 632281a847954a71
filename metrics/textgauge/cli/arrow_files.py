"""CSV, TSV and Parquet as batches of text columns, by Arrow."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from ..arrays import offsets_of
from ..arrow import texts_of
from ..checks import LONGEST_PART, fail, printable
from .files import STDIN, TextFile, check_unpacked, damaged, open_binary, share_read, shown_name
from .messages import InputError
from .reading import Column, Field, blame, check_fields

DELIMITERS = {"csv": ",", "tsv": "\t"}
BATCH_ROWS = 1 << 14
# Arrow requires every row of CSV to fit into one block.
_CSV_BLOCK = 1 << 25
_TEXT = pa.large_string()
_TEXTS = pa.large_list(_TEXT)
# Arrow raises any of these for damaged files.
_DAMAGED = (pa.ArrowException, OSError, ValueError, KeyError)


def _column_of(array: pa.Array) -> Column:
    if not pa.types.is_large_list(array.type):
        return Column(texts_of(array))
    return Column(texts_of(array.flatten()), offsets_of(np.asarray(array.value_lengths(), np.int64)))


class Delimited:
    """CSV or TSV with a header; a quoted value may hold newlines."""

    unit = "rows"

    def __init__(self, path: str, fields: Sequence[Field], delimiter: str) -> None:
        """Open the file."""
        self.file = TextFile(path)
        self.fields, self.delimiter = fields, delimiter
        self.name, self.done, self.close = self.file.name, self.file.done, self.file.close

    def batches(self) -> Iterator[list[Column]]:
        """Yield the columns."""
        if not self.file.entry:
            return
        lines = io.StringIO(self.file.entry.decode(errors="ignore"), newline="")
        check_fields(self.name, self.fields, next(csv.reader(lines, delimiter=self.delimiter)))
        try:
            for batch in self._reader():
                yield [_column_of(batch.column(field.name)) for field in self.fields]
        except pa.ArrowInvalid as error:
            reason = str(error).removeprefix("CSV parse error: ")
            raise InputError(
                f"{self.name}: {printable(reason[:LONGEST_PART])}; every row needs as many values as the header, "
                f"and fewer than {_CSV_BLOCK >> 20} MiB"
            ) from error

    def _reader(self) -> pyarrow.csv.CSVStreamingReader:
        names = [field.name for field in self.fields]
        return pyarrow.csv.open_csv(
            self.file,
            read_options=pyarrow.csv.ReadOptions(use_threads=False, block_size=_CSV_BLOCK),
            parse_options=pyarrow.csv.ParseOptions(delimiter=self.delimiter, newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(
                include_columns=names, column_types=dict.fromkeys(names, _TEXT), check_utf8=False
            ),
        )


class Parquet:
    """Columns of a Parquet file."""

    unit = "rows"

    def __init__(self, path: str, fields: Sequence[Field]) -> None:
        """Open the file and look at its schema."""
        self.name, self.fields = shown_name(path), fields
        if path == STDIN:
            fail(InputError, self.name, "a format that can be read from its beginning", "Parquet")
        self._raw = open_binary(path)
        try:
            names = [field.name for field in fields]
            self._file = _opened(self._raw, names)
            self._names, self._n_bytes = self._file.schema_arrow.names, _size_of_indices(self._file, names)
        except _DAMAGED as error:
            self._raw.close()
            fail(InputError, self.name, "a Parquet file", _one_line(error))

    def batches(self) -> Iterator[list[Column]]:
        """Yield the columns."""
        check_fields(self.name, self.fields, self._names)
        check_unpacked(self.name, self._raw, self._n_bytes)
        first = 1
        for batch in self._record_batches():
            yield [_column_of(self._checked(batch.column(field.name), field, first)) for field in self.fields]
            first += len(batch)

    def done(self) -> float | None:
        """Return the share of the bytes read so far."""
        return share_read(self._raw)

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def _record_batches(self) -> Iterator[pa.RecordBatch]:
        batches = self._file.iter_batches(batch_size=BATCH_ROWS, columns=[f.name for f in self.fields])
        while True:
            try:
                batch = next(batches, None)
            except _DAMAGED as error:
                raise damaged(self.name, error) from error
            if batch is None:
                return
            yield batch

    def _checked(self, values: pa.Array, field: Field, first: int) -> pa.Array:
        def place(row: int) -> str:
            return f"{self.name}, row {first + row}, field {field.name!r}"

        kind = _text_type(values.type, may_hold_lists=field.may_hold_lists)
        if kind is None:
            blame(values.to_pylist(), place, field)
        try:
            values.validate(full=True)
        except pa.ArrowInvalid as error:
            _blame_utf8(values, place)
            raise damaged(self.name, error) from error
        self._n_bytes += _size_of_text(values)
        check_unpacked(self.name, self._raw, self._n_bytes)
        column = values.cast(kind)
        if not _is_complete(column):
            blame(values.to_pylist(), place, field)
        return column


def _is_complete(column: pa.Array) -> bool:
    """Return whether no text is null and no list of texts is empty."""
    if column.null_count or not pa.types.is_large_list(column.type):
        return not column.null_count
    return not column.flatten().null_count and bool(column.value_lengths().to_numpy().all())


def _opened(raw: BinaryIO, fields: Sequence[str]) -> pyarrow.parquet.ParquetFile:
    """Open a file so that repeated text stays a dictionary, whose unpacked size is known before it is unpacked."""
    file = pyarrow.parquet.ParquetFile(raw)
    columns = [file.schema.column(i) for i in range(len(file.schema))]
    texts = [c.path for c in columns if c.physical_type == "BYTE_ARRAY" and _is_part_of(c.path, fields)]
    return pyarrow.parquet.ParquetFile(raw, metadata=file.metadata, read_dictionary=texts)


def _is_part_of(path: str, fields: Sequence[str]) -> bool:
    return any(path == field or path.startswith(f"{field}.") for field in fields)


def _size_of_indices(file: pyarrow.parquet.ParquetFile, fields: Sequence[str]) -> int:
    """Return the size of the indices into dictionaries: four bytes per text."""
    metadata = file.metadata
    chunks = [metadata.row_group(g).column(c) for g in range(metadata.num_row_groups) for c in range(len(file.schema))]
    return 4 * sum(chunk.num_values for chunk in chunks if _is_part_of(chunk.path_in_schema, fields))


def _size_of_text(values: pa.Array) -> int:
    """Return the bytes of all texts; a dictionary's texts count once per use."""
    kind = values.type
    if pa.types.is_dictionary(kind):
        lengths = pc.binary_length(values.dictionary.cast(_TEXT)).take(values.indices)
        return pc.sum(lengths).as_py() or 0
    if _is_list(kind):
        return _size_of_text(values.flatten())
    return int(values.nbytes)


def _blame_utf8(values: pa.Array, place: Callable[[int], str]) -> None:
    """Raise for the first row with bytes that are not UTF-8, if there is one."""
    texts = values.flatten() if _is_list(values.type) else values
    if pa.types.is_dictionary(texts.type):
        largest = pc.max(texts.indices).as_py()
        if largest is None or largest >= len(texts.dictionary) or pc.min(texts.indices).as_py() < 0:
            return
    for row in range(len(values)):
        try:
            values[row].as_py()
        except UnicodeDecodeError as error:
            fail(InputError, place(row), "UTF-8", f"the byte 0x{error.object[error.start]:02x}")


def _text_type(kind: pa.DataType, *, may_hold_lists: bool) -> pa.DataType | None:
    """Return the type to cast a column to, None if it does not hold text."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if may_hold_lists and _is_list(kind):
        return _TEXTS if _text_type(kind.value_type, may_hold_lists=False) else None
    # By name: older releases of Arrow have no function that tests for string_view.
    return _TEXT if str(kind) in ("string", "large_string", "string_view") else None


def _is_list(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())
