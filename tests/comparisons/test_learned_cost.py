"""The command that measures the cost beside official programs, with small models and without the other tool."""

import numpy as np
import pytest
import textgauge
from quick import first


@pytest.mark.parametrize("metric", first(2, ["bertscore", "perplexity", "comet", "metricx", "consistency"]))
@pytest.mark.filterwarnings("ignore:two systems differ in only")
def test_calls_that_are_measured(metric, tmp_path):
    for name in ("torch", "transformers", "yaml", "sentencepiece", "google.protobuf"):
        pytest.importorskip(name, reason="needs what the extras comet and metricx bring")
    from comparisons import learned_cost

    subject = learned_cost.SUBJECTS[metric]
    subject.save(tmp_path, 64, 2)
    columns = (subject.made_up or learned_cost.made_up)(3)
    if not subject.has_sources:
        columns = columns._replace(sources=None)
    seconds, scores = learned_cost.ours(metric, tmp_path, columns, is_one_call=False)
    assert seconds > 0
    assert np.shape(scores) == (len(columns.systems), 3)
    assert np.std(scores) > 0
    if metric == "perplexity":
        assert learned_cost.differs([[2.0, 0.5]], [[1.0, 0.25]]) == 1.0
    if metric == "perplexity" or len(columns.systems) == 1:
        return
    _, means = learned_cost.ours(metric, tmp_path, columns, is_one_call=True)
    assert np.array(means) == pytest.approx(np.mean(scores, axis=1, keepdims=True), abs=5e-5)
    textgauge.models.clear_models()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:two systems differ in only")
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_the_command_prints_throughput_and_memory(device, tmp_path):
    torch = pytest.importorskip("torch", reason="needs torch")
    pytest.importorskip("transformers", reason="needs transformers")
    if device == "cuda" and not torch.cuda.is_available():
        pytest.skip("torch finds no CUDA device")
    from click.testing import CliRunner

    from comparisons import learned_cost

    learned_cost.save_bert(tmp_path, 64, 2)
    given = ["bertscore", "--model", str(tmp_path), "--segments", "5", "--rounds", "1", "--device", device]
    result = CliRunner().invoke(learned_cost.main, given)
    assert result.exit_code == 0, result.output
    assert "/s)" in result.output
    assert "peak memory, GB" in result.output
    assert ("bfloat16" in result.output) == (device == "cuda")
