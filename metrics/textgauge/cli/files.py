"""Bytes of input files, unpacked and checked to be UTF-8; output files, written as a whole."""

from __future__ import annotations

import codecs
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import click

from ..checks import LONGEST_PART, fail, printable
from .messages import InputError

STDIN = "-"
# How a gzip file begins.
_GZIP = b"\x1f\x8b"
_BLOCK = 1 << 22
_GIB = 1 << 30
# Text packs to a third or a tenth of its size; a file beyond both limits is treated as a decompression bomb.
MOST_UNPACKED, MOST_TIMES_PACKED = _GIB, 20
max_unpacked = click.option(
    "--max-unpacked", type=click.FloatRange(min=0, min_open=True), metavar="GIB",
    help="Refuse packed files with more text. [default: 1]",
)  # fmt: skip


def shown_name(path: str) -> str:
    """Return the name of a file in messages, tables and pages."""
    return "standard input" if path == STDIN else printable(path) or "''"


def is_packed(path: str) -> bool:
    """Return whether a name is that of a gzip file."""
    return path.lower().endswith(".gz")


def open_binary(path: str) -> BinaryIO:
    """Open a file for reading."""
    try:
        return open(path, "rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read {shown_name(path)}: {reason.lower()}") from error


def read_utf8(path: str) -> bytes:
    """Return the text of a file as checked UTF-8, without a leading byte order mark.

    Parameters
    ----------
    path : str
        "-" is standard input, which stays open; a name that ends in .gz is unpacked.

    Raises
    ------
    InputError
        No such file, damaged gzip, or bytes that are not UTF-8, with their line.
    """
    name = shown_name(path)
    data = b"".join(_blocks(path, name)).removeprefix(codecs.BOM_UTF8)
    if data.startswith(_GZIP):
        fail(InputError, name, "UTF-8", "gzip: unpack it, or give it a name that ends in .gz")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        fail(InputError, f"{name}, line {line}", "UTF-8", f"the byte 0x{data[error.start]:02x}")
    return data


def _blocks(path: str, name: str) -> Iterator[bytes]:
    """Yield the content of a file, unpacked."""
    with nullcontext(sys.stdin.buffer) if path == STDIN else open_binary(path) as raw:
        file: Any = raw
        if is_packed(path):
            from gzip import GzipFile

            file = GzipFile(fileobj=raw)
        n_bytes = 0
        try:
            while block := file.read(_BLOCK):
                yield block
                n_bytes += len(block)
                if file is not raw:
                    check_unpacked(name, raw, n_bytes)
        except (OSError, EOFError, zlib.error) as error:
            raise damaged(name, error) from error


def damaged(name: str, error: BaseException) -> InputError:
    """Return the error for a file that cannot be read to its end."""
    return InputError(f"{name}: cannot read the whole file: {printable(' '.join(str(error).split())[:LONGEST_PART])}")


def check_unpacked(name: str, raw: BinaryIO, n_bytes: int) -> None:
    """Refuse a packed file that unpacks to more than `--max-unpacked`, an option of the running command, allows."""
    context = click.get_current_context(silent=True)
    chosen = context.params.get("max_unpacked") if context else None
    limit = MOST_UNPACKED if chosen is None else chosen * _GIB
    if n_bytes > limit and (chosen is not None or n_bytes > MOST_TIMES_PACKED * os.fstat(raw.fileno()).st_size):
        allowed = f"at most {1 if chosen is None else chosen:g} GiB of text (--max-unpacked)"
        fail(InputError, name, allowed, "a packed file with more")


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write text into a file: `write_bytes`."""
    write_bytes(path, text.encode())


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file as a whole or not at all: an existing file stays until all is written.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    given = Path(path)
    if given.exists() and not given.is_file():
        # A device or a pipe; a folder is refused.
        given.write_bytes(data)
        return
    target = Path(os.path.realpath(path))
    mode = stat.S_IMODE(target.stat().st_mode) if target.is_file() else None
    # Imported here: it loads OpenSSL.
    import secrets

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
