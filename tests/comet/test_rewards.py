"""COMET as a reward: sources are a column, references a column that a model may not use."""

import json
import pickle
import shutil

import numpy as np
import pytest
import textgauge
from textgauge.accumulation.named_score import NamedScore
from textgauge.rewards import Reward, verl
from textgauge.rewards.queries import rewards_of_queries

from .conftest import HYPS, REFS, SRCS


@pytest.fixture(scope="session")
def moved(saved, tmp_path_factory):
    """A function that saves a checkpoint whose scores of our texts lie around 0.2, some of them below 0."""
    import torch

    made = {}

    def save(references, *kind, **settings):
        key = repr((kind, settings))
        if key not in made:
            folder = tmp_path_factory.mktemp("moved") / "model"
            shutil.copytree(saved(*kind, **settings)[0], folder)
            # Weights that are scaled to these ends scale what a device rounds, too.
            options = {"model_id": str(folder), "device": "cpu"}
            found, file = np.sort(scores(references, options)), folder / "checkpoints/model.ckpt"
            stored = torch.load(file, weights_only=True)
            stored["state_dict"]["estimator.ff.6.weight"] *= 0.5 / (found[-1] - found[1])
            torch.save(stored, file)
            stored["state_dict"]["estimator.ff.6.bias"] -= float(np.sort(scores(references, options))[1])
            torch.save(stored, file)
            made[key] = options
        return made[key]

    return save


@pytest.fixture
def usual(moved):
    return moved(REFS, "regression_metric")


@pytest.fixture
def qe(moved):
    return moved(None, "unified_metric", input_segments=["mt", "src"])


@pytest.fixture
def either(moved):
    return moved(REFS, "unified_metric")


def scores(references, options, predictions=HYPS, sources=SRCS):
    return textgauge.segment_scores(textgauge.Comet(**options), predictions, references, sources=sources)


def test_reward_is_the_score(usual):
    expected = scores(REFS, usual)
    assert expected.min() < 0 < expected.max() < 1
    own = Reward(textgauge.Comet(**usual), source="src", scale="metric")
    assert own(completions=HYPS, answer=REFS, src=SRCS) == pytest.approx(expected, abs=1e-6)
    assert own.lowest == 0.0
    again = pickle.loads(pickle.dumps(own))
    assert again(completions=[*HYPS[:2], "", None], answer=REFS[:4], src=SRCS[:4])[2:] == [0.0, 0.0]
    assert own(completions=[], answer=[], src=[]) == []


def test_a_call_is_one_batch(usual, monkeypatch):
    from textgauge.models.comet import Regressor

    n_each, score = [], Regressor.score
    monkeypatch.setattr(
        Regressor, "score", lambda self, texts, *rest: n_each.append(len(texts)) or score(self, texts, *rest)
    )
    Reward(textgauge.Comet(**usual), source="src")(completions=HYPS, answer=REFS, src=SRCS)
    assert n_each == [len(HYPS)]


def test_references_left_out(qe, either):
    expected = np.clip(scores(None, qe), 0, 1)
    for reference, columns in (
        ({}, {}), ({}, {"answer": REFS}), ({"reference": None}, {}), ({"reference": None}, {"answer": REFS}),
    ):  # fmt: skip
        reward = Reward(textgauge.Comet(**qe), source="src", **reference)
        assert reward(completions=HYPS, src=SRCS, **columns) == pytest.approx(expected, abs=1e-6)
    named = Reward(textgauge.Comet(**qe), source="src", reference="gold")
    with pytest.raises(ValueError, match="^`reference` cannot be given, since .* does not use references"):
        named(completions=HYPS, src=SRCS, gold=REFS)
    both = Reward(textgauge.Comet(**either), source="src")
    assert both(completions=HYPS, src=SRCS) == pytest.approx(np.clip(scores(None, either), 0, 1), abs=1e-6)
    found = both(completions=HYPS, src=SRCS, answer=REFS)
    assert found == pytest.approx(np.clip(scores(REFS, either), 0, 1), abs=1e-6)


def test_unnamed_references_everywhere(either):
    expected = pytest.approx(np.clip(scores(None, either), 0, 1), abs=1e-6)
    comet, columns = textgauge.Comet(**either), {"source": "src", "reference": None}
    assert Reward(comet, **columns)(completions=HYPS, src=SRCS, answer=REFS) == expected
    rows = zip(HYPS, REFS, SRCS, strict=True)
    found = [verl.compute_score("wmt", hyp, ref, {"src": src}, metric=comet, **columns) for hyp, ref, src in rows]
    assert [one["score"] for one in found] == expected
    for labels in (REFS, [None] * 6):
        queries = [f"Q {text}" for text in HYPS]
        found = rewards_of_queries(Reward(comet, **columns), queries, ["Q"] * 6, labels, sources=SRCS)
        assert found["rewards"].tolist() == expected


def test_beside_a_metric_that_uses_no_sources(usual, qe):
    for options, references in ((usual, REFS), (qe, None)):
        reward = Reward(["chrf", textgauge.Comet(**options)], source="src", weights=[1, 3])
        expected = textgauge.segment_scores("chrf", HYPS, REFS) / 400 + 0.75 * np.clip(
            scores(references, options), 0, 1
        )
        assert reward(completions=HYPS, answer=REFS, src=SRCS) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("group", ["mbr", "diversity"])
def test_completion_without_source(usual, group):
    reward = Reward(textgauge.Comet(**usual), source="src", group=group)
    prompts, sources = ["p"] * 4, [None, "cat mat", "cat mat", "cat mat"]
    found = reward(prompts, HYPS[:4], src=sources)
    assert found[0] is None
    assert found[1:] == pytest.approx(reward(prompts[1:], HYPS[1:4], src=sources[1:]), abs=1e-6)
    assert found[1:] != pytest.approx(reward(prompts, HYPS[:4], src=["cat mat"] * 4)[1:], abs=1e-6)


def test_completions_of_a_prompt_share_its_source(usual, either):
    prompts, sources = ["p", "q", "p", "q", "p", "r"], ["cat mat", "dog", "cat mat", "dog", "cat mat", "c"]
    for options in (usual, either):
        comet = textgauge.Comet(**options)
        found = Reward(comet, source="src", group="mbr")(prompts, HYPS, src=sources)
        for places in ([0, 2, 4], [1, 3]):
            texts = [HYPS[i] for i in places]
            pairs = textgauge.pairwise(texts, sources=[sources[i] for i in places], metric=comet)
            pairs = np.clip(pairs, 0, 1)
            expected = (pairs.sum(axis=1) - pairs.diagonal()) / (len(texts) - 1)
            assert [found[i] for i in places] == pytest.approx(expected, abs=1e-6)
        assert found[5] is None
        holes = Reward(comet, source="src", group="diversity")(prompts, HYPS, src=[None, "dog", None, "dog", None, "c"])
        assert [one is None for one in holes] == [True, False, True, False, True, True]


@pytest.mark.parametrize(
    ("arguments", "columns", "message"),
    [
        ({"metric": "chrf", "source": "src"}, None, "`source` cannot be given, since chrf uses no sources"),
        ({"metric": "chrf", "reference": None}, None, "reference: .*needs.*got None"),
        ({"source": 3}, None, "source: .*got 3"),
        ({"of_comet": {"spans": True}}, None, "spans: .*got True"),
        ({"source": "src"}, {"answer": REFS, "scr": SRCS}, "source: .* columns 'answer', 'scr', got 'src'"),
        ({"source": "src", "reference": None}, {"src": SRCS}, "reference: expected the name of a column, with which"),
        ({"source": "src"}, {"answer": REFS, "src": SRCS[1:]}, "src: .*got 5"),
        ({"source": "src"}, {"answer": REFS, "src": [3, *SRCS[1:]]}, r"src\[0\]: .*got 3"),
        ({"source": "src"}, {"answer": REFS, "src": ["\ud800", *SRCS[1:]]}, r"src\[0\]: .*got a lone surrogate"),
        ({"group": "mbr"}, {}, "source: .*got None"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(usual, arguments, columns, message):
    given = dict(arguments)
    options = {**usual, **given.pop("of_comet", {})}
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        Reward(**{"metric": textgauge.Comet(**options), **given})(["p"] * 6, HYPS, **(columns or {}))


def test_verl_takes_sources_from_the_row(usual, qe):
    expected = np.clip(scores(REFS, usual), 0, 1)
    # As text, which a configuration has.
    metric, of_qe = (str(NamedScore("comet", options)) for options in (usual, qe))
    kwargs = {"metric": metric, "source": "src"}
    found = verl.compute_score("wmt", HYPS[0], REFS[0], {"src": SRCS[0], "index": 3}, **kwargs)
    assert found["score"] == pytest.approx(expected[0], abs=1e-6)
    found = verl.compute_score("wmt", HYPS[0], None, {"src": SRCS[0]}, **{**kwargs, "metric": of_qe})
    assert found["score"] == pytest.approx(np.clip(scores(None, qe), 0, 1)[0], abs=1e-6)
    with pytest.raises(ValueError, match="^source: expected one of the columns 'index', got 'src'"):
        verl.compute_score("wmt", HYPS[0], REFS[0], {"index": 3}, **kwargs)


def test_openrlhf_passes_no_sources(usual, monkeypatch):
    from textgauge.rewards import openrlhf

    found = rewards_of_queries(
        Reward(textgauge.Comet(**usual)), [f"Q {text}" for text in HYPS], ["Q"] * 6, REFS, sources=SRCS
    )  # fmt: skip
    assert found["rewards"].tolist() == pytest.approx(np.clip(scores(REFS, usual), 0, 1), abs=1e-6)
    with pytest.raises(ValueError, match="^`source` cannot be given, since chrf does not use sources"):
        rewards_of_queries(Reward("chrf"), ["Q a"], ["Q"], ["a"], sources=["b"])
    with pytest.raises(ValueError, match="^sources: .*got None"):
        rewards_of_queries(Reward(textgauge.Comet(**usual), source="src"), ["Q a"], ["Q"], ["a"])
    monkeypatch.setenv("TEXTGAUGE_REWARD", json.dumps({"metric": "comet", "source": "src"}))
    with pytest.raises(ValueError, match="without a group or a source"):
        _ = openrlhf.reward_func
