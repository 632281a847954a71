"""BLEURT beside its definition and the recorded figures of Google's program and of bleurt-pytorch."""

import gzip
import json
import re
import runpy

import numpy as np
import pytest
import textgauge
from oracles import bleurt as definition
from textgauge.models import batching
from textgauge.models.bleurt import cut_lengths
from tiny_models import load_learned
from warned import warned

HYPS = [
    "the cat sat on the mat", "a dog", "", " the  cat ", "na\u00efve [SEP] caf\u00e9s", "sat [CLS] mat", "cat " * 60,
]  # fmt: skip
REFS = ["a cat sat on a mat", "the dog barks", "", "cat", "one two", "mat", "dog " * 60]


def load(folder, **options):
    return load_learned("bleurt", str(folder), **options)


def scores_of(folder, predictions=HYPS, references=REFS, size=None, **options):
    return load(folder, **options).score(predictions, {"references": references}, size).scores


@pytest.mark.parametrize("prefix", ["bleurt", "bert"])
@pytest.mark.parametrize("file", ["bin", "safetensors"])
@pytest.mark.parametrize("form", ["bert", "20"])
def test_scores_are_those_of_the_definition(saved, form, file, prefix):
    folder, weights = saved(form, file, prefix)
    for gelu in ("exact", "tanh"):
        found = scores_of(folder, gelu=gelu)
        words = load(folder, gelu=gelu)._vocabulary.ids_of
        rows = zip(words(REFS), words(HYPS), strict=True)
        expected = [definition.score(weights, *definition.inputs(*row, 64), gelu) for row in rows]
        assert found == pytest.approx(expected, abs=2e-6)
        assert np.std(found) > 0.1


def test_the_checkpoint_says_which_gelu(saved, tmp_path):
    folder, _ = saved("bert")
    exact, tanh = scores_of(folder, gelu="exact"), scores_of(folder, gelu="tanh")
    assert 1e-5 < np.abs(exact - tanh).max() < 1e-2
    assert (scores_of(folder) == exact).all()
    other = changed(folder, tmp_path / "new", hidden_act="gelu_new")
    assert (scores_of(other) == tanh).all()
    assert load(other).identity["gelu"] == "tanh"


def changed(folder, place, **changes):
    """A copy of a checkpoint with another configuration."""
    place.mkdir()
    for file in folder.iterdir():
        (place / file.name).write_bytes(file.read_bytes())
    written = json.loads((folder / "config.json").read_text())
    (place / "config.json").write_text(json.dumps({**written, **changes}))
    return place


@pytest.fixture(scope="session")
def recorded(shared, tmp_path_factory):
    """The folder of checkpoints, and a function that returns the figures of a tool for them."""
    place = shared / "oracles/bleurt"
    if not place.is_dir():
        pytest.skip("the recorded figures of BLEURT are not beside the project")
    folder = tmp_path_factory.mktemp("recorded")
    runpy.run_path(str(place / "make_checkpoints.py"))["main"](folder)

    def figures(tool):
        with gzip.open(place / f"{tool}-given.json.gz", "rt") as file:
            return json.load(file)

    return folder, figures


@pytest.mark.parametrize("size", [None, 1])
def test_the_figures_of_google(recorded, size):
    folder, figures = recorded
    case = figures("google")
    _, predictions, references = zip(*case["texts"], strict=True)
    found = scores_of(folder / case["checkpoint"], predictions, references, size, gelu="tanh")
    assert found == pytest.approx(case["scores"], abs=2e-6)
    assert len(found) == 25


@pytest.mark.parametrize("checkpoint", ["bleurt-20-tiny", "bleurt-base-tiny"])
def test_the_figures_of_the_port(recorded, checkpoint):
    folder, figures = recorded
    every = figures("pytorch")
    [case] = [one for one in every["cases"] if one["checkpoint"] == checkpoint]
    _, predictions, references = zip(*every["texts"], strict=True)
    model = load(folder / checkpoint)
    found = model.score(predictions, {"references": references}, None).scores
    words = model._vocabulary.ids_of
    pairs = zip(words(list(references)), words(list(predictions)), strict=True)
    ids = [definition.inputs(*pair, model.limit)[0] for pair in pairs]
    # It cuts two equally long texts at the other side where the pieces are those of words.
    is_same = np.array([ours == theirs for ours, theirs in zip(ids, case["ids"], strict=True)])
    assert np.flatnonzero(~is_same).tolist() == ([20, 22] if checkpoint == "bleurt-base-tiny" else [])
    assert found[is_same] == pytest.approx(np.array(case["scores"])[is_same], abs=2e-6)


def test_what_is_cut():
    for room in range(2, 9):
        for first in range(12):
            for second in range(12):
                ids, types = definition.inputs(range(first), range(second), room + 3)
                expected = types.count(0) - 2, types.count(1) - 1
                assert cut_lengths(first, second, room) == expected


@pytest.mark.parametrize("form", ["bert", "20"])
def test_batches_padding_neighbours_and_order_change_nothing(saved, form, monkeypatch):
    folder, _ = saved(form)
    whole = scores_of(folder)
    for budget in (1, 40, 100_000):
        for pads in (False, True):
            monkeypatch.setattr(batching, "ON_PROCESSOR", budget)
            monkeypatch.setattr(batching, "pads", lambda device, pads=pads: pads)
            assert scores_of(folder) == pytest.approx(whole, abs=2e-6)
            assert scores_of(folder, HYPS[::-1], REFS[::-1])[::-1] == pytest.approx(whole, abs=2e-6)
    twice = scores_of(folder, HYPS * 2, REFS * 2)
    assert (twice[: len(whole)] == twice[len(whole) :]).all()


def test_other_number_types_and_devices(saved):
    folder, _ = saved("20")
    whole = scores_of(folder, device="cpu")
    assert scores_of(folder, dtype="bfloat16") == pytest.approx(whole, abs=0.2)
    pytest.importorskip("accelerate", reason="needs accelerate")
    assert (scores_of(folder, device_map={"": "cpu"}) == whole).all()


def test_notes_references_and_signature(saved):
    options = {"model_id": str(saved("bert")[0])}
    assert warned(textgauge.bleurt, HYPS, REFS, **options) == [
        "1 prediction is empty; BLEURT scores such a text like any other.",
        f"1 pair is longer than the 64 tokens that {options['model_id']} takes, and was cut.",
    ]
    groups = [[reference, "the cat"] for reference in REFS[:2]]
    each = [textgauge.segment_scores(textgauge.Bleurt(**options), HYPS[:2], [one[i] for one in groups]) for i in (0, 1)]
    both = textgauge.segment_scores(textgauge.Bleurt(**options), HYPS[:2], groups)
    assert both == pytest.approx(np.max(each, axis=0), abs=2e-6)
    signature = textgauge.Bleurt(**options, max_length=32).update(HYPS[:2], REFS[:2]).signature
    assert re.search(r"^nrefs:1\|model:.*\|sha256:[0-9a-f]{12}\|gelu:exact\|max:32\|dtype:float32\|", signature)
    with pytest.raises(TypeError, match="^references"):
        textgauge.bleurt(HYPS, **options)


def test_the_module(tmp_path):
    assert textgauge.load("bleurt", cache_dir=tmp_path).defaults["model_id"] == "bleurt-base-128"


@pytest.mark.filterwarnings("ignore::textgauge.checks.CountWarning")
def test_the_scorer_of_google_tells_candidates_from_references(saved):
    from textgauge.compat.bleurt import score

    folder = str(saved("bert")[0])
    scorer = score.BleurtScorer(folder)
    found = scorer.score(references=REFS, candidates=HYPS)
    assert found == textgauge.bleurt(HYPS, REFS, model_id=folder, gelu="tanh", per_segment=True)["segment_bleurt"]
    assert found != pytest.approx(scorer.score(references=HYPS, candidates=REFS), abs=1e-4)


@pytest.mark.filterwarnings("ignore::textgauge.checks.CountWarning")
def test_the_scorer_of_google(recorded):
    from textgauge.compat.bleurt import score

    folder, figures = recorded
    case = figures("google")
    _, predictions, references = zip(*case["texts"], strict=True)
    scorer = score.BleurtScorer(folder / case["checkpoint"])
    for size in (None, 2):
        found = scorer.score(references=references, candidates=predictions, batch_size=size)
        assert found == pytest.approx(case["scores"], abs=2e-6)
        assert type(found) is list
        assert type(found[0]) is float
    assert scorer.score(references=[], candidates=[]) == []
    with pytest.raises(TypeError, match="^score: .*`references`.*`candidates`.*got arguments without names"):
        scorer.score(["a"], ["b"])
    with pytest.raises(ValueError, match="references"):
        scorer.score(references=["a"], candidates=["a", "b"])
    with pytest.raises(FileNotFoundError, match="^model_id: .*got './none'"):
        score.BleurtScorer("./none")


def test_the_card_says_what_happens(saved, run_card):
    assert run_card("bleurt", {"bleurt-tiny": saved("bert")[0]}) == 3
