"""Stemmers by name, with irregular forms of the user's own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..checks import fail, shown
from ..lazy import lazy
from ..ragged import IntArray, offsets_of
from . import porter, porter155, stems
from .bytes import Bytes, Keys, Spans, keys_of
from .stem_keys import WIDEST
from .stems import FRONT, Words

# Shorter tokens are never stemmed, neither by rouge_score nor by the script.
SHORTEST = 4
RULES: dict[str, tuple[Callable[[str], str], Callable[[Words], None]]] = {
    "porter": (porter.stem, stems.stem_in_place),
    "porter155": (porter155.stem, porter155.stem_in_place),
}


@dataclass(frozen=True)
class Stemmer:
    """Porter's rules in one of their forms, behind a table of irregular forms.

    Attributes
    ----------
    rules : "porter" or "porter155"
        nltk's form, or that of the ROUGE-1.5.5 script.
    irregular : tuple of (str, str)
        Inflected and base forms; a base form is not stemmed further.
    """

    rules: str
    irregular: tuple[tuple[str, str], ...] = ()

    @lazy
    def table(self) -> dict[bytes, bytes]:
        """The irregular forms by their bytes, those of the rules included."""
        own = porter.IRREGULAR.items() if self.rules == "porter" else ()
        return {form.encode(): base.encode() for form, base in (*own, *self.irregular)}

    def __call__(self, token: str) -> str:
        """Stem one token."""
        if len(token) < SHORTEST:
            return token
        base = self.table.get(token.encode())
        return RULES[self.rules][0](token) if base is None else base.decode()

    def keys(self, tokens: Spans, keys: Keys) -> Keys:
        """Return the keys of the stems: uint64, one per token."""
        lengths = tokens.ends - tokens.starts
        stemmed = keys.copy()
        rows = np.flatnonzero(lengths >= SHORTEST)
        if len(rows):
            _, first, word_of = np.unique(keys[rows], return_index=True, return_inverse=True)
            distinct = rows[first]
            stemmed[rows] = self._keys_of_words(tokens.data, tokens.starts[distinct], lengths[distinct])[word_of]
        return stemmed

    def _keys_of_words(self, data: Bytes, starts: IntArray, lengths: IntArray) -> Keys:
        texts = [data[start : start + length].tobytes() for start, length in zip(starts, lengths, strict=True)]
        known = {row: self.table[text] for row, text in enumerate(texts) if text in self.table}
        for row in np.flatnonzero(lengths > WIDEST).tolist():
            known.setdefault(row, self(texts[row].decode()).encode())
        words = Words(*_matrix(data, starts, np.minimum(lengths, WIDEST)))
        RULES[self.rules][1](words)
        spans = words.spans
        bounds = offsets_of([len(stem) for stem in known.values()]) + len(spans.data)
        joined = np.frombuffer(spans.data.tobytes() + b"".join(known.values()) + bytes(8), np.uint8)
        rows = np.array(list(known), np.int64)
        spans.starts[rows], spans.ends[rows] = bounds[:-1], bounds[1:]
        return keys_of(Spans(joined, spans.starts, spans.ends, spans.offsets))


def _matrix(data: Bytes, starts: IntArray, lengths: IntArray) -> tuple[Bytes, IntArray]:
    """Copy words into rows as `Words` has them."""
    columns = np.arange(int(lengths.max(initial=0)))
    letters = np.zeros((len(starts), FRONT + len(columns)), np.uint8)
    letters[:, FRONT:] = data[np.minimum(starts[:, None] + columns, len(data) - 1)]
    return letters, lengths.copy()


def irregular_forms(folder: str | os.PathLike[str], argument: str = "exceptions") -> tuple[tuple[str, str], ...]:
    """Read WordNet exception files: lines of an inflected form and its base forms.

    All ``*.exc`` of a folder, in the order of their names (adj, adv, noun, verb); of a form
    that stands in several, the last file's first base form counts.

    Raises
    ------
    ValueError
        If there is no such folder, or no such file in it, or a line has a single word.
    """
    if not isinstance(folder, (str, os.PathLike)):
        fail(TypeError, argument, "the path of a folder with *.exc files", shown(folder))
    try:
        paths = sorted(Path(os.path.expanduser(folder)).glob("*.exc"))
    except (OSError, ValueError):
        paths = []
    if not paths:
        fail(ValueError, argument, "a folder with *.exc files, as WordNet has them", shown(os.fspath(folder)))
    forms: dict[str, str] = {}
    for path in paths:
        for number, line in enumerate(path.read_text("utf-8", "surrogateescape").splitlines(), 1):
            words = line.split()
            if len(words) == 1:
                fail(ValueError, f"{argument}: {path.name}, line {number}", "a form and its base forms", shown(line))
            if words:
                forms[words[0]] = words[1]
    return tuple(forms.items())


def words_of(stopwords: Any, argument: str = "stopwords") -> frozenset[str]:
    """Read stop words: a file with one word a line, or a collection of words.

    Raises
    ------
    TypeError, ValueError
        If it is neither, naming the first element that is no text, or the file cannot be read.
    """
    if isinstance(stopwords, (str, os.PathLike)):
        # `Path.expanduser` raises for a user that there is not.
        path = Path(os.path.expanduser(stopwords))
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, ValueError) as error:
            fail(ValueError, argument, "a file of words that can be read, or a list of words", f"{path}: {error}")
        return frozenset(filter(None, (line.strip() for line in lines)))
    # A generator would be empty when a module that has checked its options comes to score.
    if not isinstance(stopwords, Iterable) or isinstance(stopwords, (bytes, Iterator)):
        fail(TypeError, argument, "the path of a file, or a list or set of words", shown(stopwords))
    words = list(stopwords)
    for position, word in enumerate(words):
        if not isinstance(word, str):
            fail(TypeError, f"{argument}[{position}]", "a str", shown(word))
    return frozenset(words)
