from pathlib import Path

import datasets
import evaluate
import pandas as pd
import pyarrow as pa
import pytest
import textgauge
from oracles.token_f1 import squad_scores

FACE = Path(__file__).parent.parent.parent / "metrics/token_f1"
PREDICTIONS = [{"id": "b", "prediction_text": "in 1889"}, {"id": "a", "prediction_text": "The Seine"}]
REFERENCES = [
    {"id": "a", "answers": {"text": ["Seine", "river Seine"], "answer_start": [3, 9]}},
    {"id": "b", "answers": {"text": ["1889"], "answer_start": [0]}},
]
EXPECTED = {"precision": 0.75, "recall": 1.0, "f1": (1 + 2 / 3) / 2, "exact_match": 0.5}


@pytest.fixture
def metric(tmp_path):
    return evaluate.load(str(FACE), cache_dir=str(tmp_path))


def test_rows_are_matched_by_id(metric):
    result = metric.compute(predictions=PREDICTIONS, references=REFERENCES, per_segment=True)
    assert {key: result[key] for key in EXPECTED} == EXPECTED
    assert result["segment_f1"] == [1.0, 2 / 3]
    assert all(type(value) is float for value in result["segment_recall"])
    assert textgauge.token_f1(PREDICTIONS, REFERENCES) == EXPECTED
    twin = squad_scores(["The Seine", "in 1889"], [row["answers"]["text"] for row in REFERENCES])
    assert {key: 100 * EXPECTED[key] for key in twin} == twin


@pytest.mark.parametrize(
    "column",
    [
        list, tuple, iter, pd.Series, pa.array, datasets.Dataset.from_list,
        lambda rows: pa.chunked_array([pa.array(rows[:1]), pa.array(rows[1:])]),
        lambda rows: datasets.Dataset.from_list([{"row": row} for row in rows])["row"],
    ],
)  # fmt: skip
def test_rows_come_in_every_shape(metric, column):
    assert metric.compute(predictions=column(PREDICTIONS), references=column(REFERENCES)) == EXPECTED


def test_ids_and_other_fields_of_rows(metric):
    references = [{**row, "id": i, "question": "?", "text": "?"} for i, row in enumerate(REFERENCES)]
    predictions = [{"id": str(i), "prediction_text": t, "score": 0.5} for i, t in ((1, "in 1889"), (0, "The Seine"))]
    for given in (predictions, ["The Seine", "in 1889"]):
        assert metric.compute(predictions=given, references=references) == EXPECTED


def test_a_row_that_stands_twice_counts_twice(metric):
    """As in the resamples that `evaluate`'s evaluator draws."""
    predictions, references = [PREDICTIONS[0], *PREDICTIONS], [REFERENCES[0], REFERENCES[1], REFERENCES[1]]
    result = metric.compute(predictions=predictions, references=references, per_segment=True)
    assert result["segment_f1"] == [1.0, 2 / 3, 2 / 3]
    squad = textgauge.load("squad")
    assert squad.compute(predictions=predictions, references=references)["f1"] == 100 * (1 + 2 / 3 + 2 / 3) / 3
    drawn = [PREDICTIONS[0]] * 2, [REFERENCES[1]] * 2
    assert squad.compute(predictions=drawn[0], references=drawn[1])["f1"] == pytest.approx(200 / 3, abs=1e-12)


def test_rows_are_added_one_by_one_and_in_batches(metric):
    metric.add(prediction=PREDICTIONS[1], reference=REFERENCES[0])
    metric.add_batch(predictions=PREDICTIONS[:1], references=REFERENCES[1:])
    assert metric.compute() == EXPECTED
    metric.add(prediction="The Seine", reference="Seine")
    assert metric.compute()["f1"] == 1.0


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (PREDICTIONS[:1], REFERENCES, "^predictions: .*'a'.*got none"),
        (PREDICTIONS, REFERENCES[:1], "^references: .*'b'.*got none"),
        (
            [*PREDICTIONS, {**PREDICTIONS[0], "prediction_text": "another"}],
            REFERENCES,
            r'^predictions\[2\]\["id"\]: .*got \'b\' \(str\), as in predictions\[0\], which differs',
        ),
        (
            PREDICTIONS,
            [REFERENCES[0], {**REFERENCES[0], "answers": {"text": ["x"], "answer_start": [0]}}],
            r'^references\[1\]\["id"\]: ',
        ),
        (PREDICTIONS, ["Seine", "1889"], r"^references: .*got \['Seine', '1889'\]"),
        ([{"id": "a"}, *PREDICTIONS], REFERENCES, r'^predictions\[0\]: .*"id"'),
        ([*PREDICTIONS, "x"], REFERENCES, r"^predictions\[2\]: .*got 'x'"),
        (PREDICTIONS, [*REFERENCES, {"id": "c"}], r'^references\[2\]: .*"id".*"answers"'),
        (PREDICTIONS, [{"id": "a", "answers": ["x"]}], r'references\[0\]\["answers"\]: expected a dict with'),
        ([{"id": None, "prediction_text": "x"}], REFERENCES, r'^predictions\[0\]\["id"\]: .*got None'),
        ([{"id": True, "prediction_text": "x"}], REFERENCES, r'^predictions\[0\]\["id"\]: .*got True'),
        (PREDICTIONS, [{**REFERENCES[0], "id": 1.0}], r'^references\[0\]\["id"\]: .*got 1.0'),
        ([{"id": "a", "prediction_text": 3}], REFERENCES, r"^predictions\[0\]: .*got 3"),
        (["x"], [{"answers": {"text": []}}], r"^references\[0\]\[.answers.\]: .*squad_v2.*got none"),
        (["x"], REFERENCES, "as many segments as predictions"),
    ],
)
def test_rows_that_do_not_fit_are_refused(metric, predictions, references, message):
    metric.add(prediction="x", reference="x")
    with pytest.raises((TypeError, ValueError), match=message):
        metric.compute(predictions=predictions, references=references)
    assert metric.compute()["f1"] == 1.0
