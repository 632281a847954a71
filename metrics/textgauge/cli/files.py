"""Bytes of input files: opened, unpacked, checked to be UTF-8, cut into whole lines."""

from __future__ import annotations

import codecs
import gzip
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click

from ..checks import fail, printable

STDIN = "-"
BLOCK = 1 << 22
_ENTRY = 1 << 16


class InputError(click.ClickException):
    """Input that cannot be scored; the message says where and what was expected."""

    exit_code = 2


def shown_name(path: str) -> str:
    """Return what messages, tables and pages call a file."""
    return "standard input" if path == STDIN else printable(path)


def open_binary(path: str) -> BinaryIO:
    """Open a file for reading."""
    try:
        return open(path, "rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        fail(InputError, path, "a file to read", reason.lower())


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a file as a whole or not at all: what is there stays until all is written.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        # A device or a pipe; a folder is refused.
        target.write_text(text, "utf-8")
        return
    part = target.with_name(f".textgauge.{os.getpid()}.part")
    try:
        part.write_text(text, "utf-8")
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def _opened(path: str) -> BinaryIO:
    return sys.stdin.buffer if path == STDIN else open_binary(path)


def share_read(raw: BinaryIO) -> float | None:
    """Return how much of a file was read, from 0 to 1; None where its size is unknown."""
    try:
        status = os.fstat(raw.fileno())
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode) or not status.st_size:
        return None
    return min(raw.tell() / status.st_size, 1.0)


class TextFile:
    """A stream of UTF-8 that knows its lines; a leading byte order mark is dropped.

    Attributes
    ----------
    entry : bytes
        The first bytes of the file, which `read` gives as well.

    Raises
    ------
    InputError
        No such file, damaged gzip, or bytes that are not UTF-8, with their line.
    """

    def __init__(self, path: str) -> None:
        """Open `path`; "-" is standard input, a name that ends in .gz is unpacked."""
        self.name = shown_name(path)
        self.closed = False
        self._owned = path != STDIN
        self._raw = _opened(path)
        self._bytes: Any = gzip.GzipFile(fileobj=self._raw) if path.endswith(".gz") else self._raw
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._lines = 0
        self._is_fresh = True
        try:
            self.entry = self._checked(_ENTRY).removeprefix(codecs.BOM_UTF8)
        except InputError:
            self.close()
            raise

    def read(self, size: int) -> bytes:
        """Return at most about `size` checked bytes, none at the end."""
        if self._is_fresh:
            self._is_fresh = False
            return self.entry or self._checked(size)
        return self._checked(size)

    def done(self) -> float | None:
        """Return the share of the file that was read, None where its size is unknown."""
        return share_read(self._raw)

    def close(self) -> None:
        """Close the file; standard input stays open."""
        self.closed = True
        if self._owned:
            self._raw.close()

    def _checked(self, size: int) -> bytes:
        try:
            block: bytes = self._bytes.read(size)
        except (OSError, EOFError, zlib.error) as error:
            fail(InputError, self.name, "a file that can be read to its end", str(error))
        try:
            self._decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            self._refuse(error)
        self._lines += block.count(b"\n")
        return block

    def _refuse(self, error: UnicodeDecodeError) -> NoReturn:
        line = self._lines + bytes(error.object[: error.start]).count(b"\n") + 1
        fail(InputError, f"{self.name}, line {line}", "UTF-8", f"the byte 0x{error.object[error.start]:02x}")


def line_blocks(file: TextFile) -> Iterator[str]:
    """Yield the file in blocks of whole lines, without the newline that ends a block."""
    head = b""
    while block := file.read(BLOCK):
        lines, newline, tail = block.rpartition(b"\n")
        if newline:
            yield (head + lines).decode()
            head = tail
        else:
            head += tail
    if head:
        yield head.decode()
