"""Score columns; what workers do, without a cluster."""

import re
import subprocess
import sys
import warnings
from functools import partial

import pyarrow as pa
import pytest
import textgauge
from textgauge import spark as over_spark
from textgauge.spark import partials
from textgauge.spark.rows import RowScores

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:PySpark does not yet fully support:FutureWarning")]

COLUMNS = {"prediction_column": "hyp", "reference_column": "refs"}


def segment_bleu(*texts, **options):
    return {"bleu": textgauge.bleu(*texts, per_segment=True, **options)["segment_bleu"]}


@pytest.mark.parametrize(
    ("metric", "options", "segments"),
    [
        ("bleu", {"smooth": True}, segment_bleu),
        ("rouge", {"tokenizer": "unicode"}, partial(textgauge.rouge, use_aggregator=False)),
    ],
)
def test_rows_get_the_scores_of_one_machine(table, texts, metric, options, segments):
    scored = over_spark.add_scores(table, metric, **COLUMNS, prefix="our ", **options).orderBy("id").collect()
    assert [row.hyp for row in scored] == texts[0]
    assert [row.refs for row in scored] == texts[1]
    for name, column in segments(*texts, **options).items():
        assert [row[f"our {name}"] for row in scored] == column


def test_nulls_stop_the_job_with_their_column_and_number(spark):
    from pyspark.errors import SparkRuntimeException

    rows = [("a", "b"), ("a", None)]
    scored = over_spark.add_scores(spark.createDataFrame(rows, "hyp string, refs string"), "bleu", **COLUMNS)
    # The last does not even ask for a score.
    for job in (scored, scored.select("bleu"), scored.select("hyp"), scored.groupBy().count()):
        with pytest.raises(SparkRuntimeException) as caught:
            job.collect()
        message = str(caught.value).removeprefix("[USER_RAISED_EXCEPTION] ")
        assert re.match(
            "reference_column 'refs': expected text in every row, got 1 nulls in a batch of [12] rows", message
        )
        assert "Traceback" not in message
    assert scored.columns == ["hyp", "refs", "bleu"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"metric": "token_f1", "prefix": 3}, TypeError, "prefix: expected a str, got 3"),
        ({"metric": "rouge", "detailed": True}, TypeError, "detailed: expected an option of rouge \\(rouge_types"),
        ({"metric": "rouge1", "reference_column": "id"}, TypeError, "reference_column 'id': .* got int"),
    ],
)
def test_what_cannot_be_scored_is_refused_at_once(table, arguments, error, message):
    with pytest.raises(error, match=message):
        over_spark.add_scores(table, **{**COLUMNS, **arguments})


def test_columns_are_never_overwritten(table):
    with pytest.raises(ValueError, match="prefix: expected one that makes the column 'bleu' a new one, got ''"):
        over_spark.add_scores(table.withColumnRenamed("id", "bleu"), "bleu", **COLUMNS)


def worker(kind, **fields):
    measure = textgauge.Rouge(rouge_types=["rouge1"])
    names = ("hyp", "refs")
    return kind(measure, names, 0, 1, 1, **fields) if kind is RowScores else kind(measure, names, **fields)


def batch(hyps, refs):
    names = ["prediction", "reference"]
    return pa.RecordBatch.from_arrays([pa.array(hyps, pa.string()), pa.array(refs, pa.string())], names=names)


def test_empty_batches_and_partitions_are_nothing():
    sums = pa.Table.from_batches(worker(partials.PartitionSums)([batch([], []), batch(["a"], ["a b"])]))
    alone = pa.Table.from_batches(worker(partials.PartitionSums)([batch(["a"], ["a b"])]))
    assert sums.equals(alone)
    assert pa.Table.from_batches(worker(partials.PartitionSums)([])).num_rows == 0
    [empty] = worker(RowScores)([batch([], [])])
    assert empty.schema.field("score0").type == pa.float64()


def test_workers_tell_of_text_that_became_nothing_once_for_a_partition():
    batches = [batch(["猫"], ["a"])] * 3
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(worker(RowScores)(batches))
    assert [str(warning.message)[:23] for warning in caught] == ["3 texts are not empty b"]


@pytest.mark.parametrize("kind", [partials.PartitionSums, RowScores])
def test_a_worker_with_another_version_refuses(kind):
    with pytest.raises(RuntimeError, match=r"on a worker: expected version 0\.0 as on the driver, got"):
        next(worker(kind, version="0.0")([]))


@pytest.mark.parametrize("call", [over_spark.score, over_spark.add_scores])
def test_without_pyspark_the_error_has_the_line_that_installs_it(monkeypatch, call):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(ImportError, match=r'pyspark: .* pip install "textgauge\[spark\]", or in a clone'):
        call(None, "bleu", **COLUMNS)


def test_pyspark_is_imported_only_when_used():
    code = "import sys, textgauge.spark; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
