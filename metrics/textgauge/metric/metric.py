"""A metric, composed: a counter, which turns texts into rows; a formula, from rows to scores; and what it says."""

from __future__ import annotations

import abc
import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from ..arrays import FloatArray
from ..checks import fail, shown
from ..options import Options, Reports, options_of
from ..signatures import fields_of
from .about import About
from .counter import Counter
from .inputs import Inputs
from .layout import Rows
from .scores import Score, Scores
from .summary import Line, Summary, scaled
from .sums import Sums

Combination = Literal["pool", "mean"]
_Metric = TypeVar("_Metric", bound="Metric")


class CountedSegments(Protocol):
    """What a metric may ask of the segments that were counted."""

    @property
    def statistics(self) -> Rows:
        """The rows of all segments, or one row that is their sum."""

    @property
    def n_summed(self) -> int:
        """Of how many segments the only row is the sum; 0: the rows are those of segments."""

    def total(self) -> Rows:
        """Return the sum of all rows, and the last of them."""

    def means(self, keys: tuple[str, ...] = ()) -> dict[str, FloatArray]:
        """Return the scaled means of the scores of segments, all or some."""

    def segment_values(self) -> dict[str, FloatArray]:
        """Return the scores of every segment before scaling."""


class Metric(abc.ABC):
    """A metric with its options, a value: what it reads, counts and scores, and what it says of itself.

    An `Accumulator` adds its rows up, and `textgauge.register` makes it known to every face. What depends on the
    options is set on the metric in `counted_by`.

    Attributes
    ----------
    name : str
        The name in calls; the key of its score, unless `scores` has others.
    options_type, reports_type : class
        Its options, and the options of its `score`.
    about : About
        What readers are told.
    inputs : Inputs
        The columns of text that it reads.
    scores : Scores
        Its scores: by default one, under its name.
    combine : "pool" or "mean"
        Whether the score of a corpus is that of the sum of all rows, or the mean over its segments.
    sums : Sums
        What may be done with its rows.
    counter : Counter
    explained_by : class, or None
        A subclass of `textgauge.explanation.explainer.Explainer` that explains its scores.
    reward_options : mapping
        Options that a reward sets unless they are given: completions may have more than what is scored.
    """

    name: ClassVar[str]
    options_type: ClassVar[type[Options]] = Options
    reports_type: ClassVar[type[Reports]] = Reports
    about: About
    inputs: Inputs = Inputs()
    scores: Scores = Scores()
    combine: Combination = "pool"
    sums: Sums = Sums()
    explained_by: ClassVar[Any] = None
    reward_options: ClassVar[Mapping[str, Any]] = {}
    counter: Counter
    options: Any

    def __init__(self, options: Any) -> None:
        """Make the counter for checked options."""
        self.options = options
        self.counter = self.counted_by()
        self.scores = self.scores.of_metric(self.name, options)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Give the scores the name of the metric."""
        super().__init_subclass__(**kwargs)
        if isinstance(name := cls.__dict__.get("name"), str):
            own = cls.__dict__.get("scores", Scores(Score(name)))
            # What is no `Scores`, `register` refuses.
            cls.scores = own.of_metric(name) if isinstance(own, Scores) else own

    @abc.abstractmethod
    def counted_by(self) -> Counter:
        """Return what counts texts with these options."""

    @abc.abstractmethod
    def formula(self, rows: Rows) -> dict[str, Any]:
        """Score rows, or sums of rows, with any leading axes: arrays by key, from 0 to 1 where there is a scale.

        `scores` are the scores; other keys are parts of the result for a corpus.
        """

    # ---- defaults

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores: two accumulators must agree in these to be added."""
        chosen = self.options.chosen()
        if self.counter.tokenizer is None:
            return chosen
        # Last, since options such as stop words are part of it, and messages should name these first.
        chosen = {name: value for name, value in chosen.items() if name != "tokenizer"}
        return {**chosen, "tokenizer": self.counter.tokenizer}

    def signature_fields(self, asked: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the fields of the signature: by default the settings, as signatures show them.

        `asked` are the options of `score`, if they are given.
        """
        return fields_of(self.settings())

    def sentence_form(self) -> Metric:
        """Return the metric for scores of single segments: itself, unless it has a sentence form."""
        return self

    def result(self, counted: CountedSegments, asked: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return the scaled scores of a corpus and their parts by the keys of `formula`, and what was asked for.

        The additions that every metric has are those of the accumulator; `Scores.shown` gives all of it its form.
        """
        if self.combine == "mean":
            return counted.means()
        values, scores = self.formula(counted.total()), self.scores
        return values if scores.scale == 1 else scaled(values, scores.scale, scores.unscaled)

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return a result as a table: by default a line per score, and per detail that was asked for."""
        scores = self.scores
        lines = [
            Line(
                score.in_papers or self.about.explain(score.key).title, (result[score.key],), score.key,
                is_headline=score.key == scores.headline, full=None if score.perfect is None else scores.top,
            )
            for score in scores if score.key in result
        ]  # fmt: skip
        lines += [Line(key, (value,), key, full=scores.top) for key, value in result.items() if key in scores.details]
        below = [] if scores.of(scores.headline).higher_is_better else ["lower is better"]
        return Summary(self.about.title, ("score",), lines, below)


# ---- what follows from what a metric says


def usual(kind: type[Metric]) -> Metric:
    """Return a metric with the defaults of all options."""
    return kind(kind.options_type())


def with_counter(metric: _Metric, counter: Counter) -> _Metric:
    """Return the same metric with a fitted counter."""
    if counter is metric.counter:
        return metric
    other = copy.copy(metric)
    other.counter = counter
    return other


def merits_of(metric: Metric, rows: Rows, key: str) -> FloatArray:
    """Return what makes the best pair of a segment, for a score: float64, shape (n_pairs,)."""
    score = metric.scores.of(key)
    if not score.has_own_best and key not in rows.layout.along:
        score = metric.scores.of(metric.scores.headline)
    merits: FloatArray = metric.formula(rows)[score.key]
    return merits if score.higher_is_better else -merits


def segments_note(metric: Metric) -> str:
    """Return how the `sentence_form` of a metric differs from it, in words; empty if it does not."""
    return "" if metric.sentence_form() is metric else metric.about.segments


def option_names(kind: type[Metric]) -> list[str]:
    """Return the names of the options of a metric, then of the options of its `score`."""
    return [one.name for part in (kind.options_type, kind.reports_type) for one in options_of(part)]


def idle_reports(kind: type[Metric], given: Mapping[str, Any]) -> dict[str, str]:
    """Return the given options of `score` that have no effect, and what they need."""
    names = [one.name for one in options_of(kind.reports_type)]
    return kind.reports_type(**{name: given[name] for name in names if name in given}).idle()


def refuse_of_result(kind: type[Metric], options: Mapping[str, Any], spelled: str = "{}") -> None:
    """Refuse options that only add to a result, where scores alone are returned."""
    for one in options_of(kind.options_type):
        if one.of_result and options.get(one.name, one.default) != one.default:
            allowed = f"{one.default!r}, since scores alone are returned"
            fail(ValueError, spelled.format(one.name), allowed, shown(options[one.name]))
