"""Pictures: scores with their intervals, and people's scores against those of metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import FloatArray
from ..checks import line_to_install
from .messages import refuse
from .output import checked_suffix, writing

if TYPE_CHECKING:
    from ..meta_evaluation.agreement import Agreement, ComparedScores
    from .tested import Compared, Ranked

BASELINE, SYSTEM = "#555555", "#0b6e8a"
HEAD: dict[str, Any] = {"loc": "left", "fontsize": 11, "fontweight": "bold"}
# Names of more systems would cover each other.
_MOST_NAMES = 20
# More points hide where most of them are.
_MOST_POINTS = 3000


def check_plot(path: str | None) -> None:
    """Refuse a picture that cannot be drawn, before anything is computed."""
    if path is not None:
        checked_suffix(path, (".png", ".svg", ".pdf"), "--plot")
        figure_class()


def figure_class() -> Any:
    """Return matplotlib's class of figures."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        refuse(f"--plot needs matplotlib: {line_to_install('plot')}")
    return Figure


def save(figure: Any, path: str) -> None:
    """Write a figure."""
    with writing("--plot", path):
        figure.savefig(path, dpi=200)


def plot(path: str, results: Sequence[Compared]) -> None:
    """Draw a panel per score: every system with its interval, the baseline as a line through all of them."""
    names = [row["name"] for row in results[0].rows]
    n_systems, n_panels = len(names), len(results)
    figure = figure_class()(figsize=(1.6 + 3.6 * n_panels, 1.5 + 0.5 * n_systems), layout="constrained")
    figure.get_layout_engine().set(wspace=0.08)
    for panel, result in zip(figure.subplots(1, n_panels, sharey=True, squeeze=False)[0], results, strict=True):
        _draw(panel, result)
        panel.set_yticks(range(n_systems), [f"{names[0]}\n(baseline)", *names[1:]])
        # The baseline on top, as in the table.
        panel.set_ylim(n_systems - 0.4, -0.6)
    corrected = " after Holm's correction" if "p_holm" in results[0].rows[1] else ""
    figure.supxlabel(
        f"score and {100 * results[0].level:g}% bootstrap interval; filled: p < {1 - results[0].level:.2g} against the "
        f"baseline{corrected}, paired {results[0].settings.test}",
        fontsize=8, color=BASELINE,
    )  # fmt: skip
    save(figure, path)


def plot_ranks(path: str, results: Sequence[Ranked]) -> None:
    """Draw a panel per score: the systems from best to worst with intervals and rank ranges, lines between clusters."""
    n_systems, n_panels = len(results[0].systems), len(results)
    figure = figure_class()(figsize=(0.4 + 5.2 * n_panels, 1.5 + 0.45 * n_systems), layout="constrained")
    figure.get_layout_engine().set(wspace=0.08)
    for panel, result in zip(figure.subplots(1, n_panels, squeeze=False)[0], results, strict=True):
        for place, i in enumerate(result.order):
            panel.hlines(place, *result.interval(i), color=SYSTEM, linewidth=2.5, alpha=0.55)
            panel.plot(result.pairs.scores[i], place, "o", color=SYSTEM, markersize=7)
            panel.annotate(result.rank(i), (1.01, place), xycoords=("axes fraction", "data"), va="center", fontsize=8)
        for cut in result.cuts:
            panel.axhline(cut, color=BASELINE, linewidth=0.9)
        panel.set_yticks(range(n_systems), [result.systems[i] for i in result.order])
        panel.set_ylim(n_systems - 0.4, -0.6)
        panel.annotate("rank", (1.01, 1.02), xycoords="axes fraction", fontsize=8, color=BASELINE)
        panel.set_title(result.name, **HEAD)
        _plain(panel)
        if not result.higher_is_better:
            panel.invert_xaxis()
    level = 100 * results[0].level
    figure.supxlabel(
        f"score and {level:g}% bootstrap interval; a line: every system above is better than every one below, "
        f"p < {1 - level / 100:.2g} after Holm's correction, paired {results[0].settings.test}",
        fontsize=8, color=BASELINE,
    )  # fmt: skip
    save(figure, path)


def _plain(panel: Any) -> None:
    panel.tick_params(axis="y", length=0)
    panel.grid(axis="x", color="#e6e6e6", linewidth=0.7)
    panel.set_axisbelow(True)
    panel.spines[["top", "right", "left"]].set_visible(False)
    panel.margins(x=0.08)


def _draw(panel: Any, result: Compared) -> None:
    for place, row in enumerate(result.rows):
        score, color = row["score"], SYSTEM if place else BASELINE
        panel.hlines(place, *row["confidence_interval"], color=color, linewidth=2.5, alpha=0.55)
        filling = color if result.is_different(row) else "white"
        panel.plot(score, place, "o", color=color, markersize=8, markerfacecolor=filling)
        panel.annotate(
            result.numbers.text(score), (score, place), (0, 9), textcoords="offset points", ha="center", fontsize=8,
            color=color, bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"},
        )  # fmt: skip
        if not place:
            panel.axvline(score, color=color, linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
    panel.set_title(result.name, **HEAD)
    _plain(panel)


def plot_agreement(path: str, scores: ComparedScores, agreement: Agreement) -> None:
    """Draw two panels per metric: a point per system with its name, and a point per output."""
    n = len(scores.metrics)
    figure = figure_class()(figsize=(9.6, 0.6 + 3.4 * n), layout="constrained")
    for (left, right), (name, metric) in zip(figure.subplots(n, 2, squeeze=False), scores.metrics.items(), strict=True):
        sign, people = scores.directions[name], scores.judged.scores
        values = agreement.metrics[name]
        means = np.nanmean(people, axis=1)
        of_systems = sign * metric.of_systems(np.ones((1, people.shape[1])))[0]
        _draw_systems(left, means, of_systems, scores.judged.systems)
        left.set_title(f"{name}: systems, Pearson {_shown(values['system_pearson'])}", **HEAD)
        known = ~np.isnan(people)
        _draw_outputs(right, people[known], sign * metric.segments[known])
        right.set_title(
            f"outputs, tau-b {_shown(values['segment_kendall'])}, acc_eq {_shown(values['acc_eq'])}", **HEAD
        )
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


def _shown(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"


def _draw_systems(panel: Any, people: FloatArray, metric: FloatArray, names: list[str]) -> None:
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


def _draw_outputs(panel: Any, people: FloatArray, metric: FloatArray) -> None:
    if len(people) > _MOST_POINTS:
        panel.hexbin(people, metric, gridsize=36, bins="log", cmap="GnBu", linewidths=0.1)
    else:
        panel.plot(people, metric, "o", color=SYSTEM, markersize=3, alpha=0.35, markeredgewidth=0)
