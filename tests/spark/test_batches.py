"""Which rows of an Arrow batch are wrong, on a worker: without Spark."""

import pyarrow as pa
import pytest
from textgauge.spark import columns as of_spark

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
