"""What stands on the page below its table: where the time goes, and n-grams of many texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .document import NGRAMS, PARTS, Document
from .wording import duration, factor, megabytes

WHERE_NOTE = (
    "Shares are those of a profile by the package's files, {slower} slower than the call without; times are these "
    "shares of the call's median on one thread. Text is that of both sides in UTF-8. A plain pass is over the same "
    "bytes, taken in turn with the call; beside it stands how much faster than the call on one thread it is."
)
NGRAMS_NOTE = "{words:,} random words in texts of 50, as uneven as real ones but without their order; each run once."


@dataclass(frozen=True)
class Section:
    """A table with its title above and a note below; the first `n_words` columns are words, the others numbers."""

    key: str
    title: str
    headings: list[str]
    rows: list[list[str]]
    note: str
    n_words: int = 1


def sections(page: Document) -> list[Section]:
    """Return those that a page has."""
    found = []
    if page[PARTS]:
        found.append(_where(page[PARTS]))
    if page[NGRAMS]:
        found.append(_ngrams(page[NGRAMS]))
    return found


def shares(job: Mapping[str, Any]) -> dict[str, float]:
    """Return the parts of a job as shares of the whole that are worth naming, in the order of the work."""
    found = {name: seconds / job["profiled"] for name, seconds in job["parts"].items()}
    return {name: share for name, share in found.items() if share >= 0.0005}


def _where(jobs: list[dict[str, Any]]) -> Section:
    rows = [
        [f"time of one call, {jobs[0]['threads']} threads", *(duration(job["seconds_on_threads"]) for job in jobs)],
        ["time of one call, one thread", *(duration(job["seconds"]) for job in jobs)],
        ["text, MB", *(megabytes(job["bytes"]) for job in jobs)],
        ["text per second, one thread, MB", *(megabytes(job["bytes"] / job["seconds"]) for job in jobs)],
    ]
    of_jobs = [shares(job) for job in jobs]
    for part in jobs[0]["parts"]:
        cells = [_share(found.get(part), job["seconds"]) for found, job in zip(of_jobs, jobs, strict=True)]
        if any(cells):
            rows.append([part, *cells])
    for name in jobs[0]["passes"]:
        cells = [f"{duration(job['passes'][name])}, {factor(distance(job, name))}" for job in jobs]
        rows.append([f"plain pass: {name}", *cells])
    slower = max(job["profiled"] / job["seconds"] for job in jobs) - 1
    note = WHERE_NOTE.format(slower=f"at most {max(slower, 0.01):.0%}")
    return Section(PARTS, "Where the time goes", ["", *(job["title"] for job in jobs)], rows, note)


def distance(job: Mapping[str, Any], name: str) -> float:
    """Return how many times faster than a job a plain pass over its text is, both on one thread."""
    return float(job["seconds"] / job["passes"][name])


def _share(share: float | None, seconds: float) -> str:
    return "" if share is None else f"{duration(share * seconds)} ({share:.1%})"


def _ngrams(lines: list[dict[str, Any]]) -> Section:
    headings = ["tokens", "smoothing", "order", "fit", "score", "perplexity of the same texts"]
    rows = [
        [line["tokenizer"], line["smoothing"], str(line["order"]), duration(line["fit"]), duration(line["score"])]
        + [f"{line['perplexity']:.4g}"]
        for line in lines
    ]
    note = NGRAMS_NOTE.format(words=lines[0]["n_words"])
    return Section(NGRAMS, "How long n-gram models take", headings, rows, note, n_words=2)
