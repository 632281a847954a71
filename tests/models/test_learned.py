"""A learned metric of a test, whose model is plain Python: what one costs beside COMET and MetricX."""

import json
import os
import pickle
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest
import textgauge
from textgauge.accumulation.accumulator import Accumulator
from textgauge.accumulation.functions import one_call
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.all_pairs.counts import PairCounts
from textgauge.measures.learned import EmptyPredictions, LearnedMetric
from textgauge.metric import About, Explanation, Field, Layout, Notes, Score, Scores
from textgauge.models.files import ModelFiles, weights_of
from textgauge.models.learned import LearnedModel, ModelFamily, Reader, Scored
from textgauge.models.options import LearnedOptions
from textgauge.rewards import Reward

FILES = ModelFiles("a model of lengths", "me/lengths", "lengths.json", b"unit", ("weight.txt",))


class Lengths(LearnedModel):
    """Scores a prediction by its length beside that of its source, and of its reference where the settings say so."""

    unit, limit = "text", 5

    def __init__(self, location, options, devices):
        takes = json.loads((location.folder / "lengths.json").read_text()).get("takes", ["sources"])
        super().__init__(location.name, tuple(takes), needs_all=True)
        [file] = weights_of(location, FILES)
        self.weight, self.device = float(file.read_text()), str(devices.device)
        self.identity = {"model": self.name, "sha256": location.mark([file]), "dtype": options.dtype}

    def score(self, predictions, columns, batch_size, bar=None):
        sizes = (np.array([min(len(text), self.limit) for text in side]) for side in (predictions, columns["sources"]))
        own, others = sizes
        more = [len(text) for text in columns["references"]] if "references" in self.takes else 0
        return Scored(self.weight * own / others + more, int((own == self.limit).sum()))


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

    def all_pairs(self, texts, roles, notes):
        """As `score`: of a prediction and its source, and of a text that is its reference."""
        if roles.sources is None:
            return None
        sizes, sources = (np.array([len(text) for text in side.tolist()]) for side in (texts, roles.sources))
        own = self.model().weight * np.minimum(sizes[: len(sources)], 5) / np.minimum(sources, 5)
        common = {"lengths": lambda predictions, references: own[predictions, None] + sizes[None, references]}
        return PairCounts(common, {}, {}, is_symmetric=False)


class LengthsScore(Accumulator, metric=LengthsMetric):
    """Batch by batch.

    Parameters
    ----------
    {options}
    """


lengths = one_call(LengthsScore, ">>> 1\n1")


@pytest.fixture(autouse=True, scope="session")
def torch():
    """Replaces the fixture that skips tests without torch."""


@pytest.fixture(autouse=True, scope="session")
def transformers():
    """As `torch`."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    if find_spec("torch") is None or find_spec("transformers") is None:
        monkeypatch.setattr("textgauge.models.learned.torch_and_transformers", lambda extra: (None, None))
        devices = SimpleNamespace(device="cpu", key="cpu")
        monkeypatch.setattr("textgauge.models.learned.devices_of", lambda torch, device, device_map: devices)
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
    with pytest.raises(ValueError, match="^`references` cannot be given, since .* does not use references$"):
        lengths(["a"], ["b"], sources=["c"], **given)
    with pytest.raises(ValueError, match="^`references` .* does not use references, but needs sources"):
        lengths(["a"], ["b"], **given)
    with pytest.raises(TypeError, match="^model_id: .*got 3"):
        lengths(["a"], sources=["b"], model_id=3)


def test_models_are_cached_by_options_and_family(folder, tmp_path):
    metric = LengthsMetric(LengthsOptions(model_id=str(folder), device="cpu"))
    model = metric.model()
    assert metric.model() is model
    assert LengthsMetric(replace(metric.options, batch_size=1, model_id=folder)).model() is model
    assert LengthsMetric(replace(metric.options, dtype="other")).model() is not model
    # A file of the same size.
    (folder / "weight.txt").write_text("3.0")
    os.utime(folder / "weight.txt", (1, 1))
    assert metric.model().weight == 3
    for other in (textgauge.Comet(model_id=tmp_path), textgauge.Metricx(model_id=tmp_path, form="24")):
        with pytest.raises(ValueError, match="^model_id: .*got .*, with which the metric lengths"):
            textgauge.segment_scores(other, ["a"], ["b"], sources=["b"])


def test_a_model_stays_on_its_device(folder, monkeypatch):
    def devices(torch, device, device_map):
        return SimpleNamespace(device=device, key=(device, device_map))

    monkeypatch.setattr("textgauge.models.learned.devices_of", devices)
    for device in ("cpu", "other", "cpu"):
        assert LengthsMetric(LengthsOptions(model_id=str(folder), device=device)).model().device == device


def test_every_reference_has_the_prediction_and_the_source_of_its_segment(folder):
    (folder / "lengths.json").write_text(json.dumps({"unit": "characters", "takes": ["sources", "references"]}))
    metric = LengthsScore(model_id=folder, device="cpu")
    found = textgauge.segment_scores(metric, ["ab", "abcd"], [["x", "xyz"], ["y"]], sources=["ab", "a"])
    assert found.tolist() == [2 * 2 / 2 + 3, 2 * 4 / 1 + 1]
    with np.errstate(divide="ignore"), pytest.raises(ValueError, match=r"^predictions\[1\]: "):
        textgauge.segment_scores(metric, ["ab", "abcd"], [["x", "xyz"], ["y"]], sources=["ab", ""])


def test_which_columns_a_reader_lacks():
    both = ("sources", "references")
    for takes, needs_all, columns, lacking in (
        (both, True, (), both), (both, True, ("sources",), ("references",)), (both, True, both, ()),
        (both, False, (), both), (both, False, ("sources",), ()), (both, False, ("references",), ()),
        (("sources",), False, (), ("sources",)), (("sources",), False, both, ()),
    ):  # fmt: skip
        reader = Reader("it", takes, needs_all=needs_all)
        assert reader.lacking(columns) == lacking
        if not lacking:
            assert reader.used(columns) == tuple(column for column in takes if column in columns)
    with pytest.raises(ValueError, match="^sources: .*references.*got None"):
        Reader("it", both, needs_all=False).used(())


WORDS = ["ab", "a", "abcd", "abc", "abcdef"]
SOURCES = ["abcd", "ab", "a", "abcdefgh", "abc"]


def segment_scores(references, predictions, metric, sources):
    return textgauge.segment_scores(metric, predictions, references, sources=sources)


def compared(references, predictions, metric, sources):
    return textgauge.compare([predictions, predictions[::-1]], references, metric=metric, sources=sources)


def explained(references, predictions, metric, sources):
    return textgauge.explain(predictions, references, metric=metric, sources=sources)


@pytest.mark.parametrize("n_bytes", [1, 6, 1 << 20])
@pytest.mark.parametrize("others", [None, WORDS[:2], ["a" * 9, *WORDS, "x"]], ids=["own", "fewer", "more"])
def test_sources_are_those_of_the_predictions_of_a_pair(folder, monkeypatch, n_bytes, others):
    """Also where texts are counted chunk by chunk, and where those of a chunk are predictions and references."""
    (folder / "lengths.json").write_text(json.dumps({"unit": "characters", "takes": ["sources", "references"]}))
    monkeypatch.setattr("textgauge.all_pairs.matrix.CHUNK_BYTES", n_bytes)
    named = NamedScore("lengths", {"model_id": folder, "device": "cpu"})
    references = others or WORDS
    expected = [
        [*textgauge.segment_scores(named, [text] * len(references), references, sources=[source] * len(references))]
        for text, source in zip(WORDS, SOURCES, strict=True)
    ]
    assert expected[3][0] == 2 * 3 / 5 + len(references[0])
    assert textgauge.pairwise(WORDS, others, metric=named, sources=SOURCES).tolist() == expected
    scores, places = textgauge.pairwise(WORDS, references, metric=named, sources=SOURCES, top=1)
    assert scores[:, 0].tolist() == [max(row) for row in expected]
    assert places[:, 0].tolist() == [row.index(max(row)) for row in expected]
    found = textgauge.mbr(WORDS, metric=named, references=others, sources="abcd")
    means = [2 * min(len(text), 5) / 4 + np.mean([len(other) for other in references]) for text in WORDS]
    assert found.scores == pytest.approx(means, rel=1e-14)


UNUSED = "cannot be given, since .* does not use"


@pytest.mark.parametrize(
    ("takes", "call", "message"),
    [
        ("sources references", textgauge.pairwise, "sources: .*prediction.*got None"),
        ("sources references", textgauge.mbr, "sources: .*prediction.*got None"),
        ("sources", textgauge.pairwise, "metric: .*got .*, which"),
        ("references", partial(textgauge.pairwise, sources=SOURCES), f"`sources` {UNUSED} sources"),
        ("references", partial(textgauge.mbr, sources="a"), f"`sources` {UNUSED} sources"),
        ("sources", partial(segment_scores, WORDS, sources=SOURCES), f"`references` {UNUSED} references"),
        ("references", partial(segment_scores, WORDS, sources=SOURCES), f"`sources` {UNUSED} sources"),
        ("references", partial(segment_scores, None, sources=None), "references: .*got None"),
        ("sources", partial(compared, WORDS, sources=SOURCES), f"`references` {UNUSED} references"),
        ("references", partial(compared, WORDS, sources=SOURCES), f"`sources` {UNUSED} sources"),
        ("sources", partial(explained, WORDS, sources=SOURCES), f"`references` {UNUSED} references"),
        ("sources references", partial(explained, WORDS, sources=None), "sources: .*prediction.*got None"),
        ("sources references", partial(compared, None, sources=None), "sources: .*prediction.*got None"),
    ],
)
def test_columns_that_the_model_lacks_or_leaves_are_named(folder, takes, call, message):
    (folder / "lengths.json").write_text(json.dumps({"unit": "characters", "takes": takes.split()}))
    with pytest.raises(ValueError, match=f"^{message}"):
        call(WORDS, metric=NamedScore("lengths", {"model_id": folder, "device": "cpu"}))


def test_batches_are_added_stored_and_warned_of(folder):
    given = {"model_id": folder, "device": "cpu"}
    texts, sources = ["", *WORDS, " "], ["x", *SOURCES, "xy"]

    def counted(a, b, n_empty):
        with pytest.warns(UserWarning, match=f"^{n_empty} empty; Lengths scores such a text like any other") as told:
            found = LengthsScore(**given).update(texts[a:b], sources=sources[a:b])
        assert len(told) == 1
        return found

    expected = counted(0, 7, "2 predictions are").score(per_segment=True, signature=True)
    assert expected["segment_lengths"] == [
        2 * min(len(text), 5) / min(len(source), 5) for text, source in zip(texts, sources, strict=True)
    ]
    assert expected["lengths"] == pytest.approx(np.mean(expected["segment_lengths"]), rel=1e-15)
    both = sum([counted(0, 3, "1 prediction is"), counted(3, 7, "1 prediction is")])
    for again in (both, LengthsScore.from_arrow(both.to_arrow()), pickle.loads(pickle.dumps(both))):
        assert again.score(per_segment=True, signature=True) == expected
    with pytest.raises(ValueError, match="^sources: .*prediction.*got None"):
        LengthsScore(**given).update(texts)


def test_rewards_spare_a_model_what_has_no_score(folder, monkeypatch):
    seen, score = [], Lengths.score
    monkeypatch.setattr(
        Lengths, "score", lambda own, texts, *more: seen.append(list(texts)) or score(own, texts, *more)
    )
    named = NamedScore("lengths", {"model_id": folder, "device": "cpu"})
    reward, logged = Reward(named, source="src"), {}
    texts, sources = ["ab", "", "a", "abc", "\t", "a"], ["abcde", "a", "abcd", None, None, "abcdef"]
    found = reward(completions=texts, src=sources, log_metric=logged.__setitem__)
    assert (found, seen) == ([0.8, 0.0, 0.5, None, None, 0.4], [["ab", "a", "a"]])
    assert {name.rpartition("/")[2]: value for name, value in logged.items()} == {
        "length": 7 / 6, "without_text": 0, "unmatched": 0, "empty": 2 / 6, "zero": 1 / 4,
    }  # fmt: skip
    assert Reward(named, source="src", missing=-1)(completions=texts, src=sources) == [0.8, 0.0, 0.5, -1, -1, 0.4]
    assert reward(completions=["", "a"], src=["a", None]) == [0.0, None]
    assert len(seen) == 2


def test_rewards_of_rows_without_a_source_or_a_reference(folder):
    (folder / "lengths.json").write_text(json.dumps({"unit": "characters", "takes": ["sources", "references"]}))
    reward = Reward(NamedScore("lengths", {"model_id": folder, "device": "cpu"}), source="src", scale="metric")
    found = reward(
        completions=["ab", "ab", "ab", "ab"], src=["ab", None, "ab", None], answer=["abc", "abc", [None], None]
    )
    assert found == [2.0 + 3, None, None, None]


def test_rewards_against_others_of_a_group_leave_out_what_has_no_source(folder):
    (folder / "lengths.json").write_text(json.dumps({"unit": "characters", "takes": ["sources", "references"]}))
    reward = Reward(
        NamedScore("lengths", {"model_id": folder, "device": "cpu"}), source="src", group="mbr", scale="metric"
    )
    texts, sources = ["ab", "abc", "abcde", "a", "", "ab"], ["ab", "ab", None, "ab", "ab", "abcd"]
    found = reward(prompts=["p"] * 5 + ["q"], completions=texts, src=sources)
    # Of the three that count, each against the two others.
    assert found == [2.0 + (3 + 1) / 2, 3.0 + (2 + 1) / 2, None, 1.0 + (2 + 3) / 2, 0.0, None]
    assert reward(prompts=["p"] * 4, completions=texts[:4], src=sources[:4]) == found[:4]
    assert reward(prompts=["p"] * 2, completions=texts[:2], src=sources[:2]) == [2.0 + 3, 3.0 + 2]


@pytest.mark.parametrize(
    ("takes", "given", "columns", "message"),
    [
        ("sources", {"source": "src"}, {"answer": ["x"]}, "source: .*columns.*got 'src'"),
        ("sources", {"source": "src"}, {}, "source: .*passed.*got 'src'"),
        ("sources", {}, {"answer": ["x"]}, "source: .*got None"),
        ("sources references", {"source": "src"}, {"src": ["x"]}, "reference: .*got 'answer'"),
        (
            "references",
            {"source": "src"},
            {"src": ["x"], "answer": ["y"]},
            "`source` cannot be given, since .* not use",
        ),
        ("sources", {"reference": "gold"}, {"gold": ["y"]}, "(source|gold|reference): expected "),
        ("sources", {"source": "src", "group": "mbr"}, {"src": ["x"]}, "`group` cannot be given, .* compares with no"),
    ],
)
def test_columns_of_rewards_that_the_model_lacks_or_leaves(folder, takes, given, columns, message):
    (folder / "lengths.json").write_text(json.dumps({"unit": "characters", "takes": takes.split()}))
    reward = Reward(NamedScore("lengths", {"model_id": folder, "device": "cpu"}), **given)
    with pytest.raises(ValueError, match=f"^{message}"):
        reward(prompts=["p"], completions=["ab"], **columns)


def test_agreement_of_a_model_that_lacks_sources(folder):
    named = NamedScore("lengths", {"model_id": folder, "device": "cpu"})
    human, texts = {"a": [1, 2, 4], "b": [2, 3, 1]}, {"a": ["ab", "a", "abc"], "b": ["a", "ab", "abcd"]}
    with pytest.raises(ValueError, match="^sources: expected texts, with which .* scores, got None"):
        textgauge.agreement(human, named, predictions=texts)
    rows = [
        {"system": name, "segment": i, "score": score, "prediction": texts[name][i], "source": "abcd"}
        for name, scores in human.items() for i, score in enumerate(scores)
    ]  # fmt: skip
    with pytest.warns(UserWarning, match="of 2 systems a correlation"):
        found = textgauge.agreement(rows, named, n_resamples=9)
    with pytest.warns(UserWarning, match="of 2 systems a correlation"):
        given = textgauge.agreement(
            human, {"lengths": {name: [*map(len, texts[name])] for name in texts}}, n_resamples=9
        )
    [ours], [theirs] = found.metrics.values(), given.metrics.values()
    assert {key: (value, theirs.get(key)) for key, value in ours.items() if theirs.get(key) != value} == {}
    for row in rows:
        del row["source"]
    with pytest.raises(ValueError, match=r"^human\[0\]: .*'source'.*got a row of 'system',"):
        textgauge.agreement(rows, named)
