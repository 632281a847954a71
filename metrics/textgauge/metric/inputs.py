"""Which columns of text a metric reads, and the errors of those that it lacks or does not use."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..checks import fail, shown
from ..input.columns import Corpus, corpus_of

BY_PLACE = ("predictions", "references")
# What the columns of a call may be, and what they are.
COLUMNS = {
    "predictions": (
        "iterable of str", "A list, tuple, generator, NumPy or Arrow array, pandas Series or datasets column."
    ),
    "references": (
        "iterable of str, or of sequences of str",
        "One text, or a non-empty sequence of texts, for every prediction.",
    ),
    "sources": ("iterable of str", "What every prediction is made from, such as what it translates."),
    "groups": ("iterable", "The key of the group of every text, such as its prompt."),
    "prefixes": ("iterable of str", "A context before each text: the model sees it, but it is not scored."),
}  # fmt: skip


@dataclass(frozen=True)
class Inputs:
    """The columns of text that a metric reads.

    Attributes
    ----------
    names : tuple of str
        Those that may be given, "predictions" first.
    required : tuple of str or None
        Those that must be given, before a model is asked; None: all.
    read : callable
        Checks the columns of a call, and returns a corpus: it takes them by their names.
    at_once : bool
        Whether all texts of a call are counted together, since a model sorts them by length; else chunk by chunk, in
        bounded memory.
    model : callable or None
        Returns the `Reader` of a learned metric, such as its loaded model: its `name` for messages, which of
        "references" and "sources" it `takes`, and which it is `lacking` beside those that are given.
    """

    names: tuple[str, ...] = ("predictions", "references")
    required: tuple[str, ...] | None = None
    read: Callable[..., Corpus] = corpus_of
    at_once: bool = False
    model: Callable[[], Any] | None = None

    @property
    def has_references(self) -> bool:
        """Whether texts are compared with references."""
        return "references" in self.names

    @property
    def needed(self) -> tuple[str, ...]:
        """`required`, where None has its meaning."""
        return self.names if self.required is None else self.required

    def with_model(self, model: Callable[[], Any]) -> Inputs:
        """Return the same columns, of which a model uses some."""
        return replace(self, model=model)

    def used(self, given: Collection[str]) -> tuple[str, ...]:
        """Return those of the columns "references" and "sources" that are used; a model is loaded for the answer."""
        takes = self.names if self.model is None else self.model().takes
        return tuple(column for column in given if column in takes)

    def lacking(self, given: Collection[str]) -> tuple[str, ...]:
        """Return the columns that are needed beside predictions and those given; see `used`."""
        if self.model is not None:
            return tuple(self.model().lacking(given))
        return tuple(column for column in self.needed if column != "predictions" and column not in given)

    def reader(self, metric: str) -> str:
        """Return what messages name as that which reads the columns: the model, or the metric of this name."""
        return metric if self.model is None else self.model().name

    def check(self, given: Mapping[str, Any], who: str, *, needed: str = "texts", spelled: str = "{}s") -> None:
        """Raise for columns that the metric does not read, and for missing required ones.

        Parameters
        ----------
        given : mapping
            By "references" and "sources"; None is not given.
        who, needed, spelled : str
            For messages: the metric as it was named, what an argument should be, and the name of the argument, made
            of "reference" or "source".
        """
        for column, value in given.items():
            argument = spelled.format(column.removesuffix("s"))
            if value is None and column in self.needed:
                fail(TypeError, argument, f"{needed}, which {who} needs", "None")
            if value is not None and column not in self.names:
                fail(TypeError, argument, f"None, since {who} uses no {column}", shown(value))

    def corpus(
        self, who: str, predictions: Any = None, references: Any = None, sources: Any = None, **others: Any
    ) -> Corpus:  # fmt: skip
        """Check the columns of a call that names a metric; one that is none of `names` is refused."""
        if references is None or sources is not None or self.names != BY_PLACE:
            self.check({"references": references, "sources": sources}, who)
        given = {"references": references, "sources": sources, **others}
        return self.read(predictions, **{name: column for name, column in given.items() if column is not None})

    def parameters(self) -> list[inspect.Parameter]:
        """Return the columns as the parameters of a function: predictions and references may stand without names."""
        found, takes = [], inspect.signature(self.read).parameters
        for name in self.names:
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if name in BY_PLACE else inspect.Parameter.KEYWORD_ONLY
            default = inspect.Parameter.empty if name in self.needed else None
            annotation = takes[name].annotation if name in takes else inspect.Parameter.empty
            found.append(inspect.Parameter(name, kind, default=default, annotation=annotation))
        return found


def check_given(
    metrics: Collection[Any], given: Mapping[str, Any], *, needed: str = "texts", spelled: str = "{}s"
) -> None:
    """Refuse what none of several metrics takes, and None for what one of them needs; see `Inputs.check`."""
    taken = {column for metric in metrics for column in metric.inputs.names}
    for metric in metrics:
        own = {column: value for column, value in given.items() if value is None or column not in taken}
        metric.inputs.check(own, metric.name, needed=needed, spelled=spelled)


def check_needs(
    metrics: Collection[Any], given: Mapping[str, Any], *, needed: str = "texts", spelled: str = "{}s"
) -> None:
    """Raise for a column that a metric lacks with its options, such as a model, or that none uses.

    `given` has by "references" and "sources" what a message shows, or None; a model is loaded for the answer. See
    `Inputs.check` for the rest.
    """
    there = {column: value for column, value in given.items() if value is not None}
    for metric in metrics:
        for column in metric.inputs.lacking(there):
            who = metric.inputs.reader(metric.name)
            fail(ValueError, spelled.format(column.removesuffix("s")), f"{needed}, with which {who} scores", "None")
    refuse_unused(metrics, there, spelled=spelled)


def refuse_unused(metrics: Iterable[Any], given: Mapping[str, Any], *, spelled: str = "{}s") -> None:
    """Raise for a column that no metric uses with its options, such as a model.

    `given` has by "references" and "sources" what a message shows: texts, or the name of a column; see
    `Inputs.check` for `spelled`.
    """
    metrics = [*metrics]
    for column, value in given.items():
        if metrics and not any(metric.inputs.used([column]) for metric in metrics):
            argument = spelled.format(column.removesuffix("s"))
            got = value if isinstance(value, str) else value[0]
            who = metrics[0].inputs.reader(metrics[0].name)
            fail(ValueError, argument, f"None, since {who} does not use {column}", shown(got))
