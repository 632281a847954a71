"""What all measures are: statistics of segments that grow by batches and add up."""

from __future__ import annotations

import abc
import copy
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from .. import engine
from ..checks import fail, flag, refuse_idle, shown
from ..columns import Corpus, corpus_of
from ..resampling import BootstrapOptions, interval_options
from ..signatures import reference_counts, signature
from ..text import Normalizer, Tokenizer
from .storage import Storable
from .warnings import LostText

_DRAWS_NOTHING = BootstrapOptions()
_Kind = TypeVar("_Kind", bound="Accumulator")
_TextKind = TypeVar("_TextKind", bound="TextAccumulator")


class Accumulator(Storable):
    """Statistics per segment, batch by batch, never text."""

    def __init__(self) -> None:
        """Start without segments."""
        self._batches = []
        self._n_references = frozenset()

    @property
    @abc.abstractmethod
    def _settings(self) -> dict[str, Any]:
        """Every option by its name: what two accumulators that are added must have in common."""

    @classmethod
    def idle(cls, *, confidence: float | None = None, **_: Any) -> dict[str, str]:
        """Say which options of `score` change nothing beside the others, and what they need."""
        return {} if confidence is not None else dict.fromkeys(("n_resamples", "seed"), "without confidence")

    @classmethod
    def check_reports(
        cls, *, confidence: float | None = None, n_resamples: int | None = None, seed: int | None = None, **flags: Any
    ) -> None:
        """Raise for options of `score` that could not work."""
        for name, value in flags.items():
            flag(name, value)
        interval_options(confidence, n_resamples, seed)

    def _bootstrap(self, **drawn: Any) -> BootstrapOptions:
        """Check how intervals are drawn; refuse what changes nothing."""
        if all(value is None or value is True for value in drawn.values()):
            return _DRAWS_NOTHING
        refuse_idle(drawn, self.idle(**drawn))
        return interval_options(drawn["confidence"], drawn["n_resamples"], drawn["seed"])

    def without_segments(self: _Kind) -> _Kind:
        """Return one with the same options and no segments."""
        # `copy.copy` takes longer than counting one pair.
        empty = type(self).__new__(type(self))
        empty.__dict__.update(self.__dict__, _batches=[], _n_references=frozenset())
        return empty

    @property
    def statistics(self) -> npt.NDArray[Any]:
        """The additive rows of all segments, in their order: the class says what stands in a row."""
        return np.concatenate(self._rows if self._some_batches else [])

    @property
    def _some_batches(self) -> list[Any]:
        if not self._batches:
            fail(ValueError, "predictions", "at least one segment", "none")
        return self._batches

    def __add__(self: _Kind, other: _Kind) -> _Kind:
        """Merge two sets of segments that were scored with the same options."""
        if type(other) is not type(self):
            fail(TypeError, "other", f"another {type(self).__name__}", shown(other))
        ours, theirs = self._settings, other._settings
        for name, value in ours.items():
            if value != theirs[name]:
                left, right = _spoken(value), _spoken(theirs[name])
                fail(ValueError, "other", f"the same {name}, {left}", f"another {right}" if left == right else right)
        merged = copy.copy(self)
        merged._batches = self._batches + other._batches
        merged._n_references = self._n_references | other._n_references
        return merged

    def __radd__(self: _Kind, other: Any) -> _Kind:
        """Begin a `sum` of accumulators, which starts with 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    def _signature(self, **more: str) -> str:
        return signature(self._n_references, {**self._described, **more})


class TextAccumulator(Accumulator):
    """An accumulator of predictions against references."""

    tokenizer: Tokenizer
    corpus_of = staticmethod(corpus_of)

    @abc.abstractmethod
    def _counted(self, corpus: Corpus, lost: Any) -> Any:
        """Count a chunk: one batch."""

    def as_read(self, corpus: Corpus) -> Corpus:
        """Return the texts as far as they are read: each of them, or its start."""
        return corpus

    def update(self: _TextKind, predictions: Any, references: Any) -> _TextKind:
        """Add segments; what is refused leaves everything as it was."""
        return self.update_corpus(self.corpus_of(predictions, references))

    def update_corpus(self: _TextKind, corpus: Corpus) -> _TextKind:
        """Add segments that were checked before."""
        engine.warn_if_plain()
        lost = self._lost()
        self._batches += [self._counted(chunk, lost) for chunk in corpus.chunks()]
        self._n_references |= reference_counts(corpus.reference_offsets)
        lost.warn()
        return self

    def _lost(self) -> LostText:
        return LostText(self.tokenizer)


def settings_of(options: Any) -> dict[str, Any]:
    """Return the fields of a dataclass of options, each by its name."""
    return {field.name: getattr(options, field.name) for field in fields(options)}


def _spoken(value: Any) -> str:
    if isinstance(value, (Tokenizer, Normalizer)):
        return f"{value.name!r}"
    return shown(value)
