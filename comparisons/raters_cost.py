"""What intervals of raters cost beside a loop over krippendorff: `python -m comparisons.raters_cost`.

Three raters rate 2,000 items from 1 to 5, and 1,000 resamples of the items are drawn. The loop calls
`krippendorff.alpha`, which has no intervals, for each. "alpha" is ours of the same figure alone, "all" is a whole call
of `textgauge.raters`, which has 18 intervals: of alpha, Fleiss' kappa and percent agreement of all, and of every two
raters alpha, three kappas and percent agreement. Milliseconds of the processor, the smallest of some rounds;
OMP_NUM_THREADS=1 makes NumPy use one thread. Alphas of the same resamples are compared, and may differ by 1e-14.
"""

import time
from functools import partial

import click
import numpy as np
import textgauge
from textgauge.meta_evaluation.reliability import alpha, resampled_alpha, resamples
from textgauge.resampling import BootstrapOptions

from .few_ratings import ratings_of
from .timing import described, fastest, machine, show

N_RATERS, N_ITEMS, LEVELS = 3, 2000, ("nominal", "ordinal", "interval")
BOOTSTRAP = BootstrapOptions(0.95, 1000, 12345)


def drawn_ratings():
    """Return ratings from 1 to 5: float64, shape (N_RATERS, N_ITEMS)."""
    rng = np.random.default_rng(1)
    return np.clip(np.round(3 + rng.normal(size=N_ITEMS) + 0.7 * rng.normal(size=(N_RATERS, N_ITEMS))), 1, 5)


def of_krippendorff(given, level):
    """Return alpha of every resample, by a call for each."""
    import krippendorff

    found = []
    for weights in resamples(N_ITEMS, BOOTSTRAP):
        for one in weights:
            drawn = given[:, np.repeat(np.arange(N_ITEMS), one.astype(int))]
            found.append(krippendorff.alpha(drawn, level_of_measurement=level))
    return np.array(found)


def of_textgauge(given, level):
    """Return alpha of every resample, beside the exact figure of all items."""
    ratings = ratings_of(given)
    alpha(ratings, level)
    figure_of = resampled_alpha(ratings, level)
    return np.concatenate([figure_of(weights) for weights in resamples(N_ITEMS, BOOTSTRAP)])


@click.command(help=__doc__)
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
def main(rounds):
    """Print a table of Markdown."""
    given, rows = drawn_ratings(), []
    columns = dict(zip("abc", given.tolist(), strict=True))
    for level in LEVELS:
        ours, seconds = fastest(partial(of_textgauge, given, level), rounds, time.process_time)
        _, of_all = fastest(partial(textgauge.raters, columns, level=level), rounds, time.process_time)
        theirs, loop = fastest(partial(of_krippendorff, given, level), rounds, time.process_time)
        if np.abs(ours - theirs).max() > 1e-14:
            raise click.ClickException(f"{level}: alphas differ by {np.abs(ours - theirs).max():g}")
        cells = (f"{1000 * one:.0f}" for one in (loop, seconds, of_all))
        rows.append([level, *cells, f"{loop / seconds:.1f}", f"{loop / of_all:.1f}"])
    click.echo(described(machine()))
    show(["level", "the loop, ms", "alpha, ms", "all, ms", "alpha, times", "all, times"], rows)


if __name__ == "__main__":
    main()
