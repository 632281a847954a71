"""The contract of a metric: what one declares, so that every face knows it."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ..arrays import Counts, FloatArray, IntArray
from ..checks import fail
from ..columns import Corpus, corpus_of
from ..options import Options, Reports
from ..text import TOKENIZERS, Tokenizer
from .warnings import LostText, Notes

if TYPE_CHECKING:
    from .alignment import Alignment
    from .marks import Marking
    from .summary import Summary, Words


class Rows(NamedTuple):
    """What segments are counted as.

    Attributes
    ----------
    values : shape (n_rows, *axes)
        Additive: the rows of two corpora together are those of both.
    per_segment : int64, shape (n_segments,), or None
        How many rows each segment has; None where each has one.
    """

    values: Counts
    per_segment: IntArray | None = None

    def __len__(self) -> int:
        return len(self.values if self.per_segment is None else self.per_segment)


class Contract(abc.ABC):
    """What a metric declares. It has `count`, `scores`, `zero_row`, `described` and `counts`; the rest has defaults.

    `Measure` makes an accumulator of it, and `measures.registry` makes it known to every face.

    Attributes
    ----------
    name, title : str
        As it is asked for, and as people read it.
    options_type, reports_type : class
        Its options, and what its `score` may be asked for.
    also_named : mapping
        The key of every score that has a name of its own, where `compare` and others take one.
    headline : str
        The key of the score that stands for all; the first of them if empty.
    is_pooled : bool
        Whether the score of a corpus is that of the sum of its rows; else it is the mean over
        the segments.
    is_paired : bool
        Whether it looks at references.
    is_exact : bool
        Whether rows add up to the last bit in any order, as whole numbers do.
    higher_is_better : bool
    perfect : float or None
        The score of a perfect text, and so what a scale multiplies; None where scores have no scale.
    largest : float
        The upper bound of its scores.
    unit : str
        What `alignments` marks and lengths are counted in.
    page_reports : mapping
        What `score` is asked for, so that `summary` can show all it knows.
    question : str
        What the metric answers, in one sentence; that of its headline's `words` if empty.
    sample_part : str
        The part of `textgauge.sample` that shows it best.
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
    # The keys of a result that a scale leaves as they are.
    unscaled: ClassVar[frozenset[str]] = frozenset()
    # The keys of a result that hold a figure of every segment unasked, and what faces call them beside others that do.
    of_segments: ClassVar[Mapping[str, str]] = {}
    # How many figures of each name a segment has: ROUGE has precision, recall and F, of which the last is the score.
    _parts: ClassVar[int] = 1
    corpus_of = staticmethod(corpus_of)
    options: Any
    tokenizer: Tokenizer | None = None

    @abc.abstractmethod
    def count(self, corpus: Corpus, notes: Any) -> Rows:
        """Count a chunk; `notes` takes up what there is to warn of."""

    @abc.abstractmethod
    def scores(self, rows: Counts) -> FloatArray:
        """Score rows, or sums of rows, shape (..., *axes): shape (..., n_names) or (..., n_names, n_parts)."""

    @property
    @abc.abstractmethod
    def zero_row(self) -> Counts:
        """A row of nothing, for its shape and dtype."""

    @abc.abstractmethod
    def described(self) -> dict[str, str]:
        """Return what moves a score, as the signature says it."""

    @property
    def score_names(self) -> tuple[str, ...]:
        """The keys of the scores."""
        return (self.name,)

    @abc.abstractmethod
    def counts(self) -> dict[str, Any]:
        """Return what the scores are made of, summed over the segments, by name."""

    def settings(self) -> dict[str, Any]:
        """Return every option that tells what is computed: what two that are added must have in common."""
        return self.options.chosen()

    def notes(self) -> Notes:
        """Return what gathers what there is to warn of."""
        return Notes() if self.tokenizer is None else LostText(self.tokenizer)

    def check_rows(self, rows: Counts) -> None:
        """Raise for rows that no text could give; `from_arrow` asks."""
        from .storage import refuse_counts

        refuse_counts(rows)

    def check_summable(self) -> None:  # noqa: B027
        """Raise for options whose corpus score needs more than sums over the segments."""

    def check_ready(self) -> None:  # noqa: B027
        """Raise where no text could be scored; faces ask that score later, elsewhere."""

    def check_sum(self, asked: Any) -> None:
        """Raise if the score that is asked for needs more than the sum of all segments."""
        if asked.counts and not self.is_pooled:
            fail(ValueError, "counts", f"False for a data set, since {self.name} averages scores", "True")
        for name in asked.needs_segments():
            kind = type(self).__name__
            fail(
                ValueError,
                name,
                f"its default for a data set or Spark, which keep no segments; use {kind}",
                "another value",
            )
        self.check_summable()

    def as_read(self, corpus: Corpus) -> Corpus:
        """Return the texts as far as they are read: each of them, or its start."""
        return corpus

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts as they are cut into units, and what cuts them."""
        return self.as_read(corpus), self.tokenizer or TOKENIZERS["whitespace"]

    def alone(self, hypothesis: str, references: Sequence[str]) -> dict[str, Any] | None:  # noqa: ARG002
        """Return what `score` has of one segment; None where that takes arrays, or there is something to warn of."""
        return None

    def alignments(self, corpus: Corpus, key: str) -> list[Alignment]:  # noqa: ARG002
        """Say what matches in the texts of every segment, for the score `key`."""
        fail(ValueError, "metric", "one that can say which parts of the texts match", self.name)

    @property
    def counted_as(self) -> str:
        """What a page says of the tokens that count; empty where it cannot tell which do."""
        return "match"

    def marking(self, key: str) -> Marking:  # noqa: ARG002
        """Say how what `alignments` found is marked in a text."""
        fail(ValueError, "metric", "one that can say which parts of the texts match", self.name)

    @classmethod
    def words(cls, key: str) -> Words:
        """Say in plain words what the score `key` means."""
        raise NotImplementedError(f"{cls.__name__} has no words about {key}")

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Lay a result out for a table: by default a line per score."""
        from .summary import Line, Summary

        return Summary(self.title, ("score",), [Line(key, (result[key],), key) for key in self.score_names], [])

    @classmethod
    def find(cls, name: str) -> tuple[str, dict[str, Any]] | None:
        """Return the key of the score that has this name, and the options that the name decides; None if none has."""
        names = cls.also_named or {cls.name: cls.headline or cls.name}
        return (names[name], {}) if name in names else None

    @classmethod
    def named_scores(cls) -> tuple[str, ...]:
        """Return the names that `find` takes, or some of them, for messages."""
        return tuple(cls.also_named or (cls.name,))
