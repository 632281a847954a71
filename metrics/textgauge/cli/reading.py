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

from ..checks import fail
from .fields import TEXT, check_fields
from .files import InputError, TextFile, line_blocks
from .json_lines import JsonLines
from .parquet import Parquet

FORMATS = ("text", "jsonl", "csv", "tsv", "parquet")
_FORMAT_OF_SUFFIX = {".ndjson": "jsonl", ".json": "jsonl", ".pq": "parquet"} | {f".{name}": name for name in FORMATS}
_DELIMITERS = {"csv": ",", "tsv": "\t"}
# Arrow wants every row of CSV to fit into one block.
_CSV_BLOCK = 1 << 25


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
