"""Scores with their intervals as a picture."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..checks import line_to_install
from .compare import Compared
from .files import writing
from .messages import listed, refuse

SUFFIXES = (".png", ".svg", ".pdf")
_BASELINE, _SYSTEM = "#555555", "#0b6e8a"


def check_plot(path: str) -> None:
    """Refuse a picture that cannot be drawn, before anything is computed."""
    if os.path.splitext(path)[1].lower() not in SUFFIXES:
        refuse(f"--plot needs a name that ends in {listed(SUFFIXES, 'or')}, not {path!r}")
    figure_class()


def figure_class() -> Any:
    """Return matplotlib's class of figures."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        refuse(f"--plot needs matplotlib: {line_to_install('plot')}")
    return Figure


def plot(path: str, results: Sequence[Compared]) -> None:
    """Draw a panel per score: every system with its interval, the baseline as a line through all of them."""
    names = [row["name"] for row in results[0].rows]
    n_systems, n_panels = len(names), len(results)
    size = (1.6 + 3.6 * n_panels, 1.5 + 0.5 * n_systems)
    figure = figure_class()(figsize=size, layout="constrained")
    figure.get_layout_engine().set(wspace=0.08)
    for panel, result in zip(figure.subplots(1, n_panels, sharey=True, squeeze=False)[0], results, strict=True):
        _draw(panel, result)
        panel.set_yticks(range(n_systems), [f"{names[0]}\n(baseline)", *names[1:]])
        # The baseline on top, as in the table.
        panel.set_ylim(n_systems - 0.4, -0.6)
    below = 1 - (results[0].settings.confidence or 0)
    corrected = " after Holm's correction" if "p_holm" in results[0].rows[1] else ""
    figure.supxlabel(
        f"score and {results[0].percent} bootstrap interval; filled: p < {below:.2g} against the baseline"
        f"{corrected}, paired {results[0].settings.test}",
        fontsize=8, color=_BASELINE,
    )  # fmt: skip
    with writing("--plot", path):
        figure.savefig(path, dpi=200)


def _draw(panel: Any, result: Compared) -> None:
    for place, row in enumerate(result.rows):
        score, color = row["score"], _SYSTEM if place else _BASELINE
        panel.hlines(place, *row["confidence_interval"], color=color, linewidth=2.5, alpha=0.55)
        filling = color if result.is_different(row) else "white"
        panel.plot(score, place, "o", color=color, markersize=8, markerfacecolor=filling)
        label = result.numbers.text(score)
        panel.annotate(
            label, (score, place), (0, 9), textcoords="offset points", ha="center", fontsize=8, color=color,
            bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"},
        )  # fmt: skip
        if not place:
            panel.axvline(score, color=color, linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
    panel.set_title(result.name, loc="left", fontsize=11, fontweight="bold")
    panel.tick_params(axis="y", length=0)
    panel.grid(axis="x", color="#e6e6e6", linewidth=0.7)
    panel.set_axisbelow(True)
    panel.spines[["top", "right", "left"]].set_visible(False)
    panel.margins(x=0.08)
