"""The score of a data frame equals that of one machine, without text on the driver; errors have counts."""

import re
import warnings
from fractions import Fraction

import numpy as np
import pytest
import textgauge
from conftest import ROOT
from oracles.poisson import poisson_weight, resampled_mean
from textgauge import spark as over_spark
from textgauge.accumulation.named_score import NamedScore
from textgauge.resampling.draws import CELLS

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:PySpark does not yet fully support:FutureWarning")]

NAMES = ("bleu", "sacrebleu", "rouge", "chrf", "ter", "token_f1", "squad")
ONE_MACHINE = {name: getattr(textgauge, name) for name in NAMES}
COLUMNS = {"prediction_column": "hyp", "reference_column": "refs"}
CASES = [
    ("bleu", {"smoothing": "exp"}),
    ("bleu", {"reference_length": "average", "smooth": True, "all_orders": True, "signature": True, "max_order": 3}),
    ("rouge", {"use_stemmer": True, "detailed": True, "signature": True}),
    ("rouge", {"tokenizer": str.split, "beta": 2.0, "rouge_types": ["rouge1", "rougeLsum"]}),
    ("token_f1", {"normalizer": "lower", "signature": True}),
    ("sacrebleu", {"signature": True, "all_orders": True}),
    ("chrf", {"word_order": 2}),
    ("ter", {}),
]


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*not empty but|.*no word")
        yield


@pytest.mark.parametrize(("metric", "options"), CASES, ids=lambda value: str(value)[:40])
def test_score_is_exact(table, texts, metric, options):
    named = NamedScore(metric, options, has_reports=True)
    assert over_spark.score(table, named, **COLUMNS) == ONE_MACHINE[metric](*texts, **options)


def test_cider_with_weights_is_that_of_one_machine(table, texts):
    images = [["the cat sat on a mat"], ["a dog"], ["who knows"]]
    found = over_spark.score(table, textgauge.Cider(idf=images), **COLUMNS)["cider"]
    assert found == pytest.approx(textgauge.cider(*texts, idf=images)["cider"], rel=1e-14)
    with pytest.raises(ValueError, match="^idf: .*got None"):
        over_spark.score(table, "cider", **COLUMNS)


def test_squad_has_the_exact_mean(table, texts):
    one = textgauge.squad(*texts, per_segment=True)
    units = textgauge.token_f1(*texts, per_segment=True)["segment_f1"]
    exact = float(100 * sum(map(Fraction, units)) / len(units))
    assert over_spark.score(table, "squad", **COLUMNS) == {"exact_match": one["exact_match"], "f1": exact}


def test_references_may_be_a_column_of_text(table, texts):
    scored = over_spark.score(table, "rougeL", prediction_column="hyp", reference_column="first.ref")
    assert scored == textgauge.rouge(texts[0], [r[0] for r in texts[1]], rouge_types=["rougeL"])


def test_partitions_change_no_bit_of_a_score_or_interval(table):
    options = {"detailed": True, "confidence": 0.9, "n_resamples": 50, "key_column": "id"}
    one, many = (over_spark.score(table.repartition(n), "rouge2", **COLUMNS, **options) for n in (1, 9))
    assert one == many
    low, high = one["confidence_intervals"]["rouge2"]["fmeasure"]
    assert low < one["rouge2"]["fmeasure"] < high


def test_a_key_that_is_null_is_one_too(spark):
    frame = spark.createDataFrame(
        [("a", "a", "x"), ("b", "a", None), ("c", "c", "y")] * 4, "hyp string, refs string, doc string"
    )
    with pytest.warns(UserWarning, match=r"^only 3 units \(doc\)"):
        found = over_spark.score(frame, "rouge1", **COLUMNS, confidence=0.9, key_column="doc", signature=True)
    assert "|unit:doc|units:3|" in found["signature"]


def test_intervals_are_those_of_the_naive_twin(table, texts):
    hashed = {row.id: row.key % 2**64 for row in table.selectExpr("id", "xxhash64(id) as key").collect()}
    scores = textgauge.rouge(*texts, rouge_types=["rouge1"], use_aggregator=False)["rouge1"]
    means = []
    for resample in range(40):
        weights = [poisson_weight(hashed[i], resample, 7, CELLS) for i in range(len(scores))]
        means.append(resampled_mean(scores, weights))
    options = {"confidence": 0.8, "n_resamples": 40, "seed": 7, "key_column": "id"}
    bounds = over_spark.score(table, "rouge1", **COLUMNS, **options)["confidence_intervals"]["rouge1"]
    assert bounds == pytest.approx(np.quantile(means, (0.1, 0.9)).tolist(), rel=1e-15)


@pytest.mark.parametrize(("metric", "options"), [("bleu", {"smoothing": "exp"}), ("chrf", {})])
def test_intervals_are_as_wide_as_those_of_one_machine(table, texts, metric, options):
    named = NamedScore(metric, options)
    ours = over_spark.score(table, named, **COLUMNS, key_column="id", confidence=0.95)["confidence_interval"]
    theirs = ONE_MACHINE[metric](*texts, **options, confidence=0.95)["confidence_interval"]
    width = theirs[1] - theirs[0]
    assert np.abs(np.subtract(ours, theirs)).max() < 0.15 * width


def test_the_driver_gets_numbers_and_never_text(table, monkeypatch):
    seen = []
    collect = type(table).collect

    def watched(frame):
        rows = collect(frame)
        seen.extend(rows)
        return rows

    monkeypatch.setattr(type(table), "collect", watched)
    over_spark.score(table, "bleu", **COLUMNS)
    of_rows = {value for row in seen for value in row if isinstance(value, str)}
    assert of_rows <= {
        "sum", "references", "told", *map(str, range(11)),
        *(text for text in of_rows if text.startswith("the tokenizer")),
    }  # fmt: skip


def test_texts_without_tokens_are_counted_over_the_cluster(spark):
    frame = spark.createDataFrame([("猫", "猫"), ("a", "犬"), ("b", "b")] * 7, "hyp string, refs string")
    with pytest.warns(UserWarning, match=r"^21 texts are not empty but have no token under the tokenizer 'rouge'"):
        over_spark.score(frame.repartition(3), "rouge", **COLUMNS)


def test_several_metrics_share_one_pass(table, monkeypatch):
    options = {**COLUMNS, "confidence": 0.5, "n_resamples": 7, "key_column": "id"}
    several = ["bleu(max_order=2)", "rougeL", "chrf"]
    alone = {name: over_spark.score(table, name, **options) for name in several}
    read, collect = [], type(table).collect
    monkeypatch.setattr(type(table), "collect", lambda frame: read.append(frame) or collect(frame))
    assert over_spark.score(table, several, **options) == alone
    # The texts once; the keys are counted in a job of their own.
    assert ["kind" in frame.columns for frame in read] == [True, False]


@pytest.mark.parametrize(
    ("rows", "kind", "message"),
    [
        ([("a", "b"), (None, "b"), (None, None)], "string", "prediction_column 'hyp': .* in every row, got 4 nulls"),
        ([("a", None), ("a", "b")], "string", "^reference_column 'refs': .*got 2 nulls"),
        ([("a", [None, "b"]), ("a", None), ("a", ["b"])], "array<string>", "'refs': .* in every row, got 4 nulls"),
        ([("a", []), ("a", ["b"])], "array<string>", "'refs': .*got 2 empty lists"),
    ],
)
def test_nulls_are_counted_over_the_cluster(spark, rows, kind, message):
    frame = spark.createDataFrame(rows * 2, f"hyp string, refs {kind}").repartition(2)
    with pytest.raises(ValueError, match=rf"{message}, one in row \d+ of partition \d+$"):
        over_spark.score(frame, "rouge1", **COLUMNS)
    keyed = frame.selectExpr("*", "7 as id")
    with pytest.raises(ValueError, match=f"{message}, one in the row with key '7'$"):
        over_spark.score(keyed, "rouge1", **COLUMNS, confidence=0.9, key_column="id")


def test_empty_partitions(table, texts):
    few = table.where("id < 2")
    assert over_spark.score(few, "rouge1", **COLUMNS) == textgauge.rouge(
        *(t[:2] for t in texts), rouge_types=["rouge1"]
    )
    with pytest.raises(ValueError, match="^dataframe: .*got none"):
        over_spark.score(table.where("id < 0"), "bleu", **COLUMNS)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"metric": "blue"}, ValueError, "^metric: .*got 'blue'"),
        ({"metric": ["bleu", "perplexity"]}, ValueError, "^metric: .*got 'perplexity'"),
        ({"per_segment": True}, ValueError, "^per_segment: .*got True"),
        ({"detailed": True}, TypeError, "^detailed: .*got an unknown keyword"),
        ({"metric": "bleu(smoothing='chen-cherry-5', counting='nltk')"}, ValueError, "^smoothing: .*got 'chen-"),
        ({"metric": "rouge(preset='rouge-1.5.5')"}, ValueError, "^aggregator: .*'mean'.*got None with the preset"),
        ({"prediction_column": "nix"}, ValueError, "^prediction_column: .*got 'nix', which"),
        ({"prediction_column": "refs"}, TypeError, "prediction_column 'refs': .* of type string, got array<string>"),
        ({"reference_column": "id"}, TypeError, "reference_column 'id': .* string or array<string>, got int"),
        ({"reference_column": 3}, TypeError, "^reference_column: .*got 3"),
        ({"confidence": 0.9}, ValueError, "^key_column: .*got None"),
        ({"key_column": "id"}, ValueError, "`key_column` has no effect without `confidence`"),
        ({"confidence": 2.0, "key_column": "id"}, ValueError, "^confidence: .*got 2.0"),
        ({"dataframe": [("a", "b")]}, TypeError, r"^dataframe: .*got \[\('a', 'b'\)\]"),
    ],
)  # fmt: skip
def test_invalid_arguments_are_refused_before_any_row_is_read(table, arguments, error, message):
    with pytest.raises(error, match=message):
        over_spark.score(**{"dataframe": table, "metric": "bleu", **COLUMNS, **arguments})


@pytest.mark.filterwarnings("ignore:the interval of bleu has no width")
@pytest.mark.parametrize("document", ["README.md", "metrics/README.md"])
def test_the_examples_of_documents_run(table, document):
    blocks = re.findall(r"^```py\n(.*?)^```$", (ROOT / document).read_text(), re.M | re.S)
    if not blocks and document == "README.md":
        pytest.skip("it leaves that to metrics/README.md")
    [block] = blocks
    names = {"dataframe": table.withColumnsRenamed({"hyp": "summary", "refs": "references"})}
    exec(block, names)
    assert names["score"]["rougeL"].keys() == {"precision", "recall", "fmeasure"}
    assert names["bounds"][0] <= names["bounds"][1]
    assert names["rows"].columns[-1] == "rougeL"


@pytest.fixture(scope="module")
def holed(spark):
    """Rows of which every fifth or so has a null, no references, or a null among them."""
    rows = [
        (i, None if i % 7 == 3 else f"a cat sat {i}", [None, []][i % 2] if i % 5 == 1 else ["a cat", f"the cat {i}"])
        for i in range(60)
    ]
    rows[30] = (30, "a cat", ["a", None])
    return spark.createDataFrame(rows, "id int, hyp string, refs array<string>").repartition(3), rows


def test_bad_rows_are_left_out_and_counted(holed):
    frame, rows = holed
    good = [row for row in rows if row[1] is not None and row[2] and None not in row[2]]
    n_bad = len(rows) - len(good)
    columns = {"prediction_column": "hyp", "reference_column": "refs"}
    with pytest.raises(ValueError, match="expected"):
        textgauge.spark.score(frame, "chrf", **columns)
    with pytest.warns(UserWarning, match=f"{n_bad} bad rows were left out"):
        found = textgauge.spark.score(frame, ["chrf", "rouge"], **columns, skip_bad=True)
    hypotheses, references = ([row[i] for row in good] for i in (1, 2))
    assert found["chrf"] == {**textgauge.chrf(hypotheses, references), "skipped": n_bad}
    assert found["rouge"] == {**textgauge.rouge(hypotheses, references), "skipped": n_bad}
    scored = textgauge.spark.add_scores(frame, "chrf", **columns, skip_bad=True).collect()
    expected = dict(
        zip([row[0] for row in good], textgauge.segment_scores("chrf", hypotheses, references), strict=True)
    )
    assert {row.id: row.chrf for row in scored if row.id in expected} == expected
    assert all(np.isnan(row.chrf) for row in scored if row.id not in expected)
