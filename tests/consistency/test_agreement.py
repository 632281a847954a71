"""The figures of MiniCheck, AlignScore and SummaC-ZS for tiny models, recorded with a small splitter's data."""

import gzip
import json
import warnings

import pytest
import textgauge
from quick import first

# T5's last states are large, and float32 rounds them: on processors with other instructions by 5e-6.
TOLERANCE = {"minicheck-t5": 1e-5}


@pytest.fixture(scope="module")
def recorded(request):
    place = request.getfixturevalue("shared") / "oracles/consistency"
    if not (place / "given.json.gz").is_file():
        pytest.skip("the recorded figures of consistency are not beside the project")
    with gzip.open(place / "given.json.gz", "rt") as file:
        return place, json.load(file)


def options_of(models, tool):
    return {
        "minicheck-roberta": {"model_id": models / "roberta-minicheck"},
        "minicheck-t5": {"model_id": models / "t5"},
        "alignscore": {
            "form": "alignscore",
            "model_id": models / "align.ckpt",
            "encoder": models / "roberta-minicheck",
        },
        "summac-zs": {"form": "summac-zs", "model_id": models / "roberta-mnli"},
    }[tool]


@pytest.mark.parametrize("tool", ["minicheck-roberta", "minicheck-t5", "alignscore", "summac-zs"])
@pytest.mark.parametrize("size", first(1, [64, 1]))
def test_every_case(recorded, tool, size, monkeypatch):
    place, rows = recorded
    monkeypatch.setenv("NLTK_DATA", str(place / "nltk_data"))
    rows = [row for row in rows if row["tool"] == tool]
    assert len(rows) == 15
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = textgauge.segment_scores(
            textgauge.Consistency(batch_size=size, **options_of(place / "models", tool)),
            [row["claim"] for row in rows], sources=[row["document"] for row in rows],
        )  # fmt: skip
    for row, score in zip(rows, found, strict=True):
        if not isinstance(row["score"], float):
            # The tool raises: nothing to compare.
            assert score == 0
        elif tool == "minicheck-roberta" and row["document"].startswith("x x x"):
            # The tool cuts the text off.
            assert abs(score - row["score"]) > 1e-3
        else:
            assert score == pytest.approx(row["score"], abs=TOLERANCE.get(tool, 2e-6))


def test_the_splitter_is_in_the_signature(recorded, monkeypatch):
    place, _ = recorded
    options = options_of(place / "models", "alignscore")
    given = (["Mr. Smith sat. It rained."], None)
    signed = []
    for data in ("nltk_data", "none"):
        monkeypatch.setenv("NLTK_DATA", str(place / data))
        textgauge.models.clear_models()
        signed.append(textgauge.consistency(*given, sources=["It rained."], signature=True, **options)["signature"])
    assert "|split:punkt." in signed[0]
    assert "|split:ours|" in signed[1]
