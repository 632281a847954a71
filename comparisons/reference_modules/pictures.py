"""Pictures of a page: agreement and speed of every line, and where the time goes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from statistics import median
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from .measure import Line
from .page import LINES, PARTS, Page, closeness, duration, factor, megabytes, shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Transform

PAPER, INK, MUTED, RULE = "#ffffff", "#1b2430", "#7a8594", "#e3e7ec"
FASTER, SLOWER, WRONG = "#0b7a75", "#c2621b", "#b3261e"
HOW = "How many times faster textgauge is: medians of calls in turn, strings in, scores out."
# For every step its colour and that of text on it.
STEPS = (("#1d3557", PAPER), ("#0b7a75", PAPER), ("#f2b134", INK), ("#c3cad3", INK))
# Inches: the width of a picture, the height of a line and of a bar.
WIDTH, ROW, BAR = 16.0, 0.38, 1.15
# Positions of axes and of the text beside them, as shares of the width.
EDGE, TOOL, BARS, STACK, END = 0.03, 0.265, 0.43, 0.17, 0.8


def draw(made: Page, folder: Path) -> dict[str, Path]:
    """Write the pictures of a page as PNG; return their paths by key."""
    pictures = {}
    if any("agrees" in line for line in made[LINES]):
        pictures[LINES] = folder / "page.png"
        draw_lines(made).savefig(pictures[LINES], dpi=120)
    if made[PARTS]:
        pictures[PARTS] = folder / "parts.png"
        draw_parts(made).savefig(pictures[PARTS], dpi=120)
    return pictures


def folded(lines: Iterable[Line]) -> list[Line]:
    """Return a line per title, tool and state, with the worst agreement and the median speed of its variants."""
    found: dict[tuple[str, str, str], list[Line]] = {}
    for line in lines:
        found.setdefault((line["title"], line["tool"], line["state"]), []).append(line)
    return [_worst(same) if len(same) > 1 else same[0] for same in found.values()]


def _worst(lines: list[Line]) -> Line:
    worst = max(lines, key=lambda line: (not line["agrees"], line["difference"]))
    speed = {"speedup": median(line["speedup"] for line in lines)} if all("speedup" in line for line in lines) else {}
    return {**worst, **speed, "tool": f"{worst['tool']}, {len(lines)} variants"}


def headline(lines: list[Line]) -> str:
    """Return a headline that is true of every compared line."""
    wrong = sum(not line["agrees"] for line in lines)
    if wrong:
        return f"textgauge differs from {wrong} of {len(lines)} other calls"
    speeds = sorted(line["speedup"] for line in lines if "speedup" in line)
    ends = [f"{speed:.0f}" if speed >= 9.95 else f"{speed:.2g}" if speed < 0.95 else f"{speed:.1f}" for speed in speeds]
    return "The same figures" + (f", {' to '.join(dict.fromkeys((ends[0], ends[-1])))} times as fast" if ends else "")


def draw_lines(made: Page) -> Figure:
    """Draw agreement and speed of every line that was compared."""
    every = [line for line in made[LINES] if "agrees" in line]
    lines = folded(every)
    # No line break inside the description of a text.
    texts = wrap("; ".join(text.replace(" ", "\u00a0") for text in made["corpora"].values()), 150)
    figure, axes, extras = _canvas(made, headline(every), texts, HOW, len(lines) * ROW, BARS)
    write = partial(axes.text, va="center", transform=extras)
    speeds = [line["speedup"] for line in lines if "speedup" in line]
    # Space on both sides for the text at the end of a bar.
    axes.set(xscale="log", xlim=(min([0.8, *speeds]) / 7, max([10.0, *speeds]) * 25), ylim=(len(lines) - 0.5, -0.5))
    axes.xaxis.set_major_formatter(lambda speed, _: "as fast" if speed == 1 else f"{speed:g}×")
    axes.minorticks_off()
    axes.grid(axis="x", color=RULE)
    axes.axvline(1, color=INK, lw=1)
    before = ""
    for i, line in enumerate(lines):
        if line["title"] != before:
            write(EDGE, i, line["title"], size=13, color=INK, weight="bold")
            # A darker rule before a new metric, such as "BLEU" after "ROUGE".
            colour = RULE if line["title"][:4] == before[:4] else MUTED
            axes.plot([EDGE, 1 - EDGE], [i - 0.5] * 2, color=colour, lw=1, clip_on=False, transform=extras)
        before = line["title"]
        write(TOOL, i, line["tool"], size=13, color=INK)
        _speed(axes, i, line)
        mark, colour = ("✓", INK) if line["agrees"] else ("✗", WRONG)
        write(END + 0.03, i, f"{mark}  {closeness(line)}", size=13, color=colour)
    return figure


def _speed(axes: Axes, y: int, line: Line) -> None:
    speed = line.get("speedup", 1.0)
    colour, side = (FASTER, 1) if speed >= 1 else (SLOWER, -1)
    if "speedup" in line:
        axes.barh(y, speed - 1, 0.32, left=1, color=colour, alpha=0.85, zorder=2)
        axes.plot([speed], [y], "o", color=colour, ms=11, zorder=3)
    words = factor(speed) if "speedup" in line else line["variant"]
    how: dict[str, Any] = {"va": "center", "ha": "left" if side > 0 else "right", "size": 12, "color": colour}
    axes.annotate(words, (speed, y), (12 * side, 0), textcoords="offset points", **how)


def draw_parts(made: Page) -> Figure:
    """Draw a stacked bar for every job."""
    jobs = made[PARTS]
    texts = "; ".join(made["corpora"][name] for name in dict.fromkeys(job["corpus"] for job in jobs))
    passes = f"A plain pass over the same bytes: {' or '.join(jobs[0]['passes'])}; the slower of them."
    title = "Where the time of one call goes, on one thread"
    figure, axes, extras = _canvas(made, title, [texts, "", ""], passes, len(jobs) * BAR, STACK)
    write = partial(axes.text, va="center", color=INK, transform=extras)
    axes.set(xlim=(0, 1), xticks=[], ylim=(len(jobs) - 0.5, -0.5))
    starts = [0.0] * len(jobs)
    for name, (colour, ink) in zip(jobs[0]["parts"], STEPS, strict=True):
        widths = [shares(job).get(name, 0.0) for job in jobs]
        bars = axes.barh(range(len(jobs)), widths, 0.62, left=starts, color=colour, edgecolor=PAPER, label=name)
        # A small share has no room for its figure.
        figures = [f"{width:.0%}" if width >= 0.04 else "" for width in widths]
        axes.bar_label(bars, figures, label_type="center", color=ink, size=12)
        starts = [start + width for start, width in zip(starts, widths, strict=True)]
    place = (EDGE - 0.01, 1 - 1.5 / figure.get_figheight())
    figure.legend(ncol=len(STEPS), frameon=False, fontsize=12, loc="center left", bbox_to_anchor=place)
    for i, job in enumerate(jobs):
        write(EDGE, i, f"{job['title']}\n{job['segments']:,} segments", size=13)
        lines = (
            f"{duration(job['seconds'])}",
            f"{duration(job['seconds_on_threads'])} on {job['threads']} threads",
            f"{megabytes(job['bytes'] / job['seconds'])} MB of text a second",
            f"a plain pass: {factor(job['seconds'] / max(job['passes'].values()))}",
        )
        write(END + 0.012, i, "\n".join(lines), size=12)
    return figure


def _canvas(
    made: Page, title: str, below: list[str], note: str, rows: float, left: float
) -> tuple[Figure, Axes, Transform]:
    """Return a figure with text above and below, axes, and the coordinates of text beside these: share, row."""
    from matplotlib.figure import Figure
    from matplotlib.transforms import blended_transform_factory

    seen = made["machine"]
    notes = [note, f"{seen['processor']}, {seen['cores']} cores, Python {seen['python']}, {made['date']}"]
    head, foot = 1.1 + 0.27 * len(below), 0.6 + 0.27 * len(notes)
    height = head + rows + foot
    figure = Figure(figsize=(WIDTH, height), facecolor=PAPER)
    axes = figure.add_axes((left, foot / height, END - left, rows / height), facecolor="none", yticks=[])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labeltop=True, labelbottom=False, labelcolor=MUTED)
    figure.text(EDGE, 1 - 0.55 / height, title, va="center", size=25, weight="bold", color=INK)
    for y, lines, size in ((height - 1.0, below, 12.5), (foot - 0.4, notes, 11)):
        for i, text in enumerate(lines):
            figure.text(EDGE, (y - 0.27 * i) / height, text, va="center", size=size, color=MUTED)
    return figure, axes, blended_transform_factory(figure.transFigure, axes.transData)
