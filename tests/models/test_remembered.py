"""What a learned metric remembers, its models and the vectors of texts, knows every option that changes a score."""

import pytest
import textgauge
from option_values import WITH_A_MODEL, values_of
from quick import first
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.registry import METRICS
from textgauge.options import options_of
from tiny_models import save_comet, save_for

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")
HYPS = ["the cat sat on the mat", "a dog [SEP] the dog barks", "one, two: three! it sells coffee"]
REFS = ["a cat sat on a mat", "the cat [SEP] the dog barked", "one two three"]


def every_choice(metric):
    """The options of every call: all defaults, then each option with its values."""
    yield {}
    for one in options_of(METRICS[metric].options_type):
        if one.changes == "scores" and one.kind != "python":
            yield from (changed for changed in values_of(metric, one) if changed)


def found(metric, model, choice):
    given = {} if choice.keys() & {"ngram_train", "own_numbers"} else model
    inputs = accumulator_of(METRICS[metric])(**{**given, **choice}).metric.inputs
    others = {name: texts for name, texts in (("references", REFS), ("sources", HYPS[::-1])) if name in inputs.names}
    columns = {"predictions": HYPS, **{name: others[name] for name in inputs.used(others)}}
    return getattr(textgauge, metric)(**columns, **{**given, **choice}, per_segment=True)


def compared(metric, model, choices):
    """Each choice behind all the others, then alone."""
    choices = [choice for choice in choices if "baseline_path" not in choice]
    for choice in choices:
        found(metric, model, choice)
    behind = [found(metric, model, choice) for choice in reversed(choices)]
    assert len(choices) > 2
    for choice, warm in zip(reversed(choices), behind, strict=True):
        textgauge.models.clear_models()
        cold = found(metric, model, choice)
        assert warm.keys() == cold.keys()
        for key in cold:
            assert warm[key] == pytest.approx(cold[key], abs=1e-6), choice


@pytest.mark.parametrize(
    "metric", first(2, sorted(WITH_A_MODEL, key=lambda name: (name not in ("comet", "perplexity"), name)))
)
def test_every_option_behind_all_others(metric, tmp_path, monkeypatch):
    model = save_for(metric, tmp_path)
    monkeypatch.chdir(tmp_path)
    compared(metric, model, every_choice(metric))


def test_vectors_of_texts(tmp_path):
    """COMET's models that embed each text alone, once."""
    pytest.importorskip("yaml")
    save_comet(tmp_path, "regression_metric")
    choices = [{}, {"enable_context": True}, {"dtype": "bfloat16"}, {"dtype": "bfloat16", "enable_context": True}]
    compared("comet", {"model_id": str(tmp_path)}, choices)
    plain, context, *_ = (found("comet", {"model_id": str(tmp_path)}, one)["segment_comet"][1] for one in choices)
    assert abs(plain - context) > 1e-3
