"""WER with joined words: the time of a corpus beside calls without joins and kaldialign's, and how many counts differ.

    python -m comparisons.joined_words FILE [--pairs N] [--runs N]

FILE is JSON Lines, gzipped or not, with a prediction and a list of references. Needs kaldialign. Times are the least of
the runs, in which calls with and without joins alternate; those of kaldialign include the split of texts into words.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import click
import kaldialign
import textgauge

from .timing import interleaved, rows_of, timed

Sides = tuple[list[str], list[str]]


@click.command(help=__doc__)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--pairs", default=10_000, show_default=True)
@click.option("--runs", type=click.IntRange(1), default=25, show_default=True)
def main(file: str, pairs: int, runs: int) -> None:
    """Print the times of all pairs and of those that no join changes, and the number of pairs that differ."""
    rows = rows_of(file, pairs)
    sides = (
        [" ".join(row["prediction"].split()) for row in rows],
        [" ".join(row["references"][0].split()) for row in rows],
    )
    best = times_of(sides, runs)
    counts = []
    for join, own in zip((False, True), best, strict=True):
        found, official = timed(partial(theirs, sides, join))
        counts.append(found)
        n_different = sum(row[1:] != one for row, one in zip(ours(sides, join).tolist(), found, strict=True))
        what = "with joins" if join else "without joins"
        click.echo(
            f"{what}: {own:.4f} s, kaldialign {official:.3f} s, {official / own:.0f} times; {n_different} differ"
        )
    click.echo(f"with joins / without: {best[1] / best[0]:.2f}")
    same = [pair for pair, one, other in zip(zip(*sides, strict=True), *counts, strict=True) if one == other]
    best = times_of(([one for one, _ in same], [other for _, other in same]), runs)
    click.echo(f"with joins / without, {len(same):,} pairs that no join changes: {best[1] / best[0]:.2f}")


def times_of(sides: Sides, runs: int) -> list[float]:
    """Return our seconds without and with joins."""
    calls = [partial(ours, sides, join) for join in (False, True)]
    return [min(times) for times in interleaved(calls, [timed(call)[1] for call in calls], runs)]


def ours(sides: Sides, join: bool) -> Any:
    """Return our counts, as an array."""
    return textgauge.Wer(aligner="kaldialign", join=join).update(*sides).statistics.values


def theirs(sides: Sides, join: bool) -> list[list[int]]:
    """Return kaldialign's substitutions, deletions and insertions."""
    found = [
        kaldialign.edit_distance(reference.split(" "), hypothesis.split(" "), merge_compounds=join)
        for hypothesis, reference in zip(*sides, strict=True)
    ]
    return [[one["sub"], one["del"], one["ins"]] for one in found]


if __name__ == "__main__":
    main()
