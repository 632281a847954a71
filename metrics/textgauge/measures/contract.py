"""The contract of a metric: what it declares for every face."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ..arrays import Counts, FloatArray, IntArray
from ..checks import fail
from ..columns import Corpus, corpus_of
from ..options import Options, Reports
from ..text import TOKENIZERS, Tokenizer
from .warnings import Notes, notes_on_tokens

if TYPE_CHECKING:
    from .alignment import Alignment
    from .marks import Marking
    from .summary import Summary, Words


class Rows(NamedTuple):
    """The counts of segments.

    Attributes
    ----------
    values : shape (n_rows, *axes)
        Additive: the rows of two corpora are the rows of their union.
    per_segment : int64, shape (n_segments,), or None
        Number of rows of each segment; None if each has one.
    """

    values: Counts
    per_segment: IntArray | None = None

    def __len__(self) -> int:
        return len(self.values if self.per_segment is None else self.per_segment)


class Contract(abc.ABC):
    """A metric: `count`, `scores`, `zero_row`, `described` and `counts` are required, the rest has defaults.

    `Measure` turns it into an accumulator, and `measures.registry` makes it known to every face.

    Attributes
    ----------
    name, title : str
        The name in calls, and the name in text.
    options_type, reports_type : class
        Its options, and the options of its `score`.
    also_named : mapping
        The key of every score by its name, where scores have names that `compare` and others accept.
    headline : str
        The key of the main score; empty: the first.
    is_pooled : bool
        Whether the score of a corpus is that of the sum of its rows, not the mean over its
        segments.
    is_paired : bool
        Whether it uses references.
    is_exact : bool
        Whether sums of rows are exact in any order, as those of integers.
    higher_is_better : bool
    perfect : float or None
        The score of a perfect text, which a scale multiplies; None if scores have no scale.
    largest : float
        The upper bound of its scores.
    unit : str
        The unit of `alignments` and of lengths.
    page_reports : mapping
        Options of `score` for a complete `summary`.
    question : str
        The question that the metric answers; empty: that of its headline's `words`.
    sample_part : str
        The part of `textgauge.sample` to show it with.
    returns : str
        The keys of the result of `score`, for docstrings; empty: its name.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    options_type: ClassVar[type[Options]]
    reports_type: ClassVar[type[Reports]] = Reports
    also_named: ClassVar[Mapping[str, str]] = {}
    headline: ClassVar[str] = ""
    is_pooled: ClassVar[bool] = True
    is_paired: ClassVar[bool] = True
    is_exact: ClassVar[bool] = True
    higher_is_better: ClassVar[bool] = True
    perfect: ClassVar[float | None] = 1.0
    largest: ClassVar[float] = 1.0
    unit: ClassVar[str] = "token"
    page_reports: ClassVar[Mapping[str, Any]] = {}
    question: ClassVar[str] = ""
    sample_part: ClassVar[str] = "translations"
    returns: ClassVar[str] = ""
    # The keys of a result that are not scaled.
    unscaled: ClassVar[frozenset[str]] = frozenset()
    # The keys of a result that always hold a value per segment, and their names among other scores of segments.
    of_segments: ClassVar[Mapping[str, str]] = {}
    # Figures per name and segment: 3 for ROUGE (precision, recall, F), of which the last is the score.
    _parts: ClassVar[int] = 1
    corpus_of = staticmethod(corpus_of)
    options: Any
    tokenizer: Tokenizer | None = None

    @abc.abstractmethod
    def count(self, corpus: Corpus, notes: Any) -> Rows:
        """Count a chunk; `notes` collects reasons to warn."""

    @abc.abstractmethod
    def scores(self, rows: Counts) -> FloatArray:
        """Score rows or sums of rows, shape (..., *axes): shape (..., n_names) or (..., n_names, n_parts)."""

    @property
    @abc.abstractmethod
    def zero_row(self) -> Counts:
        """A row of zeros, with the shape and dtype of rows."""

    @abc.abstractmethod
    def described(self) -> dict[str, str]:
        """Return the fields of the signature: everything that affects a score."""

    @property
    def score_names(self) -> tuple[str, ...]:
        """The keys of the scores."""
        return (self.name,)

    @abc.abstractmethod
    def counts(self) -> dict[str, Any]:
        """Return the counts behind the scores, summed over the segments, by name."""

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores: two accumulators must agree in these to be added."""
        return self.options.chosen()

    def notes(self) -> Notes:
        """Return a collector of reasons to warn."""
        return Notes() if self.tokenizer is None else Notes(*notes_on_tokens(self.tokenizer))

    def check_rows(self, rows: Counts) -> None:
        """Raise for rows that no text can have; `from_arrow` calls it."""
        from .storage import refuse_counts

        refuse_counts(rows)

    def check_summable(self) -> None:  # noqa: B027
        """Raise for options whose corpus score is not a function of sums over the segments."""

    def check_ready(self) -> None:  # noqa: B027
        """Raise where no text could be scored; faces ask that score later, elsewhere."""

    def check_sum(self, asked: Any) -> None:
        """Raise if the requested score is not a function of the sum over all segments."""
        if asked.counts and not self.is_pooled:
            fail(ValueError, "counts", f"False for a data set, since {self.name} averages scores", "True")
        for name in asked.needs_segments():
            kind = type(self).__name__
            fail(
                ValueError,
                name,
                "its default for a data set or Spark, which store no segments",
                f"another value; use {kind}",
            )
        self.check_summable()

    def as_read(self, corpus: Corpus) -> Corpus:
        """Return the parts of the texts that are read: whole texts, or their beginnings."""
        return corpus

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts that are tokenized, and their tokenizer."""
        return self.as_read(corpus), self.tokenizer or TOKENIZERS["whitespace"]

    def score_one_segment(self, hypothesis: str, references: Sequence[str]) -> dict[str, Any] | None:  # noqa: ARG002
        """Return the result of `score` for one segment; None if that needs arrays, or there is a reason to warn."""
        return None

    def alignments(self, corpus: Corpus, key: str) -> list[Alignment]:  # noqa: ARG002
        """Return the matches in the texts of every segment, for the score `key`."""
        fail(ValueError, "metric", "a metric that marks matches in texts", self.name)

    @property
    def counted_as(self) -> str:
        """The verb for tokens that count, as in "3 of 5 tokens match"."""
        return "match"

    def marking(self, key: str) -> Marking:  # noqa: ARG002
        """Return how the matches of `alignments` are marked in a text."""
        fail(ValueError, "metric", "a metric that marks matches in texts", self.name)

    @classmethod
    def words(cls, key: str) -> Words:
        """Return an explanation of the score `key` in plain words."""
        raise NotImplementedError(f"{cls.__name__} has no words about {key}")

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return a result as a table: by default a line per score."""
        from .summary import Line, Summary

        return Summary(self.title, ("score",), [Line(key, (result[key],), key) for key in self.score_names], [])

    @classmethod
    def find(cls, name: str) -> tuple[str, dict[str, Any]] | None:
        """Return the key of the score of this name and the options that the name implies; None if there is none."""
        names = cls.also_named or {cls.name: cls.headline or cls.name}
        return (names[name], {}) if name in names else None

    @classmethod
    def named_scores(cls) -> tuple[str, ...]:
        """Return the names that `find` accepts, or some of them, for messages."""
        return tuple(cls.also_named or (cls.name,))
