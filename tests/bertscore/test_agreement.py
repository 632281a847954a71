"""The figures of bert-score: recorded under transformers 4, and live."""

import numpy as np
import pytest
import textgauge

NAMES = [
    "minilm layer 6", "minilm layer 5", "minilm layer 2", "minilm layer 5, idf of the references",
    "minilm layer 5, rescaled", "minilm layer 5, idf, rescaled", "minilm layer 6, one to three references",
    "minilm layer 6, idf, one to three references", "minilm layer 2, odd texts", "tiny-roberta layer 2, odd texts",
    "tiny-deberta layer 2, odd texts", "tiny-roberta layer 1", "tiny-roberta layer 3", "tiny-roberta layer 3, idf",
    "tiny-deberta layer 1", "tiny-deberta layer 3", "tiny-deberta layer 3, idf",
]  # fmt: skip


def test_every_recorded_case_is_here(oracle):
    assert [*oracle[0]] == NAMES


def texts_of(case, rows):
    if "predictions" in case:
        return case["predictions"], case["references"]
    rows = rows[case["first"] :]
    references = [row["reference"] for row in rows[: case["n"]]]
    if "references" in case:
        references = [[row["reference"] for row in rows[i : i + i % 3 + 1]] for i in range(case["n"])]
    return [row["prediction"] for row in rows[: case["n"]]], references


@pytest.mark.real_model
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore:1 text is longer than")
def test_recorded_figures(name, oracle, shared, tmp_path, request):
    case = oracle[0][name]
    is_small = case["model"].startswith("tiny")
    folder = shared / "oracles/bertscore" / case["model"] if is_small else request.getfixturevalue("minilm")
    options = {"model_id": folder, "num_layers": case["num_layers"], "idf": case["idf"], "device": "cpu"}
    if case["baseline"]:
        lines = [",".join(map(str, (layer, *row))) for layer, row in enumerate(case["baseline"])]
        (tmp_path / "baseline.csv").write_text("\n".join(["LAYER,P,R,F", *lines]) + "\n")
        options |= {"rescale_with_baseline": True, "baseline_path": str(tmp_path / "baseline.csv")}
    found = textgauge.bertscore(*texts_of(case, oracle[1]), per_segment=True, **options)
    for part, expected in case["expected"].items():
        assert np.abs(np.array(found[f"segment_{part}"]) - expected).max() <= 1e-6
        assert found[part] == pytest.approx(np.mean(expected), abs=1e-6)


@pytest.mark.real_model
@pytest.mark.parametrize("idf", [False, True])
def test_live_figures_of_a_model(idf, minilm, oracle):
    bert_score = pytest.importorskip("bert_score", reason="needs bert-score: pip install --no-deps bert-score")
    rows = oracle[1][200:240]
    sides = [[row[side] for row in rows] for side in ("prediction", "reference")]
    parts = bert_score.score(*sides, model_type=minilm, num_layers=6, idf=idf, nthreads=0, batch_size=1, device="cpu")
    found = textgauge.bertscore(*sides, model_id=minilm, num_layers=6, idf=idf, per_segment=True, device="cpu")
    for part, expected in zip(("precision", "recall", "f1"), parts, strict=True):
        assert np.abs(np.array(found[f"segment_{part}"]) - expected.numpy()).max() <= 1e-6
