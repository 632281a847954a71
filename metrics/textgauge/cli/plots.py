"""Pictures: scores with their intervals, people's scores against those of metrics, ratings of several raters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import FloatArray
from ..checks import line_to_install
from .messages import refuse
from .output import checked_suffix, writing

if TYPE_CHECKING:
    from ..meta_evaluation.agreement import Agreement, ComparedScores
    from ..meta_evaluation.raters import RaterAgreement
    from .compared import Compared, Ranked

BASELINE, SYSTEM = "#555555", "#0b6e8a"
HEAD: dict[str, Any] = {"loc": "left", "fontsize": 11, "fontweight": "bold"}
# Names of more systems would cover each other.
_MOST_NAMES = 20
# More points hide where most of them are.
_MOST_POINTS = 3000
# More values of ratings are a scale without a name for each, of which long ones are cut.
_MOST_COLORS, _LONGEST = 12, 24
# On darker colours than that of this value text is white.
_DARK = 0.7
# Longer names of columns are turned.
_SHORT = 6


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
        f"score and {100 * results[0].confidence:g}% bootstrap interval; filled: "
        f"p < {results[0].settings.level:.2g} against the baseline{corrected}, paired {results[0].settings.test}",
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
    figure.supxlabel(
        f"score and {100 * results[0].confidence:g}% bootstrap interval; a line: every system above is better "
        f"than every one below, p < {results[0].settings.level:.2g} after Holm's correction, "
        f"paired {results[0].settings.test}",
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


def plot_raters(
    path: str, ratings: Mapping[str, Sequence[Any]], scale: Sequence[Any] | None, found: RaterAgreement
) -> None:
    """Draw alpha of every two raters, and the items from most disagreement to least: how much, and who said what."""
    names, n = found.raters, len(found.raters)
    place = {name: i for i, name in enumerate(names)}
    figure = figure_class()(figsize=(5.4 + 0.55 * n + 4.6, 2.6 + 0.55 * n), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(2.4 + 0.55 * n, 6.0))
    matrix, values = left.subplots(), np.full((n, n), np.nan)
    for a, of_a in found.kappas.items():
        for b, figures in of_a.items():
            if figures["alpha"] is not None:
                values[place[a], place[b]] = values[place[b], place[a]] = figures["alpha"]
    matrix.imshow(values, cmap="GnBu", vmin=0, vmax=1)
    for i, j in np.ndindex(n, n) if n <= _MOST_NAMES else ():
        if i != j:
            text = "-" if np.isnan(values[i, j]) else f"{round(float(values[i, j]), 2) + 0.0:.2f}"
            color = "white" if values[i, j] > _DARK else "black"
            matrix.annotate(text, (j, i), ha="center", va="center", fontsize=8, color=color)
    turned = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if max(map(len, names)) > _SHORT else {}
    matrix.set_xticks(range(n), names, fontsize=8, **turned)
    matrix.set_yticks(range(n), names, fontsize=8)
    matrix.spines[:].set_visible(False)
    matrix.tick_params(length=0)
    matrix.set_title(f"alpha of two, {found.level}", **HEAD)
    order = sorted(range(found.n_items), key=lambda i: (-(found.disagreement[i] or 0.0), i))
    order = [i for i in order if found.disagreement[i] is not None]
    curve, image = right.subplots(2, 1, sharex=True, height_ratios=(1.6, 1 + 0.45 * n))
    heights = [found.disagreement[i] for i in order]
    curve.fill_between(np.arange(len(order) + 1) - 0.5, [*heights, *heights[-1:]] or [0.0], step="post", color=SYSTEM)
    curve.axhline(1, color=BASELINE, linewidth=0.9, linestyle=(0, (4, 3)))
    curve.set_ylabel("by chance: 1", fontsize=8)
    curve.set_title(f"items by disagreement, alpha of all {_shown(found.alpha)}", **HEAD)
    curve.tick_params(labelsize=8)
    curve.spines[["top", "right"]].set_visible(False)
    _draw_ratings(right, image, [[ratings[name][i] for i in order] for name in names], names, scale)
    if len(order) <= _MOST_NAMES:
        image.set_xticks(range(len(order)), [f"{i + 1:,}" for i in order], fontsize=8)
        image.set_xlabel("row; white: no rating", fontsize=8)
    else:
        image.tick_params(axis="x", labelsize=8)
        image.set_xlabel("items, most disagreement first; white: no rating", fontsize=8)
    save(figure, path)


def _draw_ratings(
    part: Any, panel: Any, rows: Sequence[Sequence[Any]], names: Sequence[str], scale: Sequence[Any] | None
) -> None:
    """Draw a line of colours per rater; missing ratings are white."""
    from matplotlib import colormaps

    known = {value for row in rows for value in row if value is not None}
    values = [*scale] if scale else sorted(known, key=lambda value: (isinstance(value, str), value))
    is_few = len(values) <= _MOST_COLORS or any(isinstance(value, str) for value in values)
    code = {value: i if is_few else float(value) for i, value in enumerate(values)}
    cells = np.array([[np.nan if value is None else code[value] for value in row] for row in rows], float)
    panel.set_yticks(range(len(names)), names, fontsize=8)
    if not cells.size:
        return
    colors = colormaps["viridis"].resampled(len(values)) if is_few else colormaps["viridis"]
    ends = (-0.5, len(values) - 0.5) if is_few else (None, None)
    shown = panel.imshow(cells, aspect="auto", interpolation="nearest", cmap=colors, vmin=ends[0], vmax=ends[1])
    bar = part.colorbar(shown, ax=panel, fraction=0.05, pad=0.02)
    if len(values) <= _MOST_COLORS:
        bar.set_ticks(range(len(values)), labels=[_cut(str(value)) for value in values])
    elif is_few:
        bar.set_ticks([])
    bar.ax.tick_params(labelsize=8, length=0)
    bar.outline.set_visible(False)
    panel.tick_params(axis="y", length=0)
    panel.spines[:].set_visible(False)


def _cut(label: str) -> str:
    return label if len(label) <= _LONGEST else label[: _LONGEST - 3] + "..."
