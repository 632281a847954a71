import pickle
from pathlib import Path

import evaluate
import pytest
import textgauge

METRICS = Path(__file__).parent.parent.parent / "metrics"
HYPS, REFS = ["the cat sat on the mat", "a dog barks"], ["the cat is on the mat", "the dog barks"]


@pytest.fixture(params=["bleu", "rouge", "token_f1"])
def metric(request, tmp_path):
    return evaluate.load(str(METRICS / request.param), cache_dir=str(tmp_path))


def test_batches_and_calls_agree(metric):
    whole = metric.compute(predictions=HYPS, references=REFS)
    metric.add(prediction=HYPS[0], reference=REFS[0])
    metric.add_batch(predictions=HYPS[1:], references=REFS[1:])
    assert metric.compute() == whole
    assert pickle.loads(pickle.dumps(metric)).compute(predictions=HYPS, references=REFS) == whole


def test_refused_batch_leaves_nothing(metric, tmp_path):
    metric.add_batch(predictions=HYPS, references=REFS)
    with pytest.raises(TypeError, match=r"predictions\[1\]: expected a str, got None"):
        metric.add_batch(predictions=["a", None], references=["a", "b"])
    assert metric.compute() == metric.compute(predictions=HYPS, references=REFS)
    assert not list(tmp_path.rglob("*.arrow"))


def test_unknown_options(metric):
    with pytest.raises(TypeError, match="colour"):
        evaluate.load(str(METRICS / "bleu"), colour=1)
    with pytest.raises(TypeError, match="colour"):
        metric.compute(predictions=HYPS, references=REFS, colour=1)


def test_paths():
    assert textgauge.load("bleu", max_order=1).compute(predictions=["a"], references=["a"])["bleu"] == 1
    assert textgauge.load(METRICS / "rouge").compute(predictions=["a"], references=["a"])["rouge1"] == 1
