"""Texts that are cut once, and the counts of any of them with any other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import Counts
from ..columns import Corpus
from ..plain import Texts
from .layout import Layout, Rows


class Crossing(NamedTuple):
    """The counts of texts that are all in one group of tokens, in which any two are a pair.

    Attributes
    ----------
    common : mapping of callables
        By field, what two texts have in common: from a slice of predictions and one of references, shape
        (n_predictions, n_references), with an axis more for a field that has a size. The same where
        the two texts change places.
    as_prediction, as_reference : mapping of arrays
        By field, what a text alone determines: shape (n_texts,), or (n_texts, size).
    """

    common: Mapping[str, Callable[[slice, slice], Counts]]
    as_prediction: Mapping[str, Counts]
    as_reference: Mapping[str, Counts]

    def block(self, predictions: slice, references: slice) -> Block:
        """Count a block of pairs."""
        common = {name: count(predictions, references) for name, count in self.common.items()}
        return Block(self, common, predictions, references)


class Block(NamedTuple):
    """The counts of a block of pairs, which serve both ways."""

    crossing: Crossing
    common: Mapping[str, Counts]
    predictions: slice
    references: slice

    def rows(self, layout: Layout) -> CrossedRows:
        """Return the rows of the pairs."""
        return self._rows(layout, self.common, self.predictions, self.references)

    def swapped(self, layout: Layout) -> CrossedRows:
        """Return the rows of the pairs with references and predictions in each other's place."""
        common = {name: np.swapaxes(counts, 0, 1) for name, counts in self.common.items()}
        return self._rows(layout, common, self.references, self.predictions)

    def _rows(self, layout: Layout, common: Mapping[str, Counts], predictions: slice, references: slice) -> CrossedRows:
        fields = dict(common)
        fields |= {name: counts[predictions, None] for name, counts in self.crossing.as_prediction.items()}
        fields |= {name: counts[None, references] for name, counts in self.crossing.as_reference.items()}
        return CrossedRows(layout, fields)


class CrossedRows(Rows):
    """The rows of a block of pairs, field by field.

    A field has shape (n_predictions, n_references), with an axis more if it has a size; the first or the
    second axis has length 1 where only one of the texts determines it.
    """

    __slots__ = ("_fields",)

    def __init__(self, layout: Layout, fields: Mapping[str, Counts]) -> None:
        """Store the fields; there is no table of all of them."""
        super().__init__(layout, np.empty((0, layout.n_columns), layout.dtype))
        self._fields = fields

    def __getitem__(self, field: str) -> npt.NDArray[Any]:
        """Return a field."""
        return self._fields[field]


def group_of(texts: Texts) -> Corpus:
    """Return a corpus of one segment that has all these texts, so that their tokens have one numbering."""
    return Corpus(texts.slice(0, 1), texts.slice(1, len(texts)), np.array([0, len(texts) - 1]))
