"""Rows of counts: their fields, how rows of pairs become those of segments, and whether rows may be added up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from .. import threads
from ..arrays import Counts, FloatArray, IntArray, lengths_of
from ..checks import LARGEST, fail, shown
from ..input.columns import Corpus
from ..lazy import lazy


class Field(NamedTuple):
    """One field of a row.

    Attributes
    ----------
    name : str
    size : int
        How many numbers it has; 0 for one number without an axis.
    is_whole : bool
        Whether its numbers are counts: integers of at least 0.
    is_finite : bool
        Whether its numbers are finite.
    over : "chosen", "mean" or "max"
        Its value for a segment with several references: that of the reference that the rule of the
        metric chooses, or the mean or the largest over all of them.
    told : int or None
        Number of leading values shown by ``counts=True``; None shows all.
    of_corpus : "sum" or "last"
        Its value for a corpus: the sum over the segments, or that of the last segment.
    """

    name: str
    size: int = 0
    is_whole: bool = True
    is_finite: bool = True
    over: Literal["chosen", "mean", "max"] = "chosen"
    told: int | None = None
    of_corpus: Literal["sum", "last"] = "sum"


# How the pairs of a segment, one per reference, become its row; see `Layout`.
Rule = Literal["best", "pooled", "average", "union", "best of others", "pooled others"]
_WITH_TRIALS = ("average", "best of others", "pooled others")


class Layout:
    """The fields of a row, one after the other, and how the pairs of a segment become its row.

    Attributes
    ----------
    fields : tuple of Field
    along : tuple of str
        The names along the axis of every field, where rows hold the counts of several scores; the
        best reference is then chosen for each of them.
    references : str
        How the pairs of a segment, one per reference, become its row:

        - "best": the pair with the best score, the first of equals;
        - "pooled": the sum of all pairs;
        - "average": all pairs, a row each, whose scores are averaged;
        - "best of others", "pooled others": a row for each reference that is left out, by the rule for the others
          (jackknife), whose scores are averaged;
        - "union": the counts compare with all references together, and are those of segments already.
    dtype : int64, or float64 if a field has numbers that are no integers
    n_columns, row_bytes : int
    of_last : list of int
        The columns of which a corpus has those of its last segment, in the place of a sum.

    Examples
    --------
    >>> layout = Layout([Field("matches", 2), Field("length")])
    >>> rows = layout.filled(3, matches=[[1, 0], [2, 1], [0, 0]], length=[4, 5, 6])
    >>> rows["matches"].sum(axis=0), rows.total()["length"].item()
    (array([3, 1]), 15)
    """

    def __init__(self, fields: Sequence[Field], along: Sequence[str] = (), references: Rule = "best") -> None:
        """Find the place of every field."""
        if references not in get_args(Rule):
            fail(ValueError, "references", f"one of {', '.join(map(repr, get_args(Rule)))}", shown(references))
        self.fields, self.along, self.references = tuple(fields), tuple(along), references
        is_whole = all(field.is_whole for field in fields)
        self.dtype: np.dtype[Any] = np.dtype(np.int64 if is_whole else np.float64)
        self.places: dict[str, int | slice] = {}
        start = 0
        for i, field in enumerate(fields):
            # With names, all fields of the first name come first, as the kernel counts.
            adjacent = slice(start, start + field.size) if field.size else start
            self.places[field.name] = slice(i, None, len(fields)) if along else adjacent
            start += max(field.size, 1)
        self.n_columns, self.row_bytes = start, start * self.dtype.itemsize
        columns = np.arange(start)
        self.of_last: list[int] = [
            column
            for field in fields
            if field.of_corpus == "last"
            for column in np.ravel(columns[self.places[field.name]]).tolist()
        ]
        # Integers that are stored as float64, beside fields that are not whole.
        self.cast = frozenset() if is_whole else frozenset(field.name for field in fields if field.is_whole)

    @lazy
    def has_trials(self) -> bool:
        """Whether a segment may have several rows, whose scores are averaged."""
        return self.references in _WITH_TRIALS

    def filled(self, n_rows: int, **fields: Any) -> Rows:
        """Return rows with these values: shape (n_rows,) or (n_rows, size) for every field."""
        values = np.empty((n_rows, self.n_columns), self.dtype)
        for name, numbers in fields.items():
            values[:, self.places[name]] = numbers
        return Rows(self, values)

    def counted(self, numbers: Any) -> Rows:
        """Return what a function of the kernel counted, shape (n_rows, n_columns), as rows: its twin returns lists."""
        values = np.asarray(numbers, self.dtype)
        return Rows(self, values if len(values) else values.reshape(0, self.n_columns))

    def of_corpus(self, sums: Counts, last: Counts) -> Rows:
        """Return the row of a corpus, of sums over its segments, which are changed, and of the row of the last one."""
        if self.of_last:
            sums[..., self.of_last] = last[..., self.of_last]
        return Rows(self, sums)

    def plain(self, row: Rows, *, told: bool = False) -> dict[str, Any]:
        """Return one row as Python numbers: by field, or by the names of `along` and then by field.

        With `told`, only what users get who ask for counts.
        """
        fields = [field for field in self.fields if not told or field.told != 0]
        by_field = {field.name: row[field.name].tolist() for field in fields}
        if told:
            by_field |= {field.name: by_field[field.name][: field.told] for field in fields if field.told}
        if not self.along:
            return by_field
        return {
            name_along: {name: column[i] for name, column in by_field.items()}
            for i, name_along in enumerate(self.along)
        }


class Rows:
    """Counts in the fields of a layout, with any leading axes.

    ``rows["matches"]`` has shape (..., size), or (...,) for a field of size 0. Additive: the rows of two
    corpora are the rows of their union, and `total` is their sum.

    Attributes
    ----------
    layout : Layout
    values : shape (..., layout.n_columns)
        All fields side by side.
    per_segment : int64, shape (n_segments,), or None
        Number of rows of each segment, whose scores are averaged; None if each has one.
    selection_scores : float64, shape (n_pairs,) or (n_pairs, n_names), or None
        Of the rows of pairs: the pair with the largest is the best of its segment; None: the score decides.
    extras : list or None
        Further findings for each row, such as error spans, which sums and tables leave out.
    """

    __slots__ = ("extras", "layout", "per_segment", "selection_scores", "values")

    def __init__(
        self, layout: Layout, values: Counts, per_segment: IntArray | None = None,
        selection_scores: FloatArray | None = None, extras: Sequence[Any] | None = None,
    ) -> None:  # fmt: skip
        """Store the attributes."""
        self.layout, self.values, self.per_segment = layout, values, per_segment
        self.selection_scores, self.extras = selection_scores, extras

    def __getitem__(self, field: str) -> npt.NDArray[Any]:
        """Return a field."""
        part = self.values[..., self.layout.places[field]]
        return part.astype(np.int64) if field in self.layout.cast else part

    def shown(self, field: str) -> Any:
        """Return a field as a part of a result: of a single row a number, or a list, of Python."""
        return self[field].tolist() if self.values.ndim == 1 else self[field]

    def __len__(self) -> int:
        """Return the number of segments."""
        return len(self.values if self.per_segment is None else self.per_segment)

    @property
    def n_threads(self) -> int:
        """The number of threads that are worth starting to score the rows."""
        return 1 if self.values.ndim == 1 else threads.threads_for(len(self.values), self.values.size)

    def total(self) -> Rows:
        """Return the row of the corpus: sums, and what it has of the last segment."""
        return self.layout.of_corpus(self.values.sum(axis=0), self.values[-1])


def rows_of_pairs(layout: Layout, corpus: Corpus, count: Callable[[str, str], Any], who: str) -> Rows:
    """Return a row for every prediction with each of its references, counted by a function; raise for what is no row.

    `who` names the function in messages.
    """
    rows = np.zeros((0, layout.n_columns), layout.dtype)
    if counts := [_row_of_pair(layout, count(*pair), who) for pair in corpus.pairs()]:
        rows = np.array(counts, layout.dtype)
    return Rows(layout, rows)


def _row_of_pair(layout: Layout, counted: Any, who: str) -> FloatArray | Counts:
    """Return the numbers of a pair as a row; raise for fractions, which a cast to integers would cut off."""
    try:
        numbers = np.array(counted).reshape(-1)
        row = numbers.astype(layout.dtype)
    except (TypeError, ValueError, OverflowError):
        numbers = row = np.zeros(0)
    is_row = numbers.dtype.kind in "biuf" and row.shape == (layout.n_columns,) and (row == numbers).all()
    values = Rows(layout, row) if is_row else None
    for field in layout.fields:
        if values is None or (field.is_whole and not _are_counts(values[field.name])):
            each = f"for every pair as many numbers as the fields have ({layout.n_columns})"
            whole = f"integers from 0 to {LARGEST:,}, unless `Field(..., is_whole=False)`"
            fail(ValueError, who, f"{each}, {whole}", shown(counted))
    return row


def _are_counts(values: Any) -> bool:
    # Larger ones could overflow when they are added.
    return bool(((values >= 0) & (values <= LARGEST)).all())


def scores_of(scores: Any, rows: Rows) -> Any:
    """Return the kernel's scores, score by score: shape (n_scores, ...), for a single row numbers of Python."""
    return scores if rows.values.ndim == 1 else np.asarray(scores)


def over_references(rows: Rows, offsets: IntArray, scored_by: Callable[[Rows], FloatArray]) -> Rows:
    """Combine the rows of the pairs of every segment, by the rule of `Layout.references`.

    Parameters
    ----------
    rows : Rows, shape (n_pairs, n_columns)
    offsets : int64, shape (n_segments + 1,)
        The pairs of every segment.
    scored_by : callable
        Returns the selection scores of pairs that have none of their own: float64, shape (n_pairs,), or (n_pairs,
        n_names) for rows with names `along` their fields.
    """
    is_single, rule = len(rows.values) == len(offsets) - 1, rows.layout.references
    if is_single and not rows.layout.has_trials:
        return rows
    n_references = lengths_of(offsets)
    # With averages, leaving out each in turn gives all references equal weight as well.
    if is_single or rule == "average":
        return Rows(rows.layout, _over_all(rows, offsets), n_references)
    if rule == "best":
        best = best_pairs(rows, offsets, scored_by)
        extras = rows.extras and [rows.extras[i] for i in best[:, 0].tolist()]
        return Rows(rows.layout, _taken(rows, _over_all(rows, offsets), best), extras=extras)
    segment_of = np.repeat(np.arange(len(n_references)), n_references)
    if rule == "pooled":
        return Rows(rows.layout, _over_all(rows, offsets, _summed(rows.values, segment_of)))
    alone = (n_references == 1)[segment_of, None]
    if rule == "pooled others":
        # May differ from sums of weights in the last bit, below the printed decimals.
        others = _summed(rows.values, segment_of)[segment_of] - rows.values
    else:
        others = _best_of_others(rows, scored_by, offsets, segment_of)
    return Rows(rows.layout, _over_all(rows, offsets, np.where(alone, rows.values, others)), n_references)


def best_pairs(rows: Rows, offsets: IntArray, scored_by: Callable[[Rows], FloatArray]) -> IntArray:
    """Return the best pair of every segment, the first of equals: int64, shape (n_segments, n_names).

    Parameters as for `over_references`; n_names is 1 for rows without names.
    """
    return first_of_best(_selection_scores(rows, offsets, scored_by), offsets)


def _summed(values: Counts, segment_of: IntArray) -> Counts:
    """Sum the pairs of every segment from first to last: weights are rounded as the ROUGE-1.5.5 script rounds them."""
    sums = np.zeros((segment_of[-1] + 1, values.shape[1]), values.dtype)
    np.add.at(sums, segment_of, values)
    return sums


def _over_all(rows: Rows, offsets: IntArray, values: Counts | None = None) -> Counts:
    """Return values whose fields with a rule of their own are the mean or largest over all references of the segment.

    `values` has one row per pair or per segment; None: those of `rows`.
    """
    values = rows.values if values is None else values
    places = [(field, rows.layout.places[field.name]) for field in rows.layout.fields if field.over != "chosen"]
    if not places:
        return values
    values, n_references = values.copy(), lengths_of(offsets)
    for field, place in places:
        over = np.maximum if field.over == "max" else np.add
        combined = over.reduceat(rows.values[:, place], offsets[:-1])
        combined = combined / n_references if field.over == "mean" else combined
        values[:, place] = combined if len(values) == len(combined) else np.repeat(combined, n_references)
    return values


def _selection_scores(rows: Rows, offsets: IntArray, scored_by: Callable[[Rows], FloatArray]) -> FloatArray:
    """Return the selection scores of every pair: shape (n_pairs, n_names), n_names is 1 without names."""
    scores = rows.selection_scores
    if scores is None:
        scores = scored_by(Rows(rows.layout, _over_all(rows, offsets)))
    return scores.reshape(len(rows.values), -1)


def _taken(rows: Rows, values: Counts, chosen: IntArray) -> Counts:
    """Take rows, shape (n_taken, n_names), of the columns that belong to each name."""
    per_name = rows.layout.n_columns // chosen.shape[1]
    return np.asarray(np.take_along_axis(values, np.repeat(chosen, per_name, axis=1), axis=0))


def _best_of_others(
    rows: Rows, scored_by: Callable[[Rows], FloatArray], offsets: IntArray, segment_of: IntArray
) -> Counts:
    """Return, for every reference left out, the best of the others, the first of equals."""
    of_pairs, place = _selection_scores(rows, offsets, scored_by), np.arange(len(rows.values))[:, None]
    first = first_of_best(of_pairs, offsets)[segment_of]
    second = first_of_best(np.where(place == first, -np.inf, of_pairs), offsets)[segment_of]
    return _taken(rows, rows.values, np.where(place != first, first, second))


def first_of_best(scores: FloatArray, offsets: IntArray) -> IntArray:
    """Return the row with the highest score, the first of equals: int64, shape (n_segments, n_names).

    Examples
    --------
    >>> first_of_best(np.array([[0.5], [1.0], [0.0]]), np.array([0, 2, 3])).tolist()
    [[1], [2]]
    """
    best = np.repeat(np.maximum.reduceat(scores, offsets[:-1]), lengths_of(offsets), axis=0)
    place: npt.NDArray[np.int64] = np.where(scores == best, np.arange(len(scores))[:, None], len(scores))
    return np.asarray(np.minimum.reduceat(place, offsets[:-1]))


# The argument, what was allowed and what came, as for `checks.fail`.
Refusal = tuple[str, str, str]


@dataclass(frozen=True)
class Sums:
    """Whether the score of a corpus is a function of sums over its segments.

    Attributes
    ----------
    kind : "exact", "rounded", "ordered" or "whole"
        What the score of a corpus is a function of:

        - "exact": sums of whole numbers, which are the same in any order;
        - "rounded": sums of fractions;
        - "ordered": the segments in their order;
        - "whole": all segments at once, on which rows or a part of the result depend.
    refusal : (argument, allowed, got), or None
        For an error where only sums are there, or rows come batch by batch; None: it can be done.
    add : callable or None
        What adds the numbers of segments, such as `one_by_one` of `textgauge.sums`, where the tool of
        the metric's name rounds every sum; None: sums are exact, as they are for all where only sums are there.
    mixes : bool
        Whether rows with different identities, such as those of two models, may be added.
    """

    kind: Literal["exact", "rounded", "ordered", "whole"] = "exact"
    refusal: Refusal | None = None
    add: Callable[[FloatArray], float] | None = None
    mixes: bool = False

    def refused(self, reports: Any) -> Refusal | None:  # noqa: ARG002
        """Return why the score, with these `reports`, is no function of sums; None if it is one."""
        return self.refusal

    def refuse_resamples(self) -> None:
        """Raise where resamples of the segments have no score: for intervals and comparisons."""
        if self.refusal is not None and self.kind == "ordered":
            fail(ValueError, *self.refusal)

    def refuse_parts(self) -> None:
        """Raise where rows cannot come in parts, since the metric needs all segments at once."""
        if self.refusal is not None and self.kind == "whole":
            fail(ValueError, *self.refusal)

    def sums(self, values: Counts) -> FloatArray:
        """Return the sums of columns by `add`: float64, shape (n_columns,)."""
        add: Any = self.add
        return np.array([add(column) for column in values.T])

    def means(self, values: FloatArray, scale: float) -> FloatArray:
        """Return the scaled means of columns, whose sums are those of `sums`: float64, shape (n_columns,)."""
        return scale * self.sums(values) / len(values)
