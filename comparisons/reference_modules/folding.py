"""Lines of the page for the picture: all variants of one title and one tool are one line."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import Any

Line = dict[str, Any]


def folded(lines: Iterable[Line]) -> list[Line]:
    """Return a line per title, tool and state, with the worst agreement and the median speed of its lines.

    Examples
    --------
    >>> common = {"title": "BLEU", "tool": "nltk", "state": "measured", "agrees": True}
    >>> lines = [common | {"decimals": None, "difference": 0.0}, common | {"decimals": 15, "difference": 2e-16}]
    >>> [(line["tool"], line["decimals"]) for line in folded(lines)]
    [('nltk, 2 variants', 15)]
    """
    found: dict[tuple[str, str, str], list[Line]] = {}
    for line in lines:
        found.setdefault((line["title"], line["tool"], line["state"]), []).append(line)
    return [_one(same) for same in found.values()]


def _one(lines: list[Line]) -> Line:
    if len(lines) == 1:
        return lines[0]
    worst = max(lines, key=lambda line: (not line["agrees"], line["difference"]))
    speedups = [line["speedup"] for line in lines if "speedup" in line]
    speed = {"speedup": median(speedups)} if speedups else {}
    return {**worst, **speed, "tool": f"{worst['tool']}, {len(lines)} variants"}
