"""WordNet 3.0 from its own files, as far as METEOR asks: base forms and synonyms.

Princeton University (2010), About WordNet; the format of the files is that of its manual, wndb(5WN) and morphy(7WN).
"""

from __future__ import annotations

import os
import sys
import zipfile
import zlib
from functools import lru_cache
from typing import Any

from ..checks import fail, shown
from .data_files import DataFiles, stamp

PARTS = ("noun", "verb", "adj", "adv")
_ENDINGS = {
    "noun": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
             ("men", "man"), ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
# Of forms that end in none of these no rule holds.
_LAST_LETTERS = {part: tuple({old[-1] for old, _ in endings}) for part, endings in _ENDINGS.items()}
_DEBIAN = "/usr/share/wordnet"
_FILES = tuple(f"{kind}.{part}" for part in PARTS for kind in ("index", "data"))


def nltk_folders() -> list[str]:
    """Return nltk's folders for data, in its order."""
    home = os.path.expanduser("~")
    folders = [folder for folder in os.environ.get("NLTK_DATA", "").split(os.pathsep) if folder]
    folders += [os.path.join(home, "nltk_data")]
    folders += [
        os.path.join(sys.prefix, *below) for below in (("nltk_data",), ("share", "nltk_data"), ("lib", "nltk_data"))
    ]
    if sys.platform == "win32":
        folders += [os.path.join(os.environ.get("APPDATA", "C:\\"), "nltk_data"), r"C:\nltk_data", r"D:\nltk_data"]
    else:
        folders += [f"/usr{below}/nltk_data" for below in ("/share", "/local/share", "/lib", "/local/lib")]
    return folders


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
    for place in looked:
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


class WordNet:
    r"""The synonyms of words, read from a folder or a zip; a line of `data` is read when it is asked for.

    `identity` is the checksum of all words with their number of synsets: that of one version, whoever packed its files.

    Synsets are found by the number at the start of a line, not by their place in the file, so that files whose lines
    end with CR LF are read, too.
    """

    def __init__(self, place: str) -> None:
        """Read the index and the exceptions."""
        remedy = "copy WordNet 3.0 anew, or python -m nltk.downloader -f wordnet"
        self._files = DataFiles("wordnet", place, "wordnet/" if place.endswith(".zip") else "", remedy)
        self._synonyms: dict[str, frozenset[str]] = {}
        self._index: dict[str, dict[str, list[str]]] = {}
        self._exceptions: dict[str, dict[str, list[str]]] = {}
        self._data: dict[str, bytes] = {}
        self._lines: dict[str, dict[bytes, bytes]] = {}
        checksum = 0
        for part in PARTS:
            # A line: the lemma, its part of speech, how many synsets it has, ..., their numbers.
            lines = (line.split() for line in self._lines_of(f"index.{part}") if line[:1] != " ")
            with self._files.reading(f"index.{part}"):
                index = self._index[part] = {fields[0]: fields[-int(fields[2]) :] for fields in lines if fields}
            counted = "".join(f"{word} {len(index[word])}\n" for word in sorted(index))
            checksum = zlib.crc32(counted.encode(), checksum)
            forms = (line.split() for line in self._lines_of(f"{part}.exc", must_be=False))
            self._exceptions[part] = {fields[0]: fields[1:] for fields in forms if fields}
        self.identity = f"{checksum:08x}"

    def _lines_of(self, name: str, *, must_be: bool = True) -> list[str]:
        return self._read(name, must_be=must_be).decode("utf-8", "replace").splitlines()

    def _read(self, name: str, *, must_be: bool = True) -> bytes:
        data = self._files.read(name, must_be=must_be)
        with self._files.reading(name):
            if (data or must_be) and not data.endswith(b"\n"):
                raise ValueError("it ends within a line")
        return data

    def bases(self, form: str, part: str) -> list[str]:
        """Return the base forms of a form that are in the index, as nltk's `morphy` since 3.9: rules apply once.

        Examples
        --------
        `bases("churches", "noun")` is ``["church"]``, `bases("better", "adj")` ``["better", "good", "well"]``.
        """
        index = self._index[part]
        forms = self._exceptions[part].get(form)
        if forms is None:
            if not form.endswith(_LAST_LETTERS[part]):
                return [form] if form in index else []
            forms = [form[: len(form) - len(old)] + new for old, new in _ENDINGS[part] if form.endswith(old)]
        return [base for base in dict.fromkeys((form, *forms)) if base in index]

    def _words(self, part: str, number: str) -> list[str]:
        """Return the names of a synset that are one word."""
        line = self._line(part, number)
        fields = line.partition(b" | ")[0].decode("utf-8", "replace").split()
        n_names = int(fields[3], 16)
        names = fields[4 : 4 + 2 * n_names : 2]
        if not 0 < n_names == len(names):
            raise ValueError(f"line {number} has {len(names)} of {n_names} words")
        # Adjectives may say where they stand: galore(ip).
        return [name.partition("(")[0] if name[-1] == ")" else name for name in names if "_" not in name]

    def _line(self, part: str, number: str) -> bytes:
        if part not in self._data:
            self._data[part] = self._read(f"data.{part}")
        data = self._data[part]
        key = number.encode()
        at = int(number)
        # The number is the place of its line, unless lines end otherwise.
        if data[at : at + 9] != key + b" ":
            if part not in self._lines:
                self._lines[part] = {line[:8]: line for line in data.splitlines()}
            line = self._lines[part].get(key)
            if line is None:
                raise ValueError(f"no line {number}")
            return line
        return data[at : data.find(b"\n", at)]

    def synonyms(self, word: str) -> frozenset[str]:
        """Return the word, and the names of one word in its synsets."""
        found = self._synonyms.get(word)
        if found is None:
            lower = word.lower()
            names = {word}
            for part in PARTS:
                if bases := self.bases(lower, part):
                    with self._files.reading(f"data.{part}"):
                        for base in bases:
                            for number in self._index[part][base]:
                                names.update(self._words(part, number))
            if len(self._synonyms) >= 1 << 18:
                self._synonyms.clear()
            found = self._synonyms[word] = frozenset(names)
        return found


@lru_cache(4)
def _wordnet(place: str, stamps: tuple[Any, ...]) -> WordNet:  # noqa: ARG001
    return WordNet(place)


def wordnet_of(folder: str | os.PathLike[str] | None) -> WordNet:
    """Return WordNet, read once per process unless its files change."""
    place = find(folder)
    paths = [place] if os.path.isfile(place) else [os.path.join(place, name) for name in _FILES]
    return _wordnet(place, tuple(map(stamp, paths)))
