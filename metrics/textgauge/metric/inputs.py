"""The columns of text that a metric reads, and the errors for columns that are missing or not used."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..checks import fail, shown
from ..input.columns import Corpus, corpus_of
from ..lazy import lazy

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
        The columns that a call may have, "predictions" first.
    required : tuple of str or None
        The columns that a call must have, whatever the model; None: all.
    read : callable
        Takes the columns of a call by their names, checks them, and returns a corpus.
    at_once : bool
        Whether all texts of a call are counted together, since a model sorts them by length; else chunk by chunk, in
        bounded memory.
    is_paired : bool
        Whether every prediction has references of its own; else predictions and references are two samples of texts, of
        any two sizes.
    takes_lists : bool
        Whether a prediction may be a list of texts, which `read` takes.
    are_sessions : bool
        Whether a text is a session of several speakers, with a line for every utterance.
    takes_any_text : bool
        Whether every text is scored; else some are refused, so that what a model writes cannot be rewarded.
    model : callable or None
        Returns the `Reader` of a learned metric, such as the loaded model, with a `name` for messages, the columns
        of "references" and "sources" that the model `takes`, and a method for the columns that it is `lacking`.
    context : str
        The option with the document of every segment, of a metric that reads the segments before one; empty for none.
        `OF_ROWS` is its value where the documents are a column of the rows.
    n_before : int
        How many segments before one that metric reads, where its documents are `OF_ROWS`.
    """

    names: tuple[str, ...] = ("predictions", "references")
    required: tuple[str, ...] | None = None
    read: Callable[..., Corpus] = corpus_of
    at_once: bool = False
    is_paired: bool = True
    takes_lists: bool = False
    are_sessions: bool = False
    takes_any_text: bool = True
    model: Callable[[], Any] | None = None
    context: str = ""
    n_before: int = 0

    @lazy
    def has_references(self) -> bool:
        """Whether texts are compared with references."""
        return "references" in self.names

    @lazy
    def needed(self) -> tuple[str, ...]:
        """`required`, with all columns for None."""
        return self.names if self.required is None else self.required

    def with_model(self, model: Callable[[], Any]) -> Inputs:
        """Return the same inputs, with a model that uses some of the columns."""
        return replace(self, model=model)

    def used(self, columns: Collection[str]) -> tuple[str, ...]:
        """Return the columns that are used, of "references" and "sources"; this loads the model, if there is one."""
        takes = self.names if self.model is None else self.model().takes
        return tuple(column for column in columns if column in takes)

    def lacking(self, columns: Collection[str]) -> tuple[str, ...]:
        """Return the columns that a call with these ones needs as well; see `used`."""
        if self.model is not None:
            return tuple(self.model().lacking(columns))
        return tuple(column for column in self.needed if column != "predictions" and column not in columns)

    def reader(self, metric: str) -> str:
        """Return the reader of the columns for messages: the name of the model, or that of the metric."""
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
        """Return the checked columns of a call that names a metric; raise for a column that is not in `names`."""
        if references is None or sources is not None or self.names != BY_PLACE:
            self.check({"references": references, "sources": sources}, who)
        given = {}
        for name, column in (("references", references), ("sources", sources), *others.items()):
            if column is not None:
                given[name] = column
        return self.read(predictions, **given)

    def parameters(self) -> list[inspect.Parameter]:
        """Return the columns as the parameters of a function: predictions and references may stand without names."""
        parameters, takes = [], inspect.signature(self.read).parameters
        for name in self.names:
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if name in BY_PLACE else inspect.Parameter.KEYWORD_ONLY
            default = inspect.Parameter.empty if name in self.needed else None
            annotation = takes[name].annotation if name in takes else inspect.Parameter.empty
            parameters.append(inspect.Parameter(name, kind, default=default, annotation=annotation))
        return parameters


def check_given(
    metrics: Collection[Any], given: Mapping[str, Any], *, needed: str = "texts", spelled: str = "{}s"
) -> None:
    """Raise for a column that no metric takes, and for None where a metric needs a column; see `Inputs.check`."""
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
            # Such as the sources of what was translated, given as references.
            needed = metrics[0].inputs.lacking([*given])
            instead = f", but needs {' and '.join(needed)}" if needed else ""
            fail(ValueError, argument, f"None, since {who} does not use {column}{instead}", shown(got))
