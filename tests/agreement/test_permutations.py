"""PERM-BOTH: against its definition, and how often a true null hypothesis is rejected."""

import numpy as np
import pytest
from quick import covering
from textgauge.meta_evaluation import TESTED, Human, perm_both
from textgauge.meta_evaluation.accuracy import p_values, signs_of, soft_accuracy

from agreement.definitions import accuracy_with_ties, of_systems


def drawn(seed, n_systems=5, n_segments=30, noise=0.7):
    random = np.random.default_rng(seed)
    quality = random.normal(size=(n_systems, 1)) * 0.3 + random.normal(size=(n_systems, n_segments))
    human = np.round(quality + random.normal(size=quality.shape))
    metric = quality + random.normal(size=quality.shape)
    return human, *(metric + random.normal(size=quality.shape) * noise for _ in range(2))


def people(human):
    # Resamples for intervals change no test.
    return Human(human, human.shape[1] * np.eye(1, human.shape[1], dtype=np.int64))


@pytest.mark.parametrize(("name", "missing"), covering(TESTED, ["of both", "people's", ""]))
def test_differences_of_swapped_metrics(name, missing):
    human, *metrics = drawn(1, 4, 16)
    # Equal scores, whose differences tie across metrics.
    metrics = [np.round(metric, 1) for metric in metrics]
    if missing:
        human[0, 3] = human[2, 3] = human[3, 9] = np.nan
    known = ~np.isnan(human)
    metrics = [(one - one[known].mean()) / one[known].std() for one in metrics]
    if missing == "of both":
        metrics = [np.where(known, one, np.nan) for one in metrics]
    n = 40
    found = perm_both(people(human), *metrics, [name], n, 3)[name]
    swaps = np.random.default_rng(3).integers(0, 2, (n, *human.shape), dtype=np.bool_)

    def figure(metric):
        if name == "soft_pairwise_accuracy":
            judged = known.all(axis=0)
            signs = signs_of(int(judged.sum()))
            return float(soft_accuracy(*(p_values(one[None, :, judged], signs) for one in (human, metric)))[0])
        if name == "acc_eq":
            return accuracy_with_ties(human.tolist(), metric.tolist(), digits=10)
        return of_systems(human.tolist(), metric.tolist())[name]

    stat = figure(metrics[0]) - figure(metrics[1])
    first, second = metrics
    others = [figure(np.where(swap, second, first)) - figure(np.where(swap, first, second)) for swap in swaps]
    assert found.stat == pytest.approx(stat, abs=1e-12)
    assert found.p == (1 + sum(one >= stat - 1e-12 for one in others)) / (n + 1)
    assert found.p_reversed == (1 + sum(one <= stat + 1e-12 for one in others)) / (n + 1)


def test_a_better_metric_is_found():
    human, good, _ = drawn(2, n_segments=200)
    bad = good + np.random.default_rng(0).normal(size=good.shape) * 3
    found = perm_both(people(human), good, bad, TESTED, 200, 1)
    assert found["acc_eq"].p < 0.01 < 0.9 < found["acc_eq"].p_reversed
    assert found["acc_eq"].stat > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", TESTED)
def test_rejected_null_hypotheses(name):
    n = 400
    rejected = 0
    for seed in range(n):
        human, *metrics = drawn(seed, 6, 60)
        rejected += perm_both(people(human), *metrics, [name], 100, seed)[name].p < 0.05
    # Three standard errors; shares of pairs of systems have few values, and are rejected less often.
    error = 3 * np.sqrt(0.05 * 0.95 / n)
    assert rejected / n < 0.05 + error
    assert name == "pairwise_accuracy" or rejected / n > 0.05 - error


@pytest.mark.parametrize("n_resamples", [1, 7, 8, 20])
@pytest.mark.parametrize("size", [1, 3, 8])
def test_every_resample_counts_once_whatever_the_block(monkeypatch, n_resamples, size):
    human, metric, _ = drawn(4, 3, 8)
    blocks = lambda n, _: (slice(start, start + size) for start in range(0, n, size))  # noqa: E731
    monkeypatch.setattr("textgauge.meta_evaluation.permutations.blocks", blocks)
    found = perm_both(people(human), metric, metric, TESTED, n_resamples, 3)
    assert {one: (test.stat, test.p, test.p_reversed) for one, test in found.items()} == dict.fromkeys(
        TESTED, (0, 1, 1)
    )
