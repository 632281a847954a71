"""WordNet 3.0 from its own files, as far as METEOR asks: where they are, whether they are whole, and synonyms."""

from __future__ import annotations

import os
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from .. import engine
from ..checks import fail, shown
from ..plain import Texts
from ..plain.synsets import PARTS
from .data_files import DataFiles, stamp

_DEBIAN = "/usr/share/wordnet"
_FILES = tuple(f"{side}.{part}" for part in PARTS for side in ("index", "data"))


def nltk_folders() -> list[str]:
    """Return nltk's folders for data, in its order."""
    own, app_data = os.environ.get("NLTK_DATA", ""), os.environ.get("APPDATA", "C:\\")
    return [*_nltk_folders(own, os.path.expanduser("~"), sys.prefix, sys.platform, app_data)]


# Every call asks.
@lru_cache(4)
def _nltk_folders(own: str, home: str, prefix: str, platform: str, app_data: str) -> tuple[str, ...]:
    below = (("nltk_data",), ("share", "nltk_data"), ("lib", "nltk_data"))
    folders = [*filter(None, own.split(os.pathsep)), os.path.join(home, "nltk_data")]
    folders += [os.path.join(prefix, *names) for names in below]
    if platform == "win32":
        return (*folders, os.path.join(app_data, "nltk_data"), r"C:\nltk_data", r"D:\nltk_data")
    return (*folders, *(f"/usr{below}/nltk_data" for below in ("/share", "/local/share", "/lib", "/local/lib")))


def places() -> list[str]:
    """Return where WordNet is looked for: nltk's folders for data, then that of Debian's package."""
    return [*nltk_folders(), _DEBIAN]


def find(folder: str | os.PathLike[str] | None) -> str:
    """Return the folder of WordNet's files, or the zip that has them.

    Raises
    ------
    FileNotFoundError
        If they are nowhere: with three remedies and the places that were looked at.
    """
    if folder is not None:
        if not isinstance(folder, (str, os.PathLike)):
            fail(TypeError, "wordnet", "the path of a folder with WordNet's files", shown(folder))
        own = os.path.expanduser(os.fspath(folder))
        if _has_files(own):
            return own
        fail(
            FileNotFoundError, "wordnet", "a folder with WordNet's files, index.noun, data.noun and others", shown(own)
        )
    looked = places()
    for place in filter(os.path.isdir, looked):
        below = [place] if place == _DEBIAN else [
            os.path.join(place, "corpora", "wordnet"), os.path.join(place, "corpora", "wordnet.zip"),
        ]  # fmt: skip
        for own in below:
            if _has_files(own):
                return own
    remedies = (
        "WordNet 3.0: pip install nltk && python -m nltk.downloader wordnet, or apt-get install wordnet-base, or "
        '`wordnet="FOLDER"` with index.noun and data.noun'
    )
    return fail(FileNotFoundError, "wordnet", remedies, f"nothing (looked in: {', '.join(looked)})")


def _has_files(place: str) -> bool:
    if place.endswith(".zip"):
        try:
            with zipfile.ZipFile(place) as archive:
                return {f"wordnet/{name}" for name in _FILES} <= {*archive.namelist()}
        except FileNotFoundError:
            return False
        except (OSError, zipfile.BadZipFile):
            # It is damaged, which is told where it is read.
            return os.path.isfile(place)
    return all(os.path.isfile(os.path.join(place, name)) for name in _FILES)


class WordNetData:
    r"""The synonyms of words, read from a folder or a zip.

    `identity` is the checksum of all words with their number of synsets: that of one version, whoever packed its files.

    Synsets are found by the number at the start of a line, not by their place in the file, so that files whose lines
    end with CR LF are read, too.
    """

    def __init__(self, place: str) -> None:
        """Read the files."""
        remedy = "copy WordNet 3.0 anew, or python -m nltk.downloader -f wordnet"
        self._files = DataFiles("wordnet", place, "wordnet/" if place.endswith(".zip") else "", remedy)
        index, data = ([self._read(f"{side}.{part}") for part in PARTS] for side in ("index", "data"))
        exceptions = [self._read(f"{part}.exc", must_be=False) for part in PARTS]
        with self._asking():
            self._net = engine.kernel.WordNet(index, exceptions, data)
        self.identity = f"{zlib.crc32(self._net.counted()):08x}"

    def _read(self, name: str, *, must_be: bool = True) -> bytes:
        data = self._files.read(name, must_be=must_be)
        with self._files.reading(name):
            if (data or must_be) and not data.endswith(b"\n"):
                raise ValueError("it ends within a line")
        return data

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Name the remedy for what the kernel finds damaged."""
        try:
            yield
        except ValueError as error:
            name, _, reason = str(error).partition(": ")
            with self._files.reading(name):
                raise ValueError(reason) from None

    def synonyms(self, word: str) -> frozenset[str]:
        """Return the word, and the names of one word in its synsets."""
        with self._asking():
            return frozenset((word, *self._net.names(word.lower())))

    def words(self, texts: Texts, cut: Callable[[str], list[str]]) -> tuple[Any, ...]:
        """Return the words of texts with their stems and synonyms: see `plain.synsets.WordNet.words`."""
        with self._asking():
            return self._net.words(texts, cut)


@lru_cache(4)
def _wordnet(place: str, stamps: tuple[Any, ...], kernel: Any) -> WordNetData:  # noqa: ARG001
    return WordNetData(place)


def wordnet_of(folder: str | os.PathLike[str] | None) -> WordNetData:
    """Return WordNet, read once per process unless its files change."""
    place = find(folder)
    paths = [place] if os.path.isfile(place) else [os.path.join(place, name) for name in _FILES]
    return _wordnet(place, tuple(map(stamp, paths)), engine.kernel)
