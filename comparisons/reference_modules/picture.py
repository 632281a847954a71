"""The page as a picture for a slide, from a `Document`. Needs matplotlib."""

from __future__ import annotations

from math import ceil, floor, log10
from pathlib import Path
from textwrap import wrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from .document import RECORDED, Document
from .folding import folded
from .page import closeness
from .wording import factor

PAPER, INK, MUTED, RULE = "#ffffff", "#1b2430", "#7a8594", "#e3e7ec"
FASTER, SLOWER, WRONG = "#0b7a75", "#c2621b", "#b3261e"
# Inches, but for the dots per inch.
WIDTH, ROW, HEAD, FOOT, NOTE, DOTS = 16.0, 0.38, 2.15, 0.6, 0.32, 120
# Left edges of the columns, as parts of the width.
TITLE, TOOL, BARS, BARS_END, FIGURES = 0.035, 0.265, 0.42, 0.79, 0.845


def draw(page: Document, path: Path) -> None:
    """Write the picture as PNG."""
    lines = folded(line for line in page["lines"] if "agrees" in line)
    notes = _notes(page)
    foot = FOOT + NOTE * len(notes)
    height = HEAD + foot + ROW * len(lines)
    figure = Figure(figsize=(WIDTH, height), facecolor=PAPER)
    FigureCanvasAgg(figure)
    top, bottom = 1 - HEAD / height, foot / height
    axes = figure.add_axes((0, bottom, 1, top - bottom), facecolor="none")
    axes.set(xlim=(0, 1), ylim=(len(lines), 0))
    axes.axis("off")
    _rules(axes, lines)
    scale = _Scale([line["speedup"] for line in lines if "speedup" in line])
    scale.draw(axes, len(lines))
    for i, line in enumerate(lines):
        _line(axes, scale, i + 0.5, line, is_first=i == 0 or lines[i - 1]["title"] != line["title"])
    _words(figure, axes, page, height)
    for i, note in enumerate(notes):
        y = (foot - 0.45 - NOTE * i) / height
        figure.text(TITLE, y, note, va="center", size=11, color=MUTED)
    figure.savefig(path, dpi=DOTS, facecolor=PAPER)


class _Scale:
    """Speed on a logarithmic axis between two edges of the picture; room for 1 is always there."""

    def __init__(self, speedups: list[float]) -> None:
        # Room on both sides for the words at the end of a bar.
        self.low = min([0.8, *speedups]) / 7
        self.high = max([10.0, *speedups]) * 5

    def __call__(self, speedup: float) -> float:
        share = log10(speedup / self.low) / log10(self.high / self.low)
        return BARS + share * (BARS_END - BARS)

    def draw(self, axes: Axes, n_lines: int) -> None:
        """Draw the grid and its names above it."""
        for power in range(ceil(log10(self.low)), floor(log10(self.high)) + 1):
            x = self(10.0**power)
            axes.plot([x, x], [0, n_lines], color=RULE if power else INK, lw=1, zorder=1)
            name = "as fast" if power == 0 else f"{10**power}×" if power > 0 else f"1/{10**-power}"
            axes.text(x, -0.18, name, ha="center", va="bottom", size=10.5, color=MUTED)


def _rules(axes: Axes, lines: list[dict[str, Any]]) -> None:
    for i in range(len(lines) + 1):
        before, after = ("" if k in (-1, len(lines)) else lines[k]["title"] for k in (i - 1, i))
        # A new metric, "BLEU" after "ROUGE", begins under a darker rule.
        if before[:4] != after[:4]:
            axes.plot([TITLE, 1 - TITLE], [i, i], color=MUTED, lw=1, zorder=0)
        elif before != after:
            axes.plot([TITLE, 1 - TITLE], [i, i], color=RULE, lw=1, zorder=0)


def _line(axes: Axes, scale: _Scale, y: float, line: dict[str, Any], *, is_first: bool) -> None:
    if is_first:
        axes.text(TITLE, y, line["title"], va="center", size=13, weight="bold", color=INK)
    axes.text(TOOL, y, line["tool"], va="center", size=13, color=INK)
    if "speedup" in line:
        _bar(axes, scale, y, line["speedup"])
    elif line["state"] == RECORDED:
        axes.text(scale(1.0) + 0.011, y, line["note"], va="center", size=11.5, color=MUTED)
    colour = FASTER if line["agrees"] else WRONG
    axes.text(FIGURES, y, "✓" if line["agrees"] else "✗", va="center", ha="right", size=14, color=colour)
    axes.text(FIGURES + 0.01, y, closeness(line), va="center", size=13, color=INK if line["agrees"] else WRONG)


def _bar(axes: Axes, scale: _Scale, y: float, speedup: float) -> None:
    colour = FASTER if speedup >= 1 else SLOWER
    start, end = scale(1.0), scale(speedup)
    axes.plot([start, end], [y, y], color=colour, lw=8, solid_capstyle="butt", alpha=0.85, zorder=2)
    axes.plot([end], [y], "o", color=colour, ms=11, zorder=3)
    side, gap = ("left", 0.011) if speedup >= 1 else ("right", -0.011)
    axes.text(end + gap, y, factor(speedup), va="center", ha=side, size=12.5, weight="bold", color=colour)


def _words(figure: Figure, axes: Axes, page: Document, height: float) -> None:
    figure.text(TITLE, 1 - 0.55 / height, _title(page), va="center", size=25, weight="bold", color=INK)
    # No break inside one of them.
    texts = "; ".join(text.replace(" ", "\u00a0") for text in page["corpora"].values())
    for i, text in enumerate(wrap(texts, 150)):
        figure.text(TITLE, 1 - (1.0 + 0.27 * i) / height, text, va="center", size=12.5, color=MUTED)
    small = {"va": "bottom", "size": 10.5, "color": MUTED}
    axes.text((BARS + BARS_END) / 2, -0.8, "textgauge is so many times faster, logarithmic", ha="center", **small)
    for x, name in ((TITLE, "computed"), (TOOL, "held against"), (FIGURES - 0.012, "figures agree to")):
        axes.text(x, -0.18, name, **small)


def _notes(page: Document) -> list[str]:
    """Return the lines at the foot."""
    seen = page["machine"]
    where = f"{seen['processor']}, {seen['cores']} cores, Python {seen['python']}, {page['date']}"
    missing = dict.fromkeys(f"{line['tool']} ({line['state']})" for line in page["lines"] if "agrees" not in line)
    absent = wrap("Not measured: " + ", ".join(missing), 190) if missing else []
    firsts = " or ".join(f"{first:,}" for first in sorted({line["first"] for line in page["lines"] if "first" in line}))
    some = f" Where a tool or an option takes long: on the first {firsts} segments." if firsts else ""
    return [f"Median of runs in turn, strings in, scores out.{some} {where}", *absent]


def _title(page: Document) -> str:
    lines = [line for line in page["lines"] if "agrees" in line]
    wrong = sum(not line["agrees"] for line in lines)
    if wrong:
        return f"textgauge differs from {wrong} of {len(lines)} other calls"
    full = [line["decimals"] for line in lines if not line["limit"] and line["decimals"] is not None]
    decimals = min(full, default=None)
    return "textgauge gives the same figures" + ("" if decimals is None else f", to {decimals} decimals")
