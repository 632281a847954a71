"""Where commands print or write: text, pages of JSON, rows of segments; whole files."""

from __future__ import annotations

import io
import json
import math
import os
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import IO, Any

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
# What is no score, so that JSON has it exactly: probabilities, and settings of a test.
_EXACT = ("p", "p_holm", "wins", "confidence", "power")
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


def page_of(page: Mapping[str, Any], width: int | None) -> str:
    """Return a page of JSON, its numbers rounded."""
    return json.dumps(rounded({"version": __version__, **page}, width), indent=2, allow_nan=False)


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


def has_colour() -> bool:
    """Return whether colours are shown."""
    if os.environ.get("NO_COLOR"):
        return False
    is_dumb = os.environ.get("TERM", "") in ("dumb", "unknown")
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and not is_dumb)


def rounded(value: Any, width: int | None) -> Any:
    """Round the numbers of a result for JSON, but for `_EXACT`; None leaves all exact. Named tuples become objects."""
    if isinstance(value, float):
        # JSON has no infinity, the perplexity of a text with probability 0.
        return None if not math.isfinite(value) else value if width is None else round(value, width)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: rounded(part, None if key in _EXACT else width) for key, part in value.items()}
    return [rounded(part, width) for part in value] if isinstance(value, (list, tuple)) else value


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
