"""Simulations: intervals have their nominal coverage, p-values are uniform under the null hypothesis.

Also where segments belong together and where metrics are several, and comparisons find what was planned.
"""

import gzip

import numpy as np
import pytest
import textgauge
from quick import covering, first
from textgauge import engine, resampling
from textgauge.resampling.plan import _spread
from textgauge.resampling.power import influences, number_needed

pytestmark = pytest.mark.skipif(
    engine.kernel is engine.plain, reason="plain Python draws the same (tests/kernel), in minutes"
)

N_WORLDS = 400


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def bleu(sums):
    return np.asarray(engine.kernel.bleu_scores(sums, 4)[0])


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
def test_sacrebleus_p_rejects_too_often(world, score):
    p_values = null_p_values(world, score, resampling.paired_bootstrap, p_value="sacrebleu")
    assert np.mean(p_values <= 0.05) == pytest.approx(0.1, abs=3 * (0.1 * 0.9 / N_WORLDS) ** 0.5)
    assert distance_from_uniform(p_values) > 3 * 1.63 / N_WORLDS**0.5


# 40 documents of 10 segments.
DOCUMENT_OF = np.repeat(np.arange(40), 10)
UNITED = {"n_resamples": 300, "confidence": None}


def equal_systems(correlation, unit, n_runs=400, seed=5):
    """The shares of runs in which either test says p < 0.05 of equal systems whose differences are alike in part."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_runs):
        shared, own = rng.normal(0, correlation**0.5, 40), rng.normal(0, (1 - correlation) ** 0.5, 400)
        first = rng.normal(size=400)
        second = first + shared[DOCUMENT_OF] + own
        tests = (resampling.paired_permutation, resampling.paired_bootstrap)
        found.append([test(first, second, unit=unit, **UNITED).p < 0.05 for test in tests])
    return np.mean(found, axis=0)


@pytest.mark.filterwarnings("ignore:p of the bootstrap")
@pytest.mark.parametrize("correlation", [0.2, *(pytest.param(one, marks=pytest.mark.slow) for one in (0, 0.5))])
def test_by_units_equal_systems_are_rarely_different(correlation):
    by_permutation, by_bootstrap = equal_systems(correlation, DOCUMENT_OF)
    assert 0.03 <= by_permutation <= 0.07
    assert 0.03 <= by_bootstrap <= 0.1


def test_segments_of_alike_documents():
    assert min(equal_systems(0.2, None, n_runs=100)) > 0.15


@pytest.mark.slow
def test_without_correlation_segments_do():
    assert max(equal_systems(0, None)) <= 0.08


@pytest.mark.slow
def test_holm_corrects_six_metrics():
    """Metrics that correlate by 0.6, of systems that do not differ."""
    rng = np.random.default_rng(5)
    p_values = []
    for _ in range(400):
        common = rng.normal(size=300)
        gains = [0.6**0.5 * common + 0.4**0.5 * rng.normal(size=300) for _ in range(6)]
        p_values.append([resampling.paired_bootstrap(np.zeros(300), one, **UNITED).p for one in gains])
    some = np.mean([min(of_run) < 0.05 for of_run in p_values])
    after = np.mean([min(resampling.holm(of_run)) < 0.05 for of_run in p_values])
    assert some > 0.12
    assert 0.02 <= after <= 0.07


def skewed(rng, n):
    """Differences of which few are large: of mean 0.4."""
    return np.stack((np.zeros(n), np.where(rng.random(n) < 0.1, rng.normal(3, 8, n), rng.normal(0.1, 1, n))), axis=1)


def alike(rng, n):
    """Differences of n documents of 10 segments, whose correlation is 0.2: of mean 0.15."""
    shared, own = rng.normal(0, 0.2**0.5, (n, 1)), rng.normal(0, 0.8**0.5, (n, 10))
    return np.stack((np.zeros(n), 0.15 + (shared + own).mean(axis=1)), axis=1)


def counted(rng, n):
    """BLEU statistics of two systems, of which the second has a few more matches."""
    first = pooled(rng, n)
    second = first.copy()
    second[:, :4] += rng.binomial((first[:, 4:8] - first[:, :4]).astype(int), rng.choice([0.0, 0.1], n)[:, None])
    second[:, :4] -= rng.binomial(second[:, :4].astype(int), rng.choice([0.0, 0.085], n)[:, None])
    return np.stack((first, second), axis=1)


@pytest.mark.parametrize(
    ("world", "score", "n_pilot"),
    [
        (alike, None, 40),
        pytest.param(skewed, None, 300, marks=pytest.mark.slow),
        pytest.param(counted, bleu, 150, marks=pytest.mark.slow),
    ],
)  # fmt: skip
@pytest.mark.parametrize("test", first(1, [resampling.paired_bootstrap, resampling.paired_permutation]))
def test_what_is_planned_is_found(world, score, n_pilot, test):
    """Each run plans from a pilot of its own, and compares as many new segments, or documents, as that says."""
    rng = np.random.default_rng(3)
    many = world(rng, 400_000)
    truth = float(np.diff(many.mean(axis=0) if score is None else score(many.sum(axis=0)))[0])
    assert found_as_planned(lambda n: world(rng, n), score, truth, n_pilot, test) == pytest.approx(0.8, abs=0.05)


def found_as_planned(drawn, score, truth, n_pilot, test, n_runs=400):
    found = []
    for _ in range(n_runs):
        pilot = drawn(n_pilot)
        values = pilot if score is None else influences(pilot, score)
        n = int(number_needed(np.diff(values, axis=1).std(ddof=1), truth, 0.05, 0.8, 6))
        compared = drawn(n)
        found.append(test(compared[:, 0], compared[:, 1], score=score, **UNITED).p < 0.05)
    return np.mean(found)


@pytest.fixture(scope="module")
def chrf_of_wmt(shared):
    """chrF of 1,984 segments of two systems of WMT22, German to English."""

    def read(name):
        return gzip.decompress((shared / f"data/wmt22/de-en.{name}.txt.gz").read_bytes()).decode().splitlines()

    references = [[*both] for both in zip(read("refA"), read("refB"), strict=True)]
    scores = [
        textgauge.chrf(read(name), references, per_segment=True)["segment_chrf"] for name in ("PROMT", "Online-A")
    ]
    return np.array(scores).T


@pytest.mark.slow
@pytest.mark.parametrize("test", [resampling.paired_bootstrap, resampling.paired_permutation])
def test_what_is_planned_is_found_in_real_texts(chrf_of_wmt, test):
    truth = float(np.diff(chrf_of_wmt.mean(axis=0))[0])
    assert round(truth, 2) == 0.97
    rng = np.random.default_rng(3)
    power = found_as_planned(lambda n: chrf_of_wmt[rng.integers(0, len(chrf_of_wmt), n)], None, truth, 150, test, 1000)
    assert power == pytest.approx(0.8, abs=0.05)


def test_pilots_of_real_texts_say_about_700_segments(chrf_of_wmt):
    """The unpaired formula says 4,296: differences of the same segments vary less than their scores do."""
    truth, rng = float(np.diff(chrf_of_wmt.mean(axis=0))[0]), np.random.default_rng(2)
    gains = np.diff(chrf_of_wmt, axis=1)[:, 0]
    spreads = [rng.choice(gains, 150, replace=False).std(ddof=1) for _ in range(200)]
    needed = number_needed(np.array(spreads), truth, 0.05, 0.8, 6)
    assert 650 < np.median(needed) < 800
    assert 380 < np.percentile(needed, 5) < 480
    assert 1100 < np.percentile(needed, 95) < 1500
    assert int(number_needed(chrf_of_wmt.var(axis=0).sum() ** 0.5, truth, 0.05, 0.8, 6)) == pytest.approx(4296, abs=5)


def test_range_of_a_plan():
    """Of pilots that differ as real ones do, about 9 of 10 ranges hold the number that is right."""
    rng = np.random.default_rng(4)
    gains = skewed(rng, 400_000)[:, 1]
    right = int(number_needed(gains.std(), 0.4, 0.05, 0.8, 6))
    within = 0
    for _ in range(200):
        pilot = rng.choice(gains, 300)
        apart = pilot - pilot.mean()
        drawn = resampling.bootstrap_scores(
            np.stack((apart, apart**2), axis=1), lambda sums: _spread(sums, 300), n_resamples=200
        )
        low, high = np.percentile(number_needed(drawn, 0.4, 0.05, 0.8, 6), (5, 95))
        within += low <= right <= high
    assert 0.75 < within / 200 < 0.97
