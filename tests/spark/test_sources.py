"""Learned metrics over Spark, with tiny models: a third column of texts, on workers that load the model."""

import numpy as np
import pytest
import textgauge
from textgauge import spark as over_spark
from textgauge.accumulation.named_score import NamedScore
from tiny_models import save_comet, save_metricx, save_pair_model

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:PySpark does not yet fully support:FutureWarning")]

HYPS = ["the cat sat on the mat", "a dog", "one, two: three!", "sat on", "cat and dog", "mat"]
REFS = ["a cat sat on a mat", "the dog barks", "one two", "mat", "a dog", "cat"]
SRCS = ["cat mat", "dog", "two three", "cat", "b", "c"]
COLUMNS = {"prediction_column": "hyp", "reference_column": "ref", "source_column": "src"}
WITHOUT = {"prediction_column": "hyp", "source_column": "src"}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Folders of a model that uses sources and references, and of one that uses sources alone."""
    for module in ("torch", "transformers", "yaml"):
        pytest.importorskip(module, reason='needs torch, transformers and PyYAML: pip install -e ".[comet]"')
    usual, qe = (tmp_path_factory.mktemp(name) for name in ("usual", "qe"))
    save_comet(usual)
    save_comet(qe, "unified_metric", input_segments=["mt", "src"])
    yield {"model_id": str(usual)}, {"model_id": str(qe)}
    textgauge.models.clear_models()


@pytest.fixture(scope="module")
def table(spark):
    rows = [*zip(range(6), HYPS, REFS, SRCS, strict=True)]
    return spark.createDataFrame(rows, "id int, hyp string, ref string, src string").repartition(2).cache()


def test_the_score_is_that_of_one_machine(table, models):
    usual, qe = models
    alone = textgauge.comet(HYPS, REFS, sources=SRCS, signature=True, **usual)
    with pytest.warns(UserWarning, match=r"only 6 units \(id\) are drawn"):
        found = over_spark.score(
            table, [NamedScore("comet", {**usual, "signature": True}, has_reports=True), "chrf"], **COLUMNS,
            confidence=0.9, n_resamples=100, key_column="id",
        )  # fmt: skip
    of_comet, of_chrf = found.values()
    assert of_chrf["chrf"] == textgauge.chrf(HYPS, REFS)["chrf"]
    assert of_comet["comet"] == pytest.approx(alone["comet"], abs=1e-6)
    low, high = of_comet["confidence_intervals"]["comet"]
    assert low < of_comet["comet"] < high
    # Also what made the segments, which only the workers know.
    fields = {one for one in alone["signature"].split("|") if not one.startswith("version")}
    assert fields <= {*of_comet["signature"].split("|")}
    of_qe = over_spark.score(table, textgauge.Comet(**qe), **WITHOUT)
    assert of_qe["comet"] == pytest.approx(textgauge.comet(HYPS, sources=SRCS, **qe)["comet"], abs=1e-6)


def test_wrong_columns_of_a_model_are_named(table, models):
    usual, qe = models
    with pytest.raises(ValueError, match="^source_column: .*got None"):
        over_spark.score(table, textgauge.Comet(**usual), prediction_column="hyp", reference_column="ref")
    with pytest.raises(ValueError, match="^`reference_column` cannot be given, since .* does not use references"):
        over_spark.score(table, textgauge.Comet(**qe), **COLUMNS)
    refused = over_spark.add_scores(table, textgauge.Comet(**qe), **COLUMNS)
    with pytest.raises(Exception, match="`reference_column` cannot be given, since .* does not use references"):
        refused.collect()


def test_missing_sources_are_counted(spark, models):
    rows = spark.createDataFrame([("a", "b", None)], "hyp string, ref string, src string")
    with pytest.raises(ValueError, match="^source_column 'src': .*got 1 null, one in row 1"):
        over_spark.score(rows, textgauge.Comet(**models[0]), **COLUMNS)


def test_rows_get_the_scores_of_one_machine(table, models):
    comet = textgauge.Comet(**models[0])
    scored = over_spark.add_scores(table, [comet, "chrf"], **COLUMNS)
    found = {row["id"]: row["comet"] for row in scored.collect()}
    alone = textgauge.segment_scores(comet, HYPS, REFS, sources=SRCS)
    assert [found[i] for i in range(6)] == pytest.approx(np.asarray(alone), abs=1e-6)


def test_metricx(table, tmp_path):
    pytest.importorskip("google.protobuf", reason='needs protobuf: pip install -e ".[metricx]"')
    folder, _ = save_metricx(tmp_path)
    options = {"model_id": str(folder), "encoder": str(tmp_path / "mt5")}
    alone = textgauge.metricx(HYPS, REFS, sources=SRCS, per_segment=True, **options)
    found = over_spark.score(table, textgauge.Metricx(**options), **COLUMNS)
    assert found["metricx"] == pytest.approx(alone["metricx"], abs=5e-5)
    scored = over_spark.add_scores(table, [textgauge.Metricx(**options)], **COLUMNS).collect()
    rows = {row["id"]: row["metricx"] for row in scored}
    assert [rows[i] for i in range(6)] == pytest.approx(alone["segment_metricx"], abs=5e-5)


def test_consistency(table, models, tmp_path):
    save_pair_model(tmp_path / "minicheck-tiny")
    options = {"form": "minicheck", "model_id": str(tmp_path / "minicheck-tiny")}
    alone = textgauge.consistency(HYPS, sources=SRCS, per_segment=True, **options)
    assert np.std(alone["segment_consistency"]) > 0
    found = over_spark.score(table, textgauge.Consistency(**options), **WITHOUT)
    assert found["consistency"] == pytest.approx(alone["consistency"], abs=1e-6)
    scored = over_spark.add_scores(table, [textgauge.Consistency(**options)], **WITHOUT).collect()
    rows = {row["id"]: row["consistency"] for row in scored}
    assert [rows[i] for i in range(6)] == pytest.approx(alone["segment_consistency"], abs=1e-6)


def test_answers_of_mathematics(spark):
    answers = [(r"\frac{1}{2}", r"\frac12"), ("0.5", "50"), ("x = 3", "3")]
    rows = spark.createDataFrame(answers, "hyp string, ref string")
    columns = {"prediction_column": "hyp", "reference_column": "ref"}
    alone = textgauge.math_answer(*map(list, zip(*answers, strict=True)))
    assert 0 < alone["math_answer"] < 1
    assert over_spark.score(rows, "math_answer", **columns)["math_answer"] == alone["math_answer"]
