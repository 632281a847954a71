"""Simulations: intervals have their nominal coverage, p-values are uniform under the null hypothesis."""

import numpy as np
import pytest
from quick import covering
from textgauge import engine, resampling

pytestmark = pytest.mark.skipif(
    engine.kernel is engine.plain, reason="plain Python draws the same (tests/kernel), in minutes"
)

N_WORLDS = 400


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def bleu(sums):
    return np.asarray(engine.kernel.bleu_scores(sums, 4))[..., 0]


def averaged(rng, n_segments):
    """Skewed segment scores from 0 to 1, whose mean is 0.4."""
    return np.column_stack((rng.beta(2, 3, n_segments), np.ones(n_segments)))


def pooled(rng, n_segments):
    """BLEU statistics of segments of 5 to 40 tokens, some much better than others."""
    lengths = rng.integers(5, 40, n_segments)
    totals = lengths[:, None] - np.arange(4)
    matches = rng.binomial(totals, rng.beta(4, 3, n_segments)[:, None] ** np.arange(1, 5))
    return np.column_stack((matches, totals, lengths, lengths + rng.integers(-2, 4, n_segments))).astype(float)


WORLDS = [(averaged, mean), (pooled, bleu)]
# The second takes ten times as long.
FIRST_WORLD = [WORLDS[0], pytest.param(*WORLDS[1], marks=pytest.mark.slow)]


@pytest.mark.parametrize(("world", "score"), FIRST_WORLD)
def test_intervals_cover_the_true_score_at_their_level(world, score):
    rng = np.random.default_rng(7)
    truth = score(world(rng, 1_000_000).sum(axis=0))
    options = resampling.BootstrapOptions(confidence=0.9, n_resamples=400)
    intervals = [resampling.bootstrap_interval(world(rng, 200), score, options) for _ in range(N_WORLDS)]
    covered = np.mean([low <= truth <= high for low, high in intervals])
    # 3 standard errors of the simulation, and 0.01 for what a percentile interval misses at 200 segments.
    assert covered == pytest.approx(0.9, abs=3 * (0.9 * 0.1 / N_WORLDS) ** 0.5 + 0.01)


def null_p_values(world, score, test, **options):
    """Two systems whose outputs were shuffled segment by segment: p of every world."""
    rng = np.random.default_rng(8)
    p_values = []
    for _ in range(N_WORLDS):
        outputs = np.stack((world(rng, 100), world(rng, 100)))
        # A system with some merit to be shuffled away.
        outputs[1, :, 0] *= 0.9
        which = rng.integers(0, 2, 100)
        first, second = outputs[which, np.arange(100)], outputs[1 - which, np.arange(100)]
        p_values.append(test(first, second, score=score, n_resamples=500, confidence=None, **options).p)
    return np.sort(p_values)


def distance_from_uniform(p_values):
    """Kolmogorov and Smirnov's distance."""
    steps = np.arange(1, len(p_values) + 1) / len(p_values)
    return max(np.max(steps - p_values), np.max(p_values - steps + 1 / len(p_values)))


@pytest.mark.parametrize(
    ("world_and_score", "test", "p_value"),
    covering(WORLDS, [resampling.paired_bootstrap, resampling.paired_permutation], ["two-sided", "one-sided"]),
)
def test_p_is_uniform_where_there_is_no_difference(world_and_score, test, p_value):
    world, score = world_and_score
    # Exceeded in 1 of 100 simulations with another seed.
    assert distance_from_uniform(null_p_values(world, score, test, p_value=p_value)) < 1.63 / N_WORLDS**0.5


@pytest.mark.parametrize(("world", "score"), FIRST_WORLD)
def test_sacrebleus_p_rejects_a_true_null_hypothesis_twice_as_often_as_stated(world, score):
    p_values = null_p_values(world, score, resampling.paired_bootstrap, p_value="sacrebleu")
    assert np.mean(p_values <= 0.05) == pytest.approx(0.1, abs=3 * (0.1 * 0.9 / N_WORLDS) ** 0.5)
    assert distance_from_uniform(p_values) > 3 * 1.63 / N_WORLDS**0.5
