"""The command that measures the cost beside unbabel-comet, with a small model and without the other tool."""

import numpy as np
import pytest


@pytest.mark.filterwarnings("ignore:two systems differ in only")
def test_calls_that_are_measured(tmp_path, capsys):
    from comparisons import comet_cost

    comet_cost.save_checkpoint(tmp_path, 64, 2)
    columns = comet_cost.made_up(3)
    seconds, scores = comet_cost.ours(tmp_path, columns, is_one_call=False)
    assert seconds > 0
    assert np.shape(scores) == (comet_cost.N_SYSTEMS, 3)
    assert np.std(scores) > 0
    _, means = comet_cost.ours(tmp_path, columns, is_one_call=True)
    assert np.array(means) == pytest.approx(np.mean(scores, axis=1, keepdims=True), abs=1e-6)
