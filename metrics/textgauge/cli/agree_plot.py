"""A picture of agreement: people's scores against those of every metric, of systems and of outputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..accumulation.agreement import Agreement, Scores
from ..arrays import FloatArray
from .plots import HEAD, SYSTEM, figure_class, save

# Names of more systems would cover each other.
_MOST_NAMES = 20
# More points hide where most of them are.
_MOST_POINTS = 3000


def plot(path: str, scores: Scores, found: Agreement) -> None:
    """Draw two panels per metric: a point per system with its name, and a point per output."""
    n = len(scores.metrics)
    figure = figure_class()(figsize=(9.6, 0.6 + 3.4 * n), layout="constrained")
    for (left, right), (name, metric) in zip(figure.subplots(n, 2, squeeze=False), scores.metrics.items(), strict=True):
        sign, people = scores.directions[name], scores.judged.scores
        values = found.metrics[name]
        means = np.nanmean(people, axis=1)
        of_systems = sign * metric.of_systems(np.ones((1, people.shape[1])))[0]
        _systems(left, means, of_systems, scores.judged.systems)
        left.set_title(f"{name}: systems, Pearson {_text(values['system_pearson'])}", **HEAD)
        known = ~np.isnan(people)
        _outputs(right, people[known], sign * metric.segments[known])
        right.set_title(f"outputs, tau-b {_text(values['segment_kendall'])}, acc_eq {_text(values['acc_eq'])}", **HEAD)
        for panel in (left, right):
            panel.set_xlabel("people", fontsize=8)
            panel.set_ylabel(f"{name}, lower is better" if sign < 0 else name, fontsize=8)
            panel.tick_params(labelsize=8)
            panel.spines[["top", "right"]].set_visible(False)
            if sign < 0:
                panel.invert_yaxis()
            if scores.directions[""] < 0:
                panel.invert_xaxis()
    save(figure, path)


def _text(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"


def _systems(panel: Any, people: FloatArray, metric: FloatArray, names: list[str]) -> None:
    panel.plot(people, metric, "o", color=SYSTEM, markersize=6)
    panel.margins(0.18)
    panel.grid(color="#e6e6e6", linewidth=0.7)
    panel.set_axisbelow(True)
    middle = np.median(people)
    for x, y, name in zip(people, metric, names if len(names) <= _MOST_NAMES else (), strict=False):
        # Towards the middle, where there is room for the name.
        side = 1 if x <= middle else -1
        panel.annotate(name, (x, y), (6 * side, 4), textcoords="offset points", fontsize=7,
                       ha="left" if side > 0 else "right")  # fmt: skip


def _outputs(panel: Any, people: FloatArray, metric: FloatArray) -> None:
    if len(people) > _MOST_POINTS:
        panel.hexbin(people, metric, gridsize=36, bins="log", cmap="GnBu", linewidths=0.1)
    else:
        panel.plot(people, metric, "o", color=SYSTEM, markersize=3, alpha=0.35, markeredgewidth=0)
