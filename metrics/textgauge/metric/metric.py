"""The metric: texts become rows of counts, a formula turns rows into scores, and a table describes the result."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from ..arrays import FloatArray
from ..checks import fail, shown
from ..input.columns import Corpus
from ..options import Options, Reports, options_of
from ..signatures import fields_of
from ..text import Tokenizer
from .inputs import Inputs
from .layout import Layout, Rows, Sums, rows_of_pairs
from .notes import Notes, notes_on_tokens
from .scores import About, Line, Score, Scores, Summary

if TYPE_CHECKING:
    from ..plain import Texts

Combination = Literal["pool", "mean"]
_Metric = TypeVar("_Metric", bound="Metric")


class Metric(abc.ABC):
    """A metric with its options: which columns it reads, how texts are counted and scored, how results are shown.

    `rows` turns texts into counts, `formula` turns counts into scores. An `Accumulator` adds the rows up, and
    `textgauge.register` makes the metric known to every face. Attributes that depend on the options are set in
    `prepare`.

    Attributes
    ----------
    name : str
        The name in calls; the key of its score, unless `scores` has others.
    options_type, reports_type : class
        The options of the metric, and those of its `score`.
    about : About
        The title and the explanations of the metric for readers.
    inputs : Inputs
        The columns of text that the metric reads.
    scores : Scores
        The scores of the metric: by default one, under the name of the metric.
    combine : "pool" or "mean"
        Whether the score of a corpus is that of the sum of all rows, or the mean over its segments.
    sums : Sums
        Whether rows may be added up, resampled, and counted batch by batch.
    layout : Layout
        The fields of a row, and how the pairs of a segment become its row.
    tokenizer : Tokenizer or None
        The tokenizer of the texts.
    identity : mapping from str to str
        The model or the data that made the rows, beside the options: rows with two identities are added only if
        `Sums.mixes`.
    """

    name: ClassVar[str]
    options_type: ClassVar[type[Options]] = Options
    reports_type: ClassVar[type[Reports]] = Reports
    about: About
    inputs: Inputs = Inputs()
    scores: Scores = Scores()
    combine: Combination = "pool"
    sums: Sums = Sums()
    layout: Layout
    tokenizer: Tokenizer | None = None
    identity: Mapping[str, str] = {}
    options: Any
    # The metric for single segments, once it was asked for; see `of_segments`.
    _of_segments: Metric | None = None

    def __init__(self, options: Any) -> None:
        """Take checked options."""
        self.options = options
        self.prepare()
        self.scores = self.scores.of_metric(self.name, options)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Give the scores the name of the metric."""
        super().__init_subclass__(**kwargs)
        if isinstance(name := cls.__dict__.get("name"), str):
            own = cls.__dict__.get("scores", Scores(Score(name)))
            # What is no `Scores`, `register` refuses.
            cls.scores = own.of_metric(name) if isinstance(own, Scores) else own

    def prepare(self) -> None:  # noqa: B027
        """Set the attributes that depend on the options, such as the tokenizer and the layout."""

    # ---- from texts to rows

    def count_pair(self, prediction: str, reference: str) -> Sequence[float]:
        """Return the numbers of a row for a prediction and one of its references, in the order of the layout."""
        raise NotImplementedError

    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Count a chunk: a row for every pair, or for every segment if `Layout.references` is "union".

        `notes` collects warnings. By default each pair is counted by `count_pair`.
        """
        if self.tokenizer is not None:
            notes.examine(corpus, self.tokenizer.cut(corpus, given=corpus))
        return rows_of_pairs(self.layout, corpus, self.count_pair, f"what `{type(self).__name__}.count_pair` returns")

    def fitted(self: _Metric, corpus: Corpus) -> _Metric:  # noqa: ARG002
        """Return the metric for a call, which may learn from all texts of the call first: by default the same."""
        return self

    def check_ready(self) -> None:  # noqa: B027
        """Raise if no text could be counted, for want of a model or of data; for faces that count later, elsewhere."""

    def notes(self) -> Notes:
        """Return a collector of reasons to warn: by default about the tokens."""
        tokenizer = self.tokenizer
        if tokenizer is None:
            return Notes()
        return Notes(unusual=lambda: notes_on_tokens(tokenizer), reads_latin=tokenizer.drops_letters)

    def all_pairs(self, texts: Texts, roles: Any, notes: Any) -> Any:  # noqa: ARG002
        """Return the `PairCounts` of texts, each cut once, any two of which can then be counted as a pair.

        `roles` are the `Roles` of the texts: which of them are predictions, and which references. None: only `rows`
        can count.
        """
        return None

    # ---- from rows to scores

    @abc.abstractmethod
    def formula(self, rows: Rows) -> dict[str, Any]:
        """Score rows, or sums of rows, with any leading axes: arrays by key, from 0 to 1 where there is a scale.

        `scores` are the scores; other keys are parts of the result for a corpus.
        """

    # ---- what it says of itself

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores, in which accumulators that are added must agree."""
        chosen = self.options.chosen()
        if self.tokenizer is None:
            return chosen
        # Last, since options such as stop words are part of it, and messages should name these first.
        chosen = {name: value for name, value in chosen.items() if name != "tokenizer"}
        return {**chosen, "tokenizer": self.tokenizer}

    def signature_fields(self, reports: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the fields of the signature: by default the settings, as signatures show them.

        `reports` are the options of `score`, if they are given.
        """
        return fields_of(self.settings())

    def result(self, accumulator: Any, reports: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return the scaled scores of a corpus and their parts by the keys of `formula`; `reports` may ask for more.

        `accumulator` is the `Accumulator`, with its `statistics`, `n_summed`, `total`, `corpus_values` and
        `segment_values`.
        The additions that every metric has are those of the accumulator; `Scores.shown` gives all of it its form.
        """
        values: dict[str, Any] = accumulator.corpus_values()
        return values

    def warn_of(self, accumulator: Any, values: Mapping[str, Any]) -> None:  # noqa: B027
        """Warn of what makes the score of a corpus 0, or says little; `values` are those of `formula`."""

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return a result as a table: by default a line for each score, and for each detail in the result."""
        scores = self.scores
        lines = [
            Line(
                score.in_papers or self.about.explain(score.key).title, (result[score.key],), score.key,
                is_headline=score.key == scores.headline, full=scores.full(score),
            )
            for score in scores if score.key in result
        ]  # fmt: skip
        lines += [Line(key, (value,), key, full=scores.top) for key, value in result.items() if key in scores.details]
        return Summary(self.about.title, ("score",), lines, self.below(result))

    def below(self, result: Mapping[str, Any]) -> list[str]:  # noqa: ARG002
        """Return the lines below the table of a result: by default one if lower is better, else none."""
        return [] if self.scores.of(self.scores.headline).higher_is_better else ["lower is better"]


# ---- what follows from what a metric says


def with_defaults(metric_type: type[Metric]) -> Metric:
    """Return a metric with the defaults of all options."""
    return metric_type(metric_type.options_type())


def selection_scores_of(metric: Metric, rows: Rows, key: str) -> FloatArray:
    """Return the selection scores of pairs for a score, largest for the best pair: float64, shape (n_pairs,)."""
    score = metric.scores.of(key)
    if not score.has_own_best and key not in rows.layout.along:
        score = metric.scores.of(metric.scores.headline)
    selection_scores: FloatArray = metric.formula(rows)[score.key]
    return selection_scores if score.higher_is_better else -selection_scores


def of_segments(metric: _Metric) -> _Metric:
    """Return the metric for scores of single segments: itself, unless `Options.of_segments` are other options."""
    options = metric.options.of_segments
    if options is metric.options:
        return metric
    if metric._of_segments is None:
        metric._of_segments = type(metric)(options)
    sentence: Any = metric._of_segments
    return sentence


def segments_note(metric: Metric) -> str:
    """Return how a metric differs `of_segments`, in words; empty if it does not."""
    return "" if of_segments(metric) is metric else metric.about.segments


def option_names(metric_type: type[Metric]) -> list[str]:
    """Return the names of the options of a metric, then of the options of its `score`."""
    return [option.name for part in (metric_type.options_type, metric_type.reports_type) for option in options_of(part)]


def reports_without_effect(metric_type: type[Metric], given: Mapping[str, Any]) -> dict[str, str]:
    """Return the options of `score`, of those given, that have no effect, and what each of them needs."""
    names = [option.name for option in options_of(metric_type.reports_type)]
    return metric_type.reports_type(**{name: given[name] for name in names if name in given}).without_effect()


def refuse_beside_scores(metric_type: type[Metric], options: Mapping[str, Any], spelled: str = "{}") -> None:
    """Raise for options that change only what stands beside the scores, where scores alone are returned."""
    for option in options_of(metric_type.options_type):
        if option.changes == "result" and options.get(option.name, option.default) != option.default:
            allowed = f"{option.default!r}, since scores alone are returned"
            fail(ValueError, spelled.format(option.name), allowed, shown(options[option.name]))
