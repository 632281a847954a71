"""Rows that are no texts are left out and counted, as by --skip-bad of the command line."""

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from textgauge.input.columns import readable_parts

HYPS = ["a cat", None, "a dog", "it rains", "no"]
REFS = [["a cat"], ["b"], [], ["it rains", "it pours"], ["yes", None]]
GOOD = [0, 3]
COLUMNS = {"prediction_column": "hyp", "reference_column": "ref"}
SKIP = {**COLUMNS, "skip_bad": True}
THREE = "3 bad rows were {}: a text or a reference is missing or no text"


def good(column):
    return [column[i] for i in GOOD]


@pytest.mark.parametrize("batch_size", [1, 2, 1000])
def test_without_bad_rows(batch_size):
    rows = datasets.Dataset.from_dict({"hyp": HYPS, "ref": REFS})
    with pytest.raises((TypeError, ValueError), match="expected"):
        textgauge.score_dataset(rows, "chrf", **COLUMNS)
    with pytest.warns(UserWarning, match=THREE.format("left out")):
        found = textgauge.score_dataset(rows, ["chrf", "bleu"], batch_size=batch_size, **SKIP)
    expected = {"chrf": textgauge.chrf, "bleu": textgauge.bleu}
    assert found == {name: {**of(good(HYPS), good(REFS)), "skipped": 3} for name, of in expected.items()}
    whole = datasets.Dataset.from_dict({"hyp": good(HYPS), "ref": good(REFS)})
    assert textgauge.score_dataset(whole, "chrf", **SKIP) == found["chrf"] | {"skipped": 0}


@pytest.mark.parametrize("of", [dict, pa.table, pd.DataFrame])
def test_a_bad_row_gets_the_score_nan(of):
    add_scores = textgauge.scorer(["chrf", "ter"], **SKIP)
    with pytest.warns(UserWarning, match=THREE.format("given the score NaN")):
        found = add_scores(of({"hyp": HYPS, "ref": REFS}))
    for name in ("chrf", "ter"):
        column = np.array(found[name])
        assert column[GOOD].tolist() == textgauge.segment_scores(name, good(HYPS), good(REFS)).tolist()
        assert np.isnan(np.delete(column, GOOD)).all()


@pytest.mark.filterwarnings("ignore:1 bad row was")
def test_single_rows_and_batches_of_bad_ones():
    add_scores = textgauge.scorer("chrf", **SKIP)
    assert np.isnan(add_scores({"hyp": None, "ref": "a"})["chrf"])
    assert add_scores({"hyp": "a", "ref": "a"}) == {"chrf": 100.0}
    assert np.isnan(add_scores({"hyp": [None], "ref": [["a"]]})["chrf"]).all()
    # A text beside a list, which no single column may have.
    assert add_scores({"hyp": ["a", "b", 3], "ref": ["a", ["b"], "c"]})["chrf"][:2].tolist() == [100.0, 100.0]
    rows = datasets.Dataset.from_dict({"hyp": ["a", None], "ref": ["a", "a"]})
    mapped = rows.map(add_scores)
    assert mapped["chrf"][0] == 100.0
    assert np.isnan(mapped["chrf"][1])


def test_wrong_column_and_bad_rows():
    rows = datasets.Dataset.from_dict({"hyp": [None, None], "ref": ["a", "a"]})
    with pytest.warns(UserWarning, match="2 bad rows"), pytest.raises(ValueError, match="at least one row of texts"):
        textgauge.score_dataset(rows, "chrf", **SKIP)
    with pytest.raises(ValueError, match="^prediction_column: .*got 'no'"):
        textgauge.scorer("chrf", **{**SKIP, "prediction_column": "no"})({"hyp": ["a"], "ref": ["a"]})
    with pytest.raises(TypeError, match="^skip_bad: .*got 1"):
        textgauge.scorer("chrf", **{**SKIP, "skip_bad": 1})


def test_invalid_column():
    """Offsets that decrease, which no row is to blame for, would end the process."""
    offsets = pa.py_buffer(np.array([0, 3, 1], np.int32))
    column = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"abcdef")])
    batch = pa.table({"hyp": column, "ref": ["a", "b"]})
    score = textgauge.scorer("chrf", prediction_column="hyp", reference_column="ref", skip_bad=True)
    with pytest.raises(ValueError, match=r"^batch\['hyp'\]: .*accepts"):
        score(batch)


@given(st.sets(st.integers(0, 299)), st.integers(1, 300))
def test_readable_parts(bad, n):
    asked = []

    def read(part):
        asked.append(part)
        if bad & {*part}:
            raise ValueError
        return part

    parts = [*readable_parts(range(n), read, ValueError)]
    assert [row for part, _ in parts for row in part] == [*range(n)]
    assert [part.start for part, found in parts if isinstance(found, ValueError)] == sorted(bad & {*range(n)})
    assert all(found is part or len(part) == 1 for part, found in parts)
    assert len(asked) <= 1 + 128 * bool(bad) + 5 * len(bad)
