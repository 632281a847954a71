"""Tokenizers that drop stop words and stem the rest."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ..ragged import Ragged, offsets_of
from .bytes import Spans, keys_of
from .stemmers import Stemmer
from .tokenizers import Place, Tokenizer, row_of_column


@dataclass(frozen=True)
class SiftedTokenizer(Tokenizer):
    """A tokenizer, then stop words, then stems.

    Attributes
    ----------
    stop_words : frozenset of str
        Compared with tokens as the tokenizer gives them, before stemming, so a word with an
        apostrophe or a capital never matches a tokenizer that splits and lower-cases.
    stemmer : Stemmer or None
    """

    stop_words: frozenset[str] = frozenset()
    stemmer: Stemmer | None = None

    @classmethod
    def of(cls, base: Tokenizer, stop_words: frozenset[str], stemmer: Stemmer | None) -> SiftedTokenizer:
        """Put both behind a tokenizer; the name says how many words each knows, and a checksum which."""
        name = base.name + (f"-stop{_list_name(stop_words)}" if stop_words else "")
        if stemmer:
            irregular = (f"{word} {stem}" for word, stem in stemmer.irregular)
            name += f"+{stemmer.rules}" + (f"-exc{_list_name(irregular)}" if stemmer.irregular else "")
        return cls(name, base.tokens, base.cut, is_local=base.is_local, stop_words=stop_words, stemmer=stemmer)

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of one text."""
        tokens = self.tokens(text)
        # What a callable gives besides a list is judged by `encode`, not here.
        if not isinstance(tokens, (list, tuple)):
            return tokens
        tokens = [token for token in tokens if token not in self.stop_words]
        return [self.stemmer(token) for token in tokens] if self.stemmer else tokens

    def _is_token(self, word: str) -> bool:
        return self.tokens(word) == [word]

    def encode(self, columns: Sequence[pa.LargeStringArray], place: Place = row_of_column) -> list[Ragged]:
        """Return one uint64 key per token; equal keys in any of the columns are equal tokens."""
        if self.cut is None:
            return Tokenizer(self.name, self).encode(columns, place)
        stop_words = pa.array(sorted(filter(self._is_token, self.stop_words)), pa.large_string())
        spans = self.cut(pa.concat_arrays([*columns, stop_words]))
        keys = keys_of(spans)
        n_texts = len(spans.offsets) - 1 - len(stop_words)
        n_tokens = int(spans.offsets[n_texts])
        keep = np.isin(keys[:n_tokens], keys[n_tokens:], invert=True)
        kept = offsets_of(keep)[spans.offsets[: n_texts + 1]]
        spans, keys = (
            Spans(spans.data, spans.starts[:n_tokens][keep], spans.ends[:n_tokens][keep], kept),
            keys[:n_tokens][keep],
        )
        if self.stemmer:
            keys = self.stemmer.keys(spans, keys)
        texts = offsets_of([len(column) for column in columns])
        return [
            Ragged(keys[kept[first] : kept[last]], kept[first : last + 1] - kept[first])
            for first, last in zip(texts, texts[1:], strict=False)
        ]


def _list_name(words: Iterable[str]) -> str:
    """Return the number of words and a checksum of them, in any order."""
    listed = sorted(words)
    return f"{len(listed)}[{zlib.crc32(chr(10).join(listed).encode()):08x}]"
