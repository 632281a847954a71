"""Statistics that no texts can have are refused; those of texts are read back."""

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from hypothesis import given
from strategies import corpora

MEASURES = {"bleu": textgauge.Bleu, "rouge": textgauge.Rouge, "token_f1": textgauge.TokenF1}


def with_rows(table, rows):
    column = pa.FixedSizeListArray.from_arrays(pa.array(np.asarray(rows, np.int64).reshape(-1)), len(rows[0]))
    return pa.table({"statistics": column}).replace_schema_metadata(table.schema.metadata)


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("bleu", [5, 0, 0, 0, 4, 3, 2, 1, 4, 4]),
        ("bleu", [1, 0, 0, 0, 4, 3, 2, 2, 4, 4]),
        ("bleu", [0, 0, 0, 1, 3, 2, 1, 0, 3, 4]),
        ("rouge", [3, 2, 4, 0, 1, 1, 0, 2, 2, 0, 2, 2]),
        ("rouge", [0, 2, 4, 2, 2, 1, 0, 2, 2, 0, 2, 2]),
        ("token_f1", [2, 1, 2, 0]),
        ("token_f1", [1, 1, 1, 2]),
    ],
)
def test_impossible_rows_are_refused_by_their_number(name, row):
    measure = MEASURES[name]
    table = measure().update(["a b c d"], ["a b x d"]).to_arrow()
    right = np.asarray(table.column(0).combine_chunks().flatten()).tolist()
    assert len(measure.from_arrow(with_rows(table, [right, right])).statistics) == 2
    with pytest.raises(ValueError, match=r"^table: row 1: expected "):
        measure.from_arrow(with_rows(table, [right, row]))


def test_sums_that_64_bits_cannot_hold_are_refused():
    table = textgauge.TokenF1().update(["cat"], ["cat"]).to_arrow()
    with pytest.raises(ValueError, match="table: expected counts whose sums fit into 64 bits, got 2000000 rows"):
        textgauge.TokenF1.from_arrow(with_rows(table, np.tile([1 << 42, 1 << 42, 1 << 42, 0], (2_000_000, 1))))


@pytest.mark.parametrize(
    ("measure", "options", "largest"),
    [
        (textgauge.TokenF1, {}, 1 << 42),
        (textgauge.Rouge, {"rouge_types": ["rouge1"]}, 1 << 42),
        (textgauge.Rouge, {"rouge_types": ["rougeW-2"]}, 1 << 80),
    ],
)
def test_the_largest_counts_can_still_be_averaged(measure, options, largest):
    table = measure(**options).update(["x y", "x"], ["x y", "y"]).to_arrow()
    kind, size = table.schema.field(0).type.value_type, table.schema.field(0).type.list_size

    def read(value):
        row = np.array([1, value, value, 0][:size], kind.to_pandas_dtype()).tolist()
        rows = pa.array([row, row], pa.list_(kind, size))
        return measure.from_arrow(pa.table({"statistics": rows}).replace_schema_metadata(table.schema.metadata))

    score = read(largest).score()
    assert 0 < min(value for value in score.values() if value) < 1e-12
    with pytest.raises(ValueError, match=r"^table: expected .*, got "):
        read(2 * largest)


def test_weights_too_large_for_a_float_are_refused():
    measure = textgauge.Rouge(rouge_types=["rougeW-30"]).update(["a b"], ["a b"])
    table = measure.to_arrow()
    assert textgauge.Rouge.from_arrow(table).score() == measure.score() == {"rougeW-30": 1.0}
    rows = pa.array([[1.0, np.inf, 1.0]], table.schema.field(0).type)
    with pytest.raises(ValueError, match="table: expected sums of weights that a text can have, got inf"):
        textgauge.Rouge.from_arrow(pa.table({"statistics": rows}).replace_schema_metadata(table.schema.metadata))


@pytest.mark.parametrize(
    ("measure", "options"),
    [
        *((measure, {}) for measure in MEASURES.values()),
        (textgauge.Bleu, {"preset": "nltk"}),
        (textgauge.Bleu, {"max_order": 7, "reference_length": "average"}),
        (textgauge.Rouge, {"preset": "rouge-1.5.5", "max_bytes": 9, "rouge_types": ["rouge2", "rougeL", "rougeSU4"]}),
        (textgauge.Rouge, {"multi_reference": "pooled", "jackknife": True, "rouge_types": ["rouge1", "rougeS"]}),
    ],
)
@pytest.mark.filterwarnings("ignore:.*have no token")
@given(corpus=corpora)
def test_stored_statistics_are_read_back(measure, options, corpus):
    counted = measure(**options).update([hyp for hyp, _ in corpus], [refs for _, refs in corpus])
    assert np.array_equal(measure.from_arrow(counted.to_arrow(), **options).statistics, counted.statistics)


def test_sum_merges_parts():
    parts = [textgauge.Rouge().update([text], ["the cat sat"]) for text in ("the cat", "a cat sat", "dogs")]
    assert sum(parts).score() == (parts[0] + parts[1] + parts[2]).score()
    with pytest.raises(TypeError):
        sum(parts, 1)


@pytest.mark.parametrize("given", [{"log_probs": [[-1.0, -(10**400)]]}, {"probs": [[0.5, 10**400]]}])
def test_probabilities_that_no_float_can_hold_are_refused_by_place(given):
    with pytest.raises(ValueError, match=r"probs\[0\]\[1\]: expected a number that a float can hold"):
        textgauge.perplexity(**given)
