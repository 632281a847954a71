"""Bytes of files in blocks of whole lines, unpacked and checked to be UTF-8, within limits."""

from __future__ import annotations

import codecs
import glob
import os
import re
import stat
import sys
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import nullcontext
from typing import Any, BinaryIO, NamedTuple

from ..checks import LONGEST_PART, MOST_TIMES_PACKED, MOST_UNPACKED, fail, printable

STDIN = "-"
_PATTERN = re.compile(r"[*?\[]")
# Of files in a folder that may be one text each.
_OF_ONE_TEXT = {".txt", ".text", ".md", ".html", ".htm", ""}
UNSUPPORTED = (".xz", ".zst", ".bz2", ".zip", ".7z")
# How files begin that are no text in UTF-8, and what reads them; UTF-32 before UTF-16, whose mark it begins with.
_ICONV = "convert it, as by iconv"
_PARQUET = "write it as Parquet or JSON Lines"
_LATIN = "if the file is Latin-1 or Windows-1252, iconv -f cp1252 -t utf8 converts it"
_OTHERS = {
    b"\x1f\x8b": "gzip: unpack it, or give it a name that ends in .gz",
    b"\xfd7zXZ\0": "xz: unpack it", b"\x28\xb5\x2f\xfd": "Zstandard: unpack it", b"PK\3\4": "ZIP: unpack it",
    **{b"BZh%d1AY" % level: "bzip2: unpack it" for level in range(1, 10)},
    # Behind the mark of Parquet stands the first field of its metadata, an integer; "PAR1" is the name of a gene, too.
    b"PAR1\x15": "Parquet: give --format parquet", b"%PDF-": "PDF",
    b"ARROW1\0": f"Arrow: {_PARQUET}", b"\xff\xff\xff\xff": f"Arrow: {_PARQUET}", b"\x93NUMPY": f"NumPy: {_PARQUET}",
    b"SQLite format 3\0": f"SQLite: {_PARQUET}",
    **{b"\x80%c" % version: f"a pickle of Python: {_PARQUET}" for version in range(2, 6)},
    codecs.BOM_UTF32_LE: f"UTF-32: {_ICONV}", codecs.BOM_UTF32_BE: f"UTF-32: {_ICONV}",
    codecs.BOM_UTF16_LE: f"UTF-16: {_ICONV}", codecs.BOM_UTF16_BE: f"UTF-16: {_ICONV}",
}  # fmt: skip
# Of Latin text in UTF-16 every other byte is 0; so many are looked at.
_LOOKED_AT, _SHARE_OF_ZEROS = 200, 0.4
# Bytes at a time, up to the end of a line.
BLOCK_BYTES = 1 << 20
_GIB, _MIB = 1 << 30, 1 << 20
# What a line takes at least beside its text, where the size of a packed file is bounded.
_LINE = 16
MAX_LINE = 256 * _MIB


class FileError(Exception):
    """A file that cannot be read or scored; the message says where and what was expected."""


class Limits(NamedTuple):
    """The most that is read.

    Attributes
    ----------
    max_unpacked : float or None
        GiB of a packed file; None: 1, or more in a large one.
    max_line : float or None
        MiB of a line; None: 256.
    """

    max_unpacked: float | None = None
    max_line: float | None = None

    @property
    def longest_line(self) -> float:
        """The most bytes of a line."""
        return MAX_LINE if self.max_line is None else self.max_line * _MIB

    def check_unpacked(self, name: str, raw: BinaryIO, n_bytes: int, n_lines: int = 0) -> None:
        """Refuse a packed file that unpacks to more text, or to more lines of few bytes."""
        chosen = self.max_unpacked
        limit = MOST_UNPACKED if chosen is None else chosen * _GIB
        size = max(n_bytes, _LINE * n_lines)
        if size > limit and (chosen is not None or n_bytes > MOST_TIMES_PACKED * os.fstat(raw.fileno()).st_size):
            of_lines = f", {_LINE} bytes a line at least" if n_bytes <= limit else ""
            allowed = f"at most {1 if chosen is None else chosen:g} GiB of text{of_lines} (--max-unpacked)"
            fail(FileError, name, allowed, "a packed file with more")


def shown_name(path: str) -> str:
    """Return the name of a file in messages, tables and pages."""
    return "standard input" if path == STDIN else printable(path) or "''"


def has_wildcards(path: str) -> bool:
    """Return whether a name is a pattern."""
    return bool(_PATTERN.search(path))


def is_packed(path: str) -> bool:
    """Return whether a name is that of a gzip file."""
    return path.lower().endswith(".gz")


def open_binary(path: str) -> BinaryIO:
    """Open a file for reading; refuse a device that never ends."""
    try:
        file = open(path, "rb")  # noqa: SIM115
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read {shown_name(path)}: {reason.lower()}") from error
    try:
        check_end(file, path)
    except FileError:
        file.close()
        raise
    return file


def check_end(file: BinaryIO, path: str) -> None:
    """Refuse a character device, such as /dev/zero, which may never end; a terminal and the null device are allowed."""
    try:
        about = os.fstat(file.fileno())
    except (OSError, ValueError):
        # Not a file of the system.
        return
    if stat.S_ISCHR(about.st_mode) and not file.isatty() and about.st_rdev != os.stat(os.devnull).st_rdev:
        fail(FileError, shown_name(path), "a file, a pipe or a terminal", "a device that never ends")


class Progress:
    """How much of some files is read, in bytes of what is stored; `size` is 0 if nobody knows."""

    size, done = 0, 0.0

    def expect(self, paths: Iterable[str]) -> None:
        """Take the files; pipes do not count."""
        self.size = sum(map(os.path.getsize, filter(os.path.isfile, paths)))


def shards_of(path: str, *, in_folders: Collection[str] = ()) -> list[str]:
    """Return the files that a name stands for: itself, those of a pattern as "part-*.parquet", or those in a folder.

    Parameters
    ----------
    in_folders : collection of str
        The suffixes of the files in a folder that count; hidden ones, and those that begin with "_", never do.

    Raises
    ------
    FileError
        If there are none, or one has an unsupported suffix.
    """
    shards = [path]
    if path != STDIN and os.path.isdir(path):
        names = [name for name in sorted(os.listdir(path)) if name[0] not in "._"]
        _refuse_dataset(path, names)
        shards = [os.path.join(path, name) for name in names if suffix_of(name) in in_folders]
        if not shards:
            way_out = "; if each of its files is one text, write them as rows of JSON Lines, each with its id"
            without = f"{shown_name(path)} is a folder without files of {', '.join(in_folders)}"
            raise FileError(without + (way_out if _OF_ONE_TEXT.intersection(map(suffix_of, names)) else ""))
    elif not os.path.exists(path) and has_wildcards(path):
        shards = sorted(filter(os.path.isfile, glob.glob(path)))
        if not shards:
            raise FileError(f"cannot read {shown_name(path)}: no file has such a name")
    for shard in shards:
        if shard.lower().endswith(UNSUPPORTED):
            got = f"{os.path.splitext(shard)[1]}, which is not supported: unpack it"
            fail(FileError, shown_name(shard), "text, or text packed by gzip", got)
    return shards


def _refuse_dataset(path: str, names: Collection[str]) -> None:
    """Refuse a folder that `save_to_disk` of datasets wrote, whose files of JSON have no rows."""
    splits = "dataset_dict.json" in names
    if splits or ("dataset_info.json" in names and any(name.endswith(".arrow") for name in names)):
        loaded = f"datasets.load_from_disk(FOLDER){'[SPLIT]' if splits else ''}"
        way_out = f"{loaded}.to_parquet(FILE) in Python writes Parquet"
        fail(FileError, shown_name(path), f"a folder of files with columns ({way_out})", "a data set of `datasets`")


def suffix_of(path: str) -> str:
    """Return the suffix of a file in lower case, without that of gzip."""
    return os.path.splitext(path.lower().removesuffix(".gz"))[1]


def line_blocks(path: str, limits: Limits, progress: Progress) -> Iterator[tuple[int, bytes]]:
    """Yield a file in blocks of whole lines, each with the number of its first line; without a byte order mark.

    Parameters
    ----------
    path : str
        "-" is standard input, which stays open; a name that ends in .gz is unpacked.

    Raises
    ------
    FileError
        No such file, one that never ends, damaged gzip, or a line longer than the limit.
    """
    number, before = 1, 0
    with nullcontext(sys.stdin.buffer) if path == STDIN else open_binary(path) as raw:
        if path == STDIN:
            check_end(raw, path)
        file: Any = raw
        if is_packed(path):
            from gzip import GzipFile

            file = GzipFile(fileobj=raw)
        try:
            while data := _lines_from(file, raw, path, number, limits):
                if os.path.isfile(path):
                    before, at = raw.tell(), before
                    progress.done += before - at
                if number == 1:
                    data = data.removeprefix(codecs.BOM_UTF8)
                if number == 1 and (other := _other_than_utf8(data)):
                    fail(FileError, shown_name(path), "UTF-8", other)
                if data:
                    yield number, data
                number += data.count(b"\n")
        except (OSError, EOFError, zlib.error) as error:
            raise damaged(shown_name(path), error) from error


def _other_than_utf8(data: bytes) -> str | None:
    """Return what a file is whose bytes begin so, None for what may be text in UTF-8."""
    for beginning, other in _OTHERS.items():
        if data.startswith(beginning):
            return other
    first = data[:_LOOKED_AT]
    n_zeros = first.count(0)
    is_utf16 = n_zeros > 2 and n_zeros > _SHARE_OF_ZEROS * len(first)
    return f"UTF-16 without a mark of its byte order: {_ICONV}" if is_utf16 else None


def _lines_from(file: Any, raw: BinaryIO, path: str, number: int, limits: Limits) -> bytes:
    """Return about a block of a file, up to the end of a line; the first line is `number`."""
    # A mark of the byte order is looked for in one piece.
    part, parts = file.read(max(BLOCK_BYTES, len(codecs.BOM_UTF8))), []
    length = 0
    while part:
        parts.append(part)
        n_lines = part.count(b"\n")
        number += n_lines
        if file is not raw:
            limits.check_unpacked(shown_name(path), raw, file.tell(), number - 1)
        length = len(part) - part.rfind(b"\n") - 1 if n_lines else length + len(part)
        if length > limits.longest_line:
            allowed = f"at most {limits.longest_line / _MIB:g} MiB in a line (--max-line)"
            fail(FileError, f"{shown_name(path)}, line {number}", allowed, "a longer one")
        part = b"" if part.endswith(b"\n") else file.readline(BLOCK_BYTES)
    return b"".join(parts)


def check_utf8(data: bytes, name: str, number: int) -> None:
    """Refuse bytes that are not UTF-8, with their line; the first one is `number`."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + number
        fail(FileError, f"{name}, line {line}", "UTF-8", f"the byte 0x{data[error.start]:02x} ({_LATIN})")


def damaged(name: str, error: BaseException) -> FileError:
    """Return the error for a file that cannot be read to its end."""
    return FileError(f"{name}: cannot read the whole file: {printable(' '.join(str(error).split())[:LONGEST_PART])}")
