"""Statistics as Arrow tables: they are read back exactly, and other tables are refused."""

import json

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import MEASURES
from pyarrow import ipc
from quick import examples
from strategies import corpora

OPTIONS = {"max_order": 2, "lowercase": True}
TABLE = textgauge.Bleu(**OPTIONS).update(["a b", "c"], [["a b", "x"], ["d"]]).to_arrow()
# Perplexity, whose rows are not counts, has separate tests.
COUNTED = [name for name, measure in MEASURES.items() if not isinstance(measure.accumulator(), textgauge.Perplexity)]
ANSWERS = textgauge.TokenF1().update(["b"], ["b"]).to_arrow()


@pytest.mark.filterwarnings("ignore:.*have no token")
@pytest.mark.parametrize("name", COUNTED)
@settings(max_examples=examples(20))
@given(corpus=corpora, cut=st.integers(0, 4))
def test_a_table_comes_back_exactly(name, corpus, cut):
    accumulator = MEASURES[name].accumulator().update([h for h, _ in corpus], [r for _, r in corpus])
    tables = accumulator.to_arrow().slice(0, cut), accumulator.to_arrow().slice(cut)
    sink = pa.BufferOutputStream()
    with ipc.new_stream(sink, tables[0].schema) as writer:
        for table in tables:
            writer.write_table(table)
    read = ipc.open_stream(sink.getvalue()).read_all()
    found = type(accumulator).from_arrow(read, **MEASURES[name].options)
    assert np.array_equal(found.statistics, accumulator.statistics)
    assert found.score(signature=True) == accumulator.score(signature=True)


@pytest.mark.parametrize("name", COUNTED)
def test_no_segments_are_no_rows_and_add_nothing(name):
    empty = MEASURES[name].accumulator()
    table = empty.to_arrow()
    assert len(table) == 0
    found = type(empty).from_arrow(table, **MEASURES[name].options)
    full = MEASURES[name].accumulator().update(["a b"], ["a b"])
    assert (found + full).score() == full.score()


PERPLEXITY = (
    textgauge.Perplexity().update(probs=[[1 / 2, 1 / 4], []])
    + textgauge.Perplexity().update(log_probs=[[-1.0]], base=2, texts=["ä b"])
    + textgauge.Perplexity().update_texts(["b", "a"], model=textgauge.NgramModel(1, "mle").fit(["a"]))
)


def test_perplexity_comes_back_with_its_sources_texts_and_endless_values():
    table = PERPLEXITY.to_arrow()
    assert (len(table), table.schema.names) == (5, ["statistics"])
    found = textgauge.Perplexity.from_arrow(pa.concat_tables([table.slice(0, 2), table.slice(2)]))
    assert np.array_equal(found.statistics, PERPLEXITY.statistics, equal_nan=True)
    with pytest.warns(UserWarning, match="1 texts have no token to score"):
        results = [measure.score(signature=True) for measure in (found, PERPLEXITY)]
    assert results[0] == results[1]
    assert "model:var" in results[0]["signature"]
    empty = textgauge.Perplexity().to_arrow()
    assert len(empty) == 0
    assert textgauge.Perplexity.from_arrow(empty).to_arrow() == empty


@pytest.mark.parametrize(
    ("row", "got"),
    [
        ([float("nan"), 1.0, 1.0, 1.0], "nan"),
        ([1.0, -1.0, 1.0, 1.0], "-1.0"),
        ([1.0, float("nan"), 1.0, 1.0], "nan"),
        ([1.0, 1.0, float("inf"), 1.0], "inf"),
    ],
)
def test_impossible_rows_of_perplexity_are_refused(row, got):
    table = PERPLEXITY.to_arrow()
    values = pa.array([row], pa.list_(pa.float64(), 4))
    other = pa.table({"statistics": values}).replace_schema_metadata(table.schema.metadata)
    with pytest.raises(ValueError, match=f"table: expected nll, tokens, bytes and words of every segment, got {got}"):
        textgauge.Perplexity.from_arrow(other)


@pytest.mark.parametrize("sources", [[[["model", 1]]], [["model"]], 3, "ab"])
def test_sources_of_perplexity_are_pairs_of_text(sources):
    table = PERPLEXITY.to_arrow()
    changed = {**json.loads(table.schema.metadata[b"textgauge"]), "sources": sources}
    with pytest.raises(ValueError, match="table: expected a table of to_arrow with its metadata"):
        textgauge.Perplexity.from_arrow(table.replace_schema_metadata({"textgauge": json.dumps(changed)}))


def test_trials_stay_with_their_segment():
    options = {"rouge_types": ["rouge1", "rougeW"], "multi_reference": "average"}
    whole = textgauge.Rouge(**options).update(["a b", "c"], [["a", "b", "a b"], ["c"]])
    table = whole.to_arrow()
    assert [len(rows) for rows in table["statistics"].to_pylist()] == [3, 1]
    parts = [textgauge.Rouge.from_arrow(table.slice(i, 1), **options) for i in (0, 1)]
    assert (parts[0] + parts[1]).score() == whole.score()
    no_trial = pa.table({"statistics": pa.array([[]], table.schema.field(0).type)})
    with pytest.raises(ValueError, match="table: expected a row of counts for every segment, got none"):
        textgauge.Rouge.from_arrow(no_trial.replace_schema_metadata(table.schema.metadata), **options)
    endless = pa.table({"statistics": pa.array([[[float("inf")] * 6]], table.schema.field(0).type)})
    with pytest.raises(ValueError, match="table: expected sums of weights that a text can have, got inf"):
        textgauge.Rouge.from_arrow(endless.replace_schema_metadata(table.schema.metadata), **options)


def about(**changes):
    metadata = json.loads(TABLE.schema.metadata[b"textgauge"])
    return TABLE.replace_schema_metadata({"textgauge": json.dumps({**metadata, **changes})})


def column(values, kind=None):
    kind = kind or pa.list_(pa.int64(), 6)
    return pa.table({"statistics": pa.array(values, kind)}).replace_schema_metadata(TABLE.schema.metadata)


REFUSED = {
    "no table": ([1], TypeError, "a pyarrow Table, got [1]"),
    "no metadata": (TABLE.replace_schema_metadata(None), ValueError, "a table of to_arrow"),
    "foreign metadata": (TABLE.replace_schema_metadata({"textgauge": "\x80\x04"}), ValueError, "a table of to_arrow"),
    "deep metadata": (TABLE.replace_schema_metadata({"textgauge": "[" * 99_999}), ValueError, "a table of to_arrow"),
    "metadata of a list": (TABLE.replace_schema_metadata({"textgauge": "[]"}), ValueError, "a table of to_arrow"),
    "other accumulator": (ANSWERS, ValueError, "statistics of Bleu in format 1, got ('TokenF1', 1)"),
    "other format": (about(format=2), ValueError, "statistics of Bleu in format 1, got ('Bleu', 2)"),
    "other option": (about(options={}), ValueError, "statistics counted with case:lc, got case:None"),
    "other references": (about(references=["1"]), ValueError, "a table of to_arrow"),
    "other column": (
        TABLE.rename_columns(["x"]).replace_schema_metadata(TABLE.schema.metadata),
        TypeError,
        "the schema (statistics: fixed_size_list",
    ),
    "other type": (column([[1.0] * 6], pa.list_(pa.float64(), 6)), TypeError, "the schema (statistics: fixed_size"),
    "other width": (column([[1] * 5], pa.list_(pa.int64(), 5)), TypeError, "the schema (statistics: fixed_size"),
    "null row": (column([None]), ValueError, "counts without nulls, got null"),
    "null value": (column([[1] * 5 + [None]]), ValueError, "counts without nulls, got null"),
    "negative": (column([[1] * 5 + [-1]]), ValueError, "counts from 0 to 4398046511104, got -1"),
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
    "options", [{"max_order": 4}, {"max_order": 2}, {**OPTIONS, "tokenizer": "none"}, {**OPTIONS, "smooth": True}]
)
def test_other_options_are_named(options):
    with pytest.raises(ValueError, match="table: expected statistics counted with (case|tok|smooth|order):"):
        textgauge.Bleu.from_arrow(TABLE, **options)


def test_a_table_carries_plain_options():
    assert textgauge.Bleu.from_arrow(TABLE).score() == textgauge.Bleu.from_arrow(TABLE, **OPTIONS).score()
    own = textgauge.Bleu(tokenizer=str.split).update(["a b"], ["a b"])
    with pytest.raises(ValueError, match="table: expected statistics counted with tok:13a"):
        textgauge.Bleu.from_arrow(own.to_arrow())


def test_nan_is_no_count():
    options = {"max_order": 1, "reference_length": "average"}
    table = textgauge.Bleu(**options).update(["a"], ["a"]).to_arrow()
    values = pa.array([[1.0, 1.0, float("nan"), 1.0]], pa.list_(pa.float64(), 4))
    table = table.set_column(0, "statistics", values)
    with pytest.raises(ValueError, match="counts from 0 to .*, got nan"):
        textgauge.Bleu.from_arrow(table, **options)
