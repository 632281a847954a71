"""Pictures: scores with their intervals, and the scores of all pairs of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import FloatArray, IntArray
from ..checks import line_to_install
from .files import writing
from .messages import refuse
from .output import checked_suffix

if TYPE_CHECKING:
    from .all_pairs import Ranked
    from .compare import Compared

BASELINE, SYSTEM = "#555555", "#0b6e8a"
HEAD: dict[str, Any] = {"loc": "left", "fontsize": 11, "fontweight": "bold"}
# More texts could not be told apart, and to order them takes long.
_MOST = 3000


def check_plot(path: str | None) -> None:
    """Refuse a picture that cannot be drawn, before anything is computed."""
    if path is not None:
        checked_suffix(path, (".png", ".svg", ".pdf"), "--plot")
        figure_class()


def check_size(*n_texts: int) -> None:
    """Refuse to draw the pairs of too many texts."""
    if max(n_texts) > _MOST:
        refuse(f"--plot draws at most {_MOST:,} texts a side, not {max(n_texts):,}")


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
    from .all_pairs import cuts

    n_systems, n_panels = len(results[0].systems), len(results)
    figure = figure_class()(figsize=(0.4 + 5.2 * n_panels, 1.5 + 0.45 * n_systems), layout="constrained")
    figure.get_layout_engine().set(wspace=0.08)
    for panel, one in zip(figure.subplots(1, n_panels, squeeze=False)[0], results, strict=True):
        for place, i in enumerate(one.order):
            panel.hlines(place, *one.interval(i), color=SYSTEM, linewidth=2.5, alpha=0.55)
            panel.plot(one.found.scores[i], place, "o", color=SYSTEM, markersize=7)
            panel.annotate(one.rank(i), (1.01, place), xycoords=("axes fraction", "data"), va="center", fontsize=8)
        for cut in cuts(one):
            panel.axhline(cut, color=BASELINE, linewidth=0.9)
        panel.set_yticks(range(n_systems), [one.systems[i] for i in one.order])
        panel.set_ylim(n_systems - 0.4, -0.6)
        panel.annotate("rank", (1.01, 1.02), xycoords="axes fraction", fontsize=8, color=BASELINE)
        panel.set_title(one.name, **HEAD)
        _plain(panel)
        if not one.higher_is_better:
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


def heat_map(path: str, scores: FloatArray, name: str, *, is_own: bool, higher_is_better: bool) -> None:
    """Draw all scores, with similar texts side by side.

    Parameters
    ----------
    scores : float64, shape (n_rows, n_columns)
    name : str
        Of the score.
    is_own : bool
        Whether rows and columns are the same texts.
    higher_is_better : bool
        Whether similar texts have high scores.
    """
    near = scores if higher_is_better else -scores
    rows = chain((near + near.T) / 2 if is_own else _alike(near))
    # References come in the order of the predictions that they are nearest to.
    columns = rows if is_own else np.lexsort((-near.max(axis=0), near[rows].argmax(axis=0)))
    figure = figure_class()(figsize=(7.2, 6.2), layout="constrained")
    panel = figure.subplots()
    shown = scores[np.ix_(rows, columns)]
    if is_own:
        # A text and itself, which would leave few colours to the others.
        np.fill_diagonal(shown, np.nan)
    colours = "viridis" if higher_is_better else "viridis_r"
    image = panel.imshow(shown, cmap=colours, interpolation="nearest", aspect="auto")
    panel.set_facecolor("#e6e6e6")
    panel.set_title(f"{name}, {scores.shape[0]:,} \u00d7 {scores.shape[1]:,}", **HEAD)
    panel.set_xlabel("the same texts" if is_own else "references, by the text that they are nearest to")
    panel.set_ylabel("texts, similar ones side by side")
    for axis, order in ((panel.xaxis, columns), (panel.yaxis, rows)):
        # Few texts are labelled with the numbers of their rows, and many not at all.
        labels = [str(i + 1) for i in order] if len(order) <= 40 else []
        axis.set_ticks(range(len(labels)), labels)
        axis.set_tick_params(length=0, labelsize=7)
    panel.spines[:].set_visible(False)
    figure.colorbar(image, ax=panel, shrink=0.6, aspect=24).outline.set_visible(False)
    save(figure, path)


def _alike(scores: FloatArray) -> FloatArray:
    """Return how alike rows are in their scores (cosine of the differences from the mean): shape (n_rows, n_rows)."""
    apart = scores - scores.mean(axis=0)
    lengths = np.sqrt((apart**2).sum(axis=1, keepdims=True))
    unit = apart / np.where(lengths > 0, lengths, 1.0)
    return np.asarray(unit @ unit.T)


def chain(similarity: FloatArray) -> IntArray:
    """Return an order in which every text is followed by the most similar one that is left.

    The first is the one that is least like all others.

    Examples
    --------
    >>> chain(np.array([[1, 0.1, 0.9], [0.1, 1, 0.2], [0.9, 0.2, 1]]))
    array([1, 2, 0])
    """
    left = np.ones(len(similarity), bool)
    order = np.empty(len(similarity), np.int64)
    order[0] = np.argmin(similarity.sum(axis=1))
    for i in range(1, len(order)):
        left[order[i - 1]] = False
        order[i] = np.argmax(np.where(left, similarity[order[i - 1]], -np.inf))
    return order
