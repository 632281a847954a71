"""COMET as a module of `evaluate`, and its card."""

import pytest
import textgauge
from conftest import ROOT

HYPS, REFS, SRCS = ["the cat", "a dog barks"], ["a cat", "the dog barks"], ["cat", "dog"]


@pytest.fixture
def folder(saved):
    return str(saved("regression_metric")[0])


@pytest.fixture
def load(tmp_path):
    import evaluate

    return lambda *args, **options: evaluate.load(str(ROOT / "metrics/comet"), *args, cache_dir=tmp_path, **options)


def test_the_card_says_what_happens(saved, run_card):
    kinds = {"comet": "regression_metric", "qe": "referenceless_regression_metric", "xcomet": "xcomet_metric"}
    assert run_card("comet", {f"tiny-{name}": saved(kind)[0] for name, kind in kinds.items()}) == 11


def test_arguments_of_the_hub(load, folder, tmp_path):
    metric = load(folder)
    result = metric.compute(sources=SRCS, predictions=HYPS, references=REFS, gpus=None, progress_bar=False)
    expected = textgauge.comet(HYPS, REFS, sources=SRCS, model_id=folder, per_segment=True)
    assert result == {"mean_score": expected["comet"], "scores": expected["segment_comet"]}
    assert metric.compute(sources=SRCS, predictions=HYPS, references=REFS, gpus=0) == result
    assert load(model_id=folder).compute(sources=SRCS, predictions=HYPS, references=REFS) == result
    ours = textgauge.load("comet", folder, cache_dir=tmp_path)
    assert ours.compute(sources=SRCS, predictions=HYPS, references=REFS) == result
    more = metric.compute(sources=SRCS, predictions=HYPS, references=REFS, signature=True, confidence=0.9)
    assert [*more] == ["mean_score", "scores", "signature", "confidence_intervals"]
    assert [*metric.features[0]] == ["sources", "predictions", "references"]


def test_rows_one_by_one(load, folder):
    metric = load(folder)
    expected = metric.compute(sources=SRCS, predictions=HYPS, references=REFS)["scores"]
    for more in ("", "s"):
        metric.add(**{f"source{more}": SRCS[0], f"prediction{more}": HYPS[0], f"reference{more}": REFS[0]})
        metric.add_batch(sources=SRCS[1:], predictions=HYPS[1:], references=[REFS[1:]])
        assert metric.compute()["scores"] == pytest.approx(expected, abs=1e-6)
    metric.add_batch(sources=SRCS, predictions=HYPS, references=REFS)
    with pytest.raises(TypeError, match=r"^sources\[1\]"):
        metric.add_batch(sources=["a", 1], predictions=HYPS, references=REFS)
    assert metric.compute()["scores"] == pytest.approx(expected, abs=1e-6)


def test_error_spans_and_references_alone(load, saved):
    metric = load(str(saved("xcomet_metric")[0]))
    metric.add_batch(predictions=HYPS, references=REFS)
    result = metric.compute(spans=True)
    assert [*result] == ["mean_score", "scores", "error_spans"]
    assert len(result["error_spans"]) == 2


@pytest.mark.filterwarnings("ignore:.* longer than the")
def test_its_page(saved):
    from pathlib import Path

    from textgauge.apps.inputs import choices_of
    from textgauge.apps.tasks import MetricTask

    task = MetricTask(Path(textgauge.path("comet")))
    assert [*task.texts] == ["predictions", "references", "sources", "context_from", "unit"]
    example = dict(zip(task.texts, task.example(), strict=True))
    assert len({example[name].count("\n") for name in ("predictions", "references", "sources")}) == 1

    def scored(model, texts):
        shown = [
            str(model) if one.name == "model_id" else next(iter(choices_of(one)), one.default) for one in task.settings
        ]
        return task.report("comet", texts, dict.fromkeys(task.texts), shown)[0]

    marked = scored(saved("xcomet_metric")[0], example).segments()
    # Every piece of a text is followed by its mark, 0 for none.
    levels = {mark // 2 for one in marked for mark in one["systems"][0]["text"][1::2]}
    assert {0} < levels <= {0, 1, 2, 3}
    with pytest.raises(ValueError, match="^sources: .*got 1"):
        scored(saved("regression_metric")[0], {**example, "sources": "one line"})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gpus": 2}, "gpus: .*got 2"),
        ({"gpus": 0, "device": "cpu"}, "`gpus` cannot be given with `device`"),
        ({"progress_bar": 1}, "progress_bar: .*got 1"),
        ({"batch_size": 0}, "batch_size: .*got 0"),
    ],
)
def test_wrong_arguments(load, folder, options, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        load(folder).compute(sources=SRCS, predictions=HYPS, references=REFS, **options)
    with pytest.raises(ValueError, match="^`model_id` cannot be given with a configuration"):
        load(folder, model_id=folder)
