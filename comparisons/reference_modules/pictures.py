"""Two pictures of a page: speed relative to other tools, and time by step. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from statistics import median
from textwrap import wrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .measure import RECORDED, Line
from .page import LINES, PARTS, Page, closeness, distance, duration, factor, megabytes, shares

PAPER, INK, MUTED, RULE = "#ffffff", "#1b2430", "#7a8594", "#e3e7ec"
FASTER, SLOWER, WRONG = "#0b7a75", "#c2621b", "#b3261e"
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
        draw_lines(made, pictures[LINES])
    if made[PARTS]:
        pictures[PARTS] = folder / "parts.png"
        draw_parts(made, pictures[PARTS])
    return pictures


def folded(lines: Iterable[Line]) -> list[Line]:
    """Return a line per title, tool and state, with the worst agreement and the median speed of its variants."""
    found: dict[tuple[str, str, str], list[Line]] = {}
    for line in lines:
        found.setdefault((line["title"], line["tool"], line["state"]), []).append(line)
    return [same[0] if len(same) == 1 else _worst(same) for same in found.values()]


def _worst(lines: list[Line]) -> Line:
    worst = max(lines, key=lambda line: (not line["agrees"], line["difference"]))
    speedups = [line["speedup"] for line in lines if "speedup" in line]
    speed = {"speedup": median(speedups)} if speedups else {}
    return {**worst, **speed, "tool": f"{worst['tool']}, {len(lines)} variants"}


def headline(lines: list[Line]) -> str:
    """Return a headline that is true of every compared line."""
    wrong = sum(not line["agrees"] for line in lines)
    if wrong:
        return f"textgauge differs from {wrong} of {len(lines)} other calls"
    speeds = sorted(line["speedup"] for line in lines if "speedup" in line)
    ends = [f"{speed:.0f}" if speed >= 9.95 else f"{speed:.2g}" if speed < 0.95 else f"{speed:.1f}" for speed in speeds]
    return "The same figures" + (f", {' to '.join(dict.fromkeys((ends[0], ends[-1])))} times as fast" if ends else "")


def meaning(lines: list[Line]) -> str:
    """Return the meaning of "the same figures" over all lines."""
    said = []
    for limit in dict.fromkeys(line["limit"] for line in lines):
        digits = [line["decimals"] for line in lines if line["limit"] == limit and line["decimals"] is not None]
        found = f"{min(digits)} decimals" if digits else "the last digit"
        said.append(f"with {limit} to {found}" if limit else f"to at least {found}" if digits else f"to {found}")
    return f"The same: {'; '.join(said)}"


def draw_lines(made: Page, path: Path) -> None:
    """Draw agreement and speed of every line that was compared."""
    every = [line for line in made[LINES] if "agrees" in line]
    lines, notes = folded(every), _notes(made)
    # No line break inside the description of a text.
    texts = wrap("; ".join(text.replace(" ", "\u00a0") for text in made["corpora"].values()), 150)
    figure, axes = _canvas(headline(every), [meaning(every), *texts], notes, len(lines), ROW, BARS)
    speeds = [line["speedup"] for line in lines if "speedup" in line]
    # Space on both sides for the text at the end of a bar.
    axes.set(xscale="log", xlim=(min([0.8, *speeds]) / 7, max([10.0, *speeds]) * 5))
    axes.xaxis.set_major_formatter(lambda speed, _: "as fast" if speed == 1 else f"{speed:g}×")
    axes.minorticks_off()
    axes.grid(axis="x", color=RULE)
    axes.axvline(1, color=INK, lw=1)
    for i, line in enumerate(lines):
        before = lines[i - 1]["title"] if i else ""
        if line["title"] != before:
            _beside(axes, EDGE, i, line["title"], BARS, weight="bold")
            # A darker rule before a new metric, such as "BLEU" after "ROUGE".
            colour = RULE if line["title"][:4] == before[:4] else MUTED
            ends = [_in_axes(x, BARS) for x in (EDGE, 1 - EDGE)]
            axes.plot(ends, [i - 0.5] * 2, color=colour, lw=1, transform=axes.get_yaxis_transform(), clip_on=False)
        _beside(axes, TOOL, i, line["tool"], BARS)
        _speed(axes, i, line)
        mark, colour = ("✓", INK) if line["agrees"] else ("✗", WRONG)
        _beside(axes, END + 0.03, i, f"{mark}  {closeness(line)}", BARS, color=colour)
    figure.savefig(path, dpi=120)


def _speed(axes: Axes, y: int, line: Line) -> None:
    speed = line.get("speedup", 1.0)
    colour, side = (FASTER, 1) if speed >= 1 else (SLOWER, -1)
    words = line.get("note", "") if line["state"] == RECORDED else factor(speed)
    if "speedup" in line:
        axes.barh(y, speed - 1, 0.32, left=1, color=colour, alpha=0.85, zorder=2)
        axes.plot([speed], [y], "o", color=colour, ms=11, zorder=3)
    how: dict[str, Any] = {"va": "center", "ha": "left" if side > 0 else "right", "size": 12, "color": colour}
    axes.annotate(words, (speed, y), (12 * side, 0), textcoords="offset points", **how)


def _notes(made: Page) -> list[str]:
    """Return the lines at the foot."""
    missing = dict.fromkeys(f"{line['tool']} ({line['state']})" for line in made[LINES] if "agrees" not in line)
    absent = wrap("Not measured: " + ", ".join(missing), 190) if missing else []
    firsts = " or ".join(f"{first:,}" for first in sorted({line["first"] for line in made[LINES] if "first" in line}))
    some = f" Slow tools and options run on the first {firsts} segments." if firsts else ""
    how = "How many times faster textgauge is: medians of calls in turn, strings in, scores out."
    return [f"{how}{some}", *absent, _where_and_when(made)]


def draw_parts(made: Page, path: Path) -> None:
    """Draw a stacked bar for every job."""
    jobs = made[PARTS]
    texts = "; ".join(made["corpora"][name] for name in dict.fromkeys(job["corpus"] for job in jobs))
    passes = f"A plain pass over the same bytes: {' or '.join(jobs[0]['passes'])}; the slower of them."
    title, notes = "Where the time of one call goes, on one thread", [passes, _where_and_when(made)]
    figure, axes = _canvas(title, [texts, "", ""], notes, len(jobs), BAR, STACK)
    axes.set(xlim=(0, 1), xticks=[])
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
        lines = (
            f"{duration(job['seconds'])}",
            f"{duration(job['seconds_on_threads'])} on {job['threads']} threads",
            f"{megabytes(job['bytes'] / job['seconds'])} MB of text a second",
            f"a plain pass: {factor(min(distance(job, name) for name in job['passes']))}",
        )
        _beside(axes, END + 0.012, i, "\n".join(lines), STACK, size=12)
        _beside(axes, EDGE, i, f"{job['title']}\n{job['segments']:,} segments", STACK)
    figure.savefig(path, dpi=120)


def _canvas(
    title: str, below: list[str], notes: list[str], n_rows: int, row: float, left: float
) -> tuple[Figure, Axes]:
    """Return a figure with text above and below, and axes whose rows count from the top."""
    head, foot = 1.1 + 0.27 * len(below), 0.6 + 0.27 * len(notes)
    height = head + row * n_rows + foot
    figure = Figure(figsize=(WIDTH, height), facecolor=PAPER)
    axes = figure.add_axes((left, foot / height, END - left, row * n_rows / height), facecolor="none")
    axes.set(ylim=(n_rows - 0.5, -0.5), yticks=[])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labeltop=True, labelbottom=False, labelcolor=MUTED)
    figure.text(EDGE, 1 - 0.55 / height, title, va="center", size=25, weight="bold", color=INK)
    for i, text in enumerate(below):
        figure.text(EDGE, 1 - (1.0 + 0.27 * i) / height, text, va="center", size=12.5, color=MUTED)
    for i, text in enumerate(notes):
        figure.text(EDGE, (foot - 0.4 - 0.27 * i) / height, text, va="center", size=11, color=MUTED)
    return figure, axes


def _in_axes(x: float, left: float) -> float:
    """Convert a share of the picture's width to one of the axes that begin at `left`."""
    return (x - left) / (END - left)


def _beside(axes: Axes, x: float, row: float, text: str, left: float, **how: Any) -> None:
    how = {"va": "center", "size": 13, "color": INK, "transform": axes.get_yaxis_transform(), **how}
    axes.text(_in_axes(x, left), row, text, **how)


def _where_and_when(made: Page) -> str:
    seen = made["machine"]
    return f"{seen['processor']}, {seen['cores']} cores, Python {seen['python']}, {made['date']}"
