"""Parquet as batches of text columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from ..checks import fail
from .fields import TEXT, TEXTS, blame, check_fields, is_complete
from .files import STDIN, InputError, check_unpacked, open_binary, share_read, shown_name

BATCH_ROWS = 1 << 14
_TO_ITS_END = "a Parquet file that can be read to its end"
# What Arrow raises for damaged files; some of its own errors are no other than these.
_DAMAGED = (pa.ArrowException, OSError, ValueError, KeyError)


class Parquet:
    """Columns of a Parquet file."""

    unit = "rows"

    def __init__(self, path: str, fields: Sequence[str], n_text: int) -> None:
        """Open the file and look at its schema."""
        self.name, self.fields, self.n_text = shown_name(path), fields, n_text
        if path == STDIN:
            fail(InputError, self.name, "a format that can be read from its beginning", "Parquet")
        self._raw = open_binary(path)
        try:
            self._file = _opened(self._raw, fields)
            self._names, self._n_bytes = self._file.schema_arrow.names, _size_of_indices(self._file, fields)
        except _DAMAGED as error:
            self._raw.close()
            fail(InputError, self.name, "a Parquet file", _one_line(error))

    def batches(self) -> Iterator[list[pa.Array]]:
        """Yield the columns."""
        check_fields(self.name, self.fields, self._names)
        check_unpacked(self.name, self._raw, self._n_bytes)
        first = 1
        for batch in self._record_batches():
            yield [self._column(batch.column(field), index, first) for index, field in enumerate(self.fields)]
            first += len(batch)

    def done(self) -> float | None:
        """Return the share of the bytes that was read."""
        return share_read(self._raw)

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def _record_batches(self) -> Iterator[pa.RecordBatch]:
        batches = self._file.iter_batches(batch_size=BATCH_ROWS, columns=list(self.fields))
        while True:
            try:
                batch = next(batches, None)
            except _DAMAGED as error:
                fail(InputError, self.name, _TO_ITS_END, _one_line(error))
            if batch is None:
                return
            yield batch

    def _column(self, values: pa.Array, index: int, first: int) -> pa.Array:
        def place(row: int) -> str:
            return f"{self.name}, row {first + row}, field {self.fields[index]!r}"

        may_hold_lists = index >= self.n_text
        kind = _text_type(values.type, may_hold_lists=may_hold_lists)
        if kind is None:
            blame(values.to_pylist(), place, lists=may_hold_lists)
        try:
            values.validate(full=True)
        except pa.ArrowInvalid as error:
            _blame_utf8(values, place)
            fail(InputError, self.name, _TO_ITS_END, _one_line(error))
        self._n_bytes += _size_of_text(values)
        check_unpacked(self.name, self._raw, self._n_bytes)
        column = values.cast(kind)
        if not is_complete(column):
            blame(values.to_pylist(), place, lists=may_hold_lists)
        return column


def _opened(raw: BinaryIO, fields: Sequence[str]) -> pyarrow.parquet.ParquetFile:
    """Open a file so that text which comes again and again is in memory once, and its size known before it is not."""
    file = pyarrow.parquet.ParquetFile(raw)
    columns = [file.schema.column(i) for i in range(len(file.schema))]
    texts = [c.path for c in columns if c.physical_type == "BYTE_ARRAY" and _is_part_of(c.path, fields)]
    return pyarrow.parquet.ParquetFile(raw, metadata=file.metadata, read_dictionary=texts)


def _is_part_of(path: str, fields: Sequence[str]) -> bool:
    return any(path == field or path.startswith(f"{field}.") for field in fields)


def _size_of_indices(file: pyarrow.parquet.ParquetFile, fields: Sequence[str]) -> int:
    """Return the bytes of the positions in a dictionary, four for every text."""
    metadata = file.metadata
    chunks = [metadata.row_group(g).column(c) for g in range(metadata.num_row_groups) for c in range(len(file.schema))]
    return 4 * sum(chunk.num_values for chunk in chunks if _is_part_of(chunk.path_in_schema, fields))


def _size_of_text(values: pa.Array) -> int:
    """Return the bytes of all texts, those of a dictionary as often as they are used."""
    kind = values.type
    if pa.types.is_dictionary(kind):
        lengths = pc.binary_length(values.dictionary.cast(TEXT)).take(values.indices)
        return pc.sum(lengths).as_py() or 0
    if _is_list(kind):
        return _size_of_text(values.flatten())
    return int(values.nbytes)


def _blame_utf8(values: pa.Array, place: Callable[[int], str]) -> None:
    """Name the first row with bytes that are not UTF-8, if there is one."""
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
    """Return what a column is cast to, None if it holds no text."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if may_hold_lists and _is_list(kind):
        return TEXTS if _text_type(kind.value_type, may_hold_lists=False) else None
    # By name: older releases of Arrow have no function that knows string_view.
    return TEXT if str(kind) in ("string", "large_string", "string_view") else None


def _is_list(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())
