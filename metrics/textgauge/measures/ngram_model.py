"""A language model of n-gram counts: perplexity without a neural network."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..arrays import FloatArray, IntArray, Ragged, offsets_of
from ..arrow import text_array
from ..checks import fail, refuse_unknown
from ..columns import text_column
from ..options import options_of
from ..plain import Texts
from ..text import NOWHERE, Tokenizer, token_places, tokenizer_of
from ..text.vocabulary import END, MARKS, START, UNKNOWN, Vocabulary, refuse_marks, text_sizes, token_column
from .ngram_probabilities import NgramOptions, SmoothedTrie
from .ngram_trie import NgramTrie
from .perplexity import Perplexity, PerplexityReports, TextModel


class NgramModel(TextModel):
    """A language model of word n-grams.

    `fit` counts n-grams, `score` returns the perplexity of other texts. Every text is one segment;
    its tokens are scored from left to right, then the end mark, which counts as a
    token. Words that `fit` has not seen become the unknown word ``<unk>``. The words
    ``<s>`` and ``</s>`` are refused in texts: the model puts these marks around a text.

    Parameters
    ----------
    order, smoothing, k, discount, open_vocabulary, min_count, padding
        See `NgramOptions`.
    tokenizer : str or callable str -> list of str

    Examples
    --------
    >>> model = NgramModel(2, "add-k", tokenizer="whitespace").fit(["a b", "a c"])
    >>> model
    <NgramModel(2, 'add-k', tokenizer='whitespace'): 3 words>
    >>> round(model.distribution(["a"])["b"], 4)          # (1 + 1) / (2 + 5)
    0.2857
    >>> round(model.score(["a b"])["corpus_perplexity"], 4)  # (3/7 * 2/7 * 2/6) ** (-1/3)
    2.9044
    """

    def __init__(
        self,
        order: int = 3,
        smoothing: str = "kneser-ney",
        *,
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = "13a",
        **options: Any,
    ) -> None:
        """Check and store the options."""
        refuse_unknown(options, NgramOptions.__dataclass_fields__, "NgramModel")
        self.tokenizer = tokenizer_of(tokenizer)
        self.options = NgramOptions(order, smoothing, **options)
        self._vocabulary: Vocabulary | None = None

    def __repr__(self) -> str:
        size = "not fitted" if self._vocabulary is None else f"{len(self._vocabulary.words):,} words"
        options, tokenizer = self.options, self.tokenizer.name
        return f"<NgramModel({options.order}, {options.smoothing!r}, tokenizer={tokenizer!r}): {size}>"

    def fit(self, texts: Any) -> NgramModel:
        """Count the n-grams of `texts`, which replace earlier counts; return the model."""
        column = text_column(texts, "texts")
        if len(column) == 0:
            fail(ValueError, "texts", "at least one text", "none")
        tokens, offsets = self._tokens(column)
        vocabulary = Vocabulary.of(tokens, self.options.min_count)
        ids = self._padded(vocabulary.ids(tokens, offsets))
        is_predicted = np.ones(len(ids.values), bool) if self.options.padding == "nltk" else ids.values != START
        trie = NgramTrie.of(ids, is_predicted, self.options.order, len(vocabulary))
        self._vocabulary = vocabulary
        self._smoothed = SmoothedTrie(trie, self.options, len(self._types()))
        return self

    def log_probs(self, texts: Any) -> list[list[float]]:
        """Return the natural logarithms of the probabilities of all tokens and the end mark, -inf for 0, per text."""
        values, offsets = self._log_probs(text_column(texts, "texts"))
        return [row.tolist() for row in np.split(values, offsets[1:-1])] if len(offsets) > 1 else []

    def statistics(self, texts: Any) -> FloatArray:
        """Return nll, tokens, bytes and words per text, see `Perplexity.statistics`."""
        column = text_column(texts, "texts")
        values, offsets = self._log_probs(column)
        n_tokens = np.diff(offsets)
        nll = np.bincount(np.repeat(np.arange(len(column)), n_tokens), -values, minlength=len(column))
        return np.column_stack((nll, n_tokens, text_sizes(column)))

    def surprises(self, texts: Sequence[str]) -> list[list[tuple[int, int, float]]]:
        """Return start, end and surprise in bits of every token with a place; end marks are empty, behind the text."""
        found = []
        for text, log_probs in zip(texts, self.log_probs(texts), strict=True):
            places = token_places(text, self.tokenizer.unstemmed(text))
            ends = [(len(text), len(text))] * (len(log_probs) - len(places))
            placed = zip([*places, *ends], log_probs, strict=True)
            found.append([(*place, -value / math.log(2)) for place, value in placed if place != NOWHERE])
        return found

    @property
    def signature(self) -> dict[str, str]:
        """The fields of a signature for the model."""
        return {"model": "ngrams", **self.options.signature, "tok": self.tokenizer.signature}

    def score(self, texts: Any, **options: Any) -> dict[str, Any]:
        """Return the perplexities of `texts`; for the options see `Perplexity.score`."""
        refuse_unknown(options, [one.name for one in options_of(PerplexityReports)], "NgramModel.score")
        return Perplexity(model=self).update_texts(texts).score(**options)

    def distribution(self, context: Sequence[str] = ()) -> dict[str, float]:
        """Return the probability of every token that can follow `context` at the start of a text.

        The keys are the words of the vocabulary, ``<unk>``, ``</s>`` for the end of the
        text and, with ``padding="nltk"``, ``<s>``; the values sum to 1.
        """
        vocabulary = self._fitted()
        tokens = text_array(text_column(context, "context"))
        refuse_marks(tokens, np.arange(len(tokens) + 1), "context")
        before = vocabulary.ids(tokens, np.array([0, len(tokens)])).values
        marked = np.concatenate((np.full(self.options.order - 1, START), before))
        marked = marked[len(marked) - (self.options.order - 1) :]
        following = self._types()
        rows = np.column_stack((np.tile(marked, (len(following), 1)), following))
        ends = (np.arange(len(rows)) + 1) * rows.shape[1] - 1
        probabilities = self._smoothed.probabilities(Ragged(rows.ravel(), offsets_of([rows.shape[1]] * len(rows))))[
            ends
        ]
        names = [*MARKS, *vocabulary.words.to_pylist()]
        return dict(zip([names[i] for i in following], probabilities.tolist(), strict=True))

    def _tokens(self, column: Texts) -> tuple[pa.LargeStringArray, IntArray]:
        tokens, offsets = token_column(self.tokenizer, column)
        refuse_marks(tokens, offsets, "texts")
        return tokens, offsets

    def _fitted(self) -> Vocabulary:
        if self._vocabulary is None:
            fail(ValueError, "model", "an NgramModel after fit(texts)", "a model without counts")
        return self._vocabulary

    def _padded(self, ids: Ragged) -> Ragged:
        n_start = self.options.order - 1
        n_end = 1 if self.options.padding == "text" else n_start
        offsets = offsets_of(ids.lengths + n_start + n_end)
        values = np.full(offsets[-1], START, np.int64)
        shift = np.repeat(offsets[:-1] + n_start - ids.offsets[:-1], ids.lengths)
        values[np.arange(len(ids.values)) + shift] = ids.values
        for i in range(1, n_end + 1):
            values[offsets[1:] - i] = END
        return Ragged(values, offsets)

    def _types(self) -> IntArray:
        """Return the ids of all tokens that can be predicted."""
        marks = [UNKNOWN]
        if self.options.padding == "text":
            marks = [UNKNOWN, END]
        elif self.options.order > 1:
            marks = [UNKNOWN, START, END]
        return np.concatenate((marks, np.arange(len(MARKS), len(self._fitted()))))

    def _log_probs(self, column: Texts) -> tuple[FloatArray, IntArray]:
        tokens, offsets = self._tokens(column)
        ids = self._padded(self._fitted().ids(tokens, offsets))
        is_scored = np.ones(len(ids.values), bool)
        for i in range(self.options.order - 1):
            is_scored[ids.offsets[:-1] + i] = False
        with np.errstate(divide="ignore"):
            values = np.log(self._smoothed.probabilities(ids)[is_scored])
        return values, offsets_of(ids.lengths - (self.options.order - 1))
