"""Statistics as Arrow tables: they are read back exactly, and other tables are refused."""

import json

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from hypothesis import strategies as st
from laws import MEASURES, numbers
from pyarrow import ipc
from quick import holds
from strategies import corpora
from textgauge.accumulation.storage import checksum
from textgauge.metric.layout import Rows

OPTIONS = {"max_order": 2, "lowercase": True}
COUNTED_BLEU = textgauge.Bleu(**OPTIONS).update(["a b", "c"], [["a b", "x"], ["d"]])
TABLE = COUNTED_BLEU.to_arrow()
# Perplexity, whose rows are not counts, has separate tests.
COUNTED = [name for name, one in MEASURES.items() if "Perplexity" not in one.public]
cut_corpora = st.tuples(corpora, st.integers(0, 4))
NO_TABLE = "^table: expected a table of to_arrow with its metadata, got"
ANSWERS = textgauge.TokenF1().update(["b"], ["b"]).to_arrow()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", COUNTED)
def test_a_table_comes_back_exactly(name):
    holds(cut_corpora, 20, lambda drawn: comes_back(name, *drawn))


def comes_back(name, corpus, cut):
    accumulator = MEASURES[name].accumulator().update([h for h, _ in corpus], [r for _, r in corpus])
    table = accumulator.to_arrow()
    tables = table.slice(0, cut), table.slice(cut)
    sink = pa.BufferOutputStream()
    with ipc.new_stream(sink, tables[0].schema) as writer:
        for table in tables:
            writer.write_table(table)
    read = ipc.open_stream(sink.getvalue()).read_all()
    found = type(accumulator).from_arrow(read, **MEASURES[name].options)
    assert np.array_equal(numbers(found.statistics), numbers(accumulator.statistics))
    assert found.score(signature=True) == accumulator.score(signature=True)


@pytest.mark.filterwarnings("ignore:CIDEr of one image")
@pytest.mark.parametrize("name", COUNTED)
def test_table_has_a_column_for_every_field(name):
    empty, accumulator = (MEASURES[name].accumulator() for _ in range(2))
    accumulator.update(["b c d e f"], [["b c", "b"]])
    columns = accumulator.to_arrow().to_pydict()
    expected = {field.name: accumulator.statistics[field.name].tolist() for field in accumulator.metric.layout.fields}
    trials = [("segment", columns["segment"])] if accumulator.metric.layout.has_trials else []
    assert [*columns.items()] == [*expected.items(), *trials]
    assert len(table := empty.to_arrow()) == 0
    assert (type(empty).from_arrow(table, **MEASURES[name].options) + accumulator).score() == accumulator.score()


PERPLEXITY = (
    textgauge.Perplexity().update(probs=[[1 / 2, 1 / 4], []])
    + textgauge.Perplexity().update(log_probs=[[-1.0]], base=2, texts=["ä b"])
    + textgauge.Perplexity().update_texts(["b", "a"], model=textgauge.NgramModel(1, "mle").fit(["a"]))
)


def test_perplexity_table_comes_back():
    table = PERPLEXITY.to_arrow()
    assert (len(table), table.schema.names) == (5, ["nll", "n_tokens", "n_bytes", "n_words"])
    found = textgauge.Perplexity.from_arrow(pa.concat_tables([table.slice(0, 2), table.slice(2)]))
    assert np.array_equal(found.statistics.values, PERPLEXITY.statistics.values, equal_nan=True)
    with pytest.warns(UserWarning, match="1 text has no token to score"):
        results = [accumulator.score(signature=True) for accumulator in (found, PERPLEXITY)]
    assert results[0] == results[1]
    assert "model:var" in results[0]["signature"]
    empty = textgauge.Perplexity().to_arrow()
    assert len(empty) == 0
    assert textgauge.Perplexity.from_arrow(empty).to_arrow() == empty


def forged(accumulator, **changed):
    """The table of an accumulator with other numbers, and a checksum that fits them."""
    table = accumulator.to_arrow()
    rows = accumulator.statistics
    columns = {field.name: changed.get(field.name, rows[field.name]) for field in accumulator.metric.layout.fields}
    values = accumulator.metric.layout.filled(len(rows.values), **columns).values
    about = json.loads(table.schema.metadata[b"textgauge"])
    about["checksum"] = checksum(Rows(accumulator.metric.layout, values, rows.per_segment), about)
    arrays = []
    for field in accumulator.metric.layout.fields:
        flat = pa.array(np.asarray(columns[field.name]).reshape(-1), pa.int64() if field.is_whole else pa.float64())
        arrays.append(pa.FixedSizeListArray.from_arrays(flat, field.size) if field.size else flat)
    return pa.table(arrays, [*columns]).replace_schema_metadata({"textgauge": json.dumps(about)})


def test_impossible_rows_of_perplexity_are_refused():
    with pytest.raises(ValueError, match="^table: .*n_tokens.*got -1"):
        textgauge.Perplexity.from_arrow(forged(PERPLEXITY, n_tokens=[2, -1, 1, 1, 1]))


@pytest.mark.parametrize(
    "origin", [{"counters": [[["model", 1]]]}, {"counters": [["model"]]}, {"counters": 3}, "ab", {}]
)
def test_origin_of_perplexity(origin):
    table = PERPLEXITY.to_arrow()
    changed = {**json.loads(table.schema.metadata[b"textgauge"]), "origin": origin}
    if isinstance(origin, dict) and origin:
        changed["origin"]["references"] = []
    changed["checksum"] = checksum(PERPLEXITY.statistics, changed)
    with pytest.raises(ValueError, match=NO_TABLE):
        textgauge.Perplexity.from_arrow(table.replace_schema_metadata({"textgauge": json.dumps(changed)}))


def test_trials_stay_with_their_segment():
    options = {"rouge_types": ["rouge1", "rougeW"], "multi_reference": "average"}
    whole = textgauge.Rouge(**options).update(["a b", "c"], [["a", "b", "a b"], ["c"]])
    table = whole.to_arrow()
    assert table["segment"].to_pylist() == [0, 0, 0, 1]
    found = textgauge.Rouge.from_arrow(table, **options)
    assert found.segment_columns()["rouge1"].tolist() == whole.segment_columns()["rouge1"].tolist()
    other = table.set_column(table.schema.get_field_index("segment"), "segment", [[0, 0, 1, 1]])
    with pytest.raises(ValueError, match="table: .*to_arrow.*got other rows"):
        textgauge.Rouge.from_arrow(other, **options)


def about(**changes):
    metadata = json.loads(TABLE.schema.metadata[b"textgauge"])
    return TABLE.replace_schema_metadata({"textgauge": json.dumps({**metadata, **changes})})


def signed(**changes):
    """Changes that the checksum covers."""
    metadata = {**json.loads(TABLE.schema.metadata[b"textgauge"]), **changes}
    metadata["checksum"] = checksum(COUNTED_BLEU.statistics, metadata)
    return TABLE.replace_schema_metadata({"textgauge": json.dumps(metadata)})


def with_column(name, values, kind=None):
    at = TABLE.schema.get_field_index(name)
    array = pa.array(values, kind or TABLE.schema.field(at).type)
    return TABLE.set_column(at, name, array)


def without_checksum():
    metadata = json.loads(TABLE.schema.metadata[b"textgauge"])
    del metadata["checksum"]
    return TABLE.replace_schema_metadata({"textgauge": json.dumps(metadata)})


# As 0.1.0 stored it: all numbers in one column.
FORMAT_1 = pa.table(
    {"statistics": pa.array([[1, 1, 2, 1, 2, 2]] * 2, pa.list_(pa.int64(), 6))}
).replace_schema_metadata(
    {"textgauge": json.dumps({"format": 1, "accumulator": "Bleu", "options": {}, "keywords": {}, "references": [1]})}
)
CHANGED = "the rows that to_arrow stored, got other rows"
REFUSED = {
    "no table": ([1], TypeError, "a pyarrow Table, got [1]"),
    "no metadata": (TABLE.replace_schema_metadata(None), ValueError, "a table of to_arrow"),
    "foreign metadata": (TABLE.replace_schema_metadata({"textgauge": "\x80\x04"}), ValueError, "a table of to_arrow"),
    "deep metadata": (TABLE.replace_schema_metadata({"textgauge": "[" * 99_999}), ValueError, "a table of to_arrow"),
    "metadata of a list": (TABLE.replace_schema_metadata({"textgauge": "[]"}), ValueError, "a table of to_arrow"),
    "other accumulator": (ANSWERS, ValueError, "statistics of Bleu in format 4, got TokenF1 in format 4"),
    "other format": (about(format=5), ValueError, "statistics of Bleu in format 4, got Bleu in format 5"),
    "earlier format": (FORMAT_1, ValueError, "statistics of Bleu in format 4, got Bleu in format 1: count the texts"),
    "other option": (about(options={}), ValueError, "statistics counted with case:lc, got case:None"),
    "other keywords": (signed(keywords=["lowercase"]), ValueError, "a table of to_arrow with its metadata"),
    "other references": (signed(origin={"references": ["1"], "counters": []}), ValueError, "a table of to_arrow"),
    "no references": (signed(origin=None), ValueError, "a table of to_arrow with its metadata"),
    "endless references": (signed(origin={"references": [10**99], "counters": []}), ValueError, "a table of to_arrow"),
    "other column": (TABLE.drop_columns(["totals"]), TypeError, "the schema (matches: fixed_size_list"),
    "other type": (with_column("reference_length", [1.0, 1.0], pa.float64()), TypeError, "the schema (matches: fixed"),
    "other width": (with_column("totals", [[1]] * 2, pa.list_(pa.int64(), 1)), TypeError, "the schema (matches: fixed"),
    "null row": (with_column("totals", [[1, 1], None]), ValueError, "counts without nulls, got null"),
    "null value": (with_column("totals", [[1, 1], [1, None]]), ValueError, "counts without nulls, got null"),
    "changed number": (with_column("reference_length", [2, 2]), ValueError, CHANGED),
    "other checksum": (about(checksum=1), ValueError, CHANGED),
    "no checksum": (without_checksum(), ValueError, CHANGED),
    "fewer rows": (TABLE.slice(0, 1), ValueError, CHANGED),
    "more rows": (pa.concat_tables([TABLE, TABLE]), ValueError, CHANGED),
    "other order": (TABLE.take([1, 0]), ValueError, CHANGED),
    "negative": (forged(COUNTED_BLEU, reference_length=[2, -1]), ValueError, "reference_length of at least 0, got -1"),
    "too many": (forged(COUNTED_BLEU, reference_length=[2, 2**62]), ValueError, "of at most 1,000,000,000,000, got 46"),
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
    with pytest.raises(ValueError, match="^table: .* (case|tok|smooth|order):"):
        textgauge.Bleu.from_arrow(TABLE, **options)


def test_a_table_carries_plain_options():
    assert textgauge.Bleu.from_arrow(TABLE).score() == textgauge.Bleu.from_arrow(TABLE, **OPTIONS).score()
    own = textgauge.Bleu(tokenizer=str.split).update(["a b"], ["a b"])
    with pytest.raises(ValueError, match="^table: .*`tokenizer=`.*got none"):
        textgauge.Bleu.from_arrow(own.to_arrow())
    assert textgauge.Bleu.from_arrow(own.to_arrow(), tokenizer=str.split).score() == own.score()


@pytest.mark.parametrize("unstored", [None, [], ["x"], "tokenizer", [["tokenizer"]], 5])
def test_other_names_than_of_options_are_not_named(unstored):
    with pytest.raises(ValueError, match="^table: .*got case:'lc'"):
        textgauge.Bleu.from_arrow(signed(keywords=None, unstored=unstored))


def test_what_a_table_cannot_store_is_named():
    idf = textgauge.CiderWeights([["a cat sat"], ["the dog"]])
    table = textgauge.Cider(idf=idf).update(["a cat"], [["a cat sat"]]).to_arrow()
    with pytest.raises(ValueError, match="^table: .*`idf=`.*got none"):
        textgauge.Cider.from_arrow(table)
    assert textgauge.Cider.from_arrow(table, idf=idf).score()["cider"] > 0


@pytest.mark.parametrize("name", ["flores101", "flores200", "spm"])
def test_a_table_downloads_no_model(name, monkeypatch):
    monkeypatch.setattr("textgauge.text.sacrebleu_tokenizers._loaded", pytest.fail)
    message = f"^table: .*got tokenizer '{name}' in the table"
    with pytest.raises(ValueError, match=message):
        textgauge.Bleu.from_arrow(signed(keywords={"tokenizer": name}))


@pytest.mark.parametrize("name", ["self", "metric", "per_segment"])
def test_a_table_has_no_keywords_but_options(name):
    with pytest.raises(ValueError, match=NO_TABLE):
        textgauge.Bleu.from_arrow(signed(keywords={name: 1}))


def test_numbers_that_are_not_finite_are_refused():
    options = {"max_order": 1, "reference_length": "average"}
    accumulator = textgauge.Bleu(**options).update(["a"], ["a"])
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match=f"^table: .*reference_length, got {value}"):
            textgauge.Bleu.from_arrow(forged(accumulator, reference_length=[value]), **options)
    weighted = textgauge.Rouge(rouge_types=["rougeW-30"]).update(["a b"], ["a b"])
    assert textgauge.Rouge.from_arrow(weighted.to_arrow()).score() == weighted.score() == {"rougeW-30": 1.0}
    with pytest.raises(ValueError, match="^table: .*prediction, got inf"):
        textgauge.Rouge.from_arrow(forged(weighted, prediction=[[float("inf")]]))


@pytest.mark.parametrize(("name", "first", "second"), [
    ("Wer", "hits", "deletions"), ("Cer", "substitutions", "insertions"), ("Bleu", "matches", "totals"),
    ("Chrf", "prediction", "reference"), ("TokenF1", "prediction", "matches"), ("Rouge", "matches", "reference"),
    ("GoogleBleu", "matches", "ngrams"), ("Sari", "keep", "add"),
])  # fmt: skip
def test_exchanged_columns_are_refused(name, first, second):
    sources = {"sources": ["a b x", "d f"]} if name == "Sari" else {}
    counted = getattr(textgauge, name)().update(["a b c", "d"], ["a x", "d e"], **sources)
    table = counted.to_arrow()
    columns = dict(zip(table.column_names, table.columns, strict=True))
    assert columns[first] != columns[second]
    columns[first], columns[second] = columns[second], columns[first]
    exchanged = pa.table(columns).replace_schema_metadata(table.schema.metadata)
    with pytest.raises(ValueError, match="table: .*to_arrow.*got other rows"):
        type(counted).from_arrow(exchanged)
    # Nor may two rows that differ change places.
    rows = table.take([1, 0])
    assert rows != table
    with pytest.raises(ValueError, match="table: .*to_arrow.*got other rows"):
        type(counted).from_arrow(rows)


def test_no_changed_byte_changes_a_number():
    sink = pa.BufferOutputStream()
    with ipc.new_stream(sink, TABLE.schema) as writer:
        writer.write_table(TABLE)
    stored, n_refused = sink.getvalue().to_pybytes(), 0
    for place in range(len(stored)):
        damaged = bytearray(stored)
        damaged[place] ^= 1 << place % 8
        try:
            found = textgauge.Bleu.from_arrow(ipc.open_stream(pa.py_buffer(bytes(damaged))).read_all())
        # Of Arrow, where there is no table, and of ours.
        except (pa.ArrowException, OSError, ValueError, TypeError):
            n_refused += 1
        else:
            assert np.array_equal(numbers(found.statistics), numbers(COUNTED_BLEU.statistics))
    assert n_refused > len(stored) / 4


@pytest.mark.parametrize("origin", [[1, 2], [2], []])
def test_a_forged_origin_is_refused(origin):
    """It is part of the signature: nrefs:1 must not become nrefs:2."""
    table = textgauge.Bleu().update(["a b"], ["a b"]).to_arrow()
    changed = {**json.loads(table.schema.metadata[b"textgauge"]), "origin": origin}
    with pytest.raises(ValueError, match="^table: .*to_arrow.*got other rows or metadata"):
        textgauge.Bleu.from_arrow(table.replace_schema_metadata({"textgauge": json.dumps(changed)}))


RUNS = """
from pathlib import Path
Path(__file__).with_name("ran").write_text("")
"""


def stored(kind, keywords, accumulator=None):
    """A table of an accumulator without segments that names these options, with a checksum that fits."""
    accumulator = kind() if accumulator is None else accumulator
    table = accumulator.to_arrow()
    told = {**json.loads(table.schema.metadata[b"textgauge"]), "keywords": keywords}
    layout = accumulator.metric.layout
    told["checksum"] = checksum(Rows(layout, np.zeros((0, layout.n_columns), layout.dtype)), told)
    return table.replace_schema_metadata({"textgauge": json.dumps(told)})


LOADED = {
    "Perplexity": ("model_id", "model_kwargs", "tokenizer", "dtype", "device", "device_map", "ngram_train", "model"),
    "BertScore": ("model_id", "model_kwargs", "tokenizer", "device", "lang", "baseline_path", "model"),
    "Comet": ("model_id", "encoder", "revision", "device"),
    "Rouge": ("stopwords", "exceptions"),
}


@pytest.mark.parametrize(("name", "option"), [(name, one) for name, options in LOADED.items() for one in options])
def test_a_table_never_names_what_is_loaded(name, option, tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"auto_map": {"AutoModelForCausalLM": "runs.Model"}}))
    (folder / "runs.py").write_text(RUNS)
    value = {"model_kwargs": {"trust_remote_code": True}}.get(option, str(folder))
    if name == "Comet" and option == "device":
        value = "cuda"
    kind = getattr(textgauge, name)
    loads = option not in ("dtype",)
    table = stored(kind, {option: value if loads else "float16"})
    if not loads:
        assert kind.from_arrow(table).options.dtype == "float16"
        return
    with pytest.raises(ValueError, match=f"^table: .*got '{option}'"):
        kind.from_arrow(table)
    assert not (folder / "ran").exists()


def test_a_model_of_a_table_is_given_beside_it():
    accumulator = textgauge.Perplexity(model_id="nowhere/at-all")
    assert json.loads(accumulator.to_arrow().schema.metadata[b"textgauge"])["keywords"] is None
    found = textgauge.Perplexity.from_arrow(accumulator.to_arrow())
    assert found.options.model_id is None
    assert textgauge.Perplexity.from_arrow(accumulator.to_arrow(), model_id="other").options.model_id == "other"


def test_a_file_of_stop_words_is_not_read(tmp_path):
    # Only its name could tell that it was looked for.
    table = stored(textgauge.Rouge, {"stopwords": str(tmp_path / "no such file")})
    with pytest.raises(ValueError, match="^table: .*got 'stopwords'"):
        textgauge.Rouge.from_arrow(table)


@pytest.mark.parametrize("value", [{"a": 1}, [["a"]], [None], None])
def test_options_of_a_table_are_plain(value):
    with pytest.raises((TypeError, ValueError), match=NO_TABLE):
        textgauge.Bleu.from_arrow(stored(textgauge.Bleu, {"max_order": value}))


@pytest.mark.parametrize(
    "pair",
    [
        ["nrefs", "9"], ["version", "9"], ["tok", "none"], ["Model", "a"], ["", "a"], ["a b", "c"], ["x|y", "a"],
        ["model", "a|tok:none"], ["model", "a\nb"], ["model", "\x1b[31m"], ["model", "\u202eab"],
    ],
)  # fmt: skip
def test_what_made_the_rows_cannot_forge_a_signature(pair):
    for accumulator in (COUNTED_BLEU, PERPLEXITY):
        table = accumulator.to_arrow()
        told = json.loads(table.schema.metadata[b"textgauge"])
        if pair[0] == "tok" and accumulator is PERPLEXITY:
            continue
        told["origin"]["counters"] = [[pair]]
        told["checksum"] = checksum(accumulator.statistics, told)
        with pytest.raises(ValueError, match=NO_TABLE):
            type(accumulator).from_arrow(table.replace_schema_metadata({"textgauge": json.dumps(told)}))


@pytest.mark.parametrize(
    "origin", [{"references": [1], "counters": [], "more": 1}, {"references": [True], "counters": []}]
)
def test_an_origin_has_no_more_than_was_stored(origin):
    with pytest.raises(ValueError, match=NO_TABLE):
        textgauge.Bleu.from_arrow(signed(origin=origin), **OPTIONS)


def test_the_largest_count_is_the_largest_that_is_read():
    # A11: four times as much was read.
    from textgauge.checks import LARGEST

    accumulator = textgauge.Bleu(**OPTIONS).update(["a b"], ["a b"])
    assert len(textgauge.Bleu.from_arrow(forged(accumulator, reference_length=[LARGEST]))) == 1
    with pytest.raises(ValueError, match="^table: .*reference_length.*got 1000000000001"):
        textgauge.Bleu.from_arrow(forged(accumulator, reference_length=[LARGEST + 1]))
