"""Ways to write a metric in the last release, accepted with a warning: counters beside it, and members that moved.

They go with the next release.
"""

from __future__ import annotations

import abc
import copy
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from ..checks import fail, shown
from ..input.columns import Corpus
from ..text import Tokenizer
from .layout import Layout, Rows, Rule, rows_of_pairs

# What a metric has in the place of a former member.
_INSTEAD = {
    "as_cut": "`as_cut` of its `Explainer`",
    "chunks": "`inputs` with `at_once=True`",
    "counted_by": "`layout`, and `count_pair(prediction, reference)` or `rows(corpus, notes)`, itself",
    "crossing": "`all_pairs`",
    "explained_by": "an explainer that names it: `class Explained(Explainer, metric=...)`",
    "references": "a `layout` with `references=`",
    "reward_options": '`defaults_for` with "reward" among its options',
    "sentence_form": "options with `of_segments`",
}  # fmt: skip


def accept(metric_type: type[Any]) -> None:
    """Let a class of metrics have former members, and warn of each."""
    own = dict(vars(metric_type))
    for name in _INSTEAD:
        if name in own:
            _warn_of(metric_type, name)
    if "counted_by" in own:
        _count_with_a_counter(metric_type)
    if "crossing" in own:
        metric_type.all_pairs = metric_type.crossing
    if "chunks" in own:
        metric_type.inputs = replace(metric_type.inputs, at_once=True)


def _warn_of(metric_type: type[Any], name: str) -> None:
    text = f"{metric_type.__name__}.{name} is accepted in 0.2 only: a metric has {_INSTEAD[name]}."
    warnings.warn(text, DeprecationWarning, stacklevel=5)


def accept_note(note_type: type[Any]) -> None:
    """Let a class of notes have `look` and `advice`, and warn of them."""
    text = f"{note_type.__name__}: a note has `examine` and `warning`; `look` and `advice` are accepted in 0.2 only."
    warnings.warn(text, DeprecationWarning, stacklevel=3)
    if "look" in vars(note_type):
        note_type.examine = note_type.look
    if "advice" in vars(note_type):
        note_type.warning = vars(note_type)["advice"]
        # What is set later must be seen under both names.
        del note_type.advice


class References(NamedTuple):
    """How the pairs of a segment, one per reference, become its rows.

    .. deprecated:: 0.2
        A `Layout` has `references`, the name of the rule.
    """

    rule: Literal["best", "pooled", "average", "union"] = "best"
    leaves_one_out: bool = False

    @property
    def name(self) -> Rule:
        """The name of the rule."""
        others: dict[str, Rule] = {"best": "best of others", "pooled": "pooled others"}
        return others.get(self.rule, self.rule) if self.leaves_one_out else self.rule


def lay_out(metric: Any) -> None:
    """Let the layout of a metric have the rule of its `references`, wherever these are set."""
    references = metric.references
    if isinstance(references, str):
        name = f"{type(metric).__name__}.references"
        fail(ValueError, name, f"a layout with the rule, `Layout(..., references={references!r})`", shown(references))
    if not isinstance(references, References):
        return
    if "references" in vars(metric):
        _warn_of(type(metric), "references")
    metric.layout = metric.layout.with_references(references.name)


class Counter(abc.ABC):
    """What turns texts into rows, beside a metric whose `counted_by` returns it; its members are those of `Metric`.

    .. deprecated:: 0.2
        A metric has `rows`, or `count_pair`, itself.
    """

    layout: Layout
    tokenizer: Tokenizer | None = None
    references = References()
    identity: Mapping[str, str] = {}

    @abc.abstractmethod
    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Count a chunk."""

    def fitted(self, corpus: Corpus) -> Any:  # noqa: ARG002
        """Return the counter for a call with these texts."""
        return self


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


# Other methods of a metric that its counter may have, and their names there.
_METHODS = {"check_ready": "check_ready", "notes": "notes", "as_cut": "as_cut", "all_pairs": "crossing"}


def _count_with_a_counter(metric_type: type[Any]) -> None:
    """Let a class of metrics count by the counter that its `counted_by` returns."""

    def prepare(self: Any) -> None:
        _take(self, self.counted_by())

    def fitted(self: Any, corpus: Corpus) -> Any:
        counter = self.counter.fitted(corpus)
        if counter is self.counter:
            return self
        other = copy.copy(self)
        _take(other, counter)
        return other

    metric_type.prepare, metric_type.fitted = prepare, fitted
    metric_type.rows = lambda self, corpus, notes: _laid_out(self.counter.rows(corpus, notes), self.layout)
    for name in ("tokenizer", "identity"):
        setattr(metric_type, name, property(attrgetter(f"counter.{name}")))


def _laid_out(rows: Any, layout: Layout) -> Any:
    """Return what a counter counted, with the rule for references that the metric has."""
    if not isinstance(rows, Rows) or rows.layout is layout:
        return rows
    return Rows(layout, rows.values, rows.per_segment, extras=rows.extras)


def _take(metric: Any, counter: Any) -> None:
    if not isinstance(getattr(counter, "layout", None), Layout):
        allowed = 'a counter with `layout = Layout([Field("common")])`'
        fail(TypeError, f"{type(metric).__name__}.counted_by", allowed, shown(counter))
    metric.counter, metric.layout = counter, counter.layout.with_references(counter.references.name)
    for name, of_counter in _METHODS.items():
        if hasattr(counter, of_counter):
            setattr(metric, name, getattr(counter, of_counter))
    if hasattr(counter, "chunks"):
        metric.inputs = replace(metric.inputs, at_once=True)
