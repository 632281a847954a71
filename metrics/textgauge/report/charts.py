"""The numbers of histograms, bars and intervals; the templates place and draw them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..checks import in_number

N_BINS = 20
# A number that rounding left below the start of a bar, such as 0.6, is in that bar; the page's script does the same.
_ROUNDING = 1e-9


def written(value: float, scale: float = 1.0) -> str:
    """Format a score, with four decimals before scaling.

    Examples
    --------
    >>> written(0.25), written(25, 100)
    ('0.2500', '25.00')
    """
    return f"{value:.{digits_of(scale)}f}"


def digits_of(scale: float) -> int:
    """Return the number of decimals of a score."""
    return 4 if scale == 1 else 2


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
    """Some of the segments, or some of the words.

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


class Groups(NamedTuple):
    """The numbers of several groups, on an axis from 0 to `end`."""

    groups: list[Group]
    end: float
    digits: int

    @classmethod
    def of(cls, groups: list[Group], scale: float = 1.0) -> Groups | None:
        """Return groups on an axis to `scale` or beyond the largest; None for a single one, or for bars below 0."""
        if len(groups) < 2 or min(value for group in groups for value in group.values) < 0:
            return None
        largest = max(value for group in groups for value in group.values) / scale
        return cls(groups, scale * (1.0 if largest <= 1 else math.ceil(largest * 2) / 2), 2 if scale == 1 else 0)
