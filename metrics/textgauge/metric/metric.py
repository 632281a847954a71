"""A metric, composed: a counter, which turns texts into rows; a formula, from rows to scores; and what it says."""

from __future__ import annotations

import abc
import copy
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np

from ..accumulation.warnings import Note, Notes, notes_on_tokens
from ..arrays import Counts, FloatArray
from ..checks import fail, shown
from ..input.columns import Corpus, TextColumn, corpus_of, text_column, with_sources, without_references
from ..lazy import lazy
from ..options import Option, Options, Reports, options_of
from ..text import TOKENIZERS, Tokenizer
from ..text.tokenizers import text_lengths
from .layout import Layout, References, Rows
from .summary import Explanation, Line, Summary, scaled

if TYPE_CHECKING:
    from ..accumulation.accumulator import Accumulator
    from ..all_pairs.crossing import Crossing, Sides
    from ..arrays import IntArray
    from ..plain import Texts


Combination = Literal["pool", "mean"]


class Counter(abc.ABC):
    """What turns texts into rows, made once per options: a tokenizer with a count, or a model.

    Attributes
    ----------
    layout : Layout
        The fields of a row.
    tokenizer : Tokenizer or None
        What cuts the texts.
    identity : mapping from str to str
        What made the rows, beside the options: rows of two identities are added only if the metric
        `mixes_counters`.
    """

    layout: Layout
    tokenizer: Tokenizer | None = None
    identity: Mapping[str, str] = {}

    @abc.abstractmethod
    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Count a chunk: a row for every pair, or for every segment under "union"; `notes` collects warnings."""

    def fitted(self, corpus: Corpus) -> Counter:  # noqa: ARG002
        """Return the counter for a call with these texts, which may look at all of them first: by default itself."""
        return self

    def read(self, corpus: Corpus) -> Corpus:
        """Return the columns that are counted: by default all."""
        return corpus

    def check_ready(self) -> None:  # noqa: B027
        """Raise where no text could be counted; faces ask that count later, elsewhere."""

    def notes(self) -> Notes:
        """Return a collector of reasons to warn."""
        return Notes() if self.tokenizer is None else Notes(unusual=self.unusual)

    def unusual(self) -> tuple[Note, ...]:
        """Return what is looked for where texts or tokens are unusual; see `Notes`."""
        return () if self.tokenizer is None else notes_on_tokens(self.tokenizer)

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts that are cut, and their tokenizer."""
        return corpus, self.tokenizer or TOKENIZERS["whitespace"]

    def chunks(self, corpus: Corpus) -> Iterable[Corpus]:
        """Return the pieces of a corpus that are counted one after the other, in bounded memory."""
        return corpus.chunks(row_bytes=self.layout.row_bytes)

    def crossing(self, texts: Texts, sides: Sides, notes: Any) -> Crossing | None:  # noqa: ARG002
        """Cut texts, each once, so that any two of them can be counted as a pair; None: only `rows` can count."""
        return None


class PairCounter(Counter):
    """Counts with a function of a prediction and one of its references."""

    def __init__(self, layout: Layout, count: Callable[[str, str], Sequence[float]]) -> None:
        """Take what returns the numbers of a row, in the order of the layout."""
        self.layout, self._count = layout, count

    def rows(self, corpus: Corpus, notes: Any) -> Rows:  # noqa: ARG002
        """Count the pairs of a chunk; refuse what is no row of the layout."""
        rows = np.zeros((0, self.layout.n_columns), self.layout.dtype)
        if counted := [self._row(self._count(*pair)) for pair in corpus.pairs()]:
            rows = np.array(counted, self.layout.dtype)
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
            if values is None or (one.is_whole and (values[one.name] < 0).any()):
                each = f"for every pair as many numbers as the fields have ({self.layout.n_columns})"
                whole = "integers of at least 0, unless `Field(..., is_whole=False)`"
                fail(ValueError, "what `PairCounter` counts", f"{each}, {whole}", shown(counted))
        return row


class Score(NamedTuple):
    """One score of a metric.

    Attributes
    ----------
    key : str
        Its key in a result.
    higher_is_better : bool
    perfect : float or None
        That of a perfect text, before scaling; None if scores have no scale.
    largest : float
        Its upper bound, before scaling.
    has_own_best : bool
        Whether the best of several references is chosen for this score alone, not as for the main score.
    exp_of : str
        The part of `formula` whose exp it is; its intervals are exp of those of that part. Empty: none.
    """

    key: str
    higher_is_better: bool = True
    perfect: float | None = 1.0
    largest: float = 1.0
    has_own_best: bool = False
    exp_of: str = ""


@dataclass(frozen=True)
class About:
    """What a reader of scores is told about a metric.

    Attributes
    ----------
    title : str
    explain : callable
        Explains the score of a key in plain words.
    returns : str
        The keys of a result, for docstrings; empty: the name of the metric.
    form : str
        Which form of a metric it is, where lists have several; empty: there is one.
    names : mapping
        The key of every score by the name that `compare` and others accept; empty: the name of the
        metric is that of its main score.
    unscaled : frozenset of str
        The keys of a result that no scale multiplies.
    lists : mapping
        The keys of a result that always hold a value per segment, and their names among scores of segments.
    unit : str
        What it counts, as in "5 of 6 tokens".
    sample : str
        The part of `textgauge.sample` to show it with.
    page_reports : mapping
        Options of `score` for a complete `summary`.
    segments : str
        How the sentence form of the metric, see `Metric.sentence_form`, differs; empty: not.
    single : mapping
        The options that leave one score, for calls that return one, where none are given.
    """

    title: str
    explain: Callable[[str], Explanation]
    returns: str = ""
    form: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    unscaled: frozenset[str] = frozenset()
    lists: Mapping[str, str] = field(default_factory=dict)
    unit: str = "token"
    sample: str = "translations"
    page_reports: Mapping[str, Any] = field(default_factory=dict)
    segments: str = ""
    single: Mapping[str, Any] = field(default_factory=dict)


class Sums(NamedTuple):
    """Whether the score of a corpus is a function of sums over its segments.

    Attributes
    ----------
    kind : "exact", "rounded", "ordered" or "all"
        Of sums that are exact in any order; of sums of fractions; of the segments in their order; with a
        part of the result that needs all segments at once.
    refusal : (option, allowed, got), or None
        For an error where only sums are there, or rows come batch by batch; None: it can be done.
    """

    kind: Literal["exact", "rounded", "ordered", "all"] = "exact"
    refusal: tuple[str, str, str] | None = None


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
    """A metric with its options, a value: `name`, the types of its options, `about`, `counter`, `formula`.

    The rest has defaults. An `Accumulator` adds its rows up, and `textgauge.register` makes it known to
    every face.

    Attributes
    ----------
    name : str
        The name in calls; the key of its score, unless `scores` has others.
    options_type, reports_type : class
        Its options, and the options of its `score`.
    about : About
    scale : float
        What multiplies its scores where they leave: 100 where the Hub's module of its name has percent.
    inputs : tuple of str
        The columns of text that it reads, in this order; `has_references` follows from them.
    optional : tuple of str
        Those of `inputs` that its options, such as a model, may do without.
    combine : "pool" or "mean"
        Whether the score of a corpus is that of the sum of all rows, or the mean over its segments.
    in_order : callable or None
        What adds the numbers of segments, such as `one_by_one` of `textgauge.scores.ordered_sums`, where the tool of
        its name rounds every sum; None: sums are exact, as they are for all where only sums are there.
    mixes_counters : bool
        Whether rows that different counters made, such as two models, may be added.
    columns : tuple of Option
        What the command line takes for columns of text beside `inputs`: files and fields.
    explained_by : class or None
        What explains its scores, a subclass of `textgauge.explanation.explainer.Explainer`; None: that of its name.
    accumulator : class
        The class of users that adds its rows up.
    corpus_of : callable
        Checks the columns of a call, which are those of `update`.
    counter : Counter
    references : References
        How the pairs of a segment become its row.
    """

    name: ClassVar[str]
    options_type: ClassVar[type[Options]] = Options
    reports_type: ClassVar[type[Reports]] = Reports
    about: About
    scale: ClassVar[float] = 1.0
    inputs: ClassVar[tuple[str, ...]] = ("predictions", "references")
    optional: ClassVar[tuple[str, ...]] = ()
    has_references: ClassVar[bool] = True
    combine: ClassVar[Combination] = "pool"
    in_order: ClassVar[Callable[..., float] | None] = None
    mixes_counters: ClassVar[bool] = False
    columns: ClassVar[tuple[Option, ...]] = ()
    accumulator: ClassVar[type[Accumulator]]
    explained_by: ClassVar[type[Any] | None] = None
    corpus_of: ClassVar[Callable[..., Corpus]] = staticmethod(corpus_of)
    counter: Counter
    references: References = References()
    options: Any

    def __init__(self, options: Any) -> None:
        """Make the counter for checked options."""
        self.options = options
        self.counter = self.counted_by()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Note whether it compares with references."""
        super().__init_subclass__(**kwargs)
        cls.has_references = "references" in cls.inputs

    @abc.abstractmethod
    def counted_by(self) -> Counter:
        """Return what counts texts with these options."""

    @abc.abstractmethod
    def formula(self, rows: Rows) -> dict[str, Any]:
        """Score rows, or sums of rows, with any leading axes: arrays by key, from 0 to 1 where there is a scale.

        `scores` are the scores; other keys are parts of the result for a corpus.
        """

    # ---- defaults

    def with_counter(self, counter: Counter) -> Metric:
        """Return the same metric with a fitted counter."""
        if counter is self.counter:
            return self
        other = copy.copy(self)
        other.counter = counter
        return other

    @property
    def scores(self) -> tuple[Score, ...]:
        """Its scores."""
        return (Score(self.name),)

    @property
    def factor(self) -> float:
        """What multiplies the values of `formula` where they leave: `scale`, or 1 if it gives percent itself."""
        return self.scale

    @lazy
    def score_names(self) -> tuple[str, ...]:
        """The keys of the scores."""
        return tuple(score.key for score in self.scores)

    def score_of(self, key: str) -> Score:
        """Return the score of a key."""
        return next(score for score in self.scores if score.key == key)

    @property
    def headline(self) -> str:
        """The key of the main score."""
        return self.about.names.get(self.name, self.score_names[0])

    @property
    def segment_keys(self) -> tuple[str, ...]:
        """The keys of `formula` that `per_segment` adds: the scores, with their parts if the corpus has their mean."""
        return () if self.combine == "mean" else self.score_names

    def described(self, asked: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the fields of the signature: every option that affects a score, also those of `score`, if given."""
        return {name: str(value) for name, value in self.options.chosen().items()}

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores: two accumulators must agree in these to be added."""
        chosen = self.options.chosen()
        if self.counter.tokenizer is None:
            return chosen
        # Last, since options such as stop words are part of it, and messages should name these first.
        chosen = {name: value for name, value in chosen.items() if name != "tokenizer"}
        return {**chosen, "tokenizer": self.counter.tokenizer}

    def sums(self, asked: Any = None) -> Sums:  # noqa: ARG002
        """Return whether the score is a function of sums; `asked` are the options of `score`, None for resampling."""
        return Sums()

    def sentence_form(self) -> Metric:
        """Return the metric for scores of single segments: itself, unless it has a sentence form."""
        return self

    @property
    def segments_note(self) -> str:
        """How `sentence_form` differs; empty if it does not."""
        return "" if self.sentence_form() is self else self.about.segments

    def resampled(self, rows: Rows) -> Counts:
        """Return the counts that intervals resample, shape (n_segments, n_columns); raise if they cannot be."""
        return rows.values

    def result(self, counted: CountedSegments, asked: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return the scaled scores of a corpus and their parts, and what the options of `score` add to them."""
        if self.combine == "mean":
            return counted.means()
        values = self.formula(counted.total())
        return values if self.factor == 1 else scaled(values, self.factor, self.about.unscaled)

    def presented(self, values: Mapping[str, Any], asked: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return values by the keys of `formula`, of a corpus or of segments, in the form of the result."""
        return dict(values)

    def counts(self, total: Rows) -> dict[str, Any]:
        """Return the summed counts behind the scores, as Python numbers."""
        return self.counter.layout.plain(total)

    def merits(self, rows: Rows, key: str) -> FloatArray:
        """Return what makes the best pair of a segment, for a score: float64, shape (n_pairs,)."""
        score = self.score_of(key)
        if not score.has_own_best and key not in rows.layout.along:
            score = self.score_of(self.headline)
        merits: FloatArray = self.formula(rows)[score.key]
        return merits if score.higher_is_better else -merits

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return a result as a table: by default a line per score."""
        lines = [
            Line(
                score.key, (result[score.key],), score.key, is_headline=score.key == self.headline,
                full=None if score.perfect is None else self.scale,
            )
            for score in self.scores
        ]  # fmt: skip
        return Summary(self.about.title, ("score",), lines, [])

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of tokens, or characters, of every prediction and of every counted reference."""
        texts, tokenizer = self.counter.as_cut(corpus)
        chunks = [text_lengths(tokenizer.cut(chunk)) for chunk in texts.chunks()]
        hypotheses, references = (np.concatenate(sides) for sides in zip(*chunks, strict=True))
        return hypotheses, references

    @classmethod
    def check_given(
        cls, given: Mapping[str, Any], name: str = "", *, needed: str = "texts", spelled: str = "{}s"
    ) -> None:
        """Refuse what is given beside predictions and is none of `inputs`, and None for what is needed.

        Parameters
        ----------
        given : mapping
            By "references" and "sources"; None is not given.
        name, needed, spelled : str
            For messages: the metric as it was named, what an argument should be, and the name of the argument, made
            of "reference" or "source".
        """
        for column, value in given.items():
            argument = spelled.format(column.removesuffix("s"))
            if value is None and column in cls.inputs and column not in cls.optional:
                fail(TypeError, argument, f"{needed}, which {name or cls.name} needs", "None")
            if value is not None and column not in cls.inputs:
                fail(TypeError, argument, f"None, since {name or cls.name} uses no {column}", shown(value))

    @classmethod
    def texts_of(cls, predictions: Any, references: Any, sources: TextColumn | None, name: str = "") -> Corpus:
        """Check the columns of a call that names a metric; a column that is none of `inputs` is refused."""
        cls.check_given({"references": references, "sources": sources}, name)
        if references is None:
            return without_references(text_column(predictions, "predictions"), sources)
        corpus = cls.corpus_of(predictions, references)
        return corpus if sources is None else with_sources(corpus, sources)

    def refuse_interval(self, n_segments: int, confidence: float) -> None:  # noqa: B027
        """Raise for an interval that so few segments cannot have: by default for none."""

    def unused(self, given: Collection[str]) -> dict[str, str]:
        """Return those of the columns "references" and "sources" that these options do not use, and who does not."""
        return {column: self.name for column in given if column not in self.inputs}

    def lacking(self, given: Collection[str]) -> dict[str, str]:
        """Return the columns that these options need beside those given, and who does; see `unused`."""
        needed = (column for column in self.inputs if column not in ("predictions", *self.optional))
        return {column: self.name for column in needed if column not in given}

    def refuse_unused(self, corpus: Corpus) -> None:
        """Raise for columns that these options, such as a model, do not use."""
        refuse_unused([self], corpus.given)

    @classmethod
    def usual(cls) -> Metric:
        """Return the metric with the defaults of all options."""
        return cls(cls.options_type())

    def name_in_papers(self, key: str) -> str:
        """Return the name of a score in the head of a table for a paper."""
        return self.about.explain(key).title

    @classmethod
    def score_by_name(cls, name: str) -> tuple[str, dict[str, Any]] | None:
        """Return the key of the score of this name and the options that the name implies; None if there is none."""
        names = cls.about.names or {cls.name: cls.name}
        return (names[name], {}) if name in names else None

    @classmethod
    def names_of_scores(cls) -> tuple[str, ...]:
        """Return the names that `score_by_name` accepts, or some of them, for messages."""
        return tuple(cls.about.names or (cls.name,))

    @classmethod
    def idle_reports(cls, given: Mapping[str, Any]) -> dict[str, str]:
        """Return the given options of `score` that have no effect, and what they need."""
        names = [one.name for one in options_of(cls.reports_type)]
        return cls.reports_type(**{name: given[name] for name in names if name in given}).idle()

    @classmethod
    def refuse_of_result(cls, options: Mapping[str, Any], spelled: str = "{}") -> None:
        """Refuse options that only add to a result, where scores alone are returned."""
        for one in options_of(cls.options_type):
            if one.of_result and options.get(one.name, one.default) != one.default:
                allowed = f"{one.default!r}, since scores alone are returned"
                fail(ValueError, spelled.format(one.name), allowed, shown(options[one.name]))

    @classmethod
    def option_names(cls) -> list[str]:
        """Return the names of its options, then of the options of its `score`."""
        return [one.name for kind in (cls.options_type, cls.reports_type) for one in options_of(kind)]


def check_given(
    metrics: Collection[Metric], given: Mapping[str, Any], *, needed: str = "texts", spelled: str = "{}s"
) -> None:
    """Refuse what none of several metrics takes, and None for what one of them needs; see `Metric.check_given`."""
    taken = {column for metric in metrics for column in metric.inputs}
    for metric in metrics:
        own = {column: value for column, value in given.items() if value is None or column not in taken}
        metric.check_given(own, needed=needed, spelled=spelled)


def check_needs(
    metrics: Collection[Metric], given: Mapping[str, Any], *, needed: str = "texts", spelled: str = "{}s"
) -> None:
    """Raise for a column that a metric lacks with its options, such as a model, or that none uses.

    `given` has by "references" and "sources" what a message shows, or None; a model is loaded for the answer. See
    `Metric.check_given` for the rest.
    """
    there = {column: value for column, value in given.items() if value is not None}
    for metric in metrics:
        for column, who in metric.lacking(there).items():
            fail(ValueError, spelled.format(column.removesuffix("s")), f"{needed}, with which {who} scores", "None")
    refuse_unused(metrics, there, spelled=spelled)


def refuse_unused(metrics: Collection[Metric], given: Mapping[str, Any], *, spelled: str = "{}s") -> None:
    """Raise for a column that no metric uses with its options, such as a model.

    `given` has by "references" and "sources" what a message shows: texts, or the name of a column; see
    `Metric.check_given` for `spelled`.
    """
    for column, value in given.items():
        refusals = [metric.unused([column]).get(column) for metric in metrics]
        if metrics and all(refusals):
            argument = spelled.format(column.removesuffix("s"))
            got = value if isinstance(value, str) else value[0]
            fail(ValueError, argument, f"None, since {refusals[0]} does not use {column}", shown(got))
