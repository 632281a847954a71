"""The contract of a metric: what it says, and nothing that follows from something else."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from ..columns import Corpus, corpus_of
from ..options import Option, Options, Reports
from ..text import TOKENIZERS, Tokenizer
from .derivation import Derivation, from_fields
from .layout import Layout, Rows
from .references import References
from .summary import Explanation, Line, Summary
from .warnings import Notes, notes_on_tokens

if TYPE_CHECKING:
    from ..plain import Texts
    from .crossing import Crossing, Sides
    from .marks import Marks


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
    scores : mapping
        The key of every score by the name that `compare` and others accept; empty: the name of the
        metric is that of its main score.
    higher_is_better : bool
    perfect : float or None
        The score of a perfect text, before scaling; None if scores have no scale.
    largest : float
        The upper bound of its scores, before scaling.
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
        How the score of a segment, that of `for_segments`, differs from the score of a corpus; empty: not.
    single : mapping
        The options that leave one score, for calls that return one, where none are given.
    """

    title: str
    explain: Callable[[str], Explanation]
    returns: str = ""
    form: str = ""
    scores: Mapping[str, str] = field(default_factory=dict)
    higher_is_better: bool = True
    perfect: float | None = 1.0
    largest: float = 1.0
    unscaled: frozenset[str] = frozenset()
    lists: Mapping[str, str] = field(default_factory=dict)
    unit: str = "token"
    sample: str = "translations"
    page_reports: Mapping[str, Any] = field(default_factory=dict)
    segments: str = ""
    single: Mapping[str, Any] = field(default_factory=dict)


class Metric(abc.ABC):
    """A metric: `name`, `about`, `layout`, `pairs` and `scores`; the rest has defaults.

    `Measure` turns it into an accumulator, and `measures.registry` makes it known to every face.

    Attributes
    ----------
    name : str
        The name in calls; the key of its score, unless `about.scores` has another.
    options_type, reports_type : class
        Its options, and the options of its `score`.
    about : About
    inputs : tuple of str
        The columns of texts that `corpus_of` takes, in this order.
    scale : float
        What multiplies its scores where they leave: 100 where the Hub's module of its name has percent.
    average : bool
        Whether the score of a corpus is the mean over its segments, not that of the sum of their rows.
    has_references : bool
        Whether it compares with references.
    is_exact : bool
        Whether sums of its rows are exact in any order, as those of counts are.
    needs_all : bool
        Whether a part of its result needs all segments at once, not block by block or as a sum.
    columns : tuple of Option
        What the command line takes for columns of text beside predictions and references: files and fields.
    layout : Layout
        The fields of a row; `setup` may set it.
    references : References
        How the pairs of a segment become its row; `setup` may set it.
    tokenizer : Tokenizer or None
        What cuts the texts; set by `setup`.
    """

    name: ClassVar[str]
    options_type: ClassVar[type[Options]] = Options
    reports_type: ClassVar[type[Reports]] = Reports
    about: About
    scale: ClassVar[float] = 1.0
    average: ClassVar[bool] = False
    has_references: ClassVar[bool] = True
    is_exact: ClassVar[bool] = True
    needs_all: ClassVar[bool] = False
    columns: ClassVar[tuple[Option, ...]] = ()
    inputs: ClassVar[tuple[str, ...]] = ("predictions", "references")
    layout: Layout
    references: References = References()
    tokenizer: Tokenizer | None = None
    corpus_of: ClassVar[Callable[..., Corpus]] = staticmethod(corpus_of)
    options: Any

    def setup(self) -> None:  # noqa: B027
        """Set the layout, the tokenizer and the rule for references, where they depend on the options."""

    def prepare(self, corpus: Corpus) -> None:  # noqa: B027
        """Look at all texts of a call before any is counted, for what a single chunk does not tell."""

    @abc.abstractmethod
    def pairs(self, corpus: Corpus, notes: Any) -> Rows:
        """Count a chunk: a row for every pair, or for every segment under "union"; `notes` collects warnings."""

    @abc.abstractmethod
    def scores(self, rows: Rows) -> dict[str, Any]:
        """Score rows, or sums of rows, with any leading axes: arrays by key, from 0 to 1 where there is a scale.

        `score_names` are the scores; other keys are parts of the result for a corpus.
        """

    @property
    def score_names(self) -> tuple[str, ...]:
        """The keys of the scores."""
        return (self.name,)

    def described(self) -> dict[str, str]:
        """Return the fields of the signature: everything that affects a score."""
        return {name: str(value) for name, value in self.options.chosen().items()}

    def notes(self) -> Notes:
        """Return a collector of reasons to warn."""
        return Notes() if self.tokenizer is None else Notes(*notes_on_tokens(self.tokenizer))

    def corpus_scores_of(self, total: Rows, asked: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return the scores of a summed corpus, and what the options of `score` add to them."""
        return self.scores(total)

    def presented(self, values: Mapping[str, Any], asked: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return values by the keys of `scores`, of a corpus or of segments, in the form of the result."""
        return dict(values)

    def counts_of(self, total: Rows) -> dict[str, Any]:
        """Return the summed counts behind the scores, as Python numbers."""
        return self.layout.plain(total)

    def check_sums(self, asked: Any = None) -> None:  # noqa: B027
        """Raise where the score of a corpus, with the reports `asked`, is no function of sums over its segments."""

    def check_ready(self) -> None:  # noqa: B027
        """Raise where no text could be scored; faces ask that score later, elsewhere."""

    def for_segments(self) -> Metric:
        """Return the metric for scores of single segments: itself, unless it has a variant for these."""
        return self

    def crossing(self, texts: Texts, sides: Sides, notes: Any) -> Crossing | None:  # noqa: ARG002
        """Cut texts, each once, so that any two of them can be counted as a pair; None: only `pairs` can count."""
        return None

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts that are tokenized, and their tokenizer."""
        return corpus, self.tokenizer or TOKENIZERS["whitespace"]

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Return what of a text the score `key` counts, for `matches` and pages: by default nothing is marked."""
        from .marks import Marks

        return Marks.none()

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:  # noqa: ARG002
        """Return the steps from a summed row, without leading axes, to the score `key` times `scale`.

        `segment` has the texts of the row, for examples; None if it is the sum over several. By default
        the fields of the row are the steps.
        """
        return from_fields(self, key, rows)

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return a result as a table: by default a line per score."""
        full = None if self.about.perfect is None else self.scale
        lines = [
            Line(key, (result[key],), key, is_headline=key == self.headline, full=full) for key in self.score_names
        ]
        return Summary(self.about.title, ("score",), lines, [])

    @property
    def headline(self) -> str:
        """The key of the main score."""
        return self.about.scores.get(self.name, self.score_names[0])

    def name_in_papers(self, key: str) -> str:
        """Return the name of a score in the head of a table for a paper."""
        return self.about.explain(key).title

    @classmethod
    def score_called(cls, name: str) -> tuple[str, dict[str, Any]] | None:
        """Return the key of the score of this name and the options that the name implies; None if there is none."""
        scores = cls.about.scores or {cls.name: cls.name}
        return (scores[name], {}) if name in scores else None

    @classmethod
    def names_of_scores(cls) -> tuple[str, ...]:
        """Return the names that `score_called` accepts, or some of them, for messages."""
        return tuple(cls.about.scores or (cls.name,))
