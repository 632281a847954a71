"""Shapes of the drawings: histograms and intervals as coordinates, drawn by the templates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..checks import fail

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
    """All series between two values."""

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
    """How often values fall between others, one series beside the other.

    Attributes
    ----------
    names : list of str or None, one per series
        None is the references.
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
    def of_scores(cls, names: Sequence[str | None], series: Sequence[npt.ArrayLike], unit: str) -> Histogram:
        """Draw scores from 0 to 1."""
        edges = np.linspace(0, 1, N_BINS + 1)
        ticks = [(value, f"{value:g}") for value in (0, 0.2, 0.4, 0.6, 0.8, 1)]
        return cls._of(names, series, edges, ticks, unit, "{:.2f} to {:.2f}")

    @classmethod
    def of_lengths(cls, names: Sequence[str | None], series: Sequence[npt.ArrayLike], unit: str) -> Histogram:
        """Draw whole numbers from 0 on."""
        longest = max(int(np.max(values, initial=0)) for values in series) + 1
        width = -(-longest // N_BINS)
        edges = np.arange(0, longest + width, width, dtype=np.float64)
        step = _round_step(float(edges[-1]))
        ticks = [(value, f"{value:,.0f}") for value in np.arange(0, edges[-1] + 1, step).tolist()]
        return cls._of(names, series, edges, ticks, unit, "{:.0f} to {:.0f}", last=1)

    @classmethod
    def _of(
        cls, names: Sequence[str | None], series: Sequence[npt.ArrayLike], edges: npt.NDArray[np.float64],
        ticks: Sequence[tuple[float, str]], unit: str, between: str, last: int = 0,
    ) -> Histogram:  # fmt: skip
        counts = [np.histogram(np.asarray(values), edges)[0] for values in series]
        most = max(int(count.max()) for count in counts)
        top = _round_step(most, 4) * math.ceil(most / _round_step(most, 4)) if most else 1
        scale, floor = (HEIGHT - BOTTOM - 12) / top, HEIGHT - BOTTOM
        step = (WIDTH - LEFT - 8) / (len(edges) - 1)
        bins = []
        for i, (low, high) in enumerate(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)):
            x, width = LEFT + i * step, step / len(counts) * 0.86
            bars = [
                Bar(round(x + step * 0.07 + s * width, 2), round(floor - count[i] * scale, 2), round(width, 2),
                    round(count[i] * scale, 2), s)
                for s, count in enumerate(counts)
            ]  # fmt: skip
            said = ", ".join(f"{name or 'references'} {count[i]:,}" for name, count in zip(names, counts, strict=True))
            label = f"{between.format(low, high - last)} {unit}: {said}"
            bins.append(Bin(low, high, label, bars, round(x, 2), round(step, 2)))
        x_scale = (WIDTH - LEFT - 8) / edges[-1]
        x_ticks = [Tick(round(LEFT + value * x_scale, 2), label) for value, label in ticks]
        y_step = _round_step(top, 4)
        y_ticks = [Tick(round(floor - v * scale, 2), f"{v:,.0f}") for v in np.arange(0, top + y_step / 2, y_step)]
        return cls(list(names), bins, x_ticks, y_ticks)


def _round_step(span: float, n_steps: int = 6) -> float:
    """Return 1, 2 or 5 times a power of ten, so that about `n_steps` of them make `span`."""
    raw = max(span / n_steps, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)


class Interval(NamedTuple):
    """A score and its interval on an axis from 0 to 100."""

    at: float
    low: float
    high: float


def interval_axis(scores: Sequence[tuple[float, tuple[float, float] | None]]) -> tuple[list[Interval], list[Tick]]:
    """Lay scores with their intervals on one axis that shows all of them."""
    if not scores:
        fail(ValueError, "scores", "at least one score", "none")
    lows = [score if bounds is None else bounds[0] for score, bounds in scores]
    highs = [score if bounds is None else bounds[1] for score, bounds in scores]
    margin = max((max(highs) - min(lows)) * 0.25, 0.01)
    first, last = max(min(lows) - margin, 0.0), min(max(highs) + margin, 1.0)
    span = last - first

    def at(value: float) -> float:
        return round((value - first) / span * 100, 2)

    rows = [Interval(at(s), at(low), at(high)) for (s, _), low, high in zip(scores, lows, highs, strict=True)]
    return rows, [Tick(at(value), f"{value:.3f}") for value in (first, (first + last) / 2, last)]


class Column(NamedTuple):
    """Bars with one label under them."""

    label: str
    at: float
    bars: list[Bar]
    values: list[str]


@dataclass(frozen=True)
class Bars:
    """Shares from 0 to 1 in labelled columns.

    Attributes
    ----------
    names : list of str, one per series
    columns : list of Column
    ticks : list of Tick
    """

    names: list[str]
    columns: list[Column]
    ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    floor: int = HEIGHT - BOTTOM

    @classmethod
    def of(cls, names: Sequence[str], shares: Mapping[str, Sequence[float]]) -> Bars:
        """Draw one column per key of `shares`, with one bar per name."""
        floor, scale = HEIGHT - BOTTOM, HEIGHT - BOTTOM - 24
        step = (WIDTH - LEFT - 8) / len(shares)
        width = min(step * 0.8 / len(names), 60)
        columns = []
        for i, (label, values) in enumerate(shares.items()):
            at = LEFT + (i + 0.5) * step
            bars = [
                Bar(round(at + (s - len(values) / 2) * width + 1, 2), round(floor - min(v, 1) * scale, 2),
                    round(width - 2, 2), round(min(v, 1) * scale, 2), s)
                for s, v in enumerate(values)
            ]  # fmt: skip
            columns.append(Column(label, round(at, 2), bars, [f"{v:.2f}" for v in values]))
        ticks = [Tick(round(floor - v * scale, 2), f"{v:g}") for v in (0, 0.25, 0.5, 0.75, 1)]
        return cls(list(names), columns, ticks)
