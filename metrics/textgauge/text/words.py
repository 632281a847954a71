"""Tokens as Arrow text, and a vocabulary that outlives the texts it was made from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..checks import fail, shown
from ..ragged import IntArray, Ragged, offsets_of
from .bytes import Spans
from .tokenizers import TOKENIZERS, Tokenizer

UNKNOWN, START, END = 0, 1, 2
MARKS = ("<unk>", "<s>", "</s>")


@dataclass(frozen=True)
class Vocabulary:
    """The words that have an id; `MARKS` come before them and are never among them.

    A text may hold the unknown word, ``<unk>``, by its name.

    Attributes
    ----------
    words : large_string array, all different
        Word i has the id ``i + len(MARKS)``; any other word is `UNKNOWN`.

    Examples
    --------
    >>> from textgauge.text import tokenizer_of
    >>> whitespace, texts = tokenizer_of("whitespace"), pa.array(["a b a"], pa.large_string())
    >>> vocabulary = Vocabulary.of(token_column(whitespace, texts)[0])
    >>> vocabulary.ids(*token_column(whitespace, pa.array(["b c", "a"], pa.large_string()))).values
    array([4, 0, 3])
    """

    words: pa.LargeStringArray

    @classmethod
    def of(cls, tokens: pa.LargeStringArray, min_count: int = 1) -> Vocabulary:
        """Keep the tokens that occur at least `min_count` times, in order of appearance."""
        counted = pc.value_counts(tokens)
        words = counted.field("values").filter(pc.greater_equal(counted.field("counts"), min_count))
        return cls(words.filter(pc.not_equal(words, MARKS[UNKNOWN])))

    def __len__(self) -> int:
        return len(self.words) + len(MARKS)

    def ids(self, tokens: pa.LargeStringArray, offsets: IntArray) -> Ragged:
        """Return the int64 ids of tokenized texts."""
        index = pc.index_in(tokens, value_set=self.words)
        return Ragged(np.asarray(pc.fill_null(index, UNKNOWN - len(MARKS)), np.int64) + len(MARKS), offsets)


def token_column(tokenizer: Tokenizer, column: pa.LargeStringArray) -> tuple[pa.LargeStringArray, IntArray]:
    """Return the tokens of all texts in one column and the int64 offsets of the texts."""
    if tokenizer.cut is not None and not tokenizer.stemmed:
        spans = tokenizer.cut(column)
        return _text_of(spans), spans.offsets
    rows = [_row(tokenizer, text, i) for i, text in enumerate(column.to_pylist())]
    return pa.array([token for row in rows for token in row], pa.large_string()), offsets_of([len(row) for row in rows])


def refuse_marks(tokens: pa.LargeStringArray, offsets: IntArray, argument: str) -> None:
    """Raise for start and end marks among the tokens of texts, as words of a text they would count twice."""
    marks = np.flatnonzero(pc.is_in(tokens, pa.array((MARKS[START], MARKS[END]), pa.large_string())))
    if len(marks):
        text = int(np.searchsorted(offsets, marks[0], side="right")) - 1
        allowed = f"no word {MARKS[START]!r} or {MARKS[END]!r}, which the model itself puts around a text"
        fail(ValueError, f"{argument}[{text}]", allowed, shown(tokens[int(marks[0])].as_py()))


def _row(tokenizer: Tokenizer, text: str, position: int) -> list[str]:
    tokens = tokenizer(text)
    if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
        fail(TypeError, f"tokenizer: result for texts[{position}]", "a list of str", shown(tokens))
    return list(tokens)


def _text_of(spans: Spans) -> pa.LargeStringArray:
    """Copy the bytes of the tokens together, each behind the one before."""
    lengths = spans.ends - spans.starts
    offsets = offsets_of(lengths)
    shift = np.repeat(spans.starts - offsets[:-1], lengths)
    data = spans.data[np.arange(offsets[-1]) + shift]
    return pa.LargeStringArray.from_buffers(len(lengths), pa.py_buffer(offsets), pa.py_buffer(data))


def text_sizes(texts: pa.LargeStringArray) -> npt.NDArray[np.float64]:
    """Count the UTF-8 bytes and the white-space separated words: float64, shape (n_texts, 2).

    Examples
    --------
    >>> text_sizes(pa.array(["na\u00efve  cat"], pa.large_string()))
    array([[11.,  2.]])
    """
    words = TOKENIZERS["whitespace"].encode([texts])[0]
    return np.column_stack((pc.binary_length(texts), words.lengths)).astype(np.float64)
