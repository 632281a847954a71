"""The page as plain data: what JSON holds and every other form is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from .agreement import Agreement
from .corpora import Corpus
from .machine import machine
from .measure import Result, Run
from .recorded import TITLES

Document = dict[str, Any]
RECORDED_WITHIN = 1e-12
MANY = 10_000
# So many segments or fewer are a case of their own, which the title names.
BATCH = 32
MEASURED, RECORDED = "measured", "recorded figures"
# The keys of what may stand on a page; what draws a picture of one names it by the same key.
LINES, PARTS, NGRAMS = "lines", "parts", "ngrams"


def document(
    command: str,
    corpora: Mapping[str, Corpus],
    results: Sequence[Result],
    recordings: Mapping[str, tuple[Agreement, int]],
    parts: Sequence[dict[str, Any]] = (),
    ngrams: Sequence[dict[str, Any]] = (),
) -> Document:
    """Return the page: `command`, `date`, `machine`, `corpora`, `versions`, `lines`, `parts`, `ngrams`.

    For `parts` see `where.measured`, for `ngrams` `ngrams.Line`.

    A line has `title`, `variant`, `tool`, `state`, `limit`, `aim`, maybe a `note`, and `first` if it is
    of the first segments of a corpus only; where figures were compared `agrees`, `difference`, `where`,
    `decimals` (None: equal), `figures`; where it was timed `speedup`, and for `ours` and `theirs`
    `minimum` and `median` in seconds, `samples` and `peak` in bytes.
    """
    tools = [tool for result in results for tool in (result.row.ours, result.row.theirs)]
    used = {result.row.corpus for result in results} | {job["corpus"] for job in parts}
    return {
        "command": command,
        "date": datetime.now(timezone.utc).date().isoformat(),
        "machine": machine(),
        "corpora": {name: corpus.description for name, corpus in corpora.items() if name in used},
        "versions": {tool.distribution: tool.version for tool in tools if tool.version},
        LINES: _with_recordings([_line(result, len(corpora[result.row.corpus])) for result in results], recordings),
        PARTS: list(parts),
        NGRAMS: list(ngrams),
    }


def failures(page: Document) -> list[str]:
    """Return one sentence per line whose figures lie further apart than they may."""
    return [
        f"{line['title']}: {line['tool']} differs by {line['difference']:.3g} in {line['where']}"
        for line in page[LINES]
        if line.get("agrees") is False
    ]


def _line(result: Result, n_segments: int) -> dict[str, Any]:
    row = result.row
    states = [run.state for run in (result.theirs, result.ours) if run.state != MEASURED]
    line: dict[str, Any] = {
        "title": row.title,
        "variant": row.variant,
        "tool": row.theirs.name,
        "state": states[0] if states else MEASURED,
        "limit": row.limit,
        "aim": row.aim if n_segments >= (row.first or MANY) else None,
    }
    if row.first is not None and BATCH < row.first < n_segments:
        line["first"] = row.first
    if result.agreement is not None:
        line |= {"agrees": result.agrees, **_figures(result.agreement)}
    if result.speedup is not None:
        line |= {"speedup": result.speedup, "ours": _seen(result.ours), "theirs": _seen(result.theirs)}
    return line


def _with_recordings(
    lines: Sequence[dict[str, Any]], recordings: Mapping[str, tuple[Agreement, int]]
) -> list[dict[str, Any]]:
    """Put what was recorded before the lines of the live module, and in their place if it was out of reach."""
    found = list(lines)
    for module, recording in recordings.items():
        line = _recorded(module, recording)
        at = next((i for i, other in enumerate(found) if other["tool"] == line["tool"]), len(found))
        found.insert(at, line)
        found = [other for other in found if other["tool"] != line["tool"] or "agrees" in other]
    return found


def _recorded(module: str, recording: tuple[Agreement, int]) -> dict[str, Any]:
    found, n_cases = recording
    return {
        "title": TITLES[module],
        "variant": "",
        "limit": "",
        "tool": f"reference {module} module",
        "state": RECORDED,
        "note": f"{n_cases:,} recorded calls",
        "aim": None,
        "agrees": found.difference <= RECORDED_WITHIN,
        **_figures(found),
    }


def _figures(found: Agreement) -> dict[str, Any]:
    return {
        "difference": found.difference,
        "where": found.where,
        "decimals": found.decimals,
        "figures": found.n_figures,
    }


def _seen(run: Run) -> dict[str, Any]:
    times = run.times
    return {"minimum": times.minimum, "median": times.median, "samples": len(times.samples), "peak": run.peak}
