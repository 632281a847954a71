"""The numbers of histograms, of bars by length and by frequency, and of intervals; the templates draw them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..accumulation.accumulator import Accumulator, additive, corpus_scores
from ..arrays import FloatArray, IntArray, lengths_of
from ..checks import in_number
from ..input.columns import Corpus
from ..text import Tokenizer
from ..text.vocabulary import token_column

N_BINS = 20
# A number that rounding left below the start of a bar, such as 0.6, is in that bar; the page's script does the same.
_ROUNDING = 1e-9
# With fewer segments, groups and distributions are too small to be meaningful.
FEWEST = 10
_N_GROUPS = 5
_FREQUENCIES = (1, 2, 4, 10, 100, 1000)


class Histogram(NamedTuple):
    """A histogram of several series.

    Attributes
    ----------
    names : sequence of str or None, one per series
        None stands for the references.
    edges : list of float
        Where the bins start, and where the last one ends.
    spans : list of str
        The values of every bin in words.
    counts : list of (int, one per series)
        The number of values in every bin.
    x_end : float
        The end of the horizontal axis, which starts at the first edge.
    x_ticks : list of (value, label)
    y_end : float
        The end of the vertical axis.
    y_ticks : list of int
    """

    names: Sequence[str | None]
    edges: list[float]
    spans: Sequence[str]
    counts: list[list[int]]
    x_end: float
    x_ticks: list[tuple[float, str]]
    y_end: float
    y_ticks: list[int]

    @classmethod
    def of_scores(
        cls, names: Sequence[str | None], series: Sequence[npt.NDArray[np.float64]], largest: float = 1.0,
        scale: float = 1.0,
    ) -> Histogram:  # fmt: skip
        """Return the histogram of scores from 0, or the least, to `largest * scale`; infinite, the last bin is open."""
        x_end = largest * scale
        if math.isinf(largest):
            most = max(float(np.quantile(values, 0.98)) for values in series) / scale
            x_end = scale * max(1.0, math.ceil(2 * most) / 2)
        x_start = min(0.0, *(float(np.min(values)) for values in series))
        x_start -= x_start == x_end
        edges = np.linspace(x_start, x_end, N_BINS + 1)
        edges[-1] = largest if math.isinf(largest) else max(x_end, *(float(np.max(values)) for values in series))
        ticks = [(value, f"{value:g}") for value in np.linspace(x_start, x_end, 6).round(10).tolist()]
        ends = [f"{edge:.{2 if scale == 1 else 0}f}" for edge in edges.tolist()]
        spans = [f"{low} to {high} score" for low, high in pairwise(ends)]
        if math.isinf(largest):
            spans[-1] = f"{ends[-2]} and more score"
        return cls._of(names, series, edges, spans, x_end, ticks)

    @classmethod
    def of_lengths(cls, names: Sequence[str | None], series: Sequence[npt.ArrayLike], unit: str) -> Histogram:
        """Return the histogram of lengths, from 0."""
        longest = max(int(np.max(values, initial=0)) for values in series) + 1
        width = -(-longest // N_BINS)
        edges = np.arange(0, longest + width, width)
        x_end = int(edges[-1])
        ticks = [(value, f"{value:,.0f}") for value in np.arange(0, x_end + 1, _round_step(x_end)).tolist()]
        spans = [
            (f"{low} to {low + width - 1} {unit}s" if width > 1 else in_number(low, f"{low} {unit}[|s]"))
            for low in edges[:-1].tolist()
        ]
        return cls._of(names, series, edges.astype(np.float64), spans, x_end, ticks)

    @classmethod
    def _of(
        cls, names: Sequence[str | None], series: Sequence[npt.ArrayLike], edges: npt.NDArray[np.float64],
        spans: Sequence[str], x_end: float, x_ticks: list[tuple[float, str]],
    ) -> Histogram:  # fmt: skip
        starts = np.append(edges[:-1] - _ROUNDING, edges[-1])
        counts = np.array([np.histogram(np.asarray(values), starts)[0] for values in series]).T.tolist()
        most = max(map(max, counts))
        step = _round_step(most, 4)
        y_end = step * math.ceil(most / step) if most else 1
        step = _round_step(y_end, 4)
        y_ticks = np.arange(0, y_end + step / 2, step).astype(int).tolist()
        return cls(names, edges.tolist(), spans, counts, x_end, x_ticks, y_end, y_ticks)


def _round_step(span: float, n_steps: int = 6) -> float:
    """Return 1, 2 or 5 times a power of ten, such that about `n_steps` of them cover `span`."""
    raw = max(span / n_steps, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)


class Axis(NamedTuple):
    """An axis from `first` to `last`, drawn from 0 to 100, and the labels of its ends."""

    first: float
    last: float
    labels: tuple[str, str]

    @classmethod
    def of(
        cls, scores: Iterable[tuple[float, Sequence[float] | None]], lowest: float, largest: float, unit: float = 1.0
    ) -> Axis:
        """Return an axis that holds all numbers and their intervals.

        Parameters
        ----------
        scores : sequence of (number, bounds or None)
        lowest, largest : float
            The range of possible numbers, which the axis does not exceed.
        unit : float
            The scale of the numbers.
        """
        shown = [value for score, bounds in scores for value in (score, *(bounds or ()))]
        least, most = min(shown), max(shown)
        margin = max((most - least) * 0.25, 0.01 * unit)
        first, last = min(max(least - margin, lowest), least), max(min(most + margin, largest), most)
        digits = 3 if unit == 1 else 1
        return cls(first, last, (f"{first:.{digits}f}", f"{last:.{digits}f}"))

    def at(self, value: float) -> float:
        """Return the place of a number."""
        return round((value - self.first) / (self.last - self.first) * 100, 2)


class Group(NamedTuple):
    """A group of segments, or of words.

    Attributes
    ----------
    label : str
        Which ones.
    size : int
        How many.
    values : list of float
        One number per system.
    """

    label: str
    size: int
    values: list[float]


class GroupBars(NamedTuple):
    """The numbers of several groups, on an axis from 0 to `end`."""

    groups: list[Group]
    end: float
    digits: int

    @classmethod
    def of(cls, groups: list[Group], scale: float = 1.0) -> GroupBars | None:
        """Return groups on an axis to `scale` or beyond the largest; None for a single one, or for bars below 0.

        Examples
        --------
        >>> groups = [Group("1-5", 9, [0.5]), Group("6-9", 9, [1.2])]
        >>> GroupBars.of(groups[:1]), GroupBars.of(groups).end
        (None, 1.5)
        """
        if len(groups) < 2 or min(value for group in groups for value in group.values) < 0:
            return None
        largest = max(value for group in groups for value in group.values) / scale
        return cls(groups, scale * (1.0 if largest <= 1 else math.ceil(largest * 2) / 2), 2 if scale == 1 else 0)


def by_length(lengths: FloatArray, accumulators: Sequence[Accumulator], key: str) -> GroupBars | None:
    """Return the score of segments grouped by length, in groups of about the same size.

    Parameters
    ----------
    lengths : shape (n_segments,)
        The lengths of the references.
    accumulators : sequence of Accumulator
        Accumulators of these segments, one per system.
    key : str
        The key of the score.
    """
    whole = np.rint(lengths).astype(np.int64)
    if len(whole) < FEWEST:
        return None
    ends = np.unique(np.quantile(whole, np.arange(1, _N_GROUPS + 1) / _N_GROUPS, method="nearest"))
    group_of = np.searchsorted(ends, whole)
    columns = [additive(accumulator) for accumulator in accumulators]
    groups = []
    for i in range(len(ends)):
        segments = np.flatnonzero(group_of == i)
        sums = [
            (accumulator, rows[segments].sum(axis=0)) for accumulator, rows in zip(accumulators, columns, strict=True)
        ]
        values = [
            float(corpus_scores(accumulator, total)[key]) * accumulator.metric.scores.scale
            for accumulator, total in sums
        ]
        label = span_of(int(whole[segments].min()), int(whole[segments].max()))
        groups.append(Group(label, len(segments), values))
    return GroupBars.of(groups, accumulators[0].metric.scores.top)


def span_of(low: int, high: int | None) -> str:
    """Format a range of integers.

    Examples
    --------
    >>> span_of(4, 9), span_of(4, 4), span_of(1000, None)
    ('4 to 9', '4', '1,000+')
    """
    if high is None:
        return f"{low:,}+"
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def by_frequency(corpora: Sequence[Corpus], tokenizer: Tokenizer) -> GroupBars | None:
    """Return F1 of the words of every system, grouped by the frequency of a word in the first references.

    Matches with the first reference are clipped counts.

    Parameters
    ----------
    corpora : sequence of Corpus
        One per system, with the same references.
    """
    references = corpora[0].references.take(corpora[0].reference_offsets[:-1])
    try:
        sides = [token_column(tokenizer, texts) for texts in (references, *(c.hypotheses for c in corpora))]
    except TypeError:
        # A user's function may return tokens that are not text.
        return None
    words = pc.dictionary_encode(pa.concat_arrays([tokens for tokens, _ in sides]))
    n_words = len(words.dictionary)
    # `np.asarray` of an Arrow array imports pandas, half of the time of a small page.
    ids = np.from_dlpack(words.indices).astype(np.int64)
    by_side = np.split(ids, np.cumsum([len(tokens) for tokens, _ in sides])[:-1])
    group_of = np.searchsorted(_FREQUENCIES, np.bincount(by_side[0], minlength=n_words), side="right")
    bags = [_bag(ids, offsets, n_words) for ids, (_, offsets) in zip(by_side, sides, strict=True)]
    matches = [_common(bag, bags[0]) for bag in bags[1:]]
    n_reference, *n_system = (np.bincount(group_of[ids], minlength=len(_FREQUENCIES) + 1) for ids in by_side)
    n_matched = [np.bincount(group_of[ids % n_words], n, minlength=len(n_reference)) for ids, n in matches]
    groups = []
    # Words of group 0 are in no reference.
    for i, (low, end) in enumerate(pairwise((*_FREQUENCIES, None)), 1):
        if n_reference[i] and low is not None:
            label = "once" if low == 1 else span_of(low, None if end is None else end - 1)
            values = [float(2 * m[i] / (n[i] + n_reference[i])) for m, n in zip(n_matched, n_system, strict=True)]
            groups.append(Group(label, int(n_reference[i]), values))
    return GroupBars.of(groups)


def _bag(ids: IntArray, offsets: IntArray, n_words: int) -> tuple[IntArray, IntArray]:
    """Return every distinct pair of segment and word as one integer, ascending, and its count."""
    segment_of = np.repeat(np.arange(len(offsets) - 1), lengths_of(offsets))
    return np.unique(segment_of * n_words + ids, return_counts=True)


def _common(bag: tuple[IntArray, IntArray], other: tuple[IntArray, IntArray]) -> tuple[IntArray, IntArray]:
    ids, first, second = np.intersect1d(bag[0], other[0], assume_unique=True, return_indices=True)
    return ids, np.minimum(bag[1][first], other[1][second])
