"""Counters beside a metric, as metrics had them before they counted themselves: these go with the next release."""

from __future__ import annotations

import abc
import copy
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ..input.columns import Corpus
from ..text import TOKENIZERS, Tokenizer
from .layout import Layout, References, Rows, rows_of_pairs
from .notes import Notes, notes_on_tokens

if TYPE_CHECKING:
    from ..plain import Texts


class Counter(abc.ABC):
    """What turns texts into rows, beside a metric whose `counted_by` returns it; its attributes are those of `Metric`.

    .. deprecated:: 0.2
        A metric has `rows`, or `count_pair`, itself.
    """

    layout: Layout
    tokenizer: Tokenizer | None = None
    references: References = References()
    identity: Mapping[str, str] = {}

    @abc.abstractmethod
    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Count a chunk."""

    def fitted(self, corpus: Corpus) -> Counter:  # noqa: ARG002
        """Return the counter for a call with these texts."""
        return self

    def check_ready(self) -> None:  # noqa: B027
        """Raise where no text could be counted."""

    def notes(self) -> Notes:
        """Return a collector of reasons to warn."""
        tokenizer = self.tokenizer
        return Notes() if tokenizer is None else Notes(unusual=lambda: notes_on_tokens(tokenizer))

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts that are cut, and their tokenizer."""
        return corpus, self.tokenizer or TOKENIZERS["whitespace"]

    def chunks(self, corpus: Corpus) -> Iterable[Corpus]:
        """Return the pieces of a corpus that are counted one after the other."""
        return corpus.chunks(row_bytes=self.layout.row_bytes)

    def crossing(self, texts: Texts, sides: Any, notes: Any) -> Any:  # noqa: ARG002
        """Return a `Crossing` of texts, or None."""
        return None


class PairCounter(Counter):
    """Counts with a function of a prediction and one of its references.

    .. deprecated:: 0.2
        A metric has `count_pair` itself.
    """

    def __init__(self, layout: Layout, count: Callable[[str, str], Sequence[float]]) -> None:
        """Take what returns the numbers of a row, in the order of the layout."""
        self.layout, self._count = layout, count

    def rows(self, corpus: Corpus, notes: Any) -> Rows:  # noqa: ARG002
        """Count the pairs of a chunk; refuse what is no row of the layout."""
        return rows_of_pairs(self.layout, corpus, self._count, "what `PairCounter` counts")


# What a metric has from its counter: attributes, and methods.
_ATTRIBUTES = ("layout", "tokenizer", "references", "identity")
_METHODS = ("rows", "check_ready", "notes", "as_cut", "chunks", "crossing")


def counts_with_a_counter(metric: type[Any]) -> None:
    """Let a class of metrics count by the counter that its `counted_by` returns, and warn of it."""
    warnings.warn(
        f"{metric.__name__}.counted_by: a metric counts itself, with `layout` and `count_pair(prediction, reference)` "
        "or `rows(corpus, notes)`, and sets what depends on options in `prepare`; a counter is accepted in 0.2 only.",
        DeprecationWarning,
        stacklevel=3,
    )

    def prepare(self: Any) -> None:
        self.counter = self.counted_by()

    def fitted(self: Any, corpus: Corpus) -> Any:
        counter = self.counter.fitted(corpus)
        if counter is self.counter:
            return self
        other = copy.copy(self)
        other.counter = counter
        return other

    metric.prepare, metric.fitted = prepare, fitted
    for name in _ATTRIBUTES:
        setattr(metric, name, property(attrgetter(f"counter.{name}")))
    for name in _METHODS:
        setattr(metric, name, _delegated(name))


def _delegated(name: str) -> Callable[..., Any]:
    return lambda self, *given: getattr(self.counter, name)(*given)
