"""Finds of the fuzzer, each as a test."""

import pyarrow as pa
import pytest
import textgauge


@pytest.mark.parametrize("weights", ["", "cats", b"a", 1.0, ["0.5", "0.5"], [None] * 4, {1: 1}, [[1, 2], [3]]])
def test_weights_that_are_no_numbers_are_refused_in_a_sentence(weights):
    with pytest.raises(TypeError, match="^weights: expected a sequence of numbers, got"):
        textgauge.Bleu(weights=weights, max_order=2)


@pytest.mark.parametrize("path", ["~~", "~no-such-user/words", "a\0b", "x" * 5000])
@pytest.mark.parametrize("option", ["stopwords", "exceptions"])
def test_unreadable_paths_are_refused_in_a_sentence(option, path):
    with pytest.raises(ValueError, match=f"^{option}: expected a (readable file|folder)"):
        textgauge.Rouge(use_stemmer=True, **{option: path})


def test_a_table_with_a_number_too_small_to_be_summed_is_refused():
    options = {"max_order": 1, "reference_length": "average"}
    table = textgauge.Bleu(**options).update(["a"], ["a"]).to_arrow()
    values = pa.array([[1.0, 1.0, 1.0, 5e-324]], pa.list_(pa.float64(), 4))
    with pytest.raises(ValueError, match="table: expected counts from 0 to .*, got 5e-324"):
        textgauge.Bleu.from_arrow(table.set_column(0, "statistics", values), **options)
