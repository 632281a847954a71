"""Counts of all pairs of texts, each of which is cut into tokens once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .. import engine
from ..arrays import Counts, FloatArray, IntArray, lengths_of
from ..input.columns import Corpus
from ..metric.layout import Layout, Rows

if TYPE_CHECKING:
    from ..plain import Texts, Tokens


class Roles(NamedTuple):
    """Which of the texts are predictions, the first ones, and which are references, the last ones; or both.

    Attributes
    ----------
    n_predictions, first_reference : int
    weights : float64, shape (n_references,), or None
        With these, the references are one: the sum of their counts, each multiplied by its weight.
    sources : Texts or None
        What each prediction translates, if they have any.
    """

    n_predictions: int
    first_reference: int
    weights: FloatArray | None = None
    sources: Texts | None = None

    def of_references(self, counts: Counts) -> Counts:
        """Return the part of counts of all texts that belongs to the references."""
        if self.weights is None:
            return counts
        weights = self.weights.reshape(-1, *[1] * (counts.ndim - 1))
        return np.asarray((weights * counts[self.first_reference :]).sum(axis=0, keepdims=True))


class PairCounts(NamedTuple):
    """The counts of texts whose tokens have one numbering, so that any two texts are a pair.

    Attributes
    ----------
    common : mapping of callables
        By field, what two texts have in common: from a slice of predictions and one of references, shape
        (n_predictions, n_references), with an axis more for a field that has a size.
    as_prediction, as_reference : mapping of arrays
        By field, what a text alone determines: shape (n_texts,), or (n_texts, size).
    is_symmetric : bool
        Whether `common` is the same where the two texts change places.
    """

    common: Mapping[str, Callable[[slice, slice], Counts]]
    as_prediction: Mapping[str, Counts]
    as_reference: Mapping[str, Counts]
    is_symmetric: bool = True

    def block(self, predictions: slice, references: slice) -> BlockCounts:
        """Count a block of pairs."""
        common = {name: count(predictions, references) for name, count in self.common.items()}
        return BlockCounts(self, common, predictions, references)


class BlockCounts(NamedTuple):
    """The counts of a block of pairs, which serve both ways."""

    counts: PairCounts
    common: Mapping[str, Counts]
    predictions: slice
    references: slice

    def rows(self, layout: Layout) -> PairRows:
        """Return the rows of the pairs."""
        return self._rows(layout, self.common, self.predictions, self.references)

    def swapped(self, layout: Layout) -> PairRows:
        """Return the rows of the pairs with references and predictions in each other's place."""
        if not self.counts.is_symmetric:
            return self.counts.block(self.references, self.predictions).rows(layout)
        common = {name: np.swapaxes(counts, 0, 1) for name, counts in self.common.items()}
        return self._rows(layout, common, self.references, self.predictions)

    def _rows(self, layout: Layout, common: Mapping[str, Counts], predictions: slice, references: slice) -> PairRows:
        fields = dict(common)
        fields |= {name: counts[predictions, None] for name, counts in self.counts.as_prediction.items()}
        fields |= {name: counts[None, references] for name, counts in self.counts.as_reference.items()}
        return PairRows(layout, fields)


class PairRows(Rows):
    """The rows of a block of pairs: shape (n_predictions, n_references, n_columns)."""

    __slots__ = ()

    def __init__(self, layout: Layout, fields: Mapping[str, Counts]) -> None:
        """Fill the rows with fields.

        A field has shape (n_predictions, n_references), with an axis more if it has a size; the first or the
        second axis has length 1 where only one of the texts determines it.
        """
        shape = np.broadcast_shapes(*(counts.shape[:2] for counts in fields.values()))
        values = np.empty((*shape, layout.n_columns))
        for name, counts in fields.items():
            values[..., layout.places[name]] = counts
        super().__init__(layout, values)


def ngram_counts(tokens: Tokens, max_order: int, roles: Roles) -> Callable[[slice, slice], Counts]:
    """Return a function that counts common n-grams of all orders: shape (n_predictions, n_references, max_order)."""
    n_rows, first, weights = roles[:3]
    if weights is not None:
        every = np.asarray(engine.kernel.weighted_ngram_matches(tokens, max_order, n_rows, first, weights))
        return lambda predictions, _: every[predictions, None]
    index = engine.kernel.NgramIndex(tokens, max_order, n_rows, first)

    def count(predictions: slice, references: slice) -> Counts:
        matches = index.matches(predictions.start, predictions.stop, references.start, references.stop)
        return np.swapaxes(np.asarray(matches, np.int32), 1, 2)

    return count


def lcs_counts(tokens: Tokens) -> Callable[[slice, slice], Counts]:
    """Return a function that counts tokens of common subsequences: int32, shape (n_predictions, n_references)."""
    index = engine.kernel.LcsIndex(tokens)

    def count(predictions: slice, references: slice) -> Counts:
        lengths = index.lengths(predictions.start, predictions.stop, references.start, references.stop)
        return np.asarray(lengths, np.int32)

    return count


def n_tokens(tokens: Tokens) -> IntArray:
    """Return the numbers of tokens of all texts: int64, shape (n_texts,)."""
    return lengths_of(np.asarray(tokens.offsets, np.int64))


def n_ngrams(lengths: IntArray, max_order: int) -> IntArray:
    """Return the numbers of n-grams of texts with so many tokens: int64, shape (n_texts, max_order)."""
    return np.maximum(lengths[:, None] - np.arange(max_order), 0)


@dataclass
class _Group(Corpus):
    roles: Roles = Roles(0, 0)

    def place(self, side: int, row: int) -> str:
        """Name a text by its position among the predictions or the references."""
        text, n_predictions, first_reference = row + side, *self.roles[:2]
        return f"predictions[{text}]" if text < n_predictions else f"references[{text - first_reference}]"


def group_of(texts: Texts, roles: Roles) -> Corpus:
    """Return a corpus of one segment that has all these texts, so that their tokens have one numbering."""
    return _Group(texts.slice(0, 1), texts.slice(1, len(texts)), np.array([0, len(texts) - 1]), roles=roles)
