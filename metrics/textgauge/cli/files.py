"""Bytes of input files, unpacked and checked to be UTF-8; output files, written as a whole."""

from __future__ import annotations

import codecs
import glob
import os
import re
import stat
import sys
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, BinaryIO

import click

from ..checks import LONGEST_PART, fail, printable
from .messages import InputError

STDIN = "-"
_PATTERN = re.compile(r"[*?\[]")
UNSUPPORTED = (".xz", ".zst", ".bz2", ".zip", ".7z")
# How a gzip file begins.
_GZIP = b"\x1f\x8b"
_BLOCK = 1 << 20
_GIB, _MIB = 1 << 30, 1 << 20
# Text packs to a third or a tenth of its size; a file beyond both limits is treated as a decompression bomb.
MOST_UNPACKED, MOST_TIMES_PACKED = _GIB, 20
# What a line takes at least beside its text, where the size of a packed file is bounded.
_LINE = 16
MAX_LINE = 256 * _MIB
_LIMIT = click.FloatRange(min=0, min_open=True)
max_unpacked = click.option("--max-unpacked", type=_LIMIT, metavar="GIB", help="Most of a packed file. [default: 1]")
max_line = click.option("--max-line", type=_LIMIT, metavar="MIB", help="Most bytes of a line. [default: 256]")


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
        raise InputError(f"cannot read {shown_name(path)}: {reason.lower()}") from error
    try:
        check_end(file, path)
    except InputError:
        file.close()
        raise
    return file


def check_end(file: BinaryIO, path: str) -> None:
    """Refuse a device that never ends, such as /dev/zero: any but a terminal and the one that is empty."""
    try:
        about = os.fstat(file.fileno())
    except (OSError, ValueError):
        # Not a file of the system.
        return
    if stat.S_ISCHR(about.st_mode) and not file.isatty() and about.st_rdev != os.stat(os.devnull).st_rdev:
        fail(InputError, shown_name(path), "a file, a pipe or a terminal", "a device that never ends")


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
    InputError
        If there are none, or one has an unsupported suffix.
    """
    shards = [path]
    if path != STDIN and os.path.isdir(path):
        names = [name for name in sorted(os.listdir(path)) if name[0] not in "._"]
        shards = [os.path.join(path, name) for name in names if suffix_of(name) in in_folders]
        if not shards:
            raise InputError(f"{shown_name(path)} is a folder without files of {', '.join(in_folders)}")
    elif has_wildcards(path) and not os.path.exists(path):
        shards = sorted(filter(os.path.isfile, glob.glob(path)))
        if not shards:
            raise InputError(f"cannot read {shown_name(path)}: no file has such a name")
    for shard in filter(lambda shard: shard.lower().endswith(UNSUPPORTED), shards):
        got = f"{os.path.splitext(shard)[1]}, which is not supported: unpack it"
        fail(InputError, shown_name(shard), "text, or text packed by gzip", got)
    return shards


def suffix_of(path: str) -> str:
    """Return the suffix of a file in lower case, without that of gzip."""
    return os.path.splitext(path[: -len(".gz")] if is_packed(path) else path)[1].lower()


def last_suffix(path: str | None) -> str:
    """Return the suffix of a name of a file to write in lower case, that of gzip too; empty without a name."""
    return os.path.splitext(path or "")[1].lower()


def line_blocks(path: str, progress: Progress | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield a file in blocks of whole lines, each with the number of its first line; without a byte order mark.

    Parameters
    ----------
    path : str
        "-" is standard input, which stays open; a name that ends in .gz is unpacked.

    Raises
    ------
    InputError
        No such file, one that never ends, damaged gzip, or a line of more than --max-line.
    """
    name, number, before = shown_name(path), 1, 0
    with nullcontext(sys.stdin.buffer) if path == STDIN else open_binary(path) as raw:
        if path == STDIN:
            check_end(raw, path)
        file: Any = raw
        if is_packed(path):
            from gzip import GzipFile

            file = GzipFile(fileobj=raw)
        try:
            while data := b"".join(_parts_of_lines(file, raw, name, number)):
                if progress and os.path.isfile(path):
                    before, at = raw.tell(), before
                    progress.done += before - at
                if number == 1:
                    data = data.removeprefix(codecs.BOM_UTF8)
                if number == 1 and data.startswith(_GZIP):
                    fail(InputError, name, "UTF-8", "gzip: unpack it, or give it a name that ends in .gz")
                if data:
                    yield number, data
                number += data.count(b"\n")
        except (OSError, EOFError, zlib.error) as error:
            raise damaged(name, error) from error


def _parts_of_lines(file: Any, raw: BinaryIO, name: str, number: int) -> Iterator[bytes]:
    """Yield about a block of a file, up to the end of a line; the first line is `number`."""
    chosen = _chosen("max_line")
    longest = MAX_LINE if chosen is None else chosen * _MIB
    # A mark of the byte order is looked for in one piece.
    part = file.read(max(_BLOCK, len(codecs.BOM_UTF8)))
    length = 0
    while part:
        yield part
        n_lines = part.count(b"\n")
        number += n_lines
        if file is not raw:
            check_unpacked(name, raw, file.tell(), number - 1)
        length = len(part) - part.rfind(b"\n") - 1 if n_lines else length + len(part)
        if length > longest:
            allowed = f"at most {longest / _MIB:g} MiB in a line (--max-line)"
            fail(InputError, f"{name}, line {number}", allowed, "a longer one")
        part = b"" if part.endswith(b"\n") else file.readline(_BLOCK)


def check_utf8(data: bytes, name: str, number: int) -> None:
    """Refuse bytes that are not UTF-8, with their line; the first one is `number`."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + number
        fail(InputError, f"{name}, line {line}", "UTF-8", f"the byte 0x{data[error.start]:02x}")


def damaged(name: str, error: BaseException) -> InputError:
    """Return the error for a file that cannot be read to its end."""
    return InputError(f"{name}: cannot read the whole file: {printable(' '.join(str(error).split())[:LONGEST_PART])}")


def _chosen(limit: str) -> float | None:
    """Return the value of an option of the running command, None if it was not given."""
    context = click.get_current_context(silent=True)
    return context.params.get(limit) if context else None


def check_unpacked(name: str, raw: BinaryIO, n_bytes: int, n_lines: int = 0) -> None:
    """Refuse a packed file that unpacks to more text, or to more lines of few bytes, than `--max-unpacked` allows."""
    chosen = _chosen("max_unpacked")
    limit = MOST_UNPACKED if chosen is None else chosen * _GIB
    size = max(n_bytes, _LINE * n_lines)
    if size > limit and (chosen is not None or n_bytes > MOST_TIMES_PACKED * os.fstat(raw.fileno()).st_size):
        of_lines = f", {_LINE} bytes a line at least" if n_bytes <= limit else ""
        allowed = f"at most {1 if chosen is None else chosen:g} GiB of text{of_lines} (--max-unpacked)"
        fail(InputError, name, allowed, "a packed file with more")


def write_whole(path: str | os.PathLike[str], text: str | bytes) -> None:
    """Write a file as a whole or not at all: an existing file stays until all is written.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    # As in text mode: the ends of lines are those of the system.
    data = text if isinstance(text, bytes) else text.replace("\n", os.linesep).encode()
    # Imported here, with what loads OpenSSL: most calls write no file.
    import secrets
    from pathlib import Path

    given = Path(path)
    if given.exists() and not given.is_file():
        # A device or a pipe; a folder is refused.
        given.write_bytes(data)
        return
    target = Path(os.path.realpath(path))
    mode = stat.S_IMODE(target.stat().st_mode) if target.is_file() else None
    # An unpredictable name and mode "x", so that no planted link is followed.
    part = target.with_name(f".textgauge.{secrets.token_hex(16)}.part")
    try:
        with open(part, "xb", opener=partial(os.open, mode=0o666 if mode is None else 0o600)) as file:
            file.write(data)
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
