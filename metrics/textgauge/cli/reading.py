"""One input file as batches of text columns, whatever its format."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Sequence
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from ..checks import fail
from .fields import TEXT, TEXTS, blame, check_fields, is_complete
from .files import STDIN, InputError, TextFile, line_blocks, open_binary, share_read, shown_name
from .json_lines import JsonLines

FORMATS = ("text", "jsonl", "csv", "tsv", "parquet")
_FORMAT_OF_SUFFIX = {".ndjson": "jsonl", ".json": "jsonl", ".pq": "parquet"} | {f".{name}": name for name in FORMATS}
_DELIMITERS = {"csv": ",", "tsv": "\t"}
# Arrow wants every row of CSV to fit into one block.
_CSV_BLOCK = 1 << 25
_PARQUET_ROWS = 1 << 14


def format_of(path: str) -> str:
    """Return the format that a file name stands for: plain text unless its suffix says otherwise.

    Examples
    --------
    >>> format_of("scored.jsonl.gz"), format_of("newstest.de")
    ('jsonl', 'text')
    """
    suffix = os.path.splitext(path.removesuffix(".gz"))[1]
    return _FORMAT_OF_SUFFIX.get(suffix.lower(), "text")


class Source(Protocol):
    """A file that gives its columns batch by batch."""

    name: str
    unit: str

    def batches(self) -> Iterator[list[pa.Array]]:
        """Yield one array per field, equally long: large_string, or large_list of it."""

    def done(self) -> float | None:
        """Return the share that was read, None if unknown."""

    def close(self) -> None:
        """Close the file."""


def source_of(path: str, kind: str, fields: Sequence[str], n_text: int) -> Source:
    """Open a file.

    Parameters
    ----------
    path : str
        "-" is standard input.
    kind : one of `FORMATS`
    fields : sequence of str
        The columns to read; plain text has one, without a name.
    n_text : int
        The first `n_text` fields must be single texts, the others may be lists of texts.
    """
    if kind == "text":
        return PlainText(path)
    if kind == "jsonl":
        return JsonLines(path, fields, n_text)
    return Parquet(path, fields, n_text) if kind == "parquet" else Delimited(path, fields, _DELIMITERS[kind])


class PlainText:
    r"""One segment per line: lines end at \n or \r\n and nowhere else."""

    unit = "lines"

    def __init__(self, path: str) -> None:
        """Open the file."""
        self.file = TextFile(path)
        self.name, self.done, self.close = self.file.name, self.file.done, self.file.close

    def batches(self) -> Iterator[list[pa.Array]]:
        """Yield the lines."""
        for block in line_blocks(self.file):
            text = (block + "\n").replace("\r\n", "\n")[:-1]
            yield [pc.split_pattern(pa.array([text], TEXT), "\n").flatten()]


class Delimited:
    """CSV or TSV with a header; a quoted value may hold newlines."""

    unit = "rows"

    def __init__(self, path: str, fields: Sequence[str], delimiter: str) -> None:
        """Open the file."""
        self.file = TextFile(path)
        self.fields, self.delimiter = fields, delimiter
        self.name, self.done, self.close = self.file.name, self.file.done, self.file.close

    def batches(self) -> Iterator[list[pa.Array]]:
        """Yield the columns."""
        if not self.file.entry:
            return
        lines = io.StringIO(self.file.entry.decode(errors="ignore"), newline="")
        check_fields(self.name, self.fields, next(csv.reader(lines, delimiter=self.delimiter)))
        try:
            for batch in self._reader():
                yield [batch.column(field) for field in self.fields]
        except pa.ArrowInvalid as error:
            reason = str(error).removeprefix("CSV parse error: ")
            allowed = f"rows with as many values as the header, each row below {_CSV_BLOCK >> 20} MiB"
            fail(InputError, self.name, allowed, reason)

    def _reader(self) -> pyarrow.csv.CSVStreamingReader:
        return pyarrow.csv.open_csv(
            self.file,
            read_options=pyarrow.csv.ReadOptions(use_threads=False, block_size=_CSV_BLOCK),
            parse_options=pyarrow.csv.ParseOptions(delimiter=self.delimiter, newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(
                include_columns=self.fields, column_types=dict.fromkeys(self.fields, TEXT), check_utf8=False
            ),
        )


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
            self._file = pyarrow.parquet.ParquetFile(self._raw)
        except (pa.ArrowException, OSError) as error:
            self._raw.close()
            fail(InputError, self.name, "a Parquet file", str(error))

    def batches(self) -> Iterator[list[pa.Array]]:
        """Yield the columns."""
        check_fields(self.name, self.fields, self._file.schema_arrow.names)
        first = 1
        for batch in self._file.iter_batches(batch_size=_PARQUET_ROWS, columns=list(self.fields)):
            yield [self._column(batch.column(field), index, first) for index, field in enumerate(self.fields)]
            first += len(batch)

    def done(self) -> float | None:
        """Return the share of the bytes that was read."""
        return share_read(self._raw)

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def _column(self, values: pa.Array, index: int, first: int) -> pa.Array:
        may_hold_lists = index >= self.n_text
        kind = _text_type(values.type, may_hold_lists=may_hold_lists)
        column = None if kind is None else values.cast(kind)
        if column is None or not is_complete(column):
            place = f"field {self.fields[index]!r}"
            blame(values.to_pylist(), lambda row: f"{self.name}, row {first + row}, {place}", lists=may_hold_lists)
        return column


def _text_type(kind: pa.DataType, *, may_hold_lists: bool) -> pa.DataType | None:
    """Return what a column is cast to, None if it holds no text."""
    types = pa.types
    kind = kind.value_type if types.is_dictionary(kind) else kind
    if may_hold_lists and (types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)):
        return TEXTS if _text_type(kind.value_type, may_hold_lists=False) else None
    # By name: older releases of Arrow have no function that knows string_view.
    return TEXT if str(kind) in ("string", "large_string", "string_view") else None
