"""The aggregate of the reference `rouge` module against rouge_score's, in blocks of draws and for every seed."""

import numpy as np
import pytest
from rouge_score.scoring import BootstrapAggregator, Score
from textgauge.resampling import aggregates

SCORES = np.random.default_rng(0).random((30, 1, 3))


# The legacy generator has seeds of 32 bits; a larger seed is given as words of 32 bits.
@pytest.mark.parametrize(("seed", "words"), [(3, 3), (2**31, 2**31), (2**32 - 1, 2**32 - 1), (2**33 + 5, [5, 2])])
def test_in_blocks_as_rouge_score_draws(seed, words, monkeypatch):
    # 142 blocks of 7 draws and one of 6.
    monkeypatch.setattr(aggregates, "_BLOCK", 7 * len(SCORES))
    aggregator = BootstrapAggregator()
    for row in SCORES:
        aggregator.add_scores({"rouge1": Score(*row[0])})
    np.random.seed(words)  # noqa: NPY002
    expected = aggregator.aggregate()["rouge1"].mid
    assert aggregates.median_of_bootstrap_means(SCORES, seed).tolist() == [list(expected)]
