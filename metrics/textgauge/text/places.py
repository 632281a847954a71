"""The places of tokens in their text, as spans of characters."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..plain.characters import INVISIBLE, bits_of, is_of

Place = tuple[int, int]
Fold = Callable[[str], str]
NOWHERE: Place = (-1, -1)
# How many times a text is read in search of words that do not occur in it.
_PASSES = 100


def token_places(text: str, tokens: Sequence[Any]) -> list[Place]:
    """Find the tokens of a text, for any tokenizer.

    Case is ignored. If the tokens contain every character of the text except white space, or
    every word, their places are unique. Else the tokenizer dropped some text, and each token is
    placed at its next occurrence as a whole word; or at its next occurrence anywhere, if that
    finds more tokens; if some are still not found, punctuation inside words is skipped.

    Parameters
    ----------
    text : str
    tokens : sequence
        In the order of the text, before any stemming.

    Returns
    -------
    list of (int, int)
        Token i is ``text[start:end]``; `NOWHERE` for tokens that do not occur in the text, such as
        ids of subwords.

    Examples
    --------
    >>> token_places("The CAT, sat", ["the", "cat", "sat"])
    [(0, 3), (4, 7), (9, 12)]
    >>> token_places("R&amp;D", ["R", "&", "D"])
    [(0, 1), (1, 6), (6, 7)]
    """
    best: list[Place] = []
    # Most tokenizers keep ß; only full case folding turns it into two letters.
    for fold in (str.lower, str.casefold):
        words = [fold(token) if isinstance(token, str) else "" for token in tokens]
        for folded, sources in _forms(text, words, fold):
            tiled = _tiled(folded, words)
            if tiled is not None:
                # Of an unchanged text the sources are the places themselves.
                if isinstance(sources, _Own):
                    return tiled
                return [(sources[start][0], sources[end - 1][1]) for start, end in tiled]
            for next_place in (_Search(folded).word, _Search(folded).anywhere):
                spans = _found(words, next_place)
                if not best or _n_found(spans) > _n_found(best):
                    best = [(sources[start][0], sources[end - 1][1]) if end > 0 else NOWHERE for start, end in spans]
                if NOWHERE not in best:
                    return best
    return best


def _forms(text: str, words: Sequence[str], fold: Fold) -> Iterator[tuple[str, Sequence[Place]]]:
    """Yield texts from which the tokens may come: their characters, and the source of each in `text`."""
    folded, sources = _folded(text, fold)
    if ("&" in text or "<" in text or "-\n" in text) and not _is_tiled(folded, words):
        # Imported here: beside the compiled kernel few texts need it.
        from ..plain.tokenizers import REPLACED_13A, REPLACED_NIST

        # What 13a and nltk replace first.
        for replaced in ([pair for pair in REPLACED_13A if pair[0] != "\n"], REPLACED_NIST):
            plain, plain_sources = _without_markup(text, replaced, fold)
            if _is_tiled(plain, words):
                yield plain, plain_sources
    yield folded, sources
    # What "unicode" drops inside words and emoji.
    yield _kept(text, fold, lambda c: c.isascii() or not is_of(INVISIBLE, bits_of(c)))
    # What normalizers of answers drop: that of SQuAD ASCII punctuation, others all but letters, marks and digits.
    yield _kept(text, fold, lambda c: c not in string.punctuation)
    yield _kept(text, fold, lambda c: c.isspace() or unicodedata.category(c)[0] in "LMN")


def _folded(text: str, fold: Fold) -> tuple[str, Sequence[Place]]:
    """Return the case-folded text, and the source of each of its characters."""
    folded = fold(text)
    if len(folded) == len(text):
        return folded, _Own()
    # Character by character: `lower` writes a sigma at the end of a word differently.
    pairs = [(c, (i, i + 1)) for i, character in enumerate(text) for c in fold(character)]
    return "".join(c for c, _ in pairs), [source for _, source in pairs]


class _Own(Sequence[Place]):
    """The sources of unchanged characters: their own places."""

    def __getitem__(self, index: Any) -> Any:
        return (index, index + 1)

    def __len__(self) -> int:
        return 0


def _without_markup(text: str, replaced: Sequence[tuple[str, str]], fold: Fold) -> tuple[str, list[Place]]:
    """Apply replacements; return the sources of the remaining characters, too."""
    sources = [(i, i + 1) for i in range(len(text))]
    for old, new in replaced:
        pieces, kept, at = [], [], 0
        while (place := text.find(old, at)) >= 0:
            end = place + len(old)
            pieces += [text[at:place], new]
            kept += sources[at:place] + [(sources[place][0], sources[end - 1][1])] * len(new)
            at = end
        text, sources = "".join((*pieces, text[at:])), kept + sources[at:]
    pairs = [(c, source) for character, source in zip(text, sources, strict=True) for c in fold(character)]
    return "".join(c for c, _ in pairs), [source for _, source in pairs]


def _kept(text: str, fold: Fold, is_kept: Callable[[str], bool]) -> tuple[str, list[Place]]:
    """Drop some characters; return the sources of the remaining ones, too."""
    kept = [(i, c) for i, c in enumerate(text) if is_kept(c)]
    pairs = [(folded, (i, i + 1)) for i, character in kept for folded in fold(character)]
    return "".join(c for c, _ in pairs), [source for _, source in pairs]


def _is_tiled(folded: str, words: Sequence[str]) -> bool:
    return "".join(folded.split()) == "".join("".join(words).split())


def _tiled(folded: str, words: Sequence[str]) -> list[Place] | None:
    """Return the places of words that together are the text, with or without its white space; None if they are not."""
    places, at = [], 0
    for word in words:
        if word.isspace() and len(word) == 1:
            # One space may stand for a run of others.
            while word != " " and folded[at : at + 1].isspace() and folded[at] != word:
                at += 1
            if folded[at : at + 1].isspace():
                places.append((at, at + 1))
                at += 1
                continue
        while at < len(folded) and folded[at].isspace():
            at += 1
        if not word or not folded.startswith(word, at):
            return None
        places.append((at, at + len(word)))
        at += len(word)
    return None if folded[at:].strip() else places


def _n_found(places: Sequence[Place]) -> int:
    return sum(end > 0 for _, end in places)


class _Search:
    """Searches a text for words in sequence, in time linear in the length of the text.

    The search for a missing word reads the rest of the text; after too many of these, further words
    count as not found.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._n_left = _PASSES * (len(text) + 1)

    def word(self, word: str, at: int) -> int:
        """Return the next occurrence of a word: directly at `at`, or with no letter or digit on either side."""
        text = self._text
        if at and text.startswith(word, at):
            return at
        start = self.anywhere(word, at)
        while start >= 0:
            end = start + len(word)
            if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
                return start
            start = self.anywhere(word, start + 1)
        return -1

    def anywhere(self, word: str, at: int) -> int:
        """Return the next occurrence of a string, -1 if there is none."""
        if self._n_left <= 0:
            return -1
        start = self._text.find(word, at)
        # The call counts, too: a word that occurs at every character is found by steps of one.
        self._n_left -= (len(self._text) if start < 0 else start) - at + 1
        return start


def _found(words: Sequence[str], next_place: Callable[[str, int], int]) -> list[Place]:
    places, at = [], 0
    for word in words:
        start = next_place(word, at) if word else -1
        if start >= 0:
            at = start + len(word)
        places.append((start, at) if start >= 0 else NOWHERE)
    return places
