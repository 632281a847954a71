"""From the rows of pairs to the rows of segments with several references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import Counts, FloatArray, IntArray, lengths_of
from .layout import Rows


class References(NamedTuple):
    """How the pairs of a segment, one per reference, become its rows.

    Attributes
    ----------
    rule : "best", "pooled", "average" or "union"
        The pair with the best score, the first of equals; the sum of all pairs; all of them, whose
        scores are averaged. "union": the counts compare with all references together, and are those
        of segments already.
    leaves_one_out : bool
        Whether the rule is applied to the other references, leaving out one at a time, and the
        scores are averaged (jackknife).
    """

    rule: Literal["best", "pooled", "average", "union"] = "best"
    leaves_one_out: bool = False

    @property
    def has_trials(self) -> bool:
        """Whether a segment may have several rows, whose scores are averaged."""
        return self.leaves_one_out or self.rule == "average"


def over_references(
    rows: Rows, offsets: IntArray, references: References, merits: Callable[[Rows], FloatArray]
) -> Rows:
    """Combine the rows of the pairs of every segment.

    Parameters
    ----------
    rows : Rows, shape (n_pairs, n_columns)
    offsets : int64, shape (n_segments + 1,)
        The pairs of every segment.
    merits : callable
        Returns the merits of pairs that have none of their own: float64, shape (n_pairs,), or (n_pairs,
        n_names) for rows with names `along` their fields.
    """
    values, is_single = rows.values, len(rows.values) == len(offsets) - 1
    if is_single and not references.has_trials:
        return rows
    n_references = lengths_of(offsets)
    # With averages, leaving out each in turn gives all references equal weight as well.
    if is_single or references.rule == "average":
        return Rows(rows.layout, values, n_references)
    segment_of = np.repeat(np.arange(len(n_references)), n_references)
    values = _over_all(rows, offsets, segment_of)
    is_pooled = references.rule == "pooled"
    sums = _summed(values, segment_of) if is_pooled else values
    if references.leaves_one_out:
        alone = (n_references == 1)[segment_of, None]
        # May differ from sums of weights in the last bit, below the printed decimals.
        others = sums[segment_of] - values if is_pooled else _best_of_others(rows, values, merits, offsets, segment_of)
        return Rows(rows.layout, np.where(alone, values, others), n_references)
    if is_pooled:
        return Rows(rows.layout, sums)
    return Rows(rows.layout, _taken(rows, values, _first_of_best(_merits(rows, values, merits), offsets)))


def _summed(values: Counts, segment_of: IntArray) -> Counts:
    """Sum the pairs of every segment from first to last: weights are rounded as the ROUGE-1.5.5 script rounds them."""
    sums = np.zeros((segment_of[-1] + 1, values.shape[1]), values.dtype)
    np.add.at(sums, segment_of, values)
    return sums


def _over_all(rows: Rows, offsets: IntArray, segment_of: IntArray) -> Counts:
    """Give every pair of a segment the mean or the largest value of the fields that no rule chooses."""
    values = rows.values
    for field in rows.layout.fields:
        if field.over == "chosen":
            continue
        values = values.copy() if values is rows.values else values
        column = values[:, rows.layout.places[field.name]]
        over = np.maximum if field.over == "max" else np.add
        found = over.reduceat(column, offsets[:-1])
        found = found / lengths_of(offsets) if field.over == "mean" else found
        values[:, rows.layout.places[field.name]] = found[segment_of]
    return values


def _merits(rows: Rows, values: Counts, merits: Callable[[Rows], FloatArray]) -> FloatArray:
    """Return the merits of every pair: shape (n_pairs, n_names), n_names is 1 without names."""
    found = merits(Rows(rows.layout, values)) if rows.merits is None else rows.merits
    return found.reshape(len(values), -1)


def _taken(rows: Rows, values: Counts, chosen: IntArray) -> Counts:
    """Take rows, shape (n_taken, n_names), of the columns that belong to each name."""
    per_name = rows.layout.n_columns // chosen.shape[1]
    return np.asarray(np.take_along_axis(values, np.repeat(chosen, per_name, axis=1), axis=0))


def _best_of_others(
    rows: Rows, values: Counts, merits: Callable[[Rows], FloatArray], offsets: IntArray, segment_of: IntArray
) -> Counts:
    """Return, for every reference left out, the best of the others, the first of equals."""
    of_pairs, place = _merits(rows, values, merits), np.arange(len(values))[:, None]
    first = _first_of_best(of_pairs, offsets)[segment_of]
    second = _first_of_best(np.where(place == first, -np.inf, of_pairs), offsets)[segment_of]
    return _taken(rows, values, np.where(place != first, first, second))


def _first_of_best(merits: FloatArray, offsets: IntArray) -> IntArray:
    """Return the row with the highest merit, the first of equals: int64, shape (n_segments, n_names).

    Examples
    --------
    >>> _first_of_best(np.array([[0.5], [1.0], [0.0]]), np.array([0, 2, 3])).tolist()
    [[1], [2]]
    """
    best = np.repeat(np.maximum.reduceat(merits, offsets[:-1]), lengths_of(offsets), axis=0)
    place: npt.NDArray[np.int64] = np.where(merits == best, np.arange(len(merits))[:, None], len(merits))
    return np.asarray(np.minimum.reduceat(place, offsets[:-1]))
