"""Targets: altered tables of statistics."""

import json

import numpy as np
import pyarrow as pa
import textgauge
from hypothesis import strategies as st
from laws import numbers
from pyarrow import ipc
from strategies import corpora, split

from .inputs import refused_or_plain

KEY = b"textgauge"
OPTIONS = [
    (textgauge.Bleu, {"max_order": 2}),
    (textgauge.Bleu, {"max_order": 2, "lowercase": True, "smoothing": "exp"}),
    (textgauge.Bleu, {"max_order": 2, "reference_length": "average"}),
    (textgauge.TokenF1, {}),
    (textgauge.TokenF1, {"counting": "set"}),
    (textgauge.Rouge, {"rouge_types": ["rouge1", "rougeL"]}),
    (textgauge.Rouge, {"rouge_types": ["rougeW"], "jackknife": True}),
]


def bytes_of(table):
    sink = pa.BufferOutputStream()
    with ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    return bytearray(sink.getvalue().to_pybytes())


def told(table, change):
    """The table with other metadata."""
    return table.replace_schema_metadata(change(dict(table.schema.metadata or {})))


def about(key, value):
    def change(metadata):
        return {KEY: json.dumps({**json.loads(metadata[KEY]), key: value})}

    return lambda table: told(table, change)


def with_values(table, place, values, kind):
    """The table with another column in place of one of its own."""
    place %= table.num_columns
    return table.set_column(place, table.column_names[place], pa.array(values, kind))


def kind_of(table, place):
    return table.schema.field(place % table.num_columns).type


def cast(place, kind):
    def change(table):
        old = kind_of(table, place)
        new = pa.list_(kind, old.list_size) if pa.types.is_fixed_size_list(old) else kind
        return with_values(table, place, table.column(place % table.num_columns).to_pylist(), new)

    return change


def put(place, value):
    """The table with one value in place of the last of a column."""

    def change(table):
        values = table.column(place % table.num_columns).to_pylist()
        if values and isinstance(values[-1], list):
            values[-1][-1] = value
        elif values:
            values[-1] = value
        return with_values(table, place, values, kind_of(table, place))

    return change


def flipped(places):
    """The table read from its bytes with some of them changed."""

    def change(table):
        data = bytes_of(table)
        for place, byte in places:
            data[place % len(data)] ^= byte
        return ipc.open_stream(pa.py_buffer(bytes(data))).read_all()

    return change


def cut(n_bytes):
    def change(table):
        return ipc.open_stream(pa.py_buffer(bytes(bytes_of(table)[:n_bytes]))).read_all()

    return change


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=5,
)
places = st.integers(0, 7)
changes = st.one_of(
    st.just(lambda table: table),
    st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda ends: lambda table: table.slice(*ends)),
    st.just(lambda table: pa.concat_tables([table, table])),
    st.just(lambda table: table.combine_chunks()),
    st.just(lambda table: table.append_column("more", pa.nulls(len(table)))),
    st.just(lambda table: table.drop_columns([table.column_names[0]])),
    st.just(lambda table: table.rename_columns(["x"] * table.num_columns)),
    st.just(lambda table: table.take([*range(len(table))][::-1])),
    st.just(lambda table: pa.table({"statistics": pa.nulls(3)}, metadata=table.schema.metadata)),
    st.just(lambda table: table.to_batches()),
    st.builds(
        cast, places, st.sampled_from([pa.int32(), pa.uint64(), pa.float32(), pa.float64(), pa.string(), pa.int64()])
    ),
    st.builds(put, places, st.sampled_from([None, -1, 0, 7, 1 << 53, (1 << 53) + 1, (1 << 63) - 1, -(1 << 63)])),
    st.builds(about, st.sampled_from(["format", "accumulator", "options", "origin", "checksum", "x"]), values),
    st.binary(max_size=9).map(lambda given: lambda table: told(table, lambda _: {KEY: given})),
    st.lists(st.tuples(st.integers(0, 9999), st.integers(1, 255)), min_size=1, max_size=4).map(flipped),
    st.integers(0, 9999).map(cut),
)  # fmt: skip


def tables(corpus, made, read, steps):
    """A table is refused with an error of our form, or read exactly: with the numbers that were stored."""
    hyps, refs = split(corpus)
    kind, options = made
    counted = kind(**options).update(hyps, refs)
    table = counted.to_arrow()
    try:
        for change in steps:
            # PyArrow itself may crash on what it reads from changed bytes: only the last table is given unchecked.
            table.validate(full=True)
            table = change(table)
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError):
        # Another library would not make such a table.
        return
    kind, options = read
    found = refused_or_plain(lambda: kind.from_arrow(table, **options))
    if not steps:
        # Options that are not given are those that the table stores.
        assert (found is not None) == (read in (made, (made[0], {})))
    if found is None:
        return
    assert np.array_equal(numbers(found.statistics), numbers(counted.statistics))
    assert found.to_arrow().to_pydict() == table.to_pydict() == counted.to_arrow().to_pydict()
    assert kind.from_arrow(found.to_arrow(), **options).score(signature=True) == found.score(signature=True)


TARGETS = {
    "tables": (
        tables,
        st.tuples(
            corpora,
            st.shared(st.sampled_from(OPTIONS), key="made"),
            st.one_of(st.shared(st.sampled_from(OPTIONS), key="made"), st.sampled_from(OPTIONS)),
            st.lists(changes, max_size=2),
        ),
    )
}
