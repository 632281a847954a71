"""What turns texts into rows of counts."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import Counts, FloatArray
from ..checks import LARGEST, fail, shown
from ..input.columns import Corpus
from ..text import TOKENIZERS, Tokenizer
from .layout import Layout, References, Rows
from .notes import Notes, notes_on_tokens

if TYPE_CHECKING:
    from ..plain import Texts


class Counter(abc.ABC):
    """What turns texts into rows, made once per options: a tokenizer with a count, or a model.

    Attributes
    ----------
    layout : Layout
        The fields of a row.
    tokenizer : Tokenizer or None
        What cuts the texts.
    references : References
        How the pairs of a segment become its row.
    identity : mapping from str to str
        What made the rows, beside the options: rows of two identities are added only if `Sums.mixes` says so.
    """

    layout: Layout
    tokenizer: Tokenizer | None = None
    references: References = References()
    identity: Mapping[str, str] = {}

    @abc.abstractmethod
    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Count a chunk: a row for every pair, or for every segment under "union"; `notes` collects warnings."""

    def fitted(self, corpus: Corpus) -> Counter:  # noqa: ARG002
        """Return the counter for a call with these texts, which may look at all of them first: by default itself."""
        return self

    def check_ready(self) -> None:  # noqa: B027
        """Raise where no text could be counted; faces ask that count later, elsewhere."""

    def notes(self) -> Notes:
        """Return a collector of reasons to warn: by default about the tokens."""
        tokenizer = self.tokenizer
        return Notes() if tokenizer is None else Notes(unusual=lambda: notes_on_tokens(tokenizer))

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts that are cut, and their tokenizer."""
        return corpus, self.tokenizer or TOKENIZERS["whitespace"]

    def chunks(self, corpus: Corpus) -> Iterable[Corpus]:
        """Return the pieces of a corpus that are counted one after the other, in bounded memory."""
        return corpus.chunks(row_bytes=self.layout.row_bytes)

    def crossing(self, texts: Texts, sides: Any, notes: Any) -> Any:  # noqa: ARG002
        """Return a `Crossing` of texts, each cut once, of which `Sides` says which are predictions.

        Any two of them can then be counted as a pair; None: only `rows` can count.
        """
        return None


class PairCounter(Counter):
    """Counts with a function of a prediction and one of its references."""

    def __init__(self, layout: Layout, count: Callable[[str, str], Sequence[float]]) -> None:
        """Take what returns the numbers of a row, in the order of the layout."""
        self.layout, self._count = layout, count

    def rows(self, corpus: Corpus, notes: Any) -> Rows:  # noqa: ARG002
        """Count the pairs of a chunk; refuse what is no row of the layout."""
        rows = np.zeros((0, self.layout.n_columns), self.layout.dtype)
        if counts := [self._row(self._count(*pair)) for pair in corpus.pairs()]:
            rows = np.array(counts, self.layout.dtype)
        return Rows(self.layout, rows)

    def _row(self, counted: Any) -> FloatArray | Counts:
        """Return the numbers of a pair; a cast would cut off what follows a decimal point."""
        try:
            given = np.array(counted).reshape(-1)
            row = given.astype(self.layout.dtype)
        except (TypeError, ValueError, OverflowError):
            given = row = np.zeros(0)
        is_row = given.dtype.kind in "biuf" and row.shape == (self.layout.n_columns,) and (row == given).all()
        values = Rows(self.layout, row) if is_row else None
        for one in self.layout.fields:
            if values is None or (one.is_whole and not _are_counts(values[one.name])):
                each = f"for every pair as many numbers as the fields have ({self.layout.n_columns})"
                whole = f"integers from 0 to {LARGEST:,}, unless `Field(..., is_whole=False)`"
                fail(ValueError, "what `PairCounter` counts", f"{each}, {whole}", shown(counted))
        return row


def _are_counts(values: Any) -> bool:
    # Larger ones could overflow when they are added.
    return bool(((values >= 0) & (values <= LARGEST)).all())
