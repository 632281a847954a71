"""Tokenized texts that remember their sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ..ragged import IntArray, Ragged
from ..text import Tokenizer
from ..text.sentences import split_sentences
from ..text.tokenizers import Place


@dataclass(frozen=True)
class Texts:
    """One side of a corpus.

    Attributes
    ----------
    tokens : Ragged, n_texts rows
    sentences : Ragged, n_sentences rows
    sentence_offsets : int64, shape (n_texts + 1,)
        The sentences of text i lie between its two offsets.
    """

    tokens: Ragged
    sentences: Ragged
    sentence_offsets: IntArray

    @property
    def joined(self) -> Ragged:
        """The tokens of all sentences of each text: n_texts rows.

        They may differ from `tokens` where a tokenizer looks across a newline.
        """
        return Ragged(self.sentences.values, self.sentences.offsets[self.sentence_offsets])

    def take(self, rows: IntArray) -> Texts:
        """Return the given texts, in that order, repeats allowed."""
        chosen = Ragged(np.arange(len(self.sentences)), self.sentence_offsets).take(rows)
        sentences = self.sentences.take(chosen.values)
        if self.tokens.values is self.sentences.values:
            return Texts(Ragged(sentences.values, sentences.offsets[chosen.offsets]), sentences, chosen.offsets)
        return Texts(self.tokens.take(rows), sentences, chosen.offsets)


def texts_of(columns: list[pa.LargeStringArray], tokenizer: Tokenizer, place: Place) -> list[Texts]:
    """Tokenize columns with one vocabulary, every text as its own only sentence."""
    return [Texts(tokens, tokens, np.arange(len(tokens) + 1)) for tokens in tokenizer.encode(columns, place)]


def split_texts_of(
    columns: list[pa.LargeStringArray],
    tokenizer: Tokenizer,
    place: Place,
    *,
    at_end_marks: bool,
    lines: list[pa.LargeStringArray] | None = None,
) -> list[Texts]:
    """Tokenize columns and their sentences with one vocabulary; `lines` has the sentences if others count."""
    cuts = [split_sentences(column, at_end_marks=at_end_marks) for column in lines or columns]
    if tokenizer.is_local and not at_end_marks and lines is None:
        encoded = tokenizer.encode([column for column, _ in cuts])
        return [Texts(Ragged(s.values, s.offsets[cut]), s, cut) for s, (_, cut) in zip(encoded, cuts, strict=True)]
    n = len(columns)

    def place_in_text(column: int, row: int) -> str:
        if column < n:
            return place(column, row)
        text = int(np.searchsorted(cuts[column - n][1], row, side="right")) - 1
        return f"a sentence of {place(column - n, text)}"

    encoded = tokenizer.encode([*columns, *(column for column, _ in cuts)], place_in_text)
    return [Texts(t, s, cut) for t, s, (_, cut) in zip(encoded[:n], encoded[n:], cuts, strict=True)]
