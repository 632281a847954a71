"""The work of workers and of the driver, without Spark: a data frame is a list of Arrow batches."""

import sys
import warnings
from dataclasses import dataclass, replace
from itertools import count, islice
from types import ModuleType, SimpleNamespace

import pyarrow as pa
import pytest
import textgauge
from textgauge import spark as over_spark
from textgauge.spark import partials
from textgauge.spark.rows import RowScores

COLUMNS = {"prediction_column": "hyp", "reference_column": "refs"}


@dataclass
class Column:
    """A column as far as the driver asks Spark for one."""

    name: str
    kind: str = ""
    new_name: str = ""

    def cast(self, kind):
        return replace(self, kind=kind)

    def alias(self, new_name):
        return replace(self, new_name=new_name)

    def of(self, batch):
        values = batch.column(self.name)
        # Any hash of 64 bits will do.
        return pa.array([hash(value) for value in values.to_pylist()]) if self.kind == "hash" else values


class Frame:
    """A data frame of partitions, each a list of Arrow batches."""

    def __init__(self, partitions):
        self.partitions = partitions

    @property
    def columns(self):
        return self.partitions[0][0].schema.names

    @property
    def dtypes(self):
        arrow = {pa.string(): "string", pa.list_(pa.string()): "array<string>"}
        fields = self.partitions[0][0].schema
        return [(field.name, arrow.get(field.type, "int")) for field in fields]

    @property
    def schema(self):
        return {
            name: SimpleNamespace(dataType=SimpleNamespace(simpleString=lambda kind=kind: kind))
            for name, kind in self.dtypes
        }

    def select(self, *columns):
        names = [column.new_name for column in columns]
        parts = [
            [pa.RecordBatch.from_arrays([column.of(batch) for column in columns], names=names) for batch in part]
            for part in self.partitions
        ]
        return Frame(parts)

    def mapInArrow(self, worker, schema):  # noqa: N802
        found = Frame([list(worker(iter(part))) for part in self.partitions])
        assert [field.split()[0] for field in schema.split(", ")] == found.columns
        return found

    def groupBy(self, *names):  # noqa: N802
        table = pa.Table.from_batches(batch for part in self.partitions for batch in part).group_by(list(names))

        def collect(sums):
            of_groups = table.aggregate([(one.name, "sum") for one in sums])
            columns = [*names, *(f"{one.name}_sum" for one in sums)]
            return list(zip(*(of_groups.column(name).to_pylist() for name in columns), strict=True))

        return SimpleNamespace(agg=lambda *sums: SimpleNamespace(collect=lambda: collect(sums)))


@pytest.fixture
def no_spark(monkeypatch):
    """Let `Frame` be the data frame of pyspark."""
    pyspark, sql = ModuleType("pyspark"), ModuleType("pyspark.sql")
    sql.DataFrame, pyspark.sql = Frame, sql
    pyspark.TaskContext = SimpleNamespace(get=lambda: SimpleNamespace(partitionId=lambda: 3))
    sql.functions = SimpleNamespace(
        col=lambda quoted: Column(quoted[1:-1].replace("``", "`")), sum=lambda name: Column(name),
        xxhash64=lambda column: replace(column, kind="hash"),
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "pyspark", pyspark)
    monkeypatch.setitem(sys.modules, "pyspark.sql", sql)


HYPS = ["a cat sat", "", "the dog", "we", "b c d e", "the cat"]
REFS = [["a cat sits"], ["x", "y"], ["a dog", "the dog"], ["b"], ["b c d"], ["cat"]]


def frame(*partitions):
    """A data frame of partitions, each a list of batches of two columns; a third one numbers all rows."""
    numbers = count()

    def batch_of(hyps, refs):
        kind = pa.list_(pa.string()) if any(isinstance(group, list) for group in refs) else pa.string()
        columns = [pa.array(hyps, pa.string()), pa.array(refs, kind), pa.array(islice(numbers, len(hyps)), pa.int64())]
        return pa.RecordBatch.from_arrays(columns, names=["hyp", "refs", "id"])

    return Frame([[batch_of(*batch) for batch in part] for part in partitions])


ONE = frame([(HYPS, REFS)])
SEVERAL = frame([(HYPS[:1], REFS[:1]), (HYPS[1:4], REFS[1:4])], [(HYPS[4:], REFS[4:])])


@pytest.mark.usefixtures("no_spark")
@pytest.mark.parametrize("metric", ["bleu", "rouge", "token_f1"])
def test_the_sums_of_partitions_give_the_score_of_one_machine(metric):
    expected = getattr(textgauge, metric)(HYPS, REFS)
    for table in (ONE, SEVERAL):
        assert over_spark.score(table, metric, **COLUMNS) == expected


@pytest.mark.usefixtures("no_spark")
def test_several_metrics_share_one_pass(monkeypatch):
    options = {**COLUMNS, "confidence": 0.5, "n_resamples": 7, "key_column": "id"}
    several = {"bleu": {"max_order": 2}, "rougeL": {}, "chrf": {}}
    alone = {name: over_spark.score(SEVERAL, name, **own, **options) for name, own in several.items()}
    read = []
    select = Frame.select
    monkeypatch.setattr(Frame, "select", lambda self, *columns: read.append(columns) or select(self, *columns))
    assert over_spark.score(SEVERAL, several, **options) == alone
    assert len(read) == 1
    with pytest.raises(ValueError, match="metric: expected a metric with references and exact sums, got 'perplexity'"):
        over_spark.score(ONE, ["bleu", "perplexity"], **COLUMNS)


def test_columns_of_several_metrics_are_added():
    measures = textgauge.Bleu(), textgauge.TokenF1()
    [scored] = RowScores(measures, ("hyp", "refs"), (0, 1), (("bleu",), ("f1", "exact_match")))([batch(["b"], ["b c"])])
    assert [scored.column(f"score{i}").to_pylist() for i in range(3)] == [[0.0], [2 / 3], [0.0]]


@pytest.mark.usefixtures("no_spark")
def test_bad_batches_are_counted_and_empty_ones_are_nothing():
    table = frame([(["a", None], ["a", "b"]), ([None], ["a"]), (["a"], ["a"])], [(["a"], [None]), (["b"], ["b"])])
    got = r"prediction_column 'hyp': expected text in every row, got 2 nulls, one in"
    with pytest.raises(ValueError, match=f"{got} row 1 of partition 3$"):
        over_spark.score(table, "bleu", **COLUMNS)
    with pytest.raises(ValueError, match=f"{got} the row with key 1$"):
        over_spark.score(table, "bleu", **COLUMNS, confidence=0.9, key_column="id")
    [[empty]] = frame([([], [])]).partitions
    with pytest.raises(ValueError, match="dataframe: expected at least one row, got none"):
        over_spark.score(Frame([[empty]]), "bleu", **COLUMNS)
    words = frame([(["a b"], ["a c"])])
    beside = Frame([[empty, *words.partitions[0], empty], [empty]])
    assert over_spark.score(beside, "rouge1", **COLUMNS) == over_spark.score(words, "rouge1", **COLUMNS)


def worker(kind, **fields):
    measures, names = (textgauge.Rouge(rouge_types=["rouge1"]),), ("hyp", "refs")
    if kind is RowScores:
        return kind(measures, names, (0, 1), (("rouge1",),), **fields)
    return kind(measures, names, **fields)


def batch(hyps, refs):
    names = ["prediction", "reference"]
    return pa.RecordBatch.from_arrays([pa.array(hyps, pa.string()), pa.array(refs, pa.string())], names=names)


def test_empty_batches_and_partitions_are_nothing():
    assert pa.Table.from_batches(worker(partials.PartitionSums)([])).num_rows == 0
    [empty] = worker(RowScores)([batch([], [])])
    assert empty.schema.field("score0").type == pa.float64()


def test_sums_of_a_partition_do_not_depend_on_blocks(monkeypatch):
    rows = pa.RecordBatch.from_arrays(
        [pa.array(["a b", "b", "c a"] * 30), pa.array(["a", "b c", "c"] * 30), pa.array(range(90), pa.int64())],
        names=[partials.PREDICTION, partials.REFERENCE, partials.KEY],
    )
    whole = pa.Table.from_batches(worker(partials.PartitionSums, n_resamples=5)([rows]))
    monkeypatch.setattr(partials, "_EXACT", 40)
    monkeypatch.setattr(partials, "_BLOCK", 7)
    assert pa.Table.from_batches(worker(partials.PartitionSums, n_resamples=5)([rows])).equals(whole)


def test_workers_warn_of_texts_without_tokens_once_per_partition():
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
    with pytest.raises(ImportError, match=r'pyspark is not installed: pip install "textgauge\[spark\]", or in a clone'):
        call(None, "bleu", **COLUMNS)
