"""Tokens as Arrow text, and vocabularies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from .. import engine
from ..arrays import IntArray, Ragged, offsets_of
from ..checks import fail, shown
from ..plain import Texts
from .tokenizers import TOKENIZERS, Tokenizer

UNKNOWN, START, END = 0, 1, 2
MARKS = ("<unk>", "<s>", "</s>")


@dataclass(frozen=True)
class Vocabulary:
    """Words with ids; the ids of `MARKS`, which are not among them, come first.

    A text may contain the unknown word, ``<unk>``, literally.

    Attributes
    ----------
    words : large_string array, all different
        Word i has the id ``i + len(MARKS)``; any other word is `UNKNOWN`.

    Examples
    --------
    >>> whitespace = TOKENIZERS["whitespace"]
    >>> vocabulary = Vocabulary.of(token_column(whitespace, engine.kernel.texts(["a b a"]))[0])
    >>> vocabulary.ids(*token_column(whitespace, engine.kernel.texts(["b c", "a"]))).values
    array([4, 0, 3])
    """

    words: pa.LargeStringArray

    @classmethod
    def of(cls, tokens: pa.LargeStringArray, min_count: int = 1) -> Vocabulary:
        """Return the vocabulary of tokens with at least `min_count` occurrences, in order of first occurrence."""
        counted = pc.value_counts(tokens)
        words = counted.field("values").filter(pc.greater_equal(counted.field("counts"), min_count))
        return cls(words.filter(pc.not_equal(words, MARKS[UNKNOWN])))

    def __len__(self) -> int:
        return len(self.words) + len(MARKS)

    def ids(self, tokens: pa.LargeStringArray, offsets: IntArray) -> Ragged:
        """Return the int64 ids of tokenized texts."""
        index = pc.index_in(tokens, value_set=self.words)
        return Ragged(np.asarray(pc.fill_null(index, UNKNOWN - len(MARKS)), np.int64) + len(MARKS), offsets)


def token_column(tokenizer: Tokenizer, texts: Texts) -> tuple[pa.LargeStringArray, IntArray]:
    """Return the tokens of all texts in one column and the int64 offsets of the texts."""
    if tokenizer.function is not None:
        rows = [_row(tokenizer, text, i) for i, text in enumerate(texts.tolist())]
        tokens = pa.array([token for row in rows for token in row], pa.large_string())
        return tokens, offsets_of([len(row) for row in rows])
    offsets, bounds, data = engine.kernel.token_texts(tokenizer.cutter, tokenizer.prepared(texts))
    buffers = pa.py_buffer(np.asarray(bounds, np.int64)), pa.py_buffer(data)
    return pa.LargeStringArray.from_buffers(len(bounds) - 1, *buffers), np.asarray(offsets, np.int64)


def refuse_marks(tokens: pa.LargeStringArray, offsets: IntArray, argument: str) -> None:
    """Raise for start and end marks among the tokens of texts, which the model adds."""
    marks = np.flatnonzero(pc.is_in(tokens, pa.array((MARKS[START], MARKS[END]), pa.large_string())))
    if len(marks):
        text = int(np.searchsorted(offsets, marks[0], side="right")) - 1
        allowed = f"no word {MARKS[START]!r} or {MARKS[END]!r}, which the model puts around a text"
        fail(ValueError, f"{argument}[{text}]", allowed, shown(tokens[int(marks[0])].as_py()))


def _row(tokenizer: Tokenizer, text: str, position: int) -> list[str]:
    tokens = tokenizer(text)
    if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
        fail(TypeError, f"tokenizer: result for texts[{position}]", "a list of str", shown(tokens))
    return list(tokens)


def text_sizes(texts: Texts) -> npt.NDArray[np.float64]:
    """Count the UTF-8 bytes and the white-space separated words: float64, shape (n_texts, 2).

    Examples
    --------
    >>> text_sizes(engine.kernel.texts(["na\u00efve  cat"]))
    array([[11.,  2.]])
    """
    offsets, _, _ = engine.kernel.token_texts(TOKENIZERS["whitespace"].cutter, texts)
    return np.column_stack((texts.lengths(), np.diff(offsets))).astype(np.float64)
