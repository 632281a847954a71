"""Every shape of input has the score of plain lists."""

import collections
import re

import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import textgauge
from datasets import Dataset, IterableDataset
from quick import covering
from textgauge.input import columns

HYPS = ["the cat sat on the mat", "", "a dog barks, twice", "na\0ïve café 猫", "it is a guide to action"]
REFS = ["the cat is on the mat", "nothing", "the dog barks twice", "na\0ïve cafe 猫", "it is the guide to action"]
GROUPS = [["the cat is on the mat", "a cat sat on the mat"], ["nothing"], ["the dog barks twice", "a dog barks", "x"],
          ["na\0ïve cafe 猫"], ["", "it is the guide to action"]]  # fmt: skip
LABELS = [5, 5, 0, 9, 1]


def sliced(array):
    return pa.concat_arrays([array[:1], array, array[-1:]])[1:-1]


def chunked(array):
    return pa.chunked_array([array[:2], array[2:2], array[2:]])


def column(values):
    return Dataset.from_dict({"n": range(len(values)), "text": values})["text"]


def selected(values):
    backwards = Dataset.from_dict({"text": [*reversed(values), *values[:2]]})
    return backwards.select(range(len(values) - 1, -1, -1))["text"]


def transformed(values):
    upper = Dataset.from_dict({"text": [str(i) for i in range(len(values))]})
    upper.set_transform(lambda batch: {"text": [values[int(i)] for i in batch["text"]]})
    return upper["text"]


def streamed(values):
    return Dataset.from_dict({"text": values}).to_iterable_dataset()["text"]


class Masked(str):
    """Text of a class of one's own."""


TEXTS = {
    "tuple": tuple,
    "generator": lambda v: (text for text in v),
    "iterator": iter,
    "map": lambda v: map(str, v),
    "deque": collections.deque,
    "dict values": lambda v: dict(enumerate(v)).values(),
    "str of another class": lambda v: [Masked(text) for text in v],
    "NumPy str": lambda v: [np.str_(text) for text in v],
    "NumPy U": np.array,
    "NumPy object": lambda v: np.array(v, object),
    "NumPy view": lambda v: np.repeat(np.array(v), 2)[::2],
    "Series": pd.Series,
    "Series of object": lambda v: pd.Series(v, dtype=object),
    "Series with labels": lambda v: pd.Series(v, index=LABELS),
    "Series called columns": lambda v: pd.Series(v, index=["columns", "source", "ndim", "column_names", "data"]),
    "Series of string": lambda v: pd.Series(v, dtype="string"),
    "Series of Arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.string())),
    "Series of category": lambda v: pd.Series(v, dtype="category"),
    "Arrow": pa.array,
    "Arrow slice": lambda v: sliced(pa.array(v)),
    "Arrow chunks": lambda v: chunked(pa.array(v)),
    "Arrow large_string": lambda v: sliced(pa.array(v, pa.large_string())),
    "Arrow dictionary": lambda v: sliced(pa.array(v).dictionary_encode()),
    "Arrow dictionaries": lambda v: pa.chunked_array([pa.array(part).dictionary_encode() for part in (v[:2], v[2:])]),
    "Arrow runs": lambda v: pa.RunEndEncodedArray.from_arrays(list(range(1, len(v) + 1)), v),
    "Arrow scalars": lambda v: list(pa.array(v)),
    "datasets": column,
    "datasets selection": selected,
    "datasets transform": transformed,
}  # fmt: skip

REFERENCES = {
    "tuples": lambda v: tuple(tuple(group) for group in v),
    "generator of lists": iter,
    "lists and arrays": lambda v: [np.array(group) if i % 2 else group for i, group in enumerate(v)],
    "a container of each kind": lambda v: [
        kind(group) for kind, group in zip((list, tuple, pd.Series, np.array, pa.array), v, strict=True)
    ],
    "arrays": lambda v: [np.array(group) for group in v],
    "array of lists": lambda v: pd.Series(v).to_numpy(),
    "array of arrays": lambda v: pd.Series([np.array(group, object) for group in v]).to_numpy(),
    "list of Series": lambda v: [pd.Series(group, index=range(7, 7 + len(group))) for group in v],
    "list of Arrow arrays": lambda v: [pa.array(group) for group in v],
    "Series of lists": lambda v: pd.Series(v, index=LABELS),
    "Arrow lists": lambda v: sliced(pa.array(v)),
    "Arrow large lists": lambda v: sliced(pa.array(v, pa.large_list(pa.large_string()))),
    "Arrow chunks": lambda v: chunked(pa.array(v)),
    "datasets": column,
    "datasets selection": selected,
}
# Missing in the oldest supported releases.
if hasattr(getattr(np, "dtypes", None), "StringDType"):
    TEXTS["NumPy StringDType"] = lambda v: np.array(v, np.dtypes.StringDType())
if hasattr(pa, "string_view"):
    TEXTS["Arrow string_view"] = lambda v: sliced(pa.array(v, pa.string_view()))
    VIEWS = pa.dictionary(pa.int32(), pa.string_view())
    TEXTS["Arrow dictionary of views"] = lambda v: chunked(pa.array(v).dictionary_encode().cast(VIEWS))
    REFERENCES["Arrow lists of views"] = lambda v: sliced(pa.array(v, pa.list_(pa.string_view())))
if hasattr(pa, "list_view"):
    REFERENCES["Arrow list views"] = lambda v: sliced(pa.array(v, pa.list_view(pa.string())))
if hasattr(IterableDataset, "__getitem__"):
    TEXTS["datasets stream"] = REFERENCES["datasets stream"] = streamed

CALLS = {
    "bleu": lambda h, r: textgauge.bleu(h, r, per_segment=True),
    "rouge": lambda h, r: textgauge.rouge(h, r, use_aggregator=False),
    "evaluate": lambda h, r: textgauge.load("bleu").compute(predictions=h, references=r, per_segment=True),
}
pytestmark = pytest.mark.filterwarnings("ignore:.*not empty but")


@pytest.mark.parametrize(("shape", "call"), covering([*TEXTS], [*CALLS]))
def test_texts_in_any_container(call, shape):
    make = TEXTS[shape]
    assert CALLS[call](make(HYPS), make(REFS)) == CALLS[call](HYPS, REFS)
    assert CALLS[call](make(HYPS), GROUPS) == CALLS[call](HYPS, GROUPS)


@pytest.mark.parametrize(("shape", "call"), covering([*REFERENCES], [*CALLS]))
def test_references_in_any_container(call, shape):
    assert CALLS[call](HYPS, REFERENCES[shape](GROUPS)) == CALLS[call](HYPS, GROUPS)


@pytest.mark.parametrize("call", CALLS)
def test_rectangular_references(call):
    groups = [[ref, hyp] for ref, hyp in zip(REFS, HYPS, strict=True)]
    expected = CALLS[call](HYPS, groups)
    assert CALLS[call](HYPS, np.array(groups)) == expected
    assert CALLS[call](HYPS, pa.array(groups, pa.list_(pa.string(), 2))[0:]) == expected
    assert CALLS[call](HYPS[1:], pa.array(groups, pa.list_(pa.string(), 2))[1:]) == CALLS[call](HYPS[1:], groups[1:])


def test_a_generator_is_read_once():
    walked = []
    textgauge.rouge((walked.append(text) or text for text in HYPS), REFS)
    assert walked == HYPS


def test_arrays_beyond_2_gb(monkeypatch):
    # A plain list of lists is taken apart, and has 64-bit offsets from the start.
    convert, sizes, groups = pa.array, [], np.empty(len(GROUPS), object)
    groups[:] = GROUPS

    def at_most_two_rows(values, *args):
        if values[0] in GROUPS:
            if len(values) > 2:
                raise pa.ArrowCapacityError("array cannot contain more than 2147483646 bytes")
            sizes.append(len(values))
        return convert(values, *args)

    expected = columns.corpus_of(HYPS, GROUPS)
    monkeypatch.setattr(pa, "array", at_most_two_rows)
    corpus = columns.corpus_of(HYPS, groups)
    assert sizes == [2, 1, 2]
    assert corpus.references.tolist() == expected.references.tolist()
    assert corpus.reference_offsets.tolist() == [0, 2, 3, 6, 7, 9]


def test_text_has_64_bit_offsets_all_the_way():
    metric = textgauge.load("bleu", keep_in_memory=True)
    metric.add_batch(predictions=pa.chunked_array([pa.array(HYPS)] * 3), references=GROUPS * 3)
    metric.add(prediction="a", reference="b")
    metric._finalize()
    assert metric.data["predictions"].type == pa.large_string()
    assert metric.data["references"].type.value_type == pa.large_string()
    assert len(metric.data["predictions"]) == 16


@pytest.mark.parametrize("call", CALLS)
def test_input_is_not_written_to(call):
    hyps, groups = np.array(HYPS), np.empty(len(GROUPS), object)
    groups[:] = GROUPS
    hyps.flags.writeable = groups.flags.writeable = False
    before = [list(group) for group in GROUPS]
    buffers = pa.array(HYPS, pa.large_string())
    raw = [b.to_pybytes() for b in buffers.buffers() if b]
    CALLS[call](hyps, groups)
    CALLS[call](buffers, groups)
    assert before == GROUPS
    assert raw == [b.to_pybytes() for b in buffers.buffers() if b]


PAIRED = {
    "function": lambda hyps, refs: textgauge.wer(hyps, refs),
    "module": lambda hyps, refs: textgauge.load("wer").compute(predictions=hyps, references=refs),
    "class": lambda hyps, refs: textgauge.Wer().update(hyps, refs),
    "sources": lambda hyps, refs: textgauge.sari(hyps.to_list(), refs, sources=hyps),
    "sources of predictions": lambda hyps, refs: textgauge.sari(hyps, refs.set_axis([8, 9]), sources=refs),
    "compare": lambda hyps, refs: textgauge.compare([refs, hyps], refs, metric="wer", n_resamples=9),
    "comparison": lambda hyps, refs: textgauge.load("paired_bootstrap").compute(
        predictions1=refs, predictions2=hyps, references=refs, metric="wer", n_resamples=9
    ),
    "references of a comparison": lambda hyps, refs: textgauge.load("paired_bootstrap").compute(
        predictions1=hyps, predictions2=hyps, references=refs, metric="wer", n_resamples=9
    ),
}


@pytest.mark.filterwarnings("ignore:two systems differ in only|the interval of a difference")
@pytest.mark.parametrize("face", PAIRED)
def test_labels_in_another_order_are_told(face):
    in_order = pd.Series(["one a", "two b"], index=["a", "b"])
    moved = in_order.iloc[::-1]
    with pytest.warns(UserWarning, match="have the same index labels in another order, and were paired by pos") as told:
        PAIRED[face](moved, in_order)
    [message] = [str(one.message) for one in told if "labels" in str(one.message)]
    assert re.search(r"; \w+(\[\d\])?\.loc\[[\w[\]]+\.index\] pairs them by label, `to_list\(\)` of both", message)
    # By label, by position, and where labels say nothing of the other column.
    PAIRED[face](moved.loc[in_order.index], in_order)
    for labels in (["x", "y"], ["a", "a"], [1, 0]):
        PAIRED[face](moved.set_axis(labels), in_order)


@pytest.mark.parametrize(
    ("name", "meant"), [("reference", "references"), ("refs", "references"), ("prediction", "predictions")]
)
def test_a_misspelt_column_is_told(name, meant):
    with pytest.raises(TypeError, match=f"^{name}: .*{meant}.*got an unknown keyword"):
        textgauge.load("bleu").compute(**{"predictions": ["a"], "references": ["a"], name: ["a"]})


def test_classes_have_the_names_of_the_hub_which_combined_results_show():
    combined = evaluate.combine([textgauge.load("chrf"), textgauge.load("bleu")], force_prefix=True)
    assert {"chr_f_score", "bleu_bleu"} <= combined.compute(predictions=["a b c d e"], references=["a b c d e"]).keys()
    trusted = textgauge.load("bleu", trust_remote_code=True)
    assert trusted.compute(predictions=["a b c d"], references=["a b c d"])["bleu"] == 1
