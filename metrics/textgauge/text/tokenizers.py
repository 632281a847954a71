"""Tokenizers by name: a definition for one text and an encoding of whole columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa

from ..checks import fail, one_of, shown
from ..ragged import Ragged, offsets_of
from . import characters, definitions, encoders, handed_over
from .bytes import Spans, keys_of
from .porter import stem
from .stem_keys import stem_keys

Definition = Callable[[str], list[str]]
Cutter = Callable[[pa.LargeStringArray], Spans]
# What an error calls a text, from the index of its column and its row there.
Place = Callable[[int, int], str]


def row_of_column(column: int, row: int) -> str:
    """Name a text that nobody else names."""
    return f"text {row} of column {column}"


@dataclass(frozen=True)
class Tokenizer:
    """How text becomes tokens.

    Attributes
    ----------
    name : str
        As it stands in signatures and messages.
    tokens : callable str -> list
        The definition.
    cut : callable or None
        The same on a column of UTF-8 bytes; None where only the definition exists.
    stemmed : bool
        Whether tokens of more than three characters are replaced by their Porter stems.
    is_local : bool
        Whether the tokens of a text are those of its lines, one line after the other.
    """

    name: str
    tokens: Definition
    cut: Cutter | None = None
    stemmed: bool = False
    is_local: bool = False

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of one text."""
        tokens = self.tokens(text)
        return [_stemmed(token) for token in tokens] if self.stemmed else tokens

    @property
    def signature(self) -> str:
        """The name, with the version of its dictionary if it has one."""
        return handed_over.signature_of(self.name)

    def encode(self, columns: Sequence[pa.LargeStringArray], place: Place = row_of_column) -> list[Ragged]:
        """Return one uint64 key per token; equal keys in any of the columns are equal tokens.

        Raises
        ------
        TypeError
            If the definition returns no list, or tokens that cannot be hashed, by `place`.
        """
        if self.cut is None:
            cut = [list(map(self.tokens, column.to_pylist())) for column in columns]
            return _encode_rows(cut, place)
        spans = self.cut(pa.concat_arrays(columns))
        keys = keys_of(spans)
        if self.stemmed:
            keys = stem_keys(spans, keys)
        texts = offsets_of([len(column) for column in columns])
        bounds = spans.offsets[texts]
        return [
            Ragged(keys[bounds[i] : bounds[i + 1]], spans.offsets[texts[i] : texts[i + 1] + 1] - bounds[i])
            for i in range(len(columns))
        ]


def _encode_rows(columns: list[list[Any]], place: Place) -> list[Ragged]:
    ids: dict[Any, int] = {}
    encoded = []
    for rows in columns:
        if not all(map(_is_list, rows)):
            _blame(columns, place)
        try:
            values = [ids.setdefault(token, len(ids)) for row in rows for token in row]
        except TypeError:
            _blame(columns, place)
        encoded.append(Ragged(np.array(values, np.uint64), offsets_of([len(row) for row in rows])))
    return encoded


def _blame(columns: list[list[Any]], place: Place) -> NoReturn:
    """Raise for the first result of a tokenizer that is no list of tokens."""
    for i, rows in enumerate(columns):
        for j, row in enumerate(rows):
            where = f"tokenizer: result for {place(i, j)}"
            if not _is_list(row):
                fail(TypeError, where, "a list of tokens", shown(row))
            for token in row:
                if not _is_hashable(token):
                    fail(TypeError, where, "tokens that are str or hashable", shown(token))
    fail(TypeError, "tokenizer", "tokens that can be compared", "some that cannot")


def _is_list(tokens: Any) -> bool:
    return isinstance(tokens, (list, tuple))


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _stemmed(token: str) -> str:
    return stem(token) if len(token) > 3 else token


TOKENIZERS = {
    tokenizer.name: tokenizer
    for tokenizer in (
        Tokenizer("13a", definitions.tokens_13a, encoders.spans_13a),
        Tokenizer("rouge", definitions.tokens_rouge, encoders.spans_rouge, is_local=True),
        Tokenizer("rouge-1.5.5", definitions.tokens_rouge155, encoders.spans_rouge155, is_local=True),
        Tokenizer("whitespace", definitions.tokens_whitespace, encoders.spans_whitespace, is_local=True),
        Tokenizer("character", definitions.tokens_character, encoders.spans_character, is_local=True),
        Tokenizer("unicode", definitions.tokens_unicode),
        Tokenizer("intl", definitions.tokens_intl, characters.spans_intl),
        Tokenizer("zh", definitions.tokens_zh, characters.spans_zh),
        Tokenizer("char", definitions.tokens_character, encoders.spans_character, is_local=True),
        Tokenizer("none", definitions.tokens_whitespace, encoders.spans_whitespace, is_local=True),
        Tokenizer(
            "ascii-whitespace", definitions.tokens_ascii_whitespace, encoders.spans_ascii_whitespace, is_local=True
        ),
    )
}
STEMMED_ROUGE = Tokenizer("rouge+porter", definitions.tokens_rouge, encoders.spans_rouge, stemmed=True, is_local=True)


def tokenizer_of(value: str | Definition | Tokenizer, argument: str = "tokenizer") -> Tokenizer:
    """Return the tokenizer that a name or a callable stands for."""
    if isinstance(value, Tokenizer):
        return value
    if callable(value):
        return Tokenizer(getattr(value, "__name__", type(value).__name__), value)
    one_of(argument, value, (*TOKENIZERS, *handed_over.NAMES))
    return TOKENIZERS[value] if value in TOKENIZERS else Tokenizer(value, handed_over.handed_over(value))
