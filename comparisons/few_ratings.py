"""Few ratings: how often intervals of alpha and kappas hold them, how often equal judges differ, by number of units.

    python -m comparisons.few_ratings [--runs N] [--seed N] [--units N ...] [--judges]

Every run draws ratings of so many items by three raters, and takes the 95% intervals of `textgauge.raters`. The figure
that they should hold is that of 400,000 items. "classes" are three, of which a rater gives the true one in 4 of 5
cases and one at random in the others; "rare" are two, one of which is true of 15 percent of the items; "steps" are 1
to 5, of which a sixth is missing; "close" are steps whose raters hardly differ; "documents" are steps in documents of
four items, alike within a document, which are drawn. Columns are the percent of runs whose interval holds the figure:
the percentile interval of alpha, then ours of alpha, of Cohen's kappa of two of the raters, and of Fleiss' kappa.

With --judges each run has two people and two judges, whose alpha with people is equal: "alike" judges err alike,
"apart" ones in two ways, by noise and by an offset. Columns are the percent of runs whose interval of the difference
holds 0, and of those with p < 0.05. In 1,000 runs the standard error of 95 percent is 0.7. The tables stand in
metrics/AGREEMENT.md.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click
import numpy as np
import numpy.typing as npt
from textgauge.meta_evaluation.reliability import (
    Ratings,
    agreement_interval,
    exchange_p,
    expected_disagreement,
    resampled_alpha,
    resampled_fleiss,
    resampled_kappa,
    resamples,
    t_reach,
)
from textgauge.resampling import BootstrapOptions
from textgauge.resampling.comparison import ROUNDING

N_LARGE, N_IN_DOCUMENT, CONFIDENCE = 400_000, 4, 0.95
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
Generator = np.random.Generator
World = Callable[[Generator, int], FloatArray]
Judges = Callable[[Generator, int, float], FloatArray]


def classes(rng: Generator, n: int) -> FloatArray:
    """Return ratings of n items by three raters, nan where one is missing: shape (3, n)."""
    share = [0.5, 0.3, 0.2]
    drawn, at_random = rng.choice(3, n, p=share), rng.choice(3, (3, n), p=share)
    return np.where(rng.random((3, n)) < 0.8, drawn, at_random).astype(float)


def rare(rng: Generator, n: int) -> FloatArray:
    """Return ratings as `classes` does, of two classes, one of them rare."""
    return (rng.random((3, n)) < np.where(rng.random(n) < 0.15, 0.8, 0.04)).astype(float)


def _rated(rng: Generator, quality: FloatArray, noise: float, missing: float) -> FloatArray:
    given = np.clip(np.round(3 + 1.2 * quality + 1.2 * noise * rng.normal(size=(3, len(quality)))), 1, 5)
    return np.where(rng.random(given.shape) < missing, np.nan, given)


def steps(rng: Generator, n: int) -> FloatArray:
    """Return ratings from 1 to 5."""
    return _rated(rng, rng.normal(size=n), 0.7, 1 / 6)


def close(rng: Generator, n: int) -> FloatArray:
    """Return ratings from 1 to 5 by raters who hardly differ."""
    return _rated(rng, rng.normal(size=n), 0.25, 0)


def documents(rng: Generator, n: int) -> FloatArray:
    """Return ratings from 1 to 5 of n documents."""
    quality = np.repeat(rng.normal(size=n), N_IN_DOCUMENT) * 0.8 + rng.normal(size=n * N_IN_DOCUMENT) * 0.6
    return _rated(rng, quality, 0.7, 1 / 6)


WORLDS: dict[World, str] = {
    classes: "nominal",
    rare: "nominal",
    steps: "ordinal",
    close: "ordinal",
    documents: "ordinal",
}


def alike(rng: Generator, n: int, _offset: float) -> FloatArray:
    """Return ratings, in halves, of two people and of two judges who err alike: shape (4, n)."""
    noise = rng.normal(size=(4, n)) * np.array([[0.7], [0.7], [0.9], [0.9]])
    return np.round(2 * (rng.normal(size=n) + noise)) / 2


def apart(rng: Generator, n: int, offset: float) -> FloatArray:
    """Return ratings as `alike` does; the first judge has more noise, the second rates higher by an offset."""
    noise = rng.normal(size=(4, n)) * np.array([[0.7], [0.7], [0.9], [0.5]])
    return np.round(2 * (rng.normal(size=n) + noise + np.array([[0.0], [0.0], [0.0], [offset]]))) / 2


def ratings_of(given: FloatArray) -> Ratings:
    """Return ratings as the package has them."""
    values = np.unique(given[~np.isnan(given)])
    codes = np.where(np.isnan(given), -1, np.searchsorted(values, given))
    return Ratings(codes, values.tolist(), tuple(map(Fraction, values.tolist())))


def alpha_of(given: FloatArray, level: str) -> float:
    """Return alpha of many items, in floating point."""
    return float(resampled_alpha(ratings_of(given), level)(np.ones((1, given.shape[1])))[0])


def figures_of(given: FloatArray, level: str) -> list[float]:
    """Return alpha, Cohen's kappa of two raters, with squared weights of steps, and Fleiss' kappa."""
    ratings, drawn = ratings_of(given), np.ones((1, given.shape[1]))
    kappa = resampled_kappa(ratings.of_raters((0, 1)), _weight(level))
    return [alpha_of(given, level), *(float(figure(drawn)[0]) for figure in (kappa, resampled_fleiss(ratings)))]


def offset_of_equal_judges(rng: Generator) -> float:
    """Return the offset of `apart` with which both judges have the same alpha with people, by bisection."""
    low, high, state = 0.0, 2.0, rng.bit_generator.state
    while high - low > 1e-3:
        middle = (low + high) / 2
        rng.bit_generator.state = state
        given = apart(rng, N_LARGE, middle)
        gain = alpha_of(given[[0, 1, 2]], "interval") - alpha_of(given[[0, 1, 3]], "interval")
        low, high = (middle, high) if gain < 0 else (low, middle)
    return middle


def _weight(level: str) -> Any:
    return "kappa" if level == "nominal" else "quadratic_kappa"


def run_of(world: World, n: int, truth: list[float], rng: Generator) -> list[float]:
    """Return whether each interval holds its figure, that of percentiles of alpha first; nan where there is none."""
    level, given = WORLDS[world], world(rng, n)
    unit_of = np.repeat(np.arange(n), given.shape[1] // n)
    ratings = ratings_of(given)
    pair, complete = ratings.of_raters((0, 1)), ratings.complete()
    bootstrap = BootstrapOptions(CONFIDENCE, seed=int(rng.integers(2**32)), unit=unit_of)
    weights = np.concatenate([*resamples(given.shape[1], bootstrap)])
    found = [
        (resampled_alpha(ratings, level), ratings.of_raters((0, 1, 2))),
        (resampled_kappa(pair, _weight(level)), pair),
        (resampled_fleiss(complete), complete),
    ]
    held = []
    for (figure_of, used), true in zip(found, truth, strict=True):
        figure, drawn = float(figure_of(np.ones((1, len(unit_of))))[0]), figure_of(weights)
        defined, n_used = drawn[np.isfinite(drawn)], len(np.unique(unit_of[used.n_of_item > 1]))
        if not held:
            low, high = np.quantile(defined, ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)) if len(defined) else (1, 0)
            held.append(float(low <= true <= high))
        if np.isnan(figure) or n_used < 2 or 2 * len(defined) <= len(drawn):
            held.append(np.nan)
            continue
        by_chance = float(expected_disagreement(used, "nominal"))
        # As the figure that the package computes exactly.
        figure = 1.0 if figure > 1 - ROUNDING else figure
        low, high = agreement_interval(figure, defined, n_used, CONFIDENCE, by_chance, -1.0)
        held.append(float(low <= true <= high))
    return held


def run_of_judges(world: Judges, n: int, offset: float, rng: Generator) -> list[float]:
    """Return whether the interval of the difference holds 0, and whether p is below 0.05."""
    ratings = ratings_of(world(rng, n, offset))
    parts = [ratings.of_raters((0, 1, judge)) for judge in (2, 3)]
    bootstrap = BootstrapOptions(CONFIDENCE, seed=int(rng.integers(2**32)))
    weights = np.concatenate([np.ones((1, n)), *resamples(n, bootstrap)])
    first, second = (resampled_alpha(part, "interval")(weights) for part in parts)
    difference, *drawn = (first - second).tolist()
    reach = t_reach(np.array(drawn), n, CONFIDENCE)
    p = exchange_p(*parts, "interval", difference, bootstrap)
    return [float(abs(difference) <= reach), float(p < 1 - CONFIDENCE)]


@click.command(help=__doc__)
@click.option("--runs", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--units", type=click.IntRange(2), multiple=True, default=(20, 50, 100, 200, 500), show_default=True)
@click.option("--judges", is_flag=True, help="Test judges of equal alpha.")
def main(runs: int, seed: int, units: tuple[int, ...], judges: bool) -> None:
    """Print a table of Markdown."""
    rng = np.random.default_rng(seed)
    heads = ("0 in the interval", "p < 0.05") if judges else ("percentile, alpha", "alpha", "kappa", "Fleiss' kappa")
    click.echo(f"| {'judges' if judges else 'ratings'} | units | " + " | ".join(heads) + " |")
    click.echo("|---|---:|" + "---:|" * len(heads))
    offset = offset_of_equal_judges(rng) if judges else 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for world in (alike, apart) if judges else WORLDS:
            truth = [] if judges else figures_of(world(rng, N_LARGE), WORLDS[world])  # type: ignore[call-arg,index]
            for n in units:
                if judges:
                    found = [run_of_judges(world, n, offset, rng) for _ in range(runs)]  # type: ignore[arg-type]
                else:
                    found = [run_of(world, n, truth, rng) for _ in range(runs)]  # type: ignore[arg-type]
                percent = " | ".join(f"{value:.1f}" for value in 100 * np.nanmean(found, axis=0))
                click.echo(f"| {world.__name__} | {n} | {percent} |")


if __name__ == "__main__":
    main()
