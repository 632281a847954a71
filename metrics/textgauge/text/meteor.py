"""What METEOR 1.5 knows of English words, read from files that the user has; and how it cuts texts into words.

The files are those of an installed `pycocoevalcap`, which is neither imported nor started, or of `jar` and
`paraphrases`. The table of paraphrases becomes an index once, in the user's folder for caches.
"""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from .. import engine
from ..checks import fail, line_to_install, shown
from ..plain.meteor import NO_WORD
from ..plain.snowball import snowball
from .data_files import DataFiles, save_whole, stamp, unpacked

_REMEDIES = (
    f"METEOR's data: {line_to_install('meteor')}; or `jar` and `paraphrases`, the files meteor-1.5.jar and "
    "paraphrase-en.gz of a release of METEOR 1.5 (`paraphrases=False` goes without the table)"
)
_INSTALLED = ", or pip install --force-reinstall pycocoevalcap"
_IN_JAR = (
    "function/english.words", "synonym/english.synsets", "synonym/english.exceptions", "nonbreaking/english.prefixes",
)  # fmt: skip
_FORMAT = "textgauge paraphrases 1"
_DETACHED = [
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""), ("er", ""), ("est", ""), ("er", "e"),
    ("est", "e"),
]  # fmt: skip

# The letters of METEOR's normalization; other characters, Greek ones and Chinese ones too, are words of their own.
_LETTERS = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527\u1d00-\u1d7f\ua640-\ua66e\ua67e-\ua697"
_LETTER, _OTHER, _NEITHER = f"[{_LETTERS}]", f"[^{_LETTERS}]", f"[^{_LETTERS}0-9]"
# These are words of their own until all others are found; at the ends of a text the tool takes away all controls.
_SPACE = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_CONTROLS = "".join(map(chr, range(0x21)))
# Applied in this order, where the text has the first column; no match begins inside another, so that ",," keeps a comma
# in its place and "a-b-c" a hyphen, as in the tool.
_NORMALIZED = [(needs, re.compile(pattern), by) for needs, pattern, by in (
    ("", "[\t\n\x0b\x0c\r]", " "),
    ("", f"([^{_LETTERS}0-9 .'`,‘’-])", r" \1 "), ("..", r"(\.{2,})", r" \1 "),
    (",", "([^0-9]),([^0-9])", r"\1 , \2"), (",", "([0-9]),([^0-9])", r"\1 , \2"),
    (",", "([^0-9]),([0-9])", r"\1 , \2"),
    ("", "[‘’`]", "'"), ("", "[“”]|''", ' " '),
    ("–", "–", "-"), ("--", "--", "-"),
    ("-", f"([{_LETTERS}0-9]|(?<!\\.)\\.)-([{_LETTERS}0-9])", r"\1 \2"),
    ("'", f"({_OTHER})'({_OTHER})", r"\1 ' \2"), ("'", f"({_NEITHER})'({_LETTER})", r"\1 ' \2"),
    ("'", f"({_LETTER})'({_OTHER})", r"\1 ' \2"), ("'", f"({_LETTER})'({_LETTER})", r"\1 '\2"),
    ("'s", "([0-9])'s", r"\1 's"),
)]  # fmt: skip
_PUNCTUATION = re.compile(f"[^{_LETTERS}0-9 ]+")
_HAS_LETTER = re.compile(_LETTER)
# No rule of the normalization changes such a text.
_IS_PLAIN = re.compile(f"[{_LETTERS}0-9 ]*").fullmatch


class WordEntry(NamedTuple):
    """A word in METEOR's data: stem, synsets in order, whether it is a function word, number in the table."""

    stem: str
    synsets: tuple[int, ...]
    is_function: bool
    in_table: int


class Files(NamedTuple):
    """The paths of METEOR's files; `paraphrases` is empty if paraphrases are switched off."""

    jar: str
    paraphrases: str


def find_files(jar: str | None, paraphrases: str | bool | None) -> Files:
    """Return METEOR's files: those that are named, else those of an installed `pycocoevalcap`.

    Raises
    ------
    FileNotFoundError
        If a file is missing, with every remedy.
    """
    folder = ""
    if jar is None or paraphrases is None:
        spec = find_spec("pycocoevalcap")
        places = list(spec.submodule_search_locations or ()) if spec else []
        folder = os.path.join(places[0], "meteor") if places else ""
    files = Files(
        os.path.expanduser(jar) if jar else os.path.join(folder, "meteor-1.5.jar"),
        "" if paraphrases is False
        else os.path.expanduser(str(paraphrases)) if paraphrases
        else os.path.join(folder, "data", "paraphrase-en.gz"),
    )  # fmt: skip
    for name, path, named in (("jar", files.jar, jar), ("paraphrases", files.paraphrases, paraphrases)):
        if not path or os.path.isfile(path):
            continue
        if named:
            fail(FileNotFoundError, name, "a file that is there", shown(path))
        fail(FileNotFoundError, name, _REMEDIES, shown(path) if folder else "no installed pycocoevalcap")
    return files


class EnglishData:
    """The function words, synonyms and paraphrases of METEOR 1.5, and its normalization of texts.

    Attributes
    ----------
    table : tuple of uint32 arrays
        The paraphrases as the kernel reads them; see `textgauge.plain.meteor`.
    identity : dict
        The checksum of the table of paraphrases.
    """

    def __init__(self, files: Files) -> None:
        """Read the jar; open the index of the table, or make it."""
        self._jar = DataFiles("jar", files.jar, "", f"copy meteor-1.5.jar anew{_INSTALLED}")

        def lines_of(name: str) -> list[str]:
            data = self._jar.read(name)
            with self._jar.reading(name):
                return data.decode("utf-8").split("\n")

        functions, synsets, exceptions, prefixes = map(lines_of, _IN_JAR)
        self._functions = frozenset(word for line in functions for word in line.split())
        self._synsets = dict(zip(synsets[::2], synsets[1::2], strict=False))
        self._bases: dict[str, list[str]] = {}
        for base, forms in zip(exceptions[::2], exceptions[1::2], strict=False):
            for form in forms.split():
                self._bases.setdefault(form, []).append(base)
        rules = [line.split() for line in prefixes if line.strip() and not line.startswith("#")]
        self._before_numbers = {rule[0] for rule in rules if rule[1:] == ["#NUMERIC_ONLY#"]}
        self._prefixes = {rule[0] for rule in rules} - self._before_numbers
        self._known: dict[str, WordEntry] = {}
        self.identity: dict[str, str] = {}
        self.table: tuple[Any, ...] = (np.zeros(1, np.uint32), np.ones(2, np.uint32), np.zeros(2, np.uint32),
                                       np.zeros(0, np.uint32))  # fmt: skip
        self._numbers: dict[str, int] = {}
        if files.paraphrases:
            vocabulary, self.table, checksum = _index(files.paraphrases)
            words = vocabulary.decode("utf-8", "replace").split("\n")[:-1]
            self._numbers = {word: number for number, word in enumerate(words)}
            self.identity = {"table": f"{checksum:08x}"}

    def known(self, word: str) -> WordEntry:
        """Return the entry of a word, which is looked up once."""
        entry = self._known.get(word)
        if entry is None:
            if len(self._known) >= 1 << 18:
                self._known.clear()
            with self._jar.reading("synonym/english.synsets"):
                synsets = {
                    int(number)
                    for form in (word, *self._base_forms(word))
                    for number in self._synsets.get(form, "").split()
                }
            entry = self._known[word] = WordEntry(
                snowball(word),
                tuple(sorted(synsets)),
                word.lower() in self._functions,
                self._numbers.get(word, NO_WORD),
            )
        return entry

    def _base_forms(self, word: str) -> list[str]:
        """Return the base forms of an inflected word: irregular ones, else the first that has synonyms, else none."""
        if word in self._bases:
            return self._bases[word]
        if len(word) > 2 and not word.endswith("ss"):
            for ending, by in _DETACHED:
                if word.endswith(ending):
                    form = word[: len(word) - len(ending)] + by
                    if form in self._synsets:
                        return [form]
        return []

    def words(self, text: str, *, normalize: bool, lowercase: bool, punctuation: bool) -> list[str]:
        """Return the words of a text; without normalization they stand between spaces."""
        words = self._normalized(text) if normalize else re.split("[ \t\n\x0b\x0c\r]+", text)
        if not punctuation:
            words = _PUNCTUATION.sub(" ", " ".join(words)).split(" ")
        text = " ".join(filter(None, words))
        # A space ends a word for the rule of the last sigma, too.
        return (text.lower() if lowercase or normalize else text).split(" ") if text else []

    def _normalized(self, text: str) -> list[str]:
        """Return the words of a text as METEOR's `-norm` cuts them: punctuation apart, hyphens gone."""
        if _IS_PLAIN(text):
            return text.split(" ")
        text = f" {text} "
        for needs, pattern, by in _NORMALIZED:
            if needs in text:
                text = pattern.sub(by, text)
        words: list[str] = []
        pieces = [word for word in text.split(" ") if word]
        if "." not in text:
            words, pieces = pieces, []
        for word, behind in zip_longest(pieces, pieces[1:], fillvalue=""):
            begin = word[:-1]
            if not word.endswith(".") or not word.strip("."):
                words.append(word)
            elif "." in begin and _HAS_LETTER.search(begin):
                words.append(word.replace(".", ""))
            elif (
                begin in self._prefixes
                or "a" <= behind[:1] <= "z"
                or (begin in self._before_numbers and "0" <= behind[:1] <= "9")
            ):
                words.append(word)
            else:
                words += (begin, ".")
        return _SPACE.sub(" ", " ".join(words)).strip(_CONTROLS).split(" ")


@lru_cache(4)
def _meteor(files: Files, stamps: tuple[Any, ...]) -> EnglishData:  # noqa: ARG001
    return EnglishData(files)


def meteor_of(jar: str | None, paraphrases: str | bool | None) -> EnglishData:
    """Return METEOR's data, read once per process unless a file changes."""
    files = find_files(jar, paraphrases)
    return _meteor(files, tuple(stamp(path) for path in files if path))


def cache_folder() -> str:
    """Return the folder of this user for what can be made again."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA", home), "textgauge", "Cache")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches", "textgauge")
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"), "textgauge")


def _index(path: str) -> tuple[bytes, tuple[Any, ...], int]:
    """Return the vocabulary, the arrays and the checksum of the index of a table, from the cache if it is there."""
    own = os.path.abspath(path)
    source = {"path": own, "stamp": list(stamp(own)), "format": _FORMAT}
    place = os.path.join(cache_folder(), f"paraphrases-{zlib.crc32(own.encode('utf-8', 'replace')):08x}.index")
    try:
        index = _opened(place, source)
    except (OSError, ValueError, KeyError, TypeError):
        index = None
    return index or _made(own, source, place)


def _opened(place: str, source: dict[str, Any]) -> tuple[bytes, tuple[Any, ...], int] | None:
    with open(place, "rb") as file:
        head = file.readline(1 << 16)
        about = json.loads(head)
        if about["source"] != source:
            return None
        start = len(head)
    mapped: Any = np.memmap(place, np.uint8, "r", start)
    sizes = about["sizes"]
    if len(mapped) != sum(sizes) or zlib.crc32(mapped) != about["checksum"]:
        return None
    ends = np.cumsum([0, *sizes]).tolist()
    parts = [mapped[i:j] for i, j in zip(ends, ends[1:], strict=False)]
    return parts[-1].tobytes(), tuple(part.view(np.uint32) for part in parts[:-1]), about["checksum"]


def _made(own: str, source: dict[str, Any], place: str) -> tuple[bytes, tuple[Any, ...], int]:
    folder, name = os.path.split(own)
    with DataFiles("paraphrases", folder, "", f"copy paraphrase-en.gz anew{_INSTALLED}").reading(name):
        # Three lines for each paraphrase, of which the first is a number.
        vocabulary, *arrays = engine.kernel.paraphrase_table(unpacked(own))
        table = tuple(np.asarray(array, np.uint32) for array in arrays)
        if not len(table[3]):
            raise ValueError("it has no paraphrases")
    body = b"".join(array.tobytes() for array in table) + vocabulary
    checksum = zlib.crc32(body)
    sizes = [array.nbytes for array in table] + [len(vocabulary)]
    head = json.dumps({"source": source, "sizes": sizes, "checksum": checksum}).encode()
    # The arrays begin at a multiple of eight bytes.
    head += b" " * (-(len(head) + 1) % 8) + b"\n"
    # Where nothing can be written, the table is made again for every process.
    with suppress(OSError):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        save_whole(place, head, body)
    return vocabulary, table, checksum
