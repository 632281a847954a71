"""What commands print or write: tables for people and papers, pages of JSON, rows of segments, text; whole files.

In tables neither numbers nor names are cut.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import shutil
import stat
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Any, NamedTuple

import click

from .. import __version__
from ..checks import listed, printable
from .messages import InputError, refuse

# Suffixes of files of rows, of rows that are not written, and of pages.
ROWS = (".json", ".jsonl", ".csv", ".parquet")
_OTHERS, _PAGES = (".tsv", ".ndjson", ".pq", ".xlsx", ".gz"), (".html", ".htm")
# What commands write other than rows, in a form that is asked for or by themselves.
_FORMS = {"brief": "lines of numbers", "as_json": "JSON", "paper": "a table"}
_WRITTEN = {
    "explain": "a page",
    "mbr": "lines of text",
    **dict.fromkeys(("compare", "plan", "agree", "diversity"), "a table"),
}
# The characters of tables outside ASCII.
_DRAWN = str.maketrans("━─", "--", "╸")


def show(text: str, output: str | None) -> None:
    """Print to standard output, with colours if they are shown, or write a file."""
    if output is not None:
        with writing("--output", output):
            write_whole(output, click.unstyle(text) + "\n")
        return
    try:
        "━─╸".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (LookupError, UnicodeEncodeError):
        text = text.translate(_DRAWN)
    click.echo(text if has_colour() else click.unstyle(text), color=True)


def show_texts(lines: Sequence[str], output: str | None) -> None:
    """Print texts of an input as lines, or write them to a file: as they are, but for what a terminal would obey."""
    if output is not None:
        with writing("--output", output):
            write_whole(output, "".join(f"{line}\n" for line in lines))
        return
    for line in lines:
        # Without `color`, click removes escape sequences from text on its way into a pipe.
        click.echo(printable(line) if sys.stdout.isatty() else line, color=True)


def page_of(page: Mapping[str, Any], width: int | None, *, ensure_ascii: bool = True) -> str:
    """Return a page of JSON, its numbers rounded."""
    whole = rounded({"version": __version__, **page}, width)
    return json.dumps(whole, indent=2, allow_nan=False, ensure_ascii=ensure_ascii)


def checked_suffix(path: str, allowed: Collection[str], flag: str) -> str:
    """Return the suffix of a file to write; refuse a suffix that is not allowed."""
    suffix = last_suffix(path)
    if suffix not in allowed:
        refuse(f"{flag} needs a name that ends in {listed(allowed, 'or')}, not {path!r}")
    return suffix


def check_suffix(command: str, options: Mapping[str, Any]) -> None:
    """Refuse an output file with the suffix of another format."""
    suffix = last_suffix(options["output"])
    what = next((form for name, form in _FORMS.items() if options.get(name)), _WRITTEN.get(command, ""))
    of_json = suffix in ((".json", ".jsonl") if command == "mbr" else (".json",))
    if suffix in _PAGES and command != "explain":
        why = f"{suffix} is for a page of textgauge explain"
    elif suffix in _OTHERS:
        why = f"rows per segment are {listed(ROWS, 'or')}"
    elif suffix in ROWS and what and not (of_json and what == "JSON"):
        is_json = of_json and what != "a page"
        why = f"{suffix} is for {'JSON, with --json' if is_json else 'rows per segment of textgauge score'}"
    elif command == "explain" and suffix not in ("", *_PAGES):
        why = f"a page is {_PAGES[0]}"
    else:
        return
    refuse(f"--output: {what or 'a table'} cannot be written to {options['output']}: {why}")


def write_rows(
    output: str, blocks: Callable[[], Iterable[Mapping[str, Sequence[Any]]]], width: int | None,
    exact: Collection[str] = (),
) -> None:  # fmt: skip
    """Write rows, block by block, in the form of the suffix, one of `ROWS`.

    Where a form has no place for lists and objects, they are written as JSON.

    Parameters
    ----------
    output : str
    blocks : callable
        Returns the columns of consecutive rows, of equal length, and may be called again.
    width : int or None
        Rounds all but the columns `exact`.
    exact : collection of str
    """

    def rounded_blocks() -> Iterator[dict[str, list[Any]]]:
        for columns in blocks():
            yield {name: rounded([*values], None if name in exact else width) for name, values in columns.items()}

    suffix = last_suffix(output)
    with writing("--output", output), whole_file(output) as file:
        if suffix == ".parquet":
            write_parquet(file, rounded_blocks)
            return
        every = rounded_blocks()
        for text in _lines_of_csv(every) if suffix == ".csv" else _lines_of_json(every, is_array=suffix == ".json"):
            file.write(_encoded(text))


def _lines_of_csv(blocks: Iterable[Mapping[str, Sequence[Any]]]) -> Iterator[str]:
    import csv

    for i, columns in enumerate(blocks):
        text = io.StringIO()
        head = [] if i else [columns]
        csv.writer(text, lineterminator="\n").writerows([*head, *(map(_cell, row) for row in _rows_of(columns))])
        yield text.getvalue()


def _lines_of_json(blocks: Iterable[Mapping[str, Sequence[Any]]], *, is_array: bool) -> Iterator[str]:
    between, last = (",\n", "\n]\n") if is_array else ("\n", "\n")
    start = "[\n" if is_array else ""
    for columns in blocks:
        objects = (dict(zip(columns, row, strict=True)) for row in _rows_of(columns))
        yield start + between.join(json.dumps(item, ensure_ascii=False, allow_nan=False) for item in objects)
        start = between
    yield last


def _rows_of(columns: Mapping[str, Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    return zip(*columns.values(), strict=True)


# A group of rows in Parquet: smaller ones take more place, larger ones more memory.
_GROUP_ROWS = 1 << 16


def write_parquet(file: IO[bytes], blocks: Callable[[], Iterable[Mapping[str, Any]]]) -> None:
    """Write columns as a Parquet file: once to know their types, which later blocks may change, and once to write."""
    import pyarrow as pa
    import pyarrow.parquet

    types: dict[str, set[Any]] = {}
    for columns in blocks():
        for name, values in columns.items():
            types.setdefault(name, set()).add(_type_of(values))
    merged = {name: _merged(of_blocks) for name, of_blocks in types.items()}
    if unsure := [name for name, of_blocks in types.items() if len(of_blocks - {pa.null()}) > 1]:
        for columns in blocks():
            for name in unsure:
                try:
                    pa.array(columns[name], merged[name])
                except (pa.ArrowException, OverflowError):
                    merged[name] = None
    schema = pa.schema([(name, pa.string() if kind is None else kind) for name, kind in merged.items()])
    with pa.parquet.ParquetWriter(file, schema) as writer:
        waiting: list[Any] = []
        for columns in blocks():
            arrays = [pa.array(_as_texts(columns[name]) if merged[name] is None else columns[name], kind)
                      for name, kind in zip(schema.names, schema.types, strict=True)]  # fmt: skip
            waiting.append(pa.table(arrays, schema=schema))
            if sum(map(len, waiting)) >= _GROUP_ROWS:
                writer.write_table(pa.concat_tables(waiting))
                waiting = []
        if waiting:
            writer.write_table(pa.concat_tables(waiting))


def _type_of(values: Sequence[Any]) -> Any:
    """Return the type that Arrow finds, None for values of several types."""
    import pyarrow as pa

    try:
        return pa.array(values).type
    except (pa.ArrowException, OverflowError):
        return None


def _merged(types: Collection[Any]) -> Any:
    """Return the type that has room for all, None if there is no such type."""
    import pyarrow as pa

    if None in types:
        return None
    try:
        schemas = [pa.schema([("values", kind)]) for kind in types]
        return pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except pa.ArrowException:
        return None


def _as_texts(values: Sequence[Any]) -> list[str | None]:
    return [
        value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values
    ]


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list, bool)) else value


_BAR_WIDTH = 20


# Decimals of larger numbers, such as the perplexity of noise, say nothing: a float has sixteen digits.
_LARGEST_SHOWN = 1e15


class Numbers(NamedTuple):
    """The format of numbers: how many decimals, and what multiplies all but integers."""

    width: int
    factor: float = 1.0

    @classmethod
    def of(cls, scale: float, width: int | None, *, as_percent: bool = False) -> Numbers:
        """Return the format of scores up to `scale`, of `width` decimals if that is given; of 1 also `as_percent`."""
        factor = 100.0 if as_percent and scale == 1 else 1.0
        return cls((4 if scale * factor == 1 else 2) if width is None else width, factor)

    def text(self, value: float | None) -> str:
        """Format a number, an integer without decimals, None as a dash."""
        if value is None:
            return "-"
        if isinstance(value, int):
            return str(value)
        value = self.factor * value
        if _LARGEST_SHOWN <= abs(value) < math.inf:
            return f"{value:.{self.width}e}"
        text = f"{value:.{self.width}f}"
        # What is rounded to zero has no sign.
        return text.lstrip("-") if text[0] == "-" and not float(text) else text

    def difference(self, value: float) -> str:
        """Format a difference, with its sign."""
        return f"{self.factor * value:+.{self.width}f}"

    def interval(self, bounds: Sequence[float]) -> str:
        """Format the bounds of an interval."""
        return f"[{self.text(bounds[0])}, {self.text(bounds[1])}]"


class Row(NamedTuple):
    """A line of a table: names, then numbers; `share` is drawn as a bar."""

    cells: Sequence[str]
    share: float | None
    is_bold: bool
    after_gap: bool


@dataclass
class Table:
    """Names on the left, numbers on the right.

    Attributes
    ----------
    title : str
    heads : sequence of str
        Headlines of the numbers.
    n_left : int
        How many of the first cells of a line are padded on the right.
    """

    title: str
    heads: Sequence[str]
    n_left: int = 1
    rows: list[Row] = field(default_factory=list)

    def add(self, *cells: str, share: float | None = None, is_bold: bool = False, after_gap: bool = False) -> None:
        """Add a line."""
        self.rows.append(Row(cells, share, is_bold, after_gap))

    def text(self, *below: str) -> str:
        """Format all lines, and the lines below them."""
        table: list[Sequence[str]] = [[self.title, *self.heads], *[row.cells for row in self.rows]]
        whole = "".join(map("".join, table))
        if not whole.isprintable():
            table = [[*map(printable, cells)] for cells in table]
        size: Callable[[str], int] = len if whole.isascii() else cells_of
        widths = [max(map(size, column)) for column in zip(*table, strict=True)]
        lines = []
        for cells in table:
            line = ""
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True)):
                space = " " * (width - size(cell))
                line += ("   " if i else " ") + (cell + space if i < self.n_left else space + cell)
            lines.append(line)
        n_title, n_columns = len(self.title) + 1, size(lines[0])
        n_columns += _BAR_WIDTH + 3 if any([row.share is not None for row in self.rows]) else 0
        styled = [
            click.style(lines[0][:n_title], fg="cyan", bold=True) + click.style(lines[0][n_title:].rstrip(), dim=True),
            f" {'─' * (n_columns - 1)}",
        ]
        for row, line in zip(self.rows, lines[1:], strict=True):
            drawn = "" if row.share is None else bar(row.share)
            text = f"{line}   " if drawn else line.rstrip()
            text = click.style(text, bold=True) if row.is_bold else text
            styled.append("\n" * row.after_gap + text + (click.style(drawn, fg="cyan") if drawn else ""))
        return "\n".join([*styled, *map(dimmed, below)])


def turned(lines: list[Sequence[str]]) -> list[Sequence[str]]:
    """Return the lines of a table, transposed if only the transposed table fits into the terminal."""
    if not sys.stdout.isatty():
        return lines
    width = shutil.get_terminal_size().columns
    columns: list[Sequence[str]] = [*zip(*lines, strict=True)]
    flat, other = (sum(max(map(cells_of, line)) + 3 for line in side) - 2 for side in (columns, lines))
    return columns if other <= width < flat else lines


def dimmed(note: str) -> str:
    """Format a note below tables."""
    return click.style(printable(note), dim=True)


PAPERS = ("markdown", "latex")
_LATEX = str.maketrans(
    {**{mark: f"\\{mark}" for mark in "&%$#_{}"}, "\\": r"\textbackslash{}", "~": r"\textasciitilde{}",
     "^": r"\textasciicircum{}", "†": r"$^\dagger$", "‡": r"$^\ddagger$", "↓": r"$\downarrow$"}
)  # fmt: skip
# What Markdown, the HTML in it and formulas between dollars read; below a table are sentences that have names in them.
_MARKDOWN = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_|<>$~&["})
_MARKDOWN_BELOW = re.compile(r"[\\`*$]|<(?=[A-Za-z/!?])")


def paper(
    form: str, heads: Sequence[str], rows: Sequence[Sequence[str]], below: Sequence[str], first: str = "system"
) -> str:
    r"""Format a table for a paper, in one of `PAPERS`; every row starts with the name of its system, or of `first`.

    Examples
    --------
    >>> print(paper("markdown", ["ter ↓"], [["a|b_<i>.txt", "40.83†"]], ["24 segments"]))
    | system | ter ↓ |
    |---|---:|
    | a\|b\_\<i\>.txt | 40.83† |
    <BLANKLINE>
    24 segments
    """
    table = [[first, *heads], *([printable(cell) for cell in row] for row in rows)]
    if form == "markdown":
        lines = [f"| {' | '.join([name.translate(_MARKDOWN), *cells])} |" for name, *cells in table]
        below = [_MARKDOWN_BELOW.sub(r"\\\g<0>", printable(note)) for note in below]
        return "\n".join([lines[0], "|---|" + "---:|" * len(heads), *lines[1:], "", *below])
    lines = [" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in table]
    # LaTeX reads a bracket after the end of a line as a length.
    lines = [f"{{[}}{line[1:]}" if line.startswith("[") else line for line in lines]
    head = rf"\begin{{tabular}}{{l{'r' * len(heads)}}}"
    whole = [head, r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*whole, *(f"% {printable(note)}" for note in below)])


def bar(share: float) -> str:
    """Draw a share of the perfect score."""
    halves = int(2 * _BAR_WIDTH * min(max(share, 0.0), 1.0))
    return "━" * (halves // 2) + "╸" * (halves % 2)


def cells_of(text: str) -> int:
    """Count the terminal columns of a text."""
    if text.isascii():
        return len(text)
    return sum(_width_of(c) for c in text)


def _width_of(c: str) -> int:
    """Return the columns of a character: none of what is drawn over or between others, but for the soft hyphen."""
    if unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return int(c == "\u00ad")
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def has_colour() -> bool:
    """Return whether colours are shown."""
    if os.environ.get("NO_COLOR"):
        return False
    is_dumb = os.environ.get("TERM", "") in ("dumb", "unknown")
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and not is_dumb)


def rounded(value: Any, width: int | None) -> Any:
    """Round all numbers of a result for JSON; None leaves them exact."""
    if isinstance(value, dict):
        return {key: rounded(part, width) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part, width) for part in value]
    if not isinstance(value, float):
        return value
    # JSON has no infinity, the perplexity of a text with probability 0.
    return None if not math.isfinite(value) else value if width is None else round(value, width)


def last_suffix(path: str | None) -> str:
    """Return the suffix of a name of a file to write in lower case, that of gzip too; empty without a name."""
    return os.path.splitext(path or "")[1].lower()


def write_whole(path: str | os.PathLike[str], text: str | bytes) -> None:
    """Write a file as a whole or not at all: an existing file stays until all is written.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    with whole_file(path) as file:
        file.write(text if isinstance(text, bytes) else _encoded(text))


def _encoded(text: str) -> bytes:
    """Encode as text mode does: the ends of lines are those of the system."""
    return text.replace("\n", os.linesep).encode()


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file that takes its name at the end, if nothing failed.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    # Imported here, with what loads OpenSSL: most calls write no file.
    import secrets
    from pathlib import Path

    given = Path(path)
    if given.exists() and not given.is_file():
        # A device or a pipe; a folder is refused.
        with given.open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    mode = stat.S_IMODE(target.stat().st_mode) if target.is_file() else None
    # An unpredictable name and mode "x", so that no planted link is followed.
    part = target.with_name(f".textgauge.{secrets.token_hex(16)}.part")
    try:
        with open(part, "xb", opener=partial(os.open, mode=0o666 if mode is None else 0o600)) as file:
            yield file
        if mode is not None:
            part.chmod(mode)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def writing(flag: str, path: str) -> Iterator[None]:
    """Turn an error of the system into one line about the file that a flag names."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{flag}: cannot write {printable(path)}: {reason}") from error
