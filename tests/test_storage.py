"""Statistics as Arrow tables: they come back exactly, and nothing else is taken for them."""

import json

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import MEASURES
from pyarrow import ipc
from strategies import corpora

OPTIONS = {"max_order": 2, "lowercase": True}
TABLE = textgauge.Bleu(**OPTIONS).update(["a b", "c"], [["a b", "x"], ["d"]]).to_arrow()
ANSWERS = textgauge.TokenF1().update(["b"], ["b"]).to_arrow()
STORABLE = [name for name, measure in MEASURES.items() if hasattr(measure.accumulator(), "to_arrow")]


def options_of(accumulator):
    """Read from the fields, so that every entry of the table of laws comes back."""
    if isinstance(accumulator, textgauge.Bleu):
        names = ("max_order", "smoothing", "smooth_value", "weights", "reference_length", "counting")
        return {name: getattr(accumulator.options, name) for name in names} | {"tokenizer": accumulator.tokenizer}
    return {name: getattr(accumulator, name) for name in ("counting", "normalizer", "tokenizer")}


@pytest.mark.filterwarnings("ignore:.*have no token")
@pytest.mark.parametrize("name", STORABLE)
@settings(deadline=None, max_examples=20)
@given(corpus=corpora, cut=st.integers(0, 4))
def test_a_table_comes_back_exactly(name, corpus, cut):
    accumulator = MEASURES[name].accumulator().update([h for h, _ in corpus], [r for _, r in corpus])
    tables = accumulator.to_arrow().slice(0, cut), accumulator.to_arrow().slice(cut)
    sink = pa.BufferOutputStream()
    with ipc.new_stream(sink, tables[0].schema) as writer:
        for table in tables:
            writer.write_table(table)
    read = ipc.open_stream(sink.getvalue()).read_all()
    found = type(accumulator).from_arrow(read, **options_of(accumulator))
    assert np.array_equal(found.statistics, accumulator.statistics)
    assert found.score(signature=True) == accumulator.score(signature=True)


@pytest.mark.parametrize("name", STORABLE)
def test_no_segments_are_no_rows_and_add_nothing(name):
    empty = MEASURES[name].accumulator()
    table = empty.to_arrow()
    assert len(table) == 0
    found = type(empty).from_arrow(table, **options_of(empty))
    full = MEASURES[name].accumulator().update(["a b"], ["a b"])
    assert (found + full).score() == full.score()


def about(**changes):
    metadata = json.loads(TABLE.schema.metadata[b"textgauge"])
    return TABLE.replace_schema_metadata({"textgauge": json.dumps({**metadata, **changes})})


def column(values, kind=None):
    kind = kind or pa.list_(pa.int64(), 6)
    return pa.table({"statistics": pa.array(values, kind)}).replace_schema_metadata(TABLE.schema.metadata)


REFUSED = {
    "no table": ([1], TypeError, "a pyarrow Table, got [1]"),
    "no metadata": (TABLE.replace_schema_metadata(None), ValueError, "one that to_arrow made"),
    "foreign metadata": (TABLE.replace_schema_metadata({"textgauge": "\x80\x04"}), ValueError, "one that to_arrow"),
    "deep metadata": (TABLE.replace_schema_metadata({"textgauge": "[" * 99_999}), ValueError, "one that to_arrow"),
    "metadata of a list": (TABLE.replace_schema_metadata({"textgauge": "[]"}), ValueError, "one that to_arrow"),
    "other accumulator": (ANSWERS, ValueError, "statistics of Bleu in format 1, got ('TokenF1', 1)"),
    "other format": (about(format=2), ValueError, "statistics of Bleu in format 1, got ('Bleu', 2)"),
    "other option": (about(options={}), ValueError, "statistics counted with case:lc, got case:None"),
    "other references": (about(references=["1"]), ValueError, "one that to_arrow made"),
    "other column": (
        TABLE.rename_columns(["x"]).replace_schema_metadata(TABLE.schema.metadata),
        TypeError,
        "the schema (statistics: fixed_size_list",
    ),
    "other type": (column([[1.0] * 6], pa.list_(pa.float64(), 6)), TypeError, "the schema (statistics: fixed_size"),
    "other width": (column([[1] * 5], pa.list_(pa.int64(), 5)), TypeError, "the schema (statistics: fixed_size"),
    "null row": (column([None]), ValueError, "a count everywhere, got null"),
    "null value": (column([[1] * 5 + [None]]), ValueError, "a count everywhere, got null"),
    "negative": (column([[1] * 5 + [-1]]), ValueError, "counts from 0 to 9007199254740992, got -1"),
    "too large": (column([[1 << 62] * 6]), ValueError, "counts from 0 to"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name):
    table, error, message = REFUSED[name]
    with pytest.raises(error) as caught:
        textgauge.Bleu.from_arrow(table, **OPTIONS)
    assert str(caught.value).startswith("table: expected ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "options", [{}, {"max_order": 2}, {**OPTIONS, "tokenizer": "none"}, {**OPTIONS, "smooth": True}]
)
def test_other_options_are_named(options):
    with pytest.raises(ValueError, match="table: expected statistics counted with (case|tok|smooth|order):"):
        textgauge.Bleu.from_arrow(TABLE, **options)


def test_nan_is_no_count():
    options = {"max_order": 1, "reference_length": "average"}
    table = textgauge.Bleu(**options).update(["a"], ["a"]).to_arrow()
    values = pa.array([[1.0, 1.0, float("nan"), 1.0]], pa.list_(pa.float64(), 4))
    table = table.set_column(0, "statistics", values)
    with pytest.raises(ValueError, match="counts from 0 to .*, got nan"):
        textgauge.Bleu.from_arrow(table, **options)
