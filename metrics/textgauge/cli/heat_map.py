"""Scores of all pairs as a picture."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray, IntArray
from .files import writing
from .messages import refuse
from .plots import figure_class

# More could not be told apart, and to order them takes long.
_MOST = 3000


def check_size(*n_texts: int) -> None:
    """Refuse to draw too many texts."""
    if max(n_texts) > _MOST:
        refuse(f"--plot draws at most {_MOST:,} texts a side, not {max(n_texts):,}")


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
    image = panel.imshow(
        shown, cmap="viridis" if higher_is_better else "viridis_r", interpolation="nearest", aspect="auto"
    )
    panel.set_facecolor("#e6e6e6")
    panel.set_title(
        f"{name}, {scores.shape[0]:,} \u00d7 {scores.shape[1]:,}", loc="left", fontsize=11, fontweight="bold"
    )
    panel.set_xlabel("the same texts" if is_own else "references, by the text that they are nearest to")
    panel.set_ylabel("texts, similar ones side by side")
    for axis, order in ((panel.xaxis, columns), (panel.yaxis, rows)):
        _label(axis, order)
    panel.spines[:].set_visible(False)
    figure.colorbar(image, ax=panel, shrink=0.6, aspect=24).outline.set_visible(False)
    with writing("--plot", path):
        figure.savefig(path, dpi=200)


def _label(axis: object, order: IntArray) -> None:
    """Label few texts with the numbers of their rows, and many not at all."""
    few = len(order) <= 40
    axis.set_ticks(range(len(order)) if few else [], [str(i + 1) for i in order] if few else [])  # type: ignore[attr-defined]
    axis.set_tick_params(length=0, labelsize=7)  # type: ignore[attr-defined]


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
