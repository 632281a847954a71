"""Sentences as punkt of nltk 3.9.2 splits them, by data of nltk's that is installed.

Kiss and Strunk (2006), Unsupervised Multilingual Sentence Boundary Detection, sections 3 and 4.
"""

from __future__ import annotations

import os
import re
import string
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from .data_files import DataFiles, stamp
from .wordnet import nltk_folders

_FILES = ("abbrev_types.txt", "collocations.tab", "sent_starters.txt", "ortho_context.tab")
_NO_WORD = r"[)\";}\]*:@'({\[!?]"
_MARKS = r"(?:-{2,}|\.{2,}|(?:\.\s){2,}\.)"
_WORD = re.compile(
    rf"{_MARKS}|(?=[^(\"`{{\[:;&#*@)}}\]\-,])\S+?(?=\s|$|{_NO_WORD}|{_MARKS}|,(?=$|\s|{_NO_WORD}|{_MARKS}))|\S"
)
_END = re.compile(rf"[.?!](?=(?P<behind>{_NO_WORD}|\s+(?P<next>\S+)))")
# What goes to the sentence before it.
_CLOSING = re.compile(r"[\"')\]}]+?(?:\s+|(?=--)|$)", re.MULTILINE)
_NUMBER = re.compile(r"^-?[.,]?\d[\d,.\-]*\.?$")
_ELLIPSIS = re.compile(r"\.\.+$")
_INITIAL = re.compile(r"[^\W\d]\.$")
# How a type of word was seen: capital letters at a sentence's beginning, inside, unknown where; small ones.
_CAPITAL_INSIDE, _CAPITAL = 4, 2 + 4 + 8
_SMALL_AT_BEGINNING, _SMALL = 16, 16 + 32 + 64


@dataclass
class _Token:
    text: str
    type: str
    is_end: bool = False
    is_abbreviation: bool = False
    is_ellipsis: bool = False

    @property
    def bare_type(self) -> str:
        """The type without a full stop at its end."""
        return self.type[:-1] if len(self.type) > 1 and self.type[-1] == "." else self.type

    @property
    def next_type(self) -> str:
        """The type without the full stop that ends a sentence."""
        return self.bare_type if self.is_end else self.type


class Punkt:
    """A splitter of sentences.

    Attributes
    ----------
    identity : str
        The checksum of the data.
    """

    def __init__(self, place: str) -> None:
        """Read a folder, or a zip with the folder punkt_tab/english."""
        remedy = "copy nltk's data anew: python -m nltk.downloader -f punkt_tab"
        files = DataFiles("punkt_tab", place, "punkt_tab/english/" if place.endswith(".zip") else "", remedy)
        read = {name: files.read(name) for name in _FILES}
        texts = []
        for name, data in read.items():
            with files.reading(name):
                texts.append(data.decode("utf-8"))
        self.identity = f"{zlib.crc32(chr(0).join(texts).encode()):08x}"
        abbreviations, collocations, starters, contexts = (text.removesuffix("\n").split("\n") if text else []
                                                           for text in texts)  # fmt: skip
        self._abbreviations, self._starters = frozenset(abbreviations), frozenset(starters)
        with files.reading("collocations.tab"):
            self._collocations = {(first, second) for first, second in (line.split("\t") for line in collocations)}
        with files.reading("ortho_context.tab"):
            self._contexts = {word: int(flags) for word, flags in (line.split("\t") for line in contexts)}

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a text, without the white space between them."""
        return [text[start:end] for start, end in self._aligned(text, [*self._pieces(text)]) if text[start:end]]

    def _candidates(self, text: str) -> Iterator[tuple[re.Match[str], str]]:
        """Yield the last mark of every word that may end a sentence, and the word with what is behind it."""
        start = end = 0
        before: re.Match[str] | None = None
        for mark in _END.finditer(text):
            space = _last_space(text[end : mark.start()])
            begin = space + end + 1 if space else start
            if before and end <= begin:
                yield before, text[start:end] + before.group() + before["behind"]
            before, start, end = mark, begin, mark.start()
        if before:
            yield before, text[start:end] + before.group() + before["behind"]

    def _pieces(self, text: str) -> Iterator[tuple[int, int]]:
        last = 0
        for mark, context in self._candidates(text):
            if self._has_end(context):
                yield last, mark.end()
                last = mark.start("next") if mark["next"] else mark.end()
        yield last, len(text.rstrip())

    @staticmethod
    def _aligned(text: str, pieces: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield the pieces with closing quotes and brackets moved to the sentence before them."""
        moved = 0
        for (start, end), (next_start, next_end) in pairwise(pieces):
            closing = _CLOSING.match(text[next_start:next_end])
            yield start + moved, next_start + len(closing[0].rstrip()) if closing else end
            moved = closing.end() if closing else 0
        start, end = pieces[-1]
        yield start + moved, end

    def _has_end(self, context: str) -> bool:
        """Return whether a sentence ends before the last word."""
        tokens = [self._token(word) for line in context.split("\n") for word in _WORD.findall(line)]
        for token, behind in pairwise(tokens):
            self._decide(token, behind)
        return any(token.is_end for token in tokens[:-1])

    def _token(self, word: str) -> _Token:
        token = _Token(word, _NUMBER.sub("##number##", word.lower()))
        if word in (".", "?", "!"):
            token.is_end = True
        elif _ELLIPSIS.match(word):
            token.is_ellipsis = True
        elif word.endswith(".") and not word.endswith(".."):
            lower = word[:-1].lower()
            token.is_abbreviation = not self._abbreviations.isdisjoint((lower, lower.split("-")[-1]))
            token.is_end = not token.is_abbreviation
        return token

    def _decide(self, token: _Token, behind: _Token) -> None:
        """Kiss and Strunk (2006), section 4: decide again about a word with a full stop, by the word behind it."""
        if not token.text.endswith("."):
            return
        is_initial, is_capital = bool(_INITIAL.match(token.text)), behind.text[0].isupper()
        if (token.bare_type, behind.next_type) in self._collocations:
            token.is_end = False
            return
        starts = self._starts_sentence(behind)
        if (token.is_abbreviation or token.is_ellipsis) and not is_initial and (
            starts or (is_capital and behind.next_type in self._starters)
        ):  # fmt: skip
            token.is_end = True
            return
        if is_initial or token.bare_type == "##number##":
            is_seen_small = self._contexts.get(behind.next_type, 0) & _SMALL
            if starts is False or (starts is None and is_initial and is_capital and not is_seen_small):
                token.is_end = False

    def _starts_sentence(self, token: _Token) -> bool | None:
        """Return whether a word starts a sentence, by how it was seen; None: it may."""
        if token.text in (*";:,.!?",):
            return False
        seen = self._contexts.get(token.next_type, 0)
        if token.text[0].isupper() and seen & _SMALL and not seen & _CAPITAL_INSIDE:
            return True
        if token.text[0].islower() and (seen & _CAPITAL or not seen & _SMALL_AT_BEGINNING):
            return False
        return None


def _last_space(text: str) -> int:
    return next((at for at in range(len(text) - 1, 0, -1) if text[at] in string.whitespace), 0)


@lru_cache(4)
def _punkt(place: str, stamps: tuple[Any, ...]) -> Punkt:  # noqa: ARG001
    return Punkt(place)


def punkt_of() -> Punkt | None:
    """Return the splitter of nltk's English data, read once unless it changes; None where there is none.

    It is looked for in nltk's folders: tokenizers/punkt_tab/english, or tokenizers/punkt_tab.zip. The older data of
    punkt is a pickle, which is never read.
    """
    for folder in filter(os.path.isdir, nltk_folders()):
        tokenizers = os.path.join(folder, "tokenizers")
        own, archive = os.path.join(tokenizers, "punkt_tab", "english"), os.path.join(tokenizers, "punkt_tab.zip")
        for place, paths in ((own, [os.path.join(own, name) for name in _FILES]), (archive, [archive])):
            if os.path.isfile(paths[0]):
                return _punkt(place, tuple(stamp(path) for path in paths if os.path.isfile(path)))
    return None
