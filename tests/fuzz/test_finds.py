"""Finds of the fuzzer, each as a test."""

import pytest
import textgauge
from accumulation.test_storage import forged


@pytest.mark.parametrize("weights", ["", "cats", b"a", 1.0, ["0.5", "0.5"], [None] * 4, {1: 1}, [[1, 2], [3]]])
def test_weights_that_are_no_numbers_are_refused_in_a_sentence(weights):
    with pytest.raises(TypeError, match="^weights: expected a sequence of numbers, got"):
        textgauge.Bleu(weights=weights, max_order=2)


@pytest.mark.parametrize("path", ["~~", "~no-such-user/words", "a\0b", "x" * 5000])
@pytest.mark.parametrize("option", ["stopwords", "exceptions"])
def test_unreadable_paths_are_refused_in_a_sentence(option, path):
    with pytest.raises(ValueError, match=f"^{option}: expected a (readable file|folder)"):
        textgauge.Rouge(use_stemmer=True, **{option: path})


def test_a_table_with_a_number_too_small_for_exact_sums_is_summed():
    options = {"max_order": 1, "reference_length": "average"}
    table = forged(textgauge.Bleu(**options).update(["a"], ["a"]), reference_length=[5e-324])
    twice = textgauge.Bleu.from_arrow(table, **options) + textgauge.Bleu.from_arrow(table, **options)
    assert twice.score()["reference_length"] == 0
