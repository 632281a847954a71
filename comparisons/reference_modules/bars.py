"""Where the time goes as a picture for a slide: a stacked bar per job, from a `Document`. Needs matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from .document import PARTS, Document
from .picture import DOTS, INK, MUTED, PAPER, TITLE, WIDTH
from .sections import distance, shares
from .wording import duration, factor, megabytes

# Inches.
HEAD, FOOT, BAR = 1.85, 0.75, 1.15
LEFT, RIGHT = 0.18, 0.8
# A colour and what is legible on it, for every part.
DARK, LIGHT = PAPER, INK
COLOURS = (
    ("#1d3557", DARK), ("#0b7a75", DARK), ("#7cc6bd", LIGHT), ("#f2b134", LIGHT), ("#2f6fb0", DARK),
    ("#9cc3e6", LIGHT), ("#c2621b", DARK), ("#8a6fb0", DARK), ("#c3cad3", LIGHT),
)  # fmt: skip
Colours = dict[str, tuple[str, str]]
# A share below this has no room for its figure.
SMALLEST_NAMED = 0.04


def draw(page: Document, path: Path) -> None:
    """Write the picture as PNG."""
    jobs = page[PARTS]
    height = HEAD + FOOT + BAR * len(jobs)
    figure = Figure(figsize=(WIDTH, height), facecolor=PAPER)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, FOOT / height, 1, BAR * len(jobs) / height), facecolor="none")
    axes.set(xlim=(0, 1), ylim=(len(jobs), 0))
    axes.axis("off")
    colour_of = dict(zip(jobs[0]["parts"], COLOURS, strict=True))
    for i, job in enumerate(jobs):
        _bar(axes, i + 0.5, job, colour_of)
    used = [name for name in colour_of if any(name in shares(job) for job in jobs)]
    _legend(figure, height, {name: colour_of[name] for name in used})
    _words(figure, page, height)
    figure.savefig(path, dpi=DOTS, facecolor=PAPER)


def _bar(axes: Axes, y: float, job: dict[str, Any], colour_of: Colours) -> None:
    axes.text(TITLE, y - 0.12, job["title"], va="center", size=15, weight="bold", color=INK)
    axes.text(TITLE, y + 0.17, f"{job['segments']:,} segments", va="center", size=11.5, color=MUTED)
    start = LEFT
    for name, share in shares(job).items():
        width = share * (RIGHT - LEFT)
        colour, ink = colour_of[name]
        axes.barh(y, width, 0.62, left=start, color=colour, edgecolor=PAPER, linewidth=1.2)
        if share >= SMALLEST_NAMED:
            axes.text(start + width / 2, y, f"{share:.0%}", va="center", ha="center", size=12, color=ink)
        start += width
    nearest = min(distance(job, name) for name in job["passes"])
    figures = (
        f"on {job['threads']} threads {duration(job['seconds_on_threads'])}",
        f"{megabytes(job['bytes'] / job['seconds'])} MB of text a second",
        f"a plain pass: {factor(nearest)}",
    )
    axes.text(RIGHT + 0.012, y - 0.27, duration(job["seconds"]), va="center", size=15, weight="bold", color=INK)
    for k, text in enumerate(figures):
        axes.text(RIGHT + 0.012, y - 0.05 + 0.19 * k, text, va="center", size=11.5, color=MUTED)


def _legend(figure: Figure, height: float, colour_of: Colours) -> None:
    handles = [Patch(facecolor=colour, label=name) for name, (colour, _) in colour_of.items()]
    figure.legend(
        handles=handles, ncol=len(handles), loc="center left", bbox_to_anchor=(TITLE - 0.004, 1 - 1.5 / height),
        frameon=False, fontsize=12, labelcolor=INK, handlelength=1, handleheight=1, handletextpad=0.5,
        columnspacing=1.6, borderaxespad=0,
    )  # fmt: skip


def _words(figure: Figure, page: Document, height: float) -> None:
    jobs, seen = page[PARTS], page["machine"]
    figure.text(
        TITLE,
        1 - 0.55 / height,
        "Where the time of one call goes, on one thread",
        va="center",
        size=25,
        weight="bold",
        color=INK,
    )
    used = dict.fromkeys(job["corpus"] for job in jobs)
    texts = "; ".join(page["corpora"][name] for name in used)
    figure.text(TITLE, 1 - 1.0 / height, texts, va="center", size=12.5, color=MUTED)
    passes = " or ".join(jobs[0]["passes"])
    how = f"Shares of a profile by file. A plain pass over the same bytes: {passes}; the slower of them."
    where = f"{seen['processor']}, {seen['cores']} cores, Python {seen['python']}, {page['date']}"
    for y, text in ((0.45, how), (0.18, where)):
        figure.text(TITLE, y / height, text, size=11, color=MUTED)
