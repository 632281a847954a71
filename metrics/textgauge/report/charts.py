"""Histograms and intervals as coordinates, which the templates draw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..checks import fail
from .breakdowns import Group

WIDTH, HEIGHT = 560, 190
LEFT, BOTTOM = 44, 30
N_BINS = 20


class Bar(NamedTuple):
    """One rectangle, in the units of the drawing."""

    x: float
    y: float
    width: float
    height: float
    series: int


class Bin(NamedTuple):
    """The bars of all series between two values."""

    low: float
    high: float
    label: str
    bars: list[Bar]
    x: float
    width: float


class Tick(NamedTuple):
    """A place on an axis."""

    at: float
    label: str


@dataclass(frozen=True)
class Histogram:
    """A histogram of several series.

    Attributes
    ----------
    names : list of str or None, one per series
        None stands for the references.
    bins : list of Bin
    x_ticks, y_ticks : list of Tick
    """

    names: list[str | None]
    bins: list[Bin]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    floor: int = HEIGHT - BOTTOM

    @classmethod
    def of_scores(
        cls, names: Sequence[str | None], series: Sequence[npt.NDArray[np.float64]], unit: str, largest: float = 1.0
    ) -> Histogram:
        """Return the histogram of scores from 0 to `largest`; if that is infinite, the last bin has no upper end."""
        top = largest
        if math.isinf(largest):
            top = max(1.0, math.ceil(2 * max(float(np.quantile(values, 0.98)) for values in series)) / 2)
        edges = np.linspace(0, top, N_BINS + 1)
        edges[-1] = largest if math.isinf(largest) else max(largest, *(float(np.max(values)) for values in series))
        ticks = [(value, f"{value:g}") for value in (top * np.arange(6) / 5).round(10).tolist()]
        return cls._of(names, series, edges, ticks, unit, "{:.2f} to {:.2f}", top=top)

    @classmethod
    def of_lengths(cls, names: Sequence[str | None], series: Sequence[npt.ArrayLike], unit: str) -> Histogram:
        """Return the histogram of lengths, from 0."""
        longest = max(int(np.max(values, initial=0)) for values in series) + 1
        width = -(-longest // N_BINS)
        edges = np.arange(0, longest + width, width, dtype=np.float64)
        step = _round_step(float(edges[-1]))
        ticks = [(value, f"{value:,.0f}") for value in np.arange(0, edges[-1] + 1, step).tolist()]
        return cls._of(names, series, edges, ticks, unit, "{:.0f} to {:.0f}", last=1)

    @classmethod
    def _of(
        cls, names: Sequence[str | None], series: Sequence[npt.ArrayLike], edges: npt.NDArray[np.float64],
        ticks: Sequence[tuple[float, str]], unit: str, between: str, *, top: float | None = None, last: int = 0,
    ) -> Histogram:  # fmt: skip
        counts = [np.histogram(np.asarray(values), edges)[0] for values in series]
        most = max(int(count.max()) for count in counts)
        highest = _round_step(most, 4) * math.ceil(most / _round_step(most, 4)) if most else 1
        scale, floor = (HEIGHT - BOTTOM - 12) / highest, HEIGHT - BOTTOM
        step = (WIDTH - LEFT - 8) / (len(edges) - 1)
        bins = []
        for i, (low, high) in enumerate(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)):
            x, width = LEFT + i * step, step / len(counts) * 0.86
            bars = [
                Bar(round(x + step * 0.07 + s * width, 2), round(floor - count[i] * scale, 2), round(width, 2),
                    round(count[i] * scale, 2), s)
                for s, count in enumerate(counts)
            ]  # fmt: skip
            frequencies = ", ".join(
                f"{name or 'references'} {count[i]:,}" for name, count in zip(names, counts, strict=True)
            )
            span = f"{low:.2f} and more" if math.isinf(high) else between.format(low, high - last)
            label = f"{span} {unit}: {frequencies}"
            bins.append(Bin(low, high, label, bars, round(x, 2), round(step, 2)))
        x_scale = (WIDTH - LEFT - 8) / (edges[-1] if top is None else top)
        x_ticks = [Tick(round(LEFT + value * x_scale, 2), label) for value, label in ticks]
        y_step = _round_step(highest, 4)
        y_ticks = [Tick(round(floor - v * scale, 2), f"{v:,.0f}") for v in np.arange(0, highest + y_step / 2, y_step)]
        return cls(list(names), bins, x_ticks, y_ticks)


def _round_step(span: float, n_steps: int = 6) -> float:
    """Return 1, 2 or 5 times a power of ten, such that about `n_steps` of them cover `span`."""
    raw = max(span / n_steps, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)


class Interval(NamedTuple):
    """A number and its interval on an axis from 0 to 100."""

    at: float
    low: float
    high: float


class Axis(NamedTuple):
    """Numbers with their intervals on one axis from 0 to 100.

    Attributes
    ----------
    rows : list of Interval
    ticks : list of Tick
        The ends and the middle.
    zero : float
        The place of 0, which may be outside of the axis.
    """

    rows: list[Interval]
    ticks: list[Tick]
    zero: float


def interval_axis(
    scores: Sequence[tuple[float, Sequence[float] | None]], lowest: float = 0.0, largest: float = 1.0, *,
    shows_zero: bool = False,
) -> Axis:  # fmt: skip
    """Return an axis that shows all numbers and their intervals.

    Parameters
    ----------
    scores : sequence of (number, bounds or None)
    lowest, largest : float
        The range of possible numbers, which the axis does not exceed.
    shows_zero : bool
        Whether the axis always includes 0.
    """
    if not scores:
        fail(ValueError, "scores", "at least one score", "none")
    lows = [score if bounds is None else min(bounds[0], score) for score, bounds in scores]
    highs = [score if bounds is None else max(bounds[1], score) for score, bounds in scores]
    least, most = (min(*lows, 0.0), max(*highs, 0.0)) if shows_zero else (min(lows), max(highs))
    margin = max((most - least) * 0.25, 0.01)
    first, last = min(max(least - margin, lowest), least), max(min(most + margin, largest), most)
    span = last - first

    def at(value: float) -> float:
        return round((value - first) / span * 100, 2)

    rows = [
        Interval(at(s), *((at(s), at(s)) if bounds is None else (at(bounds[0]), at(bounds[1])))) for s, bounds in scores
    ]
    ticks = [Tick(at(value), f"{value:.3f}") for value in (first, (first + last) / 2, last)]
    return Axis(rows, ticks, at(0.0))


class Column(NamedTuple):
    """Bars above a label of two lines."""

    label: str
    more: str
    at: float
    bars: list[Bar]
    values: list[str]


@dataclass(frozen=True)
class Bars:
    """Scores in labelled columns, with one bar per series.

    Attributes
    ----------
    columns : list of Column
    ticks : list of Tick
    n_series : int
    """

    columns: list[Column]
    ticks: list[Tick]
    n_series: int
    width: int = WIDTH
    height: int = HEIGHT + 16
    left: int = LEFT
    floor: int = HEIGHT - BOTTOM

    @classmethod
    def of(cls, groups: Sequence[Group]) -> Bars:
        """Return one column per group, on an axis from 0 to the largest value or 1."""
        floor, n_series = HEIGHT - BOTTOM, len(groups[0].values)
        largest = max(value for group in groups for value in group.values)
        top = 1.0 if largest <= 1 else math.ceil(largest * 2) / 2
        scale = (floor - 24) / top
        step = (WIDTH - LEFT - 8) / len(groups)
        width = min(step * 0.8 / n_series, 60)
        columns = []
        for i, group in enumerate(groups):
            at = LEFT + (i + 0.5) * step
            bars = [
                Bar(round(at + (s - n_series / 2) * width + 1, 2), round(floor - v * scale, 2),
                    round(width - 2, 2), round(v * scale, 2), s)
                for s, v in enumerate(group.values)
            ]  # fmt: skip
            columns.append(Column(group.label, group.more, round(at, 2), bars, [f"{v:.2f}" for v in group.values]))
        ticks = [Tick(round(floor - v * scale, 2), f"{v:g}") for v in (top * np.arange(5) / 4).tolist()]
        return cls(columns, ticks, n_series)
