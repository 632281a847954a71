"""The figures of unbabel-comet 2.2.7 for tiny checkpoints with odd texts."""

import numpy as np
import pytest
import textgauge
from quick import first
from tiny_models import load_comet

CASES = [
    ("wmt20-comet-da", "src+ref"), ("wmt22-comet-da", "src+ref"), ("wmt20-comet-qe-da", "src"),
    ("wmt22-cometkiwi-da", "src"), ("wmt22-unite-da", "src+ref"), ("wmt22-unite-da", "src"), ("wmt22-unite-da", "ref"),
    ("xcomet", "src+ref"), ("xcomet", "src"), ("xcomet", "ref"), ("cometinho", "src+ref"),
]  # fmt: skip


@pytest.fixture
def given(recorded, monkeypatch):
    """A function that returns the predictions, the other columns and the options of a case."""
    folder, figures = recorded
    # Checkpoints name their encoders relative to it.
    monkeypatch.chdir(folder)

    def inputs(case):
        rows = [figures["texts"][i] for i in case["rows"]]
        names = {"src": "source", "ref": "reference"}
        columns = {f"{names[one]}s": [row[names[one]] for row in rows] for one in case["given"].split("+")}
        encoder = {"encoder": "encoder-minilm"} if case["checkpoint"] == "cometinho" else {}
        return [row["prediction"] for row in rows], columns, {"model_id": case["checkpoint"], **encoder}

    return inputs


def case_of(recorded, checkpoint, texts):
    return next(one for one in recorded[1]["cases"] if (one["checkpoint"], one["given"]) == (checkpoint, texts))


def test_all_recorded_cases_are_here(recorded):
    assert {(one["checkpoint"], one["given"]) for one in recorded[1]["cases"]} == {*CASES}


@pytest.mark.parametrize(("checkpoint", "texts"), CASES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_segment(recorded, given, checkpoint, texts):
    case = case_of(recorded, checkpoint, texts)
    predictions, columns, options = given(case)
    parts = case.get("metadata", {})
    asked = {**options, "spans": "error_spans" in parts}
    result = textgauge.comet(predictions, **columns, per_segment=True, **asked)
    assert np.abs(np.subtract(result["segment_comet"], case["scores"])).max() < 1e-6
    assert result["comet"] == pytest.approx(np.mean(case["scores"]), abs=1e-6)
    scored = load_comet(**options).score(predictions, columns, 64)
    assert {*scored.parts} == {*parts} - {"error_spans"}
    for name, part in scored.parts.items():
        assert np.abs(part - parts[name]).max() < 1e-6
    if "error_spans" in parts:
        compare_spans(result["error_spans"], parts["error_spans"])


def compare_spans(found, expected):
    def places(spans):
        return [(span["text"], span["start"], span["end"], span["severity"]) for span in spans]

    assert [places(spans) for spans in found] == [places(spans) for spans in expected]
    for own, others in zip(found, expected, strict=True):
        assert [one["confidence"] for one in own] == pytest.approx([one["confidence"] for one in others], abs=1e-6)


@pytest.mark.parametrize(("checkpoint", "texts"), first(1, [CASES[3], CASES[0], CASES[7]]))
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_score_is_alike_in_any_batch(recorded, given, checkpoint, texts):
    case = case_of(recorded, checkpoint, texts)
    predictions, columns, options = given(case)
    regressor = load_comet(**options)
    whole = regressor.score(predictions, columns, 64).scores
    for size in (1, 8):
        assert np.abs(regressor.score(predictions, columns, size).scores - whole).max() < 1e-6
    turned = regressor.score(predictions[::-1], {name: column[::-1] for name, column in columns.items()}, 8).scores
    assert np.abs(turned[::-1] - whole).max() < 1e-6
    for i in (0, 7, 39):
        alone = regressor.score([predictions[i]], {name: [column[i]] for name, column in columns.items()}, 8).scores
        assert abs(alone[0] - whole[i]) < 1e-6
