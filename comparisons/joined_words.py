"""WER with joined words: the time of a corpus beside kaldialign's, and whether all counts are equal.

    python -m comparisons.joined_words FILE [--pairs N] [--runs N]

FILE is JSON Lines, gzipped or not, with a prediction and a list of references. Needs kaldialign. Times are the least of
the runs; those of kaldialign include the split of texts into words.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import time
from collections.abc import Callable
from typing import Any

import click
import kaldialign
import textgauge


def seconds(call: Callable[[], Any], n: int) -> tuple[float, Any]:
    """Return the least time of several calls, and a result."""
    times, result = [], None
    for _ in range(n):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return min(times), result


def main() -> None:
    """Print both times with and without joins, and the number of pairs that differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    opened = gzip.open if given.file.endswith(".gz") else open
    with opened(given.file, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in itertools.islice(file, given.pairs)]
    sides = (
        [" ".join(row["prediction"].split()) for row in rows],
        [" ".join(row["references"][0].split()) for row in rows],
    )
    for join in (False, True):

        def theirs(join: bool = join) -> list[dict[str, Any]]:
            return [
                kaldialign.edit_distance(reference.split(" "), hypothesis.split(" "), merge_compounds=join)
                for hypothesis, reference in zip(*sides, strict=True)
            ]

        def ours(join: bool = join) -> Any:
            return textgauge.Wer(aligner="kaldialign", join=join).update(*sides)

        own, accumulator = seconds(ours, given.runs)
        official, counts = seconds(theirs, 1)
        pairs = zip(accumulator.statistics.values.tolist(), counts, strict=True)
        n_different = sum(row[1:] != [one["sub"], one["del"], one["ins"]] for row, one in pairs)
        what = "with joins" if join else "without joins"
        click.echo(
            f"{what}: {own:.4f} s, kaldialign {official:.3f} s, {official / own:.0f} times; {n_different} differ"
        )


if __name__ == "__main__":
    main()
