"""Bytes of input files: opened, unpacked, checked to be UTF-8, cut into whole lines."""

from __future__ import annotations

import codecs
import gzip
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click

from ..checks import LONGEST_PART, fail, printable
from .messages import InputError

STDIN = "-"
BLOCK = 1 << 22
_ENTRY = 1 << 16
_GIB = 1 << 30
# Text packs to a third or a tenth of its size; a file beyond both limits is treated as a decompression bomb.
MOST_UNPACKED, MOST_TIMES_PACKED = _GIB, 20
_UNPACKED_OPTION = f"{__name__}.max_unpacked"


def shown_name(path: str) -> str:
    """Return the name of a file in messages, tables and pages."""
    return "standard input" if path == STDIN else printable(path)


def open_binary(path: str) -> BinaryIO:
    """Open a file for reading."""
    try:
        return open(path, "rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read {shown_name(path)}: {reason.lower()}") from error


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a file as a whole or not at all: an existing file stays until all is written.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    target = Path(os.path.realpath(path))
    mode = stat.S_IMODE(target.stat().st_mode) if target.is_file() else None
    if mode is None and target.exists():
        # A device or a pipe; a folder is refused.
        target.write_text(text, "utf-8")
        return
    # Imported here: it loads OpenSSL.
    import secrets

    # An unpredictable name and mode "x", so that no planted link is followed.
    part = target.with_name(f".textgauge.{secrets.token_hex(16)}.part")
    try:
        with open(part, "x", encoding="utf-8", opener=partial(os.open, mode=0o666 if mode is None else 0o600)) as file:
            file.write(text)
        if mode is not None:
            part.chmod(mode)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def damaged(name: str, error: BaseException) -> InputError:
    """Return the error for a file that cannot be read to its end."""
    return InputError(f"{name}: cannot read the whole file: {printable(' '.join(str(error).split())[:LONGEST_PART])}")


def _opened(path: str) -> BinaryIO:
    return sys.stdin.buffer if path == STDIN else open_binary(path)


class Unranged(click.Option):
    """An option whose help omits the range of its number, which errors name."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the flag and its sentence, nothing more."""
        record = super().get_help_record(ctx)
        return record and (record[0], self.help or "")


def unpacking_limit(command: Callable[..., Any]) -> Callable[..., Any]:
    """Declare the option that sets the limit of `check_unpacked`."""

    def keep(context: click.Context, _: click.Parameter, value: float | None) -> None:
        context.meta[_UNPACKED_OPTION] = value

    return click.option(
        "--max-unpacked", cls=Unranged, type=click.FloatRange(min=0, min_open=True), metavar="GIB", callback=keep,
        expose_value=False, help="Refuse packed files with more text. [default: 1]",
    )(command)  # fmt: skip


def check_unpacked(name: str, raw: BinaryIO, n_bytes: int) -> None:
    """Refuse a packed file that unpacks to more than the limit."""
    context = click.get_current_context(silent=True)
    chosen = context.meta.get(_UNPACKED_OPTION) if context else None
    if n_bytes <= (MOST_UNPACKED if chosen is None else chosen * _GIB):
        return
    if chosen is None and n_bytes <= MOST_TIMES_PACKED * os.fstat(raw.fileno()).st_size:
        return
    limit = f"{MOST_UNPACKED // _GIB if chosen is None else chosen:g} GiB of text (--max-unpacked)"
    fail(InputError, name, f"at most {limit}", "a packed file with more")


def share_read(raw: BinaryIO) -> float | None:
    """Return the share of a file read so far, from 0 to 1; None if its size is unknown."""
    try:
        status = os.fstat(raw.fileno())
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode) or not status.st_size:
        return None
    return min(raw.tell() / status.st_size, 1.0)


class TextFile:
    """A stream of checked UTF-8; a leading byte order mark is dropped.

    Attributes
    ----------
    entry : bytes
        The first bytes of the file, which `read` returns as well.

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
        self._lines = self._n_bytes = 0
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
        """Return the share of the file read so far, None if its size is unknown."""
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
            raise damaged(self.name, error) from error
        self._n_bytes += len(block)
        if self._bytes is not self._raw:
            check_unpacked(self.name, self._raw, self._n_bytes)
        try:
            self._decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            self._refuse(error)
        self._lines += block.count(b"\n")
        return block

    def _refuse(self, error: UnicodeDecodeError) -> NoReturn:
        line = self._lines + bytes(error.object[: error.start]).count(b"\n") + 1
        fail(InputError, f"{self.name}, line {line}", "UTF-8", f"the byte 0x{error.object[error.start]:02x}")


def line_blocks(file: TextFile) -> Iterator[bytes]:
    """Yield the file in blocks of whole lines, without the newline that ends a block."""
    # A list: adding to bytes would copy a long line for every block.
    head: list[bytes] = []
    while block := file.read(BLOCK):
        lines, newline, tail = block.rpartition(b"\n")
        if newline:
            yield b"".join([*head, lines])
            head = [tail]
        else:
            head.append(tail)
    if any(head):
        yield b"".join(head)
