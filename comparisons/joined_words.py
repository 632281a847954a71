"""WER with joined words: the time of a corpus beside kaldialign's, and whether all counts are equal.

    python -m comparisons.joined_words FILE [--pairs N] [--runs N]

FILE is JSON Lines, gzipped or not, with a prediction and a list of references. Needs kaldialign. Times are the least of
the runs; those of kaldialign include the split of texts into words.
"""

from __future__ import annotations

from typing import Any

import click
import kaldialign
import textgauge

from .timing import fastest, rows_of, timed


@click.command(help=__doc__)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--pairs", default=10_000, show_default=True)
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True)
def main(file: str, pairs: int, runs: int) -> None:
    """Print both times with and without joins, and the number of pairs that differ."""
    rows = rows_of(file, pairs)
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

        accumulator, own = fastest(ours, runs)
        counts, official = timed(theirs)
        both = zip(accumulator.statistics.values.tolist(), counts, strict=True)
        n_different = sum(row[1:] != [one["sub"], one["del"], one["ins"]] for row, one in both)
        what = "with joins" if join else "without joins"
        click.echo(
            f"{what}: {own:.4f} s, kaldialign {official:.3f} s, {official / own:.0f} times; {n_different} differ"
        )


if __name__ == "__main__":
    main()
