"""The work of workers, without Spark: a partition is a list of Arrow batches, some of whose rows are wrong."""

import math
import sys
import types
import warnings
import zlib

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from textgauge import spark as over_spark
from textgauge.resampling import percentile_interval, poisson_weights
from textgauge.spark import columns as of_spark
from textgauge.spark import corpus as sums_of_partitions
from textgauge.spark.rows import RowScores
from warned import warned

COLUMNS = {"prediction_column": "hyp", "reference_column": "refs"}


def test_columns_of_several_metrics_are_added():
    accumulators = textgauge.Bleu(), textgauge.TokenF1()
    [scored] = RowScores(accumulators, ("hyp", "refs"), (0, 1), (("bleu",), ("f1", "exact_match")))(
        [batch(["b"], ["b c"])]
    )
    assert [scored.column(f"score{i}").to_pylist() for i in range(3)] == [[math.exp(-1)], [2 / 3], [0.0]]


def worker(kind, **fields):
    accumulators, names = (textgauge.Rouge(rouge_types=["rouge1"]),), ("hyp", "refs")
    if kind is RowScores:
        return kind(accumulators, names, (0, 1), (("rouge1",),), **fields)
    return kind(accumulators, names, **fields)


def batch(hyps, refs):
    names = ["prediction", "reference"]
    return pa.RecordBatch.from_arrays([pa.array(hyps, pa.string()), pa.array(refs, pa.string())], names=names)


def test_empty_batches_and_partitions_are_nothing():
    sums = pa.Table.from_batches(worker(sums_of_partitions.PartitionSums)([batch([], []), batch(["a"], ["a b"])]))
    assert sums.equals(pa.Table.from_batches(worker(sums_of_partitions.PartitionSums)([batch(["a"], ["a b"])])))
    assert pa.Table.from_batches(worker(sums_of_partitions.PartitionSums)([])).num_rows == 0
    [empty] = worker(RowScores)([batch([], [])])
    assert empty.schema.field("score0").type == pa.float64()


def test_sums_of_a_partition_do_not_depend_on_blocks(monkeypatch):
    rows = pa.RecordBatch.from_arrays(
        [pa.array(["a b", "b", "c a"] * 30), pa.array(["a", "b c", "c"] * 30), pa.array(range(90), pa.int64())],
        names=[sums_of_partitions.PREDICTION, sums_of_partitions.REFERENCE, sums_of_partitions.KEY],
    )
    whole = pa.Table.from_batches(worker(sums_of_partitions.PartitionSums, n_resamples=5)([rows]))
    monkeypatch.setattr(sums_of_partitions, "_EXACT", 40)
    monkeypatch.setattr(sums_of_partitions, "_BLOCK", 7)
    assert pa.Table.from_batches(worker(sums_of_partitions.PartitionSums, n_resamples=5)([rows])).equals(whole)


def test_workers_warn_of_texts_without_tokens_once_per_partition():
    batches = [batch(["猫"], ["a"])] * 3
    assert [text[:23] for text in warned(lambda: [*worker(RowScores)(batches)])] == ["3 texts are not empty b"]


def collected(kind, batches, **fields):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = pa.Table.from_batches(worker(kind, **fields)(batches))
    return found, [str(warning.message) for warning in caught]


def test_bad_rows_count_over_batches(monkeypatch):
    """Rows are named and counted from the first of the partition, whatever the batches."""
    context = types.SimpleNamespace(TaskContext=types.SimpleNamespace(get=lambda: None))
    monkeypatch.setitem(sys.modules, "pyspark", context)
    both = [(["a b"], ["a b"]), (["b"], ["c"]), (["a", None, "b"], ["a", "a b", None]), ([None], ["a b"])]
    given = [batch(*sides) for sides in both]
    scored, told = collected(RowScores, given)
    refusals = scored.column("refusal").to_pylist()
    assert not told
    assert refusals[:2] == [None, None]
    assert refusals[2:5] == [refusals[2]] * 3
    assert "1 null in a batch of 3 rows, one in row 4 of a part" in refusals[2]
    assert "1 null in a batch of 1 rows, one in row 6 of a part" in refusals[5]
    assert scored.column("score0").to_pylist()[:2] == [1.0, 0.0]
    scored, told = collected(RowScores, given, skip_bad=True)
    assert scored.column("refusal").to_pylist() == [None] * 6
    assert [str(score) for score in scored.column("score0").to_pylist()] == ["1.0", "0.0", "1.0", "nan", "nan", "nan"]
    assert len(told) == 1
    assert told[0].startswith("3 bad rows were given the score NaN: ")

    def of_kind(kind, **fields):
        rows = collected(sums_of_partitions.PartitionSums, given, **fields)[0].to_pylist()
        return {row["name"].replace("\t", " "): row["digit0"] for row in rows if row["kind"] == kind}

    assert of_kind(sums_of_partitions.PLACE) == {"row 4 of a partition": 1}
    assert [*of_kind(sums_of_partitions.WRONG).values()] == [2, 1]
    assert of_kind(sums_of_partitions.SKIPPED, skip_bad=True) == {"": 3}
    assert of_kind(sums_of_partitions.PLACE, skip_bad=True) == {}


@pytest.mark.parametrize("kind", [sums_of_partitions.PartitionSums, RowScores])
def test_a_worker_with_another_version_refuses(kind):
    with pytest.raises(RuntimeError, match=r"on a worker: .*0\.0.*got '0.2.0'"):
        next(worker(kind, version="0.0")([]))


@pytest.mark.parametrize("call", [over_spark.score, over_spark.add_scores])
def test_missing_pyspark(monkeypatch, call):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(ImportError, match=r'pyspark is not installed: pip install "textgauge\[spark\]", or in a clone'):
        call(None, "bleu", **COLUMNS)


ROWS = [
    ("a", ["b"], "s", True), (None, ["b"], "s", False), ("a", None, "s", False), ("a", [], "s", False),
    ("a", ["b", None], "s", False), ("a", [None, "b"], "s", False), ("", ["b", ""], "s", True),
    ("a", ["c"], None, False),
    ("a", ["b", "c"], "s", True),
]  # fmt: skip
NAMES = ("p", "r", "s")


def columns(rows, n, kind=pa.list_):
    types = (pa.string(), kind(pa.string()), pa.string())
    return [pa.array([row[i] for row in rows], types[i]) for i in range(n)]


@pytest.mark.parametrize("kind", [pa.list_, pa.large_list])
def test_rows_that_are_bad(kind):
    assert of_spark.are_good(columns(ROWS, 3, kind), has_sources=True).tolist() == [row[3] for row in ROWS]
    own = [row[3] or row[2] is None for row in ROWS]
    assert of_spark.are_good(columns(ROWS, 2, kind)).tolist() == own
    assert of_spark.are_good(columns(ROWS, 1)).tolist() == [row[0] is not None for row in ROWS]
    # Rows of a slice keep their own references.
    for start in range(len(ROWS)):
        part = [column.slice(start) for column in columns(ROWS, 2, kind)]
        assert of_spark.are_good(part).tolist() == own[start:]
    texts = [pa.array(["a", None, "c"]), pa.array(["a", "b", None])]
    assert of_spark.are_good(texts).tolist() == [True, False, False]


def test_wrong_values_are_counted_by_column():
    found = of_spark.wrong_values(columns(ROWS, 3), NAMES, has_sources=True)
    assert found == {
        (of_spark.NULLS, "prediction_column", "p"): 1, (of_spark.NULLS, "reference_column", "r"): 3,
        (of_spark.EMPTY, "reference_column", "r"): 1, (of_spark.NULLS, "source_column", "s"): 1,
    }  # fmt: skip
    assert of_spark.wrong_values(columns(ROWS[:1], 3), NAMES, has_sources=True) == {}
    keys = pa.array([f"k{i}" for i in range(len(ROWS))])
    for start, first in ((0, 1), (2, 2), (5, 5), (6, 7)):
        part = [column.slice(start) for column in columns(ROWS, 3)]
        assert of_spark.wrong_row(part, keys=keys.slice(start), has_sources=True) == f"the row with key 'k{first}'"


class Column:
    def __init__(self, of, name=""):
        self.of, self.name = of, name

    def alias(self, name):
        return Column(self.of, name)

    def cast(self, _):
        return Column(lambda table: self.of(table).cast(pa.string()))


class Frame:
    """A data frame of two partitions, as far as a score asks for it."""

    def __init__(self, table):
        self.table, self.columns = table, table.column_names
        of_kind = {pa.string(): "string", pa.list_(pa.string()): "array<string>"}
        named = {field.name: of_kind.get(field.type, "int") for field in table.schema}
        self.schema = {
            name: types.SimpleNamespace(dataType=types.SimpleNamespace(simpleString=lambda kind=kind: kind))
            for name, kind in named.items()
        }

    def select(self, *chosen):
        return Frame(pa.table({column.name: column.of(self.table) for column in chosen}))

    def mapInArrow(self, made, _):  # noqa: N802
        parts = self.table[:3], self.table[3:]
        return Frame(pa.concat_tables(pa.Table.from_batches(made(part.to_batches())) for part in parts))

    def groupBy(self, *names):  # noqa: N802
        def summed(*columns):
            found = self.table.group_by([*names]).aggregate([(column.name, "sum") for column in columns])
            keys = *names, *(f"{column.name}_sum" for column in columns)
            return types.SimpleNamespace(collect=lambda: [tuple(row[key] for key in keys) for row in found.to_pylist()])

        return types.SimpleNamespace(agg=summed)

    def agg(self, counted):
        return types.SimpleNamespace(first=lambda: [counted.of(self.table)])


def hashed(column):
    return Column(lambda table: pa.array([zlib.crc32(repr(key).encode()) for key in column.of(table).to_pylist()]))


@pytest.fixture
def frame(monkeypatch):
    functions = types.SimpleNamespace(
        col=lambda name: Column(lambda table: table[name.strip("`")]), xxhash64=hashed,
        sum=lambda name: Column(None, name),
        count_distinct=lambda column: Column(lambda table: len(column.of(table).unique())),
    )  # fmt: skip
    sql = types.SimpleNamespace(DataFrame=Frame, functions=functions)
    context = types.SimpleNamespace(get=lambda: None)
    monkeypatch.setitem(sys.modules, "pyspark", types.SimpleNamespace(sql=sql, TaskContext=context))
    monkeypatch.setitem(sys.modules, "pyspark.sql", sql)
    hyps = ["a b c", "a", "b c", "c d a", "a b", "d", "a a b", "b"]
    refs = [["a b c"], ["b", "a c"], ["c b"], ["c d"], ["a b"], ["a"], ["a b"], ["c"]]
    return Frame(
        pa.table({"hyp": hyps, "refs": pa.array(refs, pa.list_(pa.string())), "doc": [0, 0, 1, 1, 2, 2, 3, 4]})
    )


def test_scores_and_intervals_of_partitions(frame):
    texts = [frame.table[name].to_pylist() for name in ("hyp", "refs")]
    one = {name: getattr(textgauge, name)(*texts) for name in ("bleu", "ter", "chrf")}
    assert over_spark.score(frame, [*one], **COLUMNS) == one
    assert over_spark.score(frame, "ter", **COLUMNS, skip_bad=True) == {**one["ter"], "skipped": 0}
    drawn = {"confidence": 0.9, "n_resamples": 30, "seed": 5, "key_column": "doc", "signature": True}
    with pytest.warns(UserWarning, match=r"only 5 units \(doc\) are drawn"):
        found = over_spark.score(frame, ["rouge1", "bleu"], **COLUMNS, **drawn)
    keys = hashed(Column(lambda table: table["doc"])).of(frame.table).to_numpy()
    weights = poisson_weights(keys.astype(np.uint64), 30, 5)
    means = weights @ textgauge.segment_scores("rouge1", *texts) / weights.sum(axis=1)
    bounds = np.clip(percentile_interval(means, 0.9, 5), 0, 1)
    assert found["rouge1"]["confidence_intervals"]["rouge1"] == pytest.approx(bounds.tolist())
    for result in found.values():
        assert "|bs:30|seed:5|unit:doc|units:5|" in result["signature"]


def test_bad_rows_of_partitions(frame):
    bad = frame.table.set_column(0, "hyp", [[None, *frame.table["hyp"].to_pylist()[1:7], None]])
    with pytest.raises(ValueError, match="^prediction_column 'hyp': .* got 2 nulls, one in row 1 of a partition"):
        over_spark.score(Frame(bad), "ter", **COLUMNS)
    with pytest.raises(ValueError, match="one in the row with key '0'"):
        over_spark.score(Frame(bad), "ter", **COLUMNS, confidence=0.9, key_column="doc")
    kept = [frame.table[name].to_pylist()[1:7] for name in ("hyp", "refs")]
    with pytest.warns(UserWarning, match="2 bad rows were left out"):
        found = over_spark.score(Frame(bad), "ter", **COLUMNS, skip_bad=True)
    assert found == {**textgauge.ter(*kept), "skipped": 2}
    for rows, got in ((bad[:0], "none"), (bad[:1], "1 bad rows")):
        with pytest.raises(ValueError, match=f"^dataframe: .*got {got}"):
            over_spark.score(Frame(rows), "ter", **COLUMNS, skip_bad=True)
    with pytest.raises(ValueError, match="^dataframe: .*at least 2 rows.*got 1"):
        over_spark.score(Frame(frame.table[:1]), "ter", **COLUMNS, confidence=0.9, key_column="doc")
