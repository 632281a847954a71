"""A learned metric of a test: what one costs beside COMET and MetricX."""

import json
from dataclasses import dataclass, replace

import numpy as np
import pytest
import textgauge
from textgauge.accumulation.accumulator import Accumulator
from textgauge.accumulation.calls import one_call
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.measures.learned import EmptyPredictions, LearnedMetric
from textgauge.metric import About, Explanation, Field, Layout, Notes, Score, Scores
from textgauge.models.files import ModelFiles, weights_of
from textgauge.models.learned import LearnedModel, ModelFamily, Scored
from textgauge.models.options import LearnedOptions

pytest.importorskip("torch", reason='needs torch and transformers: pip install -e ".[comet]"')
pytest.importorskip("transformers", reason='needs torch and transformers: pip install -e ".[comet]"')
FILES = ModelFiles("a model of lengths", "me/lengths", "lengths.json", b"unit", ("weight.txt",))


class Lengths(LearnedModel):
    """Scores a prediction by its length beside that of its source."""

    unit, limit = "text", 5

    def __init__(self, location, options, devices):
        super().__init__(location.name, ("sources",), needs_all=True)
        [file] = weights_of(location, FILES)
        self.weight, self.device = float(file.read_text()), str(devices.device)
        self.identity = {"model": self.name, "sha256": location.mark([file]), "dtype": options.dtype}

    def score(self, predictions, columns, batch_size, bar=None):
        sizes = (np.array([min(len(text), self.limit) for text in side]) for side in (predictions, columns["sources"]))
        own, others = sizes
        return Scored(self.weight * own / others, int((own == self.limit).sum()))


@dataclass(frozen=True)
class LengthsOptions(LearnedOptions):
    """Notes."""


class LengthsMetric(LearnedMetric[Lengths]):
    """A metric of a test."""

    name, options_type = "lengths", LengthsOptions
    layout = Layout([Field("lengths", is_whole=False)])
    about = About("Lengths", lambda _: Explanation("Lengths", "How long?", ("Lengths are divided.",), "No."))
    scores = Scores(Score("lengths", perfect=None, largest=float("inf")))

    @staticmethod
    def family():
        return ModelFamily(FILES, "comet", Lengths)

    def notes(self):
        return Notes(EmptyPredictions("Lengths"))


class LengthsScore(Accumulator, metric=LengthsMetric):
    """Batch by batch.

    Parameters
    ----------
    {options}
    """


lengths = one_call(LengthsScore, ">>> 1\n1")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setitem(METRICS, "lengths", LengthsMetric)
    (tmp_path / "lengths.json").write_text(json.dumps({"unit": "characters"}))
    (tmp_path / "weight.txt").write_text("2.0")
    yield tmp_path
    textgauge.models.clear_models()


@pytest.mark.filterwarnings("ignore:two systems differ in only")
def test_every_face_has_a_third_learned_metric(folder):
    given = {"model_id": folder, "device": "cpu"}
    named = NamedScore("lengths", given)
    assert lengths(["ab", "abcdefg"], sources=["abcd", "ab"], **given) == {"lengths": 3.0}
    signature = lengths(["ab"], sources=["ab"], signature=True, **given)["signature"]
    assert "|src:yes|" in signature
    assert str(folder) not in signature.replace(f"model:{folder}", "")
    assert textgauge.segment_scores(named, ["a"], sources=["b"]) == [2.0]
    with pytest.warns(UserWarning, match="the interval of a difference by lengths has no width"):
        [found] = textgauge.compare([["a"] * 3, ["ab"] * 3], sources=["b"] * 3, metric=named)
    assert (found.score1, found.score2) == (2.0, 4.0)
    with pytest.raises(ValueError, match="^sources: expected a text for every prediction, with which .* scores"):
        lengths(["a"], **given)
    with pytest.raises(ValueError, match="^references: expected None, since .* does not use references"):
        lengths(["a"], ["b"], sources=["c"], **given)
    with pytest.raises(TypeError, match="^model_id: expected a name or a path"):
        lengths(["a"], sources=["b"], model_id=3)


def test_models_are_cached_by_options_and_family(folder, tmp_path):
    metric = LengthsMetric(LengthsOptions(model_id=str(folder), device="cpu"))
    model = metric.model()
    assert metric.model() is model
    assert LengthsMetric(replace(metric.options, batch_size=1, model_id=folder)).model() is model
    assert LengthsMetric(replace(metric.options, dtype="other")).model() is not model
    (folder / "weight.txt").write_text("30.0")
    assert metric.model().weight == 30
    for other in (textgauge.Comet(model_id=tmp_path), textgauge.Metricx(model_id=tmp_path, form="24")):
        with pytest.raises(ValueError, match="^model_id: expected a .* model, got .*, with which the metric lengths"):
            textgauge.segment_scores(other, ["a"], ["b"], sources=["b"])
