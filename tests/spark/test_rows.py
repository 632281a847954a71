"""Score columns."""

import re
from functools import partial

import pytest
import textgauge
from textgauge import spark as over_spark
from textgauge.accumulation.named_score import NamedScore

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:PySpark does not yet fully support:FutureWarning")]

COLUMNS = {"prediction_column": "hyp", "reference_column": "refs"}


def segment_bleu(*texts, **options):
    return {"bleu": textgauge.bleu(*texts, per_segment=True, **options)["segment_bleu"]}


def segment_match(*texts, **options):
    return {"exact_match": textgauge.token_f1(*texts, per_segment=True, **options)["segment_exact_match"]}


def segment_cider(*texts, **options):
    return {"cider": textgauge.cider(*texts, per_segment=True, **options)["segment_cider"]}


IMAGES = [["the cat sat on a mat"], ["a dog"], ["who knows"]]


@pytest.mark.filterwarnings("ignore:.*no word")
@pytest.mark.parametrize(
    ("metric", "options", "segments"),
    [
        ("cider", {"idf": textgauge.CiderWeights(IMAGES)}, segment_cider),
        ("bleu", {"smooth": True}, segment_bleu),
        ("rouge", {"tokenizer": "unicode"}, partial(textgauge.rouge, use_aggregator=False)),
        ("token_f1_exact_match", {"normalizer": "none"}, segment_match),
    ],
)
def test_rows_get_the_scores_of_one_machine(table, texts, metric, options, segments):
    scored = over_spark.add_scores(table, NamedScore(metric, options), **COLUMNS, prefix="our ").orderBy("id").collect()
    assert [row.hyp for row in scored] == texts[0]
    assert [row.refs for row in scored] == texts[1]
    expected = segments(*texts, **options)
    assert scored[0].asDict().keys() == {*table.columns, *(f"our {name}" for name in expected)}
    for name, column in expected.items():
        assert [row[f"our {name}"] for row in scored] == column


def test_rows_get_perplexities_under_a_model_of_ngrams(table, texts):
    model = textgauge.NgramModel(2, tokenizer="whitespace").fit(texts[0][:100])
    perplexity = textgauge.Perplexity(model=model)
    scored = over_spark.add_scores(table, perplexity, prediction_column="hyp").orderBy("id").collect()
    expected = model.score(texts[0])["perplexities"]
    assert [row.corpus_perplexity for row in scored] == expected
    with pytest.raises(TypeError, match="`reference_column` cannot be given, since perplexity uses no references"):
        over_spark.add_scores(table, perplexity, prediction_column="hyp", reference_column="refs")
    for wrong, message in (
        ({}, "^model_id: .*`ngram_train`.*got None"),
        ({"model": textgauge.NgramModel(2)}, "^model: .*got a model without counts"),
    ):
        with pytest.raises(ValueError, match=message):
            over_spark.add_scores(table, NamedScore("perplexity", wrong), prediction_column="hyp")
    with pytest.raises(TypeError, match="reference_column: expected a column, which bleu needs"):
        over_spark.add_scores(table, "bleu", prediction_column="hyp")


def test_columns_of_char_and_varchar_are_text(spark):
    spark.conf.set("spark.sql.preserveCharVarcharTypeInfo", "true")
    frame = spark.sql("select cast('a b' as varchar(20)) hyp, cast('a c' as char(3)) refs, cast('x' as char(1)) other")
    assert [kind for _, kind in frame.dtypes] == ["varchar(20)", "char(3)", "char(1)"]
    assert over_spark.score(frame, "rouge1", **COLUMNS) == {"rouge1": 0.5}
    assert over_spark.add_scores(frame, "rouge1", **COLUMNS).collect() == [("a b", "a c", "x", 0.5)]
    swapped = {"prediction_column": "refs", "reference_column": "hyp"}
    assert over_spark.score(frame, "rouge1", **swapped) == {"rouge1": 0.5}


def test_nulls_of_texts_without_references_stop_the_job(spark):
    from pyspark.errors import SparkRuntimeException

    frame = spark.createDataFrame([("a",), (None,)], "hyp string")
    model = textgauge.NgramModel(1).fit(["a"])
    with pytest.raises(SparkRuntimeException, match="prediction_column 'hyp': .*got 1 null"):
        over_spark.add_scores(frame, textgauge.Perplexity(model=model), prediction_column="hyp").collect()


def test_nulls_stop_the_job_with_their_column_and_number(spark):
    from pyspark.errors import SparkRuntimeException

    rows = [("a", "b"), ("a", None)]
    scored = over_spark.add_scores(spark.createDataFrame(rows, "hyp string, refs string"), "bleu", **COLUMNS)
    # The last does not even ask for a score.
    for job in (scored, scored.select("bleu"), scored.select("hyp"), scored.groupBy().count()):
        with pytest.raises(SparkRuntimeException) as caught:
            job.collect()
        message = str(caught.value).removeprefix("[USER_RAISED_EXCEPTION] ")
        got = "reference_column 'refs': expected text in every row, got 1 null in a batch of [12] rows"
        assert re.match(rf"{got}, one in row [12] of partition \d+", message)
        assert "Traceback" not in message
    assert scored.columns == ["hyp", "refs", "bleu"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"metric": "token_f1", "prefix": 3}, TypeError, "^prefix: .*got 3"),
        ({"metric": "bleu", "prefix": "old "}, ValueError, "^prefix: .*got 'old '"),
        ({"metric": "rouge", "detailed": True}, TypeError, "unexpected keyword argument .detailed."),
        ({"metric": "rouge1", "reference_column": "id"}, TypeError, "reference_column 'id': .* got int"),
    ],
)
def test_invalid_input_is_refused_at_once(table, arguments, error, message):
    with pytest.raises(error, match=message):
        over_spark.add_scores(table.withColumnRenamed("first.ref", "old bleu"), **{**COLUMNS, **arguments})


@pytest.mark.parametrize("place", range(3))
def test_a_name_of_two_columns_is_none(spark, place):
    names = ["hyp", "refs", "other"]
    table = spark.createDataFrame([("a b", "a c", "x", "y")], "a string, b string, c string, d string")
    table = table.toDF(*names, names[place])
    if names[place] == "other":
        # Columns that are not read may have any name.
        assert over_spark.score(table, "rouge1", **COLUMNS) == {"rouge1": 0.5}
        return
    argument = ("prediction_column", "reference_column")[place]
    message = f"{argument}: expected one column of the data frame .*, got '{names[place]}', which occurs 2 times"
    for call in (over_spark.score, over_spark.add_scores):
        with pytest.raises(ValueError, match=message):
            call(table, "rouge1", **COLUMNS)


def test_names_that_differ_in_case_are_one_to_spark(spark):
    rows = [("a b", "a c", 1)]
    table = spark.createDataFrame(rows, ["hyp", "refs", "BLEU"])
    with pytest.raises(ValueError, match="^prefix: .*'bleu'.*got ''"):
        over_spark.add_scores(table, "bleu", **COLUMNS)
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        scored = over_spark.add_scores(table, "bleu", **COLUMNS)
        assert {"BLEU", "bleu"} <= {*scored.columns}
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_sources_are_for_metrics_that_use_them(spark):
    table = spark.createDataFrame([("a", "b", "c", 1)], ["hyp", "refs", "src", "id"])
    with pytest.raises(TypeError, match="^`source_column` cannot be given, since chrf uses no sources"):
        over_spark.add_scores(table, "chrf", **COLUMNS, source_column="src")
    with pytest.raises(TypeError, match="^source_column 'id': .*got bigint"):
        over_spark.add_scores(table, "comet", **COLUMNS, source_column="id")
    with pytest.raises(TypeError, match="^`source_column` cannot be given, since chrf uses no sources"):
        over_spark.score(table, "chrf", **COLUMNS, source_column="src")
    with pytest.raises(TypeError, match="^source_column 'id': .*got bigint"):
        over_spark.score(table, "comet", **COLUMNS, source_column="id")
    with pytest.raises(TypeError, match="^reference_column: expected a column, which chrf needs, got None"):
        over_spark.score(table, "chrf", prediction_column="hyp")
