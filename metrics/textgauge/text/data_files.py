"""Data of other tools, in folders or zips: damage is one error with a remedy, and what is unpacked has a limit."""

from __future__ import annotations

import gzip
import os
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from ..checks import MAX_UNPACKED, MOST_TIMES_PACKED, MOST_UNPACKED, fail, shown

try:
    from lzma import LZMAError
except ImportError:
    # Some builds of Python lack it: `zipfile` then refuses files that are packed so by a RuntimeError.
    LZMAError = RuntimeError  # type: ignore[assignment, misc]

# What reading and parsing raise where bytes are missing or wrong.
_DAMAGES = (
    OSError, EOFError, ValueError, ArithmeticError, LookupError, RuntimeError, struct.error, zlib.error,
    zipfile.BadZipFile, LZMAError,
)  # fmt: skip


class DamagedDataError(ValueError):
    """Data that cannot be read to its end."""


class DataFiles(NamedTuple):
    """Files of one tool.

    Attributes
    ----------
    argument : str
        The option that names them, or what they are.
    place : str
        A folder, or the zip (a jar is one) that has them.
    below : str
        The folder of the files in a zip, with "/" at its end; empty: none.
    remedy : str
        How to get them anew.
    """

    argument: str
    place: str
    below: str
    remedy: str

    def read(self, name: str, *, must_be: bool = True) -> bytes:
        """Return the bytes of a file; none where it is missing and need not be.

        Raises
        ------
        DamagedDataError
            If it cannot be read, or unpacks to more than `most_unpacked`.
        """
        with self.reading(name):
            try:
                if os.path.isdir(self.place):
                    with open(os.path.join(self.place, name), "rb") as file:
                        return file.read()
                with zipfile.ZipFile(self.place) as archive:
                    about = archive.getinfo(self.below + name)
                    if about.file_size > most_unpacked(about.compress_size):
                        raise ValueError(_too_large())
                    return archive.read(about)
            except (FileNotFoundError, KeyError):
                if must_be:
                    raise
                return b""

    @contextmanager
    def reading(self, name: str) -> Iterator[None]:
        """Turn errors within the block, of reading a file or its lines, into one error with the remedy."""
        try:
            yield
        except DamagedDataError:
            raise
        except _DAMAGES as error:
            reason = str(error) or type(error).__name__
            fail(DamagedDataError, self.argument, f"{name} undamaged: {self.remedy}", f"{shown(self.place)}: {reason}")


def _limit() -> int:
    # A lower limit is meant for the files of a line, not for data that is installed.
    return max(MOST_UNPACKED, int((MAX_UNPACKED.get() or 0) * (1 << 30)))


def _too_large() -> str:
    limit = f"{_limit() / (1 << 30):g} GiB and {MOST_TIMES_PACKED} times its size"
    return f"it unpacks to more than {limit} (--max-unpacked of the command line)"


def most_unpacked(n_packed: int) -> int:
    """Return how many bytes a file may unpack to."""
    return max(_limit(), MOST_TIMES_PACKED * n_packed)


def unpacked(path: str) -> bytes:
    """Return the bytes of a file, unpacked where it is one of gzip.

    Raises
    ------
    ValueError
        If that is more than it may be.
    """
    with open(path, "rb") as raw:
        is_packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        if not is_packed:
            return raw.read()
        most = most_unpacked(os.fstat(raw.fileno()).st_size)
        with gzip.GzipFile(fileobj=raw) as file:
            data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(_too_large())
    return data


def save_whole(path: str, *parts: bytes) -> None:
    """Write a file beside its place, then put it there, so that nothing half-written is ever left."""
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(path), delete=False) as made:
        try:
            made.writelines(parts)
            made.close()
            os.replace(made.name, path)
        except BaseException:
            made.close()
            with suppress(OSError):
                os.remove(made.name)
            raise


def stamp(path: str) -> tuple[int, int]:
    """Return the size and the time of a file, which change when the file does."""
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns
